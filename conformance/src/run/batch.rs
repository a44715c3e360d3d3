//! Several calls at once: all are sent before the first result, and their questions are open together where the gate
//! lets them be.

use std::time::{Duration, Instant};

use super::call::UnderWay;
use super::events::{Event, Talk};
use super::observe::{Asked, Seen, StepSeen};
use super::script;
use super::session::Session;
use crate::Error;
use crate::fixture::{Batched, Verb};
use crate::os::clock;
use crate::wire::{self, Call, FromRunner, FromSubject, Kind};

/// How long a question waits for the others. A gate that puts one after the other is as right.
const TOGETHER: Duration = Duration::from_millis(250);

/// A question that is open.
struct Open {
    talk: Talk,
    verb: Verb,
    id: String,
}

/// A batch while it is under way.
struct Batch<'a> {
    members: &'a [Batched],
    calls: &'a [Call],
    steps: Vec<StepSeen>,
    open: Vec<Open>,
    /// Since when a question is open.
    since: Option<Instant>,
    /// The members, in the order of their results.
    order: Vec<usize>,
}

impl Batch<'_> {
    fn is_waiting(&self, member: usize) -> bool {
        self.steps
            .get(member)
            .is_some_and(|step| matches!(step.seen, Seen::Nothing))
    }

    /// Whether every question that the script knows of is open.
    fn all_asked(&self) -> bool {
        let mut members = self.members.iter().zip(&self.steps);
        !members
            .any(|(member, step)| matches!(step.seen, Seen::Nothing) && step.asks.len() < member.verbs.len())
    }
}

