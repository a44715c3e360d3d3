//! SIGKILL while a question is open: of the desk, of the gate that asks, and of the desk while it hands an answer on.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::FileTypeExt as _;
use std::time::Instant;

use serde_json::{Value, json};

use crate::desk::{Desk, PATIENCE, list, refusal, scene, wait_for_a_question};
use crate::harness::{Outcome, TestBox, call};

fn delete(name: &str) -> String {
    call(name, "delete_file", json!({"path": name}))
}

fn ask(test: &TestBox, name: &str) -> Outcome {
    test.run(&["call", "-", "--json"], delete(name))
}

/// Waits until so many questions stand, and gives their ids.
fn standing(test: &TestBox, count: usize) -> Vec<String> {
    let end = Instant::now() + PATIENCE;
    loop {
        let asked = list(test);
        if asked.len() == count {
            let id = |asked: &Value| asked["id"].as_str().unwrap().to_owned();
            return asked.iter().map(id).collect();
        }
        assert!(Instant::now() < end, "{asked:?} in place of {count}");
    }
}

/// The books of the log, which has to add up and to be whole.
fn books(test: &TestBox) -> Value {
    let found = test.run(&["log", "reconcile", "--json"], "");
    found.assert_code(0);
    test.run(&["log", "verify"], "").assert_code(0);
    found.json().remove(0)
}

#[test]
fn a_desk_that_is_killed_refuses_what_stood_there_and_the_next_one_knows_nothing_of_it() {
    let test = scene();
    test.write("work/a", "a");
    test.write("work/b", "b");
    let mut desk = Desk::start(&test, &[]);
    let (outcomes, ids) = std::thread::scope(|threads| {
        let calls = ["a", "b"].map(|name| {
            let test = &test;
            threads.spawn(move || ask(test, name))
        });
        let ids = standing(&test, 2);
        desk.end();
        (calls.map(|calling| calling.join().unwrap()), ids)
    });
    for outcome in &outcomes {
        outcome.assert_code(1);
        let refused = (String::from("no_approver"), String::from("no_approver"));
        assert_eq!(refusal(&test, outcome), refused);
        assert!(outcome.stderr.contains("nobody was asked"), "{}", outcome.stderr);
    }
    assert!(test.work().join("a").exists() && test.work().join("b").exists());
    let found = books(&test);
    assert_eq!((&found["submitted"], &found["refused"]), (&json!(2), &json!(2)));
    assert_eq!(found["undecided"], json!([]));

    // What it left behind answers nobody.
    for socket in ["gates.sock", "people.sock"] {
        let left = fs::metadata(desk.place.join(socket)).unwrap();
        assert!(left.file_type().is_socket(), "{socket}");
    }
    let stale = ask(&test, "a");
    assert_eq!(stale.json()[0]["refusal"], "no_approver");
    assert!(stale.stderr.contains("the desk has died"), "{}", stale.stderr);

    // The next desk takes the place over, and has none of the old questions.
    let _desk = Desk::start(&test, &[]);
    assert!(list(&test).is_empty());
    for id in &ids {
        let late = test.run(&["ask", "allow", id], "");
        late.assert_code(1);
        assert!(
            late.stderr.contains("no such question is open"),
            "{}",
            late.stderr
        );
    }
    assert!(test.work().join("a").exists() && test.work().join("b").exists());
    let outcome = std::thread::scope(|threads| {
        let calling = threads.spawn(|| ask(&test, "a"));
        let anew = standing(&test, 1).remove(0);
        assert!(!ids.contains(&anew));
        // An old yes is none to the new question, which stays until it has its own.
        test.run(&["ask", "allow", &ids[0]], "").assert_code(1);
        assert_eq!(standing(&test, 1).remove(0), anew);
        test.run(&["ask", "allow", &anew], "").assert_code(0);
        calling.join().unwrap()
    });
    outcome.assert_code(0);
    assert!(!test.work().join("a").exists() && test.work().join("b").exists());
    let found = books(&test);
    assert_eq!((&found["submitted"], &found["refused"]), (&json!(4), &json!(3)));
    assert_eq!(found["finished"]["done"], json!(1));
}

#[test]
fn a_gate_that_is_killed_takes_its_question_along_and_nothing_of_it_runs() {
    let test = scene();
    test.write("work/a", "a");
    let _desk = Desk::start(&test, &[]);
    test.write("delete.jsonl", &delete("a"));
    let mut child = test.command(&["call", "../delete.jsonl"]).spawn().unwrap();
    let id = standing(&test, 1).remove(0);
    child.kill().unwrap();
    child.wait().unwrap();
    standing(&test, 0);
    let late = test.run(&["ask", "allow", &id], "");
    late.assert_code(1);
    assert!(late.stderr.contains("does not wait any more"), "{}", late.stderr);
    assert!(test.work().join("a").exists());
    let found = books(&test);
    assert_eq!(found["undecided"].as_array().unwrap().len(), 1);
    assert_eq!(found["finished"]["done"], json!(0));

    // The very same call is asked about anew, and the old answer is not its own.
    let outcome = std::thread::scope(|threads| {
        let calling = threads.spawn(|| ask(&test, "a"));
        let anew = standing(&test, 1).remove(0);
        assert_ne!(anew, id);
        test.run(&["ask", "allow", &id], "").assert_code(1);
        test.run(&["ask", "deny", &anew], "").assert_code(0);
        calling.join().unwrap()
    });
    assert_eq!(outcome.json()[0]["refusal"], "denied_by_human");
    assert!(test.work().join("a").exists());
    books(&test);
}

/// Whether the answer got through is the machine's to say. The call runs when it did, and is refused when it did not, and the
/// log says the same.
#[test]
fn an_answer_that_a_killed_desk_may_have_handed_on_is_whole_or_none() {
    const ROUNDS: usize = 8;
    let test = scene();
    let mut ran = 0;
    for _ in 0..ROUNDS {
        test.write("work/a", "a");
        let mut desk = Desk::start(&test, &[]);
        let outcome = std::thread::scope(|threads| {
            let calling = threads.spawn(|| ask(&test, "a"));
            let asked = wait_for_a_question(&test);
            let answer =
                json!({"v": 2, "say": {"answer": {"id": asked["id"], "answer": {"allow_once": {}}}}});
            let mut people = desk.connect("people.sock");
            people.write_all(format!("{answer}\n").as_bytes()).unwrap();
            desk.end();
            calling.join().unwrap()
        });
        let said = outcome.json().remove(0);
        let is_gone = !test.work().join("a").exists();
        match said["refusal"].as_str() {
            None => outcome.assert_code(0),
            Some(word) => {
                assert_eq!(word, "no_approver");
                outcome.assert_code(1)
            }
        };
        assert_eq!(is_gone, said["refusal"].is_null(), "{outcome:?}");
        ran += usize::from(is_gone);
    }
    let found = books(&test);
    assert_eq!(found["submitted"], json!(ROUNDS));
    assert_eq!(found["finished"]["done"], json!(ran));
    assert_eq!(found["refused"], json!(ROUNDS - ran));
    assert_eq!(
        (&found["unfinished"], &found["undecided"]),
        (&json!([]), &json!([]))
    );
}
