use std::fmt;

use rustix::io::Errno;

use crate::visible::Spelled;
use crate::{Place, Touch};

/// Why a path did not become a target, or a target could not be used.
///
/// # What a refusal may tell
/// Outside every root and under a deny rule, the text, the code and the hint are the same whatever is there (R15):
/// a model that reads them learns nothing about places it may not see. [`Error::kind`], [`Error::rule`],
/// [`Error::place`], [`Error::touches`] and [`Error::truth`] do know the difference; they are for decisions and records,
/// not for the model. Whoever asks a person about what is outside asks about [`Error::may_be_asked`] as well.
#[derive(Debug)]
pub struct Error(Box<Detail>);

#[derive(Debug)]
struct Detail {
    kind: ErrorKind,
    rule: Option<String>,
    text: Option<String>,
    place: Option<Place>,
    reticent: bool,
    closed: bool,
    touches: Vec<Touch>,
    source: Option<std::io::Error>,
}

/// The small set of reasons a caller may decide on. A violation is never "not found".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A deny rule covers the place; [`Error::rule`] names it.
    Protected,
    /// Nothing is there (inside a root; outside it reads the same as `Protected`).
    NotFound,
    /// The text cannot be decoded by the tool's dialect: NUL, bad `file://`, bad encoding, empty.
    Syntax,
    /// Two tools would read the text differently, or two models lead to different objects.
    Ambiguous,
    /// Process-relative or special: procfs links, FIFOs, sockets, devices.
    Special,
    /// A component that has to be a directory is not one.
    NotADirectory,
    /// The object has the wrong type for the operation.
    WrongType,
    /// Too many links.
    Loop,
    /// A name or the whole path is too long.
    TooLong,
    /// A mount boundary that the roots do not know.
    Mount,
    /// The operating system refuses to look.
    Denied,
    /// A root, the working directory or the object is no longer the one that was judged.
    Changed,
    /// The target was resolved for another operation, whose rights do not reach to this one (R11).
    WrongOperation,
    /// The name exists already.
    Exists,
    /// A directory that has to be empty is not.
    NotEmpty,
    /// A bound on work was reached.
    Budget,
    /// This kind of machine cannot do it safely.
    Unsupported,
    /// Any other input or output error.
    Io,
    /// The configured zones are unusable (root missing, not a directory, not absolute).
    Zones,
}

impl Error {
    /// The one sentence for outside-and-missing, outside-and-existing and protected (R15), without the operand.
    pub const REFUSAL: &str = "is outside the workspace or protected";

