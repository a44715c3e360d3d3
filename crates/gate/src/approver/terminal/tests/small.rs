//! Windows in which a question has no room: nothing is asked there, and nothing that is typed is a yes.

use rustix::termios::{Winsize, tcsetwinsize};

use super::*;

fn resize(device: &OwnedFd, rows: u16, columns: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(device, size).unwrap();
}

#[rstest]
#[case::one_cell(1, 1)]
#[case::one_row(1, 200)]
#[case::one_column(200, 1)]
#[case::tiny(5, 20)]
#[case::low(4, 80)]
#[case::narrow(6, 40)]
fn a_window_without_room_asks_nothing(#[case] rows: u16, #[case] columns: u16) {
    let (person, device) = pair();
    resize(&device, rows, columns);
    let (reply, person) = ask(with_offers(), person, &device, |person, clock, _| {
        person.waits_for("enlarge this window");
        person.types(b"a\ra\rg\r");
        clock.advance(Duration::from_secs(61));
    });
    assert_eq!(reply, Reply::Silence);
    assert!(!person.shown().contains("a + Enter"), "{}", person.shown());
}

#[test]
fn a_window_that_is_enlarged_asks_and_what_was_typed_before_does_not_count() {
    let (person, device) = pair();
    resize(&device, 5, 20);
    let (reply, _person) = ask(with_offers(), person, &device, |person, _, _| {
        person.waits_for("enlarge this window");
        person.types(b"a\r");
        resize(&device, 24, 80);
        person.waits_for("  > ");
        person.types(b"g\r");
    });
    let hour = Scope::lasting(Duration::from_secs(3600));
    assert_eq!(reply, answer(Answer::AllowAlways(hour)));
}

#[rstest]
#[case::a_no_counts(b"n\r", None)]
#[case::a_yes_is_asked_again(b"a\r", Some((24, 80)))]
fn no_yes_counts_in_a_window_that_was_made_smaller(
    #[case] typed: &[u8],
    #[case] enlarged: Option<(u16, u16)>,
) {
    let (person, device) = pair();
    resize(&device, 24, 80);
    let (reply, _person) = ask(with_offers(), person, &device, |person, _, _| {
        person.waits_for("  > ");
        resize(&device, 2, 10);
        person.types(typed);
        if let Some((rows, columns)) = enlarged {
            person.waits_for("too small now");
            person.waits_for("for no\r\n  > ");
            resize(&device, rows, columns);
            person.types(b"a\r");
        }
    });
    let expected = match enlarged {
        Some(_) => answer(Answer::AllowOnce),
        None => no(),
    };
    assert_eq!(reply, expected);
}

/// Whatever the size is: a question that is asked stands on the screen with all of its choices.
#[test]
fn what_is_asked_fits() {
    let question = with_offers();
    for rows in 1..30 {
        for columns in 1..100 {
            let size = Size { rows, columns };
            let shown = Shown::of(&question, Duration::from_secs(9), size);
            let whole = format!("{}{}", shown.question, shown.choices);
            let needed: usize = whole
                .lines()
                .skip(1)
                .map(|line| line.len().div_ceil(columns).max(1))
                .sum();
            assert_eq!(shown.fits(size), needed <= rows, "{rows} x {columns}:\n{whole}");
        }
    }
    let fits = |rows, columns| {
        let size = Size { rows, columns };
        Shown::of(&question, Duration::from_secs(9), size).fits(size)
    };
    assert!(fits(24, 80) && fits(12, 80) && fits(24, 40));
    assert!(!fits(3, 80) && !fits(24, 5));
}
