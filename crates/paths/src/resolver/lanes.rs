//! What is known about zones before any path comes: a lane for each root, and one for what is outside.

use std::cmp::Reverse;
use std::sync::OnceLock;

use super::backend::Backend;
use super::lane::Lane;
use super::text::Text;
use crate::Standing;
use crate::target::RootMark;
use crate::zones::{Root, Zones};

/// The lanes.
#[derive(Debug)]
pub(super) struct Lanes {
    backend: Backend,
    /// Each root's index and lane, innermost roots first.
    lanes: Vec<(usize, Lane)>,
    /// From `/`, for what is in no root. Most paths are in one, so it is made when it is needed.
    outside: OnceLock<Option<(Root, Lane)>>,
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

impl Lanes {
    pub(super) fn new(zones: &Zones, backend: Backend) -> Self {
        let lanes = zones.roots.iter().map(|root| Lane::new(zones, root)).enumerate();
        let mut lanes: Vec<_> = lanes.collect();
        // Stable: a root that was given twice counts as the first.
        lanes.sort_by_key(|(_, lane)| Reverse(lane.depth()));
        Self {
            backend,
            lanes,
            outside: OnceLock::new(),
        }
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
