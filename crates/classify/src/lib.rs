//! What would this call do, and how risky is that? Whatever cannot be read, resolved or understood is never allowed.
//!
//! This is an inner crate of Portcullis. To put a gate in front of an agent use the facade `portcullis`: a verdict
//! alone stops nothing.
//!
//! A call goes through four stations. [`Call::read`] takes raw bytes within bounds; the [`Toolbox`] says whether the
//! tool exists and which arguments are operands; each operand becomes an [`Effect`], its path resolved to a held
//! target by `portcullis_paths`; the [`Policy`] gives every effect its causes, and the strictest of them is the
//! [`Verdict`]. Built-in rules come first, and the user's, the project's and this run's layers are joined to them:
//! another layer, rule, zone or effect can only keep or raise the risk.
//!
//! Beside them stands [`shell`], the strict reader of commands. It is complete and useful alone; verdicts do not make
//! use of it yet.
//!
//! # What this crate does not protect against
//!
//! - **What a command does.** A command is opaque and asks. A rule that denies a command denies its plain spelling;
//!   any other spelling of the same command asks.
//! - **What nobody declared.** A tool that touches a file which none of its operands names, or a host whose tool reads
//!   an operand in another dialect than its [`ToolSpec`] says, is judged by what was declared.
//! - **What happens between the verdict and the act.** An [`Assessment`] holds the objects it judged; only acting
//!   through them (crate `portcullis_gate`) makes the verdict one about what runs.
//! - **What a file says.** Contents are not looked at: neither what is read nor what is written.
//!
//! # Example
//!
//! ```
//! use portcullis_classify::{Call, Classifier, Limits, Policy, Risk, Shape, Toolbox};
//! use portcullis_paths::Ambient;
//!
//! let workspace = tempfile::tempdir()?;
//! let policy = Policy::join(Vec::new())?; // the built-in rules alone
//! let roots = [workspace.path().to_path_buf()];
//! let classifier = Classifier::open(Toolbox::standard(), policy, roots, Ambient::empty())?;
//!
//! let call = serde_json::json!({
//!     "id": "1",
//!     "tool": "delete_file",
//!     "args": {"path": "../somewhere"},
//!     "cwd": workspace.path(),
//! });
//! let call = Call::read(call.to_string().as_bytes(), Shape::Portcullis, &Limits::default())?;
//! let assessment = classifier.assess(call);
//! assert_ne!(assessment.verdict.risk(), Risk::Allow);
//! for cause in assessment.verdict.causes() {
//!     println!("{} ({}): {}", cause.rule, cause.layer.word(), cause.text);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assess;
mod call;
mod catalogue;
mod commands;
mod effect;
mod policy;
mod risk;
mod secrets;
pub mod shell;
mod show;
pub mod subagents;
mod toolbox;

pub use assess::{Assessment, Classifier, Denial};
pub use call::{Call, CallError, CallErrorKind, Digest, Limits, Session, Shape};
pub use effect::{Effect, EffectKind};
pub use policy::{LayerRules, Policy, PolicyError, PolicyErrorKind, Preset, Rule, RuleSubject};
pub use risk::{Cause, Layer, Risk, Verdict};
pub use toolbox::{
    ArgumentFault, GlobReach, Language, Operand, Role, ToolError, ToolSpec, Toolbox, When, glob_reach,
};
