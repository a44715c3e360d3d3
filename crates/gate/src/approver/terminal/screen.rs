//! What the question looks like. It fits on a small screen, so that the choices never leave it.

use std::time::Duration;

use crate::{Answer, Question};
use portcullis_paths::visible;

/// The one answer that allows.
pub(super) const ALLOW: &str = "a";

/// The last line, written after typed-ahead keys are discarded.
pub(super) const PROMPT: &str = "  a + Enter: allow once     anything else + Enter: no\n  > ";

const MOST_EFFECTS: usize = 6;
const MOST_FACTS: usize = 2;
const MOST_CAUSES: usize = 3;
/// Of one line, in characters: two rows of a narrow terminal.
const LONGEST: usize = 150;

/// The question, at most 17 lines.
pub(super) fn question(question: &Question, remaining: Duration) -> String {
    let mut lines = vec![String::new(), heading(question)];
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

/// What is shown when the question is over.
pub(super) fn parting(answer: Option<&Answer>) -> &'static str {
    match answer {
        Some(Answer::AllowOnce | Answer::AllowAlways(_)) => "  allowed once\n",
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
