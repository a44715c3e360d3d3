//! The plain case below one directory: which names lead to zones, and which objects need the walk.

use std::os::fd::AsFd;

use super::filesystem::{Kind, kind};
use crate::zones::{Form, Root, Zones, may_fold_alike};
use crate::{Facts, FileKind, Identity, Leaf, Relation};

/// What is known of a root, or of `/`, before any path comes.
#[derive(Debug)]
pub(super) struct Lane {
    /// Number of names in the base's place.
    depth: usize,
    /// Where the text below the base begins in a place.
    start: usize,
    /// A zone holds the whole base, or is related to it in a way that names do not show: everything is walked.
    closed: bool,
    /// One file system may be seen in another, and the device tells.
    subvolumes: bool,
    zones: Vec<Way>,
    /// Other roots below.
    roots: Vec<Way>,
    /// Zones' own objects.
    objects: Vec<(Identity, usize)>,
}

/// The names that lead from the base to a zone or root.
#[derive(Debug)]
struct Way {
    index: usize,
    names: Vec<Vec<u8>>,
    /// The names with slashes between them.
    text: Vec<u8>,
    ascii: bool,
    /// The base is on the way by its identity and by its exact names, not only by names that some disk confuses with it.
    through_base: bool,
}

/// What the names of a text tell about zones.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// These, by their exact names, and surely no others; in the order of the zones.
    Zones(Vec<(usize, Relation)>),
    /// Only a walk can tell.
    Unsure,
}

impl Lane {
    pub(super) fn new(zones: &Zones, base: &Root) -> Self {
        let name = base.name.as_bytes();
        let depth = names(name).count();
        let kind = kind(base.object.as_fd()).unwrap_or(Kind::Other);
        let mut lane = Self {
            depth,
            start: if depth == 0 { 1 } else { name.len() + 1 },
            closed: kind == Kind::Other,
            subvolumes: kind == Kind::Subvolumes,
            zones: Vec::new(),
            roots: Vec::new(),
            objects: Vec::new(),
        };
        for (index, zone) in zones.zones.iter().enumerate() {
            for form in &zone.forms {
                lane.add(base, index, form);
            }
        }
        for (index, root) in zones.roots.iter().enumerate() {
            lane.add_root(base, index, root, None);
        }
        lane
    }

    /// From `/`: there a file that is a root counts as well.
    pub(super) fn outside(zones: &Zones, slash: &Root) -> Self {
        let mut lane = Self::new(zones, slash);
        for (index, file) in zones.files.iter().enumerate() {
            lane.add_root(slash, index, file.dir(), Some(file.leaf()));
        }
        lane
    }

    fn add(&mut self, base: &Root, zone: usize, form: &Form) {
        self.objects
            .extend(form.identity().map(|identity| (identity, zone)));
        let identity = form.identity_at(self.depth);
        let way = Way::from(base, zone, form.names(), identity);
        let holds = form.relate(&base.steps) == Some(Relation::Within);
        let short = form.names().count() <= self.depth;
        self.closed |= holds || form.is_bound(&base.facts) || (short && way.is_some());
        self.zones.extend(way);
    }

    fn add_root(&mut self, base: &Root, index: usize, root: &Root, leaf: Option<&Leaf>) {
        let same_device = root.facts.identity.device == base.facts.identity.device;
        self.closed |= same_device && root.facts.mount != base.facts.mount;
        let names = root.steps.iter().skip(1).map(|step| &*step.name);
        let names = names.chain(leaf.map(Leaf::as_bytes));
        let way = Way::from(base, index, names, Some(base.facts.identity));
        self.roots.extend(way.filter(|way| !way.names.is_empty()));
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed
    }

    pub(super) fn has_subvolumes(&self) -> bool {
        self.subvolumes
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The zones that the text leads into, or, where that counts, to something that holds them.
    pub(super) fn near(&self, below: &[u8], holding_counts: bool) -> Near {
        let mut near = Vec::new();
        for way in &self.zones {
            if way.parts_from(below) {
                continue;
            }
            match way.meets(below) {
                None | Some((Relation::Contains, _)) if !holding_counts => {}
                None => {}
                Some((relation, true)) => near.push((way.index, relation)),
                Some((_, false)) => return Near::Unsure,
            }
        }
        // A root by its exact name is another lane's.
        if self.roots.iter().any(|way| way.is_met_by(below)) {
            return Near::Unsure;
        }
        Near::Zones(near)
    }

    /// The text is surely not in a zone.
    #[inline(never)]
    pub(super) fn is_clear(&self, below: &[u8]) -> bool {
        self.is_far(below, false)
    }

    /// No zone is [near](Self::near), and that is sure.
    #[inline]
    pub(super) fn is_far(&self, below: &[u8], holding_counts: bool) -> bool {
        let far = |way: &Way| way.parts_from(below) || way.is_no_matter(below, holding_counts);
        self.zones.iter().all(far) && !self.roots.iter().any(|way| way.is_met_by(below))
    }

    /// By identity, the object is no zone but one of those that names told. Where the other names of one that has
    /// several are does not show here, nor what is behind a device of its own.
    pub(super) fn spares(&self, base: &Root, facts: &Facts, near: &[(usize, Relation)]) -> bool {
        let told = |zone: usize| near.contains(&(zone, Relation::Within));
        (facts.links < 2 || facts.kind == FileKind::Dir)
            && (!self.subvolumes || facts.identity.device == base.facts.identity.device)
            && self
                .objects
                .iter()
                .all(|(identity, zone)| *identity != facts.identity || told(*zone))
    }
}

impl Way {
    /// `None` when it leads elsewhere.
    fn from<'a>(
        base: &Root,
        index: usize,
        theirs: impl Iterator<Item = &'a [u8]>,
        identity: Option<Identity>,
    ) -> Option<Self> {
        let mut through_base = identity == Some(base.facts.identity);
        let mut theirs = theirs.fuse();
        for ours in names(base.name.as_bytes()) {
            match theirs.next() {
                Some(theirs) if !may_fold_alike(ours, theirs) => return None,
                theirs => through_base &= theirs == Some(ours),
            }
        }
        let names: Vec<Vec<u8>> = theirs.map(<[u8]>::to_vec).collect();
        let text = names.join(&b'/');
        Some(Self {
            index,
            ascii: text.is_ascii(),
            text,
            names,
            through_base,
        })
    }

