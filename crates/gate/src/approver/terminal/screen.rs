//! What the question looks like. It fits on a small screen, so that the choices never leave it.

use std::time::Duration;

use unicode_width::UnicodeWidthChar as _;

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

/// Rows of all commands together.
const MOST_COMMAND_ROWS: usize = 12;
/// What is shown of a command where there is less room, in characters.
const SHORTEST_COMMAND: usize = 160;
/// Directories that are offered, and the rows that they have together.
const MOST_DIRECTORIES: usize = 3;

/// Of a terminal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// What stands in place of a question that has no room.
pub(super) const TOO_SMALL: &str = "\na question waits: enlarge this window\n";

/// A question and its choices, as they are written.
pub(super) struct Shown {
    pub(super) question: String,
    pub(super) choices: String,
}

impl Shown {
    pub(super) fn of(asked: &Question, remaining: Duration, size: Size) -> Self {
        Self {
            question: question(asked, remaining, size),
            choices: choices(&asked.offers, size.columns),
        }
    }

    /// Whether all of it is on a screen of this size at once. The blank line before it is no loss.
    pub(super) fn fits(&self, size: Size) -> bool {
        let lines = self.question.lines().skip(1).chain(self.choices.lines());
        lines.map(|line| rows(line, size.columns)).sum::<usize>() <= size.rows
    }
}

/// The question. With its choices it has no more rows than the screen, if that has as many as a terminal ever had (24
/// of 80 columns): what does not fit is counted.
pub(super) fn question(question: &Question, remaining: Duration, size: Size) -> String {
    let heading = heading(question);
    let time = format!("  {} to answer; silence is no", whole_seconds(remaining));
    let choices = choices(&question.offers, size.columns);
    let fixed = [heading.as_str(), time.as_str()]
        .into_iter()
        .chain(choices.lines());
    let fixed: usize = fixed.map(|line| rows(line, size.columns)).sum();
    let mut sheet = Sheet {
        // The blank line is no loss when it leaves the screen.
        lines: vec![String::new(), heading],
        columns: size.columns,
        left: size.rows.saturating_sub(fixed),
    };
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
    // One of each, and how many more: whatever stands before it leaves room for that.
    let for_facts = question.facts.len().min(1);
    let for_causes = causes.len().min(2);
    let behind_effects = for_facts + for_causes;
    sheet.push_commands(&question.commands, question.effects.len().min(2) + behind_effects);
    sheet.push_some(&question.effects, MOST_EFFECTS, "effects", behind_effects);
    sheet.push_some(&question.facts, MOST_FACTS, "places", for_causes);
    sheet.push_some(&causes, MOST_CAUSES, "reasons", 0);
    sheet.lines.push(time);
    sheet.lines.push(String::new());
    sheet.lines.join("\n")
}

/// The choices, written after typed-ahead keys are discarded.
pub(super) fn choices(offers: &Offers, columns: usize) -> String {
    let mut lines = vec!["  a + Enter: allow once     anything else + Enter: no".to_owned()];
    let directories = match offers.for_a_time {
        true => directories(offers, columns),
        false => Vec::new(),
    };
    if offers.for_a_time {
        lines.push("  g + Enter: allow this and exactly the same again, for one hour".to_owned());
        let more = [
            (true, "g 8h"),
            (offers.in_session, "g session (a day)"),
            (offers.kept, "g keep (also after a restart)"),
            (!directories.is_empty(), "g below DIR"),
        ];
        let more: Vec<&str> = more.iter().filter(|one| one.0).map(|one| one.1).collect();
        lines.push(format!("      or {}", more.join(", ")));
    } else if offers.in_session {
        lines.push("  g session + Enter: allow this and exactly the same again in this session,".to_owned());
        lines.push("      for a day at most".to_owned());
    }
    lines.extend(directories);
    lines.extend(
        offers
            .because
            .iter()
            .map(|because| format!("      {}", bounded(because))),
    );
    lines.push(AGAIN.to_owned());
    lines.join("\n")
}

