//! One way to a zone, and how a target stands to it.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use super::fold::fold;
use crate::resolver::Step;
use crate::{Facts, FileKind, Identity, Relation};

/// The canonical chain of a zone when it was opened. A zone given through a link has two: the link and where it leads.
#[derive(Debug)]
pub(crate) struct Form {
    steps: Vec<FormStep>,
    /// The identities of the steps that have one, each with its number, side by side: every question looks at all.
    there: Vec<(usize, Identity)>,
    /// None of them is there twice.
    distinct: bool,
    /// The objects on the way that existed, from `/` down.
    held: Vec<Arc<OwnedFd>>,
    /// What the last object on the way is.
    kind: FileKind,
    /// The devices that lead to the zone, each with the mount that it is seen through.
    mounts: Vec<(u64, u64)>,
}

#[derive(Debug)]
pub(super) struct FormStep {
    name: Arc<[u8]>,
    folded: Vec<u8>,
    identity: Option<Identity>,
}

impl Form {
    /// The facts are those of the objects that exist on the way, from `/` down.
    pub(crate) fn new(steps: Vec<Step>, held: Vec<Arc<OwnedFd>>, facts: &[Facts]) -> Self {
        let step = |step: Step| FormStep {
            folded: fold(&step.name),
            name: step.name,
            identity: step.identity,
        };
        // Where the zone is not on the first mount, that one is only what all ways begin with: what it has under others is
        // not what the way leads to.
        let first = facts.first().map(|facts| facts.mount);
        let later = facts.iter().filter(|facts| Some(facts.mount) != first);
        let mut mounts: Vec<_> = later
            .chain(facts.last())
            .map(|facts| (facts.identity.device, facts.mount))
            .collect();
        mounts.dedup();
        let there = steps.iter().enumerate();
        let there = there.filter_map(|(deep, step)| Some((deep, step.identity?)));
        let there: Vec<(usize, Identity)> = there.collect();
        let twice =
            |at: usize, identity: &Identity| there.iter().skip(at + 1).any(|(_, other)| other == identity);
        let distinct = !there
            .iter()
            .enumerate()
            .any(|(at, (_, identity))| twice(at, identity));
        Self {
            there,
            distinct,
            steps: steps.into_iter().map(step).collect(),
            held,
            kind: facts.last().map_or(FileKind::Dir, |facts| facts.kind),
            mounts,
        }
    }

    pub(super) fn steps(&self) -> &[FormStep] {
        &self.steps
    }

    pub(super) fn held(&self) -> &[Arc<OwnedFd>] {
        &self.held
    }

    /// The way leads over the same device through another mount: what is below here may be on it by other names.
    pub(crate) fn is_bound(&self, here: &Facts) -> bool {
        let (device, mount) = (here.identity.device, here.mount);
        self.mounts
            .iter()
            .any(|other| other.0 == device && other.1 != mount)
    }

    /// The directories on the way that exist, from `/` down: where one moves, the zone moves.
    pub(crate) fn dirs(&self) -> impl Iterator<Item = (&[u8], Identity)> {
        let existing = self.steps.iter().map_while(|step| Some((step, step.identity?)));
        let count = existing.clone().count() - usize::from(self.kind != FileKind::Dir);
        existing
            .take(count)
            .map(|(step, identity)| (&*step.name, identity))
    }

    /// The identity of what is so many names below `/`.
    pub(crate) fn identity_at(&self, depth: usize) -> Option<Identity> {
        self.steps.get(depth)?.identity
    }

    /// The zone's own identity, if it existed.
    pub(crate) fn identity(&self) -> Option<Identity> {
        self.steps.last().and_then(|step| step.identity)
    }

    /// The names from `/` down.
    pub(crate) fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.steps.iter().skip(1).map(|step| &*step.name)
    }

    /// How the target stands to the zone: by identity of the object and every ancestor, and by name below every
    /// directory that both have, folded where something does not exist (R4).
    pub(crate) fn relate(&self, target: &[Step]) -> Option<Relation> {
        let own = self.identity();
        let mut found = None;
        let mut far = 0;
        while let Some(step) = target.get(far) {
            let here = far;
            far += 1;
            let Some(theirs) = step.identity else {
                continue;
            };
            if own == Some(theirs) {
                return Some(Relation::Within);
            }
            // Nearly every step is of another object: nothing but a number is looked at for that.
            let same = |ours: &Identity| ours.inode == theirs.inode && ours.device == theirs.device;
            for (deep, _) in self.there.iter().filter(|(_, ours)| same(ours)) {
                // As far as both ways are of the same objects, the answer is the same from each of them.
                let along = self.together(*deep, target.get(here..).unwrap_or_default());
                let ours = self.steps.get(deep + along + 1..).unwrap_or_default();
                let theirs = target.get(here + along + 1..).unwrap_or_default();
                if self.distinct {
                    far = far.max(here + along + 1);
                }
                if !ours.iter().zip(theirs).all(|(ours, theirs)| ours.is(theirs)) {
                    continue;
                }
                if theirs.len() >= ours.len() {
                    return Some(Relation::Within);
                }
                found = Some(Relation::Contains);
            }
        }
        found
    }

    /// How many steps behind this one are of the same objects on both ways.
    fn together(&self, deep: usize, target: &[Step]) -> usize {
        let ours = self.steps.get(deep + 1..).unwrap_or_default();
        let theirs = target.get(1..).unwrap_or_default();
        let pairs = ours.iter().zip(theirs);
        pairs
            .take_while(|(ours, theirs)| ours.identity.is_some() && ours.identity == theirs.identity)
            .count()
    }
}

