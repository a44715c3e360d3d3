//! Is everything that leads to the roots and zones where it was when they were opened?

use std::ffi::CString;

use rustix::fs::{AtFlags, CWD, statat};

use super::watch::Since;
use super::{Root, Zones};
use crate::Identity;

/// A directory's place by its names, and what is there.
type Anchor = (CString, Identity);

/// Adds the places that directories, told from `/` down, have by their names.
fn add<'a>(anchors: &mut Vec<Anchor>, dirs: impl Iterator<Item = (&'a [u8], Identity)>) {
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

fn in_place((name, identity): &Anchor) -> bool {
    statat(CWD, name, AtFlags::SYMLINK_NOFOLLOW)
        .is_ok_and(|now| now.st_dev == identity.device && now.st_ino == identity.inode)
}

impl Zones {
    /// From when on everything that leads to a root or zone is watched, if it is. Asked before anything is opened.
    #[inline(always)]
    pub(crate) fn since(&self) -> Option<Since> {
        self.watch.since(|| self.is_in_place())
    }

    /// By its names, every root is what it was, and so is every directory that leads to a zone or root. Moved elsewhere, it
    /// would lead there by names that nothing here knows.
    #[cold]
    fn is_in_place(&self) -> bool {
        let mut anchors = Vec::new();
        for form in self.zones.iter().flat_map(|zone| &zone.forms) {
            add(&mut anchors, form.dirs());
        }
        for root in self.known() {
            let dirs = root.way.iter().map(|known| (&*known.name, known.facts.identity));
            add(&mut anchors, dirs);
        }
        self.known().all(Root::is_all_there) && anchors.iter().all(in_place)
    }

    /// The innermost root whose place the text begins with, and the text below it.
    pub(crate) fn innermost<'t>(&self, text: &'t [u8]) -> Option<(usize, &'t [u8])> {
        let below = |root: &Root| {
            let rest = text.strip_prefix(root.name.as_bytes())?;
            let slashes = rest.iter().take_while(|byte| **byte == b'/').count();
            rest.get(slashes..).filter(|_| slashes > 0 || rest.is_empty())
        };
        let roots = self.roots.iter().enumerate();
        let on_the_way = roots.filter_map(|(index, root)| Some((index, below(root)?)));
        on_the_way.min_by_key(|(_, below)| below.len())
    }

    /// Every root is still what its name leads to (R6), and no directory that leads to a zone has moved since then. Asked
    /// after the object is held. The root in which something was found was not removed: an empty one is, without a notice.
    #[inline]
    pub(crate) fn is_quiet(&self, since: Option<Since>, seen: Option<usize>) -> bool {
        if !since.is_some_and(|since| self.watch.is_quiet(since)) {
            return false;
        }
        let mut known = self.known().enumerate();
        known.all(|(index, root)| {
            // A link that is replaced is not told either.
            let seen = Some(index) == seen && root.is_led_to();
            seen || root.is_all_there()
        })
    }
}
