//! The version of the policy that a record names.

use super::{Check, Finding};
use crate::fixture::{Expect, Version};
use crate::run::{Asked, Seen, SessionSeen, StepSeen};
use crate::wire::{Decision, Record};

pub(super) fn grade(
    before: Option<&StepSeen>,
    own: &StepSeen,
    expect: &Expect,
    session: &SessionSeen,
) -> Option<Finding> {
    let wanted = expect.version?;
    let Seen::Result(answer) = &own.seen else {
        return None;
    };
    // What a gate says no to in place of the version before it may well be another one.
    let may_differ = answer.decision == Decision::Deny && expect.decision.accepts("allow");
    // Of what the host asked itself there is no record.
    let by_host = |step: &StepSeen| step.asks.iter().any(Asked::is_the_hosts);
    if by_host(own) || before.is_some_and(by_host) {
        return None;
    }
    if may_differ || !session.audited || !session.versioned || session.tampered {
        return None;
    }
    let finding = |expected: &str, seen: String| Some(Finding::new(Check::Audit, expected, seen));
    let [Some(earlier), Some(now)] = [before, Some(own)].map(|step| named(step?, session)) else {
        let expected = "records that name the version of the policy";
        return finding(expected, "a record without it".to_owned());
    };
    match wanted {
        Version::Same if earlier != now => finding(
            "the version of the policy that the call before was judged by",
            format!("`{now}` after `{earlier}`"),
        ),
        Version::Other if earlier == now => finding(
            "another version of the policy than the call before was judged by",
            format!("`{now}` again"),
        ),
        _ => None,
    }
}

/// The version in the record of a call's decision.
fn named<'a>(step: &StepSeen, session: &'a SessionSeen) -> Option<&'a str> {
    session.records.iter().find_map(|record| match record {
        Record::Decided { call, policy, .. } if *call == step.id => policy.as_deref(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::perfect;
    use serde::Deserialize as _;

    use super::*;
    use crate::fixture::OneOrMany;
    use crate::run::StepSeen;

    /// Two calls, of which the records name these versions, and what is wrong with the second.
    fn seen(names: [Option<&str>; 2], wanted: Version, allowed: bool, may_be_allowed: bool) -> bool {
        let mut case = perfect(if allowed { "allowed" } else { "denied" });
        let first: StepSeen = case.seen.steps.remove(0);
        let mut second = first.clone();
        second.id = "c-2".to_owned();
        let record = case.seen.records.remove(0);
        case.seen.records = [("c-1", names[0]), ("c-2", names[1])]
            .into_iter()
            .map(|(id, name)| {
                let mut record = record.clone();
                if let Record::Decided { call, policy, .. } = &mut record {
                    id.clone_into(call);
                    *policy = name.map(str::to_owned);
                }
                record
            })
            .collect();
        case.seen.versioned = true;
        let family = include_str!("../../cases/audit/policy-named.toml");
        let family = crate::fixture::read_family(family).unwrap();
        let mut expect = family.variants[0].steps[0].expects().next().unwrap().clone();
        expect.version = Some(wanted);
        let words = if may_be_allowed {
            "[\"allow\", \"deny\"]"
        } else {
            "\"deny\""
        };
        let decision: toml::Table = format!("x = {words}").parse().unwrap();
        expect.decision = OneOrMany::<String>::deserialize(decision["x"].clone()).unwrap();
        grade(Some(&first), &second, &expect, &case.seen).is_none()
    }

    #[test]
    fn a_record_names_the_version_that_judged() {
        let (one, two) = (Some("1"), Some("2"));
        for allowed in [true, false] {
            assert!(seen([one, one], Version::Same, allowed, allowed));
            assert!(!seen([one, two], Version::Same, allowed, allowed));
            assert!(seen([one, two], Version::Other, allowed, allowed));
            assert!(!seen([one, one], Version::Other, allowed, allowed));
            assert!(!seen([one, None], Version::Other, allowed, allowed));
            assert!(!seen([None, one], Version::Other, allowed, allowed));
        }
        assert!(
            seen([one, two], Version::Same, false, true),
            "it may say no instead"
        );
    }
}
