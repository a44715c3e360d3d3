//! A folder of `conformance/subjects/`: somebody's gate, and how the suite's protocol reaches it.

use std::path::{Path, PathBuf};

use super::flat::{self, Value};
use crate::tree;

/// Where the folders stand.
const SUBJECTS: &str = "conformance/subjects";
/// What describes one.
const DESCRIPTION: &str = "subject.toml";

/// A subject as its folder describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// The folder's name.
    pub(super) name: String,
    /// The folder.
    pub(super) here: PathBuf,
    /// One line: what it is.
    pub(super) about: String,
    /// The version of what is tested.
    pub(super) version: String,
    /// One line: which policy it is tested with.
    pub(super) policy: String,
    /// Words with places in braces.
    pub(super) command: Vec<String>,
    /// Whether packages have to be fetched for it.
    pub(super) fetch: bool,
    /// The folder, beside its own, that pins these packages, for subjects that share them.
    pub(super) packages: String,
    /// Programs that have to be on the path.
    pub(super) needs: Vec<String>,
    /// What the suite's `run` is told for it, where nobody says otherwise: options, each with its value behind it.
    pub(super) options: Vec<String>,
}

impl Subject {
    /// The subject of this name; otherwise an error that names those there are.
    pub(super) fn named(root: &Path, name: &str) -> Result<Self, String> {
        let known = names(root)?;
        if !known.iter().any(|there| there == name) {
            return Err(format!(
                "`{name}` is no subject; the subjects are {}",
                known.join(", ")
            ));
        }
        let here = root.join(SUBJECTS).join(name);
        let text = tree::text(&here.join(DESCRIPTION))?;
        Self::read(name, here, &text).map_err(|what| format!("{SUBJECTS}/{name}/{DESCRIPTION}: {what}"))
    }

    fn read(name: &str, here: PathBuf, text: &str) -> Result<Self, String> {
        let mut subject = Self {
            name: name.to_owned(),
            here,
            about: String::new(),
            version: String::new(),
            policy: String::new(),
            command: Vec::new(),
            fetch: false,
            packages: name.to_owned(),
            needs: Vec::new(),
            options: Vec::new(),
        };
        for (key, value, line) in flat::read(text)? {
            match (key.as_str(), value) {
                ("about", Value::Text(text)) => subject.about = text,
                ("version", Value::Text(text)) => subject.version = text,
                ("policy", Value::Text(text)) => subject.policy = text,
                ("command", Value::List(words)) => subject.command = words,
                ("fetch", Value::Text(text)) if text == "npm" => subject.fetch = true,
                ("fetch", _) => {
                    return Err(format!("line {line}: `fetch` is \"npm\", or is left out"));
                }
                ("packages", Value::Text(text)) => subject.packages = text,
                ("needs", Value::List(words)) => subject.needs = words,
                ("options", Value::List(words)) => subject.options = words,
                ("about" | "version" | "policy" | "packages", Value::List(_)) => {
                    return Err(format!("line {line}: `{key}` is a text"));
                }
                ("command" | "needs" | "options", Value::Text(_)) => {
                    return Err(format!("line {line}: `{key}` is a list of texts"));
                }
                _ => {
                    return Err(format!(
                        "line {line}: `{key}` is unknown; known are about, version, policy, command, fetch, packages, needs and options"
                    ));
                }
            }
        }
        for (key, empty) in [
            ("about", subject.about.is_empty()),
            ("version", subject.version.is_empty()),
            ("policy", subject.policy.is_empty()),
            ("command", subject.command.is_empty()),
            ("packages", subject.packages.is_empty()),
        ] {
            if empty {
                return Err(format!("`{key}` is missing, or empty"));
            }
        }
        if subject.options.first().is_some_and(|word| !is_option(word)) {
            return Err("`options` begins with a value".to_owned());
        }
        Ok(subject)
    }

