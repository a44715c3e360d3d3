use std::path::PathBuf;
use std::time::Duration;

use portcullis_paths::visible;

use super::wire::{Asked, Because, Offered, Piece, Said};
use crate::{Marked, Moment, Offers, Question, Scope};

const LONGEST_NAME: usize = 200;
const LONGEST_TEXT: usize = 600;
/// Lines that travel, of effects and of causes.
const MOST_EFFECTS: usize = 32;
const MOST_CAUSES: usize = 16;
const MOST_COMMANDS: usize = 4;
const MOST_DIRECTORIES: usize = 8;
const LONGEST_DIRECTORY: usize = 300;
const LONGEST_COMMAND: usize = 2000;
/// A desk keeps no question longer than this, in milliseconds.
const LONGEST_WAIT_MS: u64 = 24 * 60 * 60 * 1000;
const ID_LENGTH: usize = 32;

impl Asked {
    /// A question of ours, from a gate that works at `from`. It always fits into one line.
    pub(super) fn about(question: &Question, from: &str, now: Moment) -> Self {
        let remaining = question.deadline.since(now).as_millis();
        Self {
            id: question.id.as_str().to_owned(),
            from: from.to_owned(),
            call: question.call.clone(),
            tool: question.tool.clone(),
            agent: question.agent.clone(),
            commands: question.commands.iter().map(pieces).collect(),
            effects: question.effects.iter().chain(&question.facts).cloned().collect(),
            causes: question
                .causes
                .iter()
                .map(|cause| Because {
                    rule: cause.rule.clone(),
                    layer: cause.layer.word().to_owned(),
                    text: cause.text.clone(),
                })
                .collect(),
            offers: Offered {
                for_a_time: question.offers.for_a_time,
                in_session: question.offers.in_session,
                below: question.offers.names().map(str::to_owned).collect(),
                kept: question.offers.kept,
                because: question.offers.because.clone(),
            },
            remaining_ms: u64::try_from(remaining).unwrap_or(u64::MAX),
        }
        .safe()
    }

    /// The same with every text on one line, escaped and bounded, and no more lines than fit on a screen. Whoever
    /// shows a question that came over a wire does this first: the sender may be anything that runs as this user.
    #[must_use]
    pub fn safe(self) -> Self {
        let causes = self.causes.len();
        let mut shown: Vec<Because> = self
            .causes
            .into_iter()
            .take(MOST_CAUSES)
            .map(Because::safe)
            .collect();
        if let (Some(more @ 1..), Some(last)) = (causes.checked_sub(MOST_CAUSES), shown.last_mut()) {
            last.text = visible(&format!("{} (and {more} more reasons)", last.text), LONGEST_TEXT);
        }
        Self {
            id: visible(&self.id, ID_LENGTH),
            from: visible(&self.from, LONGEST_NAME),
            call: visible(&self.call, LONGEST_NAME),
            tool: visible(&self.tool, LONGEST_NAME),
            agent: self.agent.map(|agent| visible(&agent, LONGEST_NAME)),
            commands: self
                .commands
                .iter()
                .take(MOST_COMMANDS)
                .map(|command| pieces(&marked(command)))
                .collect(),
            effects: bounded(self.effects),
            causes: shown,
            offers: self.offers.safe(),
            remaining_ms: self.remaining_ms.min(LONGEST_WAIT_MS),
        }
    }

    /// The commands, safe to show.
    pub fn marked(&self) -> impl Iterator<Item = Marked> + '_ {
        self.commands
            .iter()
            .take(MOST_COMMANDS)
            .map(|command| marked(command))
    }

    /// Whether the id has the form of one: 32 lower-case hexadecimal digits.
    #[must_use]
    pub fn is_named_well(&self) -> bool {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        self.id.len() == ID_LENGTH && self.id.bytes().all(digit)
    }
}

fn marked(command: &[Piece]) -> Marked {
    let pieces = command.iter().map(|piece| (piece.text.as_str(), piece.marked));
    Marked::of_pieces(pieces, LONGEST_COMMAND)
}

fn pieces(command: &Marked) -> Vec<Piece> {
    let pieces = command.pieces().into_iter();
    let piece = |(text, marked): (&str, bool)| Piece {
        text: text.to_owned(),
        marked,
    };
    pieces.map(piece).collect()
}

