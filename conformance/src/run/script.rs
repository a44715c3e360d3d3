//! What a person, or the wire to one, does.

use super::approver::Approver;
use super::events::Talk;
use crate::fixture::{BRIEFLY_MS, Verb};

fn answer(ask: &str, verdict: &str) -> Vec<u8> {
    let line = serde_json::json!({"answer": {"ask": ask, "verdict": verdict}});
    format!("{line}\n").into_bytes()
}

/// What is done when a question arrives. `Cancel` and `Late` go on after the result.
pub(crate) fn on_question(
    approver: &mut Approver,
    talk: Talk,
    verb: Verb,
    ask: &str,
    previous: Option<&str>,
) {
    match verb {
        Verb::AllowOnce => approver.write(talk, &answer(ask, "allow_once")),
        Verb::AllowAlways => approver.write(talk, &answer(ask, "allow_always")),
        Verb::AllowBriefly => {
            let brief = serde_json::json!({"answer": {"ask": ask, "verdict": "allow_for", "ms": BRIEFLY_MS}});
            approver.write(talk, format!("{brief}\n").as_bytes());
        }
        Verb::Deny => approver.write(talk, &answer(ask, "deny")),
        Verb::Maybe => approver.write(talk, &answer(ask, "yes")),
        Verb::WrongId => approver.write(talk, &answer(&format!("{ask}-0"), "allow_once")),
        Verb::Stale => approver.write(talk, &answer(previous.unwrap_or(""), "allow_once")),
        Verb::Crossed => match previous {
            Some(other) => approver.write(talk, &answer(other, "allow_once")),
            None => approver.write(talk, &answer(&format!("{ask}-0"), "allow_once")),
        },
        Verb::Garbage => approver.write(talk, b"allow_once\x00\xff yes\n{\"answer\":\"allow_once\"}\n"),
        Verb::Hangup => approver.hang_up(talk),
        Verb::Half => {
            let whole = answer(ask, "allow_once");
            approver.write(talk, whole.get(..whole.len() - 4).unwrap_or_default());
            approver.hang_up(talk);
        }
        Verb::Twice => {
            let mut both = answer(ask, "deny");
            both.extend(answer(ask, "allow_once"));
            approver.write(talk, &both);
        }
        Verb::Flood => approver.write(talk, &vec![b'y'; 1 << 20]),
        Verb::Silence | Verb::Early | Verb::Late | Verb::Cancel => {}
    }
}

/// What is done as soon as somebody connects.
pub(crate) fn on_connection(approver: &mut Approver, talk: Talk, next: Option<Verb>, previous: Option<&str>) {
    if next == Some(Verb::Early) {
        for guess in guesses(previous) {
            approver.write(talk, &answer(&guess, "allow_once"));
        }
    }
}

/// What is done when the result is there.
pub(crate) fn afterwards(approver: &mut Approver, talk: Talk, verb: Verb, ask: &str) {
    if matches!(verb, Verb::Late | Verb::Cancel | Verb::Silence) {
        approver.write(talk, &answer(ask, "allow_once"));
    }
}

/// Ids that the next question may have, when ids can be guessed.
fn guesses(previous: Option<&str>) -> Vec<String> {
    let mut guesses = vec![String::new(), "a-1".to_owned(), "1".to_owned(), "0".to_owned()];
    if let Some(previous) = previous {
        let stem = previous.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let number = previous
            .strip_prefix(stem)
            .and_then(|digits| digits.parse::<u64>().ok());
        guesses.extend(number.map(|number| format!("{stem}{}", number.saturating_add(1))));
    }
    guesses
}
