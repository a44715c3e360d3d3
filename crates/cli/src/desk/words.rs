//! Sentences that the screen and the page have in common.

use std::time::Duration;

use portcullis::Scope;
use portcullis::desk::wire::{Asked, NotTakenWhy, Said};

use super::board::{Ended, Past};

/// Who asks for what.
pub(crate) fn heading(asked: &Asked) -> String {
    match &asked.agent {
        Some(agent) => format!("Agent {agent} asks to run {}", asked.tool),
        None => format!("The agent asks to run {}", asked.tool),
    }
}

/// The commands in rows of at most so many columns, with signs below the parts that made the question.
pub(crate) fn commands(asked: &Asked, columns: usize) -> Vec<String> {
    const SIGN: usize = 2;
    let mut rows = Vec::new();
    for command in asked.marked() {
        let columns = columns.saturating_sub(SIGN);
        for (number, row) in command.rows(columns).into_iter().enumerate() {
            rows.push(format!("{}{row}", if number == 0 { "$ " } else { "  " }));
        }
    }
    rows
}

/// What it is about, in one line.
pub(crate) fn first(asked: &Asked) -> String {
    match asked.marked().next() {
        Some(command) => command.text().to_owned(),
        None => asked.effects.first().cloned().unwrap_or_default(),
    }
}

/// `because it cannot be undone (rule delete, built-in)`.
pub(crate) fn causes(asked: &Asked) -> impl Iterator<Item = String> {
    asked
        .causes
        .iter()
        .map(|cause| format!("{} (rule {}, {})", cause.text, cause.rule, cause.layer))
}

/// How a question ended.
pub(crate) fn ended(past: &Past) -> String {
    let mut text = match &past.ended {
        Ended::Answered { said, by } => format!("{} {}", said_word(said), by.word()),
        Ended::TimedOut => "nobody answered in time: refused".to_owned(),
        Ended::Cancelled => "cancelled by the agent".to_owned(),
        Ended::Gone => "the gate is gone: not answered".to_owned(),
    };
    match past.late {
        0 => {}
        1 => text.push_str("; an answer came later and was not taken"),
        late => text.push_str(&format!("; {late} answers came later and were not taken")),
    }
    text
}

pub(crate) fn said_word(said: &Said) -> String {
    match said {
        Said::AllowOnce {} => "allowed once".to_owned(),
        Said::AllowAlways {
            lasts_s,
            this_session,
            below,
            kept,
        } => {
            let lasts = Duration::from_secs(*lasts_s).min(Scope::LONGEST);
            let mut text = format!("allowed, and the same again for {}", span(lasts));
            if *this_session {
                text.push_str(" in its session");
            }
            if let Some(directory) = below {
                text.push_str(&format!(" below {directory}"));
            }
            if *kept {
                text.push_str(", also after a restart");
            }
            text
        }
        Said::Deny { reason: None } => "refused".to_owned(),
        Said::Deny { reason: Some(reason) } => format!("refused ({reason})"),
    }
}

/// Why an answer was not taken.
pub(crate) fn not_taken(why: NotTakenWhy) -> &'static str {
    match why {
        NotTakenWhy::Unknown => "no such question is open",
        NotTakenWhy::Answered => "it was answered before",
        NotTakenWhy::Late => "its time is over",
        NotTakenWhy::Withdrawn => "the gate does not wait any more",
        NotTakenWhy::NotOffered => "it says more than is offered, and the question stays",
    }
}

/// `4 min 59 s`.
pub(crate) fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}
