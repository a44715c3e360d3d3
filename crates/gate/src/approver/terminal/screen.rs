//! What the question looks like. It fits on a small screen, so that the choices never leave it.

use std::time::Duration;

use crate::{Answer, Marked, Offers, Question};
use portcullis_paths::visible;

const MOST_EFFECTS: usize = 6;
const MOST_FACTS: usize = 2;
const MOST_CAUSES: usize = 3;
/// Of one line, in characters: two rows of a narrow terminal.
const LONGEST: usize = 150;
/// Of a command, in characters: three rows or four.
const LONGEST_COMMAND: usize = 220;
/// Rows of a command in columns, without the sign before it. Wider ones are hard to read, and narrower ones are no rows.
const ROWS: std::ops::RangeInclusive<usize> = 24..=96;
/// The columns before a row.
const SIGN: usize = 4;

/// The question, on a screen of so many columns.
pub(super) fn question(question: &Question, remaining: Duration, columns: usize) -> String {
    let mut lines = vec![String::new(), heading(question)];
    push_commands(&mut lines, &question.commands, columns);
    push_some(&mut lines, &question.effects, MOST_EFFECTS, "effects");
    push_some(&mut lines, &question.facts, MOST_FACTS, "places");
    let causes: Vec<String> = question
        .causes
        .iter()
        .map(|cause| {
            format!(
                "because {} (rule {}, {})",
                cause.text,
                cause.rule,
                cause.layer.word()
            )
        })
        .collect();
    push_some(&mut lines, &causes, MOST_CAUSES, "reasons");
    lines.push(format!("  {} to answer; silence is no", whole_seconds(remaining)));
    lines.push(String::new());
    lines.join("\n")
}

/// The choices, written after typed-ahead keys are discarded.
pub(super) fn choices(offers: &Offers) -> String {
    let mut lines = vec!["  a + Enter: allow once     anything else + Enter: no".to_owned()];
    let names: Vec<&str> = offers.names().collect();
    if offers.for_a_time {
        lines.push("  g + Enter: allow this and exactly the same again, for one hour".to_owned());
        let more = [
            (true, "g 8h"),
            (offers.in_session, "g session"),
            (offers.kept, "g keep (also after a restart)"),
            (!names.is_empty(), "g below DIR"),
        ];
        let more: Vec<&str> = more.iter().filter(|one| one.0).map(|one| one.1).collect();
        lines.push(format!("      or {}", more.join(", ")));
    } else if offers.in_session {
        lines.push("  g session + Enter: allow this and exactly the same again, in this session".to_owned());
    }
    if offers.for_a_time && !names.is_empty() {
        lines.push(format!("      where DIR is {}", names.join(" or ")));
    }
    lines.extend(
        offers
            .because
            .iter()
            .map(|because| format!("      {}", bounded(because))),
    );
    lines.push(AGAIN.to_owned());
    lines.join("\n")
}

/// Where the answer is typed.
const AGAIN: &str = "  > ";

/// What is shown when a line is no answer and the question stays.
pub(super) fn again(why: &str) -> String {
    format!("  {why}; a, another g, or Enter for no\n{AGAIN}")
}

/// What is shown when the question is over.
pub(super) fn parting(answer: Option<&Answer>) -> &'static str {
    match answer {
        Some(Answer::AllowOnce) => "  allowed once\n",
        Some(Answer::AllowAlways(_)) => "  allowed, and the same again as you said\n",
        Some(Answer::Deny { .. }) => "  refused\n",
        None => "\n  no answer: refused\n",
    }
}

fn heading(question: &Question) -> String {
    let asker = question
        .agent
        .as_ref()
        .map_or_else(|| "The agent".to_owned(), |agent| format!("Agent {agent}"));
    bounded(&format!(
        "{asker} asks to run {} (call {}):",
        question.tool, question.call
    ))
}

/// The commands, with signs below the parts that made the question.
fn push_commands(lines: &mut Vec<String>, commands: &[Marked], columns: usize) {
    let columns = columns.saturating_sub(SIGN + 1).clamp(*ROWS.start(), *ROWS.end());
    for command in commands {
        for (number, row) in command.within(LONGEST_COMMAND).rows(columns).iter().enumerate() {
            let sign = if number == 0 { "  $ " } else { "    " };
            lines.push(format!("{sign}{row}"));
        }
    }
}

fn push_some(lines: &mut Vec<String>, texts: &[String], most: usize, what: &str) {
    lines.extend(texts.iter().take(most).map(|text| format!("  {}", bounded(text))));
    if let Some(more @ 1..) = texts.len().checked_sub(most) {
        lines.push(format!("  and {more} more {what} that do not fit here"));
    }
}

/// The question's texts are safe already; the terminal does not rely on it.
fn bounded(text: &str) -> String {
    visible(text, LONGEST)
}

fn whole_seconds(remaining: Duration) -> String {
    match remaining.as_secs() {
        1 => "1 second".to_owned(),
        seconds => format!("{seconds} seconds"),
    }
}
