use std::collections::BTreeMap;

use serde::Deserialize;

use crate::policy::Preset;

/// Names that ask for one reason.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) id: String,
    pub(super) why: String,
    pub(super) asks: Asks,
    pub(super) preset: Preset,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    starts: Vec<String>,
    #[serde(default)]
    ends: Vec<String>,
    #[serde(default)]
    stems: Vec<String>,
    #[serde(default)]
    with: Vec<String>,
    #[serde(default)]
    spared: Vec<String>,
    #[serde(default)]
    directories: Vec<String>,
    #[serde(default)]
    below: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    places: Vec<String>,
    #[serde(default)]
    home: Vec<String>,
}

/// Before what a group asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Asks {
    /// Reading and changing.
    Read,
    /// Changing alone.
    Change,
}

impl Group {
    /// Whether a canonical place has a name of this group. Both texts are folded to lower case, and the home ends in no
    /// slash.
    pub(super) fn names(&self, place: &str, home: Option<&str>) -> bool {
        self.names_a_place(place, home) || self.names_a_file(place) || self.names_a_directory(place)
    }

    fn names_a_file(&self, place: &str) -> bool {
        let name = place.rsplit('/').next().unwrap_or(place);
        if self.spared.iter().any(|spared| spared == name) {
            return false;
        }
        self.files.iter().any(|file| file == name)
            || self.starts.iter().any(|start| name.starts_with(start.as_str()))
            || self.ends.iter().any(|end| name.ends_with(end.as_str()))
            || self.stems.iter().any(|stem| {
                let rest = name.strip_prefix(stem.as_str());
                rest.is_some_and(|rest| {
                    self.with
                        .iter()
                        .any(|with| rest.ends_with(with.as_str()) && self.fits(rest, with))
                })
            })
    }

    /// What stands between a stem and its end: nothing, or more words of the same name.
    fn fits(&self, rest: &str, with: &str) -> bool {
        let between = rest.strip_suffix(with).unwrap_or(rest);
        between.is_empty() || between.starts_with(['-', '_', '.'])
    }

    fn names_a_directory(&self, place: &str) -> bool {
        let mut above = "";
        for component in place.split('/') {
            if self.directories.iter().any(|directory| directory == component) {
                return true;
            }
            let below = self.below.get(above);
            if below.is_some_and(|names| names.iter().any(|name| name == component)) {
                return true;
            }
            above = component;
        }
        false
    }

    fn names_a_place(&self, place: &str, home: Option<&str>) -> bool {
        let below = home.and_then(|home| place.strip_prefix(home)?.strip_prefix('/'));
        self.places.iter().any(|named| is_in(place, named))
            || below.is_some_and(|below| self.home.iter().any(|named| is_in(below, named)))
    }
}

/// It is this place or below it.
fn is_in(place: &str, named: &str) -> bool {
    let rest = place.strip_prefix(named);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
