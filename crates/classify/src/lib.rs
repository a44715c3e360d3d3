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
//! A command is an operand like a path. [`shell`], the strict reader, gives every simple command in it, those behind
//! wrappers included; the tables in `data/commands` say what each of their words means; and each path among these is
//! resolved and judged like the path of a file tool, in the directory where that command runs. What the reader is not
//! sure of, and what no table knows, asks, and everything literal in it still counts towards a denial.
//!
//! # What this crate does not protect against
//!
//! - **What a program does that is not what it says.** The tables describe the programs of that name in their usual
//!   versions. A program of the same name that does something else, an alias, a start-up file, a hook or a setting of a
//!   repository can make it do more.
//! - **What the project's own code does.** Builds, tests and scripts of a project that is trusted run unasked
//!   ([`Classifier::with_trusted`]), and do what they like.
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
mod private;
mod risk;
mod secrets;
pub mod shell;
mod show;
pub mod subagents;
mod toolbox;
mod wildcard;

pub use assess::{Assessment, Classifier, Denial};
pub use call::{Call, CallError, CallErrorKind, Digest, Limits, Session, Shape};
pub use catalogue::{CATALOGUE, NameGroup, is_private, name_groups};
pub use commands::{ProgramEntry, Programs};
pub use effect::{Code, Effect, EffectKind, Part};
pub use policy::{
    LayerRules, Level, Levels, Policy, PolicyError, PolicyErrorKind, Preset, Profile, Rule, RuleSubject,
};
pub use risk::{Cause, Layer, Risk, Verdict};
pub use secrets::{shown_command, shown_part, shown_text};
pub use toolbox::{
    ArgumentFault, GlobReach, Language, Operand, Role, ToolError, ToolSpec, Toolbox, When, glob_reach,
};
