//! Ways that lead out of the workspace and back again. That such a way leads back tells what is out there (R15): it is
//! told like everything that is outside.

use std::collections::BTreeSet;
use std::path::Path;

use super::chain::{Step, Walked};
use super::walk::{LastLink, Walk};
use crate::zones::Zones;
use crate::{Ambient, Identity};

/// One of the links and directories that were left again is outside, and nothing that everybody knows leads through it:
/// no root, as it was given, nor the working directory, nor the home directory.
pub(super) fn roams(zones: &Zones, ambient: &Ambient, cwd: &Path, crossed: &[Vec<Step>]) -> bool {
    let is_root = |identity: &Identity| {
        let roots = zones.roots.iter().map(|root| root.facts.identity);
        roots.chain(zones.file_dirs()).any(|root| root == *identity)
    };
    let strangers = crossed
        .iter()
        .filter(|steps| !identities(steps).any(|identity| is_root(&identity)));
    let strangers: Vec<Identity> = strangers.filter_map(|steps| steps.last()?.identity).collect();
    if strangers.iter().all(|stranger| zones.leads_through(*stranger)) {
        return false;
    }
    let mut known = BTreeSet::new();
    for path in [Some(cwd), ambient.home()].into_iter().flatten() {
        known.extend(way_to(path));
    }
    let is_known = |stranger: &Identity| {
        zones.leads_through(*stranger) || known.contains(&(stranger.device, stranger.inode))
    };
    !strangers.iter().all(is_known)
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
    let crossed = walked.crossed.iter().flat_map(|steps| identities(steps));
    walked.chain.iter().map(|node| node.facts.identity).chain(crossed)
}

fn identities(steps: &[Step]) -> impl Iterator<Item = Identity> {
    steps.iter().filter_map(|step| step.identity)
}
