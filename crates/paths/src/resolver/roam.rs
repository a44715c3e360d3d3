//! Ways that lead through places outside the workspace. That such a way leads on, and where, tells what is out there (R15).

use std::collections::BTreeSet;
use std::path::Path;

use super::chain::{By, Crossed, Step, Walked};
use super::walk::{LastLink, Walk};
use crate::zones::Zones;
use crate::{Ambient, Identity};

/// How a way leads, as far as that tells what is outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Roams {
    /// Through nothing outside but what everybody knows of.
    No,
    /// Through a link there.
    Through,
    /// Through something there, and out of it with `..`: it ends beside what is there, or not at all.
    Climbs,
}

/// What was crossed lies outside, and nothing that everybody knows leads through it: no root, as it was given, nor the
/// working directory, nor the home directory.
pub(super) fn roams(zones: &Zones, ambient: &Ambient, cwd: &Path, crossed: &[Crossed]) -> Roams {
    let is_root = |identity: &Identity| {
        let roots = zones.roots.iter().map(|root| root.facts.identity);
        roots.chain(zones.file_dirs()).any(|root| root == *identity)
    };
    let is_known = |crossed: &Crossed| {
        identities(&crossed.steps).any(|identity| is_root(&identity))
            || itself(crossed).is_none_or(|object| zones.leads_through(object))
    };
    if crossed.iter().all(is_known) {
        return Roams::No;
    }
    let mut ways = BTreeSet::new();
    for path in [Some(cwd), ambient.home()].into_iter().flatten() {
        ways.extend(way_to(path));
    }
    let is_known = |crossed: &Crossed| {
        is_known(crossed)
            || itself(crossed).is_some_and(|object| ways.contains(&(object.device, object.inode)))
    };
    let mut after = crossed.iter().skip_while(|crossed| is_known(crossed)).peekable();
    if after.peek().is_none() {
        Roams::No
    } else if after.any(|crossed| crossed.by == By::Text) {
        Roams::Climbs
    } else {
        Roams::Through
    }
}

/// Everything that the path leads through, links included.
fn way_to(path: &Path) -> Vec<(u64, u64)> {
    let walked = Walk::new().and_then(|mut walk| {
        walk.along(path.as_os_str().as_encoded_bytes(), LastLink::Follow)?;
        Ok(walk.finish())
    });
    let pair = |identity: Identity| (identity.device, identity.inode);
    walked
        .map(|walked| all(&walked).map(pair).collect())
        .unwrap_or_default()
}

/// The objects that a walk went through.
pub(crate) fn all(walked: &Walked) -> impl Iterator<Item = Identity> {
    let crossed = walked
        .crossed
        .iter()
        .flat_map(|crossed| identities(&crossed.steps));
    walked.chain.iter().map(|node| node.facts.identity).chain(crossed)
}

fn itself(crossed: &Crossed) -> Option<Identity> {
    crossed.steps.last()?.identity
}

fn identities(steps: &[Step]) -> impl Iterator<Item = Identity> {
    steps.iter().filter_map(|step| step.identity)
}