    /// The text leads elsewhere from some letter on, as nearly every text does: whole stretches are compared. Where both
    /// are ASCII up to a letter in which they differ, folded they differ there as well, whatever comes behind it.
    fn parts_from(&self, below: &[u8]) -> bool {
        let same = common(below, &self.text);
        let next = below.get(same).zip(self.text.get(same));
        let differ = |(ours, theirs): (&u8, &u8)| ours.is_ascii() && !ours.eq_ignore_ascii_case(theirs);
        self.ascii && next.is_some_and(differ)
    }

    /// The text surely leads elsewhere, or at most to something that holds what the way leads to, where that does not count.
    #[inline(never)]
    fn is_no_matter(&self, below: &[u8], holding_counts: bool) -> bool {
        match self.meets(below) {
            None => true,
            Some((Relation::Contains, _)) => !holding_counts,
            Some((Relation::Within, _)) => false,
        }
    }

    /// The text may lead into what the way leads to.
    #[inline(never)]
    fn is_met_by(&self, below: &[u8]) -> bool {
        matches!(self.meets(below), Some((Relation::Within, _)))
    }

    /// How the text may stand to what the way leads to, and whether that is sure.
    fn meets(&self, below: &[u8]) -> Option<(Relation, bool)> {
        let mut ours = names(below);
        let mut exact = self.through_base;
        for name in &self.names {
            match ours.next() {
                None => return Some((Relation::Contains, exact)),
                Some(ours) if ours == name => {}
                Some(ours) if may_fold_alike(ours, name) => exact = false,
                Some(_) => return None,
            }
        }
        Some((Relation::Within, exact))
    }
}

/// How many bytes both begin with.
fn common(a: &[u8], b: &[u8]) -> usize {
    let mut same = 0;
    for (ours, theirs) in a.as_chunks().0.iter().zip(b.as_chunks().0) {
        let differ = u128::from_le_bytes(*ours) ^ u128::from_le_bytes(*theirs);
        if differ != 0 {
            return same + (differ.trailing_zeros() / 8) as usize;
        }
        same += size_of::<u128>();
    }
    let rest = a.iter().zip(b).skip(same);
    same + rest.take_while(|(a, b)| a == b).count()
}

pub(super) fn names(place: &[u8]) -> impl Iterator<Item = &[u8]> {
    place.split(|byte| *byte == b'/').filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zones::fold;

    fn texts(letters: &[&str]) -> Vec<String> {
        let mut texts = vec![String::new()];
        for length in 1..=3 {
            let shorter: Vec<String> = texts
                .iter()
                .filter(|text| text.chars().count() == length - 1)
                .cloned()
                .collect();
            texts.extend(
                shorter
                    .iter()
                    .flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}"))),
            );
        }
        texts
    }

    #[test]
    fn what_parts_from_a_way_never_folds_to_it() {
        let mut parted = 0;
        for theirs in texts(&["k", "K", "a", "/"]) {
            let way = Way {
                index: 0,
                names: names(theirs.as_bytes()).map(<[u8]>::to_vec).collect(),
                text: names(theirs.as_bytes()).collect::<Vec<_>>().join(&b'/'),
                ascii: true,
                through_base: true,
            };
            // A Kelvin sign is a k, an accent makes another letter, and what has no width is not there.
            for ours in texts(&["k", "K", "a", "\u{212a}", "\u{301}", "\u{200b}", "/"]) {
                if ours.contains("//") || ours.starts_with('/') || !way.parts_from(ours.as_bytes()) {
                    continue;
                }
                parted += 1;
                let mut both = names(ours.as_bytes()).zip(&way.names);
                assert!(
                    both.any(|(ours, theirs)| fold(ours) != fold(theirs)),
                    "{ours:?} {theirs:?}"
                );
            }
        }
        assert!(parted > 1000, "{parted}");
    }

    #[test]
    fn what_both_begin_with_is_counted_to_the_byte() {
        for length in 0..70 {
            let whole = vec![b'a'; length];
            for same in 0..length {
                let mut other = whole.clone();
                other[same] = b'b';
                assert_eq!(common(&whole, &other), same, "{length}");
                assert_eq!(common(&whole, &whole[..same]), same, "{length}");
            }
            assert_eq!(common(&whole, &whole), length);
        }
    }
}