impl FormStep {
    pub(super) fn name(&self) -> &[u8] {
        &self.name
    }

    pub(super) fn folded(&self) -> &[u8] {
        &self.folded
    }

    /// It existed when the zone was opened.
    pub(super) fn was_there(&self) -> bool {
        self.identity.is_some()
    }

    fn is(&self, step: &Step) -> bool {
        if self.name == step.name {
            return true;
        }
        match (self.identity, step.identity) {
            (Some(ours), Some(theirs)) => ours == theirs,
            _ => self.folded == fold(&step.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `name#inode` exists, `name` does not.
    fn steps(text: &str) -> Vec<Step> {
        let step = |part: &str| {
            let (name, inode) = part
                .split_once('#')
                .map_or((part, None), |(name, inode)| (name, Some(inode)));
            Step {
                name: name.as_bytes().into(),
                identity: inode.map(|inode| Identity {
                    device: 1,
                    inode: inode.parse().unwrap(),
                }),
            }
        };
        text.split('/').map(step).collect()
    }

    /// As it is said, without any short cut.
    fn plainly(form: &Form, target: &[Step]) -> Option<Relation> {
        let mut found = None;
        for (far, theirs) in target.iter().enumerate() {
            for (deep, ours) in form.steps.iter().enumerate() {
                if theirs.identity.is_none() || ours.identity != theirs.identity {
                    continue;
                }
                let ours = &form.steps[deep + 1..];
                let theirs = &target[far + 1..];
                match ours.iter().zip(theirs).all(|(ours, theirs)| ours.is(theirs)) {
                    true if theirs.len() >= ours.len() => return Some(Relation::Within),
                    true => found = Some(Relation::Contains),
                    false => {}
                }
            }
        }
        found
    }

    #[test]
    fn every_short_cut_leads_to_the_same_answer() {
        let mut seed = 1_u64;
        let mut next = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        let mut answers = [0; 3];
        for _ in 0..20_000 {
            let mut way = |most: u64| {
                let length = next(most) + 1;
                let step = |_| match next(4) {
                    0 => ["a", "A", "b"][next(3) as usize].to_owned(),
                    _ => format!("{}#{}", ["a", "A", "b"][next(3) as usize], next(5)),
                };
                let names: Vec<String> = (0..length).map(step).collect();
                steps(&format!("#9/{}", names.join("/")))
            };
            let form = Form::new(way(4), Vec::new(), &[facts()]);
            let target = way(5);
            let answer = form.relate(&target);
            assert_eq!(answer, plainly(&form, &target), "{form:?} {target:?}");
            answers[answer.map_or(0, |relation| relation as usize + 1)] += 1;
        }
        assert!(answers.iter().all(|count| *count > 500), "{answers:?}");
    }

    fn facts() -> Facts {
        crate::target::facts_of(rustix::fs::CWD).unwrap()
    }

    #[test]
    fn identity_every_ancestor_and_folded_names() {
        use Relation::{Contains, Within};
        for (zone, target, expected) in [
            ("#1/w#2/.git#3", "#1/w#2/.git#3", Some(Within)),
            ("#1/w#2/.git#3", "#1/w#2/.git#3/config#4", Some(Within)),
            ("#1/w#2/.git#3", "#1/w#2/.gitignore#4", None),
            ("#1/w#2/.git#3", "#1/w#2", Some(Contains)),
            ("#1/w#2/.git#3", "#1", Some(Contains)),
            // moved or mounted elsewhere: the identity counts
            ("#1/w#2/.git#3", "#1/x#5/y#3/config#4", Some(Within)),
            // another name of the same file
            ("#1/s#2/key#3", "#1/w#4/hl#3", Some(Within)),
            // does not exist yet
            ("#1/w#2/.git", "#1/w#2/.git", Some(Within)),
            ("#1/w#2/.git", "#1/w#2/.GIT/hooks", Some(Within)),
            ("#1/w#2/.git#3", "#1/w#2/.GIT/hooks", Some(Within)),
            // exists and is another directory
            ("#1/w#2/.git#3", "#1/w#2/.GIT#9/hooks", None),
            // appeared after the zone was opened
            ("#1/w#2/.git", "#1/w#2/.git#7/config#8", Some(Within)),
            ("#1/w#2/.git", "#1/w#2/.GIT#7", Some(Within)),
            // replaced after the zone was opened
            ("#1/w#2/.git#3", "#1/w#2/.git#9/config#8", Some(Within)),
            // the parent moved with its identity, the zone does not exist yet
            ("#1/w#2/a#3/.git", "#1/x#5/b#3/.Git", Some(Within)),
            ("#1/w#2/a/b", "#1/w#2/a", Some(Contains)),
        ] {
            assert_eq!(
                Form::new(steps(zone), Vec::new(), &[facts()]).relate(&steps(target)),
                expected,
                "{zone} {target}"
            );
        }
    }
}
