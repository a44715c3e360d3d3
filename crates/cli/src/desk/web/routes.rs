//! Which request gets what.

use portcullis::desk::wire::Answered;

use super::doors::{Doors, Visit, same};
use super::form::Form;
use super::pages::{self, KEEP};
use super::reply::Reply;
use super::request::Request;
use crate::desk::board::By;
use crate::desk::choice::{Beside, Choice};
use crate::desk::hall::Hall;

/// The cookie's name.
const COOKIE: &str = "desk";
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// What a request gets.
pub(crate) enum Answer {
    /// A reply, and the end.
    Whole(Reply),
    /// Word of every change, as long as the browser stays.
    Live(Visit),
}

/// Answers a request; whatever does not come from the page itself gets nothing but a reason.
pub(crate) fn answer(request: &Request, doors: &Doors, hall: &Hall) -> Answer {
    match decide(request, doors, hall) {
        Ok(answer) => answer,
        Err((status, what)) => Answer::Whole(Reply::page(status, pages::refused(what))),
    }
}

type Refused = (u16, &'static str);

const ELSEWHERE: Refused = (403, "This request does not come from the desk's own page");
const FOREIGN: Refused = (403, "This request comes from a page of another origin");
const CLOSED: Refused = (403, "This page is closed: ask the desk for a new link");

fn decide(request: &Request, doors: &Doors, hall: &Hall) -> Result<Answer, Refused> {
    if request.header("host") != Some(doors.host().as_str()) {
        return Err((403, "This server has another name"));
    }
    let origin = request.header("origin");
    let posts = request.method == "POST";
    // A page from elsewhere names its own origin, or hides it; a request that changes something has to name ours.
    if origin.map_or(posts, |origin| origin != doors.origin()) {
        return Err(FOREIGN);
    }
    if !posts && request.method != "GET" && request.method != "HEAD" {
        return Err((405, "This page is only looked at and answered"));
    }
    match request.path.as_str() {
        "/page.css" if !posts => return Ok(Answer::Whole(Reply::of(200, "text/css; charset=utf-8", STYLE))),
        "/page.js" if !posts => {
            return Ok(Answer::Whole(Reply::of(
                200,
                "text/javascript; charset=utf-8",
                SCRIPT,
            )));
        }
        // A look ahead at a link must not use it up.
        "/enter" if request.method == "GET" => return enter(request, doors, hall),
        _ => {}
    }
    let from = request.header("sec-fetch-site");
    let is_ours = from.is_none_or(|from| from == "same-origin" || (from == "none" && !posts));
    if !is_ours {
        return Err(ELSEWHERE);
    }
    let (place, below) = request
        .path
        .strip_prefix("/d/")
        .and_then(|path| path.split_once('/'))
        .ok_or((404, "There is nothing here"))?;
    let visit = doors
        .visit(place, &request.cookies(COOKIE), hall.moment())
        .ok_or(CLOSED)?;
    match (below, below.strip_prefix("q/")) {
        ("", _) if !posts => Ok(page(
            200,
            hall.at(|board, now| pages::list(board, &visit, now.moment)),
        )),
        ("events", _) if request.method == "GET" => Ok(Answer::Live(visit)),
        (_, Some(id)) if posts => post(request, id, &visit, hall),
        (_, Some(id)) => hall
            .at(|board, now| pages::question(board, id, &visit, now.moment))
            .map(|body| page(200, body))
            .ok_or((404, "This question is not known")),
        _ => Err((404, "There is nothing here")),
    }
}

fn enter(request: &Request, doors: &Doors, hall: &Hall) -> Result<Answer, Refused> {
    let key = request.query.strip_prefix("key=").unwrap_or_default();
    let visit = doors.enter(key, hall.moment()).ok_or((
        403,
        "This link was used already, or is too old: ask the desk for a new one",
    ))?;
    let cookie = format!(
        "{COOKIE}={}; Path=/d/{}/; HttpOnly; SameSite=Strict",
        visit.cookie, visit.place
    );
    let reply = Reply::page(200, pages::entered(&visit)).with("Set-Cookie", cookie);
    Ok(Answer::Whole(reply))
}

fn post(request: &Request, id: &str, visit: &Visit, hall: &Hall) -> Result<Answer, Refused> {
    if request.header("content-type") != Some("application/x-www-form-urlencoded") {
        return Err((415, "This is not the form of a question"));
    }
    let form = Form::read(&request.body).ok_or((400, "This is not the form of a question"))?;
    if !same(&visit.word, &form.word) {
        return Err(ELSEWHERE);
    }
    let choice = Choice::by_word(&form.answer).ok_or((400, "This is not an answer"))?;
    let beside = Beside {
        reason: &form.reason,
        below: &form.below,
        kept: form.keep == KEEP,
    };
    let answer = Answered {
        id: id.to_owned(),
        answer: choice
            .say(beside)
            .ok_or((400, "This answer needs a directory, and none is named"))?,
    };
    match hall.at(|board, now| board.answer(&answer, By::Page, now)) {
        Ok(()) => Ok(Answer::Whole(Reply::see(format!("/d/{}/q/{id}", visit.place)))),
        Err(why) => Ok(page(409, pages::not_taken(why, visit))),
    }
}

fn page(status: u16, body: String) -> Answer {
    Answer::Whole(Reply::page(status, body))
}
