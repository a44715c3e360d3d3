mod shown;

use std::path::{Path, PathBuf};

pub(crate) use shown::shown;

use serde_json::Value;

/// One tool call. Built only by bounded parsing; it never changes afterwards.
#[derive(Debug, Clone)]
pub struct Call {
    id: String,
    tool: String,
    arguments: Value,
    cwd: Option<PathBuf>,
    session: Option<String>,
    agent: Option<String>,
    canonical: Vec<u8>,
    digest: Digest,
}

/// SHA-256 of the RFC 8785 form of the whole call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub(crate) [u8; 32]);

/// Bounds of the reader; a bound reached is an error, never a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Containers within containers.
    pub depth: usize,
    /// Members and elements in total.
    pub members: usize,
    /// Bytes of one string.
    pub string: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 16 << 20,
            depth: 64,
            members: 100_000,
            string: 8 << 20,
        }
    }
}

/// Whose shape the JSON text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shape {
    /// Ours: `id`, `tool`, `args`, `cwd`, `session`, `agent`; unknown members are errors.
    Portcullis,
    /// A Claude Code hook input: `tool_name`, `tool_input`, `tool_use_id`, `session_id`, `cwd`, ...
    ClaudeCode,
    /// A Pi `tool_call` event: `toolName`, `toolCallId`, `input`, ...
    Pi,
}

impl Call {
    /// Reads one call from one JSON text with nothing before or after it.
    ///
    /// # Errors
    /// Everything that is not exactly one well-formed call within the limits, with the place.
    pub fn read(bytes: &[u8], shape: Shape, limits: &Limits) -> Result<Self, CallError> {
        let _ = (bytes, shape, limits);
        todo!()
    }
    /// The id the host gave.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
    /// The tool's name.
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }
    /// The arguments, always an object.
    #[must_use]
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }
    /// The working directory the host names.
    #[must_use]
    pub fn cwd(&self) -> Option<&Path> {
        self.cwd.as_deref()
    }
    /// The same call, with this working directory when the host named none. Digest and canonical form follow.
    #[must_use]
    pub fn with_default_cwd(self, cwd: &Path) -> Self {
        let _ = cwd;
        todo!()
    }
    /// The session the host names.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }
    /// The agent or sub-agent the host names.
    #[must_use]
    pub fn agent(&self) -> Option<&str> {
        self.agent.as_deref()
    }
    /// The RFC 8785 form of the whole call.
    #[must_use]
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }
    /// The RFC 8785 form of the arguments alone.
    #[must_use]
    pub fn canonical_arguments(&self) -> Vec<u8> {
        todo!()
    }
    /// SHA-256 of [`Call::canonical`].
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

/// Why a text is not a call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} at {place}")]
pub struct CallError {
    kind: CallErrorKind,
    what: String,
    place: String,
}

/// The small set of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CallErrorKind {
    /// Not one JSON text in UTF-8.
    Json,
    /// A member name stands twice in one object.
    DuplicateMember,
    /// A number that a double cannot hold exactly, or that is not finite.
    Number,
    /// Past a limit.
    Limit,
    /// JSON, but not of this shape.
    Shape,
}

impl CallError {
    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> CallErrorKind {
        self.kind
    }
    /// Where: `line 1, column 17` or `$["args"]["path"]`.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.place
    }
}
