//! What is known about zones before any path comes: a lane for each root, and one for what is outside.

use std::cmp::Reverse;
use std::ffi::CString;
use std::sync::OnceLock;

use rustix::fs::{AtFlags, CWD, statat};

use super::backend::Backend;
use super::lane::Lane;
use super::text::Text;
use crate::target::RootMark;
use crate::zones::{Root, Zones};
use crate::{Identity, Standing};

/// The lanes.
#[derive(Debug)]
pub(super) struct Lanes {
    backend: Backend,
    /// Each root's index and lane, innermost roots first.
    lanes: Vec<(usize, Lane)>,
    /// From `/`, for what is in no root. Most paths are in one, so it is made when it is needed.
    outside: OnceLock<Option<(Root, Lane)>>,
    /// Every directory that leads to a zone or root. Moved elsewhere, it would lead there by names that no lane knows.
    anchors: Vec<(CString, Identity)>,
}

/// The lane that a text is in.
#[derive(Debug, Clone, Copy)]
pub(super) struct On<'a> {
    pub(super) lane: &'a Lane,
    /// The root, or `/`.
    pub(super) base: &'a Root,
    /// Which root; `None` is outside.
    root: Option<usize>,
    backend: Backend,
}

/// What was found, as far as it matters for the order of things.
pub(super) struct Asked<Behind: FnOnce() -> bool> {
    /// A directory that leads to a zone, moved from its place, could have been on the way or be below what was found.
    pub(super) could_be_behind: Behind,
    /// The root in which something was found: then it was not removed. An empty one is, without a notice.
    pub(super) seen: Option<usize>,
}

impl Lanes {
    pub(super) fn new(zones: &Zones, backend: Backend) -> Self {
        let mut anchors = Vec::new();
        for form in zones.zones.iter().flat_map(|zone| &zone.forms) {
            add_anchors(&mut anchors, form.dirs());
        }
        for root in zones.known() {
            let dirs = root.steps.iter();
            let dirs = dirs.filter_map(|step| Some((step.name.as_slice(), step.identity?)));
            add_anchors(&mut anchors, dirs);
        }
        let lanes = zones.roots.iter().map(|root| Lane::new(zones, root)).enumerate();
        let mut lanes: Vec<_> = lanes.collect();
        // Stable: a root that was given twice counts as the first.
        lanes.sort_by_key(|(_, lane)| Reverse(lane.depth()));
        Self {
            backend,
            lanes,
            outside: OnceLock::new(),
            anchors,
        }
    }

    /// Every root is still what its name leads to (R6), and no directory that leads to a zone has moved to where it
    /// could be on the way. Asked after the object is held.
    pub(super) fn in_order(&self, zones: &Zones, asked: Asked<impl FnOnce() -> bool>) -> bool {
        let roots = || zones.known().all(Root::is_all_there);
        let quiet = zones.watch.quiet(|| roots() && self.anchors.iter().all(in_place));
        if quiet {
            let mut unseen = zones.known().enumerate();
            return unseen.all(|(index, root)| {
                // A link that is replaced is not told either.
                let seen = Some(index) == asked.seen && root.is_led_to();
                seen || root.is_all_there()
            });
        }
        // RACE: what is in place now may have been elsewhere when the object was opened. The walk sees for itself.
        !(asked.could_be_behind)() && roots()
    }

    /// The open lane of the innermost root whose place the text begins with, or the one outside.
    pub(super) fn of<'a>(&'a self, zones: &'a Zones, text: &Text) -> Option<On<'a>> {
        let place = text.place.as_slice();
        let begins = |root: &Root| {
            let name = root.name.as_bytes();
            name == b"/"
                || place
                    .strip_prefix(name)
                    .is_some_and(|rest| matches!(rest.first(), None | Some(b'/')))
        };
        let mut lanes = self.lanes.iter();
        let innermost = lanes.find_map(|(index, lane)| {
            let root = zones.roots.get(*index)?;
            if text.root() != Some(*index) && !begins(root) {
                return None;
            }
            Some((*index, root, lane))
        });
        let on = match innermost {
            Some((index, base, lane)) => On {
                lane,
                base,
                root: Some(index),
                backend: self.backend,
            },
            None => {
                let make = || {
                    let slash = Root::slash().ok()?;
                    let lane = Lane::outside(zones, &slash);
                    Some((slash, lane))
                };
                let (base, lane) = self.outside.get_or_init(make).as_ref()?;
                On {
                    lane,
                    base,
                    root: None,
                    backend: self.backend,
                }
            }
        };
        (!on.lane.is_closed()).then_some(on)
    }
}

impl<'a> On<'a> {
    /// The text below the base.
    pub(super) fn below<'t>(&self, place: &'t [u8]) -> &'t [u8] {
        place.get(self.lane.start()..).unwrap_or_default()
    }

    pub(super) fn backend(&self) -> Backend {
        self.backend
    }

    pub(super) fn root(&self) -> Option<usize> {
        self.root
    }

    pub(super) fn is_outside(&self) -> bool {
        self.root.is_none()
    }

    pub(super) fn standing(&self) -> Standing {
        let inside = |root| Standing::Inside { root };
        self.root.map_or(Standing::Outside, inside)
    }

    pub(super) fn mark(&self) -> Option<RootMark> {
        self.root.map(|_| RootMark {
            depth: self.lane.depth(),
            identity: self.base.facts.identity,
        })
    }
}

/// Adds the places that directories, told from `/` down, have by their names.
fn add_anchors<'a>(anchors: &mut Vec<(CString, Identity)>, dirs: impl Iterator<Item = (&'a [u8], Identity)>) {
    let mut place = Vec::new();
    for (name, identity) in dirs.skip(1) {
        place.push(b'/');
        place.extend_from_slice(name);
        let Ok(anchor) = CString::new(place.clone()) else {
            continue;
        };
        if !anchors.contains(&(anchor.clone(), identity)) {
            anchors.push((anchor, identity));
        }
    }
}

fn in_place((name, identity): &(CString, Identity)) -> bool {
    statat(CWD, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|now| now.st_dev == identity.device && now.st_ino == identity.inode)
}
