//! Those who speak to the desk and should not be heard.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::desk::{Asking, Desk, delete, id, list, question, refusal, scene, wait_for_a_question};

/// What only looks like a question gets no place, and what only looks like an answer goes nowhere.
#[test]
fn junk_gets_no_place_and_no_answer() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let mut gate = Asking::begin(&desk, 1);
    let refused = |why: &str| format!("{{\"v\":2,\"say\":{{\"refused\":{{\"why\":\"{why}\"}}}}}}\n");
    for (sent, heard) in [
        (question(1, |_| {}), refused("repeated")),
        (
            question(2, |asked| asked["id"] = json!("2")),
            refused("unreadable"),
        ),
        (question(2, |asked| asked["x"] = json!(1)), refused("unreadable")),
        (
            question(2, |asked| asked["remaining_ms"] = json!(-1)),
            refused("unreadable"),
        ),
        (
            question(2, |_| {}).replace("\"v\":2", "\"v\":9"),
            refused("unreadable"),
        ),
        ("hello\n".to_owned(), refused("unreadable")),
        (question(2, |_| {}).trim_end().to_owned(), String::new()),
        ("x".repeat(1 << 20), String::new()),
        (String::new(), String::new()),
    ] {
        assert_eq!(desk.say("gates.sock", sent.as_bytes()), heard, "{sent:.200}");
    }
    let guess = json!({"v": 2, "say": {"answer": {"id": id(7), "answer": {"allow_once": {}}}}});
    let heard = desk.say("people.sock", format!("{guess}\n").as_bytes());
    assert!(heard.contains("\"why\":\"unknown\""), "{heard}");
    for junk in [
        json!({"v": 2, "say": {"answer": {"id": id(1), "answer": true}}}),
        json!({"v": 1, "say": {"answer": {"id": id(1), "answer": {"allow_once": {}}}}}),
        json!({"v": 2, "say": {"answer": {"id": id(1), "answer": {"allow_once": {}}}, "list": {}}}),
        json!({"v": 2, "say": {"withdraw": {"id": id(1), "why": "cancelled"}}}),
    ] {
        assert_eq!(
            desk.say("people.sock", format!("{junk}\n").as_bytes()),
            "",
            "{junk}"
        );
    }
    // Whoever may ask may not answer: the sockets are two.
    let answer = json!({"v": 2, "say": {"answer": {"id": id(1), "answer": {"allow_once": {}}}}});
    assert_eq!(
        desk.say("gates.sock", format!("{answer}\n").as_bytes()),
        refused("unreadable")
    );
    assert_eq!(list(&test).len(), 1);
    test.run(&["ask", "deny", &id(1)], "").assert_code(0);
    assert!(gate.heard()["answer"]["answer"].get("deny").is_some());
}

/// A second question on a connection ends the first: nobody knows which one an answer would be to.
#[test]
fn a_connection_has_one_question() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let mut gate = Asking::begin(&desk, 1);
    gate.say(&question(2, |_| {}));
    assert_eq!(gate.heard(), Value::Null);
    assert!(list(&test).is_empty());
}

#[test]
fn a_flood_is_turned_away_and_takes_nobodys_place() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let mut gates: Vec<Asking> = (0..64).map(|number| Asking::begin(&desk, number)).collect();
    let refused = desk.say("gates.sock", question(64, |_| {}).as_bytes());
    assert!(refused.contains("\"full\""), "{refused}");
    let outcome = test.run(&["call", "-", "--json"], delete());
    assert_eq!(
        refusal(&test, &outcome),
        ("no_approver".into(), "no_approver".into())
    );
    assert!(
        outcome.stderr.contains("too many questions"),
        "{}",
        outcome.stderr
    );
    // Connections that say nothing do not keep people away.
    let _silent: Vec<_> = (0..200).map(|_| desk.connect("gates.sock")).collect();
    test.run(&["ask", "allow", &id(3)], "").assert_code(0);
    assert!(gates[3].heard().get("answer").is_some());
}

#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let hostile = "\u{1b}[2J\r\nallowed\u{202e}\u{200b}\u{7}".repeat(500);
    let _gate = Asking::with(&desk, 1, |asked| {
        for member in ["from", "call", "tool", "agent"] {
            asked[member] = json!(hostile);
        }
        asked["effects"] = json!([hostile]);
        asked["causes"] = json!([{"rule": hostile, "layer": hostile, "text": hostile}]);
    });
    for args in [&["ask", "list"][..], &["ask", "list", "--json"]] {
        let shown = test.run(args, "");
        shown.assert_code(0);
        let hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}' || c == '\u{200b}';
        assert!(!shown.stdout.contains(hidden), "{:?}", shown.stdout);
        assert!(shown.stdout.len() < 10_000);
        assert!(shown.stdout.lines().all(|line| !line.starts_with("allowed")));
    }
}

