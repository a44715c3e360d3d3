//! What the audit log promises, tried from outside.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]

mod altered;
mod books;
mod chain;
mod common;
mod exports;
mod failing;
mod format;
mod head;
mod places;
mod processes;
mod redact;
mod rotation;
mod seals;
