//! A real pseudo-terminal: the test holds the person's side.

mod screens;
mod small;

use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

use rstest::rstest;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

use super::*;
use crate::{Moment, Offers, QuestionId, Scope, StillClock};

/// The person's side of a terminal, and what the screen showed.
struct Person {
    keyboard: OwnedFd,
    screen: Vec<u8>,
}

/// A person, and the device that the terminal is made of; kept open beside it, to look at its mode.
fn pair() -> (Person, OwnedFd) {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&keyboard).unwrap();
    unlockpt(&keyboard).unwrap();
    let device = ioctl_tiocgptpeer(&keyboard, OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    let screen = Vec::new();
    (Person { keyboard, screen }, device)
}

impl Person {
    fn types(&self, keys: &[u8]) {
        assert_eq!(rustix::io::write(&self.keyboard, keys).unwrap(), keys.len());
    }

    /// Blocks until the screen shows the text.
    fn waits_for(&mut self, text: &str) {
        while !self.shown().contains(text) {
            let mut buffer = [0_u8; 4096];
            let length = rustix::io::read(&self.keyboard, &mut buffer).unwrap();
            assert_ne!(length, 0, "the terminal ended before it showed {text:?}");
            self.screen.extend_from_slice(&buffer[..length]);
        }
    }

    fn shown(&self) -> String {
        String::from_utf8_lossy(&self.screen).into_owned()
    }
}

fn a_question() -> Question {
    Question {
        id: QuestionId::claimed("q"),
        call: "c1".to_owned(),
        tool: "delete_file".to_owned(),
        agent: None,
        effects: vec!["delete /work/app/build/cache and everything below it".to_owned()],
        facts: vec!["it would remove 2 files of 10 bytes; Git does not have it".to_owned()],
        places: Vec::new(),
        causes: Vec::new(),
        commands: Vec::new(),
        offers: Offers::default(),
        deadline: Moment(60_000),
    }
}

/// Asks in another thread while `person` acts, and returns what came back. The window stays open as long as the
/// person is there.
fn ask(
    question: Question,
    mut person: Person,
    device: &OwnedFd,
    act: impl FnOnce(&mut Person, &StillClock, &Cancel),
) -> (Reply, Person) {
    let clock = StillClock::at(Moment(0));
    let cancel = Cancel::new();
    let mut terminal = Terminal::from_fd(device.try_clone().unwrap(), clock.clone()).unwrap();
    let asking = {
        let cancel = cancel.clone();
        thread::spawn(move || terminal.ask(&question, &cancel))
    };
    act(&mut person, &clock, &cancel);
    let reply = asking.join().unwrap();
    (reply, person)
}

fn answer(answer: Answer) -> Reply {
    Reply::Answer {
        question: QuestionId::claimed("q"),
        answer,
        reviewer: false,
    }
}

fn no() -> Reply {
    answer(Answer::Deny { reason: None })
}

#[rstest]
#[case::allow(b"a\r", answer(Answer::AllowOnce))]
#[case::allow_corrected(b"x\x7fa\r", answer(Answer::AllowOnce))]
#[case::no(b"n\r", no())]
#[case::only_enter(b"\r", no())]
#[case::capital(b"A\r", no())]
#[case::yes(b"yes\r", no())]
#[case::words(b"a a\r", no())]
#[case::escape(b"\x1b[Aa\r", no())]
#[case::end_of_input(b"\x04", Reply::HungUp)]
#[case::no_text(b"\xff\r", Reply::Unreadable)]
#[case::too_long(&[[b'a'; 480].as_slice(), b"\r"].concat(), Reply::Unreadable)]
fn only_the_letter_allows(#[case] keys: &[u8], #[case] expected: Reply) {
    let (person, device) = pair();
    let (reply, _person) = ask(a_question(), person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(keys);
    });
    assert_eq!(reply, expected);
}

fn with_offers() -> Question {
    Question {
        offers: Offers {
            for_a_time: true,
            in_session: true,
            below: vec!["/work/app/build".into(), "/work/app".into()],
            kept: true,
            because: None,
        },
        ..a_question()
    }
}

/// What is offered can be said, and what is said wrong is asked again as long as the question is open.
#[rstest]
#[case::an_hour("g\r", Scope::lasting(Duration::from_secs(3600)))]
#[case::a_session("g session\r", Scope::lasting(Duration::from_secs(24 * 3600)).in_this_session())]
#[case::a_directory("g 8h below /work/app\r", Scope::lasting(Duration::from_secs(8 * 3600)).below("/work/app"))]
fn a_person_says_how_far_it_goes(#[case] keys: &str, #[case] scope: Scope) {
    let (person, device) = pair();
    let (reply, _person) = ask(with_offers(), person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(b"g below /work\r");
        person.waits_for("or Enter for no\r\n  > ");
        person.types(keys.as_bytes());
    });
    assert_eq!(reply, answer(Answer::AllowAlways(scope)));
}

