//! The sandbox can be made, and is what it says; nothing dangerous is called.

use std::os::unix::fs::MetadataExt;

use serde_json::Value;

use super::Faults;
use crate::fixture::{CallDecl, Expect, Family, NodeKind, Step, Tree, Variant};
use crate::os::{disk, mounts};
use crate::sandbox::declared;
use crate::sandbox::{Sandbox, Snapshot};
use crate::wire::LONGEST_LINE;

pub(super) fn lint(family: &Family, faults: &mut Faults<'_>) {
    for variant in &family.variants {
        let tree = family.tree_of(variant);
        names(family, &tree, faults);
        if tree.has_mounts() && !mounts::are_own() {
            continue;
        }
        match Sandbox::build(&tree) {
            Err(error) => faults.add("tree", format!("variant `{}`: {error}", variant.name)),
            Ok(sandbox) => {
                stands(&sandbox, &tree, variant, faults);
                places(&sandbox, family, variant, &tree, faults);
            }
        }
    }
}

/// Names that are equal on a file system that folds case need one that does not.
fn names(family: &Family, tree: &Tree, faults: &mut Faults<'_>) {
    let mut folded: Vec<String> = tree
        .0
        .keys()
        .map(|name| name.trim_end_matches('/').to_lowercase())
        .collect();
    folded.sort_unstable();
    let collide = folded.windows(2).any(|pair| pair.first() == pair.last());
    if collide && !family.needs.iter().any(|need| need == "fs.case-sensitive") {
        faults.add("case", "names that differ in case alone need `fs.case-sensitive`");
    }
}

/// What was made is what was declared.
fn stands(sandbox: &Sandbox, tree: &Tree, variant: &Variant, faults: &mut Faults<'_>) {
    for (name, node) in &tree.0 {
        let directory = name.ends_with('/');
        if directory != (node.kind == NodeKind::Dir) {
            faults.add(
                "tree",
                format!("`{name}`: a directory, and nothing else, ends in `/`"),
            );
        }
        if is_locked_in(tree, name) {
            continue;
        }
        let seen = sandbox.place(name).and_then(|place| disk::metadata(&place));
        let right = seen.is_ok_and(|seen| match &node.kind {
            NodeKind::Dir => seen.is_dir(),
            NodeKind::Link(_) => seen.is_symlink(),
            NodeKind::Bind(of) => sandbox
                .place(of)
                .and_then(|of| disk::metadata(&of))
                .is_ok_and(|of| (of.dev(), of.ino()) == (seen.dev(), seen.ino())),
            NodeKind::Fifo => !seen.is_file() && !seen.is_dir() && !seen.is_symlink(),
            _ => seen.is_file(),
        });
        if !right {
            faults.add(
                "tree",
                format!("variant `{}`: `{name}` did not come out", variant.name),
            );
        }
    }
    if let Err(error) = Snapshot::take(&sandbox.root) {
        faults.add("tree", format!("variant `{}`: {error}", variant.name));
    }
}

/// Whether a directory above has rights that may keep a user from looking.
fn is_locked_in(tree: &Tree, name: &str) -> bool {
    let holds = |other: &str| other.ends_with('/') && name != other && name.starts_with(other);
    let mut above = tree.0.iter().filter(|(other, _)| holds(other));
    above.any(|(_, node)| node.mode.is_some_and(|mode| mode & 0o500 != 0o500))
}

