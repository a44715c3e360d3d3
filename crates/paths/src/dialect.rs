/// How a tool turns text into a path: a small data value, so that a new tool needs no new code path (R1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    name: &'static str,
    model: Model,
}

impl Dialect {
    /// The text is the path: no sugar at all. Physical.
    pub const PLAIN: Self = Self {
        name: "plain",
        model: Model::Physical,
    };
    /// The built-in tools' own reading: `~/`, one leading `@`, `file://`; whatever two common tools would
    /// read differently is refused as ambiguous. Physical.
    pub const AGENT: Self = Self {
        name: "agent",
        model: Model::Physical,
    };
    /// Pi 1.6. Lexical.
    pub const PI: Self = Self {
        name: "pi",
        model: Model::Lexical,
    };
    /// Pi's `read`, which also tries other spellings of a missing name. Lexical.
    pub const PI_READ: Self = Self {
        name: "pi-read",
        model: Model::Lexical,
    };
    /// Claude Code's file tools.
    pub const CLAUDE_CODE: Self = Self {
        name: "claude-code",
        model: Model::Unknown,
    };
    /// Node's `path.resolve` and nothing else. Lexical.
    pub const NODE: Self = Self {
        name: "node",
        model: Model::Lexical,
    };
    /// A literal shell word. Physical.
    pub const SHELL_WORD: Self = Self {
        name: "shell-word",
        model: Model::Physical,
    };

    /// The dialect of that name, as configuration files write it.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        let _ = name;
        todo!()
    }

    /// The name, as configuration files write it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The same sugar under another model.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Self {
        self.model = model;
        self
    }
}

/// How a tool treats `..` and a trailing slash (R2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Model {
    /// As the kernel: `..` is the parent of what a link leads to.
    Physical,
    /// `..` is collapsed in the text first and a trailing slash is lost.
    Lexical,
    /// Not known: both are computed, and a difference is refused.
    Unknown,
}
