//! The messages, as types. A line that is not exactly one of them is not read at all.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The version of the protocol. Another one is not understood, and so no answer.
pub const VERSION: u64 = 2;
/// Longest line, in bytes, with its line feed.
pub const LONGEST_LINE: usize = 256 << 10;

/// What a gate says, on `gates.sock`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a message that is not known is not read")]
pub enum FromGate {
    /// The question; the first line of a connection, and the only question on it.
    Ask(Box<Asked>),
    /// The gate waits no longer. What follows is the end of the connection.
    Withdraw(Withdrawn),
}

/// What the desk says to a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a message that is not known is not read")]
pub enum ToGate {
    /// The question stands on the desk.
    Waiting(Named),
    /// It does not, and will not: the end of the connection follows.
    Refused(Turned),
    /// A person answered. The end of the connection follows, and nothing else.
    Answer(Answered),
}

/// What a person's program says, on `people.sock`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a message that is not known is not read")]
pub enum FromPerson {
    /// Which questions are open?
    List(Nothing),
    /// The answer to one question.
    Answer(Answered),
    /// A link that opens the web page once.
    Link(Nothing),
}

/// What the desk says to a person's program: one line for one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a message that is not known is not read")]
pub enum ToPerson {
    /// The open questions, oldest first. `remaining_ms` is counted from now.
    Questions(Vec<Asked>),
    /// The answer went to the gate.
    Taken(Named),
    /// The answer went nowhere.
    NotTaken(NotTaken),
    /// A link that opens the web page once.
    Link(Link),
}

/// A question as it travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Asked {
    /// 32 lower-case hexadecimal digits that nobody can guess.
    pub id: String,
    /// Where the asking gate works, such as a workspace.
    pub from: String,
    /// The call's id.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The agent or sub-agent.
    pub agent: Option<String>,
    /// The commands that it would run, each in pieces: those that made the question are marked.
    pub commands: Vec<Vec<Piece>>,
    /// What it would do, one line each.
    pub effects: Vec<String>,
    /// Why it is asked, strictest first.
    pub causes: Vec<Because>,
    /// What `allow_always` can be said for; for anything else it is `allow_once`.
    pub offers: Offered,
    /// How long an answer counts, in milliseconds from when the line was written.
    pub remaining_ms: u64,
}

/// What a standing permission can be given for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Offered {
    /// Exactly the same again, for some time.
    pub for_a_time: bool,
    /// Exactly the same again, in this session.
    pub in_session: bool,
    /// The same below one of these directories.
    pub below: Vec<String>,
    /// Also after a restart.
    pub kept: bool,
    /// Why it is less than it could be.
    pub because: Option<String>,
}

/// A piece of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Piece {
    /// Its text.
    pub text: String,
    /// Whether it made the question.
    pub marked: bool,
}

/// One cause of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Because {
    /// The rule.
    pub rule: String,
    /// Its layer, as a word.
    pub layer: String,
    /// One sentence.
    pub text: String,
}

/// The question that is meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Named {
    /// Its id.
    pub id: String,
}

/// A message without content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Nothing {}

/// The link that opens the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Link {
    /// Absent when the desk shows no page.
    pub url: Option<String>,
}

/// The answer to one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Answered {
    /// The question's id.
    pub id: String,
    /// What was said.
    pub answer: Said,
}

/// What a person says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(clippy::exhaustive_enums, reason = "a new answer must break the build")]
pub enum Said {
    /// This call, once.
    AllowOnce {},
    /// This call, and the same again.
    AllowAlways {
        /// For so many seconds.
        lasts_s: u64,
        /// In this session only.
        this_session: bool,
        /// And the same below this directory, which is one of those offered.
        below: Option<String>,
        /// Also after a restart.
        kept: bool,
    },
    /// No.
    Deny {
        /// Words for the model.
        reason: Option<String>,
    },
}

/// Why a gate waits no longer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Withdrawn {
    /// The question's id.
    pub id: String,
    /// The reason.
    pub why: Why,
}

/// Why a gate waits no longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a reason that is not known is not read")]
pub enum Why {
    /// The run was cancelled.
    Cancelled,
    /// The time is over.
    Timeout,
}

/// Why a question does not stand on the desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct Turned {
    /// The reason.
    pub why: TurnedWhy,
}

/// Why a question does not stand on the desk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a reason that is not known is not read")]
pub enum TurnedWhy {
    /// Too many are open.
    Full,
    /// It is not a question of this version.
    Unreadable,
    /// A question of this id stands there, or stood there.
    Repeated,
}

/// Why an answer went nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(
    clippy::exhaustive_structs,
    reason = "a member more is another version of the protocol"
)]
pub struct NotTaken {
    /// The id that the answer named.
    pub id: String,
    /// The reason.
    pub why: NotTakenWhy,
}