    /// The refusal of a text that leads to, or through, what must not be told: as of a protected place (R15).
    #[must_use]
    pub fn undisclosed(text: &[u8]) -> Self {
        Self::new(ErrorKind::Protected).about(text)
    }

    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// A machine code, stable across versions: `path.protected`, `path.not-found`, ...
    ///
    /// Every refusal outside the roots has the code of a protected place, so that the code tells no more than the
    /// text does (R15).
    #[must_use]
    pub fn code(&self) -> &'static str {
        if self.0.reticent {
            return "path.protected";
        }
        match self.0.kind {
            ErrorKind::Protected => "path.protected",
            ErrorKind::NotFound => "path.not-found",
            ErrorKind::Syntax => "path.syntax",
            ErrorKind::Ambiguous => "path.ambiguous",
            ErrorKind::Special => "path.special",
            ErrorKind::NotADirectory => "path.not-a-directory",
            ErrorKind::WrongType => "path.wrong-type",
            ErrorKind::Loop => "path.loop",
            ErrorKind::TooLong => "path.too-long",
            ErrorKind::Mount => "path.mount",
            ErrorKind::Denied => "path.denied",
            ErrorKind::Changed => "path.changed",
            ErrorKind::WrongOperation => "path.wrong-operation",
            ErrorKind::Exists => "path.exists",
            ErrorKind::NotEmpty => "path.not-empty",
            ErrorKind::Budget => "path.budget",
            ErrorKind::Unsupported => "path.unsupported",
            ErrorKind::Io => "path.io",
            ErrorKind::Zones => "path.zones",
        }
    }

    /// The deny rule that covers the place. For records and people, not for the model.
    #[must_use]
    pub fn rule(&self) -> Option<&str> {
        self.0.rule.as_deref()
    }

    /// The canonical place that was refused, where it is known. For records and people, not for the model.
    #[must_use]
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }

    /// The zones that the refused place touches. For decisions, not for the model.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        &self.0.touches
    }

    /// A person may be asked about it, and has to be where a person is asked about what is outside: a refusal that only
    /// comes when nothing is there would tell that nothing is there (R15).
    ///
    /// True of what is outside, or behind what is, and cannot be held for a reason that lies in what exists there: nothing
    /// does, it is no directory, it is there already, links go in circles, two readings of the text differ. False of
    /// protected places, of process-relative and special files (R12), and of text that says nothing.
    #[must_use]
    pub fn may_be_asked(&self) -> bool {
        self.0.reticent
            && !self.0.closed
            && match self.0.kind {
                ErrorKind::NotFound
                | ErrorKind::Ambiguous
                | ErrorKind::NotADirectory
                | ErrorKind::WrongType
                | ErrorKind::Loop
                | ErrorKind::TooLong
                | ErrorKind::Mount
                | ErrorKind::Denied
                | ErrorKind::Exists
                | ErrorKind::NotEmpty
                | ErrorKind::Budget
                | ErrorKind::Unsupported
                | ErrorKind::Io => true,
                ErrorKind::Protected
                | ErrorKind::Syntax
                | ErrorKind::Special
                | ErrorKind::Changed
                | ErrorKind::WrongOperation
                | ErrorKind::Zones => false,
            }
    }

    /// What is the matter in truth, without the operand. For people and records, not for the model.
    #[must_use]
    pub fn truth(&self) -> &'static str {
        sentence(self.0.kind)
    }

    /// What to try instead, where something helps.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        if self.0.reticent {
            return None;
        }
        match self.0.kind {
            ErrorKind::Ambiguous => Some("spell the path plainly: absolute, or beginning with `./`"),
            ErrorKind::Syntax => Some("give a plain, non-empty path"),
            ErrorKind::Changed => Some("look again and repeat the call"),
            ErrorKind::Mount => Some("add the mounted directory as a root of its own"),
            ErrorKind::Zones => {
                Some("every root is an absolute path of a directory that exists, or of a file in one")
            }
            _ => None,
        }
    }

    pub(crate) fn new(kind: ErrorKind) -> Self {
        Self(Box::new(Detail {
            kind,
            rule: None,
            text: None,
            place: None,
            reticent: kind == ErrorKind::Protected,
            closed: false,
            touches: Vec::new(),
            source: None,
        }))
    }

    /// The error of a system call.
    pub(crate) fn os(errno: Errno) -> Self {
        let kind = match errno {
            Errno::NOENT => ErrorKind::NotFound,
            Errno::ACCESS | Errno::PERM | Errno::ROFS => ErrorKind::Denied,
            Errno::NOTDIR => ErrorKind::NotADirectory,
            Errno::LOOP => ErrorKind::Loop,
            Errno::NAMETOOLONG => ErrorKind::TooLong,
            Errno::XDEV | Errno::BUSY => ErrorKind::Mount,
            Errno::EXIST => ErrorKind::Exists,
            Errno::NOTEMPTY => ErrorKind::NotEmpty,
            Errno::ISDIR => ErrorKind::WrongType,
            Errno::STALE => ErrorKind::Changed,
            Errno::NOSYS | Errno::OPNOTSUPP => ErrorKind::Unsupported,
            _ => ErrorKind::Io,
        };
        let mut error = Self::new(kind);
        error.0.source = Some(errno.into());
        error
    }

    /// The error of the standard library: the kind is what its error number says.
    pub(crate) fn io(source: std::io::Error) -> Self {
        match Errno::from_io_error(&source) {
            Some(errno) => Self::os(errno),
            None => Self::new(ErrorKind::Io).with_source(source),
        }
    }

    pub(crate) fn with_source(mut self, source: std::io::Error) -> Self {
        self.0.source = Some(source);
        self
    }

    /// A deny rule's refusal.
    pub(crate) fn protected(rule: &str) -> Self {
        let mut error = Self::new(ErrorKind::Protected);
        error.0.rule = Some(rule.to_owned());
        error
    }

    /// Names the operand, as it was written, unless a text is there already.
    pub(crate) fn about(mut self, text: &[u8]) -> Self {
        self.0.text.get_or_insert_with(|| {
            Spelled {
                bytes: text,
                limit: 200,
            }
            .to_string()
        });
        self
    }

    /// Names the canonical place.
    pub(crate) fn at(mut self, place: Place) -> Self {
        self.0.place = Some(place);
        self
    }

    /// Names more zones that it touches.
    pub(crate) fn also_touching<'a>(mut self, touches: impl IntoIterator<Item = &'a Touch>) -> Self {
        for touch in touches {
            if !self.0.touches.contains(touch) {
                self.0.touches.push(touch.clone());
            }
        }
        self
    }

    /// Names the zones that it touches.
    pub(crate) fn touching(mut self, touches: Vec<Touch>) -> Self {
        self.0.touches = touches;
        self
    }

    /// Happened outside the roots: says no more than a protected place would (R15).
    pub(crate) fn outside(mut self) -> Self {
        self.0.reticent = true;
        self
    }

    /// As [`Error::outside`], and nobody may be asked.
    pub(crate) fn closed(mut self) -> Self {
        self.0.closed = true;
        self.outside()
    }

    /// As [`Error::outside`], when that is so.
    pub(crate) fn outside_if(self, outside: bool) -> Self {
        if outside { self.outside() } else { self }
    }

    /// Nobody may be asked about it.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.closed
    }

    /// It says no more than a protected place would.
    pub(crate) fn is_reticent(&self) -> bool {
        self.0.reticent
    }

    /// The same refusal for another reason.
    pub(crate) fn turned(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.text {
            Some(text) => write!(f, "`{text}` ")?,
            None => f.write_str("the path ")?,
        }
        f.write_str(if self.0.reticent {
            Self::REFUSAL
        } else {
            sentence(self.0.kind)
        })
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The system's own words would tell what the sentence hides (R15).
        let source = self.0.source.as_ref().filter(|_| !self.0.reticent)?;
        Some(source)
    }
}

