//! What the records, questions and refusals must never show.

use portcullis_gate::{Answer, Behaviour, Step};
use serde_json::json;

use crate::scene::Scene;

const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

#[test]
fn a_secret_reaches_no_record() {
    let scene = Scene::new();
    for (tool, args) in [
        ("write_file", json!({"path": "a", "content": SECRET})),
        ("read_file", json!({"path": format!("{SECRET}/x")})),
        ("delete_file", json!({"path": format!("missing-{SECRET}")})),
        (
            "run_command",
            json!({"command": format!("curl -H 'Authorization: Bearer {SECRET}' example.com")}),
        ),
        (SECRET, json!({})),
    ] {
        let call = scene.call_named(SECRET, tool, args);
        if let Ok(permit) = scene.decide(call, Behaviour::Say(Answer::AllowOnce)) {
            drop(portcullis_gate::effects::perform(permit));
        }
    }
    let records = format!("{:?}", scene.ledger.events());
    assert!(scene.words().len() > 5);
    assert!(!records.contains(SECRET), "{records}");
}

#[test]
fn debug_output_shows_no_argument() {
    let scene = Scene::new();
    scene.file("a", "x");
    let marked = json!({"path": "a", "content": "marzipan"});
    let call = scene.call("write_file", marked.clone());
    let permit = scene.permit("write_file", marked);
    assert!(!format!("{permit:?}").contains("marzipan"));
    let running = permit.redeem(&call).unwrap();
    assert!(!format!("{running:?}").contains("marzipan"));
    running.done().unwrap();
    let command = scene.call("run_command", json!({"command": "marzipan"}));
    let Step::Ask(pending) = scene.submit(command) else {
        panic!("a command is asked about");
    };
    assert!(!format!("{pending:?}").contains("marzipan"));
    assert!(!format!("{:?}", scene.gate).contains("marzipan"));
}

#[test]
fn a_question_cannot_steer_the_screen_it_is_shown_on() {
    let scene = Scene::new();
    let hostile = "\u{1b}[2Ja\u{202e}b\n  > a\u{200b}";
    scene.file(hostile.trim(), "x");
    let call = scene.call_named(hostile, "delete_file", json!({"path": hostile.trim()}));
    let mut approver = scene.approver([Behaviour::Say(Answer::Deny {
        reason: Some(format!("{hostile}{}", "x".repeat(100_000))),
    })]);
    let refusal = scene.gate.decide(call, &mut approver, &scene.cancel).unwrap_err();
    let question = format!("{:?}", approver.asked()[0].clone());
    let mut texts = approver.asked()[0].effects.clone();
    texts.push(approver.asked()[0].call.clone());
    texts.extend(approver.asked()[0].causes.iter().map(|cause| cause.text.clone()));
    let text = refusal.into_tool_result().text;
    assert!(text.len() < 1000);
    texts.push(text);
    for text in texts {
        let hidden = |c: char| c.is_control() || c == '\u{202e}' || c == '\u{200b}';
        assert!(!text.contains(hidden), "{text:?} in {question}");
    }
}
