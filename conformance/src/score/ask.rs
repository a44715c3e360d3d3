//! Puts every line to a subject.

use std::collections::BTreeMap;
use std::time::Duration;

use super::scene::Scene;
use super::set::{Group, SceneDecl, Sets};
use super::{Row, Seen};
use crate::fixture::PolicyDecl;
use crate::run::{Options, Subject};
use crate::{Error, ErrorKind};

/// How long is waited for the last words on standard error.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Judges every line of the sets, in one process and one session a scene.
///
/// # Errors
/// The subject does not start, does not judge, or does not answer as the protocol wants it: then nothing is counted.
pub(crate) fn score(options: &Options, sets: &Sets) -> Result<Vec<Row>, Error> {
    let mut subject = Subject::start(options)?;
    if !promises(&subject, "judge") {
        return Err(Error::new(
            ErrorKind::Nothing,
            "the subject does not judge, so nothing of it can be scored",
        ));
    }
    let mut rows = Vec::new();
    let mut ids = Vec::new();
    for set in &sets.sets {
        let alike = |one: &Group, other: &Group| one.policy == other.policy && one.tree == other.tree;
        for groups in set.groups.chunk_by(alike) {
            judge(&mut subject, &sets.scene, &set.name, groups, &mut rows, &mut ids)?;
        }
    }
    add_causes(&subject.last_words(LAST_WORDS), &mut rows, &ids);
    Ok(rows)
}

fn judge(
    subject: &mut Subject,
    decl: &SceneDecl,
    set: &str,
    groups: &[Group],
    rows: &mut Vec<Row>,
    ids: &mut Vec<String>,
) -> Result<(), Error> {
    let Some(first) = groups.first() else {
        return Ok(());
    };
    let policy = first.policy.as_ref().unwrap_or(&decl.policy);
    let mut scene = match can_be_told(subject, policy, first.policy.is_some()) {
        true => Some(Scene::open(subject, decl, first, policy)?),
        false => None,
    };
    for group in groups {
        for (line, call) in group.lines() {
            let (id, seen) = match &mut scene {
                None => (String::new(), Seen::Untold),
                Some(scene) => {
                    let judged = scene.judge(&call)?;
                    let seen = Seen::Verdict {
                        decision: judged.decision,
                        reason: judged.reason,
                        because: String::new(),
                    };
                    (judged.id, seen)
                }
            };
            ids.push(id);
            rows.push(Row {
                set: set.to_owned(),
                about: group.about.clone(),
                line,
                accept: group.accept.clone(),
                seen,
            });
        }
    }
    scene.map_or(Ok(()), Scene::close)
}

fn promises(subject: &Subject, word: &str) -> bool {
    subject.hello.capabilities.iter().any(|there| there == word)
}

/// A gate with a policy of its own is scored in the usual scene, and not where the scene is a policy.
fn can_be_told(subject: &Subject, policy: &PolicyDecl, of_its_own: bool) -> bool {
    if !of_its_own
        && ["policy.own", "policy.roots"]
            .iter()
            .any(|word| promises(subject, word))
    {
        return true;
    }
    let needs = |wanted: bool, word: &str| !wanted || promises(subject, word);
    let mut entries = policy.entries();
    needs(policy.otherwise == "deny", "otherwise.deny")
        && entries.all(|entry| {
            needs(entry.path.is_some(), "policy.path")
                && needs(entry.under.is_some(), "policy.under")
                && needs(entry.command.is_some(), "policy.command")
        })
}

/// A subject may say why on standard error, in lines that begin with the id that it judged.
fn add_causes(said: &str, rows: &mut [Row], ids: &[String]) {
    let mut causes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in said.lines() {
        if let Some((id, why)) = line.split_once(": ") {
            causes.entry(id).or_default().push(why);
        }
    }
    for (row, id) in rows.iter_mut().zip(ids) {
        if let (Seen::Verdict { because, .. }, Some(whys)) = (&mut row.seen, causes.get(id.as_str())) {
            *because = whys.join("; ");
        }
    }
}
