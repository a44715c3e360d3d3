//! The desk of straw: a place in the server that can end while the gate lives.

use std::path::Path;
use std::time::Duration;

use super::super::Lie;
use super::super::ask::{Inbox, Reply, Talk, broken};
use super::{Exit, Open, Server, say};
use crate::os::perform as naive;
use crate::wire::{self, Call, DeskWord, FromSubject, Seen, Standing};

/// What there is of it beside the questions that are open.
#[derive(Default)]
pub(super) struct Desk {
    /// It is there.
    stands: bool,
    /// What something else answers in its place.
    fake: Option<String>,
    /// Questions that were answered.
    past: Vec<Standing>,
    /// For one liar: the calls of questions that are over.
    pub(super) over: Vec<(String, Call)>,
    /// For one liar: somebody allowed what was not asked.
    early: bool,
}

impl Desk {
    /// The desk of a session, where it has one.
    pub(super) fn begin(open: &wire::Open) -> Self {
        Self {
            stands: open.desk == Some(true),
            ..Self::default()
        }
    }

    /// Puts a question there, or says what comes of it when that is not possible.
    pub(super) fn put(&mut self, inbox: &mut Inbox, timeout: Duration, lie: Lie) -> Result<Talk, Reply> {
        if let Some(how) = self.fake.take() {
            return Err(faked(&how, lie));
        }
        if !self.stands {
            let nobody = lie.is("allow-unasked").then_some(Reply::Once);
            return Err(nobody.unwrap_or_else(|| broken(lie)));
        }
        if std::mem::take(&mut self.early) {
            return Err(Reply::Once);
        }
        Ok(Talk::at_desk(inbox, timeout))
    }
}

/// What comes of a question that something else takes than a desk.
fn faked(how: &str, lie: Lie) -> Reply {
    match how {
        "hangup" => broken(lie),
        "wrong_id" if lie.is("accept-stale-id") => Reply::Once,
        "twice" if lie.is("last-answer") => Reply::Once,
        "twice" => Reply::Deny,
        "half" | "garbage" | "flood" if lie.is("allow-on-garbage") => Reply::Once,
        _ => Reply::NoApprover,
    }
}

fn standing(open: &Open) -> Standing {
    let question = &open.asked.question;
    Standing {
        ask: question.id.clone(),
        call: question.call.clone(),
        text: question.text.clone(),
    }
}

impl Server {
    /// Does what somebody does at the desk.
    pub(super) fn at_desk(&mut self, desk: wire::Desk) -> Exit {
        let mut seen = Seen {
            session: desk.session.clone(),
            questions: Vec::new(),
            taken: None,
        };
        let mut settled = None;
        match desk.does {
            DeskWord::Look => seen.questions = self.standing(),
            DeskWord::Answer => {
                let (taken, over) = self.answered(&desk);
                seen.taken = Some(taken);
                settled = over;
            }
            DeskWord::Garble => {
                let is_open = self.desk.stands && !self.open.is_empty();
                let heard = is_open && self.lie.is("allow-on-garbage");
                seen.taken = Some(heard);
                settled = heard.then_some((0, Reply::Once));
            }
            DeskWord::Die | DeskWord::Fake => {
                self.desk.stands = false;
                self.desk.fake = desk.says;
                while !self.open.is_empty() && !self.lie.is("desk-comes-back") {
                    if let Some(exit) = self.settle(0, broken(self.lie)) {
                        return Some(exit);
                    }
                }
            }
            DeskWord::Start => {
                self.desk.stands = true;
                self.desk.fake = None;
            }
        }
        say(&FromSubject::Seen(seen));
        let (at, reply) = settled?;
        self.settle(at, reply)
    }

    fn standing(&self) -> Vec<Standing> {
        let mut standing: Vec<Standing> = match self.desk.stands {
            true => self.open.iter().map(standing).collect(),
            false => Vec::new(),
        };
        if !self.desk.past.is_empty() && self.lie.is("desk-shows-on") {
            standing.extend(self.desk.past.iter().cloned());
        }
        standing
    }

    /// Whether an answer is taken, and which question is over with it.
    fn answered(&mut self, desk: &wire::Desk) -> (bool, Option<(usize, Reply)>) {
        let lie = self.lie;
        let reply = match desk.says.as_deref() {
            Some("allow_once") => Reply::Once,
            Some("allow_always") => Reply::Always,
            Some("deny") => Reply::Deny,
            _ => return (false, None),
        };
        let is_heard = desk.person.as_deref() != Some("stranger") || lie.is("desk-hears-all");
        if !self.desk.stands || !is_heard {
            return (false, None);
        }
        let named = |open: &Open| Some(&open.asked.question.id) == desk.ask.as_ref();
        let at = match self.open.iter().position(named) {
            None if !self.open.is_empty() && lie.is("accept-stale-id") => Some(0),
            at => at,
        };
        let Some(open) = at.and_then(|at| self.open.get_mut(at)) else {
            if let Some((_, call)) = self
                .desk
                .over
                .iter()
                .find(|(id, _)| Some(id) == desk.ask.as_ref())
                && reply != Reply::Deny
            {
                let _done = naive::perform(&call.tool, &call.args, Path::new(&call.cwd));
            }
            self.desk.early = reply != Reply::Deny && lie.is("early-answer");
            return (lie.is("desk-takes-all"), None);
        };
        self.desk.past.push(standing(open));
        let over = open.talk.takes(reply, lie);
        (true, at.zip(over))
    }
}
