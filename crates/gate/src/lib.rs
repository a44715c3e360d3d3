//! May it run, and who said so? A call runs only with a [`Permit`], and a permit exists only after the decision is
//! durable in the audit log. Whatever goes wrong on the way ends with the call not running.
//!
//! Most programs want the facade crate `portcullis`, which puts a gate together from configuration.
//!
//! # What this crate does not protect against
//!
//! - **A question is not a sandbox.** What a person allows runs with all the rights of the process. A command is
//!   judged by what it says, and what it starts can do anything its user can.
//! - **An effect that nobody asks the gate about.** A permit guards the functions that take one; a host that also
//!   opens files by itself has two doors.
//! - **Other programs of the same user.** Between the last check of a target and the system call that uses it, a
//!   process that may write in the same directory can still exchange a name; it cannot lead the effect elsewhere.
//! - **A host that lies.** Who builds the classifier, the ledger, the clock and the approver decides what they do: a
//!   ledger that says *durable* before it is takes the promise above away.
//! - **A person who says yes without reading.** The question is short, escaped and has no default answer; more a
//!   program cannot do.
//!
//! # One call
//!
//! The gate does not wait: it is fed answers and a clock, so that any host can drive it, and every race can be
//! replayed. [`Gate::decide`] and [`Gate::decide_async`] do the asking as well.
//!
//! ```
//! use portcullis_audit::{Log, LogOptions};
//! use portcullis_classify::{Call, Classifier, Limits, Policy, Shape, Toolbox};
//! use portcullis_gate::{
//!     Answer, Approver as _, Behaviour, Cancel, Gate, Moment, Scripted, Settings, Step, StillClock, effects,
//! };
//! use portcullis_paths::Ambient;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let scene = tempfile::tempdir()?;
//! # let base = std::fs::canonicalize(scene.path())?;
//! # let work = base.join("work");
//! # std::fs::create_dir_all(work.join("build/cache"))?;
//! let policy = Policy::join(vec![])?;
//! let classifier = Classifier::open(Toolbox::files(), policy, [work.clone()], Ambient::empty())?;
//! let log = Log::open(LogOptions { path: base.join("log.jsonl"), lock_wait_ms: 1000 })?.log;
//! let gate = Gate::new(classifier, log, StillClock::at(Moment(0)), Settings::for_user("ann"));
//!
//! let text = format!(
//!     r#"{{"id": "c1", "tool": "delete_file", "args": {{"path": "build/cache"}}, "cwd": "{}"}}"#,
//!     work.display()
//! );
//! let call = Call::read(text.as_bytes(), Shape::Portcullis, &Limits::default())?;
//! let cancel = Cancel::new();
//! let mut person = Scripted::new([Behaviour::Say(Answer::AllowOnce)]);
//!
//! let result = match gate.submit(call, &cancel) {
//!     Step::Permitted(permit) => effects::perform(permit),
//!     Step::Ask(pending) => {
//!         let reply = person.ask(pending.question(), &cancel);
//!         pending.settle(reply, gate.now()).and_then(effects::perform)
//!     }
//!     Step::Refused(refusal) => Err(refusal),
//! };
//! let result = result.unwrap_or_else(|refusal| refusal.into_tool_result());
//! assert!(!result.is_error, "{}", result.text);
//! # assert!(!work.join("build/cache").is_dir());
//! # Ok(())
//! # }
//! ```
//!
//! # The records of a call
//!
//! A submitted call leaves `asked` when a question goes out, then exactly one decision, and for a permission exactly
//! one outcome: done, failed, changed or unused. A permit that is handed to the host, and a process that dies, leave
//! the permission open, and that can be seen. A ledger that fails leaves gaps, never a permission that is not there.

mod approver;
mod batch;
mod breaker;
mod cancel;
mod clock;
mod decide;
mod decision;
pub mod desk;
pub mod effects;
mod gate;
mod grant;
mod guard;
mod ledger;
mod pending;
mod permit;
mod refusal;
mod settings;
mod shared;
mod shown;
mod subject;
mod undecided;

pub use approver::{
    Absent, Answer, Approver, AsyncApprover, Behaviour, Marked, Question, QuestionId, Reply, Scripted,
    Terminal,
};
pub use breaker::{BreakerSettings, KeptRun};
pub use cancel::Cancel;
pub use clock::{Clock, Moment, StillClock};
pub use effects::{Exit, ToolResult};
pub use gate::{Gate, Step};
pub use grant::{Grant, GrantError, GrantId, GrantStore, KeptGrant, Offers, Scope};
pub use ledger::Ledger;
pub use pending::Pending;
pub use permit::{Permit, Running};
pub use refusal::{Refusal, RefusalKind};
pub use settings::{CommandSettings, Settings};
