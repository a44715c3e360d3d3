use proptest::prelude::*;
use rstest::rstest;

use super::*;

/// The text with its marks in brackets.
fn drawn(marked: &Marked) -> String {
    let pieces = marked.pieces();
    pieces
        .iter()
        .map(|(text, is_marked)| match is_marked {
            true => format!("[{text}]"),
            false => (*text).to_owned(),
        })
        .collect()
}

/// The text with one part marked.
fn one(text: &str, part: Range<usize>) -> Marked {
    Marked::new(text, &Vec::from_iter([part]), 200)
}

#[rstest]
#[case::one("a && rm x", &[(5, 9)], "a && [rm x]")]
#[case::none("a && rm x", &[], "a && rm x")]
#[case::all("rm x", &[(0, 4)], "[rm x]")]
#[case::two("rm x && rm y", &[(8, 12), (0, 4)], "[rm x] && [rm y]")]
#[case::one_within_the_other("rm x y", &[(3, 4), (0, 6)], "[rm x y]")]
#[case::escapes_grow("a\u{1b}b\nc", &[(2, 3)], "a\\u{1b}[b]\\nc")]
#[case::the_escaped_is_marked("a\u{202e}b", &[(1, 4)], "a[\\u{202e}]b")]
#[case::within_a_character("aéb", &[(2, 3)], "a[é]b")]
#[case::a_place("rm (", &[(3, 3)], "rm [(]")]
#[case::the_end("rm (", &[(4, 4)], "rm [(]")]
#[case::past_the_end("rm", &[(7, 9)], "rm")]
#[case::turned_round("rm x", &[(3, 1)], "rm [x]")]
#[case::nothing("", &[(0, 0)], "")]
fn parts_are_marked_where_they_are_shown(
    #[case] text: &str,
    #[case] parts: &[(usize, usize)],
    #[case] expected: &str,
) {
    let parts: Vec<_> = parts.iter().map(|(from, to)| *from..*to).collect();
    assert_eq!(drawn(&Marked::new(text, &parts, 200)), expected);
}

/// A part past the bound is shown, and what stands before it, first of all.
#[test]
fn the_excerpt_follows_the_part() {
    let text = format!("{} && rm -rf ../x && {}", "a ".repeat(5000), "b ".repeat(5000));
    let start = text.find("rm -rf").unwrap();
    let shown = one(&text, start..start + 11);
    let drawn = drawn(&shown);
    assert!(drawn.contains("a  && [rm -rf ../x] && b "), "{drawn}");
    assert!(
        drawn.starts_with("...(99") && drawn.ends_with(" more)..."),
        "{drawn}"
    );
    assert!(shown.text().chars().count() <= 200);
}

#[test]
fn what_is_marked_and_left_out_is_counted() {
    let text = format!("rm x; {} rm y", "a ".repeat(5000));
    let behind = text.len() - 4;
    let shown = Marked::new(&text, &[0..4, behind..text.len()], 200);
    assert!(drawn(&shown).starts_with("[rm x]; a a"), "{}", drawn(&shown));
    assert!(shown.text().ends_with(" more, 1 marked)..."), "{}", shown.text());
    assert_eq!(shown.marks().len(), 1);
}

/// A cut of a cut counts what is left out of the whole.
#[test]
fn less_room_leaves_out_no_count() {
    let text = format!("{}rm x{} rm y; rm z", "a ".repeat(9000), " b".repeat(9000));
    let (first, end) = (text.find("rm x").unwrap(), text.len());
    let parts = [first..first + 4, end - 10..end - 6, end - 4..end];
    let shown = Marked::new(&text, &parts, 2000).within(220);
    assert_eq!(shown, Marked::new(&text, &parts, 220));
    assert!(
        shown.text().starts_with("...(17899 more)") && shown.text().ends_with(", 2 marked)..."),
        "{}",
        shown.text()
    );
    assert_eq!(Marked::new(&text, &parts, 220).within(2000), shown);
    assert!(format!("{shown:?}").len() < 400);
}

