use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;

use rstest::rstest;

use super::*;
use crate::{Offers, StillClock};

const ID: &str = "0123456789abcdef0123456789abcdef";

fn question() -> Question {
    Question {
        id: QuestionId::claimed(ID),
        call: "c1".to_owned(),
        tool: "delete_file".to_owned(),
        agent: None,
        commands: Vec::new(),
        effects: vec!["delete /w/a".to_owned()],
        facts: Vec::new(),
        places: Vec::new(),
        causes: Vec::new(),
        offers: Offers::default(),
        deadline: Moment(60_000),
    }
}

/// What the gate makes of a desk that says `early` before the gate has said a word, and `late` once it has asked.
fn heard(early: &str, late: &str) -> Result<Reply, Over> {
    let (ours, mut theirs) = UnixStream::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    theirs.write_all(early.as_bytes()).unwrap();
    let desk = Desk::at("/nowhere", StillClock::at(Moment(0)));
    std::thread::scope(|threads| {
        threads.spawn(move || {
            let mut asked = String::new();
            let _reset = BufReader::new(&theirs).read_line(&mut asked);
            // A gate that did not ask is gone.
            let _unheard = theirs.write_all(late.as_bytes());
        });
        desk.converse_over(ours.into(), &question(), &Cancel::new())
    })
}

/// Everything is right but the time at which its first bytes were said: before there was anything to answer.
#[rstest]
#[case::nothing(0, true)]
#[case::a_byte(1, false)]
#[case::half_a_line(20, false)]
#[case::all_of_it(usize::MAX, false)]
fn what_a_desk_says_before_it_is_asked_is_no_answer(#[case] early: usize, #[case] counts: bool) {
    let waiting =
        serde_json::to_string(&serde_json::json!({"v": 2, "say": {"waiting": {"id": ID}}})).unwrap();
    let answer = serde_json::json!({"v": 2, "say": {"answer": {"id": ID, "answer": {"allow_once": {}}}}});
    let said = format!("{waiting}\n{answer}\n");
    let (early, late) = said.split_at(early.min(said.len()));
    let reply = heard(early, late);
    let expected = match counts {
        true => Ok(Reply::Answer {
            question: QuestionId::claimed(ID),
            answer: Answer::AllowOnce,
            reviewer: false,
        }),
        false => Err(Over::Trouble(Trouble::Unreadable)),
    };
    assert_eq!(reply, expected);
}
