//! A job in a process of its own, beside the others: what it says is kept until its turn to be shown.

use std::time::Duration;

use crate::job;
use crate::process::{self, Run};
use crate::tally::Tally;

/// What a job said and counted.
pub(crate) struct Apart {
    pub(crate) output: String,
    pub(crate) tally: Tally,
    pub(crate) took: Duration,
}

impl Apart {
    /// Nothing is known of it: it failed.
    pub(crate) fn lost() -> Self {
        Self {
            output: "error: a job beside the others was lost".to_owned(),
            tally: Tally::FAILED,
            took: Duration::ZERO,
        }
    }
}

/// Runs this job alone, in these tasks' own program.
pub(crate) fn run(name: &str) -> Apart {
    let start = process::now();
    let mut lines = Vec::new();
    let ended = process::ourselves().and_then(|program| {
        let run = Run::new(program).args(["ci", name]);
        run.unshown_lines(|line| lines.push(line.to_owned()))
    });
    let (output, tally) = match ended {
        Ok(succeeded) => read(lines, succeeded),
        Err(why) => (format!("error: {why}"), Tally::FAILED),
    };
    Apart {
        output,
        tally,
        took: job::since(start),
    }
}

/// What it said without its own table, and what it counted. No count, or one that its end belies, is a failure.
fn read(mut lines: Vec<String>, succeeded: bool) -> (String, Tally) {
    let counted = lines.last().and_then(|line| Tally::read(line));
    if let Some(tally) = counted.filter(|tally| tally.is_good() == succeeded) {
        let table = lines.iter().rposition(|line| line.starts_with(job::TABLE));
        lines.truncate(table.unwrap_or(lines.len()));
        return (lines.join("\n"), tally);
    }
    lines.push("error: it ended without a count, or otherwise than its count says".to_owned());
    (lines.join("\n"), Tally::FAILED)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::tally::Tally;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_job_apart_counts_as_it_says() {
        let said = "== x: about\nhello\n\njob         result\nx           passed\n\n10 passed, 0 failed";
        let (output, tally) = read(lines(said), true);
        assert_eq!((tally.passed, tally.failed), (10, 0));
        assert_eq!(output.trim_end(), "== x: about\nhello");
    }

    #[test]
    fn an_end_without_a_count_or_against_it_is_a_failure() {
        for (said, succeeded) in [
            ("", true),
            ("hello", true),
            ("10 passed, 0 failed", false),
            ("9 passed, 1 failed", true),
            ("0 passed, 0 failed", true),
        ] {
            assert_eq!(read(lines(said), succeeded).1, Tally::FAILED, "{said:?}");
        }
        assert_eq!(read(lines("9 passed, 1 failed"), false).1.passed, 9);
    }
}
