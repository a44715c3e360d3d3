//! May it run, and who said so?

mod approver;
mod cancel;
mod clock;
mod decide;
mod decision;
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
mod subject;
mod undecided;
mod visible;

pub use approver::{
    Absent, Answer, Approver, AsyncApprover, Behaviour, Question, QuestionId, Reply, Scripted, Terminal,
};
pub use cancel::Cancel;
pub use clock::{Clock, Moment, StillClock};
pub use effects::ToolResult;
pub use gate::{Gate, Step};
pub use grant::{Grant, GrantId, Scope};
pub use ledger::Ledger;
pub use pending::Pending;
pub use permit::{Permit, Running};
pub use refusal::{Refusal, RefusalKind};
pub use settings::Settings;
