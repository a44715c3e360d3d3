//! A bad wire: a subject's answers, spoiled on their way. The suite has to see it.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::process::ExitCode;

use serde_json::Value;

use crate::os::process;
use crate::{Error, ErrorKind};

/// The ways of spoiling an answer.
pub(crate) const WAYS: [&str; 5] = ["flip", "drop", "delay", "duplicate", "wrong-id"];

/// The way that spoils nothing: what is seen of the others is theirs, and not the wire's.
pub(crate) const UNTOUCHED: &str = "untouched";

/// Stands between the runner and a subject, and spoils results and judgements.
///
/// # Errors
/// There is no such way, or the subject does not start.
pub(crate) fn mutate(way: &str, command: &[OsString]) -> Result<ExitCode, Error> {
    if way != UNTOUCHED && !WAYS.contains(&way) {
        let what = format!("`{way}` is none of {UNTOUCHED}, {}", WAYS.join(", "));
        return Err(Error::new(ErrorKind::Usage, what));
    }
    let mut child = process::start_with_same_surroundings(command)?;
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        return Ok(ExitCode::FAILURE);
    };
    std::thread::spawn(move || std::io::copy(&mut std::io::stdin().lock(), &mut stdin));
    let mut held = None;
    for line in BufReader::new(stdout).split(b'\n') {
        let Ok(line) = line else { break };
        let out = spoil(way, &line, &mut held);
        let mut stdout = std::io::stdout().lock();
        let told = out
            .iter()
            .try_for_each(|line| stdout.write_all(line).and_then(|()| stdout.write_all(b"\n")))
            .and_then(|()| stdout.flush());
        if told.is_err() {
            break;
        }
    }
    let status = child.wait();
    let code = status.ok().and_then(|status| status.code());
    Ok(ExitCode::from(
        code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
    ))
}

/// What is passed on in place of a line. `held`: the answer before, for `delay`.
fn spoil(way: &str, line: &[u8], held: &mut Option<Vec<u8>>) -> Vec<Vec<u8>> {
    let same = || vec![line.to_vec()];
    let Ok(mut message) = serde_json::from_slice::<Value>(line) else {
        return same();
    };
    let kind = ["result", "judged"]
        .into_iter()
        .find(|kind| way != UNTOUCHED && message.get(kind).is_some());
    let Some(answer) = kind.and_then(|kind| message.get_mut(kind)) else {
        return same();
    };
    match way {
        "drop" => Vec::new(),
        "duplicate" => vec![line.to_vec(), line.to_vec()],
        // Each answer comes in place of the next one.
        "delay" => held.replace(line.to_vec()).into_iter().collect(),
        "flip" => {
            let flipped = match answer.get("decision").and_then(Value::as_str) {
                Some("allow") => "deny",
                _ => "allow",
            };
            set(answer, "decision", flipped);
            vec![message.to_string().into_bytes()]
        }
        _ => {
            set(answer, "id", "c-0");
            vec![message.to_string().into_bytes()]
        }
    }
}

fn set(answer: &mut Value, name: &str, value: &str) {
    if let Some(member) = answer.get_mut(name) {
        *member = Value::String(value.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::{UNTOUCHED, WAYS, spoil};

    const ANSWER: &str =
        r#"{"result":{"decision":"allow","executed":true,"id":"c-1","output":"x","reason":"policy"}}"#;

    #[test]
    fn each_way_does_what_it_is_named_for() {
        let through = |way: &str, line: &str, held: &mut Option<Vec<u8>>| {
            let lines = spoil(way, line.as_bytes(), held);
            let texts = lines.into_iter().map(|line| String::from_utf8(line).unwrap());
            texts.collect::<Vec<_>>()
        };
        let spoiled = |way: &str| through(way, ANSWER, &mut None);
        assert_eq!(spoiled(UNTOUCHED), [ANSWER]);
        assert_eq!(spoiled("flip"), [ANSWER.replace("allow", "deny")]);
        assert_eq!(spoiled("drop"), [""; 0]);
        assert_eq!(spoiled("duplicate"), [ANSWER, ANSWER]);
        assert_eq!(spoiled("wrong-id"), [ANSWER.replace("c-1", "c-0")]);
        let mut held = None;
        let second = ANSWER.replace("c-1", "c-2");
        assert_eq!(through("delay", ANSWER, &mut held), [""; 0]);
        assert_eq!(through("delay", &second, &mut held), [ANSWER]);
        // Everything but answers goes through.
        for way in WAYS {
            let closed = r#"{"closed":{"session":"s"}}"#;
            assert_eq!(through(way, closed, &mut None), [closed]);
        }
    }
}
