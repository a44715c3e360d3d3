//! One session of the gate of straw: decides, asks, records, performs.

mod begin;
mod breaker;
mod end;
mod judge;
mod question;
mod reload;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::Lie;
use super::ask::Reply;
use super::log::Log;
use super::rules::{Risk, Rules};
use crate::os::perform as naive;
use crate::os::{clock, disk};
use crate::wire::{Answer, Call, Decision, Event, Open};

pub(super) use judge::Judgement;
pub(super) use question::Asked;

use end::answer;

/// An open session.
pub(super) struct Gate {
    open: Open,
    rules: Rules,
    file: reload::PolicyFile,
    log: Log,
    /// Calls that are allowed without a question, and until when.
    grants: Vec<(String, Option<Instant>)>,
    breaker: breaker::Breaker,
    lie: Lie,
}

/// A judgement, or the reason of a denial.
pub(super) type Judged = Result<Judgement, &'static str>;

/// How far a call has come.
pub(super) enum Turn {
    /// It is over.
    Done(Answer),
    /// Somebody has to be asked.
    Asked(Box<Asked>),
}

impl Gate {
    /// Ends the session. A log that cannot be written any more has no last word.
    pub(super) fn close(&self) {
        let _unwritten = self.log.close(self.lie);
    }

    pub(super) fn session(&self) -> &str {
        &self.open.session
    }

    /// Decides a call and, where nobody has to be asked, performs it. `judged`: by whoever judged it before.
    pub(super) fn call(&mut self, call: &Call, judged: Option<Judged>) -> Turn {
        let cwd = PathBuf::from(&call.cwd);
        if self.lie.is("allow-all") {
            let output = naive::perform(&call.tool, &call.args, &cwd);
            return Turn::Done(answer(
                call,
                Decision::Allow,
                "policy",
                true,
                Some(output.unwrap_or_default()),
            ));
        }
        if self.lie.is("deny-all") {
            return Turn::Done(answer(call, Decision::Deny, "policy", false, None));
        }
        if self.lie.is("act-silently") {
            let _done = naive::perform(&call.tool, &call.args, &cwd);
        }
        let judged = judged.unwrap_or_else(|| self.refreshed(call));
        let judgement = match judged {
            Ok(judgement) => judgement,
            Err("unknown_tool") if self.lie.is("unknown-is-fine") => {
                let output = Some("done".to_owned());
                return Turn::Done(answer(call, Decision::Allow, "policy", true, output));
            }
            Err(reason) => return Turn::Done(self.deny(call, reason, &self.file.version())),
        };
        Turn::Done(match judgement.risk {
            Risk::Deny => self.deny(call, "policy", &judgement.version),
            Risk::Allow => self.run(call, &judgement, "policy"),
            Risk::Ask if self.is_granted(&self.key(call, &judgement)) => {
                self.run(call, &judgement, "approved")
            }
            Risk::Ask if self.lie.is("hook") => self.leave_to_the_host(call, &judgement),
            Risk::Ask if self.breaker.is_open(|| self.intent(call, &judgement), self.lie) => {
                self.deny(call, "circuit_open", &judgement.version)
            }
            Risk::Ask => match self.question(call, &judgement) {
                Ok(question) => {
                    return Turn::Asked(Box::new(Asked {
                        call: call.clone(),
                        judgement,
                        question,
                        more: u32::from(self.lie.is("ask-twice")),
                    }));
                }
                Err(reply) => self.settled(call, &judgement, reply),
            },
        })
    }

    /// What comes of a call by the answer to its question.
    pub(super) fn settle(&mut self, mut asked: Box<Asked>, reply: Reply) -> Turn {
        if asked.more > 0 {
            asked.more -= 1;
            return Turn::Asked(asked);
        }
        Turn::Done(self.settled(&asked.call, &asked.judgement, reply))
    }

    fn settled(&mut self, call: &Call, judgement: &Judgement, reply: Reply) -> Answer {
        if self.breaker.counts(reply) {
            let intent = self.intent(call, judgement);
            self.breaker.note(call, intent, reply, self.lie);
        }
        match reply {
            Reply::Once | Reply::Always | Reply::For(_) => {
                if reply != Reply::Once || self.lie.is("reuse-allow-once") {
                    let until = match reply {
                        Reply::For(ms) if !self.lie.is("grant-for-ever") => {
                            Some(clock::now() + Duration::from_millis(ms))
                        }
                        _ => None,
                    };
                    let key = self.key(call, judgement);
                    if self.lie.is("grant-crosses") {
                        // Where it is kept, the next session finds it.
                        let _kept = disk::append(&begin::kept_grants(&self.open), format!("{key}\n"));
                    }
                    self.grants.push((key, until));
                }
                self.run(call, judgement, "approved")
            }
            Reply::Deny => self.deny(call, "denied_by_human", &judgement.version),
            Reply::Timeout => self.deny(call, "timeout", &judgement.version),
            Reply::NoApprover => self.deny(call, "no_approver", &judgement.version),
            Reply::Cancelled => self.deny(call, "cancelled", &judgement.version),
        }
    }

    /// What a lasting allow is for.
    fn key(&self, call: &Call, judgement: &Judgement) -> String {
        if self.lie.is("wide-grant") {
            return judgement.tool.clone();
        }
        // Whatever changed of the policy, a lasting allow was given under another one.
        let version = match self.file.is_the_first() || self.lie.is("grant-outlives") {
            true => String::new(),
            false => self.file.version(),
        };
        format!(
            "{} {} {} {:?} {version}",
            judgement.tool, judgement.args, call.cwd, call.agent
        )
    }

    fn is_granted(&self, key: &str) -> bool {
        let now = clock::now();
        let mut grants = self.grants.iter();
        grants.any(|(granted, until)| granted == key && until.is_none_or(|until| now < until))
    }

    /// What the user does with the gate's own tools; the files that hold what was logged before.
    pub(super) fn user(&mut self, does: &str, call: Option<String>) -> Option<Vec<String>> {
        match does {
            "revoke" => {
                if !self.lie.is("grant-stays") {
                    self.grants.clear();
                }
                Some(Vec::new())
            }
            "rotate" => self.log.rotate().ok(),
            "seal" => self.log.seal().ok().map(|()| Vec::new()),
            "end" => {
                let forged = Event::Finished {
                    call: call?,
                    session: self.open.session.clone(),
                    outcome: "done".to_owned(),
                };
                self.log.append(&forged, self.lie).ok().map(|()| Vec::new())
            }
            _ => None,
        }
    }
}
