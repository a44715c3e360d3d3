use portcullis::desk::wire::{Because, NotTakenWhy, Offered, Piece};
use proptest::prelude::*;

use super::super::draw::{Row, Size, draw};
use super::*;
use crate::desk::board::{By, Ended};

const SIZE: Size = Size {
    rows: 24,
    columns: 80,
};

fn asked(number: usize) -> Asked {
    Asked {
        id: format!("{number:032x}"),
        from: format!("/work/{number}"),
        call: "c1".to_owned(),
        tool: "delete_file".to_owned(),
        agent: Some(format!("agent{number}")),
        effects: vec![format!("delete /work/{number}/build and everything below it")],
        causes: vec![Because {
            rule: "delete".to_owned(),
            layer: "built-in".to_owned(),
            text: "deletes what cannot be brought back".to_owned(),
        }],
        commands: Vec::new(),
        offers: Offered {
            for_a_time: true,
            ..Offered::default()
        },
        remaining_ms: 60_000,
    }
}

fn seen(numbers: &[usize]) -> Seen {
    let open = numbers.iter().map(|number| Waiting {
        asked: asked(*number),
        process: 7,
        left: Duration::from_secs(59),
    });
    Seen {
        open: open.collect(),
        past: Vec::new(),
    }
}

fn opened(seen: &Seen) -> Model {
    let mut model = Model::default();
    model.follow(seen);
    assert_eq!(model.press(Key::Enter, seen), Act::Discard);
    model
}

fn text(rows: &[Row]) -> String {
    let rows: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
    rows.join("\n")
}

#[test]
fn the_question_as_it_stands_on_the_screen() {
    let seen = seen(&[1]);
    let mut model = opened(&seen);
    let rows = draw(
        &mut model,
        &seen,
        Size {
            rows: 14,
            columns: 80,
        },
    );
    let expected = "\
59 s to answer; silence is no
Agent agent1 asks to run delete_file
    delete /work/1/build and everything below it
  because deletes what cannot be brought back (rule delete, built-in)
  call c1, process 7, from /work/1





> n  No
  a  Allow once
  g  Allow this and exactly the same again for one hour
Enter: send   r: no, with words   Esc: back";
    assert_eq!(text(&rows), expected);
}

#[test]
fn enter_alone_is_no() {
    let seen = seen(&[1]);
    let mut model = opened(&seen);
    draw(&mut model, &seen, SIZE);
    let act = model.press(Key::Enter, &seen);
    assert_eq!(act, Act::Answer(asked(1).id, Said::Deny { reason: None }));
}

#[test]
fn a_and_enter_allow_the_question_that_is_shown() {
    let two = seen(&[1, 2]);
    let mut model = Model::default();
    model.follow(&two);
    model.press(Key::Down, &two);
    model.press(Key::Enter, &two);
    // The list moves under the opened question.
    let one = seen(&[2, 3]);
    model.follow(&one);
    draw(&mut model, &one, SIZE);
    model.press(Key::Char('a'), &one);
    assert_eq!(
        model.press(Key::Enter, &one),
        Act::Answer(asked(2).id, Said::AllowOnce {})
    );
}

#[test]
fn the_mark_stays_on_its_question() {
    let mut model = Model::default();
    model.follow(&seen(&[1, 2, 3]));
    model.press(Key::Down, &seen(&[1, 2, 3]));
    model.follow(&seen(&[2, 3, 4]));
    assert_eq!(model.marked, Some(asked(2).id));
    model.follow(&seen(&[3, 4]));
    assert_eq!(model.marked, Some(asked(3).id));
}

#[test]
fn a_question_that_is_over_takes_no_key_as_an_answer() {
    let before = seen(&[1]);
    let mut model = opened(&before);
    draw(&mut model, &before, SIZE);
    model.press(Key::Char('a'), &before);
    let mut after = seen(&[2]);
    after.past.push(Past {
        asked: asked(1),
        ended: Ended::Answered {
            said: Said::Deny { reason: None },
            by: By::Page,
        },
        at_ms: 0,
        late: 0,
    });
    model.follow(&after);
    assert!(text(&draw(&mut model, &after, SIZE)).contains("over: refused on the page"));
    assert_eq!(model.press(Key::Enter, &after), Act::Nothing);
    assert_eq!(model.view, View::List);
}

#[test]
fn what_was_not_shown_to_its_end_is_not_allowed() {
    let mut seen = seen(&[1]);
    seen.open[0].asked.effects = (0..30).map(|number| format!("delete /work/{number}")).collect();
    let mut model = opened(&seen);
    assert!(text(&draw(&mut model, &seen, SIZE)).contains("more rows: space --"));
    model.press(Key::Char('a'), &seen);
    assert_eq!(model.press(Key::Enter, &seen), Act::Nothing);
    assert!(text(&draw(&mut model, &seen, SIZE)).contains("Read to the end first"));
    for _ in 0..5 {
        model.press(Key::Char(' '), &seen);
        draw(&mut model, &seen, SIZE);
    }
    assert_eq!(
        model.press(Key::Enter, &seen),
        Act::Answer(asked(1).id, Said::AllowOnce {})
    );
}

