//! One call, from the line that is sent to the disk afterwards.

use std::time::Duration;

use super::events::{Event, Talk};
use super::observe::{Asked, Seen, StepSeen};
use super::session::Session;
use super::{executor, script};
use crate::Error;
use crate::fixture::{Action, At, CallDecl, During, People, Verb};
use crate::os::{clock, disk};
use crate::sandbox::Snapshot;
use crate::wire::{self, Answer, Ask, Call, Decision, FromRunner, FromSubject, Kind, Record, Withdrawn};

/// How often a held witness is looked for.
const TICK: Duration = Duration::from_millis(2);

impl StepSeen {
    pub(super) fn new(call: &Call, before: Snapshot) -> Self {
        Self {
            id: call.id.clone(),
            tool: call.tool.clone(),
            args: call.args.clone(),
            seen: Seen::Nothing,
            performed: None,
            before,
            changes: Vec::new(),
            ran: Vec::new(),
            opened: Vec::new(),
            asks: Vec::new(),
            faults: Vec::new(),
            recorded_before_effect: None,
            alarm: None,
            alive: None,
        }
    }
}

/// A call while it is under way.
pub(super) struct UnderWay<'a> {
    call: &'a Call,
    script: &'a [Verb],
    pub(super) during: &'a [During],
    /// Questions stand at the gate's desk.
    at_desk: bool,
    /// How often was looked there.
    pub(super) looks: u32,
    held: Vec<String>,
    /// Questions that get something after the result.
    later: Vec<(Talk, Verb, String)>,
    pub(super) step: StepSeen,
}

impl<'a> UnderWay<'a> {
    /// A call during which nothing else happens.
    pub(super) fn new(call: &'a Call, script: &'a [Verb], step: StepSeen) -> Self {
        Self {
            call,
            script,
            during: &[],
            at_desk: false,
            looks: 1,
            held: Vec::new(),
            later: Vec::new(),
            step,
        }
    }
}