fn places(sandbox: &Sandbox, family: &Family, variant: &Variant, tree: &Tree, faults: &mut Faults<'_>) {
    let fail = |faults: &mut Faults<'_>, error: crate::Error| {
        faults.add("place", format!("variant `{}`: {error}", variant.name));
    };
    let said = family.run_of(variant).and_then(|run| run.config.as_ref());
    let policies = variant.saved().into_iter().chain(said);
    for policy in policies.chain([family.policy_of(variant)]) {
        if let Err(error) = sandbox.policy(policy) {
            fail(faults, error);
        }
    }
    for step in &variant.steps {
        for expect in step.expects() {
            canaries(tree, expect, faults);
            if let Err(error) = declared(sandbox, &expect.effect).and(declared(sandbox, &expect.or)) {
                fail(faults, error);
            }
            for text in expect.output.iter().chain(&expect.audit.lacks) {
                let expanded = match text.strip_prefix("canary:") {
                    Some(name) => sandbox.token(name).map(str::to_owned),
                    None => sandbox.expand(text),
                };
                if let Err(error) = expanded {
                    fail(faults, error);
                }
            }
        }
        for call in step.calls() {
            match sandbox
                .arguments(call)
                .and_then(|args| Ok((args, sandbox.cwd(call)?)))
            {
                Ok((args, cwd)) => fits_a_line(&args, &cwd, variant, faults),
                Err(error) => fail(faults, error),
            }
            if !matches!(step, Step::Judge { .. }) {
                safe(call, variant, faults);
            }
        }
    }
}

/// What a message has around tool, arguments and directory, generously.
const AROUND: usize = 1024;

/// The runner keeps to the protocol's own limit: a gate may end at a line that is longer.
fn fits_a_line(args: &(String, Value), cwd: &str, variant: &Variant, faults: &mut Faults<'_>) {
    let written = serde_json::to_string(args).unwrap_or_default();
    if written.len() + cwd.len() + AROUND > LONGEST_LINE {
        faults.add(
            "line",
            format!(
                "variant `{}`: the call does not fit into a line of 1 MiB",
                variant.name
            ),
        );
    }
}

/// A call may be performed by a gate that allows everything: it has to stay in the sandbox and be harmless.
fn safe(call: &CallDecl, variant: &Variant, faults: &mut Faults<'_>) {
    if call.tool == "spawn" {
        faults.add(
            "danger",
            format!("variant `{}`: `spawn` is judged, not called", variant.name),
        );
    }
    if call.tool == "run" {
        let command = call.args.get("command").and_then(toml::Value::as_str);
        let raw = call.raw.as_deref();
        if !command
            .or(raw)
            .is_none_or(|text| text.contains("{witness:") && (raw.is_some() || text.starts_with("{witness:")))
        {
            faults.add(
                "danger",
                format!(
                    "variant `{}`: a called command begins with a witness; anything else is judged",
                    variant.name
                ),
            );
        }
    }
    let names = ["path", "from", "to"];
    for path in names.iter().filter_map(|name| call.args.get(*name)?.as_str()) {
        if path.starts_with('/') && !is_harmless(path) || climbs_out(path) {
            faults.add(
                "danger",
                format!(
                    "variant `{}`: `{path}` leaves the sandbox, or does not begin with a placeholder",
                    variant.name
                ),
            );
        }
    }
}

/// Whether dots lead out of the sandbox, as far as the spelling tells.
fn climbs_out(path: &str) -> bool {
    let mut depth = match path.split('/').next() {
        Some("{root}") => 0,
        _ => 1,
    };
    path.split('/').any(|part| {
        match part {
            ".." => depth -= 1,
            "" | "." => {}
            _ => depth += 1,
        }
        depth < 0
    })
}

/// Places of the system at which nothing can be broken.
fn is_harmless(path: &str) -> bool {
    ["/proc/self/", "/dev/null", "/dev/fd/", "/dev/stdin"]
        .iter()
        .any(|place| path.starts_with(place))
        || path.trim_matches('/').starts_with('{')
}

/// The log is searched for every secret there is.
fn canaries(tree: &Tree, expect: &Expect, faults: &mut Faults<'_>) {
    for canary in tree.canaries() {
        if !expect
            .audit
            .lacks
            .iter()
            .any(|text| *text == format!("canary:{canary}"))
        {
            faults.add("lacks", format!("`audit.lacks` does not name canary `{canary}`"));
        }
    }
}
