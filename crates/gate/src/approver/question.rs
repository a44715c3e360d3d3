use std::fmt;

use portcullis_classify::{Assessment, Cause, Effect, EffectKind, Part, Risk};
use portcullis_paths::{Operation, Place, State, Target};

use super::{Marked, survey};
use crate::{Moment, Offers, shown};
use portcullis_paths::visible;

/// Names one question; unguessable (128 random bits), used once.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuestionId(String);

/// The system gave no random bytes: a question that can be guessed is not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoRandomness;

impl QuestionId {
    pub(crate) fn fresh() -> Result<Self, NoRandomness> {
        let mut bytes = [0_u8; 16];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomness)?;
        Ok(Self(format!("{:032x}", u128::from_be_bytes(bytes))))
    }

    /// The id that an answer names, as it came over a wire. It names a question only when it is equal to the
    /// question's own.
    #[must_use]
    pub fn claimed(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text to send over a wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for QuestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&visible(&self.0, 32))
    }
}

/// What an approver is shown. Every text in it is escaped and bounded: it is safe to print. `places` are for programs.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// Names the question; an answer must name it back.
    pub id: QuestionId,
    /// The call's id.
    pub call: String,
    /// The tool.
    pub tool: String,
    /// The agent or sub-agent that asks.
    pub agent: Option<String>,
    /// The command texts, whole as far as they fit, with the parts marked that made the question, those of the strictest
    /// cause first.
    pub commands: Vec<Marked>,
    /// One line an effect: `delete /work/app/build/cache`. That a command text runs at all is not among them, unless there
    /// are more texts than `commands` holds: then the first line says how many more, and each of those has its line.
    pub effects: Vec<String>,
    /// What a deletion would take away, as it stands now: one line for each place.
    pub facts: Vec<String>,
    /// The resolved places of the effects, in their order: whole and unescaped, to compare and to send on. `Display`
    /// shows them safely.
    pub places: Vec<Place>,
    /// Why it is asked, strictest first. What would have let it run unasked is not among them.
    pub causes: Vec<Cause>,
    /// What an allow-always can be said for; for anything else it is an allow-once.
    pub offers: Offers,
    /// Silence after this moment is no.
    pub deadline: Moment,
}

const LONGEST_NAME: usize = 100;
const LONGEST_EFFECT: usize = 500;
const LONGEST_CAUSE: usize = 300;
const LONGEST_COMMAND: usize = 2000;
/// Of a command in a line about it.
const LONGEST_IN_A_LINE: usize = 200;
const MOST_COMMANDS: usize = 4;
/// Places that are looked at for the person.
const MOST_FACTS: usize = 4;
/// Links of one path that are shown one by one.
const MOST_LINKS: usize = 4;

impl Question {
    pub(crate) fn about(assessment: &Assessment, id: QuestionId, deadline: Moment, offers: Offers) -> Self {
        let call = &assessment.call;
        Self {
            id,
            call: shown::text(call.id(), LONGEST_NAME),
            tool: shown::text(call.tool(), LONGEST_NAME),
            agent: call.agent().map(|agent| shown::text(agent, LONGEST_NAME)),
            commands: commands(assessment),
            effects: lines(assessment),
            facts: assessment
                .effects
                .iter()
                .filter_map(fact)
                .take(MOST_FACTS)
                .collect(),
            places: assessment
                .effects
                .iter()
                .filter_map(|effect| effect.place.clone())
                .collect(),
            causes: assessment
                .verdict
                .causes()
                .iter()
                .filter(|cause| cause.risk > Risk::Allow)
                .map(shown_cause)
                .collect(),
            offers,
            deadline,
        }
    }

    /// What it would do, one line each: `execute git push`, then the effects.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let run = EffectKind::Execute.word();
        let commands = self.commands.iter();
        let commands = commands.map(|command| format!("{run} {}", command.within(LONGEST_IN_A_LINE).text()));
        commands.chain(self.effects.iter().cloned()).collect()
    }
}

/// The command texts, with what asks marked.
fn commands(assessment: &Assessment) -> Vec<Marked> {
    let asking = assessment.verdict.causes().iter();
    let asking = asking.filter(|cause| cause.risk > Risk::Allow);
    let parts: Vec<&Part> = asking
        .filter_map(|cause| assessment.effects.get(cause.effect?)?.part.as_ref())
        .collect();
    let texts = assessment.texts.iter().enumerate().take(MOST_COMMANDS);
    texts
        .map(|(number, text)| {
            let parts = parts.iter().filter(|part| part.text == number);
            let ranges: Vec<_> = parts.map(|part| part.range.clone()).collect();
            Marked::new(text, &ranges, LONGEST_COMMAND)
        })
        .collect()
}

