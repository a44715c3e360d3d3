//! A gate before a desk that is honest, hostile or dead. None but the honest one gets a call to run.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use portcullis_gate::desk::wire::{
    Answered, Asked, FromGate, Named, Said, ToGate, Turned, TurnedWhy, line, read,
};
use portcullis_gate::desk::{Desk, Trouble};
use portcullis_gate::{Permit, Refusal, RefusalKind, effects};
use rstest::rstest;
use serde_json::json;

use crate::scene::Scene;

/// A directory as a desk has it.
pub(crate) fn room() -> tempfile::TempDir {
    let room = tempfile::tempdir().unwrap();
    std::fs::set_permissions(room.path(), PermissionsExt::from_mode(0o700)).unwrap();
    room
}

/// A socket in it as a desk has it.
pub(crate) fn listen(room: &tempfile::TempDir) -> UnixListener {
    let path = room.path().join("gates.sock");
    let listener = UnixListener::bind(&path).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o600)).unwrap();
    listener
}

/// The desk's end of one connection.
pub(crate) struct Peer {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Peer {
    pub(crate) fn accept(listener: &UnixListener) -> Self {
        let (stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        Self { stream, lines }
    }
    fn asked(&mut self) -> Asked {
        match self.heard() {
            Some(FromGate::Ask(asked)) => *asked,
            other => panic!("no question: {other:?}"),
        }
    }
    fn heard(&mut self) -> Option<FromGate> {
        let mut text = String::new();
        // A gate that goes in anger resets the connection.
        let _read = self.lines.read_line(&mut text);
        read(text.trim_end().as_bytes())
    }
    fn say(&mut self, message: &ToGate) {
        self.raw(&line(message));
    }
    /// Says it, if anybody listens any more.
    fn raw(&mut self, bytes: &[u8]) {
        let _unheard = self.stream.write_all(bytes);
    }
    fn waiting(&mut self, asked: &Asked) {
        self.say(&ToGate::Waiting(Named { id: asked.id.clone() }));
    }
}

fn yes(id: &str) -> ToGate {
    answer(id, Said::AllowOnce {})
}

fn answer(id: &str, answer: Said) -> ToGate {
    let id = id.to_owned();
    ToGate::Answer(Answered { id, answer })
}

struct Asking {
    result: Result<Permit, Refusal>,
    trouble: Option<Trouble>,
}

/// Submits a deletion to a gate that asks at the desk in this directory.
fn ask(scene: &Scene, directory: PathBuf) -> Asking {
    scene.file("a", "x");
    let mut desk = Desk::at(directory, scene.clock.clone()).working_at("here");
    let call = scene.call("delete_file", json!({"path": "a"}));
    let result = scene.gate.decide(call, &mut desk, &scene.cancel);
    Asking {
        result,
        trouble: desk.take_trouble(),
    }
}

/// The same, before a desk that does this with its end.
fn meet(scene: &Scene, desk: impl FnOnce(Peer) + Send) -> Asking {
    let room = room();
    let listener = listen(&room);
    thread::scope(|threads| {
        threads.spawn(|| desk(Peer::accept(&listener)));
        ask(scene, room.path().to_owned())
    })
}

#[test]
fn an_honest_yes_lets_the_call_run() {
    let scene = Scene::new();
    let asking = meet(&scene, |mut peer| {
        let asked = peer.asked();
        assert_eq!(
            (asked.from.as_str(), asked.tool.as_str()),
            ("here", "delete_file")
        );
        assert_eq!(asked.remaining_ms, 60_000);
        assert!(asked.effects[0].starts_with("delete /"), "{asked:?}");
        peer.waiting(&asked);
        peer.say(&yes(&asked.id));
    });
    assert_eq!(asking.trouble, None);
    assert!(!effects::perform(asking.result.unwrap()).unwrap().is_error);
    assert_eq!(scene.words(), ["asked", "permitted by Human", "done"]);
}

#[test]
fn a_no_brings_its_words_to_the_model() {
    let scene = Scene::new();
    let asking = meet(&scene, |mut peer| {
        let asked = peer.asked();
        peer.waiting(&asked);
        let reason = Some("use git rm\u{1b}[2J".to_owned());
        peer.say(&answer(&asked.id, Said::Deny { reason }));
    });
    let text = asking.result.unwrap_err().into_tool_result().text;
    assert_eq!(text, "not run: a person said no: use git rm\\u{1b}[2J");
    assert_eq!(scene.words(), ["asked", "refused denied_by_human by Human"]);
}

#[test]
fn a_standing_yes_is_kept_and_has_an_end() {
    let scene = Scene::new();
    let asking = meet(&scene, |mut peer| {
        let asked = peer.asked();
        peer.waiting(&asked);
        peer.say(&answer(
            &asked.id,
            Said::AllowAlways {
                lasts_s: u64::MAX,
                this_session: false,
                below: None,
                kept: false,
            },
        ));
    });
    drop(asking.result.unwrap());
    let [grant] = scene.gate.grants().try_into().unwrap();
    let longest = portcullis_gate::Scope::LONGEST;
    assert_eq!(
        grant.expires.since(portcullis_gate::Clock::now(&scene.clock)),
        longest
    );
}

/// What a desk can do wrong, what it is called, and what the call is refused with.
#[rstest]
#[case::hangs_up_at_once(|peer: Peer| drop(peer), Trouble::Closed, RefusalKind::NoApprover)]
#[case::hangs_up_on_the_question(|mut peer: Peer| drop(peer.asked()), Trouble::Closed, RefusalKind::NoApprover)]
#[case::hangs_up_later(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); }, Trouble::Closed, RefusalKind::NoApprover)]
#[case::full(|mut peer: Peer| { peer.asked(); peer.say(&ToGate::Refused(Turned { why: TurnedWhy::Full })); }, Trouble::Full, RefusalKind::NoApprover)]
#[case::answer_before_the_question(|mut peer: Peer| { peer.say(&yes("0123456789abcdef0123456789abcdef")); peer.heard(); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::answer_before_it_stands(|mut peer: Peer| { let asked = peer.asked(); peer.say(&yes(&asked.id)); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::another_stands(|mut peer: Peer| { let mut asked = peer.asked(); let id = asked.id.clone(); asked.id = id.replace(|_| true, "0"); peer.waiting(&asked); peer.say(&yes(&id)); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::half_a_message(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); let whole = line(&yes(&asked.id)); peer.raw(&whole[..whole.len() / 2]); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::all_but_the_end(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); let whole = line(&yes(&asked.id)); peer.raw(&whole[..whole.len() - 1]); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::two_answers(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); peer.say(&yes(&asked.id)); peer.say(&yes(&asked.id)); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::yes_and_no(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); peer.say(&yes(&asked.id)); peer.say(&answer(&asked.id, Said::Deny { reason: None })); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::something_behind(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); peer.say(&yes(&asked.id)); peer.raw(b"x"); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::another_version(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); let text = String::from_utf8(line(&yes(&asked.id))).unwrap(); peer.raw(text.replace("\"v\":2", "\"v\":1").as_bytes()); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::no_json(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); peer.raw(b"yes\n"); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::nothing_but_zeros(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); peer.raw(&[0; 64]); }, Trouble::Unreadable, RefusalKind::Fault)]
#[case::a_line_without_end(|mut peer: Peer| { let asked = peer.asked(); peer.waiting(&asked); peer.raw(&vec![b' '; 1 << 20]); }, Trouble::Unreadable, RefusalKind::Fault)]
fn no_desk_that_does_wrong_lets_a_call_run(
    #[case] desk: fn(Peer),
    #[case] trouble: Trouble,
    #[case] kind: RefusalKind,
) {
    let scene = Scene::new();
    let asking = meet(&scene, desk);
    assert_eq!(asking.result.unwrap_err().kind(), kind);
    assert_eq!(asking.trouble, Some(trouble));
    assert!(scene.is_there("a"));
    assert_eq!(
        scene.words(),
        ["asked".to_owned(), format!("refused {} by Nobody", kind.code())]
    );
}

/// A guessed id, and the id of a question that was answered before: the gate knows only its own.
#[test]
fn an_answer_to_another_question_is_a_fault() {
    let scene = Scene::new();
    let room = room();
    let listener = listen(&room);
    let mut before = String::from("0123456789abcdef0123456789abcdef");
    for round in 0..2 {
        let named = before.clone();
        let asking = thread::scope(|threads| {
            let peer = threads.spawn(|| {
                let mut peer = Peer::accept(&listener);
                let asked = peer.asked();
                peer.waiting(&asked);
                peer.say(&yes(&named));
                asked.id
            });
            let asking = ask(&scene, room.path().to_owned());
            before = peer.join().unwrap();
            asking
        });
        let refusal = asking.result.unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::Fault, "round {round}");
        assert_eq!(refusal.note(), Some("the answer was to another question"));
    }
    assert!(scene.is_there("a"));
}

/// Another connection of the same desk carries the yes that belongs here.
#[test]
fn an_answer_on_another_connection_counts_for_nobody() {
    let scene = Scene::new();
    let room = room();
    let listener = listen(&room);
    let mut other = Desk::at(room.path(), scene.clock.clone());
    thread::scope(|threads| {
        let first = threads.spawn(|| ask(&scene, room.path().to_owned()));
        let mut peer = Peer::accept(&listener);
        let asked = peer.asked();
        peer.waiting(&asked);
        let second = threads.spawn(|| {
            scene.file("b", "x");
            let call = scene.call_named("c2", "delete_file", json!({"path": "b"}));
            scene.gate.decide(call, &mut other, &scene.cancel)
        });
        let mut another = Peer::accept(&listener);
        let asked_there = another.asked();
        another.waiting(&asked_there);
        peer.say(&yes(&asked_there.id));
        another.say(&yes(&asked.id));
        drop((peer, another));
        assert_eq!(
            first.join().unwrap().result.unwrap_err().kind(),
            RefusalKind::Fault
        );
        assert_eq!(second.join().unwrap().unwrap_err().kind(), RefusalKind::Fault);
    });
    assert!(scene.is_there("a") && scene.is_there("b"));
}

/// The three ends that are nobody's no are told apart, here and on the desk.
#[rstest]
#[case::the_time_is_over(|scene: &Scene| scene.clock.advance(Duration::from_secs(61)), RefusalKind::Timeout, Some("timeout"))]
#[case::the_run_is_cancelled(|scene: &Scene| scene.cancel.raise(), RefusalKind::Cancelled, Some("cancelled"))]
fn deadline_and_cancellation_end_the_question(
    #[case] event: fn(&Scene),
    #[case] kind: RefusalKind,
    #[case] why: Option<&str>,
) {
    let scene = Scene::new();
    let asking = meet(&scene, |mut peer| {
        let asked = peer.asked();
        peer.waiting(&asked);
        event(&scene);
        let Some(FromGate::Withdraw(withdrawn)) = peer.heard() else {
            panic!("the gate says that it goes");
        };
        assert_eq!(withdrawn.id, asked.id);
        assert_eq!(serde_json::to_value(withdrawn.why).unwrap().as_str(), why);
        // Late: nobody is there to hear it.
        peer.say(&yes(&asked.id));
    });
    assert_eq!(asking.result.unwrap_err().kind(), kind);
    assert_eq!(asking.trouble, None);
    assert!(scene.is_there("a"));
}

/// An answer that is there when the time is over, or the run cancelled, is still late.
#[rstest]
#[case::late(|scene: &Scene| scene.clock.advance(Duration::from_secs(61)), RefusalKind::Timeout)]
#[case::cancelled(|scene: &Scene| scene.cancel.raise(), RefusalKind::Cancelled)]
fn a_yes_that_meets_the_end_of_the_question_is_none(#[case] event: fn(&Scene), #[case] kind: RefusalKind) {
    let scene = Scene::new();
    let asking = meet(&scene, |mut peer| {
        let asked = peer.asked();
        peer.waiting(&asked);
        event(&scene);
        peer.say(&yes(&asked.id));
    });
    assert_eq!(asking.result.unwrap_err().kind(), kind);
    assert!(scene.is_there("a"));
}

/// A stopped desk still has a kernel that accepts for it, and takes what fits into a buffer.
#[rstest]
#[case::says_nothing(false)]
#[case::does_not_end(true)]
fn a_desk_that_does_not_react_is_nobody(#[case] answers: bool) {
    let scene = Scene::new();
    let (open, closed) = std::sync::mpsc::channel::<()>();
    let asking = thread::scope(|threads| {
        let room = room();
        let listener = listen(&room);
        let scene = &scene;
        threads.spawn(move || {
            let mut peer = Peer::accept(&listener);
            let asked = peer.asked();
            if answers {
                peer.waiting(&asked);
                peer.say(&yes(&asked.id));
            }
            // The rest of the patience passes, wherever the gate stands by now.
            while closed.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
                scene.clock.advance(Duration::from_millis(1));
                thread::yield_now();
            }
        });
        let asking = ask(scene, room.path().to_owned());
        drop(open);
        asking
    });
    let (trouble, kind) = match answers {
        false => (Trouble::Mute, RefusalKind::NoApprover),
        true => (Trouble::Unreadable, RefusalKind::Fault),
    };
    // A still clock that runs may also reach the question's own end first.
    let refusal = asking.result.unwrap_err();
    assert!(
        refusal.kind() == kind || refusal.kind() == RefusalKind::Timeout,
        "{refusal}"
    );
    assert!(asking.trouble.is_none_or(|found| found == trouble));
    assert!(scene.is_there("a"));
}
