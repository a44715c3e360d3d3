use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::policy::Preset;

/// Names that ask for one reason, as `data/catalogue.toml` and `[[catalogue.add]]` in a policy write them.
///
/// ```
/// use portcullis_classify::NameGroup;
///
/// let group: NameGroup = toml::from_str(r#"
/// id = "clients"
/// why = "clients' papers are nobody's business"
/// directories = ["clients"]
/// "#)?;
/// assert!(group.matches("/work/Clients/a.txt"));
/// assert!(!group.matches("/work/clients.md"));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct NameGroup {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) why: String,
    #[serde(default)]
    pub(super) asks: Asks,
    #[serde(default)]
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
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    spares: Vec<String>,
}

/// Before what a group asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Asks {
    /// Reading and changing.
    #[default]
    Read,
    /// Changing alone.
    Change,
}

/// What stands for the home of whoever an example is about.
const HOME: &str = "/~";

impl NameGroup {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
    /// One sentence for the person who is asked.
    #[must_use]
    pub fn why(&self) -> &str {
        &self.why
    }
    /// Paths that it says it means.
    #[must_use]
    pub fn examples(&self) -> &[String] {
        &self.matches
    }
    /// Paths that it says it does not mean.
    #[must_use]
    pub fn counterexamples(&self) -> &[String] {
        &self.spares
    }

    /// Whether it means a path, absolute or beginning with `~/`. The path is compared as it stands, without looking at the
    /// disk, and letter case does not count.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        let folded = self.clone().folded();
        let path = match path.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{HOME}{rest}"),
            _ => path.to_owned(),
        };
        folded.names(&path.to_lowercase(), Some(HOME))
    }

    /// Every name in it, with the member that it stands under.
    pub fn entries(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let below = self.below.values().flatten().map(|name| ("below", name.as_str()));
        let listed = self
            .lists()
            .into_iter()
            .flat_map(|(member, names)| names.iter().map(move |name| (member, name.as_str())));
        listed.chain(below)
    }

    /// The same, with each relative one of its `places` below a directory.
    #[must_use]
    pub fn rooted(mut self, root: &str) -> Self {
        for place in &mut self.places {
            if !place.starts_with(['/', '~']) && !place.is_empty() {
                *place = format!("{}/{place}", root.trim_end_matches('/'));
            }
        }
        self
    }

    /// The same in lower case: names are compared so.
    pub(crate) fn folded(mut self) -> Self {
        for list in self.lists_mut() {
            for name in list.iter_mut() {
                *name = name.to_lowercase();
            }
        }
        let below = std::mem::take(&mut self.below).into_iter();
        self.below = below
            .map(|(above, names)| {
                let names = names.into_iter().map(|name| name.to_lowercase());
                (above.to_lowercase(), names.collect())
            })
            .collect();
        self
    }

    /// What is wrong with a group that is added, in one sentence that goes on behind its id.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        if self.why.trim().is_empty() {
            return Some("does not say why in `why`");
        }
        let says = self
            .entries()
            .any(|(member, _)| !matches!(member, "with" | "spared"));
        if !says {
            return Some("names nothing");
        }
        if self.entries().any(|(_, name)| name.is_empty()) || self.below.keys().any(String::is_empty) {
            return Some("has an empty name, which would mean everything");
        }
        if self.stems.is_empty() != self.with.is_empty() {
            return Some("has `stems` without `with`, or the reverse");
        }
        let is_whole = |place: &String| place.starts_with('/') && place.len() > 1;
        if !self.places.iter().all(is_whole) {
            return Some("has a place that is not absolute");
        }
        if self.home.iter().any(|place| place.starts_with(['/', '~'])) {
            return Some("has a place under `home` that does not begin with a name below the home");
        }
        let is_path =
            |(member, name): (&str, &str)| !matches!(member, "places" | "home") && name.contains('/');
        if self.entries().any(is_path) {
            return Some("has a name with a `/`, which no name has");
        }
        None
    }

    /// Takes the names of another one out of it. Gives the first that does not stand there, with its member.
    pub(crate) fn take_out(&mut self, other: &Self) -> Result<(), (&'static str, String)> {
        for (member, name) in other.entries() {
            let list = match member {
                "below" => {
                    let above = other
                        .below
                        .iter()
                        .filter(|(_, names)| names.iter().any(|one| one == name));
                    let above: Vec<&String> = above.map(|(above, _)| above).collect();
                    let lists = self.below.iter_mut().filter(|(name, _)| above.contains(name));
                    lists
                        .map(|(_, list)| list)
                        .find(|list| list.iter().any(|one| one == name))
                }
                _ => self.list_mut(member),
            };
            let Some(list) = list.filter(|list| list.iter().any(|one| one == name)) else {
                return Err((member, name.to_owned()));
            };
            list.retain(|one| one != name);
        }
        Ok(())
    }

    fn lists(&self) -> [(&'static str, &Vec<String>); 9] {
        [
            ("files", &self.files),
            ("starts", &self.starts),
            ("ends", &self.ends),
            ("stems", &self.stems),
            ("with", &self.with),
            ("spared", &self.spared),
            ("directories", &self.directories),
            ("places", &self.places),
            ("home", &self.home),
        ]
    }

    fn lists_mut(&mut self) -> [&mut Vec<String>; 9] {
        [
            &mut self.files,
            &mut self.starts,
            &mut self.ends,
            &mut self.stems,
            &mut self.with,
            &mut self.spared,
            &mut self.directories,
            &mut self.places,
            &mut self.home,
        ]
    }

    fn list_mut(&mut self, member: &str) -> Option<&mut Vec<String>> {
        let at = self.lists().iter().position(|(name, _)| *name == member)?;
        self.lists_mut().into_iter().nth(at)
    }

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