/// What is granted is on the screen to its last letter, or it is not granted.
#[test]
fn what_is_granted_is_read_or_not_sent() {
    let directory = |end: &str| format!("/work/{}{end}", "long/".repeat(12));
    let mut seen = seen(&[1]);
    seen.open[0].asked.offers = Offered {
        for_a_time: true,
        kept: true,
        below: vec![directory("one"), directory("two"), "/x".repeat(150)],
        ..Offered::default()
    };
    // Without the breaks and their indentation.
    let shown = |model: &mut Model, size| {
        let rows = draw(model, &seen, size);
        assert_eq!(rows.len(), size.rows);
        let granted = rows.iter().filter(|row| row.marked);
        granted.map(|row| row.text.trim_start()).collect::<String>()
    };
    let granted =
        |directory: &str| format!("> d  Allow the same for one hour below {directory} (d: another)");
    let mut model = opened(&seen);
    model.press(Key::Char('d'), &seen);
    assert_eq!(shown(&mut model, SIZE), granted(&directory("one")));
    model.press(Key::Char('d'), &seen);
    assert_eq!(shown(&mut model, SIZE), granted(&directory("two")));
    model.press(Key::Char('t'), &seen);
    let kept = granted(&directory("two")) + ", also after a restart";
    assert_eq!(shown(&mut model, SIZE), kept);
    let small = Size {
        rows: 12,
        columns: 36,
    };
    shown(&mut model, small);
    assert_eq!(model.press(Key::Enter, &seen), Act::Nothing);
    assert!(text(&draw(&mut model, &seen, small)).contains("Enlarge the window: it does not fit."));
    shown(&mut model, SIZE);
    let said = Said::AllowAlways {
        lasts_s: 3600,
        this_session: false,
        below: Some(directory("two")),
        kept: true,
    };
    assert_eq!(model.press(Key::Enter, &seen), Act::Answer(asked(1).id, said));
}

#[test]
fn a_no_can_have_words() {
    let seen = seen(&[1]);
    let mut model = opened(&seen);
    model.press(Key::Char('r'), &seen);
    for c in "usee".chars() {
        model.press(Key::Char(c), &seen);
    }
    model.press(Key::Backspace, &seen);
    assert!(text(&draw(&mut model, &seen, SIZE)).contains("No, because: use_"));
    let reason = Some("use".to_owned());
    assert_eq!(
        model.press(Key::Enter, &seen),
        Act::Answer(asked(1).id, Said::Deny { reason })
    );
}

#[test]
fn closing_while_somebody_asks_needs_a_second_key() {
    let one = seen(&[1]);
    let mut model = Model::default();
    assert_eq!(model.press(Key::Char('q'), &one), Act::Nothing);
    assert_eq!(model.press(Key::Enter, &one), Act::Nothing);
    assert_eq!(model.view, View::List);
    model.press(Key::Char('q'), &one);
    assert_eq!(model.press(Key::Char('y'), &one), Act::Leave);
    assert_eq!(Model::default().press(Key::Char('q'), &seen(&[])), Act::Leave);
}

#[test]
fn every_reason_why_an_answer_is_not_taken_has_words() {
    let all = [
        NotTakenWhy::Unknown,
        NotTakenWhy::Answered,
        NotTakenWhy::Late,
        NotTakenWhy::Withdrawn,
    ];
    let words: std::collections::BTreeSet<_> = all.map(crate::desk::words::not_taken).into();
    assert_eq!(words.len(), all.len());
}

fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ \u{4e00}\u{0301}\u{1b}\u{202e}a\n]{0,3000}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a question says: the choices are on the screen, no row is missing or too wide, nothing moves the
    /// cursor.
    #[test]
    fn the_choices_never_leave_the_screen(
        texts in proptest::collection::vec(hostile(), 1..6),
        lines in 0_usize..40,
        rows in 12_usize..60,
        columns in 36_usize..200,
        keys in proptest::collection::vec(any::<char>(), 0..6),
    ) {
        let mut all = texts.iter().cycle().cloned();
        let mut next = || all.next().unwrap();
        let mut question = asked(1);
        (question.from, question.call, question.tool) = (next(), next(), next());
        question.agent = Some(next());
        question.effects = (0..lines).map(|_| next()).collect();
        let mut piece = |marked| Piece { text: next(), marked };
        question.commands = vec![vec![piece(false), piece(true), piece(false)]];
        question.offers.in_session = lines % 2 == 0;
        question.offers.below = vec!["/work".to_owned(); lines % 3];
        question.causes = (0..lines).map(|_| Because { rule: next(), layer: next(), text: next() }).collect();
        let mut seen = seen(&[1]);
        seen.open[0].asked = question.safe();
        let size = Size { rows, columns };
        let mut model = opened(&seen);
        for key in keys.into_iter().filter(|key| !['r', 'q'].contains(key)) {
            model.press(Key::Char(key), &seen);
        }
        let shown = draw(&mut model, &seen, size);
        prop_assert_eq!(shown.len(), rows);
        for row in &shown {
            let width: usize = row.text.chars().map(|c| unicode_width::UnicodeWidthChar::width(c).unwrap_or(0)).sum();
            prop_assert!(width <= columns);
            let moves = row.text.chars().any(|c| c.is_control() || c == '\u{202e}');
            prop_assert!(!moves);
        }
        let whole = text(&shown);
        for label in ["n  No", "a  Allow once", "g  Allow this", "Enter: send", "silence is no"] {
            prop_assert!(whole.contains(label), "{label} is not on {whole}");
        }
        prop_assert_eq!(shown.iter().filter(|row| row.marked && row.text.starts_with("> ")).count(), 1);
    }
}
