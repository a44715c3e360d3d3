use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::BreakerSettings;

/// How a gate behaves; risk is the policy's, not a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// Silence becomes no after this long.
    pub deadline: Duration,
    /// Largest file that the built-in tools read or write, in bytes.
    pub file_limit: u64,
    /// Most names that the built-in listing returns.
    pub list_limit: usize,
    /// Whose grants these are.
    pub user: String,
    /// When asking ends.
    pub breaker: BreakerSettings,
    /// How commands are run.
    pub commands: CommandSettings,
}

/// How the gate runs commands that are permitted.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CommandSettings {
    /// Where bash is looked for: the first of these places where one of version 5 or later is. It is looked for once.
    pub shells: Vec<PathBuf>,
    /// The variables of the host's environment. A command gets those of them that cannot change what runs, with what is
    /// relative in `PATH` left out; `HOME` should be the home that commands are judged with.
    pub environment: Vec<(OsString, OsString)>,
    /// A command that runs longer is killed, with its process group.
    pub deadline: Duration,
    /// Bytes that are kept of each output: half of them from its beginning, half from its end.
    pub output_limit: usize,
}

impl fmt::Debug for CommandSettings {
    /// Without the environment, which is full of secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandSettings")
            .field("shells", &self.shells)
            .field("deadline", &self.deadline)
            .field("output_limit", &self.output_limit)
            .finish_non_exhaustive()
    }
}

impl Default for CommandSettings {
    /// The usual places of bash, an empty environment, ten minutes, 128 KiB.
    fn default() -> Self {
        let shells = [
            "/bin/bash",
            "/usr/bin/bash",
            "/usr/local/bin/bash",
            "/run/current-system/sw/bin/bash",
        ];
        Self {
            shells: shells.map(PathBuf::from).to_vec(),
            environment: Vec::new(),
            deadline: Duration::from_secs(600),
            output_limit: 128 << 10,
        }
    }
}

impl Settings {
    /// Five minutes to answer, files of 16 MiB, listings of 2000 names.
    #[must_use]
    pub fn for_user(user: impl Into<String>) -> Self {
        Self {
            deadline: Duration::from_secs(300),
            file_limit: 16 << 20,
            list_limit: 2000,
            user: user.into(),
            breaker: BreakerSettings::default(),
            commands: CommandSettings::default(),
        }
    }
}