/// One line an effect. A text that is shown as a command needs no line; those that are not have theirs first.
fn lines(assessment: &Assessment) -> Vec<String> {
    let (texts, others): (Vec<&Effect>, Vec<&Effect>) = assessment
        .effects
        .iter()
        .partition(|effect| is_whole_text(effect, assessment));
    let told = assessment.texts.len();
    let more = told.saturating_sub(MOST_COMMANDS);
    let said = (more > 0).then(|| format!("and {more} more of the commands, each in a line of its own"));
    let hidden = match more {
        0 => &[],
        // Where lines and texts do not go together, every text has its line.
        _ if texts.len() != told => texts.as_slice(),
        _ => texts.get(MOST_COMMANDS..).unwrap_or_default(),
    };
    let lines = hidden.iter().chain(&others).map(|effect| line(effect));
    said.into_iter().chain(lines).collect()
}

/// Whether the effect says no more than that a command text runs.
fn is_whole_text(effect: &Effect, assessment: &Assessment) -> bool {
    effect.kind == EffectKind::Execute
        && effect.command.is_none()
        && effect.place.is_none()
        && !assessment.texts.is_empty()
}

/// `delete /work/app/build/cache and everything below it`. Of a place only what is known for a secret by its form or its name is
/// masked, name by name: nobody can approve what is masked. Where a command runs is `in /work/app`. Commands are shown without the secrets that they are
/// told, and with all that is code.
fn line(effect: &Effect) -> String {
    let Some(place) = &effect.place else {
        let line = format!("{} {}", effect.kind.word(), effect.operand);
        return visible(line.trim_end(), LONGEST_EFFECT);
    };
    let works_there = |target: &Target| target.operation() == Operation::WorkingDir;
    let word = match &effect.target {
        Some(target) if effect.kind == EffectKind::Execute && works_there(target) => "in",
        _ => effect.kind.word(),
    };
    let mut line = format!("{word} {}", shown::place(place, LONGEST_EFFECT));
    let Some(target) = &effect.target else {
        return line;
    };
    if target.operation() == Operation::DeleteTree {
        line.push_str(" and everything below it");
    }
    if matches!(target.state(), State::Missing { .. }) {
        line.push_str(" (new)");
    }
    for link in target.links().iter().take(MOST_LINKS) {
        line.push_str(&format!(
            ", through the link {}",
            shown::place(link, LONGEST_NAME)
        ));
    }
    if let Some(more @ 1..) = target.links().len().checked_sub(MOST_LINKS) {
        line.push_str(&format!(", through {more} more links"));
    }
    line
}

fn fact(effect: &Effect) -> Option<String> {
    let target = effect
        .target
        .as_ref()
        .filter(|_| effect.kind == EffectKind::Delete)?;
    let whole_tree = target.operation() == Operation::DeleteTree;
    survey::removal(target.place().as_bytes(), whole_tree)
}

fn shown_cause(cause: &Cause) -> Cause {
    let mut cause = cause.clone();
    cause.rule = visible(&cause.rule, LONGEST_NAME);
    cause.text = visible(&cause.text, LONGEST_CAUSE);
    cause
}

/// As it is shown: the places are in the effects, without the secrets in them.
impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("id", &self.id)
            .field("call", &self.call)
            .field("tool", &self.tool)
            .field("agent", &self.agent)
            .field("commands", &self.commands)
            .field("effects", &self.effects)
            .field("facts", &self.facts)
            .field("causes", &self.causes)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_are_long_and_never_the_same() {
        let ids: HashSet<String> = (0..1000)
            .map(|_| QuestionId::fresh().unwrap().as_str().to_owned())
            .collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 32));
    }

    #[test]
    fn a_claimed_id_is_equal_only_to_its_own() {
        let id = QuestionId::fresh().unwrap();
        assert_eq!(QuestionId::claimed(id.as_str()), id);
        assert_ne!(QuestionId::claimed(""), id);
        assert_ne!(
            QuestionId::claimed(&id.as_str().to_uppercase()),
            QuestionId::claimed("f")
        );
    }
}
