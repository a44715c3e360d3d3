//! The rows of the screen. The choices have their rows before anything else gets one.

use super::model::{Model, Opened, Seen, View, Waiting};
use super::text::{cut, wrapped};
use portcullis::desk::wire::Asked;

use crate::desk::choice::Choice;
use crate::desk::words;

/// The smallest screen on which a question is answered.
const SMALLEST: Size = Size {
    rows: 12,
    columns: 36,
};
/// Rows that the screen has beside the choices: the head, the notice, the line about what is left out, and one of the
/// question.
const OTHER_ROWS: usize = 4;
/// Where the words of a choice begin.
const INDENT: usize = 5;

/// Of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) rows: usize,
    pub(super) columns: usize,
}

/// One row, and whether it stands out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) text: String,
    pub(super) marked: bool,
}

impl Row {
    fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            marked: false,
        }
    }
}

impl Size {
    pub(super) fn is_too_small(self) -> bool {
        self.rows < SMALLEST.rows || self.columns < SMALLEST.columns
    }
}

/// What to show now, at most as many rows as there are, none wider than the screen. What scrolls is kept within what
/// there is, and an opened question learns whether its end was shown.
pub(super) fn draw(model: &mut Model, seen: &Seen, size: Size) -> Vec<Row> {
    if size.is_too_small() {
        let text = format!(
            "Make this window at least {} x {}.",
            SMALLEST.columns, SMALLEST.rows
        );
        return wrapped(&text, size.columns, 0)
            .into_iter()
            .take(size.rows)
            .map(|row| Row::plain(cut(&row, size.columns)))
            .collect();
    }
    let (head, body, foot) = match &model.view {
        View::List => list(model, seen, size),
        View::Question(opened) => match seen.waiting(&opened.id) {
            Some(waiting) => question(opened, waiting, size),
            None => (String::new(), Vec::new(), Vec::new()),
        },
        View::History => history(seen, size),
        View::Text(text) => (
            "Portcullis desk".to_owned(),
            text.lines()
                .flat_map(|line| wrapped(line, size.columns, 0))
                .map(Row::plain)
                .collect(),
            vec![Row::plain("any key: go on")],
        ),
        View::Leaving => (
            "Portcullis desk".to_owned(),
            vec![Row::plain(format!(
                "{} open: closing the desk refuses them.",
                count(seen)
            ))],
            vec![Row::plain("y: close     any other key: stay")],
        ),
    };
    let mut rows = vec![Row::plain(head)];
    // Head, notice, and the line about what is left out.
    let room = size.rows.saturating_sub(foot.len() + 3);
    model.top = model.top.min(body.len().saturating_sub(room));
    let below = body.len().saturating_sub(model.top + room);
    if let View::Question(opened) = &mut model.view {
        opened.read |= below == 0;
        let waiting = seen.waiting(&opened.id);
        opened.fits = waiting.is_some_and(|waiting| chosen(opened, &waiting.asked, size).is_some());
    }
    rows.extend(body.into_iter().skip(model.top).take(room));
    rows.push(Row::plain(match (model.top, below) {
        (0, 0) => String::new(),
        (above, 0) => format!("-- {above} rows above --"),
        (_, below) => format!("-- {below} more rows: space --"),
    }));
    while rows.len() + foot.len() + 1 < size.rows {
        rows.push(Row::plain(""));
    }
    rows.push(Row::plain(model.notice.as_str()));
    rows.extend(foot);
    for row in &mut rows {
        row.text = cut(&row.text, size.columns);
    }
    rows
}

type Parts = (String, Vec<Row>, Vec<Row>);

fn list(model: &Model, seen: &Seen, size: Size) -> Parts {
    let mut body = Vec::new();
    let marked = seen
        .open
        .iter()
        .position(|waiting| Some(&waiting.asked.id) == model.marked.as_ref())
        .unwrap_or(0);
    // As many questions as fit around the marked one, three rows each.
    let fit = (size.rows.saturating_sub(4) / 3).max(1);
    let first = marked.saturating_sub(fit - 1);
    for (at, waiting) in seen.open.iter().enumerate().skip(first).take(fit) {
        let is_marked = at == marked;
        let sign = if is_marked { ">" } else { " " };
        let asked = &waiting.asked;
        body.push(Row {
            text: cut(
                &format!(
                    "{sign} {} ({} left)",
                    words::heading(asked),
                    words::span(waiting.left)
                ),
                size.columns,
            ),
            marked: is_marked,
        });
        body.push(Row::plain(format!("    {}", words::first(asked))));
        body.push(Row::plain(format!("    {}", asked.from)));
    }
    if seen.open.is_empty() {
        body.push(Row::plain("  Nobody asks anything."));
    }
    let head = format!("Portcullis desk: {}", count(seen));
    let foot = Row::plain("up/down, Enter: look   h: history   w: web page   q: close");
    (head, body, vec![foot])
}

