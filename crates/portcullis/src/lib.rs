#![doc = include_str!("../README.md")]

mod builder;
mod clock;
pub mod config;
mod error;

pub use builder::{Builder, OpenGate, OpenResident, Refreshed, Resident};
pub use clock::SystemClock;
pub use error::{Error, ErrorKind};

pub use portcullis_audit as audit;
pub use portcullis_audit::Entry as Record;
pub use portcullis_classify::{
    Assessment, CATALOGUE, Call, CallError, CallErrorKind, Cause, Classifier, Denial, Digest, Effect,
    EffectKind, Layer, LayerRules, Level, Levels, Limits, NameGroup, Operand, Policy, PolicyError, Preset,
    Profile, ProgramEntry, Programs, Risk, Role, Rule, RuleSubject, Shape, ToolError, ToolSpec, Toolbox,
    Verdict, name_groups, shell, shown_command, shown_part, shown_text, subagents,
};
pub use portcullis_gate::{
    Absent, Answer, Approver, AsyncApprover, Behaviour, BreakerSettings, Cancel, Clock, CommandSettings,
    Exit, Gate, Grant, GrantError, GrantId, GrantStore, KeptGrant, KeptRun, Ledger, Marked, Moment, Offers,
    Pending, Permit, Question, QuestionId, Refusal, RefusalKind, Reply, Running, Scope, Scripted, Settings,
    Step, StillClock, Terminal, ToolResult, desk, effects,
};
pub use portcullis_paths::{
    Ambient, Dialect, Model, Operation, Place, Resolver, Target, Zone, ZoneKind, Zones, visible,
};
pub use portcullis_trust as trust;
pub use portcullis_trust::{Decision, Override, TrustedProject, decide as decide_trust};
