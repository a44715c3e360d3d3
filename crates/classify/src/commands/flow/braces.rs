//! Brace expansion: `{a,b}` and `{1..3}`.

use crate::shell::Piece;

/// The words that these pieces stand for; nothing when they are too many or not plain.
pub(super) fn expand(pieces: &[Piece], most: usize) -> Option<Vec<Vec<Piece>>> {
    let mut rest = pieces;
    let all = sequence(&mut rest, most, 0)?;
    rest.is_empty().then_some(all)
}

/// Deepest nesting that is followed.
const DEEPEST: usize = 8;

/// Up to a `,` or `}` of the level above, or the end.
fn sequence(rest: &mut &[Piece], most: usize, depth: usize) -> Option<Vec<Vec<Piece>>> {
    let mut all: Vec<Vec<Piece>> = vec![Vec::new()];
    while let Some((piece, others)) = rest.split_first() {
        let found = match piece {
            Piece::Brace('{') => {
                *rest = others;
                alternatives(rest, most, depth + 1)?
            }
            Piece::Brace(',' | '}') if depth > 0 => return Some(all),
            Piece::Brace(char) => {
                *rest = others;
                vec![vec![Piece::Literal(char.to_string())]]
            }
            piece => {
                *rest = others;
                vec![vec![piece.clone()]]
            }
        };
        if all.len().saturating_mul(found.len()) > most {
            return None;
        }
        all = all
            .iter()
            .flat_map(|before| found.iter().map(move |after| [before.as_slice(), after].concat()))
            .collect();
    }
    (depth == 0).then_some(all)
}

/// What stands between braces; the opening one is read.
fn alternatives(rest: &mut &[Piece], most: usize, depth: usize) -> Option<Vec<Vec<Piece>>> {
    if depth > DEEPEST {
        return None;
    }
    let mut all = Vec::new();
    let mut parted = false;
    loop {
        all.extend(sequence(rest, most, depth)?);
        let (piece, others) = rest.split_first()?;
        *rest = others;
        if matches!(piece, Piece::Brace('}')) {
            break;
        }
        parted = true;
    }
    if parted {
        return (all.len() <= most).then_some(all);
    }
    match all.as_slice() {
        [one] => match one.as_slice() {
            [Piece::Literal(text)] => range(text, most),
            _ => None,
        },
        _ => None,
    }
}

/// `1..3` or `a..c`.
fn range(text: &str, most: usize) -> Option<Vec<Vec<Piece>>> {
    let (from, to) = text.split_once("..")?;
    let texts: Vec<String> = match (from.parse::<i32>(), to.parse::<i32>()) {
        // Leading zeros give all numbers the same length.
        (Ok(_), Ok(_)) if from.starts_with('0') && from.len() > 1 => return None,
        (Ok(from), Ok(to)) => {
            let (low, high) = (from.min(to), from.max(to));
            let count = usize::try_from(i64::from(high) - i64::from(low)).ok()?;
            if count >= most {
                return None;
            }
            (low..=high).map(|number| number.to_string()).collect()
        }
        _ => {
            let (mut from, mut to) = (from.chars(), to.chars());
            let (low, high) = (from.next()?, to.next()?);
            if from.next().is_some() || to.next().is_some() {
                return None;
            }
            if !low.is_ascii_lowercase() || !high.is_ascii_lowercase() {
                return None;
            }
            (low.min(high)..=low.max(high)).map(String::from).collect()
        }
    };
    let pieces = texts.into_iter().map(|text| vec![Piece::Literal(text)]);
    Some(pieces.collect())
}