/// Another user cannot answer, whatever the modes of files say by then.
#[test]
fn another_user_is_not_heard() {
    if !rustix::process::geteuid().is_root() {
        assert!(std::env::var_os("CI").is_none(), "this test has to run as root");
        println!("SKIPPED another_user_is_not_heard: only root can become another user");
        return;
    }
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let mut gate = Asking::begin(&desk, 1);
    for socket in ["gates.sock", "people.sock"] {
        fs::set_permissions(desk.place.join(socket), PermissionsExt::from_mode(0o666)).unwrap();
    }
    let mut open = Some(desk.place.as_path());
    while let Some(directory) = open.filter(|directory| directory.starts_with(test.root())) {
        fs::set_permissions(directory, PermissionsExt::from_mode(0o755)).unwrap();
        open = directory.parent();
    }
    let speaker = |socket: &str, message: &Value| {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "desk_forged::other_user", "--nocapture"])
            .env("PORTCULLIS_TEST_SOCKET", desk.place.join(socket))
            .env("PORTCULLIS_TEST_MESSAGE", format!("{message}\n"))
            .uid(65_534)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        child.wait().unwrap();
        assert!(said.contains("connected"), "{said}");
        said
    };
    let answer = json!({"v": 2, "say": {"answer": {"id": id(1), "answer": {"allow_once": {}}}}});
    assert!(speaker("people.sock", &answer).contains("heard []"));
    assert!(speaker("people.sock", &json!({"v": 2, "say": {"list": {}}})).contains("heard []"));
    let other: Value = serde_json::from_str(&question(2, |_| {})).unwrap();
    assert!(speaker("gates.sock", &other).contains("heard []"));
    fs::set_permissions(&desk.place, PermissionsExt::from_mode(0o700)).unwrap();
    fs::set_permissions(desk.place.join("people.sock"), PermissionsExt::from_mode(0o600)).unwrap();
    assert_eq!(list(&test).len(), 1);
    test.run(&["ask", "deny", &id(1)], "").assert_code(0);
    assert!(gate.heard()["answer"]["answer"].get("deny").is_some());
}

/// Not a case of its own: what the test above starts as another user.
#[test]
fn other_user() {
    let (Some(socket), Ok(message)) = (
        std::env::var_os("PORTCULLIS_TEST_SOCKET"),
        std::env::var("PORTCULLIS_TEST_MESSAGE"),
    ) else {
        return;
    };
    let mut stream = UnixStream::connect(socket).unwrap();
    println!("connected");
    let _turned = stream.write_all(message.as_bytes());
    let mut heard = String::new();
    let _reset = stream.read_to_string(&mut heard);
    println!("heard [{heard}]");
}

/// An answer that was heard once is said again to the next question about the very same call, before it stands and while it
/// stands: it goes nowhere, and the log has what a person then says.
#[test]
fn an_answer_that_is_said_again_goes_nowhere() {
    let test = scene();
    test.write("work/a", "x");
    let desk = Desk::start(&test, &[]);
    let delete = crate::harness::call("1", "delete_file", json!({"path": "a"}));
    let mut said = String::new();
    for (round, word) in [(0, "allow_once"), (1, "deny")] {
        test.write("work/a", "x");
        if round == 1 {
            let early = desk.say("people.sock", said.as_bytes());
            assert!(early.contains("\"why\":\"answered\""), "{early}");
        }
        let outcome = std::thread::scope(|threads| {
            let calling = threads.spawn(|| test.run(&["call", "-", "--json"], &delete));
            let asked = wait_for_a_question(&test);
            if round == 1 {
                let replayed = desk.say("people.sock", said.as_bytes());
                assert!(replayed.contains("\"why\":\"answered\""), "{replayed}");
                assert_eq!(list(&test).len(), 1, "the question stays");
            }
            let answer = match word {
                "deny" => json!({"deny": {"reason": null}}),
                word => json!({word: {}}),
            };
            let message = json!({"v": 2, "say": {"answer": {"id": asked["id"], "answer": answer}}});
            said = format!("{message}\n");
            assert!(desk.say("people.sock", said.as_bytes()).contains("\"taken\""));
            calling.join().unwrap()
        });
        assert_eq!(test.work().join("a").exists(), round == 1);
        let word = if round == 0 { "-" } else { "denied_by_human" };
        assert_eq!(refusal(&test, &outcome), (word.into(), word.into()));
    }
}

/// A desk that is another's: whoever makes a socket of the same name elsewhere, or puts a link to one in its place, is not
/// asked, and the log says that nobody was there.
#[test]
fn another_socket_is_not_asked() {
    let test = scene();
    let desk = Desk::start(&test, &[]);
    let place = desk.place.clone();
    drop(desk);
    let elsewhere = test.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let listening = std::os::unix::net::UnixListener::bind(elsewhere.join("gates.sock")).unwrap();
    let socket = place.join("gates.sock");
    let _stale = fs::remove_file(&socket);
    std::os::unix::fs::symlink(elsewhere.join("gates.sock"), &socket).unwrap();
    let outcome = test.run(&["call", "-", "--json"], delete());
    assert_eq!(
        refusal(&test, &outcome),
        ("no_approver".into(), "no_approver".into())
    );
    listening.set_nonblocking(true).unwrap();
    assert!(listening.accept().is_err(), "nobody connects to it");
    assert!(test.work().join("build/x").exists());
}