#[test]
fn a_part_that_is_left_out_in_part_is_counted() {
    let text = format!("rm {} /x", "y ".repeat(2000));
    let shown = Marked::new(&text, &[0..2, 3..text.len()], 200);
    assert!(shown.text().ends_with(", 1 marked)..."), "{}", shown.text());
    let long = one(&text, 3..text.len());
    assert!(long.text().contains(" more, 1 marked)..."), "{}", long.text());
}

#[test]
fn a_part_that_is_too_long_shows_both_its_ends() {
    let text = format!("rm {}/private.key", "x".repeat(2000));
    let shown = one(&text, 3..text.len());
    assert!(drawn(&shown).contains("[xxx"), "{}", drawn(&shown));
    assert!(drawn(&shown).ends_with("/private.key]"), "{}", drawn(&shown));
}

#[rstest]
#[case("a && rm x", 5..9, 40, &["a && rm x", "     ^^^^"])]
#[case("a && rm x yyyyyyyyyyyyyyyyy", 5..9, 16, &["a && rm x yyyyyy", "     ^^^^", "yyyyyyyyyyy"])]
#[case("aaaaaaaaaaaaaaa rm x", 13..20, 16, &["aaaaaaaaaaaaaaa ", "             ^^^", "rm x", "^^^^"])]
#[case("\u{4e2d} rm", 4..6, 40, &["\u{4e2d} rm", "   ^^"])]
#[case("\u{4e2d}\u{4e2d}", 3..6, 40, &["\u{4e2d}\u{4e2d}", "  ^^"])]
fn rows_point_at_the_part(
    #[case] text: &str,
    #[case] part: Range<usize>,
    #[case] columns: usize,
    #[case] rows: &[&str],
) {
    assert_eq!(one(text, part).rows(columns), rows);
}

proptest! {
    #[test]
    fn whatever_it_is_it_is_safe_bounded_and_marked_within(
        text in any::<String>(), fill in "[a-z \u{1b}\u{202e}é]{0,300}",
        parts in prop::collection::vec((0_usize..400, 0_usize..400), 0..6), limit in 0_usize..300, columns in 0_usize..60,
    ) {
        let text = format!("{text}{fill}");
        let parts: Vec<_> = parts.into_iter().map(|(from, to)| from..to).collect();
        let shown = Marked::new(&text, &parts, limit);
        prop_assert!(shown.text().chars().count() <= limit.max(160));
        prop_assert_eq!(&visible(shown.text(), 1_000_000), shown.text());
        for mark in shown.marks() {
            prop_assert!(!mark.is_empty() && shown.text().get(mark.clone()).is_some());
        }
        let whole: String = shown.pieces().iter().map(|(text, _)| *text).collect();
        prop_assert_eq!(&whole, shown.text());
        let again = Marked::of_pieces(shown.pieces(), limit);
        prop_assert_eq!(again.pieces(), shown.pieces());
        let rows = shown.rows(columns);
        let pointing = |row: &&String| row.contains('^') && row.trim_start().chars().all(|c| c == '^' || c == ' ');
        prop_assert!(rows.iter().all(|row| unicode_width::UnicodeWidthStr::width(row.as_str()) <= columns.max(16)));
        prop_assert_eq!(rows.iter().any(|row| pointing(&row)) || shown.text().contains('^'), !shown.marks().is_empty() || shown.text().contains('^'));
    }

    /// The first part that is there is never left out.
    #[test]
    fn the_first_part_is_shown(before in 0_usize..3000, behind in 0_usize..3000, limit in 160_usize..400) {
        let text = format!("{}{{}}{}", "a".repeat(before), "b".repeat(behind));
        let shown = Marked::new(&text, &[before..before + 2, 0..1, text.len() - 1..text.len()], limit);
        let first = shown.marks().first().cloned().unwrap();
        prop_assert_eq!(shown.text().get(first), Some("{}"));
    }
}
