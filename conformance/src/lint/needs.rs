//! `needs` names every capability that the family uses, and no word that is none.

use std::collections::BTreeSet;

use super::Faults;
use crate::fixture::{
    Action, At, CallDecl, Damage, Errand, Expect, Family, NodeKind, Part, People, PolicyDecl, Step,
    TrustWord, Variant, Verb,
};
use crate::words::{self, HOST};

pub(super) fn lint(family: &Family, faults: &mut Faults<'_>) {
    for word in &family.needs {
        if !words::is_capability(word) && !HOST.contains(&word.as_str()) {
            faults.add(
                "needs",
                format!("`{word}` is no capability and no feature of the host"),
            );
        }
    }
    let needed = needed(family);
    let said: BTreeSet<&str> = family.needs.iter().map(String::as_str).collect();
    let missing: Vec<&String> = needed
        .iter()
        .filter(|need| !said.contains(need.as_str()))
        .collect();
    if !missing.is_empty() {
        faults.add("needs", format!("`needs` lacks {missing:?}"));
    }
    if said.len() != family.needs.len() {
        faults.add("needs", "`needs` names something twice");
    }
}

/// What the family uses, as far as it can be seen.
pub(crate) fn needed(family: &Family) -> BTreeSet<String> {
    let mut needed = BTreeSet::new();
    for variant in &family.variants {
        let mut add = |word: &str| {
            needed.insert(word.to_owned());
        };
        let policies = std::iter::once(family.policy_of(variant));
        for policy in policies.chain(family.project_of(variant)) {
            of_policy(policy, &mut add);
        }
        if family.project_of(variant).is_some() {
            add("layer.project");
        }
        if let Some(run) = family.run_of(variant) {
            add("layer.run");
            if let Some(policy) = &run.config {
                of_policy(policy, &mut add);
            }
        }
        if family.trust_of(variant).workspace != TrustWord::Trusted {
            add("trust");
        }
        of_tree(family, variant, &mut add);
        for step in &variant.steps {
            of_step(step, &mut add);
        }
    }
    // Nobody declares these: they are not tools of section 8.
    needed.retain(|word| {
        !word.starts_with("tool.") && !word.starts_with("allow.") || words::is_capability(word)
    });
    needed
}

fn of_policy(policy: &PolicyDecl, add: &mut impl FnMut(&str)) {
    if policy.otherwise == "deny" {
        add("otherwise.deny");
    }
    for entry in &policy.allow {
        if entry.tool != "*" && entry.command.is_none() {
            add(&format!("allow.{}", entry.tool));
        }
    }
    for (there, word) in [
        (policy.names.is_some(), "policy.names"),
        (policy.programs.is_some(), "policy.programs"),
        (policy.review.is_some(), "policy.review"),
    ] {
        if there {
            add(word);
        }
    }
    for entry in policy.entries() {
        for (there, word) in [
            (entry.path.is_some(), "policy.path"),
            (entry.under.is_some(), "policy.under"),
            (entry.command.is_some(), "policy.command"),
        ] {
            if there {
                add(word);
            }
        }
    }
}

fn of_tree(family: &Family, variant: &Variant, add: &mut impl FnMut(&str)) {
    for (name, node) in &family.tree_of(variant).0 {
        match node.kind {
            NodeKind::Link(_) => add("fs.symlink"),
            NodeKind::Hardlink(_) => add("fs.hardlink"),
            NodeKind::Bind(_) => add("fs.bind"),
            NodeKind::Fifo => add("fs.fifo"),
            _ => {}
        }
        if name.starts_with("hex:") {
            add("fs.bytes");
        }
    }
}

fn of_step(step: &Step, add: &mut impl FnMut(&str)) {
    match step {
        Step::Call {
            call,
            people,
            during,
            expect,
        } => {
            of_call(call, add);
            of_records(expect, add);
            match people {
                People::Script(verbs) => of_verbs(verbs, add),
                People::Desk => add("desk"),
                People::Absent | People::Unreachable => add("approver.socket"),
            }
            for during in during {
                if during.action == Action::Cancel {
                    add("cancel");
                }
                let is_asked_there = *people != People::Desk;
                if is_asked_there && during.at == At::Ask && during.action == Action::Kill {
                    add("approver.socket");
                }
                of_action(&during.action, add);
            }
        }
        Step::Batch(batch) => {
            add("batch");
            for one in batch {
                of_call(&one.call, add);
                of_records(&one.expect, add);
                of_verbs(&one.verbs, add);
            }
        }
        Step::Judge { call, .. } => {
            add("judge");
            of_call(call, add);
        }
        Step::Act(action) => of_action(action, add),
        Step::Restart => add("resume"),
        Step::Next => add("sessions"),
    }
}

fn of_records(expect: &Expect, add: &mut impl FnMut(&str)) {
    let no_records = expect.audit.has.is_empty() && expect.audit.records.accepts(&0);
    if !no_records {
        add("audit");
    }
    if expect.reason.all().iter().all(|word| word == "circuit_open") {
        add("breaker");
    }
    if expect.version.is_some() {
        add("audit.version");
    }
    for (event, word) in [("chain", "audit.chain"), ("books", "audit.books")] {
        if expect
            .audit
            .has
            .iter()
            .any(|condition| condition.starts_with(event))
        {
            add(word);
        }
    }
}

fn of_verbs(verbs: &[Verb], add: &mut impl FnMut(&str)) {
    for verb in verbs {
        match verb {
            Verb::AllowOnce | Verb::Deny => {}
            Verb::AllowAlways => add("grants"),
            Verb::AllowBriefly => {
                add("grants");
                add("grants.time");
            }
            Verb::Cancel => {
                add("cancel");
                add("approver.socket");
            }
            _ => add("approver.socket"),
        }
    }
}

fn of_call(call: &CallDecl, add: &mut impl FnMut(&str)) {
    if call.tool == "spawn" {
        add("subagents");
    } else {
        add(&format!("tool.{}", call.tool));
    }
    if call.tool == "load" {
        add("trust");
    }
    if call.raw.is_some() {
        add("input.raw");
    }
    if call.message.is_some() {
        add("message");
    }
    let in_bytes = |value: &toml::Value| {
        value
            .as_table()
            .is_some_and(|table| table.len() == 1 && table.contains_key("hex"))
    };
    if call.args.values().any(in_bytes) {
        add("paths.bytes");
    }
}

fn of_action(action: &Action, add: &mut impl FnMut(&str)) {
    if let Action::Save { policy, .. } = action {
        add("policy.reload");
        of_policy(policy, add);
    }
    match action {
        Action::User { does: Errand::Revoke } => {
            add("grants");
            add("grants.revoke");
        }
        Action::User { does: Errand::Rotate } => {
            add("audit");
            add("audit.rotate");
        }
        Action::User { does: Errand::Seal } => {
            add("audit");
            add("audit.seal");
        }
        Action::End { .. } => {
            add("audit");
            add("audit.books");
        }
        action if action.is_at_desk() => add("desk"),
        _ => {}
    }
    if let Action::Swap { with, .. } = action {
        match with.kind {
            NodeKind::Link(_) => add("fs.symlink"),
            NodeKind::Hardlink(_) => add("fs.hardlink"),
            NodeKind::Fifo => add("fs.fifo"),
            _ => {}
        }
    }
    if let Action::Damage { what, how } = action {
        match (what, how) {
            (Part::Past, _) => {
                add("audit");
                add("audit.rotate");
            }
            (Part::Audit, _) | (_, Damage::Block) => add("audit"),
            _ => add("resume"),
        }
    }
}
