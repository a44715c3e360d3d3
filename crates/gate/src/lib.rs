//! May it run, and who said so?

mod approver;
mod cancel;
mod clock;
pub mod effects;
mod gate;
mod grant;
mod ledger;
mod pending;
mod permit;
mod refusal;

pub use approver::{
    Absent, Answer, Approver, AsyncApprover, Question, QuestionId, Reply, Scripted, Terminal,
};
pub use cancel::Cancel;
pub use clock::{Clock, Moment};
pub use effects::ToolResult;
pub use gate::{Gate, Settings, Step};
pub use grant::{Grant, GrantId, Scope};
pub use ledger::Ledger;
pub use pending::Pending;
pub use permit::{Permit, Running};
pub use refusal::{Refusal, RefusalKind};
