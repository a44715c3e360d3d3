//! What asks because of its name: private to read, or sensitive to change.

mod group;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::policy::Preset;
use crate::{Cause, EffectKind, Layer, Risk};
use group::Asks;
pub use group::NameGroup;

/// The built-in groups of names, as they are written: `[[group]]` there is what `[[catalogue.add]]` is in a policy.
pub const CATALOGUE: &str = include_str!("../../data/catalogue.toml");

/// Read when the first target is judged.
static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(CATALOGUE));

/// The catalogue of names.
#[derive(Debug, Clone)]
pub(crate) struct Catalogue {
    groups: Vec<NameGroup>,
    /// Groups that layers add, in lower case.
    added: Vec<(Layer, NameGroup)>,
    /// The data cannot be read, which a test rules out: every name asks then.
    broken: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    group: Vec<NameGroup>,
}

impl Catalogue {
    pub(crate) fn built_in() -> &'static Self {
        &BUILT_IN
    }

    fn read(text: &str) -> Self {
        match toml::from_str::<Document>(text) {
            Ok(document) => Self {
                groups: document.group,
                added: Vec::new(),
                broken: false,
            },
            Err(_) => Self {
                groups: Vec::new(),
                added: Vec::new(),
                broken: true,
            },
        }
    }

    /// The ids of all groups, for what may be turned off.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|group| group.id.as_str())
    }

    /// The same with groups of a layer besides.
    pub(crate) fn add(&mut self, layer: Layer, group: NameGroup) {
        self.added.push((layer, group.folded()));
        self.added
            .sort_by(|one, other| (one.0, &one.1.id).cmp(&(other.0, &other.1.id)));
    }

    /// Takes names out of the built-in group of the same id.
    ///
    /// # Errors
    /// There is no such group, or a name does not stand in it: what is wrong, in one sentence that goes on behind the id.
    pub(crate) fn remove(&mut self, names: NameGroup) -> Result<(), String> {
        let names = names.folded();
        let Some(group) = self.groups.iter_mut().find(|group| group.id == names.id) else {
            return Err("is no group of private or sensitive names".to_owned());
        };
        if names.entries().next().is_none() {
            return Err("is to lose names, and none is named".to_owned());
        }
        group.take_out(&names).map_err(|(member, name)| {
            let name = crate::show::operand(&name);
            format!("has no `{name}` under `{member}` that could be removed")
        })
    }

    /// The groups that layers add.
    pub(crate) fn added(&self) -> impl Iterator<Item = (Layer, &NameGroup)> {
        self.added.iter().map(|(layer, group)| (*layer, group))
    }

    /// The built-in groups.
    pub(crate) fn groups(&self) -> &[NameGroup] {
        &self.groups
    }

    /// The text that decides, for the policy's version.
    pub(crate) fn text() -> &'static str {
        CATALOGUE
    }

    /// The causes that a name gives; `places`: where the path really leads, and the links that it crosses.
    pub(crate) fn causes<'a>(
        &self,
        kind: EffectKind,
        places: impl IntoIterator<Item = &'a [u8]>,
        about: &About<'_>,
    ) -> Vec<Cause> {
        let Some(changes) = changes(kind) else {
            return Vec::new();
        };
        if self.broken {
            return vec![Cause::new(
                "catalogue.broken",
                Layer::BuiltIn,
                Risk::Confirm,
                "the catalogue of private names cannot be read",
            )];
        }
        let mut causes: Vec<Cause> = Vec::new();
        let home = about.home.map(|home| home.to_string_lossy().to_lowercase());
        let home = home.as_deref().map(|home| home.trim_end_matches('/'));
        for place in places {
            let text = String::from_utf8_lossy(place).to_lowercase();
            let built_in = self.groups.iter().map(|group| (Layer::BuiltIn, group));
            let groups = built_in.chain(self.added()).filter(|(_, group)| {
                (changes || group.asks == Asks::Read)
                    && about.preset >= group.preset
                    && !about.off.contains(&group.id)
            });
            for (layer, group) in groups {
                if group.names(&text, home) && causes.iter().all(|known| known.rule != group.id) {
                    causes.push(Cause::new(&group.id, layer, Risk::Confirm, &group.why));
                }
            }
        }
        causes
    }
}

/// The built-in groups of names, from which a user can take something out.
pub fn name_groups() -> impl Iterator<Item = &'static NameGroup> {
    BUILT_IN.groups().iter()
}

/// Whether files of this name hold private data, whatever a user has turned off: for showing, not for deciding.
#[must_use]
pub fn is_private(place: &[u8]) -> bool {
    let about = About {
        preset: Preset::Careful,
        home: None,
        off: &BTreeSet::new(),
    };
    let causes = BUILT_IN.causes(EffectKind::Read, [place], &about);
    causes.iter().any(|cause| cause.rule.starts_with("private."))
}

/// What the catalogue has to know besides the place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) preset: Preset,
    pub(crate) home: Option<&'a Path>,
    /// Groups that the user turned off.
    pub(crate) off: &'a BTreeSet<String>,
}

/// Whether such an effect changes what it is about; `None` for what is not about a file's content or name.
fn changes(kind: EffectKind) -> Option<bool> {
    match kind {
        EffectKind::Read | EffectKind::List | EffectKind::Search => Some(false),
        EffectKind::Write | EffectKind::Delete | EffectKind::Move | EffectKind::Link => Some(true),
        EffectKind::Execute | EffectKind::Spawn | EffectKind::Connect | EffectKind::Opaque => None,
    }
}

#[cfg(test)]
mod tests;
