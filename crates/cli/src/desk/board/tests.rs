use std::sync::{Arc, Mutex};

use portcullis::desk::wire::Offered;
use proptest::prelude::*;

use super::*;

/// What a gate got, and whether it still listens.
#[derive(Clone, Default)]
struct Gate(Arc<Mutex<(Vec<Answered>, bool, bool)>>);

impl Gate {
    fn deaf() -> Self {
        let gate = Self::default();
        gate.0.lock().unwrap().1 = true;
        gate
    }
    fn got(&self) -> Vec<Answered> {
        self.0.lock().unwrap().0.clone()
    }
    fn is_closed(&self) -> bool {
        self.0.lock().unwrap().2
    }
}

impl Outlet for Gate {
    fn deliver(&mut self, answer: &Answered) -> bool {
        let mut inner = self.0.lock().unwrap();
        if !inner.1 {
            inner.0.push(answer.clone());
        }
        !inner.1
    }
    fn close(&mut self) {
        self.0.lock().unwrap().2 = true;
    }
}

fn id(number: usize) -> String {
    format!("{number:032x}")
}

fn asked(number: usize) -> Asked {
    Asked {
        id: id(number),
        from: "/work".to_owned(),
        call: "c1".to_owned(),
        tool: "delete_file".to_owned(),
        agent: None,
        effects: vec!["delete /work/a".to_owned()],
        causes: Vec::new(),
        commands: Vec::new(),
        offers: Offered {
            for_a_time: true,
            below: vec!["/work".to_owned()],
            ..Offered::default()
        },
        remaining_ms: 1000,
    }
}

fn at(ms: u64) -> Now {
    Now {
        moment: Moment(ms),
        wall_ms: 0,
    }
}

fn yes(number: usize) -> Answered {
    Answered {
        id: id(number),
        answer: Said::AllowOnce {},
    }
}

fn put(board: &mut Board, number: usize) -> Gate {
    let gate = Gate::default();
    board
        .put(asked(number), 1, Box::new(gate.clone()), at(0))
        .unwrap();
    gate
}

/// An answer that says more than the gate offers goes nowhere, and the question stays for another one.
#[test]
fn what_is_not_offered_is_not_taken() {
    let mut board = Board::default();
    let gate = put(&mut board, 1);
    let always = |lasts_s, this_session, below: Option<&str>, kept| Answered {
        id: id(1),
        answer: Said::AllowAlways {
            lasts_s,
            this_session,
            below: below.map(str::to_owned),
            kept,
        },
    };
    for more in [
        always(60, true, None, false),
        always(60, false, None, true),
        always(60, false, Some("/"), false),
        always(60, false, Some("/work/.."), false),
        always(0, false, None, false),
    ] {
        assert_eq!(
            board.answer(&more, By::Script, at(1)),
            Err(NotTakenWhy::NotOffered)
        );
    }
    assert_eq!(board.open().len(), 1);
    assert_eq!(
        board.answer(&always(60, false, Some("/work"), false), By::Script, at(1)),
        Ok(())
    );
    assert_eq!(gate.got().len(), 1);
}

#[test]
fn the_first_answer_counts_and_the_second_is_told_so() {
    let mut board = Board::default();
    let gate = put(&mut board, 1);
    let no = Answered {
        answer: Said::Deny { reason: None },
        ..yes(1)
    };
    assert_eq!(board.answer(&no, By::Page, at(1)), Ok(()));
    assert_eq!(
        board.answer(&yes(1), By::Screen, at(1)),
        Err(NotTakenWhy::Answered)
    );
    assert_eq!(gate.got(), [no]);
    assert!(gate.is_closed() && board.open().is_empty());
    // Whoever looks is told of it, and of a flood of them no longer than of many.
    let version = board.version();
    for (came, late) in [(1, 2), (200, MOST_LATE)] {
        for _ in 0..came {
            board.answer(&yes(1), By::Screen, at(1)).unwrap_err();
        }
        assert_eq!(board.past().next().unwrap().late, late);
    }
    assert_eq!(board.version(), version + u64::from(MOST_LATE) - 1);
}

#[test]
fn an_answer_reaches_the_gate_that_asked_and_no_other() {
    let mut board = Board::default();
    let (first, second) = (put(&mut board, 1), put(&mut board, 2));
    board.answer(&yes(2), By::Script, at(1)).unwrap();
    assert_eq!((first.got().len(), second.got().len()), (0, 1));
    assert!(!first.is_closed());
    assert_eq!(board.open()[0].asked.id, id(1));
}

#[test]
fn no_answer_without_an_open_question_is_taken() {
    let mut board = Board::default();
    assert_eq!(
        board.answer(&yes(1), By::Script, at(0)),
        Err(NotTakenWhy::Unknown)
    );
    let gate = put(&mut board, 1);
    assert_eq!(
        board.answer(&yes(1), By::Script, at(1001)),
        Err(NotTakenWhy::Late)
    );
    assert!(gate.got().is_empty() && gate.is_closed());
    let gate = put(&mut board, 2);
    board.withdraw(&id(2), Some(Why::Cancelled), at(1));
    assert_eq!(
        board.answer(&yes(2), By::Script, at(1)),
        Err(NotTakenWhy::Withdrawn)
    );
    assert!(gate.got().is_empty());
}

