//! One tool call, from hostile bytes to a value that never changes.

mod canonical;
mod digest;
mod error;
mod limits;
mod numbers;
mod quoted;
mod reader;
mod session;
mod shape;

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::show;

pub use digest::Digest;
pub use error::{CallError, CallErrorKind};
pub use limits::Limits;
pub(crate) use quoted::quoted;
pub use session::Session;
pub use shape::Shape;

use shape::Parts;

/// One tool call. Built only by bounded parsing; it never changes afterwards.
///
/// Numbers are IEEE 754 doubles, as in RFC 8785: `1e3` and `1000` are one number, and so are `-0` and `0`. What
/// runs must be made from [`Call::arguments`], never from the bytes again.
#[derive(Clone)]
pub struct Call {
    id: String,
    tool: String,
    arguments: Value,
    cwd: Option<PathBuf>,
    session: Option<String>,
    agent: Option<String>,
    message: Option<String>,
    canonical: Vec<u8>,
    canonical_arguments: Range<usize>,
    digest: Digest,
}

impl Call {
    /// Reads one call from one JSON text with nothing before or after it.
    ///
    /// ```
    /// use portcullis_classify::{Call, CallErrorKind, Limits, Shape};
    ///
    /// let call = Call::read(
    ///     br#"{"id": "1", "tool": "read_file", "args": {"path": "a.txt"}, "cwd": "/w"}"#,
    ///     Shape::Portcullis,
    ///     &Limits::default(),
    /// )?;
    /// assert_eq!(call.tool(), "read_file");
    ///
    /// let twice = br#"{"id": "1", "tool": "read_file", "args": {"path": "a", "path": "/etc/shadow"}}"#;
    /// let error = Call::read(twice, Shape::Portcullis, &Limits::default()).unwrap_err();
    /// assert_eq!(error.kind(), CallErrorKind::DuplicateMember);
    /// # Ok::<(), portcullis_classify::CallError>(())
    /// ```
    ///
    /// # Errors
    /// Everything that is not exactly one well-formed call within the limits, with the place.
    pub fn read(bytes: &[u8], shape: Shape, limits: &Limits) -> Result<Self, CallError> {
        let value = reader::read(bytes, limits)?;
        Self::build(shape.parts(value)?)
    }

    fn build(parts: Parts) -> Result<Self, CallError> {
        let mut arguments = Vec::with_capacity(256);
        canonical::value(&mut arguments, &parts.arguments)
            .map_err(|_| CallError::new(CallErrorKind::Number, "the arguments have no canonical form"))?;
        Ok(Self::assemble(parts, &arguments))
    }

    /// `arguments` is the canonical form of the arguments in `parts`.
    fn assemble(parts: Parts, arguments: &[u8]) -> Self {
        let (canonical, canonical_arguments) = canonical::envelope(&parts, arguments);
        Self {
            digest: Digest::of(&canonical),
            canonical,
            canonical_arguments,
            id: parts.id,
            tool: parts.tool,
            arguments: parts.arguments,
            cwd: parts.cwd,
            session: parts.session,
            agent: parts.agent,
            message: parts.message,
        }
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

    /// The working directory the host names; always absolute.
    #[must_use]
    pub fn cwd(&self) -> Option<&Path> {
        self.cwd.as_deref()
    }

    /// The same call, with this working directory when the host named none. Digest and canonical form follow.
    /// A relative path is no working directory and changes nothing.
    #[must_use]
    pub fn with_default_cwd(self, cwd: &Path) -> Self {
        if self.cwd.is_some() || !cwd.is_absolute() {
            return self;
        }
        let arguments = self.canonical_arguments();
        let parts = Parts {
            id: self.id,
            tool: self.tool,
            arguments: self.arguments,
            cwd: Some(cwd.to_owned()),
            session: self.session,
            agent: self.agent,
            message: self.message,
        };
        Self::assemble(parts, &arguments)
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

    /// The message of the model that the call is part of, where the host names it: calls of one message are judged against
    /// each other.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// The RFC 8785 form of the whole call, in the shape [`Shape::Portcullis`] whatever shape it was read from.
    /// A default working directory that is not UTF-8 stands there as `cwd_hex`, in hexadecimal.
    #[must_use]
    pub fn canonical(&self) -> &[u8] {
        &self.canonical
    }

    /// The RFC 8785 form of the arguments alone.
    #[must_use]
    pub fn canonical_arguments(&self) -> Vec<u8> {
        self.canonical
            .get(self.canonical_arguments.clone())
            .unwrap_or_default()
            .to_vec()
    }

    /// SHA-256 of [`Call::canonical`].
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

/// Without the arguments, which may hold secrets (invariant 11).
impl fmt::Debug for Call {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Call")
            .field("id", &show::told(&self.id))
            .field("tool", &show::told(&self.tool))
            .field("digest", &self.digest)
            .finish_non_exhaustive()
    }
}