impl Session<'_> {
    pub(super) fn batch(&mut self, members: &[Batched]) -> Result<Vec<StepSeen>, Error> {
        let calls = members
            .iter()
            .map(|member| self.message(&member.call, "c"))
            .collect::<Result<Vec<_>, _>>()?;
        let start = self.before.clone();
        let mut batch = Batch {
            members,
            calls: &calls,
            steps: calls
                .iter()
                .map(|call| StepSeen::new(call, start.clone()))
                .collect(),
            open: Vec::new(),
            since: None,
            order: Vec::new(),
        };
        if let Some(seen) = self.unavailable() {
            for step in &mut batch.steps {
                step.seen = seen.clone();
            }
            return Ok(batch.steps);
        }
        let runs = self.sandbox.runs();
        for call in &calls {
            self.subject.send(&FromRunner::Call(call.clone()));
        }
        self.wait_for_all(&mut batch);
        if self.subject.hello.kind == Kind::Decides {
            self.perform_all(&mut batch)?;
        }
        let alive = if self.subject.gone {
            None
        } else {
            Some(self.probe()?)
        };
        let mut steps = batch.steps;
        let mut opened: Vec<String> = steps
            .iter_mut()
            .flat_map(|step| std::mem::take(&mut step.opened))
            .collect();
        opened.extend(self.watch.drain());
        self.look()?;
        // What happened is of the whole batch, and stands with its first call.
        for step in &mut steps {
            step.changes.clear();
            for asked in &mut step.asks {
                asked.early.clear();
            }
        }
        if let Some(first) = steps.first_mut() {
            first.changes = start.changes(&self.before);
            first.opened = opened;
            first.alive = alive;
            for (name, count) in self.sandbox.runs() {
                let new = count.saturating_sub(runs.get(&name).copied().unwrap_or_default());
                first.ran.extend(std::iter::repeat_n(name, new));
            }
        }
        Ok(steps)
    }

    fn wait_for_all(&mut self, batch: &mut Batch<'_>) {
        let until = clock::now() + self.subject.deadline;
        while (0..batch.steps.len()).any(|member| batch.is_waiting(member)) {
            let together = batch.since.map_or(until, |since| since + TOGETHER).min(until);
            if !batch.open.is_empty() && (batch.all_asked() || clock::now() >= together) {
                self.answer_all(batch);
                continue;
            }
            let fault = match self.subject.event(together) {
                None if clock::now() < until => continue,
                None => Some(self.subject.lost("no result within the deadline".to_owned())),
                Some(Event::Connected(talk, stream)) => {
                    if let Some(approver) = self.approver.as_mut().filter(|own| own.serial == talk.socket) {
                        approver.connected(talk, stream);
                    }
                    None
                }
                Some(Event::Asked(talk, line)) => {
                    self.asked_in_batch(batch, talk, &line);
                    None
                }
                Some(event) => self.result_in_batch(batch, &event),
            };
            if let Some(what) = fault {
                if let Some(step) = batch
                    .steps
                    .iter_mut()
                    .find(|step| matches!(step.seen, Seen::Nothing))
                {
                    step.faults.push(what);
                }
                break;
            }
        }
    }

    /// A result, or what is wrong.
    fn result_in_batch(&mut self, batch: &mut Batch<'_>, event: &Event) -> Option<String> {
        match self.subject.read(event) {
            Ok(None) => None,
            Ok(Some(FromSubject::Result(answer))) => {
                let member = batch.calls.iter().position(|call| call.id == answer.id);
                match member.filter(|member| batch.is_waiting(*member)) {
                    Some(member) => {
                        batch.order.push(member);
                        if let Some(step) = batch.steps.get_mut(member) {
                            step.seen = Seen::Result(answer);
                        }
                        None
                    }
                    None => Some(
                        self.subject
                            .lost("a second result, or one of another call".to_owned()),
                    ),
                }
            }
            Ok(Some(_)) => Some(self.subject.lost("an answer that nothing asked for".to_owned())),
            Err(what) => Some(what),
        }
    }

    fn asked_in_batch(&mut self, batch: &mut Batch<'_>, talk: Talk, line: &[u8]) {
        if self.approver.as_ref().is_none_or(|own| own.serial != talk.socket) {
            return;
        }
        let ask = match serde_json::from_slice(line) {
            Ok(wire::Action::Ask(ask)) => Ok(ask),
            Ok(wire::Action::Answer(_)) => Err("an answer in place of a question".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        // A question about no call of the batch is held against the first.
        let about = ask.as_ref().ok().map(|ask| ask.call.as_str());
        let member = batch
            .calls
            .iter()
            .position(|call| Some(call.id.as_str()) == about)
            .unwrap_or_default();
        let (Some(step), Some(Batched { verbs, .. })) =
            (batch.steps.get_mut(member), batch.members.get(member))
        else {
            return;
        };
        let verb = verbs.get(step.asks.len()).copied().unwrap_or(Verb::Deny);
        if let Ok(ask) = &ask {
            batch.open.push(Open {
                talk,
                verb,
                id: ask.id.clone(),
            });
            batch.since.get_or_insert(clock::now());
        }
        step.asks.push(Asked {
            ask,
            verb,
            early: Vec::new(),
            at_desk: false,
        });
    }

    /// Answers the open questions, the last first; what is crossed comes when the question that it names is answered.
    fn answer_all(&mut self, batch: &mut Batch<'_>) {
        let mut open = std::mem::take(&mut batch.open);
        batch.since = None;
        open.reverse();
        open.sort_by_key(|open| open.verb == Verb::Crossed);
        let Some(approver) = &mut self.approver else {
            return;
        };
        for Open { talk, verb, id } in &open {
            let other = open
                .iter()
                .find(|other| other.id != *id)
                .map(|other| other.id.as_str());
            script::on_question(approver, *talk, *verb, id, other);
        }
    }

    /// What an agent's host does with the answers of a hook, in their order.
    fn perform_all(&mut self, batch: &mut Batch<'_>) -> Result<(), Error> {
        for member in std::mem::take(&mut batch.order) {
            let (Some(call), Some(Batched { verbs, .. }), Some(step)) = (
                batch.calls.get(member),
                batch.members.get(member),
                batch.steps.get_mut(member),
            ) else {
                continue;
            };
            let Seen::Result(mut answer) = step.seen.clone() else {
                continue;
            };
            let mut way = UnderWay::new(
                call,
                verbs,
                std::mem::replace(step, StepSeen::new(call, self.before.clone())),
            );
            self.host(&mut way, &mut answer)?;
            *step = way.step;
            step.seen = Seen::Result(answer);
        }
        Ok(())
    }
}