impl Session<'_> {
    pub(super) fn call(
        &mut self,
        decl: &CallDecl,
        people: &People,
        during: &[During],
    ) -> Result<StepSeen, Error> {
        let call = self.message(decl, "c")?;
        let mut step = StepSeen::new(&call, self.before.clone());
        if let Some(seen) = self.unavailable() {
            step.seen = seen;
            return Ok(step);
        }
        let script = match people {
            People::Script(verbs) => verbs.as_slice(),
            People::Absent | People::Unreachable | People::Desk => &[],
        };
        let runs = self.sandbox.runs();
        let mut way = UnderWay {
            during,
            at_desk: *people == People::Desk,
            held: self.held_witnesses(),
            ..UnderWay::new(&call, script, step)
        };
        self.subject.send(&FromRunner::Call(call.clone()));
        if !self.disturb(&mut way, At::Call)? {
            self.wait(&mut way)?;
        }
        if self.kept.pop_front().is_some() {
            let what = "an answer that nothing asked for".to_owned();
            way.step.faults.push(self.subject.lost(what));
        }
        if let Seen::Result(answer) = way.step.seen.clone() {
            self.after(&mut way, answer)?;
        }
        let mut step = way.step;
        step.opened.extend(self.watch.drain());
        let before = self.look()?;
        step.changes.extend(before.changes(&self.before));
        for (name, count) in self.sandbox.runs() {
            let new = count.saturating_sub(runs.get(&name).copied().unwrap_or_default());
            step.ran.extend(std::iter::repeat_n(name, new));
        }
        Ok(step)
    }

    /// Waits for the result, and plays the approver meanwhile.
    fn wait(&mut self, way: &mut UnderWay<'_>) -> Result<(), Error> {
        let until = clock::now() + self.subject.deadline;
        while clock::now() < until {
            let moment = if way.at_desk {
                Self::until_next_look(way)
            } else if way.held.is_empty() {
                until
            } else {
                clock::now() + TICK
            };
            match self.next_event(moment) {
                None if way.at_desk && self.look_for_question(way)? => return Ok(()),
                None => {}
                Some(Event::Connected(talk, stream)) => {
                    let next = way.script.get(way.step.asks.len()).copied();
                    if let Some(approver) = self.approver.as_mut().filter(|own| own.serial == talk.socket) {
                        approver.connected(talk, stream);
                        script::on_connection(approver, talk, next, self.last_ask.as_deref());
                    }
                }
                Some(Event::Asked(talk, line)) if self.asked(way, talk, &line)? => return Ok(()),
                Some(Event::Asked(..) | Event::HungUp) => {}
                Some(event) => match self.subject.read(&event) {
                    Ok(Some(FromSubject::Result(answer))) if answer.id == way.call.id => {
                        way.step.seen = Seen::Result(answer);
                        return Ok(());
                    }
                    Ok(_) => {
                        let what = "an answer that nothing asked for, or for another call".to_owned();
                        way.step.faults.push(self.subject.lost(what));
                        return Ok(());
                    }
                    Err(what) => {
                        way.step.faults.push(what);
                        return Ok(());
                    }
                },
            }
            if self.effects(way)? {
                return Ok(());
            }
        }
        let what = "no result within the deadline".to_owned();
        way.step.faults.push(self.subject.lost(what));
        Ok(())
    }

    /// A question arrived. Whether the call is over.
    fn asked(&mut self, way: &mut UnderWay<'_>, talk: Talk, line: &[u8]) -> Result<bool, Error> {
        if self.approver.as_ref().is_none_or(|own| own.serial != talk.socket) {
            return Ok(false);
        }
        let ask = match serde_json::from_slice(line) {
            Ok(wire::Action::Ask(ask)) => Ok(ask),
            Ok(wire::Action::Answer(_)) => Err("an answer in place of a question".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        let id = ask.as_ref().map(|ask| ask.id.clone()).ok();
        let verb = self.hold(way, ask)?;
        if self.disturb(way, At::Ask)? {
            return Ok(true);
        }
        if verb == Verb::Cancel {
            self.cancel(way.call);
        }
        if let (Some(id), Some(approver)) = (id, &mut self.approver) {
            script::on_question(approver, talk, verb, &id, self.last_ask.as_deref());
            way.later.push((talk, verb, id.clone()));
            self.last_ask = Some(id);
        }
        Ok(false)
    }

    /// Writes a question down with what the disk looks like while it is open.
    fn hold(&mut self, way: &mut UnderWay<'_>, ask: Result<Ask, String>) -> Result<Verb, Error> {
        way.step.opened.extend(self.watch.drain());
        let before = self.look()?;
        let early = before.changes(&self.before);
        let verb = way.script.get(way.step.asks.len()).copied().unwrap_or(Verb::Deny);
        way.step.changes.extend(early.iter().cloned());
        way.step.asks.push(Asked {
            ask,
            verb,
            early,
            at_desk: false,
        });
        Ok(verb)
    }

    /// Does what the family does at this moment. Whether the call is over.
    pub(super) fn disturb(&mut self, way: &mut UnderWay<'_>, at: At) -> Result<bool, Error> {
        let first = way.step.asks.len() <= 1;
        let actions: Vec<&Action> = way
            .during
            .iter()
            .filter(|during| during.at == at && (at != At::Ask || first))
            .map(|during| &during.action)
            .collect();
        for action in &actions {
            match action {
                Action::Cancel => self.cancel(way.call),
                Action::Kill => {
                    self.subject.kill();
                    way.step.seen = Seen::Killed;
                    return Ok(true);
                }
                other => self.happen(other)?,
            }
        }
        // What is done at a desk changes no files, but lets the call do so from then on.
        if !actions.iter().all(|action| action.is_at_desk()) && at != At::Call {
            self.look()?;
            way.step.before = self.before.clone();
        }
        Ok(false)
    }

    fn cancel(&mut self, call: &Call) {
        let id = call.id.clone();
        self.subject.send(&FromRunner::Cancel(Withdrawn { id }));
    }

    /// Looks whether a held witness has started. Whether the call is over.
    fn effects(&mut self, way: &mut UnderWay<'_>) -> Result<bool, Error> {
        let mut started = None;
        for name in &way.held {
            if let Some(gate) = disk::fifo_has_reader(&self.sandbox.hold_file(name)) {
                started = Some((name.clone(), gate));
                break;
            }
        }
        let Some((name, gate)) = started else {
            return Ok(false);
        };
        way.held.retain(|other| *other != name);
        way.step.recorded_before_effect = Some(self.is_recorded(way.call));
        let over = self.disturb(way, At::Effect)?;
        drop(gate);
        self.wait_until_gone(&name);
        Ok(over)
    }

    /// A witness that was let go, and whose subject may be dead, must not be taken for one of the next call.
    fn wait_until_gone(&self, witness: &str) {
        let gate = self.sandbox.hold_file(witness);
        let until = clock::now() + self.subject.deadline;
        while disk::fifo_has_reader(&gate).is_some() && clock::now() < until {
            std::thread::sleep(TICK);
        }
    }

    fn is_recorded(&self, call: &Call) -> bool {
        let is = |record: &Record| matches!(record, Record::Decided { call: id, decision, .. } if *id == call.id && decision == "allow");
        self.records().is_ok_and(|records| records.iter().any(is))
    }

    /// The result is there: late answers, the runner's own part, and whether the session lives.
    fn after(&mut self, way: &mut UnderWay<'_>, mut answer: Answer) -> Result<(), Error> {
        if self.subject.hello.kind == Kind::Decides && self.host(way, &mut answer)? {
            return Ok(());
        }
        if let Some(approver) = &mut self.approver {
            for (talk, verb, id) in &way.later {
                script::afterwards(approver, *talk, *verb, id);
            }
        }
        if answer.decision == Decision::Deny || !way.later.is_empty() {
            way.step.alive = Some(self.probe()?);
        }
        way.step.seen = Seen::Result(answer);
        Ok(())
    }

    /// What an agent's host does with the answer of a hook. Whether the call is over.
    pub(super) fn host(&mut self, way: &mut UnderWay<'_>, answer: &mut Answer) -> Result<bool, Error> {
        if answer.decision == Decision::Ask {
            let call = way.call;
            let ask = Ask {
                id: Asked::HOST.to_owned(),
                call: call.id.clone(),
                tool: call.tool.clone(),
                args: call.args.clone(),
                paths: Vec::new(),
                text: String::new(),
            };
            let verb = self.hold(way, Ok(ask))?;
            if self.disturb(way, At::Ask)? {
                return Ok(true);
            }
            (answer.decision, answer.reason) = if verb.allows() {
                (Decision::Allow, "approved".to_owned())
            } else {
                (Decision::Deny, "denied_by_human".to_owned())
            };
        }
        if answer.decision != Decision::Allow {
            return Ok(false);
        }
        let mut killed = false;
        if !way.held.is_empty() {
            let by_host = way.step.asks.iter().any(Asked::is_the_hosts);
            way.step.recorded_before_effect = (!by_host).then(|| self.is_recorded(way.call));
            // A host goes on with what was allowed, also when the hook is gone.
            killed = self.disturb(way, At::Effect)?;
        }
        let performed = executor::perform(&self.sandbox, &way.call.tool, &way.call.args, &way.call.cwd);
        way.step.alarm = performed.alarm;
        way.step.performed = Some(performed.result);
        Ok(killed)
    }
}