    /// Its options for the suite's `run`, but for those that are told.
    pub(super) fn options(&self, is_told: impl Fn(&str) -> bool) -> impl Iterator<Item = &String> {
        let each = self.options.chunk_by(|_, next| !is_option(next));
        each.filter(move |words| !words.first().is_some_and(|option| is_told(option)))
            .flatten()
    }

    /// The folder that pins its packages.
    pub(super) fn pins(&self) -> PathBuf {
        self.here.with_file_name(&self.packages)
    }
}

fn is_option(word: &str) -> bool {
    word.starts_with("--")
}

/// The names of all subjects, sorted. A folder without a description is no subject: it may be shared by several.
pub(super) fn names(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join(SUBJECTS);
    let mut names = tree::names(&folder)?;
    names.retain(|name| tree::stands(&folder.join(name).join(DESCRIPTION)));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Subject, names};
    use crate::job::Context;

    const WHOLE: &str = "about = \"a gate\"\nversion = \"1.2.3\"\npolicy = \"its own\"\ncommand = [\"{node}\", \"{here}/a.mjs\"]\nfetch = \"npm\"\nneeds = [\"rg\"]\n";

    fn read(text: &str) -> Result<Subject, String> {
        Subject::read("x", PathBuf::from("/x"), text)
    }

    #[test]
    fn reads_a_whole_description() {
        let subject = read(WHOLE).unwrap();
        assert_eq!(subject.version, "1.2.3");
        assert_eq!(subject.command, ["{node}", "{here}/a.mjs"]);
        assert!(subject.fetch);
        assert_eq!(subject.needs, ["rg"]);
        assert_eq!(subject.options(|_| false).count(), 0);
        assert_eq!(subject.pins(), PathBuf::from("/x"));
        let shared = read(&format!("{WHOLE}packages = \"other\"\n")).unwrap();
        assert_eq!(shared.pins(), PathBuf::from("/other"));
    }

    #[test]
    fn what_is_told_comes_before_what_it_says() {
        let text =
            format!("{WHOLE}options = [\"--jobs\", \"2\", \"--long-lived\", \"--deadline-ms\", \"9\"]\n");
        let subject = read(&text).unwrap();
        let left: Vec<&String> = subject.options(|option| option == "--jobs").collect();
        assert_eq!(left, ["--long-lived", "--deadline-ms", "9"]);
        let left: Vec<&String> = subject.options(|option| option == "--long-lived").collect();
        assert_eq!(left, ["--jobs", "2", "--deadline-ms", "9"]);
        let said = read(&format!("{WHOLE}options = [\"2\"]\n")).unwrap_err();
        assert!(said.contains("begins with a value"), "{said}");
    }

    #[test]
    fn nothing_is_guessed() {
        for (text, wanted) in [
            (WHOLE.replace("about", "abuot"), "line 1: `abuot` is unknown"),
            (WHOLE.replace("npm", "pip"), "line 5: `fetch` is \"npm\""),
            (
                WHOLE.replace("[\"rg\"]", "\"rg\""),
                "line 6: `needs` is a list of texts",
            ),
            (
                WHOLE.replace("\"1.2.3\"", "[\"1\"]"),
                "line 2: `version` is a text",
            ),
            (WHOLE.replace("1.2.3", ""), "`version` is missing, or empty"),
            (
                WHOLE.replace("policy = \"its own\"\n", ""),
                "`policy` is missing, or empty",
            ),
        ] {
            let said = read(&text).unwrap_err();
            assert!(said.starts_with(wanted), "{said}");
        }
    }

    #[test]
    fn every_folder_of_the_tree_is_described_well() {
        let root = Context::find().unwrap().root;
        let names = names(&root).unwrap();
        assert!(names.iter().any(|name| name == "portcullis"), "{names:?}");
        for name in &names {
            Subject::named(&root, name).unwrap();
        }
        let said = Subject::named(&root, "nobody").unwrap_err();
        assert!(said.contains("portcullis"), "{said}");
    }
}
