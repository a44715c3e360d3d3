use std::borrow::Cow;

use portcullis_paths::{Dialect, Operation};
use serde_json::Value;

use super::ArgumentFault;

/// An argument member that matters to the gate. Members that no operand names have no effect of their own
/// (the content to write, a line limit).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    /// The member's name in the arguments object; never nested.
    pub member: Cow<'static, str>,
    /// What it means.
    pub role: Role,
    /// Whether a call without this member is refused as bad arguments.
    pub required: bool,
}

/// What one argument member means.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// A path: what is done there and how the tool decodes it.
    Path {
        /// What is done there; [`Operand::operation`] also looks at `when`.
        operation: Operation,
        /// A flag of the same call that makes it another operation.
        when: Option<When>,
        /// How the tool decodes the text.
        dialect: &'static Dialect,
        /// A missing member means the working directory itself; otherwise a missing member means no path.
        cwd_when_missing: bool,
    },
    /// A file that is rewritten from what it holds: [`EffectKind::Write`](crate::EffectKind::Write), and every
    /// rule and zone about reading it counts as well, because what an edit says of the file tells what is in it.
    Edit {
        /// How the tool decodes the text.
        dialect: &'static Dialect,
    },
    /// A glob that selects names below a base directory, and that the tool expands itself. It is looked at what it
    /// selects on the disk, within a bound, and what of the policy's places it selects by name: the strictest of that
    /// counts. What is behind the bound asks, except for a search: the base is judged as a whole for that, so that only
    /// links which nobody looked at may lead elsewhere. Where [`glob_reach`](super::glob_reach) says that it leads out of
    /// the base, it is a path operand of its own as well. A name without a `/` may be looked for at any depth.
    Glob {
        /// What is done to what it selects.
        operation: Operation,
        /// How the tool decodes a pattern that leads out of the base.
        dialect: &'static Dialect,
        /// The member that names the base directory, where there is one; the working directory otherwise, and
        /// when that member is missing.
        base: Option<Cow<'static, str>>,
    },
    /// A command: [`EffectKind::Execute`](crate::EffectKind::Execute), in the call's working directory.
    Command {
        /// Whose grammar it follows.
        language: Language,
    },
    /// Something fetched from or sent to the network: [`EffectKind::Connect`](crate::EffectKind::Connect).
    Url,
    /// The working directory of a sub-agent: [`EffectKind::Spawn`](crate::EffectKind::Spawn) there.
    AgentCwd {
        /// How the tool decodes the text.
        dialect: &'static Dialect,
    },
}

/// A boolean member that changes what a path operand means, as `recursive` does for a deletion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct When {
    /// The boolean member's name. Missing means false.
    pub flag: Cow<'static, str>,
    /// The operation when it is true.
    pub operation: Operation,
}

/// Whose grammar a command follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// A POSIX-like shell.
    Shell,
    /// PowerShell.
    PowerShell,
}

impl Operand {
    /// The texts of this operand: one for a string, several for an array of strings, none when the member is
    /// missing.
    ///
    /// # Errors
    /// A required member is missing, or it is neither a string nor an array of strings. After
    /// [`ToolSpec::check`](super::ToolSpec::check) this cannot happen; it is checked again because a path that
    /// nobody looks at is a path that nobody refuses (invariant 6).
    pub fn texts<'a>(&self, arguments: &'a Value) -> Result<Vec<&'a str>, ArgumentFault> {
        match arguments.get(self.member.as_ref()) {
            None if self.required => Err(ArgumentFault::missing(&self.member)),
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(vec![text]),
            Some(Value::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| {
                    item.as_str().ok_or_else(|| {
                        ArgumentFault::wrong_type("a string", item)
                            .within(index)
                            .within_member(&self.member)
                    })
                })
                .collect(),
            Some(other) => Err(ArgumentFault::wrong_type("a string", other).within_member(&self.member)),
        }
    }

    /// What this call does at the operand's path; `None` for what is not a path.
    #[must_use]
    pub fn operation(&self, arguments: &Value) -> Option<Operation> {
        match &self.role {
            Role::Path {
                operation,
                when: Some(when),
                ..
            } => {
                let is_set = arguments.get(when.flag.as_ref()) == Some(&Value::Bool(true));
                Some(if is_set { when.operation } else { *operation })
            }
            Role::Path { operation, .. } | Role::Glob { operation, .. } => Some(*operation),
            Role::Edit { .. } => Some(Operation::Write),
            Role::AgentCwd { .. } => Some(Operation::WorkingDir),
            Role::Command { .. } | Role::Url => None,
        }
    }

    /// Whether a call without this member means the working directory itself.
    #[must_use]
    pub fn cwd_when_missing(&self) -> bool {
        matches!(
            self.role,
            Role::Path {
                cwd_when_missing: true,
                ..
            }
        )
    }
}
