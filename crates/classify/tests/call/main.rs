//! The reader of calls, from outside.

mod digest;
mod reader;
mod session;
mod shapes;
mod traps;

use portcullis_classify::{Call, CallError, Limits, Shape};

fn own(text: &str) -> Result<Call, CallError> {
    Call::read(text.as_bytes(), Shape::Portcullis, &Limits::default())
}

/// A call of ours with these arguments, as text.
fn with_args(args: &str) -> String {
    format!(r#"{{"id":"1","tool":"t","args":{args}}}"#)
}