impl Offered {
    /// Whether an answer says no more than is offered. Once, and no, can always be said.
    #[must_use]
    pub fn hold(&self, said: &Said) -> bool {
        let Said::AllowAlways {
            lasts_s,
            this_session,
            below,
            kept,
        } = said
        else {
            return true;
        };
        let mut scope = Scope::lasting(Duration::from_secs(*lasts_s));
        scope.this_session = *this_session;
        scope.directory = below.as_ref().map(PathBuf::from);
        scope.is_kept = *kept;
        let offers = Offers {
            for_a_time: self.for_a_time,
            in_session: self.in_session,
            below: self.below.iter().map(PathBuf::from).collect(),
            kept: self.kept,
            because: None,
        };
        offers.hold(&scope) && *lasts_s > 0
    }

    /// Without the directories that do not show as they are: what cannot be read cannot be named.
    fn safe(self) -> Self {
        let below = self.below.into_iter();
        let shows = |name: &String| visible(name, LONGEST_DIRECTORY) == *name;
        Self {
            below: below.filter(shows).take(MOST_DIRECTORIES).collect(),
            because: self.because.map(|because| visible(&because, LONGEST_TEXT)),
            ..self
        }
    }
}

impl Because {
    fn safe(self) -> Self {
        Self {
            rule: visible(&self.rule, LONGEST_NAME),
            layer: visible(&self.layer, LONGEST_NAME),
            text: visible(&self.text, LONGEST_TEXT),
        }
    }
}

fn bounded(lines: Vec<String>) -> Vec<String> {
    let all = lines.len();
    let mut shown: Vec<String> = lines
        .iter()
        .take(MOST_EFFECTS)
        .map(|line| visible(line, LONGEST_TEXT))
        .collect();
    if all > MOST_EFFECTS {
        shown.truncate(MOST_EFFECTS - 1);
        shown.push(format!(
            "and {} more effects that do not fit here",
            all - shown.len()
        ));
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::wire::{FromGate, LONGEST_LINE, line};
    use super::*;

    fn asked(text: &str, lines: usize) -> Asked {
        Asked {
            id: text.to_owned(),
            from: text.to_owned(),
            call: text.to_owned(),
            tool: text.to_owned(),
            agent: Some(text.to_owned()),
            commands: vec![
                vec![
                    Piece {
                        text: text.to_owned(),
                        marked: true,
                    };
                    lines.min(3)
                ];
                lines.min(6)
            ],
            effects: vec![text.to_owned(); lines],
            causes: vec![
                Because {
                    rule: text.to_owned(),
                    layer: text.to_owned(),
                    text: text.to_owned(),
                };
                lines
            ],
            offers: Offered {
                below: vec![text.to_owned(); lines],
                because: Some(text.to_owned()),
                ..Offered::default()
            },
            remaining_ms: u64::MAX,
        }
    }

    #[test]
    fn the_largest_question_fits_into_a_line() {
        for text in ["\u{10ffff}", "\u{1f4a9}", "\"", "\\", "\n", "x"] {
            let asked = asked(&text.repeat(2_000), 100).safe();
            let length = line(&FromGate::Ask(Box::new(asked))).len();
            assert!(length < LONGEST_LINE, "{text:?}: {length}");
        }
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let asked = asked("x", 100).safe();
        assert_eq!(asked.effects.len(), MOST_EFFECTS);
        assert_eq!(
            asked.effects.last().unwrap(),
            "and 69 more effects that do not fit here"
        );
        assert!(
            asked
                .causes
                .last()
                .unwrap()
                .text
                .ends_with("(and 84 more reasons)")
        );
    }

    proptest! {
        #[test]
        fn nothing_in_a_safe_question_moves_the_cursor(text in any::<String>(), lines in 0_usize..40) {
            let asked = asked(&text, lines).safe();
            let again = asked.clone().safe();
            prop_assert_eq!(&again, &asked);
            let every = format!("{asked:?}");
            prop_assert!(!every.chars().any(char::is_control));
            let hidden = ['\n', '\u{202e}', '\u{200b}', '\u{feff}'];
            let shown = !asked.effects.iter().any(|line| line.contains(hidden));
            prop_assert!(shown);
        }
    }
}
