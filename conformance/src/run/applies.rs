//! Whether a family applies to a subject, and what of it can be graded (PROTOCOL.md section 7).

use crate::fixture::{Action, CallDecl, During, Entry, Family, Part, PolicyDecl, Step, Variant};
use crate::words::TOOLS;

/// What the log is needed for; without it the other checks are graded.
const AUDIT: &str = "audit";
/// What a policy of one's own stands in for.
const POLICY: [&str; 4] = ["otherwise.deny", "policy.path", "policy.under", "policy.command"];

/// Said where a family's policy has no entry: that everything asks cannot be told either.
const OTHERWISE: &str = "policy.otherwise";
/// Rules that a host keeps, where it holds a call against its tools before it asks a hook.
const TOOLS_OF_THE_HOST: [&str; 3] = ["TOOLS-1", "TOOLS-2", "INPUT-5"];

/// Rules that a host keeps, where it is the host that puts the question.
const QUESTIONS_OF_THE_HOST: [&str; 3] = ["APPROVAL-11", "APPROVAL-14", "APPROVAL-15"];

/// What a family needs and is not there.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Applies {
    /// Without this the family means nothing: it is not run.
    pub(crate) missing: Vec<String>,
    /// Without this the family is run, and the report says that it was graded without.
    pub(crate) without: Vec<String>,
}

/// Holds a family's needs against what the subject promises and the host can do.
pub(crate) fn applies(family: &Family, capabilities: &[String], host: &[String]) -> Applies {
    let promised = |word: &str| capabilities.iter().any(|there| there == word);
    let mut found = Applies::default();
    for need in &family.needs {
        let is_policy = POLICY.contains(&need.as_str());
        if promised(need) || host.contains(need) {
            continue;
        }
        if need == "policy.under" && promised("policy.roots") && only_roots(family) {
            continue;
        }
        if (need == AUDIT && !is_about_records(family)) || (is_policy && promised("policy.own")) {
            found.without.push(need.clone());
        } else {
            found.missing.push(need.clone());
        }
    }
    let has_entries = |need: &String| POLICY.contains(&need.as_str());
    if promised("policy.own") && !family.needs.iter().any(has_entries) {
        found.without.push(OTHERWISE.to_owned());
    }
    let one_of = |rules: &[&str]| family.rules.iter().any(|rule| rules.contains(&rule.as_str()));
    if promised("host.tools") && one_of(&TOOLS_OF_THE_HOST) {
        found.missing.push("tools that it checks itself".to_owned());
    }
    let about_questions = |rule: &String| QUESTIONS_OF_THE_HOST.contains(&rule.as_str());
    if promised("approver.host") && family.rules.iter().all(about_questions) {
        found.missing.push("questions that it puts itself".to_owned());
    }
    let has_people = ["approver.socket", "approver.host", "desk"]
        .into_iter()
        .any(promised);
    if !has_people && asks(family) {
        found.missing.push("somebody to ask".to_owned());
    }
    found
}

/// Whether directories that every called tool may use freely are all that its policies say.
fn only_roots(family: &Family) -> bool {
    family.variants.iter().all(|variant| {
        let policy = family.policy_of(variant);
        let plain = |entry: &Entry| entry.path.is_none() && entry.command.is_none();
        let Some(all) = policy.allow.first().map(|entry| roots(policy, &entry.tool)) else {
            return false;
        };
        // A tool that no gate has is refused whatever the policy says.
        let fits = |call: &CallDecl| !TOOLS.contains(&call.tool.as_str()) || roots(policy, &call.tool) == all;
        policy.ask.is_empty()
            && policy.deny.is_empty()
            && policy.allow.iter().all(plain)
            && family.project_of(variant).is_none()
            && calls(variant).all(fits)
    })
}

/// The directories that a tool may use freely.
fn roots<'a>(policy: &'a PolicyDecl, tool: &str) -> Vec<&'a str> {
    let mut roots: Vec<&str> = policy
        .allow
        .iter()
        .filter(|entry| entry.tool == tool || entry.tool == "*")
        .filter_map(|entry| entry.under.as_deref())
        .collect();
    roots.sort_unstable();
    roots
}

fn calls(variant: &Variant) -> impl Iterator<Item = &CallDecl> {
    variant.steps.iter().flat_map(Step::calls)
}

/// Whether the records are what the family is about, and not one check beside others.
fn is_about_records(family: &Family) -> bool {
    let harms = |action: &Action| {
        matches!(
            action,
            Action::Damage {
                what: Part::Audit | Part::Past,
                ..
            }
        )
    };
    let step_harms = |step: &Step| match step {
        Step::Call { during, .. } => during.iter().any(|During { action, .. }| harms(action)),
        Step::Act(action) => harms(action),
        Step::Judge { .. } | Step::Batch(_) | Step::Restart | Step::Next => false,
    };
    let about = |rule: &String| rule.starts_with("AUDIT-") || rule.starts_with("CRASH-");
    family.rules.iter().any(about)
        || family
            .variants
            .iter()
            .any(|variant| variant.steps.iter().any(step_harms))
}

/// Whether somewhere a question has to be put, so that a subject without people is not meant.
fn asks(family: &Family) -> bool {
    let has_to = |step: &Step| step.expects().any(|expect| !expect.asks.accepts(&0));
    family
        .variants
        .iter()
        .any(|variant| variant.steps.iter().any(has_to))
}