#[test]
fn a_gate_that_is_gone_was_not_answered() {
    let mut board = Board::default();
    board.put(asked(1), 1, Box::new(Gate::deaf()), at(0)).unwrap();
    assert_eq!(
        board.answer(&yes(1), By::Screen, at(1)),
        Err(NotTakenWhy::Withdrawn)
    );
    assert_eq!(board.past().next().unwrap().ended, Ended::Gone);
}

#[test]
fn an_id_is_used_once() {
    let mut board = Board::default();
    put(&mut board, 1);
    let again = board.put(asked(1), 2, Box::new(Gate::default()), at(0));
    assert_eq!(again, Err(TurnedWhy::Repeated));
    board.answer(&yes(1), By::Screen, at(0)).unwrap();
    let again = board.put(asked(1), 2, Box::new(Gate::default()), at(0));
    assert_eq!(again, Err(TurnedWhy::Repeated));
    for bad in ["", "x", "0123456789ABCDEF0123456789ABCDEF"] {
        let bad = Asked {
            id: bad.to_owned(),
            ..asked(3)
        };
        let put = board.put(bad, 1, Box::new(Gate::default()), at(0));
        assert_eq!(put, Err(TurnedWhy::Unreadable));
    }
}

#[test]
fn a_flood_finds_no_place_and_keeps_what_stands() {
    let mut board = Board::default();
    let gates: Vec<Gate> = (0..MOST_OPEN).map(|number| put(&mut board, number)).collect();
    let more = board.put(asked(1000), 1, Box::new(Gate::default()), at(0));
    assert_eq!(more, Err(TurnedWhy::Full));
    assert!(gates.iter().all(|gate| !gate.is_closed()));
    board.answer(&yes(0), By::Screen, at(0)).unwrap();
    put(&mut board, 1000);
    for number in 0..2 * MOST_PAST {
        board.withdraw(&id(1000 + number), None, at(0));
        put(&mut board, 1001 + number);
    }
    assert_eq!(board.past().count(), MOST_PAST);
}

/// Ten thousand questions: those that stand stay, each of the others is turned away, and none is answered with another's
/// answer.
#[test]
fn a_long_flood_changes_nothing_for_those_who_stand() {
    let mut board = Board::default();
    let gates: Vec<Gate> = (0..MOST_OPEN).map(|number| put(&mut board, number)).collect();
    for number in 0..10_000 {
        let more = board.put(asked(1000 + number), 1, Box::new(Gate::default()), at(0));
        assert_eq!(more, Err(TurnedWhy::Full));
        let answer = board.answer(&yes(1000 + number), By::Page, at(0));
        assert_eq!(answer, Err(NotTakenWhy::Unknown));
    }
    assert_eq!(board.open().len(), MOST_OPEN);
    assert_eq!(board.past().count(), 0);
    assert!(
        gates
            .iter()
            .all(|gate| !gate.is_closed() && gate.got().is_empty())
    );
}

#[derive(Debug, Clone)]
enum Event {
    Put(usize),
    Answer(usize, bool),
    Withdraw(usize),
    Pass(u64),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        (0_usize..8).prop_map(Event::Put),
        (0_usize..8, any::<bool>()).prop_map(|(number, allow)| Event::Answer(number, allow)),
        (0_usize..8).prop_map(Event::Withdraw),
        (0_u64..700).prop_map(Event::Pass),
    ]
}

proptest! {
    /// Whatever happens in whatever order: a gate gets at most one answer, its own, while its question was open, and
    /// exactly then the answer is called taken.
    #[test]
    fn every_gate_gets_at_most_one_answer_and_its_own(events in proptest::collection::vec(event(), 0..60)) {
        let mut board = Board::default();
        let mut gates: Vec<(usize, u64, Gate)> = Vec::new();
        let mut taken = Vec::new();
        let mut now = 0;
        for event in events {
            match event {
                Event::Put(number) => {
                    let gate = Gate::default();
                    if board.put(asked(number), 1, Box::new(gate.clone()), at(now)).is_ok() {
                        gates.push((number, now, gate));
                    }
                }
                Event::Answer(number, allow) => {
                    let answer = match allow {
                        true => yes(number),
                        false => Answered { answer: Said::Deny { reason: None }, ..yes(number) },
                    };
                    if board.answer(&answer, By::Script, at(now)).is_ok() {
                        let since = gates.iter().find(|(gate, ..)| *gate == number).unwrap().1;
                        prop_assert!(now - since <= 1000);
                        taken.push(answer);
                    }
                }
                Event::Withdraw(number) => board.withdraw(&id(number), None, at(now)),
                Event::Pass(time) => now += time,
            }
        }
        for (number, _, gate) in &gates {
            let got = gate.got();
            let own: Vec<_> = taken.iter().filter(|answer| answer.id == id(*number)).cloned().collect();
            prop_assert!(got.len() <= 1);
            prop_assert_eq!(got, own);
        }
    }
}