fn sentence(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Protected => Error::REFUSAL,
        ErrorKind::NotFound => "does not exist",
        ErrorKind::Syntax => "cannot be read as a path",
        ErrorKind::Ambiguous => "means different things to different tools",
        ErrorKind::Special => "belongs to a process or is a pipe, socket or device",
        ErrorKind::NotADirectory => "goes through something that is not a directory",
        ErrorKind::WrongType => "is of the wrong type for this operation",
        ErrorKind::Loop => "goes through too many links",
        ErrorKind::TooLong => "is too long",
        ErrorKind::Mount => "crosses into another mount",
        ErrorKind::Denied => "cannot be looked at: the system denies it",
        ErrorKind::Changed => "is not what it was when it was judged",
        ErrorKind::WrongOperation => "was resolved for another operation",
        ErrorKind::Exists => "exists already",
        ErrorKind::NotEmpty => "is a directory that is not empty",
        ErrorKind::Budget => "needs more work than is allowed",
        ErrorKind::Unsupported => "cannot be handled safely on this machine",
        ErrorKind::Io => "could not be reached: the system reported an error",
        ErrorKind::Zones => "cannot be a root or zone",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_outside_whatever_is_there() {
        let missing = Error::os(Errno::NOENT).outside().about(b"../x");
        let loops = Error::os(Errno::LOOP).outside().about(b"../x");
        let protected = Error::protected("keys").about(b"../x");
        for error in [&missing, &loops] {
            assert_eq!(error.to_string(), protected.to_string());
            assert_eq!(error.code(), protected.code());
            assert_eq!(error.hint(), protected.hint());
            assert!(std::error::Error::source(error).is_none());
        }
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        assert_eq!(protected.rule(), Some("keys"));
    }

    const ALL: [ErrorKind; 19] = [
        ErrorKind::Protected,
        ErrorKind::NotFound,
        ErrorKind::Syntax,
        ErrorKind::Ambiguous,
        ErrorKind::Special,
        ErrorKind::NotADirectory,
        ErrorKind::WrongType,
        ErrorKind::Loop,
        ErrorKind::TooLong,
        ErrorKind::Mount,
        ErrorKind::Denied,
        ErrorKind::Changed,
        ErrorKind::WrongOperation,
        ErrorKind::Exists,
        ErrorKind::NotEmpty,
        ErrorKind::Budget,
        ErrorKind::Unsupported,
        ErrorKind::Io,
        ErrorKind::Zones,
    ];

    /// The code and the text are of the one kind, in the house's form: `path.` and words, and one sentence that goes on
    /// after the operand.
    #[test]
    fn every_kind_has_a_code_and_a_sentence_of_its_own() {
        let (mut codes, mut sentences) = (
            std::collections::BTreeSet::new(),
            std::collections::BTreeSet::new(),
        );
        for (index, kind) in ALL.into_iter().enumerate() {
            assert_eq!(
                kind as usize, index,
                "{kind:?} stands elsewhere: the list is not whole"
            );
            let error = Error::new(kind);
            let code = error.code().strip_prefix("path.").unwrap();
            let spelled = format!("{kind:?}").chars().fold(String::new(), |mut spelled, c| {
                if c.is_ascii_uppercase() && !spelled.is_empty() {
                    spelled.push('-');
                }
                spelled.push(c.to_ascii_lowercase());
                spelled
            });
            assert_eq!(code, spelled);
            let text = error.about(b"x").to_string();
            let sentence = text.strip_prefix("`x` ").unwrap();
            assert!(sentence.starts_with(|c: char| c.is_ascii_lowercase()), "{text}");
            assert!(
                !sentence.ends_with('.') && !sentence.contains(['\n', '`']),
                "{text}"
            );
            assert!(
                codes.insert(code.to_owned()) && sentences.insert(sentence.to_owned()),
                "{text}"
            );
            // Outside the roots it is told like any other.
            let outside = Error::new(kind).outside().about(b"x");
            assert_eq!(outside.to_string(), format!("`x` {}", Error::REFUSAL));
            assert_eq!((outside.code(), outside.hint()), ("path.protected", None));
        }
        assert_eq!(
            ErrorKind::Zones as usize + 1,
            ALL.len(),
            "the last kind is the last of the list"
        );
    }

    #[test]
    fn operands_are_shown_safely() {
        let error = Error::new(ErrorKind::NotFound).about(b"a`\n\x1b[31m");
        assert_eq!(error.to_string(), "`a\\u{60}\\n\\u{1b}[31m` does not exist");
    }
}
