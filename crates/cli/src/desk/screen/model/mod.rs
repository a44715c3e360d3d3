//! What the screen shows, and what a key does. Nothing here knows a terminal.

use std::time::Duration;

use portcullis::desk::wire::{Asked, Said};

use super::keys::Key;
use crate::desk::board::{Board, Now, Past};
use crate::desk::choice::{Beside, Choice};

/// Longest reason that can be typed.
const LONGEST_REASON: usize = 200;
/// Most ended questions that the history shows.
const MOST_PAST: usize = 200;

/// The board at one moment.
pub(super) struct Seen {
    pub(super) open: Vec<Waiting>,
    pub(super) past: Vec<Past>,
}

/// A question that waits, at one moment.
pub(super) struct Waiting {
    pub(super) asked: Asked,
    pub(super) process: i32,
    pub(super) left: Duration,
}

impl Seen {
    pub(super) fn of(board: &Board, now: Now) -> Self {
        let open = board.open().iter().map(|open| Waiting {
            asked: open.asked.clone(),
            process: open.process,
            left: open.remaining(now.moment),
        });
        Self {
            open: open.collect(),
            past: board.past().take(MOST_PAST).cloned().collect(),
        }
    }

    pub(super) fn waiting(&self, id: &str) -> Option<&Waiting> {
        self.open.iter().find(|waiting| waiting.asked.id == id)
    }
}

/// What is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum View {
    /// The open questions.
    List,
    /// One question.
    Question(Box<Opened>),
    /// What became of the earlier ones.
    History,
    /// A text, until a key.
    Text(String),
    /// Whether to close although questions are open.
    Leaving,
}

/// An opened question. It is named by its id: whatever comes and goes around it, an answer is to this one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Opened {
    pub(super) id: String,
    pub(super) choice: Choice,
    /// Which of the directories that can be named is.
    pub(super) below: usize,
    /// What is allowed for a time is allowed also after a restart.
    pub(super) kept: bool,
    /// The reason that is being typed.
    pub(super) typing: Option<String>,
    /// Whether all of it has been on the screen.
    pub(super) read: bool,
    /// Whether the choice, with all that it says, is on the screen.
    pub(super) fits: bool,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    Nothing,
    /// Keys that were typed before the question stood there are to be thrown away.
    Discard,
    Answer(String, Said),
    Link,
    Leave,
}

/// The screen's state.
pub(super) struct Model {
    pub(super) view: View,
    /// The id of the marked question in the list.
    pub(super) marked: Option<String>,
    /// Rows that are scrolled away above.
    pub(super) top: usize,
    /// One line about what happened last.
    pub(super) notice: String,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            view: View::List,
            marked: None,
            top: 0,
            notice: String::new(),
        }
    }
}

impl Model {
    /// Follows what happened: the mark stays on its question, and a question that is over is not open any more.
    pub(super) fn follow(&mut self, seen: &Seen) {
        let gone = match &self.marked {
            Some(id) => seen.waiting(id).is_none(),
            None => true,
        };
        if gone {
            self.marked = seen.open.first().map(|first| first.asked.id.clone());
        }
        if let View::Question(opened) = &self.view
            && seen.waiting(&opened.id).is_none()
        {
            let how = seen.past.iter().find(|past| past.asked.id == opened.id);
            let how = how.map_or_else(String::new, crate::desk::words::ended);
            self.show(View::Text(format!("This question is over: {how}")));
        }
    }

    fn show(&mut self, view: View) {
        self.view = view;
        self.top = 0;
    }

    /// What a key does.
    pub(super) fn press(&mut self, key: Key, seen: &Seen) -> Act {
        self.notice.clear();
        match &mut self.view {
            View::List => self.in_list(key, seen),
            View::Question(_) => self.in_question(key, seen),
            View::History => self.in_history(key),
            View::Text(_) => {
                self.show(View::List);
                Act::Nothing
            }
            View::Leaving => match key {
                Key::Char('y') => Act::Leave,
                _ => {
                    self.show(View::List);
                    Act::Nothing
                }
            },
        }
    }

    fn in_list(&mut self, key: Key, seen: &Seen) -> Act {
        match key {
            Key::Up | Key::Char('k') => self.mark(seen, -1),
            Key::Down | Key::Char('j') => self.mark(seen, 1),
            Key::Enter => {
                if let Some(id) = self.marked.clone() {
                    self.show(View::Question(Box::new(Opened {
                        id,
                        ..Opened::default()
                    })));
                    return Act::Discard;
                }
            }
            Key::Char('h') => self.show(View::History),
            Key::Char('w') => return Act::Link,
            Key::Char('q') | Key::Leave => {
                if seen.open.is_empty() {
                    return Act::Leave;
                }
                self.show(View::Leaving);
            }
            _ => {}
        }
        Act::Nothing
    }

