//! People behind a Unix socket.

use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use portcullis::{Answer, Approver, Cancel, Clock, Question, QuestionId, Reply, Scope, SystemClock};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::base64;

/// How long one look at the socket lasts: how late a cancellation or a deadline is seen.
const TICK: Duration = Duration::from_millis(10);
/// Longest answer in bytes.
const LONGEST: usize = 4096;
/// How long a lasting allow lasts; the session is over before that.
const ALWAYS: Duration = Duration::from_secs(60 * 60);

/// Puts the question about one call to the socket, in the words of whoever made the call.
pub(super) struct People<'a> {
    /// Nobody is there without one.
    pub(super) socket: Option<&'a Path>,
    pub(super) tool: &'a str,
    pub(super) args: &'a Value,
    pub(super) clock: &'a SystemClock,
    /// Whether there was a question.
    pub(super) asked: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Said<'a> {
    Ask(Ask<'a>),
}

#[derive(Serialize)]
struct Ask<'a> {
    id: &'a str,
    call: &'a str,
    tool: &'a str,
    args: &'a Value,
    paths: Vec<Value>,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Heard {
    Answer(Given),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    ask: String,
    verdict: Verdict,
    /// With `allow_for`, and with nothing else.
    ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    AllowOnce,
    AllowAlways,
    AllowFor,
    Deny,
}

impl Approver for People<'_> {
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply {
        self.asked = true;
        let Some(stream) = self.socket.and_then(|socket| UnixStream::connect(socket).ok()) else {
            return Reply::HungUp;
        };
        let wait = Wait {
            clock: self.clock,
            question,
            cancel,
        };
        // Whatever ends the talk is the reply; the connection closes with it.
        self.line(question)
            .and_then(|line| wait.write(&stream, &line))
            .and_then(|()| wait.hear(&stream))
            .unwrap_or_else(|reply| reply)
    }
}

impl People<'_> {
    fn line(&self, question: &Question) -> Result<Vec<u8>, Reply> {
        let ask = Ask {
            id: question.id.as_str(),
            call: &question.call,
            tool: self.tool,
            args: self.args,
            paths: question
                .places
                .iter()
                .map(|place| base64::path(place.as_bytes()))
                .collect(),
            text: text(question),
        };
        let mut line = serde_json::to_vec(&Said::Ask(ask)).map_err(|_| Reply::HungUp)?;
        line.push(b'\n');
        Ok(line)
    }
}

/// Everything that a person is shown. Each text in a question is safe to print.
fn text(question: &Question) -> String {
    let causes = question
        .causes
        .iter()
        .map(|cause| format!("because: {}", cause.text));
    let lines: Vec<String> = question.lines().into_iter().chain(causes).collect();
    lines.join("\n")
}

/// What a line means. The gate says whether it answers its question.
fn reply(line: &[u8]) -> Reply {
    let Ok(Heard::Answer(Given { ask, verdict, ms })) = serde_json::from_slice(line) else {
        return Reply::Unreadable;
    };
    let lasting = |lasts| Answer::AllowAlways(Scope::lasting(lasts).in_this_session());
    Reply::Answer {
        question: QuestionId::claimed(&ask),
        answer: match (verdict, ms) {
            (Verdict::AllowOnce, None) => Answer::AllowOnce,
            (Verdict::AllowAlways, None) => lasting(ALWAYS),
            (Verdict::AllowFor, Some(ms)) => lasting(Duration::from_millis(ms)),
            (Verdict::Deny, None) => Answer::Deny { reason: None },
            _ => return Reply::Unreadable,
        },
        reviewer: false,
    }
}

/// A question that is open.
struct Wait<'a> {
    clock: &'a SystemClock,
    question: &'a Question,
    cancel: &'a Cancel,
}

