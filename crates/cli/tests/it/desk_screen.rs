//! The desk's screen on a real pseudo-terminal, read through a terminal that obeys what is written to it.

use serde_json::json;

use crate::desk::{Asking, Desk, id, list, scene};
use crate::harness::TestBox;
use crate::terminal::Sitting;

/// A desk with a screen of this many rows and columns.
struct Screen {
    test: TestBox,
    sitting: Sitting,
    size: (u16, u16),
    desk: Desk,
}

impl Screen {
    fn open(rows: u16, columns: u16) -> Self {
        let test = scene();
        let mut sitting = Sitting::start_sized(&test, &["desk", "--web"], (rows, columns));
        sitting.wait_for("no question");
        let desk = Desk::of_a_screen(&test);
        Self {
            test,
            sitting,
            size: (rows, columns),
            desk,
        }
    }

    /// What a person sees when this is on the screen.
    fn sees(&mut self, text: &str) -> String {
        self.sitting
            .wait_until(|written| self_shown(written, self.size).contains(text))
    }

    fn shown(&self, written: &str) -> vt100::Parser {
        terminal(written, self.size)
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.sitting.resize(size);
        self.size = size;
    }

    /// Waits until this is part of what was written last: each screen is written from its first row on.
    fn redrawn(&mut self, text: &str) {
        self.sitting.wait_until(|written| {
            let last = written.rsplit("\u{1b}[H").next().unwrap_or_default();
            last.contains(text)
        });
    }

    fn key(&mut self, key: &str) -> &mut Self {
        self.sitting.type_keys(key);
        self
    }
}

fn terminal(written: &str, (rows, columns): (u16, u16)) -> vt100::Parser {
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    terminal.process(written.as_bytes());
    terminal
}

fn self_shown(written: &str, size: (u16, u16)) -> String {
    terminal(written, size).screen().contents()
}

#[test]
fn a_person_reads_chooses_and_allows() {
    let mut screen = Screen::open(24, 80);
    let mut gate = Asking::begin(&screen.desk, 1);
    screen.sees("> The agent asks to run delete_file");
    screen.key("\r");
    screen.sees("> n  No");
    screen.key("a");
    screen.sees("> a  Allow once");
    screen.key("\r");
    assert_eq!(gate.heard()["answer"]["answer"], json!({"allow_once": {}}));
    screen.sees("Allowed once.");
    screen.key("h");
    screen.sees("allowed once at the screen: The agent asks to run delete_file");
    screen.key("xq");
    screen.sees("no question");
    screen.key("q");
    assert_eq!(screen.sitting.end().0, Some(0));
}

#[test]
fn enter_alone_is_no_and_words_can_be_typed() {
    let mut screen = Screen::open(24, 80);
    let mut gate = Asking::begin(&screen.desk, 1);
    screen.sees("1 question");
    screen.key("\r");
    screen.sees("Enter: send");
    screen.key("\r");
    assert_eq!(
        gate.heard()["answer"]["answer"],
        json!({"deny": {"reason": null}})
    );
    let mut gate = Asking::begin(&screen.desk, 2);
    screen.sees("1 question");
    screen.key("\r");
    screen.sees("Enter: send");
    screen.key("r");
    screen.sees("No, because: _");
    screen.key("use git rm");
    screen.sees("No, because: use git rm_");
    screen.key("\r");
    assert_eq!(
        gate.heard()["answer"]["answer"],
        json!({"deny": {"reason": "use git rm"}})
    );
}

/// What is typed ahead, or pasted in one piece, does not allow.
#[test]
fn what_is_pasted_does_not_allow() {
    let mut screen = Screen::open(24, 80);
    let mut gate = Asking::begin(&screen.desk, 1);
    screen.sees("1 question");
    screen.key("\ra\r");
    screen.sees("> n  No");
    assert_eq!(list(&screen.test).len(), 1);
    screen.key("a\r");
    screen.sees("> a  Allow once");
    assert_eq!(list(&screen.test).len(), 1);
    screen.key("n");
    screen.sees("> n  No");
    screen.key("\r");
    assert_eq!(
        gate.heard()["answer"]["answer"],
        json!({"deny": {"reason": null}})
    );
}

