//! Profiles: frozen lists of families, by id and content, that a claim such as "conforms to core-1" is about.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::fixture::{Level, Source};
use crate::lint::Fault;
use crate::os::disk;
use crate::report::{Column, Report, Standing};
use crate::{Error, ErrorKind};

/// One profile.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The file.
    pub file: PathBuf,
    text: String,
    written: Written,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    /// Such as `core-1`; equal to the file's name.
    name: String,
    /// What the claim means, in one sentence.
    about: String,
    /// Whether claims are made by it. From then on the list never changes.
    released: bool,
    /// A family of level must belongs to it when it needs nothing else.
    needs: BTreeSet<String>,
    /// Id to hash.
    families: BTreeMap<String, String>,
    /// Families that are new since the release: run, shown, and not counted.
    not_scored: BTreeMap<String, String>,
}

/// Where the generated part begins.
const GENERATED: &str = "\n[families]\n";

impl Profile {
    /// Reads every profile of a folder; none when there is no folder.
    ///
    /// # Errors
    /// A file that is no profile.
    pub fn read_folder(folder: &Path) -> Result<Vec<Self>, Error> {
        if !disk::is_there(folder) {
            return Ok(Vec::new());
        }
        let files = disk::files_below(folder)?.into_iter();
        let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
        files.map(|file| Self::read(&file, disk::text(&file)?)).collect()
    }

    /// Reads one.
    ///
    /// # Errors
    /// It is no profile, or has another name than its file.
    pub fn read(file: &Path, text: String) -> Result<Self, Error> {
        let written: Written = toml::from_str(&text)
            .map_err(|error| Error::fixture(error.to_string().trim_end()).within(file))?;
        if file.file_stem().is_none_or(|stem| stem != written.name.as_str()) {
            return Err(Error::fixture(format!("its name is `{}`", written.name)).within(file));
        }
        Ok(Self {
            file: file.to_path_buf(),
            text,
            written,
        })
    }