fn count(seen: &Seen) -> String {
    match seen.open.len() {
        0 => "no question".to_owned(),
        1 => "1 question".to_owned(),
        more => format!("{more} questions"),
    }
}

fn question(opened: &Opened, waiting: &Waiting, size: Size) -> Parts {
    let asked = &waiting.asked;
    let mut body = Vec::new();
    let mut say = |text: String| body.extend(wrapped(&text, size.columns, 6).into_iter().map(Row::plain));
    say(words::heading(asked));
    for row in words::commands(asked, size.columns.saturating_sub(4)) {
        say(format!("    {row}"));
    }
    for effect in &asked.effects {
        say(format!("    {effect}"));
    }
    for cause in words::causes(asked) {
        say(format!("  because {cause}"));
    }
    if let Some(because) = &asked.offers.because {
        say(format!("  {because}"));
    }
    say(format!(
        "  call {}, process {}, from {}",
        asked.call, waiting.process, asked.from
    ));
    let mut foot = Vec::new();
    for choice in Choice::about(asked) {
        let marked = choice == opened.choice;
        let whole = if marked { chosen(opened, asked, size) } else { None };
        let rows = whole.unwrap_or_else(|| vec![cut(&labelled(choice, opened, asked), size.columns)]);
        foot.extend(rows.into_iter().map(|text| Row { text, marked }));
    }
    match &opened.typing {
        Some(reason) => {
            foot.push(Row::plain(ending(
                &format!("  No, because: {reason}_"),
                size.columns,
            )));
            foot.push(Row::plain("Enter: send this no   Esc: back"));
        }
        None if asked.offers.kept => foot.push(Row::plain(
            "Enter: send   r: no, with words   t: also after a restart   Esc: back",
        )),
        None => foot.push(Row::plain("Enter: send   r: no, with words   Esc: back")),
    }
    let head = format!("{} to answer; silence is no", words::span(waiting.left));
    (head, body, foot)
}

/// The rows of the chosen one, with nothing left out: what is sent is what is read. `None` when they have no room.
fn chosen(opened: &Opened, asked: &Asked, size: Size) -> Option<Vec<String>> {
    let rows = wrapped(&labelled(opened.choice, opened, asked), size.columns, INDENT);
    // The other choices have one row each, and so have the keys.
    let others = Choice::about(asked).len();
    (rows.len() + others + OTHER_ROWS <= size.rows).then_some(rows)
}

/// The choice with its key.
fn labelled(choice: Choice, opened: &Opened, asked: &Asked) -> String {
    let sign = if choice == opened.choice { ">" } else { " " };
    format!("{sign} {}  {}", key(choice), label(choice, opened, asked))
}

/// The choice as it would be sent now.
fn label(choice: Choice, opened: &Opened, asked: &Asked) -> String {
    let mut label = match (choice, asked.offers.below.get(opened.below)) {
        (Choice::Below, Some(directory)) => {
            let more = if asked.offers.below.len() > 1 {
                " (d: another)"
            } else {
                ""
            };
            format!("Allow the same for one hour below {directory}{more}")
        }
        _ => choice.label().to_owned(),
    };
    if opened.kept && choice.can_be_kept() {
        label.push_str(", also after a restart");
    }
    label
}

/// The end of a text that is being typed.
fn ending(text: &str, width: usize) -> String {
    let mut shown = text.to_owned();
    while wrapped(&shown, width, 0).len() > 1 {
        shown.remove(0);
    }
    shown
}

fn key(choice: Choice) -> char {
    match choice {
        Choice::No => 'n',
        Choice::Once => 'a',
        Choice::Session => 's',
        Choice::Hour => 'g',
        Choice::Below => 'd',
    }
}

fn history(seen: &Seen, size: Size) -> Parts {
    let mut body = Vec::new();
    for past in &seen.past {
        let text = format!("{}: {}", words::ended(past), words::heading(&past.asked));
        body.extend(wrapped(&text, size.columns, 4).into_iter().map(Row::plain));
        body.push(Row::plain(format!("    {}", words::first(&past.asked))));
    }
    if body.is_empty() {
        body.push(Row::plain("  Nothing was asked yet."));
    }
    let head = "Portcullis desk: what was asked, latest first".to_owned();
    (
        head,
        body,
        vec![Row::plain("up/down, space: more   any other key: back")],
    )
}
