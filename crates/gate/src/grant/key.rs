use std::collections::BTreeSet;

use portcullis_classify::{Assessment, Cause, Effect, EffectKind, Layer, Risk};
use portcullis_paths::{Operation, Place};

use crate::subject::on_files;

/// What has to be the same for a grant to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrantKey {
    pub(super) tool: String,
    pub(super) resources: BTreeSet<Resource>,
    pub(super) user: String,
    pub(super) policy: String,
    /// The rules that ask. A rule that did not ask when the grant was given knows something new.
    pub(super) asking: BTreeSet<(Layer, String)>,
}

/// One effect on one place. The operation tells the old name of a move from the new one, and a tree from an empty
/// directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Resource {
    pub(super) kind: EffectKind,
    operation: Operation,
    pub(super) place: Place,
}

impl GrantKey {
    /// The key of a call that can be granted; `None` for one that cannot: a denied call, a call without effects,
    /// and one with any effect that is not on a resolved path.
    pub(crate) fn of(assessment: &Assessment, user: &str) -> Option<Self> {
        if assessment.verdict.risk() == Risk::Deny || assessment.denial.is_some() {
            return None;
        }
        let resources: Option<BTreeSet<Resource>> = assessment.effects.iter().map(resource).collect();
        Some(Self {
            tool: assessment.call.tool().to_owned(),
            resources: resources.filter(|found| !found.is_empty())?,
            user: user.to_owned(),
            policy: assessment.policy.clone(),
            asking: assessment.verdict.causes().iter().filter_map(asking).collect(),
        })
    }

    /// Whether a grant made for `self` covers a call with the key `other`.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.tool == other.tool
            && self.resources == other.resources
            && self.user == other.user
            && self.policy == other.policy
            && other.asking.is_subset(&self.asking)
    }
}

fn resource(effect: &Effect) -> Option<Resource> {
    let target = effect.target.as_ref().filter(|_| on_files(effect.kind))?;
    Some(Resource {
        kind: effect.kind,
        operation: target.operation(),
        place: target.place().clone(),
    })
}

fn asking(cause: &Cause) -> Option<(Layer, String)> {
    (cause.risk == Risk::Confirm).then(|| (cause.layer, cause.rule.clone()))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn key() -> GrantKey {
        GrantKey {
            tool: "delete_file".to_owned(),
            resources: BTreeSet::new(),
            user: "ann".to_owned(),
            policy: "1".to_owned(),
            asking: BTreeSet::from([
                (Layer::BuiltIn, "delete".to_owned()),
                (Layer::User, "mine".to_owned()),
            ]),
        }
    }

    #[rstest]
    #[case::same(|_: &mut GrantKey| {}, true)]
    #[case::tool(|key: &mut GrantKey| key.tool = "move_file".to_owned(), false)]
    #[case::user(|key: &mut GrantKey| key.user = "bob".to_owned(), false)]
    #[case::policy(|key: &mut GrantKey| key.policy = "2".to_owned(), false)]
    #[case::fewer_rules_ask(|key: &mut GrantKey| drop(key.asking.pop_last()), true)]
    #[case::another_rule_asks(|key: &mut GrantKey| {
        key.asking.insert((Layer::User, "other".to_owned()));
    }, false)]
    #[case::another_layer_asks(|key: &mut GrantKey| {
        key.asking = BTreeSet::from([(Layer::Project, "delete".to_owned())]);
    }, false)]
    fn a_key_covers_what_is_the_same_in_everything(#[case] change: fn(&mut GrantKey), #[case] covered: bool) {
        let mut other = key();
        change(&mut other);
        assert_eq!(key().covers(&other), covered);
    }
}
