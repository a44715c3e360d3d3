//! Secrets that commands are told reach nothing that is shown or kept.

use portcullis_classify::Toolbox;
use portcullis_gate::{Answer, Behaviour, Moment, Step, StillClock};
use serde_json::json;

use crate::scene::Scene;

const SPELLINGS: &str = include_str!("spellings.txt");
const SECRETS: [(&str, &str); 6] = [
    ("{s}", "Hunter2xq9"),
    ("{s2}", "Marzipan77"),
    (
        "{jwt}",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijklmnopqrstuvwx",
    ),
    ("{aws}", "AKIAIOSFODNN7EXAMPL3"),
    ("{gh}", "ghp_0123456789abcdefghijABCDEFGHIJ012345"),
    (
        "{key}",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAK\n-----END RSA PRIVATE KEY-----",
    ),
];
/// What of them must not be seen anywhere.
const TRACES: [&str; 6] = [
    "Hunter2", "Marzipan", "eyJhbGci", "AKIAIOSF", "ghp_0123", "MIIBOgIB",
];

fn commands() -> impl Iterator<Item = String> {
    SPELLINGS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let line = line.replace("\\n", "\n");
            SECRETS
                .iter()
                .fold(line, |line, (place, secret)| line.replace(place, secret))
        })
}

fn assert_clean(shown: &str, command: &str) {
    for trace in TRACES {
        assert!(!shown.contains(trace), "{trace} of\n{command}\nis in\n{shown}");
    }
}

#[test]
fn no_spelling_of_a_secret_is_shown_or_kept() {
    let mut count = 0;
    let clock = StillClock::at(Moment(0));
    let scene = Scene::built(
        Toolbox::standard(),
        Vec::new(),
        clock.clone(),
        clock,
        |settings| {
            settings.breaker.in_a_row = usize::MAX;
            settings.breaker.among_recent = usize::MAX;
            settings.breaker.same_intent = usize::MAX;
        },
    );
    let mut recorded = 0;
    for command in commands() {
        assert!(TRACES.iter().any(|trace| command.contains(trace)), "{command}");
        let call = || scene.call("run_command", json!({"command": command}));
        let mut approver = scene.approver([Behaviour::Say(Answer::Deny { reason: None })]);
        let decided = scene.gate.decide(call(), &mut approver, &scene.cancel);
        for question in approver.asked() {
            assert_clean(&format!("{question:?}"), &command);
            assert!(!question.effects.is_empty());
        }
        match decided {
            Ok(permit) => assert_clean(&format!("{permit:?} {:?}", permit.effects()), &command),
            Err(refusal) => {
                assert_clean(&format!("{refusal:?} {refusal}"), &command);
                assert_clean(&refusal.into_tool_result().text, &command);
            }
        }
        if let Step::Ask(pending) = scene.submit(call()) {
            assert_clean(&format!("{pending:?} {:?}", pending.question()), &command);
        }
        let events = scene.ledger.events();
        assert!(events.len() > recorded);
        assert_clean(&format!("{:?}", events.get(recorded..)), &command);
        recorded = events.len();
        count += 1;
    }
    assert_clean(&format!("{:?}", scene.gate), "all");
    assert!(count >= 270, "{count}");
}
