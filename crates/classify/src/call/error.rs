use super::quoted;

/// Longest member name, in characters, that a place shows.
const NAME_SHOWN: usize = 80;
/// Most steps of a member path that a place shows.
const STEPS_SHOWN: usize = 16;

/// Why a text is not a call: one sentence and the place. It repeats member names, escaped and bounded, and
/// never a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} at {}", .0.text, .0.place)]
pub struct CallError(Box<Inner>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Inner {
    kind: CallErrorKind,
    text: String,
    place: String,
    hint: Option<&'static str>,
    at: At,
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

/// Where, in parts; a session moves the line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct At {
    line: Option<usize>,
    column: Option<usize>,
    path: Option<String>,
}

/// One step of a member path.
#[derive(Debug)]
pub(super) enum Step {
    Member(String),
    Element(usize),
}

impl CallError {
    pub(super) fn new(kind: CallErrorKind, text: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            text: text.into(),
            place: "$".to_owned(),
            hint: None,
            at: At::default(),
        }))
    }

    pub(super) fn with_hint(mut self, hint: &'static str) -> Self {
        self.0.hint = Some(hint);
        self
    }

    /// Line and column begin at 1; columns count bytes.
    pub(super) fn at(mut self, line: usize, column: usize) -> Self {
        self.0.at.line = Some(line);
        self.0.at.column = Some(column);
        self.placed()
    }

    /// At a byte offset of the text.
    pub(super) fn at_offset(self, text: &[u8], offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        self.at(line, column)
    }

    /// In the value that these steps lead to, outermost last.
    pub(super) fn along(mut self, innermost_first: &[Step]) -> Self {
        if innermost_first.is_empty() {
            return self;
        }
        let mut path = "$".to_owned();
        for step in innermost_first.iter().rev().take(STEPS_SHOWN) {
            path.push_str(&match step {
                Step::Member(name) => format!("[\"{}\"]", quoted(name, NAME_SHOWN)),
                Step::Element(index) => format!("[{index}]"),
            });
        }
        if innermost_first.len() > STEPS_SHOWN {
            path.push_str("...");
        }
        self.0.at.path = Some(path);
        self.placed()
    }

    /// At a member of the call's own object.
    pub(super) fn at_member(self, name: &str) -> Self {
        self.along(&[Step::Member(name.to_owned())])
    }

    /// Seen from a session of which the text is one piece that begins on this line.
    pub(super) fn moved_to_line(mut self, first_line: usize) -> Self {
        self.0.at.line = Some(
            self.0
                .at
                .line
                .unwrap_or(1)
                .saturating_add(first_line)
                .saturating_sub(1),
        );
        self.placed()
    }

    fn placed(mut self) -> Self {
        let At { line, column, path } = &self.0.at;
        let path = path.as_deref();
        self.0.place = match (line, column, path) {
            (Some(line), Some(column), Some(path)) => format!("line {line}, column {column}, in {path}"),
            (Some(line), Some(column), None) => format!("line {line}, column {column}"),
            (Some(line), None, _) => format!("line {line}, {}", path.unwrap_or("$")),
            (None, _, _) => path.unwrap_or("$").to_owned(),
        };
        self
    }

    /// The reason, to decide on.
    #[must_use]
    pub fn kind(&self) -> CallErrorKind {
        self.0.kind
    }

    /// One sentence, without the place.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Where: `line 1, column 17`, `$["args"]["path"]`, or both. Lines and columns begin at 1, columns count
    /// bytes, and a column is where the reader stood when it stopped: at the end of what is wrong.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.0.place
    }

    /// What to do about it, where there is something to say.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.0.hint
    }
}
