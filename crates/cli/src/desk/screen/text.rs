//! Texts in columns.

use unicode_width::UnicodeWidthChar as _;

/// The columns of a character. A character without a width is drawn over the one before it.
fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// The text in rows of at most so many columns; rows after the first are indented as far as asked. Nothing is left
/// out.
pub(super) fn wrapped(text: &str, width: usize, indent: usize) -> Vec<String> {
    let width = width.max(indent + 8);
    let mut rows = Vec::new();
    let mut row = String::new();
    let mut used = 0;
    for c in text.chars() {
        if used + columns(c) > width {
            rows.push(std::mem::replace(&mut row, " ".repeat(indent)));
            used = indent;
        }
        used += columns(c);
        row.push(c);
    }
    rows.push(row);
    rows
}

/// The text in one row of at most so many columns, with a sign where something is left out.
pub(super) fn cut(text: &str, width: usize) -> String {
    const SIGN: &str = "...";
    if text.chars().map(columns).sum::<usize>() <= width {
        return text.to_owned();
    }
    let mut room = width.saturating_sub(SIGN.len());
    let mut row: String = text
        .chars()
        .take_while(|c| {
            let fits = columns(*c) <= room;
            room = room.saturating_sub(columns(*c));
            fits
        })
        .collect();
    row.push_str(SIGN.get(..width.min(SIGN.len())).unwrap_or_default());
    row
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn width(text: &str) -> usize {
        text.chars().map(columns).sum()
    }

    proptest! {
        #[test]
        fn no_row_is_wider_than_the_screen_and_nothing_is_lost(text in "[a-z \u{4e00}-\u{4e10}]{0,200}", columns in 12_usize..60) {
            let rows = wrapped(&text, columns, 4);
            prop_assert!(rows.iter().all(|row| width(row) <= columns));
            let mut whole = String::new();
            for (at, row) in rows.iter().enumerate() {
                whole.push_str(if at == 0 { row } else { row.strip_prefix("    ").unwrap() });
            }
            prop_assert_eq!(whole, text.clone());
            prop_assert!(width(&cut(&text, columns)) <= columns);
        }
    }

    #[test]
    fn what_fits_is_not_cut() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abcdef", 5), "ab...");
        assert_eq!(cut("abcdef", 2), "..");
    }
}
