use std::process::ExitCode;

use crate::ErrorKind;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the list is the interface")]
pub enum Exit {
    /// 0: conforms, or nothing is wrong.
    Conforms,
    /// 1: does not conform.
    Fails,
    /// 2: the command line.
    Usage,
    /// 3: the runner, this machine, or a family.
    Fault,
    /// 4: nothing was selected.
    Nothing,
    /// 5: the subject did not start.
    SubjectStart,
    /// 6: the baseline is stale.
    StaleBaseline,
}

impl Exit {
    /// The number.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Conforms => 0,
            Self::Fails => 1,
            Self::Usage => 2,
            Self::Fault => 3,
            Self::Nothing => 4,
            Self::SubjectStart => 5,
            Self::StaleBaseline => 6,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<ErrorKind> for Exit {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Usage => Self::Usage,
            ErrorKind::Fixture | ErrorKind::Host => Self::Fault,
            ErrorKind::SubjectStart => Self::SubjectStart,
            ErrorKind::Nothing => Self::Nothing,
            ErrorKind::StaleBaseline => Self::StaleBaseline,
        }
    }
}
