//! Inventories: lists of known situations, each with the variants that try it, so that none is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Error;
use crate::fixture::{OneOrMany, Source, Variant};
use crate::lint::Fault;
use crate::os::disk;

/// One list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Inventory {
    /// The file.
    pub file: PathBuf,
    written: Written,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Written {
    /// What the list is of, in one sentence.
    about: String,
    /// How many situations there are, so that a line that is lost is seen.
    count: usize,
    /// What a key is.
    keys: Keys,
    /// A situation, and the variants that try it.
    tried: BTreeMap<String, OneOrMany<String>>,
    /// A situation that no variant tries, and why.
    left_out: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Keys {
    /// A name that was given to it.
    Name,
    /// A command, word for word: a variant that tries it has this very command.
    Command,
}

impl Inventory {
    /// Reads every list of a folder; none when there is no folder.
    ///
    /// # Errors
    /// A file that is no list.
    pub fn read_folder(folder: &Path) -> Result<Vec<Self>, Error> {
        if !disk::is_there(folder) {
            return Ok(Vec::new());
        }
        let files = disk::files_below(folder)?.into_iter();
        let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "toml"));
        files.map(|file| Self::read(&file, &disk::text(&file)?)).collect()
    }

    /// Reads one.
    ///
    /// # Errors
    /// It is no list.
    pub fn read(file: &Path, text: &str) -> Result<Self, Error> {
        let written = toml::from_str(text)
            .map_err(|error| Error::fixture(error.to_string().trim_end()).within(file))?;
        Ok(Self {
            file: file.to_path_buf(),
            written,
        })
    }

    /// What is not as it says: a situation that is tried by nothing, or not by what it names.
    #[must_use]
    pub fn faults(&self, sources: &[Source]) -> Vec<Fault> {
        let mut found = Vec::new();
        let mut fault = |what: String| {
            found.push(Fault {
                place: self.file.display().to_string(),
                lint: "inventory",
                what,
            });
        };
        let Written {
            about,
            count,
            keys,
            tried,
            left_out,
        } = &self.written;
        if about.trim().is_empty() {
            fault("it does not say what it is about".to_owned());
        }
        let there = tried.len() + left_out.len();
        if there != *count {
            fault(format!("{count} situations are pinned, {there} stand in it"));
        }
        for (key, why) in left_out {
            if why.trim().is_empty() || tried.contains_key(key) {
                fault(format!(
                    "`{key}` is left out without a reason, or tried all the same"
                ));
            }
        }
        let variants = by_name(sources);
        for (key, names) in tried {
            let mut once = BTreeSet::new();
            for name in names.all() {
                match variants.get(name) {
                    None => fault(format!("`{key}`: there is no variant `{name}`")),
                    Some(variant) if *keys == Keys::Command && !has_command(variant, key) => {
                        fault(format!("`{key}`: `{name}` has another command"));
                    }
                    Some(_) if !once.insert(name) => fault(format!("`{key}`: `{name}` stands twice")),
                    Some(_) => {}
                }
            }
        }
        found
    }
}

/// Every variant, as `AREA/SLUG#NAME`.
fn by_name(sources: &[Source]) -> BTreeMap<String, &Variant> {
    let families = sources.iter().map(|source| &source.family);
    families
        .flat_map(|family| {
            let name = |variant: &Variant| format!("{}#{}", family.id, variant.name);
            family
                .variants
                .iter()
                .map(move |variant| (name(variant), variant))
        })
        .collect()
}

fn has_command(variant: &Variant, command: &str) -> bool {
    let mut calls = variant.steps.iter().flat_map(|step| step.calls());
    calls.any(|call| call.args.get("command").and_then(toml::Value::as_str) == Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::read_family;

    const LIST: &str = r#"
about = "lists"
count = 3
keys = "command"

[tried]
"ls -la" = "commands/x#list"
'echo "$(id)"' = ["commands/x#inside", "commands/x#list-of-it"]

[left-out]
"dir" = "of another system"
"#;

    const FAMILY: &str = r#"
format = 1
id = "commands/x"
title = "commands"
rules = []
level = "must"
since = "0.1.0"
needs = []
bug = "escape"
refs = []
policy = { otherwise = "ask" }
variant = [
    { name = "list", judge = { tool = "run", command = "ls -la" }, expect = { decision = "allow", reason = "policy" } },
    { name = "inside", judge = { tool = "run", command = 'echo "$(id)"' }, expect = { decision = "ask", reason = "policy" } },
    { name = "list-of-it", step = [{ judge = { tool = "run", command = 'echo "$(id)"' }, expect = { decision = "ask", reason = "policy" } }] },
]
"#;

    fn faults(list: &str) -> Vec<String> {
        let source = Source {
            file: PathBuf::from("cases/commands/x.toml"),
            text: FAMILY.to_owned(),
            hash: String::new(),
            family: read_family(FAMILY).unwrap(),
        };
        let list = Inventory::read(Path::new("inventories/x.toml"), list).unwrap();
        let faults = list.faults(&[source]);
        faults.into_iter().map(|fault| fault.what).collect()
    }

    #[test]
    fn a_list_whose_variants_are_there_has_no_fault() {
        assert_eq!(faults(LIST), [""; 0]);
    }

    #[test]
    fn what_is_lost_or_tried_by_something_else_is_seen() {
        for (from, to, what) in [
            ("\"ls -la\" = \"commands/x#list\"\n", "", "2 stand in it"),
            ("count = 3", "count = 4", "4 situations are pinned"),
            ("\"commands/x#list\"", "\"commands/x#gone\"", "no variant"),
            ("\"commands/x#list\"", "\"commands/x\"", "no variant"),
            ("\"ls -la\"", "\"ls -l\"", "has another command"),
            ("#list-of-it", "#inside", "stands twice"),
            ("of another system", " ", "without a reason"),
            ("\"dir\" =", "\"ls -la\" =", "tried all the same"),
            ("\"lists\"", "\"\"", "about"),
        ] {
            assert!(LIST.contains(from), "{from}");
            let found = faults(&LIST.replacen(from, to, 1));
            assert!(found.iter().any(|found| found.contains(what)), "{to}: {found:?}");
        }
    }

    #[test]
    fn a_situation_with_nothing_behind_it_does_not_parse() {
        for (from, to) in [
            ("\"commands/x#list\"", "[]"),
            ("[left-out]", "[left-in]"),
            ("keys = \"command\"", "keys = \"word\""),
        ] {
            let list = LIST.replacen(from, to, 1);
            assert!(Inventory::read(Path::new("x.toml"), &list).is_err(), "{to}");
        }
    }
}
