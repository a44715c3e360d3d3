//! What is known about zones before any path comes: per root, which names below it and which objects need the walk.

use std::ffi::CString;

use rustix::fs::{AtFlags, CWD, statat};

use crate::zones::{Form, Root, Zones, may_fold_alike};
use crate::{Facts, FileKind, Identity, Relation};

/// One lane for each root, in the roots' order.
#[derive(Debug)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    /// Directories that lead to zones. Moved below a root, they would be ancestors that the fast path does not look at.
    anchors: Vec<(CString, Identity)>,
}

/// The plain case below one root.
#[derive(Debug)]
pub(super) struct Lane {
    /// Number of names in the root's place.
    depth: usize,
    /// Where the text below the root begins in a place.
    start: usize,
    /// A zone holds the whole root, or is related to it in a way that names do not show: everything is walked.
    closed: bool,
    /// Names of zones, from the root down.
    zones: Vec<Vec<Vec<u8>>>,
    /// Zones' own objects.
    objects: Vec<Identity>,
}

/// What the fast path holds, as far as it matters for the order of things.
pub(super) struct Asked<'a> {
    pub(super) below: &'a [u8],
    pub(super) whole_tree: bool,
    /// The object or its directory is the root. It may be empty, so it could be removed without a notice.
    pub(super) in_root_itself: bool,
}

impl Lanes {
    pub(super) fn new(zones: &Zones) -> Self {
        let mut anchors: Vec<(CString, Identity)> = Vec::new();
        for (name, identity) in zones
            .zones
            .iter()
            .flat_map(|zone| &zone.forms)
            .filter_map(Form::anchor)
        {
            // Roots are looked at by name in every decision, and what is above them with them.
            let looked_at = zones.known().any(|step| step.identity == Some(identity));
            if !looked_at && anchors.iter().all(|(_, other)| *other != identity) {
                anchors.push((name, identity));
            }
        }
        Self {
            lanes: zones.roots.iter().map(|root| Lane::new(zones, root)).collect(),
            anchors,
        }
    }

    /// Every root is still what its name leads to (R6), and no directory that leads to a zone has moved to where it
    /// could be on the way. Asked after the object is held.
    pub(super) fn in_order(&self, zones: &Zones, asked: &Asked<'_>) -> bool {
        let roots = || zones.check().is_ok();
        let all = || roots() && self.anchors.iter().all(in_place);
        if !asked.in_root_itself && zones.watch.quiet(all) {
            return true;
        }
        // A name right below the root is not behind such a directory, but it may be one.
        let behind = asked.whole_tree || asked.below.contains(&b'/');
        roots() && (!behind || self.anchors.iter().all(in_place))
    }

    /// The open lane of the innermost root whose place the text begins with.
    pub(super) fn innermost<'a>(
        &'a self,
        zones: &'a Zones,
        place: &[u8],
    ) -> Option<(usize, &'a Lane, &'a Root)> {
        let begins = |root: &Root| {
            let name = root.name.as_bytes();
            name == b"/"
                || place
                    .strip_prefix(name)
                    .is_some_and(|rest| matches!(rest.first(), None | Some(b'/')))
        };
        let roots = zones.roots.iter().zip(&self.lanes).enumerate();
        // A root that was given twice counts as the first: the last of the largest is what `max_by_key` takes.
        let fitting = roots.rev().filter(|(_, (root, _))| begins(root));
        let (index, (root, lane)) = fitting.max_by_key(|(_, (_, lane))| lane.depth)?;
        (!lane.closed).then_some((index, lane, root))
    }
}

impl Lane {
    fn new(zones: &Zones, root: &Root) -> Self {
        let name = root.name.as_bytes();
        let depth = names(name).count();
        let mut lane = Self {
            depth,
            start: if depth == 0 { 1 } else { name.len() + 1 },
            closed: false,
            zones: Vec::new(),
            objects: Vec::new(),
        };
        for form in zones.zones.iter().flat_map(|zone| &zone.forms) {
            lane.add(root, form);
        }
        lane
    }

    fn add(&mut self, root: &Root, form: &Form) {
        self.objects.extend(form.identity());
        let above: Vec<&[u8]> = names(root.name.as_bytes()).collect();
        let form_names: Vec<&[u8]> = form.names().collect();
        let beside = above
            .iter()
            .zip(&form_names)
            .any(|(ours, theirs)| !may_fold_alike(ours, theirs));
        let bound = form.device() == root.facts.identity.device && form.mount() != root.facts.mount;
        let holds = form.relate(&root.steps) == Some(Relation::Within);
        if holds || bound || (!beside && form_names.len() <= above.len()) {
            self.closed = true;
        }
        if !beside {
            let below = form_names.iter().skip(above.len());
            self.zones.push(below.map(|name| name.to_vec()).collect());
        }
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// By name, the text could lead into a zone, or, where that counts, to something that holds one.
    pub(super) fn may_touch(&self, below: &[u8], holding_counts: bool) -> bool {
        self.zones.iter().any(|zone| {
            let mut ours = names(below);
            for name in zone {
                match ours.next() {
                    None => return holding_counts,
                    Some(ours) if !may_fold_alike(ours, name) => return false,
                    Some(_) => {}
                }
            }
            true
        })
    }

    /// By identity, the object is no zone. Where the other names of one that has several are does not show here.
    pub(super) fn spares(&self, facts: &Facts) -> bool {
        (facts.links < 2 || facts.kind == FileKind::Dir) && !self.objects.contains(&facts.identity)
    }
}

fn in_place((name, identity): &(CString, Identity)) -> bool {
    statat(CWD, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|now| now.st_dev == identity.device && now.st_ino == identity.inode)
}

fn names(place: &[u8]) -> impl Iterator<Item = &[u8]> {
    place.split(|byte| *byte == b'/').filter(|name| !name.is_empty())
}
