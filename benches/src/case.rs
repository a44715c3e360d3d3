use portcullis_paths::Operation;

/// What is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Case {
    /// A read of a file inside the workspace: allowed.
    ReadInside,
    /// A write of a new file inside the workspace: allowed in the default preset.
    WriteNew,
    /// A read of a file that a zone protects: denied.
    Denied,
}

impl Case {
    /// Every case.
    pub const ALL: [Self; 3] = [Self::ReadInside, Self::WriteNew, Self::Denied];

    /// `decide_read_inside`, `decide_write_new`, `decide_denied`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadInside => "decide_read_inside",
            Self::WriteNew => "decide_write_new",
            Self::Denied => "decide_denied",
        }
    }

    pub(crate) fn operation(self) -> Operation {
        match self {
            Self::ReadInside | Self::Denied => Operation::Read,
            Self::WriteNew => Operation::Write,
        }
    }

    /// The last two components below the deep folder.
    pub(crate) fn tail(self) -> &'static str {
        match self {
            Self::ReadInside => "plain/file",
            Self::WriteNew => "plain/new",
            Self::Denied => "secret/file",
        }
    }

    /// The arguments of the built-in tool.
    pub(crate) fn call(self, path: &str) -> String {
        match self {
            Self::ReadInside | Self::Denied => {
                format!(r#"{{"id":"1","tool":"read_file","args":{{"path":"{path}"}}}}"#)
            }
            Self::WriteNew => {
                format!(r#"{{"id":"1","tool":"write_file","args":{{"path":"{path}","content":"x"}}}}"#)
            }
        }
    }
}
