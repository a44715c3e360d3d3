//! A command as a person looks at it: safe, bounded, and with the parts marked that made the question.

mod excerpt;
mod rows;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use portcullis_paths::visible;

/// A text that is safe to look at, and the parts of it that matter, the most important one first.
///
/// The text holds no control characters and none that hide or reorder others, and it is at most as long as whoever
/// made it asked for. Where something had to be left out, what stays is what stands around the first mark.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Marked {
    text: String,
    marks: Vec<Range<usize>>,
    /// What it is an excerpt of, so that one of less room counts what is left out of that, and not of this.
    source: Arc<Source>,
    limit: usize,
}

/// All of a text, escaped, and its marks.
#[derive(Debug, PartialEq, Eq, Default)]
struct Source {
    text: String,
    marks: Vec<Range<usize>>,
}

/// Most marks of one text.
const MOST: usize = 16;

impl Marked {
    /// The text, escaped, with at most about `limit` characters (never fewer than 160 are allowed), and these parts of it
    /// marked: ranges of bytes of `text`. A part without a length is the character behind it, or the last one.
    #[must_use]
    pub fn new(text: &str, parts: &[Range<usize>], limit: usize) -> Self {
        let mut whole = Source::default();
        // Where each character of the text begins, before and after.
        let mut begins = Vec::with_capacity(text.len() + 1);
        let mut shown = String::new();
        for (at, c) in text.char_indices() {
            begins.push((at, whole.text.len()));
            if c.is_ascii_graphic() || c == ' ' {
                whole.text.push(c);
                continue;
            }
            shown.clear();
            shown.push(c);
            whole.text.push_str(&visible(&shown, 0));
        }
        begins.push((text.len(), whole.text.len()));
        let after = |at: usize, up: bool| {
            let found = begins.partition_point(|(before, _)| *before < at);
            let exact = begins.get(found).filter(|(before, _)| *before == at || up);
            exact
                .or_else(|| begins.get(found.saturating_sub(1)))
                .map_or(0, |(_, after)| *after)
        };
        for part in parts {
            let part = with_length(part.clone(), text);
            mark(&mut whole.marks, after(part.start, false)..after(part.end, true));
        }
        excerpt::of(&Arc::new(whole), limit)
    }

    /// The text of these pieces, those that say so marked. It is escaped and bounded as in [`Marked::new`].
    #[must_use]
    pub fn of_pieces<'a>(pieces: impl IntoIterator<Item = (&'a str, bool)>, limit: usize) -> Self {
        let (mut text, mut parts) = (String::new(), Vec::new());
        for (piece, is_marked) in pieces {
            let start = text.len();
            text.push_str(piece);
            if is_marked && !piece.is_empty() {
                parts.push(start..text.len());
            }
        }
        Self::new(&text, &parts, limit)
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The marked parts, in bytes of the text, the most important one first. They may overlap.
    #[must_use]
    pub fn marks(&self) -> &[Range<usize>] {
        &self.marks
    }

    /// The text in pieces, in its order, and whether each is marked.
    #[must_use]
    pub fn pieces(&self) -> Vec<(&str, bool)> {
        let mut cuts: Vec<usize> = self
            .marks
            .iter()
            .flat_map(|mark| [mark.start, mark.end])
            .collect();
        cuts.extend([0, self.text.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        let mut pieces: Vec<(Range<usize>, bool)> = Vec::new();
        for (from, to) in cuts.iter().zip(cuts.iter().skip(1)) {
            let is_marked = self.is_marked(*from);
            match pieces.last_mut() {
                Some((last, before)) if *before == is_marked => last.end = *to,
                _ => pieces.push((*from..*to, is_marked)),
            }
        }
        let text = |(range, is_marked): (Range<usize>, bool)| Some((self.text.get(range)?, is_marked));
        pieces.into_iter().filter_map(text).collect()
    }

    /// The same in less room.
    #[must_use]
    pub fn within(&self, limit: usize) -> Self {
        excerpt::of(&self.source, limit.min(self.limit))
    }

    /// The text in rows of at most so many columns. Below a row with a marked part stands one that points at it with `^`.
    #[must_use]
    pub fn rows(&self, columns: usize) -> Vec<String> {
        rows::of(self, columns)
    }

    fn is_marked(&self, at: usize) -> bool {
        self.marks.iter().any(|mark| mark.contains(&at))
    }
}

/// Without what is left out.
impl fmt::Debug for Marked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Marked")
            .field("text", &self.text)
            .field("marks", &self.marks)
            .finish_non_exhaustive()
    }
}

fn mark(marks: &mut Vec<Range<usize>>, part: Range<usize>) {
    if !part.is_empty() && marks.len() < MOST && !marks.contains(&part) {
        marks.push(part);
    }
}

/// A part without a length is a place, and a place is shown by what stands there.
fn with_length(part: Range<usize>, text: &str) -> Range<usize> {
    if part.start < part.end {
        return part;
    }
    let before = text.get(..part.start).unwrap_or(text);
    let behind = text.get(part.start..).unwrap_or_default();
    match (behind.chars().next(), before.chars().next_back()) {
        (Some(next), _) => part.start..part.start + next.len_utf8(),
        (None, Some(last)) => before.len() - last.len_utf8()..before.len(),
        (None, None) => 0..0,
    }
}

#[cfg(test)]
mod tests;