/// What was typed behind a line that is no answer was typed before that was known.
#[test]
fn a_line_behind_one_that_is_no_answer_does_not_count() {
    let (person, device) = pair();
    let (reply, _person) = ask(with_offers(), person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(b"g pull\ra\r");
        person.waits_for("or Enter for no\r\n  > ");
        person.types(b"n\r");
    });
    assert_eq!(reply, no());
}

#[rstest]
#[case::not_offered("g below /\r")]
#[case::not_understood("g now\r")]
fn a_grant_that_is_not_offered_is_no_yes(#[case] keys: &str) {
    let (person, device) = pair();
    let (reply, _person) = ask(with_offers(), person, &device, |person, clock, _| {
        person.waits_for("> ");
        person.types(keys.as_bytes());
        person.waits_for("or Enter for no");
        clock.move_to(Moment(60_001));
    });
    assert_eq!(reply, Reply::Silence);
}

/// Blocks until typed keys have reached the device's side.
fn arrived(device: &OwnedFd) {
    let mut watched = [PollFd::new(device, PollFlags::IN)];
    assert_eq!(poll(&mut watched, None).unwrap(), 1);
}

#[test]
fn keys_typed_ahead_do_not_answer() {
    let (person, device) = pair();
    person.types(b"a\r\na\r\n");
    arrived(&device);
    let (reply, _person) = ask(a_question(), person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(b"n\r");
    });
    assert_eq!(reply, no());
}

#[test]
fn keys_left_over_do_not_reach_the_next_reader() {
    let (person, device) = pair();
    let (reply, _person) = ask(a_question(), person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(&[b'a'; 500]);
        person.types(b"\r");
        person.waits_for("no answer");
    });
    assert_eq!(reply, Reply::Unreadable);
    let flags = rustix::fs::fcntl_getfl(&device).unwrap();
    rustix::fs::fcntl_setfl(&device, flags | OFlags::NONBLOCK).unwrap();
    let mut buffer = [0_u8; 16];
    assert_eq!(rustix::io::read(&device, &mut buffer), Err(Errno::AGAIN));
}

#[test]
fn a_closed_window_is_nobody() {
    let (person, device) = pair();
    let clock = StillClock::at(Moment(0));
    let mut terminal = Terminal::from_fd(device, clock).unwrap();
    let asking = thread::spawn(move || terminal.ask(&a_question(), &Cancel::new()));
    let mut person = person;
    person.waits_for("> ");
    drop(person);
    assert_eq!(asking.join().unwrap(), Reply::HungUp);
}

#[test]
fn silence_past_the_deadline_is_silence() {
    let (person, device) = pair();
    let (reply, person) = ask(a_question(), person, &device, |person, clock, _| {
        person.waits_for("> ");
        person.types(b"a");
        clock.advance(Duration::from_millis(60_001));
    });
    assert_eq!(reply, Reply::Silence);
    assert!(!person.shown().contains("allowed"));
}

#[test]
fn cancelling_ends_the_question() {
    let (person, device) = pair();
    let (reply, _person) = ask(a_question(), person, &device, |person, _, cancel| {
        person.waits_for("> ");
        cancel.raise();
    });
    assert_eq!(reply, Reply::Cancelled);
}

#[test]
fn a_raw_terminal_is_asked_in_lines_and_left_as_it_was() {
    let (person, device) = pair();
    let mut raw = tcgetattr(&device).unwrap();
    raw.make_raw();
    tcsetattr(&device, OptionalActions::Now, &raw).unwrap();
    let (reply, _person) = ask(a_question(), person, &device, |person, _, _| {
        person.waits_for("> ");
        person.types(b"a\r");
    });
    assert_eq!(reply, answer(Answer::AllowOnce));
    let after = tcgetattr(&device).unwrap();
    assert_eq!(after.local_modes, raw.local_modes);
    assert_eq!(after.input_modes, raw.input_modes);
    assert_eq!(after.output_modes, raw.output_modes);
    assert!(!after.local_modes.contains(LocalModes::ECHO));
}

/// A clock that moves whenever it is looked at.
struct Ticking(StillClock);

impl Clock for Ticking {
    fn now(&self) -> Moment {
        self.0.advance(Duration::from_millis(100));
        self.0.now()
    }
    fn wall_ms(&self) -> i64 {
        0
    }
}

#[test]
fn a_stopped_screen_does_not_hold_the_question_past_its_deadline() {
    let (person, device) = pair();
    let clock = Ticking(StillClock::at(Moment(0)));
    let mut terminal = Terminal::from_fd(device.try_clone().unwrap(), clock).unwrap();
    while rustix::io::write(&device, &[b'x'; 4096]).is_ok() {}
    let mut question = a_question();
    question.deadline = Moment(1_000);
    assert_eq!(terminal.ask(&question, &Cancel::new()), Reply::Silence);
    drop(person);
}

#[test]
fn what_is_not_a_terminal_is_not_asked() {
    let (reader, _writer) = std::io::pipe().unwrap();
    assert!(Terminal::from_fd(reader.into(), StillClock::at(Moment(0))).is_none());
}
