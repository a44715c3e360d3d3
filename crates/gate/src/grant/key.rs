use std::collections::BTreeSet;

use std::path::{Path, PathBuf};

use super::scope::{is_below, named};
use super::{Offers, command, content};
use crate::shared::Judge;
use crate::subject::on_files;
use crate::{Scope, shown};
use portcullis_classify::{Assessment, Cause, Effect, EffectKind, Layer, Risk};

/// What has to be the same for a grant to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrantKey {
    pub(super) tool: String,
    pub(super) resources: BTreeSet<Resource>,
    pub(super) user: String,
    /// The policy's version, for people.
    pub(super) policy: String,
    /// Names all that every call is judged by, rules aside.
    pub(super) common: String,
    /// The rules that ask, each with what it says. One that did not ask so when the grant was given knows something new.
    pub(super) asking: BTreeSet<Asking>,
    /// The session of the call.
    pub(super) session: Option<String>,
    /// Why what runs is not known to be the same next time.
    pub(super) unbound: Option<&'static str>,
}

/// A rule that asks: its layer, its id, and a name for all that it says.
pub(super) type Asking = (Layer, String, String);

/// One effect on one place, or of one whole call. The operation tells the old name of a move from the new one, and a tree from an empty
/// directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Resource {
    pub(super) kind: EffectKind,
    /// Its name in the program; `call` for a whole call.
    pub(super) operation: String,
    /// Where it acts; the digest of a whole call.
    pub(super) place: Vec<u8>,
}

/// How far a grant reaches beyond the exact resources, and how little.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Everything below this directory.
    pub(super) directory: Option<Vec<u8>>,
    pub(super) this_session: bool,
}

impl GrantKey {
    /// The key of a call that can be granted; `None` for one that cannot: a denied call, a call without effects, one about
    /// private data, and one with any effect that is neither on a resolved path nor part of a command that is understood.
    pub(crate) fn of(assessment: &Assessment, user: &str, judge: &dyn Judge) -> Option<Self> {
        if assessment.verdict.risk() == Risk::Deny || assessment.denial.is_some() {
            return None;
        }
        // Nobody says yes to private data for later.
        if assessment
            .verdict
            .causes()
            .iter()
            .any(|cause| cause.rule.starts_with(PRIVATE))
        {
            return None;
        }
        let on_files: Option<BTreeSet<Resource>> = assessment.effects.iter().map(on_file).collect();
        let resources = on_files.or_else(|| command::resources(assessment));
        let mut resources = resources.filter(|found| !found.is_empty())?;
        let session = assessment.call.session().map(str::to_owned);
        let bound = content::bound(assessment);
        resources.extend(bound.contents);
        if bound.unbound.is_some() && session.is_none() {
            return None;
        }
        Some(Self {
            tool: assessment.call.tool().to_owned(),
            resources,
            user: user.to_owned(),
            policy: assessment.policy.clone(),
            common: judge.common().to_owned(),
            asking: assessment
                .verdict
                .causes()
                .iter()
                .filter_map(|cause| asking(cause, judge))
                .collect(),
            session,
            unbound: bound.unbound,
        })
    }

    /// Whether a grant made for `self` covers a call with the key `other`.
    pub(super) fn covers(&self, other: &Self, reach: &Reach) -> bool {
        self.tool == other.tool
            && (!reach.this_session || self.session.is_some() && self.session == other.session)
            && match &reach.directory {
                None => self.resources == other.resources,
                Some(directory) => other.resources.iter().all(|found| self.reaches(found, directory)),
            }
            && self.user == other.user
            && self.common == other.common
            && self.unbound == other.unbound
            && other.asking.is_subset(&self.asking)
    }

    /// The same operation on one of the own places, or below a directory that was named.
    fn reaches(&self, found: &Resource, directory: &[u8]) -> bool {
        let is_same = |own: &&Resource| own.kind == found.kind && own.operation == found.operation;
        let mut alike = self.resources.iter().filter(is_same).peekable();
        alike.peek().is_some()
            && (is_below(&found.place, directory) || alike.any(|own| own.place == found.place))
    }

    /// What can be given for this call; `below` are the directories that a person may name.
    pub(crate) fn offers(&self, below: Vec<PathBuf>, has_store: bool) -> Offers {
        Offers {
            for_a_time: self.unbound.is_none(),
            in_session: self.session.is_some(),
            // A command is a whole, and below no directory.
            below: match self.resources.iter().all(|own| on_files(own.kind)) {
                true => below
                    .into_iter()
                    .filter(|directory| is_shown(directory))
                    .collect(),
                false => Vec::new(),
            },
            kept: has_store && self.unbound.is_none(),
            because: self.unbound.map(str::to_owned),
        }
    }

