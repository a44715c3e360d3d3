/// How a tool turns text into a path: a small data value, so that a new tool needs no new code path (R1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    name: &'static str,
    model: Model,
    sugar: Sugar,
}

/// What a tool does to the text before it asks the system, in this order: spaces, `@`, `~`, `file://`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sugar {
    /// The text came out of JSON, so bytes that are not UTF-8 are an error.
    pub(crate) utf8: bool,
    /// Nothing means the working directory; otherwise it is an error.
    pub(crate) empty_is_cwd: bool,
    /// Unicode spaces become plain ones.
    pub(crate) spaces: bool,
    /// One leading `@` is dropped.
    pub(crate) at: bool,
    /// `~` and `~/` are the home directory.
    pub(crate) home: bool,
    /// Not every version of the tool knows that: where the working directory has a `~` of its own, it may mean that.
    pub(crate) home_in_doubt: bool,
    /// `file://` in lower case is decoded as a URL.
    pub(crate) file_url: bool,
    /// A missing name is tried in other spellings.
    pub(crate) respell: bool,
    /// Whatever two common tools would read differently is refused.
    pub(crate) careful: bool,
    /// The tool may trim the text: blanks around it are refused.
    pub(crate) may_trim: bool,
    /// A wildcard at the beginning of a name selects none that begins with a dot.
    pub(crate) stars_skip_dots: bool,
}

impl Sugar {
    const NONE: Self = Self {
        utf8: false,
        empty_is_cwd: false,
        spaces: false,
        at: false,
        home: false,
        home_in_doubt: false,
        file_url: false,
        respell: false,
        careful: false,
        may_trim: false,
        stars_skip_dots: false,
    };
}

impl Dialect {
    /// The text is the path: no sugar at all. Physical.
    pub const PLAIN: Self = Self {
        name: "plain",
        model: Model::Physical,
        sugar: Sugar::NONE,
    };
    /// The built-in tools' own reading: `~/`, one leading `@`, `file://`; whatever two common tools would
    /// read differently is refused as ambiguous. Physical.
    pub const AGENT: Self = Self {
        name: "agent",
        model: Model::Physical,
        sugar: Sugar {
            utf8: true,
            at: true,
            home: true,
            file_url: true,
            careful: true,
            ..Sugar::NONE
        },
    };
    /// Pi 1.6, as its source reads paths: spaces, one `@`, `~`, `file://`, then `path.resolve`. Lexical.
    pub const PI: Self = Self {
        name: "pi",
        model: Model::Lexical,
        sugar: Sugar {
            utf8: true,
            empty_is_cwd: true,
            spaces: true,
            at: true,
            home: true,
            file_url: true,
            ..Sugar::NONE
        },
    };
    /// Pi's `read`, which also tries other spellings of a missing name. Lexical.
    pub const PI_READ: Self = Self {
        name: "pi-read",
        sugar: Sugar {
            respell: true,
            ..Self::PI.sugar
        },
        ..Self::PI
    };
    /// Claude Code's file tools: `~/`, and everything doubtful refused.
    ///
    /// What is known of them comes from public reports, as their source is not open. Paths are meant to be absolute, and
    /// relative ones are taken against the working directory. `~` was a plain name to `Glob` of 1.0.82
    /// (anthropics/claude-code, issue 5875), and `Write` and `Edit` were seen to make a directory of that name
    /// (danielmiessler/LifeOS, pull request 717), so the home directory is judged, and refused where a `~` stands in the
    /// working directory. `@` belongs to the prompt and not to a tool. A name with a typographic apostrophe was not found
    /// by `Read` (issue 42427), so something is done to the text that is not described. Nothing was found about
    /// `file://`, about blanks around a path, nor about whether `..` is collapsed in the text before links are followed:
    /// the first two are refused, and for the last both readings are computed.
    pub const CLAUDE_CODE: Self = Self {
        name: "claude-code",
        model: Model::Unknown,
        sugar: Sugar {
            utf8: true,
            home: true,
            home_in_doubt: true,
            careful: true,
            may_trim: true,
            ..Sugar::NONE
        },
    };
    /// Node's `path.resolve` and nothing else. Lexical.
    pub const NODE: Self = Self {
        name: "node",
        model: Model::Lexical,
        sugar: Sugar {
            utf8: true,
            empty_is_cwd: true,
            ..Sugar::NONE
        },
    };
    /// A literal shell word: the shell has expanded it already. Physical.
    pub const SHELL_WORD: Self = Self {
        name: "shell-word",
        model: Model::Physical,
        sugar: Sugar {
            stars_skip_dots: true,
            ..Sugar::NONE
        },
    };

    /// Every dialect.
    pub const ALL: [&'static Self; 7] = [
        &Self::PLAIN,
        &Self::AGENT,
        &Self::PI,
        &Self::PI_READ,
        &Self::CLAUDE_CODE,
        &Self::NODE,
        &Self::SHELL_WORD,
    ];

    /// The dialect of that name, as configuration files write it.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::ALL.into_iter().find(|dialect| dialect.name == name)
    }

    /// The name, as configuration files write it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How it treats `..` and a trailing slash.
    #[must_use]
    pub fn model(&self) -> Model {
        self.model
    }

    /// The same sugar under another model.
    #[must_use]
    pub fn with_model(mut self, model: Model) -> Self {
        self.model = model;
        self
    }

    pub(crate) fn sugar(&self) -> Sugar {
        self.sugar
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
