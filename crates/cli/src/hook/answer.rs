use std::io::Write;

use portcullis::visible;

use crate::exit_codes::{DONE, USAGE_OR_DENY};

/// Longest line on standard error, in characters.
const LONGEST_LINE: usize = 500;

/// Everything a hook says: at most one object on standard output, at most one line on standard error, one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    stdout: Option<String>,
    stderr: Option<String>,
}

impl Answer {
    /// No opinion: the agent's own rules decide.
    pub(crate) fn silent() -> Self {
        Self {
            stdout: None,
            stderr: None,
        }
    }

    /// An object, and nothing else.
    pub(crate) fn say(object: &serde_json::Value) -> Self {
        Self {
            stdout: Some(format!("{object}\n")),
            stderr: None,
        }
    }

    /// A deny: the object, the line and the code.
    pub(crate) fn deny(object: &serde_json::Value, reason: &str) -> Self {
        Self {
            stdout: Some(format!("{object}\n")),
            stderr: Some(format!("portcullis: {}\n", visible(reason, LONGEST_LINE))),
        }
    }

    /// Says it with exactly one write to each stream, and gives the exit code. What could not be said whole is a
    /// deny: half an answer is no answer, and no answer would let the call run.
    pub(crate) fn deliver(self, stdout: &mut impl Write, stderr: &mut impl Write) -> u8 {
        let whole = self.stdout.is_none_or(|text| {
            stdout
                .write(text.as_bytes())
                .is_ok_and(|written| written == text.len())
        });
        let line = match (whole, self.stderr) {
            (true, None) => return DONE,
            (true, Some(line)) => line,
            (false, _) => "portcullis: denied: the answer could not be written\n".to_owned(),
        };
        // The code denies even when nobody reads the line.
        let _unread = stderr.write(line.as_bytes());
        USAGE_OR_DENY
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use rstest::rstest;
    use serde_json::json;

    use super::*;

    /// Counts writes, and takes at most `room` bytes of each.
    #[derive(Default)]
    struct Counting {
        writes: Vec<Vec<u8>>,
        room: Option<usize>,
        broken: bool,
    }

    impl Write for Counting {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = self.room.unwrap_or(bytes.len()).min(bytes.len());
            self.writes.push(bytes[..taken].to_vec());
            match self.broken {
                true => Err(io::ErrorKind::BrokenPipe.into()),
                false => Ok(taken),
            }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[rstest]
    #[case::silent(Answer::silent(), 0, 0, DONE)]
    #[case::say(Answer::say(&json!({"a": "b\nc"})), 1, 0, DONE)]
    #[case::deny(Answer::deny(&json!({"a": 1}), "no\nway"), 1, 1, USAGE_OR_DENY)]
    fn each_stream_gets_one_write(
        #[case] answer: Answer,
        #[case] out: usize,
        #[case] err: usize,
        #[case] code: u8,
    ) {
        let (mut stdout, mut stderr) = (Counting::default(), Counting::default());
        assert_eq!(answer.deliver(&mut stdout, &mut stderr), code);
        assert_eq!((stdout.writes.len(), stderr.writes.len()), (out, err));
        for text in stdout.writes.iter().chain(&stderr.writes) {
            assert_eq!(text.iter().filter(|byte| **byte == b'\n').count(), 1);
            assert_eq!(text.last(), Some(&b'\n'));
        }
    }

    #[rstest]
    #[case::cut(Counting { room: Some(3), ..Counting::default() })]
    #[case::closed(Counting { broken: true, ..Counting::default() })]
    fn an_answer_that_cannot_be_said_whole_is_a_deny(#[case] mut stdout: Counting) {
        let mut stderr = Counting::default();
        let code = Answer::say(&json!({"permissionDecision": "ask"})).deliver(&mut stdout, &mut stderr);
        assert_eq!(
            (code, stdout.writes.len(), stderr.writes.len()),
            (USAGE_OR_DENY, 1, 1)
        );
    }
}