/// A question that is answered elsewhere is gone here, and the key that comes too late answers no other one.
#[test]
fn a_question_disappears_everywhere() {
    let mut screen = Screen::open(24, 80);
    let _first = Asking::begin(&screen.desk, 1);
    let _second = Asking::begin(&screen.desk, 2);
    screen.sees("2 questions");
    screen.key("\r");
    screen.sees("> n  No");
    screen.key("a");
    screen.sees("> a  Allow once");
    screen.test.run(&["ask", "deny", &id(1)], "").assert_code(0);
    screen.sees("This question is over: refused by `portcullis ask`");
    screen.key("\r");
    screen.sees("1 question");
    assert_eq!(list(&screen.test).len(), 1);
}

/// Whatever the texts say and however small the window is: the choices are there, and nothing was obeyed.
#[test]
fn hostile_text_moves_nothing() {
    let mut screen = Screen::open(12, 40);
    let hostile = "\u{1b}[2J\u{1b}[1;1Hall is well\u{7}\r\n\u{202e}\u{9b}2J\u{4e2d}".repeat(60);
    let _gate = Asking::with(&screen.desk, 1, |asked| {
        for member in ["from", "call", "tool", "agent"] {
            asked[member] = json!(hostile);
        }
        asked["effects"] = json!(vec![hostile.clone(); 20]);
    });
    screen.sees("1 question");
    screen.key("\r");
    let written = screen.sees("> n  No");
    let terminal = screen.shown(&written);
    let rows: Vec<String> = terminal.screen().rows(0, 40).collect();
    assert!(rows[0].contains("to answer; silence is no"), "{rows:#?}");
    let last: Vec<&str> = rows[8..].iter().map(|row| row.trim_end()).collect();
    assert_eq!(last[0], "> n  No", "{rows:#?}");
    assert_eq!(last[1], "  a  Allow once");
    assert!(last[2].starts_with("  g  Allow this and exactly"), "{rows:#?}");
    assert!(last[3].starts_with("Enter: send"), "{rows:#?}");
    assert!(rows.iter().all(|row| !row.starts_with("all is well")));
    // Nothing is allowed that was not shown to its end.
    screen.key("a");
    screen.sees("> a  Allow once");
    screen.key("\r");
    screen.sees("Read to the end first");
    assert_eq!(list(&screen.test).len(), 1);
}

/// On a screen that cannot show a question nothing is answered, however it came to be so small, and no choice is cut off.
#[test]
fn a_window_that_is_made_smaller_answers_nothing() {
    let mut screen = Screen::open(24, 80);
    let mut gate = Asking::begin(&screen.desk, 1);
    screen.sees("1 question");
    screen.key("\r");
    screen.sees("> n  No");
    screen.key("a");
    screen.sees("> a  Allow once");
    for (size, sentence) in [
        ((5, 20), "Make this window at "),
        ((11, 80), "at least 36 x 12"),
        ((1, 1), ".\u{1b}[K\u{1b}[J"),
    ] {
        screen.resize(size);
        screen.key("\r");
        screen.redrawn(sentence);
        screen.key("\r");
        assert_eq!(list(&screen.test).len(), 1, "{size:?}");
    }
    screen.resize((12, 36));
    screen.redrawn("> a  Allow once");
    screen.key("\r");
    assert_eq!(gate.heard()["answer"]["answer"], json!({"allow_once": {}}));
}

/// A closed window is a closed desk: what is open is refused.
#[test]
fn closing_the_window_answers_nothing() {
    let mut screen = Screen::open(24, 80);
    let mut gate = Asking::begin(&screen.desk, 1);
    screen.sees("1 question");
    let Screen { test, sitting, .. } = screen;
    sitting.hang_up();
    assert_eq!(gate.heard(), serde_json::Value::Null);
    test.run(&["ask", "list"], "").assert_code(5);
}