/// The directories that can be named, each whole: part of a name cannot be typed. Those without room are not offered here.
fn directories(offers: &Offers, columns: usize) -> Vec<String> {
    const FIRST: &str = "      where DIR is ";
    let mut names = Vec::new();
    let mut lines = Vec::new();
    let mut left = MOST_DIRECTORIES;
    for name in offers.names() {
        let lead = if lines.is_empty() {
            FIRST
        } else {
            "                or "
        };
        let line = format!("{lead}{name}");
        if let Some(rest) = left.checked_sub(rows(&line, columns)) {
            left = rest;
            names.push(name);
            lines.push(line);
        }
    }
    let together = format!("{FIRST}{}", names.join(" or "));
    if names.len() > 1 && rows(&together, columns) == 1 {
        return vec![together];
    }
    lines
}

/// Where the answer is typed.
pub(super) const AGAIN: &str = "  > ";

/// Why a line is no answer and the question stays. [`AGAIN`] follows.
pub(super) fn again(why: &str) -> String {
    format!("  {why}; a, another g, or Enter for no\n")
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

/// The lines of a question, and the rows that are left for more.
struct Sheet {
    lines: Vec<String>,
    columns: usize,
    left: usize,
}

impl Sheet {
    fn push(&mut self, line: String) {
        self.left = self.left.saturating_sub(rows(&line, self.columns));
        self.lines.push(line);
    }

    fn push_rest(&mut self, more: usize, what: &str) {
        if more > 0 {
            self.push(format!("  and {more} more {what} that do not fit here"));
        }
    }

    /// The commands, with signs below the parts that made the question. The first one is always shown.
    fn push_commands(&mut self, commands: &[Marked], reserved: usize) {
        let columns = self
            .columns
            .saturating_sub(SIGN + 1)
            .clamp(*ROWS.start(), *ROWS.end());
        let mut room = self.left.saturating_sub(reserved).min(MOST_COMMAND_ROWS);
        for (number, command) in commands.iter().enumerate() {
            let note = usize::from(number + 1 < commands.len());
            let whole = command.within(LONGEST_COMMAND).rows(columns);
            let shown = match whole.len() + note <= room {
                true => whole,
                false => command.within(SHORTEST_COMMAND).rows(columns),
            };
            if number > 0 && shown.len() + note > room {
                self.push_rest(commands.len() - number, "commands");
                return;
            }
            room = room.saturating_sub(shown.len());
            for (number, row) in shown.iter().enumerate() {
                let sign = if number == 0 { "  $ " } else { "    " };
                self.push(format!("{sign}{row}"));
            }
        }
    }

    /// As many of the texts as fit beside what is reserved; at least the first one, cut to a row, if that fits.
    fn push_some(&mut self, texts: &[String], most: usize, what: &str, reserved: usize) {
        let room = self.left.saturating_sub(reserved);
        let lines: Vec<String> = texts
            .iter()
            .take(most)
            .map(|text| format!("  {}", bounded(text)))
            .collect();
        let needed = |shown: usize| {
            let some = lines.iter().take(shown);
            let note = usize::from(shown < texts.len());
            some.map(|line| rows(line, self.columns)).sum::<usize>() + note
        };
        let fit = (1..=lines.len()).rev().find(|shown| needed(*shown) <= room);
        let shown = match (fit, lines.first()) {
            (Some(shown), _) => {
                lines.into_iter().take(shown).for_each(|line| self.push(line));
                shown
            }
            (None, Some(first)) if room >= texts.len().min(2) => {
                self.push(one_row(first, self.columns));
                1
            }
            (None, _) => 0,
        };
        self.push_rest(texts.len() - shown, what);
    }
}

/// The rows that a line has on a screen.
fn rows(line: &str, columns: usize) -> usize {
    let (mut rows, mut used) = (1, 0);
    for c in line.chars() {
        let width = c.width().unwrap_or(0);
        if used + width > columns {
            rows += 1;
            used = 0;
        }
        used += width;
    }
    rows
}

/// As much of a line as one row has room for, with a sign where something is left out.
fn one_row(line: &str, columns: usize) -> String {
    const SIGN: &str = "...";
    let mut room = columns.saturating_sub(SIGN.len());
    let fits = |c: &char| {
        let rest = room.checked_sub(c.width().unwrap_or(0));
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    let mut row: String = line.chars().take_while(fits).collect();
    row.push_str(SIGN);
    row
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