    /// The profile of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn named<'a>(profiles: &'a [Self], name: &str) -> Result<&'a Self, Error> {
        let found = profiles.iter().find(|profile| profile.name() == name);
        found.ok_or_else(|| Error::new(ErrorKind::Usage, format!("`{name}` is no profile")))
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.written.name
    }

    /// What a claim by it means.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.written.about
    }

    /// Whether claims are made by it.
    #[must_use]
    pub fn is_released(&self) -> bool {
        self.written.released
    }

    /// The families that are run: those that count, and those that are new.
    #[must_use]
    pub fn families(&self) -> Vec<String> {
        let Written {
            families, not_scored, ..
        } = &self.written;
        families.keys().chain(not_scored.keys()).cloned().collect()
    }

    /// The file with the families that belong to it now.
    ///
    /// # Errors
    /// It is released: what claims are about does not change.
    pub fn refreshed(&self, sources: &[Source]) -> Result<String, Error> {
        if self.is_released() {
            let what = format!("{} is released; a change is a new profile", self.name());
            return Err(Error::new(ErrorKind::Usage, what));
        }
        let (head, _) = self.text.split_once(GENERATED).unwrap_or((&self.text, ""));
        let mut text = format!("{head}{GENERATED}");
        for (id, hash) in self.eligible(sources) {
            let _infallible = writeln!(text, "\"{id}\" = \"{hash}\"");
        }
        text.push_str("\n[not_scored]\n");
        Ok(text)
    }

    /// What belongs to it by its needs.
    fn eligible<'a>(&self, sources: &'a [Source]) -> BTreeMap<&'a str, &'a str> {
        let belongs = |source: &&Source| {
            let family = &source.family;
            family.level == Level::Must && family.needs.iter().all(|need| self.written.needs.contains(need))
        };
        let sources = sources.iter().filter(belongs);
        sources
            .map(|source| (source.family.id.as_str(), source.hash.as_str()))
            .collect()
    }

    /// What is not as it pins it.
    #[must_use]
    pub fn faults(&self, sources: &[Source]) -> Vec<Fault> {
        let mut found = Vec::new();
        let mut fault = |what: String| {
            found.push(Fault {
                place: format!("profiles/{}.toml", self.name()),
                lint: "profile",
                what,
            });
        };
        let Written {
            released,
            families,
            not_scored,
            ..
        } = &self.written;
        for (id, hash) in families.iter().chain(not_scored) {
            match sources.iter().find(|source| source.family.id == *id) {
                None => fault(format!("`{id}` has no file")),
                Some(source) if source.hash != *hash => fault(format!("`{id}` is not as it is pinned")),
                Some(_) => {}
            }
        }
        for id in not_scored.keys().filter(|id| families.contains_key(*id)) {
            fault(format!("`{id}` counts and does not count"));
        }
        let eligible = self.eligible(sources);
        for id in eligible.keys() {
            let known = families.contains_key(*id) || not_scored.contains_key(*id);
            if !known {
                let how = if *released {
                    "it enters under `not_scored`"
                } else {
                    "`manifest` adds it"
                };
                fault(format!("`{id}` is new: {how}"));
            }
        }
        if !released {
            for id in families.keys().filter(|id| !eligible.contains_key(id.as_str())) {
                fault(format!("`{id}` does not belong to it: `manifest` takes it out"));
            }
            if !not_scored.is_empty() {
                fault("a draft has no families that do not count".to_owned());
            }
        }
        found
    }

    /// Marks what does not count, and says what may be claimed. Whether the subject conforms.
    pub fn claim(&self, report: &mut Report) -> bool {
        for row in &mut report.rows {
            row.scored = self.written.families.contains_key(&row.family);
        }
        let column = Column::Ran(Box::new(report.clone()));
        let (mut passed, mut whole) = (0, 0);
        for id in self.written.families.keys() {
            let family = column.family(id);
            let is_pass = matches!(family.standing, Standing::Pass | Standing::Stricter);
            passed += usize::from(is_pass);
            whole += usize::from(is_pass && family.lacks.is_empty());
        }
        let all = self.written.families.len();
        let name = if self.is_released() {
            self.name().to_owned()
        } else {
            format!("the draft of {}", self.name())
        };
        let conforms = whole == all && report.farewell.is_none();
        report.header.profile = Some(if conforms {
            format!("conforms to {name}")
        } else if whole == passed {
            format!("does not conform to {name}: {passed} of {all} families passed")
        } else {
            format!(
                "does not conform to {name}: {passed} of {all} families passed, {} of them in part",
                passed - whole
            )
        });
        conforms
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Profile;
    use crate::fixture::{Source, read_family};

    const HEAD: &str = "name = \"core-9\"\nabout = \"x\"\nreleased = false\nneeds = [\"tool.write\", \"allow.write\", \
                        \"policy.under\", \"fs.symlink\", \"audit\"]\n";

    fn source(id: &str) -> Source {
        let text = crate::scaffold::family(id).unwrap();
        Source {
            file: format!("cases/{id}.toml").into(),
            hash: crate::hash::hex(text.as_bytes()),
            family: read_family(&text).unwrap(),
            text,
        }
    }

    fn read(text: &str) -> Profile {
        Profile::read(Path::new("profiles/core-9.toml"), text.to_owned()).unwrap()
    }

    fn faults(profile: &Profile, sources: &[Source]) -> Vec<String> {
        let faults = profile.faults(sources).into_iter();
        faults.map(|fault| fault.what).collect()
    }

    fn draft(sources: &[Source]) -> String {
        read(&format!("{HEAD}\n[families]\n\n[not_scored]\n"))
            .refreshed(sources)
            .unwrap()
    }

    #[test]
    fn a_draft_follows_the_families() {
        let (a, b) = (source("paths/a"), source("paths/b"));
        let text = draft(std::slice::from_ref(&a));
        let profile = read(&text);
        assert_eq!(profile.families(), ["paths/a"]);
        assert!(faults(&profile, std::slice::from_ref(&a)).is_empty());
        assert_eq!(profile.refreshed(std::slice::from_ref(&a)).unwrap(), text);
        assert_eq!(
            faults(&profile, &[a.clone(), b.clone()]),
            ["`paths/b` is new: `manifest` adds it"]
        );
        assert_eq!(read(&draft(&[a, b])).families(), ["paths/a", "paths/b"]);
    }

    #[test]
    fn a_released_profile_never_changes() {
        let (a, b) = (source("paths/a"), source("paths/b"));
        let text = draft(std::slice::from_ref(&a)).replace("released = false", "released = true");
        let profile = read(&text);
        assert!(profile.refreshed(std::slice::from_ref(&a)).is_err());
        assert!(faults(&profile, std::slice::from_ref(&a)).is_empty());
        // A new family is entered and does not count; a changed one and a missing one are red.
        let both = [a.clone(), b.clone()];
        assert_eq!(
            faults(&profile, &both),
            ["`paths/b` is new: it enters under `not_scored`"]
        );
        let entered = read(&format!("{text}\"paths/b\" = \"{}\"\n", b.hash));
        assert!(faults(&entered, &both).is_empty());
        let mut changed = a;
        changed.hash = b.hash;
        assert_eq!(faults(&profile, &[changed]), ["`paths/a` is not as it is pinned"]);
        assert_eq!(faults(&profile, &[]), ["`paths/a` has no file"]);
    }

    #[test]
    fn a_profile_has_the_name_of_its_file_and_no_other_keys() {
        let text = draft(&[]);
        for (from, to) in [
            ("core-9", "core-8"),
            ("about", "abaut"),
            ("released = false\n", ""),
        ] {
            assert!(Profile::read(Path::new("core-9.toml"), text.replacen(from, to, 1)).is_err());
        }
    }
}
