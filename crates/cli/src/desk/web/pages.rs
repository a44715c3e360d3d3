//! The pages. Every text is escaped for the page where it is put in, and made visible before it came to the board.

use std::fmt::{self, Write as _};

use portcullis::desk::wire::{Asked, NotTakenWhy};
use portcullis::{Marked, Moment};

use super::doors::Visit;
use crate::desk::board::{Board, Open, Past};
use crate::desk::choice::Choice;
use crate::desk::words;

/// Most ended questions that a page shows.
const MOST_PAST: usize = 100;

/// A text in HTML, in elements and in quoted attributes.
struct Esc<'a>(&'a str);

impl fmt::Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// A whole page around what stands between head and end.
fn page(title: &str, refresh: &str, inner: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"/page.css\">\n{refresh}\
         <script src=\"/page.js\" defer></script>\n</head>\n<body>\n{inner}</body>\n</html>\n",
        Esc(title)
    )
}

/// Without scripts the list comes again by itself; a page with a form does not, because a person may be typing.
const AGAIN: &str = "<noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript>\n";

fn base(visit: &Visit) -> String {
    format!("/d/{}/", visit.place)
}

/// The open questions. They are links only: what moves while a person aims must not be an answer.
pub(crate) fn list(board: &Board, visit: &Visit, now: Moment) -> String {
    let base = base(visit);
    let count = board.open().len();
    let mut inner = format!(
        "<main data-view=\"list\" data-base=\"{base}\">\n<h1>{}</h1>\n",
        how_many(count)
    );
    if count > 0 {
        inner.push_str("<ol class=\"questions\">\n");
    }
    for open in board.open() {
        let asked = &open.asked;
        let first = words::first(asked);
        let _written = writeln!(
            inner,
            "<li><a href=\"{base}q/{}\"><span class=\"text\">{}</span></a> <span class=\"time\">({})</span><br>\
             <code class=\"text\">{}</code><br><span class=\"text\">{}</span></li>",
            Esc(&asked.id),
            Esc(&words::heading(asked)),
            left(open, now),
            Esc(&first),
            Esc(&asked.from),
        );
    }
    if count > 0 {
        inner.push_str("</ol>\n");
    }
    let past: Vec<&Past> = board.past().take(MOST_PAST).collect();
    if !past.is_empty() {
        inner.push_str("<h2>Lately</h2>\n<ul class=\"past\">\n");
        for past in past {
            let _written = writeln!(
                inner,
                "<li><span class=\"over text\">{}</span>: <a href=\"{base}q/{}\"><span class=\"text\">{}</span></a></li>",
                Esc(&words::ended(past)),
                Esc(&past.asked.id),
                Esc(&words::heading(&past.asked)),
            );
        }
        inner.push_str("</ul>\n");
    }
    inner.push_str("</main>\n");
    page(&format!("{} - Portcullis", how_many(count)), AGAIN, &inner)
}

fn how_many(count: usize) -> String {
    match count {
        0 => "No open question".to_owned(),
        1 => "1 open question".to_owned(),
        more => format!("{more} open questions"),
    }
}

/// One question: with a form while it is open, with its end when it is over. `None` when it is not known.
pub(crate) fn question(board: &Board, id: &str, visit: &Visit, now: Moment) -> Option<String> {
    if let Some(open) = board.open().iter().find(|open| open.asked.id == id) {
        return Some(open_question(open, visit, now));
    }
    let past = board.past().find(|past| past.asked.id == id)?;
    let over = format!(
        "<p class=\"over\">Over: <span class=\"text\">{}</span></p>\n",
        Esc(&words::ended(past))
    );
    let main = main(&past.asked, "over", visit, &over);
    Some(page("Over - Portcullis", "", &main))
}

fn open_question(open: &Open, visit: &Visit, now: Moment) -> String {
    let asked = &open.asked;
    let time = format!(
        "<p><span class=\"time\">{}</span> left; silence is no. Asked by process {}.</p>\n",
        left(open, now),
        open.process
    );
    let mut inner = main(asked, "question", visit, &time);
    let _written = write!(
        inner,
        "<form method=\"post\" action=\"{}q/{}\">\n<input type=\"hidden\" name=\"word\" value=\"{}\">\n\
         <fieldset><legend>Your answer</legend>\n",
        base(visit),
        Esc(&asked.id),
        visit.word
    );
    let (longer, short): (Vec<Choice>, Vec<Choice>) = Choice::about(asked)
        .into_iter()
        .partition(|choice| !matches!(choice, Choice::No | Choice::Once));
    for choice in short {
        inner.push_str(&radio(choice));
    }
    if !longer.is_empty() {
        inner.push_str(&for_longer(&longer, asked));
    }
    inner.push_str(
        "<label>Words for the agent, with a no: <input type=\"text\" name=\"reason\" maxlength=\"400\" \
         autocomplete=\"off\"></label>\n</fieldset>\n<button type=\"submit\">Send the answer</button>\n</form>\n",
    );
    page(&format!("{} - Portcullis", words::heading(asked)), "", &inner)
}