    fn mark(&mut self, seen: &Seen, step: isize) {
        let at = |waiting: &Waiting| Some(&waiting.asked.id) == self.marked.as_ref();
        let here = seen.open.iter().position(at).unwrap_or(0);
        let next = here.saturating_add_signed(step);
        if let Some(next) = seen.open.get(next) {
            self.marked = Some(next.asked.id.clone());
        }
    }

    fn in_question(&mut self, key: Key, seen: &Seen) -> Act {
        let View::Question(opened) = &mut self.view else {
            return Act::Nothing;
        };
        let Some(waiting) = seen.waiting(&opened.id) else {
            return Act::Nothing;
        };
        if let Some(reason) = &mut opened.typing {
            match key {
                Key::Char(c) if reason.chars().count() < LONGEST_REASON => reason.push(c),
                Key::Backspace => drop(reason.pop()),
                Key::Enter => {
                    let beside = Beside {
                        reason,
                        ..Beside::default()
                    };
                    return answer(&opened.id, Choice::No, beside);
                }
                Key::Escape | Key::Leave => opened.typing = None,
                _ => {}
            }
            return Act::Nothing;
        }
        let offers = &waiting.asked.offers;
        let choices = Choice::about(&waiting.asked);
        let here = choices
            .iter()
            .position(|choice| *choice == opened.choice)
            .unwrap_or(0);
        let step = |to: usize| choices.get(to).copied().unwrap_or(opened.choice);
        match key {
            Key::Up => opened.choice = step(here.saturating_sub(1)),
            Key::Down => opened.choice = step(here + 1),
            Key::Char('n') => opened.choice = Choice::No,
            Key::Char('a') => opened.choice = Choice::Once,
            Key::Char('s') if choices.contains(&Choice::Session) => opened.choice = Choice::Session,
            Key::Char('g') if choices.contains(&Choice::Hour) => opened.choice = Choice::Hour,
            Key::Char('d') if choices.contains(&Choice::Below) => {
                // The nearest one first, and at each further press the one above it.
                if opened.choice == Choice::Below {
                    opened.below = (opened.below + 1) % offers.below.len().max(1);
                }
                opened.choice = Choice::Below;
            }
            Key::Char('t') if offers.kept => opened.kept = !opened.kept,
            Key::Char('r') => {
                opened.choice = Choice::No;
                opened.typing = Some(String::new());
            }
            Key::Char(' ' | 'j') | Key::PageDown => {
                self.top = self.top.saturating_add(if key == Key::Char('j') { 1 } else { 5 })
            }
            Key::Char('k') => self.top = self.top.saturating_sub(1),
            Key::PageUp => self.top = self.top.saturating_sub(5),
            Key::Escape | Key::Leave | Key::Char('q') => self.show(View::List),
            Key::Enter if opened.choice != Choice::No && !opened.read => {
                "Read to the end first: space shows more.".clone_into(&mut self.notice);
            }
            Key::Enter if opened.choice != Choice::No && !opened.fits => {
                "Enlarge the window: it does not fit.".clone_into(&mut self.notice);
            }
            Key::Enter => {
                let beside = Beside {
                    below: offers.below.get(opened.below).map_or("", String::as_str),
                    kept: opened.kept,
                    ..Beside::default()
                };
                return answer(&opened.id, opened.choice, beside);
            }
            _ => {}
        }
        Act::Nothing
    }

    fn in_history(&mut self, key: Key) -> Act {
        match key {
            Key::Down | Key::Char('j') => self.top += 1,
            Key::Up | Key::Char('k') => self.top = self.top.saturating_sub(1),
            Key::PageDown | Key::Char(' ') => self.top += 10,
            Key::PageUp => self.top = self.top.saturating_sub(10),
            _ => self.show(View::List),
        }
        Act::Nothing
    }

    /// What came of an answer.
    pub(super) fn told(&mut self, notice: String) {
        self.show(View::List);
        self.notice = notice;
    }

    /// Shows a text.
    pub(super) fn tell(&mut self, text: String) {
        self.show(View::Text(text));
    }
}

fn answer(id: &str, choice: Choice, beside: Beside<'_>) -> Act {
    match choice.say(beside) {
        Some(said) => Act::Answer(id.to_owned(), said),
        None => Act::Nothing,
    }
}

#[cfg(test)]
mod tests;
