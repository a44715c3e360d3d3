//! Proves any gate between an AI agent and its machine, from outside: by what it does, not by what it says.
//!
//! A gate under test is a process that speaks the protocol of PROTOCOL.md. Families of cases (`cases/`, written as
//! AUTHORING.md says, after the rules of SPEC.md) are run against it in fresh sandboxes. Effects are read from the
//! disk, questions from the approver's socket, records from the log.
//!
//! # What this does not protect against
//!
//! A gate that behaves well only in sandboxes of this suite; transient writes where no canary stands; races that need
//! no question. SPEC.md has the whole list.
//!
//! # Example
//!
//! ```
//! use portcullis_conformance::report::{Depth, Matrix, page};
//! use portcullis_conformance::Spec;
//!
//! let spec = Spec::read("- **PATHS-1** MUST decide on the object that a path really leads to.")?;
//! let matrix = Matrix::new(&spec, &[], &[]);
//! assert!(page(&matrix, Depth::Checks).contains("PATHS-1"));
//! # Ok::<(), portcullis_conformance::Error>(())
//! ```

mod adapt;
mod base64;
mod baseline;
pub mod cli;
mod error;
pub mod fixture;
pub mod grade;
mod hash;
mod host;
mod inventory;
mod lint;
mod manifest;
mod mutate;
mod os;
mod profile;
mod random;
pub mod report;
pub mod run;
mod sandbox;
mod scaffold;
mod score;
mod select;
mod selftest;
mod spec;
pub mod straw;
pub mod wire;
pub mod words;

pub use baseline::Baseline;
pub use error::{Error, ErrorKind};
pub use inventory::Inventory;
pub use lint::{Fault, lint};
pub use manifest::Manifest;
pub use profile::Profile;
pub use select::Selection;
pub use spec::{Force, Rule, Spec};
