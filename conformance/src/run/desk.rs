//! People at the gate's desk: what they see there, what they answer, and whether it is taken.

use std::time::{Duration, Instant};

use super::call::UnderWay;
use super::events::Event;
use super::observe::Asked;
use super::session::Session;
use crate::Error;
use crate::fixture::{About, Action, At, Desk, During, Person, Saying, Verb};
use crate::os::clock;
use crate::random;
use crate::wire::{self, Ask, DeskWord, FromRunner, FromSubject, Seen, Standing};

/// How long is waited for the second look at the desk, and at most between two looks, while a call has no result.
const FIRST_WAIT: Duration = Duration::from_millis(2);
const LONGEST_WAIT: Duration = Duration::from_millis(50);

impl Session<'_> {
    /// Until when nothing has to be looked at: a question that stands does so soon, and later it is time that has to pass.
    pub(super) fn until_next_look(way: &UnderWay<'_>) -> Instant {
        clock::now() + (FIRST_WAIT * way.looks).min(LONGEST_WAIT)
    }

    /// Whether the call's question, or another one of it, stands at the desk by now. Whether the call is over.
    pub(super) fn look_for_question(&mut self, way: &mut UnderWay<'_>) -> Result<bool, Error> {
        way.looks += 1;
        let Some(seen) = self.desk(DeskWord::Look, Some(Person::One), None, None) else {
            return Ok(true);
        };
        let known = |id: &str| {
            let mut asks = way.step.asks.iter().filter_map(|asked| asked.ask.as_ref().ok());
            asks.any(|ask| ask.id == id)
        };
        let new = |standing: &Standing| standing.call == way.step.id && !known(&standing.ask);
        match seen.questions.into_iter().find(new) {
            Some(standing) => self.stands(way, standing),
            None => Ok(false),
        }
    }

    /// A question of the call stands there.
    fn stands(&mut self, way: &mut UnderWay<'_>, standing: Standing) -> Result<bool, Error> {
        let Standing { ask: id, call, text } = standing;
        let ask = Ask {
            id: id.clone(),
            call,
            tool: way.step.tool.clone(),
            args: way.step.args.clone(),
            paths: Vec::new(),
            text,
        };
        way.step.opened.extend(self.watch.drain());
        let before = self.look()?;
        let early = before.changes(&self.before);
        way.step.changes.extend(early.iter().cloned());
        let is_first = way.step.asks.is_empty();
        way.step.asks.push(Asked {
            ask: Ok(ask),
            verb: if is_first {
                first_answer(way.during)
            } else {
                Verb::Deny
            },
            early,
            at_desk: true,
        });
        self.standing = Some(id.clone());
        let over = if is_first {
            self.disturb(way, At::Ask)?
        } else {
            // One too many, which is held against the gate: it is not to wait for its end as well.
            let _refused = self.desk(DeskWord::Answer, Some(Person::One), Some(id), Some("deny"));
            false
        };
        self.last_ask = self.standing.take();
        Ok(over)
    }

    /// What a family says of the desk; whatever is not as it says is noted.
    pub(super) fn people_do(&mut self, action: &Action) -> Result<(), Error> {
        match action {
            Action::Look { person, sees } => {
                let seen = self.desk(DeskWord::Look, Some(*person), None, None);
                if let Some(seen) = seen.filter(|seen| seen.questions.len() != *sees) {
                    let what = format!("{sees} questions that `{}` sees at the desk", person.word());
                    self.seen.desk.push((what, seen.questions.len().to_string()));
                }
            }
            Action::Answer {
                person,
                says,
                about,
                taken,
            } => {
                let ask = self.named(*about)?;
                let seen = self.desk(DeskWord::Answer, Some(*person), Some(ask), Some(says.word()));
                self.held(seen, *person, *taken);
            }
            Action::Garble { person, how } => {
                let ask = self.named(About::This)?;
                let seen = self.desk(DeskWord::Garble, Some(*person), Some(ask), Some(how.word()));
                self.held(seen, *person, false);
            }
            Action::Desk { does } => {
                let does = match does {
                    Desk::Die => DeskWord::Die,
                    Desk::Start => DeskWord::Start,
                };
                self.desk(does, None, None, None);
            }
            Action::Fake { how } => {
                self.desk(DeskWord::Fake, None, None, Some(how.word()));
            }
            _ => {}
        }
        Ok(())
    }

    fn held(&mut self, seen: Option<Seen>, person: Person, taken: bool) {
        let word = |taken: bool| if taken { "taken" } else { "not taken" };
        if let Some(seen) = seen.filter(|seen| seen.taken != Some(taken)) {
            let what = format!("that the answer of `{}` is {}", person.word(), word(taken));
            let is = seen.taken.map_or("nothing is said of it", word);
            self.seen.desk.push((what, is.to_owned()));
        }
    }

    fn named(&self, about: About) -> Result<String, Error> {
        let asked = match about {
            About::This => self.standing.clone(),
            About::Before => self.last_ask.clone(),
            // As long as ids commonly are, and as hard to guess.
            About::Guessed => return Ok(format!("{}{}", random::token()?, random::token()?)),
        };
        // Where nothing was asked, whatever should have been is missed elsewhere.
        Ok(asked.unwrap_or_default())
    }

    /// Says something at the desk and hears what is seen there. A result that comes first is kept.
    fn desk(
        &mut self,
        does: DeskWord,
        person: Option<Person>,
        ask: Option<String>,
        says: Option<&str>,
    ) -> Option<Seen> {
        if self.unavailable().is_some() {
            return None;
        }
        self.subject.send(&FromRunner::Desk(wire::Desk {
            session: self.name.clone(),
            does,
            person: person.map(|person| person.word().to_owned()),
            ask,
            says: says.map(str::to_owned),
        }));
        let until = clock::now() + self.subject.deadline;
        loop {
            let fault = match self.subject.event(until) {
                None => self
                    .subject
                    .lost("no answer at the desk within the deadline".to_owned()),
                Some(event) => match self.subject.read(&event) {
                    Ok(Some(FromSubject::Seen(seen))) if seen.session == self.name => return Some(seen),
                    Ok(Some(_)) => {
                        self.kept.push_back(event);
                        continue;
                    }
                    Ok(None) => continue,
                    Err(what) => what,
                },
            };
            self.seen.faults.push(fault);
            return None;
        }
    }

    /// The next event: what came while something else was waited for is first.
    pub(super) fn next_event(&mut self, until: Instant) -> Option<Event> {
        self.kept.pop_front().or_else(|| self.subject.event(until))
    }
}

/// What the first answer to the question under way says.
fn first_answer(during: &[During]) -> Verb {
    let answer = |during: &During| match &during.action {
        Action::Answer {
            person: Person::One | Person::Other,
            says,
            about: About::This,
            ..
        } => Some(match says {
            Saying::AllowOnce => Verb::AllowOnce,
            Saying::AllowAlways => Verb::AllowAlways,
            Saying::Deny => Verb::Deny,
        }),
        _ => None,
    };
    during.iter().find_map(answer).unwrap_or(Verb::Silence)
}

/// Whether a question at the desk ends by what people do, so that no time has to run out.
pub(super) fn ends_the_question(during: &[During]) -> bool {
    let dies = |during: &During| matches!(during.action, Action::Desk { does: Desk::Die } | Action::Cancel);
    first_answer(during) != Verb::Silence || during.iter().any(dies)
}
