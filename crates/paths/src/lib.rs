//! Says where a path really leads, before anything is done there, and holds what it found.
//!
//! Most users want the facade `portcullis`; this crate stands alone for those who have their own gate.
//!
//! A [`Request`] is one path operand: its text, the [`Dialect`] of the tool that will run, what is to be done, and the
//! working directory. [`Resolver::resolve`] answers with a [`Target`] or with an [`Error`], and every error means: do
//! not do it. A target knows its canonical place and where that stands ([`Standing`]), what a person should know
//! ([`Concern`]), and holds the object by descriptor: its verbs act through that and never through the name.
//!
//! The text is decoded once, the way the tool will decode it, and read the way the tool will read it ([`Model`]). What two
//! tools would read differently is refused. Whether a place is inside is decided by the identity of the directories
//! on the way to it, never by how it is spelled. Deny and confirm zones are generous where roots are exact: they match the
//! object, everything above it, names that only some file systems confuse, and whatever takes them along.
//!
//! Where a tool expands patterns itself, [`Resolver::glob`] looks at everything that one may select, within a bound, and
//! gives the strictest answer.
//!
//! # What this does not protect against
//!
//! - **A hook cannot bind the object.** Where another process acts after the answer (a hook of an agent, a shell), it
//!   acts on whatever the name leads to by then. The answer is right for the moment it was given;
//!   [`Target::verify`] tells afterwards that something was swapped. Only the verbs here, and a sandbox, bind it.
//! - **Other names that cannot be found.** No system tells the names of a file, so one with several is looked for below
//!   every zone that matters, each time that it is asked about: at most 16,384 entries for a zone, a `stat` each (some
//!   tens of milliseconds at the bound, nothing for files with one name). What was not looked at to the end asks
//!   ([`Concern::NamesUntold`]). A name outside every zone is nobody's business here; [`Concern::HardLinked`] asks before
//!   such a file is written. What a *search* of a directory finds in it is not looked at one by one: a hard link in there
//!   to a file in a zone is found only when it is asked about itself.
//! - **What a pattern selects later.** It is looked at when it is asked about; the places that the tool then uses have to be
//!   resolved one by one.
//! - **Between the last check and the system call** that removes or renames a name, one call's time remains.
//! - **A move that is going on.** Whether a directory that leads to a zone was moved is told by the kernel at the end of the
//!   system call that moves it. A question asked in the microseconds between is answered as if it were where it was.
//! - **A part of a zone that is mounted elsewhere**, outside every root: no directory on the way there is the zone's own,
//!   so it stands [`Standing::Outside`] like everything there. In a root, what is mounted is refused, and so
//!   is deleting a directory with everything in it when something is mounted there.
//! - **File systems that do not keep identities** (FUSE, NFS, SMB, 9P) are reported as
//!   [`Concern::WeakIdentity`], not made safe. A change of the tree through another mount of it is seen only when looked at.
//! - **What the shape of an answer tells.** Outside the roots a refusal reads the same whatever is there, and whoever asks a
//!   person about what is outside can ask about what is not there too ([`Error::may_be_asked`]). A text that climbs with
//!   `..` out of a place that nobody named is for refusing, whatever is there ([`Concern::Climbs`]). Three things still
//!   show, as hiding each would give away more than it tells. A pipe, socket or device outside is refused where a file, or
//!   nothing, is asked about: to hide it, a person's yes would have to open it, which is what does the harm (R12). A link
//!   outside into a protected place is refused: to hide it, the place would be had by that name, or nobody could be asked
//!   about anything outside (R4). A link outside back into a root is inside: to hide it, one object would have two verdicts
//!   (R3).
//! - **What a process may do anyway.** This decides about paths that are asked about; it confines nobody.
//! - **Other systems.** Only Linux was run, and only there is anything resolved: elsewhere this crate has no resolver and no
//!   targets, so that nothing can be opened by it. What is left compiles for Windows and macOS and was never run there:
//!   dialects as values, operations, [`visible`], and what Windows reads in a text ([`WindowsPath`]), which is tested on
//!   Linux, as text. On Linux it needs `statx` with mount ids (Linux 5.8). `openat2` is used where it is offered; without
//!   it names are opened one after the other, with the same answers.
//! - **Places deeper than 512 directories**, and paths through more than 40 links or 8,192 components, are refused.
//!
//! # Example
//!
//! ```
//! use portcullis_paths::{Ambient, Dialect, ErrorKind, Operation, Request, Resolver, Standing, Zone, ZoneKind, Zones};
//!
//! let workspace = tempfile::tempdir()?;
//! std::os::unix::fs::symlink("/etc", workspace.path().join("innocent"))?;
//!
//! let ambient = Ambient::empty().with_home("/home/ann");
//! let keys = Zone { id: "keys".to_owned(), kind: ZoneKind::DenyRead, path: "~/.ssh".into() };
//! let zones = Zones::builder().root(workspace.path()).zone(keys).open(&ambient)?;
//! let resolver = Resolver::new(zones, ambient);
//! let ask = |operation, text: &str| {
//!     resolver.resolve(&Request {
//!         text: text.as_bytes(),
//!         dialect: &Dialect::AGENT,
//!         operation,
//!         cwd: workspace.path(),
//!     })
//! };
//!
//! let note = ask(Operation::Write, "@notes/today.md")?;
//! assert_eq!(note.standing(), Standing::Inside { root: 0 });
//! note.replace(b"a good day")?;
//!
//! let link = ask(Operation::Read, "innocent/passwd")?;
//! assert_eq!(link.standing(), Standing::Outside);
//! assert_eq!(link.place().to_string(), "/etc/passwd");
//!
//! assert_eq!(ask(Operation::Read, "~/.ssh/id_ed25519").unwrap_err().kind(), ErrorKind::Protected);
//! assert_eq!(ask(Operation::Read, "/proc/self/environ").unwrap_err().kind(), ErrorKind::Special);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "what a resolver would use, which is for Linux alone")
)]

mod ambient;
#[cfg(target_os = "linux")]
mod bytes;
#[cfg(target_os = "linux")]
mod decode;
mod dialect;
#[cfg(target_os = "linux")]
mod error;
mod file_url;
mod operation;
#[cfg(target_os = "linux")]
mod place;
#[cfg(target_os = "linux")]
mod resolver;
#[cfg(target_os = "linux")]
mod target;
mod visible;
mod windows;
#[cfg(target_os = "linux")]
mod zones;

pub use ambient::Ambient;
pub use dialect::{Dialect, Model};
#[cfg(target_os = "linux")]
pub use error::{Error, ErrorKind};
pub use operation::Operation;
#[cfg(target_os = "linux")]
pub use place::{Leaf, Place};
#[doc(hidden)]
#[cfg(target_os = "linux")]
pub use resolver::Backend;
#[cfg(target_os = "linux")]
pub use resolver::{GlobReach, Listings, Request, Resolver};
#[cfg(target_os = "linux")]
pub use target::{
    Concern, FileKind, Identity, Listing, ListingEntry, LookOn, Looked, Relation, Removed, Standing, State,
    Target, Touch, TreeLimits,
};
#[cfg(target_os = "linux")]
pub(crate) use target::{Facts, Held, Name};
pub use visible::visible;
pub use windows::{WindowsFault, WindowsPath};
#[cfg(target_os = "linux")]
pub use zones::{Zone, ZoneKind, Zones, ZonesBuilder};
