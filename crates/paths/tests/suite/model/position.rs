//! Where a text leads in the tree in memory, and by what way.

use super::world::Id;

/// Names from `/` on, with the objects that have them.
pub(crate) type Steps = Vec<(String, Option<Id>)>;

/// Where a text leads: objects from `/` on with their names, then names that are missing.
#[derive(Clone, Default)]
pub(crate) struct Position {
    pub(super) path: Vec<(String, Id)>,
    pub(super) missing: Vec<String>,
    pub(super) needs_dir: bool,
    pub(super) hops: usize,
    pub(super) via: Option<Steps>,
    /// What the way went through and left again.
    pub(super) crossed: Vec<Crossing>,
}

/// A link that was followed, or a directory that `..` led out of.
#[derive(Clone)]
pub(crate) struct Crossing {
    pub(super) steps: Steps,
    pub(super) is_link: bool,
    /// What was to be read after it.
    pub(super) behind: Vec<String>,
}

impl Crossing {
    /// A link's own place with the names behind it, unless they lead away from there.
    pub(super) fn spelled(&self) -> Option<Steps> {
        let mut steps = self.steps.clone();
        for name in &self.behind {
            match name.as_str() {
                "." => {}
                ".." if steps.len() == self.steps.len() => return None,
                ".." => drop(steps.pop()),
                name => steps.push((name.to_owned(), None)),
            }
        }
        self.is_link.then_some(steps)
    }
}

impl Position {
    pub(super) fn steps(&self) -> Steps {
        let there = self.path.iter().map(|(name, id)| (name.clone(), Some(*id)));
        let missing = self.missing.iter().map(|name| (name.clone(), None));
        [(String::new(), Some(0))]
            .into_iter()
            .chain(there)
            .chain(missing)
            .collect()
    }
}