#[cfg(test)]
mod tests {
    use super::{Applies, applies};
    use crate::fixture::Family;

    fn family(rules: &str, policy: &str, asks: &str, tool: &str) -> Family {
        let text = format!(
            r#"
format = 1
id = "paths/x"
title = "x"
rules = [{rules}]
level = "must"
since = "0.1.0"
needs = ["tool.write", "allow.write", "policy.under", "fs.symlink", "audit"]
bug = "escape"
refs = []
[tree]
[policy]
otherwise = "ask"
{policy}
[[variant]]
name = "a"
approver = []
call = {{ tool = "{tool}", path = "a", content = "b" }}
[variant.expect]
decision = "deny"
reason = "policy"
asks = {asks}
effect = []
output = []
audit = {{ records = 1, has = [], lacks = [] }}
"#
        );
        toml::from_str(&text).unwrap()
    }

    fn with(family: &Family, more: &[&str]) -> Applies {
        let words = [&["tool.write", "allow.write"], more].concat();
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        applies(family, &words, &["fs.symlink".to_owned()])
    }

    fn found(missing: &[&str], without: &[&str]) -> Applies {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Applies {
            missing: owned(missing),
            without: owned(without),
        }
    }

    const UNDER: &str = r#"allow = [{ tool = "write", under = "workspace" }]"#;

    #[test]
    fn a_log_is_one_check_beside_others_unless_it_is_the_point() {
        let paths = family(r#""PATHS-1""#, UNDER, "0", "write");
        assert_eq!(with(&paths, &["policy.under", "audit"]), found(&[], &[]));
        assert_eq!(with(&paths, &["policy.under"]), found(&[], &["audit"]));
        let records = family(r#""PATHS-1", "AUDIT-1""#, UNDER, "0", "write");
        assert_eq!(with(&records, &["policy.under"]), found(&["audit"], &[]));
    }

    #[test]
    fn a_policy_of_its_own_is_said_and_never_hides_another_need() {
        let paths = family(r#""PATHS-1""#, UNDER, "0", "write");
        assert_eq!(with(&paths, &["audit"]), found(&["policy.under"], &[]));
        assert_eq!(
            with(&paths, &["audit", "policy.own"]),
            found(&[], &["policy.under"])
        );
        let empty = Family {
            needs: vec!["tool.write".to_owned()],
            ..family(r#""PATHS-1""#, "", "0", "write")
        };
        assert_eq!(with(&empty, &["policy.own"]), found(&[], &["policy.otherwise"]));
        assert_eq!(with(&empty, &[]), found(&[], &[]));
        let words = ["policy.own".to_owned()];
        let nothing = applies(&paths, &words, &[]);
        assert_eq!(nothing.missing, ["tool.write", "allow.write", "fs.symlink"]);
    }

    #[test]
    fn roots_tell_a_policy_that_says_no_more() {
        let told = |policy: &str, tool: &str| {
            let family = family(r#""PATHS-1""#, policy, "0", tool);
            with(&family, &["audit", "policy.roots"]) == found(&[], &[])
        };
        assert!(told(UNDER, "write"));
        assert!(told(UNDER, "no_such_tool"));
        // The gate would let it read there as well, and nobody told it so.
        assert!(!told(UNDER, "read"));
        let ask = format!("{UNDER}\nask = [{{ tool = \"delete\", under = \"workspace\" }}]");
        assert!(!told(&ask, "write"));
        let deny = format!("{UNDER}\ndeny = [{{ tool = \"*\", path = \"workspace/a\" }}]");
        assert!(!told(&deny, "write"));
        assert!(!told(
            r#"allow = [{ tool = "write", path = "workspace/a" }]"#,
            "write"
        ));
    }

    #[test]
    fn what_its_host_checks_is_not_its_own() {
        let unknown = family(r#""TOOLS-1""#, UNDER, "0", "no_such_tool");
        let words = ["policy.under", "audit"];
        assert_eq!(with(&unknown, &words), found(&[], &[]));
        let words = [&words[..], &["host.tools"]].concat();
        assert_eq!(with(&unknown, &words).missing, ["tools that it checks itself"]);
        let paths = family(r#""PATHS-1""#, UNDER, "0", "write");
        assert_eq!(with(&paths, &words), found(&[], &[]));
    }

    #[test]
    fn what_its_host_asks_is_not_its_own() {
        let shown = family(r#""APPROVAL-11""#, UNDER, "1", "write");
        let words = ["policy.under", "audit", "approver.socket"];
        assert_eq!(with(&shown, &words), found(&[], &[]));
        let words = ["policy.under", "audit", "approver.host"];
        assert_eq!(
            with(&shown, &words),
            found(&["questions that it puts itself"], &[])
        );
    }

    #[test]
    fn where_it_has_to_be_asked_somebody_has_to_be_there() {
        let asked = family(r#""PATHS-1""#, UNDER, "1", "write");
        let words = ["policy.under", "audit"];
        assert_eq!(with(&asked, &words), found(&["somebody to ask"], &[]));
        assert_eq!(
            with(&asked, &[&words[..], &["approver.host"]].concat()),
            found(&[], &[])
        );
        let may_be = family(r#""PATHS-1""#, UNDER, "[0, 1]", "write");
        assert_eq!(with(&may_be, &words), found(&[], &[]));
    }
}