/// Why an answer went nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::exhaustive_enums, reason = "a reason that is not known is not read")]
pub enum NotTakenWhy {
    /// No such question is open, or was lately.
    Unknown,
    /// It was answered before.
    Answered,
    /// Its time is over.
    Late,
    /// The gate does not wait any more: it cancelled, or it is gone.
    Withdrawn,
    /// It says more than can be said here. The question stays.
    NotOffered,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Frame<T> {
    v: u64,
    say: T,
}

/// The line for a message, with its line feed.
#[must_use]
pub fn line(message: &impl Serialize) -> Vec<u8> {
    let frame = Frame {
        v: VERSION,
        say: message,
    };
    // Strings, numbers and lists of them always have a form; without one the empty line is no message.
    let mut line = serde_json::to_vec(&frame).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Reads one line without its line feed. `None` for everything that is not exactly one message of this version.
#[must_use]
pub fn read<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let frame: Frame<T> = serde_json::from_slice(line).ok()?;
    (frame.v == VERSION).then_some(frame.say)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const ID: &str = "0123456789abcdef0123456789abcdef";

    #[rstest]
    #[case::once(r#"{"v":2,"say":{"answer":{"id":"ID","answer":{"allow_once":{}}}}}"#)]
    #[case::always(r#"{"v":2,"say":{"answer":{"id":"ID","answer":{"allow_always":{"lasts_s":60,"this_session":false,"below":"/w","kept":true}}}}}"#)]
    #[case::deny(r#"{"v":2,"say":{"answer":{"id":"ID","answer":{"deny":{"reason":null}}}}}"#)]
    #[case::why(r#"{"v":2,"say":{"answer":{"id":"ID","answer":{"deny":{"reason":"no"}}}}}"#)]
    #[case::waiting(r#"{"v":2,"say":{"waiting":{"id":"ID"}}}"#)]
    #[case::full(r#"{"v":2,"say":{"refused":{"why":"full"}}}"#)]
    fn what_is_written_is_read(#[case] text: &str) {
        let text = text.replace("ID", ID);
        let message: ToGate = read(text.as_bytes()).unwrap();
        assert_eq!(line(&message), format!("{text}\n").into_bytes());
    }

    #[rstest]
    #[case::empty("")]
    #[case::no_json("yes")]
    #[case::half(r#"{"v":2,"say":{"answer":{"id":"x""#)]
    #[case::no_version(r#"{"say":{"answer":{"id":"x","answer":{"allow_once":{}}}}}"#)]
    #[case::the_version_before(r#"{"v":1,"say":{"answer":{"id":"x","answer":{"allow_once":{}}}}}"#)]
    #[case::another_version(r#"{"v":3,"say":{"answer":{"id":"x","answer":{"allow_once":{}}}}}"#)]
    #[case::a_text_for_a_version(r#"{"v":"2","say":{"answer":{"id":"x","answer":{"allow_once":{}}}}}"#)]
    #[case::a_member_more(r#"{"v":2,"x":1,"say":{"answer":{"id":"x","answer":{"allow_once":{}}}}}"#)]
    #[case::a_member_more_inside(r#"{"v":2,"say":{"answer":{"id":"x","x":1,"answer":{"allow_once":{}}}}}"#)]
    #[case::a_member_more_in_the_answer(
        r#"{"v":2,"say":{"answer":{"id":"x","answer":{"allow_once":{"x":1}}}}}"#
    )]
    #[case::a_member_twice(r#"{"v":2,"say":{"answer":{"id":"y","id":"x","answer":{"allow_once":{}}}}}"#)]
    #[case::two_messages(
        r#"{"v":2,"say":{"answer":{"id":"x","answer":{"allow_once":{}}},"waiting":{"id":"x"}}}"#
    )]
    #[case::two_answers(
        r#"{"v":2,"say":{"answer":{"id":"x","answer":{"deny":{"reason":null},"allow_once":{}}}}}"#
    )]
    #[case::another_word(r#"{"v":2,"say":{"answer":{"id":"x","answer":{"yes":{}}}}}"#)]
    #[case::true_is_no_answer(r#"{"v":2,"say":{"answer":{"id":"x","answer":true}}}"#)]
    #[case::a_bare_word(r#"{"v":2,"say":{"answer":{"id":"x","answer":"allow_once"}}}"#)]
    #[case::an_endless_grant(
        r#"{"v":2,"say":{"answer":{"id":"x","answer":{"allow_always":{"lasts_s":-1}}}}}"#
    )]
    #[case::half_a_grant(r#"{"v":2,"say":{"answer":{"id":"x","answer":{"allow_always":{"lasts_s":60}}}}}"#)]
    #[case::no_id(r#"{"v":2,"say":{"answer":{"answer":{"allow_once":{}}}}}"#)]
    #[case::something_behind(r#"{"v":2,"say":{"waiting":{"id":"x"}}} {}"#)]
    #[case::what_only_a_person_says(r#"{"v":2,"say":{"list":{}}}"#)]
    fn what_is_not_exactly_a_message_is_not_read(#[case] text: &str) {
        assert_eq!(read::<ToGate>(text.as_bytes()), None);
    }
}
