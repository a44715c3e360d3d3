//! The screen: a list of questions, one of them in full, the keys that answer it, and what became of the others.

mod draw;
mod keys;
mod model;
mod terminal;
mod text;

use std::io;

use portcullis::desk::wire::{Answered, Said};

use self::keys::Key;
use self::model::{Act, Model, Seen, View};
use self::terminal::{Came, Terminal};
use super::board::By;
use super::hall::Hall;
use super::web::Doors;
use super::words;

/// How long one look at the keyboard lasts: how late a change elsewhere is seen.
const LOOK_MS: i64 = 100;

/// Shows the screen until the person closes it or the terminal goes away.
pub(crate) fn run(hall: &Hall, doors: Option<&Doors>) -> io::Result<()> {
    let mut terminal = Terminal::open()?;
    let mut model = Model::default();
    let mut shown = None;
    let mut known = Vec::new();
    loop {
        let seen = hall.at(|board, now| Seen::of(board, now));
        model.follow(&seen);
        let size = terminal.size();
        let rows = draw::draw(&mut model, &seen, size);
        let ids: Vec<String> = seen.open.iter().map(|open| open.asked.id.clone()).collect();
        let is_new = ids.iter().any(|id| !known.contains(id));
        known = ids;
        if shown.as_ref() != Some(&rows) {
            terminal.show(&rows, is_new)?;
            shown = Some(rows);
        }
        let typed = match terminal.wait(LOOK_MS) {
            Came::Nothing => continue,
            Came::End => return Ok(()),
            Came::Typed(typed) => typed,
        };
        // On a screen that shows no question, none is answered; nor on one that is no longer what was drawn.
        if size.is_too_small() || terminal.size() != size {
            terminal.discard();
            continue;
        }
        for key in pressed(&typed, &model) {
            match model.press(key, &seen) {
                Act::Nothing => {}
                Act::Discard => terminal.discard(),
                Act::Answer(id, said) => model.told(answer(hall, id, said)),
                Act::Link => model.tell(link(hall, doors)),
                Act::Leave => return Ok(()),
            }
        }
    }
}

/// The keys that count. One key a look: what came with it was typed, or pasted, before the person could see what the
/// first one did. Only words are typed faster than that, and what ends them does not count among them.
fn pressed(typed: &[u8], model: &Model) -> Vec<Key> {
    let is_typing = matches!(&model.view, View::Question(opened) if opened.typing.is_some());
    let mut keys = Vec::new();
    let mut rest = typed;
    while let Some((key, length)) = keys::first(rest) {
        keys.push(key);
        rest = rest.get(length..).unwrap_or_default();
    }
    if is_typing && keys.len() > 1 {
        keys.retain(|key| matches!(key, Key::Char(_) | Key::Backspace));
    } else {
        keys.truncate(1);
    }
    keys
}

fn answer(hall: &Hall, id: String, said: Said) -> String {
    let answer = Answered { id, answer: said };
    match hall.at(|board, now| board.answer(&answer, By::Screen, now)) {
        Ok(()) => capitalized(&words::said_word(&answer.answer)),
        Err(why) => format!("Your answer was not taken: {}.", words::not_taken(why)),
    }
}

/// `Allowed once.`
fn capitalized(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

fn link(hall: &Hall, doors: Option<&Doors>) -> String {
    match doors.map(|doors| doors.link(hall.moment())) {
        None => "There is no web page: start the desk with --web.".to_owned(),
        Some(None) => "The system gave no random bytes, and a link that can be guessed is none.".to_owned(),
        Some(Some(url)) => format!("Opens the page once, within ten minutes:\n\n{url}"),
    }
}

#[cfg(test)]
mod tests {
    use super::model::Opened;
    use super::*;

    #[test]
    fn what_is_pasted_answers_nothing() {
        let mut model = Model::default();
        assert_eq!(pressed(b"\ra\r", &model), [Key::Enter]);
        model.view = View::Question(Box::default());
        assert_eq!(pressed(b"a\r", &model), [Key::Char('a')]);
        model.view = View::Question(Box::new(Opened {
            typing: Some(String::new()),
            ..Opened::default()
        }));
        assert_eq!(pressed(b"no\r", &model), [Key::Char('n'), Key::Char('o')]);
        assert_eq!(pressed(b"\r", &model), [Key::Enter]);
    }
}
