use super::{Call, CallError, CallErrorKind, Limits, Shape};

/// Most lines of one session.
const LINES: usize = 1_000_000;

/// The calls of a recorded session, one after another: JSON lines, or one JSON value over several lines.
///
/// Blank lines are skipped. A line that is no call is an error with its line number, and the lines after it are
/// still read: each call is judged alone. Each call is held to the [`Limits`] of its own; a session of more than a
/// million lines ends with an error.
///
/// ```
/// use portcullis_classify::{Limits, Session, Shape};
///
/// let text = br#"
/// {"id": "1", "tool": "read_file", "args": {"path": "a"}}
/// {"id": "2", "tool": "read_file", "args": [}
/// "#;
/// let calls: Vec<_> = Session::read(text, Shape::Portcullis, &Limits::default()).collect();
/// assert!(matches!(&calls[..], [Ok(_), Err(error)] if error.place().starts_with("line 3, column 43")));
/// ```
#[derive(Debug)]
pub struct Session<'a> {
    lines: Lines<'a>,
    shape: Shape,
    limits: Limits,
    /// The call that is the whole text, when the text is one value over several lines.
    whole: Option<Result<Call, CallError>>,
}

#[derive(Debug)]
struct Lines<'a> {
    rest: Option<&'a [u8]>,
    read: usize,
}

impl<'a> Session<'a> {
    /// Begins to read a session.
    #[must_use]
    pub fn read(text: &'a [u8], shape: Shape, limits: &Limits) -> Self {
        let whole = whole(text, shape, limits);
        Self {
            lines: Lines {
                rest: whole.is_none().then_some(text),
                read: 0,
            },
            shape,
            limits: *limits,
            whole,
        }
    }
}

/// The text as one call: when its first line is not JSON and the whole is, even if it is no call.
fn whole(text: &[u8], shape: Shape, limits: &Limits) -> Option<Result<Call, CallError>> {
    let (_, first) = Lines {
        rest: Some(text),
        read: 0,
    }
    .find(|(_, line)| !is_blank(line))?;
    let is_broken = |read: &Result<Call, CallError>| {
        read.as_ref()
            .is_err_and(|error| error.kind() == CallErrorKind::Json)
    };
    if !is_broken(&Call::read(first, shape, limits)) {
        return None;
    }
    let whole = Call::read(text, shape, limits);
    let is_too_long = text.len() > limits.bytes;
    (!is_broken(&whole) && !is_too_long).then_some(whole)
}

impl Iterator for Session<'_> {
    type Item = Result<Call, CallError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(whole) = self.whole.take() {
            return Some(whole);
        }
        let (number, line) = self.lines.find(|(_, line)| !is_blank(line))?;
        if number > LINES {
            self.lines.rest = None;
            let text = format!("the session has more than {LINES} lines");
            return Some(Err(CallError::new(CallErrorKind::Limit, text).at(number, 1)));
        }
        let call = Call::read(line, self.shape, &self.limits);
        Some(call.map_err(|error| error.moved_to_line(number)))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        self.read += 1;
        let end = rest.iter().position(|byte| *byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (rest.get(..end)?, rest.get(end + 1..)),
            None => (rest, None),
        };
        self.rest = rest;
        Some((self.read, line))
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}
