//! What asks because of its name: private to read, or sensitive to change.

mod group;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::policy::Preset;
use crate::{Cause, EffectKind, Layer, Risk};
use group::{Asks, Group};

static TEXT: &str = include_str!("../../data/catalogue.toml");

/// Read when the first target is judged.
static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::read(TEXT));

/// The catalogue of names.
#[derive(Debug)]
pub(crate) struct Catalogue {
    groups: Vec<Group>,
    /// The data cannot be read, which a test rules out: every name asks then.
    broken: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    group: Vec<Group>,
}

impl Catalogue {
    pub(crate) fn built_in() -> &'static Self {
        &BUILT_IN
    }

    fn read(text: &str) -> Self {
        match toml::from_str::<Document>(text) {
            Ok(document) => Self {
                groups: document.group,
                broken: false,
            },
            Err(_) => Self {
                groups: Vec::new(),
                broken: true,
            },
        }
    }

    /// The ids of all groups, for what may be turned off.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().map(|group| group.id.as_str())
    }

    /// The text that decides, for the policy's version.
    pub(crate) fn text() -> &'static str {
        TEXT
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
            return vec![cause(
                "catalogue.broken",
                "the catalogue of private names cannot be read",
            )];
        }
        let mut causes: Vec<Cause> = Vec::new();
        let home = about.home.map(|home| home.to_string_lossy().to_lowercase());
        let home = home.as_deref().map(|home| home.trim_end_matches('/'));
        for place in places {
            let text = String::from_utf8_lossy(place).to_lowercase();
            let groups = self.groups.iter().filter(|group| {
                (changes || group.asks == Asks::Read)
                    && about.preset >= group.preset
                    && !about.off.contains(&group.id)
            });
            for group in groups {
                if group.names(&text, home) && causes.iter().all(|known| known.rule != group.id) {
                    causes.push(cause(&group.id, &group.why));
                }
            }
        }
        causes
    }
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

fn cause(id: &str, why: &str) -> Cause {
    Cause::new(id, Layer::BuiltIn, Risk::Confirm, why)
}

#[cfg(test)]
mod tests;