impl Wait<'_> {
    /// Goes on while the question is open.
    fn open(&self) -> Result<(), Reply> {
        if self.cancel.is_raised() {
            Err(Reply::Cancelled)
        } else if self.clock.now() > self.question.deadline {
            Err(Reply::Silence)
        } else {
            Ok(())
        }
    }

    fn write(&self, mut stream: &UnixStream, line: &[u8]) -> Result<(), Reply> {
        stream.set_write_timeout(Some(TICK)).map_err(broken)?;
        let mut rest = line;
        while !rest.is_empty() {
            self.open()?;
            match stream.write(rest) {
                Ok(0) => return Err(Reply::HungUp),
                Ok(written) => rest = rest.get(written..).unwrap_or_default(),
                Err(error) => patience(error)?,
            }
        }
        Ok(())
    }

    /// The first thing that comes which is about this question, or is about none at all. An answer that names
    /// another question is somebody else's.
    fn hear(&self, stream: &UnixStream) -> Result<Reply, Reply> {
        stream.set_read_timeout(Some(TICK)).map_err(broken)?;
        let mut heard = Vec::new();
        loop {
            let reply = reply(&self.line(stream, &mut heard)?);
            match &reply {
                Reply::Answer { question, .. } if *question != self.question.id => {}
                _ => return Ok(reply),
            }
        }
    }

    /// The next line, without its end. What came after it stays in `heard`.
    fn line(&self, mut stream: &UnixStream, heard: &mut Vec<u8>) -> Result<Vec<u8>, Reply> {
        let mut chunk = [0; LONGEST];
        loop {
            self.open()?;
            if let Some(end) = heard.iter().position(|byte| *byte == b'\n') {
                let rest = heard.split_off(end + 1);
                let mut line = std::mem::replace(heard, rest);
                line.pop();
                return Ok(line);
            }
            if heard.len() > LONGEST {
                return Err(Reply::Unreadable);
            }
            match stream.read(&mut chunk) {
                Ok(0) => return Err(Reply::HungUp),
                Ok(count) => heard.extend_from_slice(chunk.get(..count).unwrap_or_default()),
                Err(error) => patience(error)?,
            }
        }
    }
}

fn broken(_error: std::io::Error) -> Reply {
    Reply::HungUp
}

/// Nothing happened within a tick: look again. Everything else is a broken line.
fn patience(error: std::io::Error) -> Result<(), Reply> {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(()),
        _ => Err(broken(error)),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::once(r#"{"answer":{"ask":"q","verdict":"allow_once"}}"#, Answer::AllowOnce)]
    #[case::always(
        r#"{"answer":{"ask":"q","verdict":"allow_always"}}"#,
        Answer::AllowAlways(Scope::lasting(ALWAYS).in_this_session())
    )]
    #[case::for_a_time(
        r#"{"answer":{"ask":"q","verdict":"allow_for","ms":400}}"#,
        Answer::AllowAlways(Scope::lasting(Duration::from_millis(400)).in_this_session())
    )]
    #[case::deny(r#"{"answer":{"ask":"q","verdict":"deny"}}"#, Answer::Deny { reason: None })]
    fn an_answer_names_its_question(#[case] line: &str, #[case] expected: Answer) {
        let expected = Reply::Answer {
            question: QuestionId::claimed("q"),
            answer: expected,
            reviewer: false,
        };
        assert_eq!(reply(line.as_bytes()), expected);
    }

    #[rstest]
    #[case::empty("")]
    #[case::word("allow_once")]
    #[case::other_verdict(r#"{"answer":{"ask":"q","verdict":"yes"}}"#)]
    #[case::other_case(r#"{"answer":{"ask":"q","verdict":"Allow_Once"}}"#)]
    #[case::no_question(r#"{"answer":{"verdict":"allow_once"}}"#)]
    #[case::more(r#"{"answer":{"ask":"q","verdict":"allow_once","x":1}}"#)]
    #[case::no_time(r#"{"answer":{"ask":"q","verdict":"allow_for"}}"#)]
    #[case::time_without_an_end(r#"{"answer":{"ask":"q","verdict":"allow_once","ms":1}}"#)]
    #[case::two_messages(r#"{"answer":{"ask":"q","verdict":"allow_once"},"x":{}}"#)]
    #[case::member_twice(r#"{"answer":{"ask":"q","verdict":"deny","verdict":"allow_once"}}"#)]
    #[case::trailing(r#"{"answer":{"ask":"q","verdict":"allow_once"}} x"#)]
    fn everything_else_is_no_answer(#[case] line: &str) {
        assert_eq!(reply(line.as_bytes()), Reply::Unreadable);
    }
}
