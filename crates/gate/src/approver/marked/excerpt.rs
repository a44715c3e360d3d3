use std::ops::Range;
use std::sync::Arc;

use super::{Marked, Source, mark};

/// Fewest characters that are kept.
const FEWEST: usize = 160;
/// What one note about what is left out may need.
const NOTE: usize = 32;

/// As much of the text as fits: all of it, or what stands around its marks, or around the first one.
pub(super) fn of(whole: &Arc<Source>, limit: usize) -> Marked {
    let limit = limit.max(FEWEST);
    let mut shown = Marked {
        source: Arc::clone(whole),
        limit,
        ..Marked::default()
    };
    let begins: Vec<usize> = whole.text.char_indices().map(|(at, _)| at).collect();
    if begins.len() <= limit {
        shown.text.clone_from(&whole.text);
        shown.marks.clone_from(&whole.marks);
        return shown;
    }
    let number = |at: usize| begins.partition_point(|begin| *begin < at);
    let marks: Vec<Range<usize>> = whole
        .marks
        .iter()
        .map(|mark| number(mark.start)..number(mark.end))
        .collect();
    let mut kept = Vec::new();
    for part in parts(&marks, begins.len(), limit) {
        let at = |character: usize| begins.get(character).copied().unwrap_or(whole.text.len());
        kept.push((part.clone(), at(part.start)..at(part.end)));
    }
    let mut left = 0;
    let mut moved: Vec<Option<Range<usize>>> = vec![None; whole.marks.len()];
    for (characters, bytes) in kept {
        note(&mut shown.text, left..characters.start, &marks);
        left = characters.end;
        let start = shown.text.len();
        shown
            .text
            .push_str(whole.text.get(bytes.clone()).unwrap_or_default());
        for (mark, moved) in whole.marks.iter().zip(&mut moved) {
            let (from, to) = (mark.start.max(bytes.start), mark.end.min(bytes.end));
            if from < to {
                let end = start + to - bytes.start;
                let begin = start + from - bytes.start;
                *moved = Some(moved.take().map_or(begin, |before| before.start)..end);
            }
        }
    }
    note(&mut shown.text, left..begins.len(), &marks);
    for part in moved.into_iter().flatten() {
        mark(&mut shown.marks, part);
    }
    shown
}

/// The parts that are kept of so many characters, in their order. They and the notes between them fit.
fn parts(marks: &[Range<usize>], all: usize, limit: usize) -> [Range<usize>; 2] {
    let room = limit - 2 * NOTE;
    let first = marks.first().cloned().unwrap_or(0..0);
    let last_end = marks.iter().map(|mark| mark.end).max().unwrap_or(0);
    let first_start = marks.iter().map(|mark| mark.start).min().unwrap_or(0);
    let wanted = match last_end - first_start <= room {
        true => first_start..last_end,
        false => first,
    };
    if wanted.len() > room {
        // Beginning and end: a long path says at its end what it is.
        let room = limit - 3 * NOTE;
        let tail = room / 3;
        return [
            wanted.start..wanted.start + room - tail,
            wanted.end - tail..wanted.end,
        ];
    }
    let spare = room - wanted.len();
    // More before it than behind it: what a word means is said by the words before it.
    let before = (spare * 2 / 3).min(wanted.start);
    let behind = (spare - before).min(all - wanted.end);
    let before = (spare - behind).min(wanted.start);
    let end = wanted.end + behind;
    [wanted.start - before..end, end..end]
}

/// How much is left out here, and of how many marked parts something is among it.
fn note(text: &mut String, left_out: Range<usize>, marks: &[Range<usize>]) {
    if left_out.is_empty() {
        return;
    }
    let hides = |mark: &Range<usize>| left_out.start < mark.end && mark.start < left_out.end;
    let count = left_out.len();
    match marks.iter().filter(|mark| hides(mark)).count() {
        0 => text.push_str(&format!("...({count} more)...")),
        marked => text.push_str(&format!("...({count} more, {marked} marked)...")),
    }
}
