//! What stands on the screen, and how much of it.

use std::time::Duration;

use portcullis_classify::{Cause, Layer, Risk};
use rstest::rstest;

use super::super::screen::{self, Size};
use super::{a_question, ask, pair, with_offers};
use crate::{Marked, Offers, Question};

#[test]
fn the_question_shows_what_would_happen() {
    let (person, device) = pair();
    let (_, person) = ask(a_question(), person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(b"n\r");
        person.waits_for("refused");
    });
    let expected = "\r\n\
        The agent asks to run delete_file (call c1):\r\n  \
          delete /work/app/build/cache and everything below it\r\n  \
          it would remove 2 files of 10 bytes; Git does not have it\r\n  \
          60 seconds to answer; silence is no\r\n  \
          a + Enter: allow once     anything else + Enter: no\r\n  \
          > n\r\n  \
          refused\r\n";
    assert_eq!(person.shown(), expected);
}

/// The largest question that there is leaves no screen, and something of each kind is on it.
#[rstest]
#[case::directories_of_a_row(50)]
#[case::directories_of_more(280)]
fn the_largest_question_fits_on_a_screen(#[case] length: usize) {
    let size = Size {
        rows: 24,
        columns: 80,
    };
    let long = "long ".repeat(100);
    let part = |text: &'static str| [(long.as_str(), true), (text, true), (long.as_str(), true)];
    let directory = |number: usize| format!("/{number}{}", "d".repeat(length)).into();
    let cause = Cause::new("delete", Layer::BuiltIn, Risk::Confirm, &long);
    let question = Question {
        tool: long.clone(),
        effects: vec![format!("effect {long}"); 9],
        facts: vec![format!("fact {long}"); 4],
        causes: vec![cause; 5],
        commands: vec![Marked::of_pieces(part("x"), 2000); 4],
        offers: Offers {
            below: (0..8).map(directory).chain(["/short".into()]).collect(),
            because: Some("b".repeat(98)),
            ..with_offers().offers
        },
        ..a_question()
    };
    let asked = screen::question(&question, Duration::from_secs(9), size);
    let asked = asked.strip_prefix('\n').unwrap().to_owned();
    let whole = asked + &screen::choices(&question.offers, size.columns);
    let rows: usize = whole.lines().map(|line| line.len().div_ceil(size.columns)).sum();
    assert!(rows <= size.rows, "{rows} rows:\n{whole}");
    for text in [
        "The agent asks",
        "  $ long",
        "^^^^",
        "and 3 more commands",
        "  effect long",
        "more effects",
        "and 4 more places",
        "  because long",
        "and 4 more reasons",
        "a + Enter",
        "g below DIR",
        "where DIR is /",
        "  > ",
    ] {
        assert!(whole.contains(text), "{text} is not on\n{whole}");
    }
    // What is offered is whole, and no more of it than has room.
    let named = whole
        .lines()
        .filter(|line| line.contains(" is /") || line.contains(" or /"));
    assert_eq!(named.count(), if length > 80 { 1 } else { 3 }, "{whole}");
}

/// The part that asks has signs below it, on a terminal of any width.
#[rstest]
#[case::wide(
    80,
    "  $ cd sub && rm -rf ../cache && git status\r\n                     ^^^^^^^^\r\n"
)]
#[case::narrow(
    40,
    "  $ cd sub && rm -rf ../cache && git st\r\n                     ^^^^^^^^\r\n    atus\r\n"
)]
fn the_part_that_asks_is_pointed_at(#[case] columns: u16, #[case] expected: &str) {
    let (person, device) = pair();
    let size = rustix::termios::Winsize {
        ws_row: 24,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    rustix::termios::tcsetwinsize(&device, size).unwrap();
    let question = Question {
        commands: vec![Marked::of_pieces(
            [
                ("cd sub && rm -rf ", false),
                ("../cache", true),
                (" && git status", false),
            ],
            2000,
        )],
        ..a_question()
    };
    let (_, person) = ask(question, person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(b"n\r");
        person.waits_for("refused");
    });
    assert!(person.shown().contains(expected), "{:?}", person.shown());
}

#[test]
fn hostile_text_neither_steers_nor_floods_the_screen() {
    let (person, device) = pair();
    let mut question = a_question();
    question.tool = "\u{1b}[2J\u{1b}]0;owned\u{7}rm".to_owned();
    question.agent = Some("a\r\n  > a".to_owned());
    question.effects = vec!["delete /\u{202e}\u{200b}x\n".repeat(1000); 1000];
    let (_, person) = ask(question, person, &device, |person, _, _| {
        person.waits_for("Enter: no\r\n  > ");
        person.types(b"n\r");
        person.waits_for("refused");
    });
    let shown = person.shown();
    assert!(shown.lines().count() <= 20, "{shown}");
    assert!(
        shown.chars().all(|c| c == '\r' || c == '\n' || !c.is_control()),
        "{shown:?}"
    );
    assert!(!shown.contains('\u{202e}') && !shown.contains('\u{200b}'));
    assert!(
        shown.contains("\\u{1b}[2J") && shown.contains("and 994 more effects"),
        "{shown}"
    );
}