/// What the box for a restart says when it is ticked.
pub(crate) const KEEP: &str = "yes";

fn radio(choice: Choice) -> String {
    let checked = match choice == Choice::default() {
        true => " checked",
        false => "",
    };
    format!(
        "<label><input type=\"radio\" name=\"answer\" value=\"{}\"{checked}> {}</label>\n",
        choice.word(),
        choice.label()
    )
}

/// The choices beyond once, which a person opens.
fn for_longer(choices: &[Choice], asked: &Asked) -> String {
    let mut inner = "<details><summary>Allow for longer</summary>\n".to_owned();
    for choice in choices {
        inner.push_str(&radio(*choice));
    }
    if choices.contains(&Choice::Below) {
        inner.push_str("<label>The directory: <select name=\"below\"><option value=\"\"></option>");
        for directory in &asked.offers.below {
            let directory = Esc(directory);
            let _written = write!(inner, "<option value=\"{directory}\">{directory}</option>");
        }
        inner.push_str("</select></label>\n");
    }
    if asked.offers.kept {
        let _written = writeln!(
            inner,
            "<label><input type=\"checkbox\" name=\"keep\" value=\"{KEEP}\"> Also after a restart</label>"
        );
    }
    inner.push_str("</details>\n");
    inner
}

/// A command, with what made the question marked.
fn command(marked: &Marked) -> String {
    let mut inner = "<p><code class=\"text\">".to_owned();
    for (text, is_marked) in marked.pieces() {
        let _written = match is_marked {
            true => write!(inner, "<mark>{}</mark>", Esc(text)),
            false => write!(inner, "{}", Esc(text)),
        };
    }
    inner.push_str("</code></p>\n");
    inner
}

fn main(asked: &Asked, view: &str, visit: &Visit, state: &str) -> String {
    let base = base(visit);
    let mut inner = format!(
        "<main data-view=\"{view}\" data-base=\"{base}\">\n<p><a href=\"{base}\">All questions</a></p>\n\
         <h1 class=\"text\">{}</h1>\n{state}",
        Esc(&words::heading(asked))
    );
    for marked in asked.marked() {
        inner.push_str(&command(&marked));
    }
    inner.push_str("<h2>It would</h2>\n<ul>\n");
    for effect in &asked.effects {
        let _written = writeln!(inner, "<li><code class=\"text\">{}</code></li>", Esc(effect));
    }
    inner.push_str("</ul>\n<h2>It is asked because</h2>\n<ul>\n");
    for cause in words::causes(asked) {
        let _written = writeln!(inner, "<li class=\"text\">{}</li>", Esc(&cause));
    }
    inner.push_str("</ul>\n");
    if let Some(because) = &asked.offers.because {
        let _written = writeln!(inner, "<p class=\"text\">{}</p>", Esc(because));
    }
    let _written = write!(
        inner,
        "<p>Call <span class=\"text\">{}</span>, from <span class=\"text\">{}</span></p>\n</main>\n",
        Esc(&asked.call),
        Esc(&asked.from)
    );
    inner
}

fn left(open: &Open, now: Moment) -> String {
    let left = open.remaining(now);
    format!(
        "<span data-left=\"{}\">{}</span>",
        left.as_millis(),
        words::span(left)
    )
}

/// After a link was used: a page of our own leads on, because a cookie that is strict is not sent on a way that began
/// elsewhere.
pub(crate) fn entered(visit: &Visit) -> String {
    let base = base(visit);
    let refresh = format!("<meta http-equiv=\"refresh\" content=\"0; url={base}\">\n");
    let inner = format!("<main><p><a href=\"{base}\">Go to the questions</a></p></main>\n");
    page("Portcullis", &refresh, &inner)
}

/// An answer that went nowhere.
pub(crate) fn not_taken(why: NotTakenWhy, visit: &Visit) -> String {
    let base = base(visit);
    let inner = format!(
        "<main data-view=\"end\"><h1>Your answer was not taken: {}</h1>\n\
         <p><a href=\"{base}\">All questions</a></p></main>\n",
        words::not_taken(why)
    );
    page("Not taken - Portcullis", "", &inner)
}

/// A request that is not served, in one sentence.
pub(crate) fn refused(what: &str) -> String {
    let inner = format!("<main data-view=\"end\"><h1>{}</h1></main>\n", Esc(what));
    page("Portcullis", "", &inner)
}
