use std::path::PathBuf;
use std::time::Duration;

/// Settings that only the user's own file may make. None of them decides risk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct UserSettings {
    /// Silence becomes no after this long (`approval.deadline_seconds`).
    pub deadline: Option<Duration>,
    /// Who is asked (`approval.approver`); `None` when the file does not say.
    pub approver: Option<WhoIsAsked>,
    /// What the Claude Code hook says to a call that the rules allow (`hook.claude-code.allow`).
    pub claude_code_allow: HookAllow,
    /// Where the audit log is written (`audit.path`): absolute, or beginning with `~/`.
    pub audit: Option<PathBuf>,
}

/// Who answers questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum WhoIsAsked {
    /// `here`: whoever sits where the call is made, at the terminal or at the agent's own prompt.
    #[default]
    Here,
    /// `desk`: whoever sits at the desk. Without one the call does not run.
    Desk,
}

/// What a hook says to a call that the rules allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum HookAllow {
    /// Nothing: the agent's own prompts stay.
    #[default]
    Silent,
    /// `allow`: the agent does not ask again.
    Allow,
}
