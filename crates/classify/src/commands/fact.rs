//! What a program does whatever its operands are.

use serde::{Deserialize, Serialize};

/// One thing that a program does besides what its operands say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Fact {
    /// It runs code of the project: its tests, scripts and build files.
    ProjectCode,
    /// It changes what the repository records: the index, commits, branches, tags.
    Repository,
    /// It changes files of the working tree to what the repository records elsewhere.
    WorkTree,
    /// It throws away work that is recorded nowhere, or a way back to it.
    Discards,
    /// It talks to hosts that the project names: fetches what is recorded there.
    Fetches,
    /// It talks to a host.
    Connects,
    /// It changes what others see: pushes, publishes, comments, deploys.
    Publishes,
    /// It gets programs from elsewhere and makes them part of the project or the machine.
    Installs,
    /// It changes the machine: services, mounts, users, packages, kernel.
    System,
    /// It ends or stops processes.
    Processes,
    /// What it runs, it runs with the rights of somebody else.
    Privilege,
    /// It shows the environment, which may hold secrets.
    Environment,
    /// It waits for a person, whose commands then run.
    Interactive,
    /// It runs its standard input as code.
    InputCode,
    /// It runs what is not read here.
    Opaque,
}

impl Fact {
    /// Whether it is about code that the program runs, or about reaching out of the machine.
    pub(super) const fn is_tame(self) -> bool {
        matches!(self, Self::ProjectCode | Self::Repository | Self::Environment)
    }
}

#[cfg(test)]
impl Fact {
    /// The word that tables use for it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::ProjectCode => "project-code",
            Self::Repository => "repository",
            Self::WorkTree => "work-tree",
            Self::Discards => "discards",
            Self::Fetches => "fetches",
            Self::Connects => "connects",
            Self::Publishes => "publishes",
            Self::Installs => "installs",
            Self::System => "system",
            Self::Processes => "processes",
            Self::Privilege => "privilege",
            Self::Environment => "environment",
            Self::Interactive => "interactive",
            Self::InputCode => "input-code",
            Self::Opaque => "opaque",
        }
    }
}