    /// Whether there can be a grant for this call in this scope.
    pub(crate) fn holds(&self, scope: &Scope) -> bool {
        self.reach(scope).is_some()
    }

    /// How far a grant for this call reaches in this scope; `None` when the directory that was named does not hold it.
    pub(super) fn reach(&self, scope: &Scope) -> Option<Reach> {
        let has_session = self.session.is_some();
        if self.unbound.is_some() && (!scope.this_session || scope.is_kept)
            || scope.this_session && !has_session
        {
            return None;
        }
        let directory = match &scope.directory {
            None => None,
            Some(directory) => {
                let directory = named(directory)?;
                let holds = |own: &Resource| own.place == directory || is_below(&own.place, &directory);
                if !self.resources.iter().all(holds) {
                    return None;
                }
                Some(directory)
            }
        };
        Some(Reach {
            directory,
            this_session: scope.this_session,
        })
    }
}

/// Nobody can name what is not shown.
fn is_shown(directory: &Path) -> bool {
    !shown::is_masked(directory.as_os_str().as_encoded_bytes())
}

/// What the ids of rules about private data begin with.
const PRIVATE: &str = "private.";

fn on_file(effect: &Effect) -> Option<Resource> {
    on_place(effect).filter(|found| on_files(found.kind))
}

/// What an effect does to the place that is held for it.
pub(super) fn on_place(effect: &Effect) -> Option<Resource> {
    let target = effect.target.as_ref()?;
    Some(Resource {
        kind: effect.kind,
        operation: format!("{:?}", target.operation()),
        place: target.place().as_bytes().to_vec(),
    })
}

fn asking(cause: &Cause, judge: &dyn Judge) -> Option<Asking> {
    let asks = cause.risk == Risk::Confirm;
    asks.then(|| {
        (
            cause.layer,
            cause.rule.clone(),
            judge.says(cause.layer, &cause.rule),
        )
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn asks(layer: Layer, rule: &str, says: &str) -> Asking {
        (layer, rule.to_owned(), says.to_owned())
    }

    fn key() -> GrantKey {
        GrantKey {
            tool: "delete_file".to_owned(),
            resources: BTreeSet::new(),
            user: "ann".to_owned(),
            policy: "1".to_owned(),
            common: "1".to_owned(),
            asking: BTreeSet::from([asks(Layer::BuiltIn, "delete", ""), asks(Layer::User, "mine", "1")]),
            session: None,
            unbound: None,
        }
    }

    /// Whatever was offered: a directory that does not hold all that the call is about is none.
    #[rstest]
    #[case("/w/a", true)]
    #[case("/w", true)]
    #[case("/w/b", false)]
    #[case("/w/a/x/y", false)]
    #[case("/", false)]
    fn a_directory_holds_what_the_call_is_about(#[case] directory: &str, #[case] holds: bool) {
        let mut key = key();
        key.resources.insert(Resource {
            kind: EffectKind::Delete,
            operation: "Delete".to_owned(),
            place: b"/w/a/x".to_vec(),
        });
        let scope = Scope::lasting(std::time::Duration::from_secs(1)).below(directory);
        assert_eq!(key.holds(&scope), holds);
    }

    #[rstest]
    #[case::same(|_: &mut GrantKey| {}, true)]
    #[case::tool(|key: &mut GrantKey| key.tool = "move_file".to_owned(), false)]
    #[case::user(|key: &mut GrantKey| key.user = "bob".to_owned(), false)]
    #[case::policy(|key: &mut GrantKey| key.policy = "2".to_owned(), true)]
    #[case::what_holds_for_all(|key: &mut GrantKey| key.common = "2".to_owned(), false)]
    #[case::a_rule_that_says_something_else(|key: &mut GrantKey| {
        key.asking = BTreeSet::from([asks(Layer::User, "mine", "2")]);
    }, false)]
    #[case::fewer_rules_ask(|key: &mut GrantKey| drop(key.asking.pop_last()), true)]
    #[case::another_rule_asks(|key: &mut GrantKey| {
        key.asking.insert(asks(Layer::User, "other", "1"));
    }, false)]
    #[case::another_layer_asks(|key: &mut GrantKey| {
        key.asking = BTreeSet::from([asks(Layer::Project, "delete", "")]);
    }, false)]
    fn a_key_covers_what_is_the_same_in_everything(#[case] change: fn(&mut GrantKey), #[case] covered: bool) {
        let mut other = key();
        change(&mut other);
        assert_eq!(key().covers(&other, &Reach::default()), covered);
    }
}
