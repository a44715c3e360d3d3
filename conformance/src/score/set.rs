//! Sets of lines as they are written: a TOML file each, read strictly.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

use crate::fixture::{CallDecl, PolicyDecl, Tree};
use crate::os::disk;
use crate::wire::Decision;
use crate::{Error, ErrorKind};

/// The file that describes where the lines are judged.
const SCENE: &str = "scene.toml";

/// Everything in the folder.
pub(crate) struct Sets {
    pub(super) scene: SceneDecl,
    pub(super) sets: Vec<Set>,
}

/// The usual place and policy.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SceneDecl {
    /// The project, relative to the sandbox.
    pub(super) workspace: String,
    /// A text in lines that stands for the project's place, and one for that of the home.
    pub(super) means_workspace: String,
    pub(super) means_home: String,
    pub(super) policy: PolicyDecl,
    pub(super) tree: Tree,
}

/// One file.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) groups: Vec<Group>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    group: Vec<Group>,
}

/// Lines that are about one thing.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Group {
    pub(super) about: String,
    pub(super) accept: Vec<Decision>,
    #[serde(default)]
    pub(super) commands: Vec<String>,
    #[serde(default)]
    pub(super) calls: Vec<CallDecl>,
    /// Public references.
    #[serde(default, rename = "refs")]
    _refs: Vec<String>,
    /// In place of the scene's.
    pub(super) policy: Option<PolicyDecl>,
    /// Put over the scene's.
    #[serde(default)]
    pub(super) tree: Tree,
    /// The working directory, relative to the sandbox, in place of the project.
    pub(super) cwd: Option<String>,
    /// The sub-agent that calls.
    pub(super) agent: Option<String>,
}

impl Group {
    /// Every line as it is shown, and as a call.
    pub(super) fn lines(&self) -> impl Iterator<Item = (String, CallDecl)> {
        let commands = self.commands.iter().map(|command| {
            let mut args = BTreeMap::new();
            args.insert("command".to_owned(), toml::Value::String(command.clone()));
            let call = CallDecl {
                tool: "run".to_owned(),
                cwd: self.cwd.clone(),
                agent: self.agent.clone(),
                message: None,
                raw: None,
                args,
            };
            (command.clone(), call)
        });
        let calls = self.calls.iter().map(|call| {
            let args = call.args.iter().map(|(name, value)| format!(" {name}={value}"));
            let call = CallDecl {
                cwd: call.cwd.clone().or_else(|| self.cwd.clone()),
                agent: call.agent.clone().or_else(|| self.agent.clone()),
                ..call.clone()
            };
            (format!("{}{}", call.tool, args.collect::<String>()), call)
        });
        commands.chain(calls)
    }
}

/// Reads every set, by name.
///
/// # Errors
/// A file that does not parse; a set or a group without lines; a line that stands in a set twice; acceptable verdicts that
/// every verdict or none is among: nothing could be wrong there, or nothing right.
pub(crate) fn read_folder(folder: &Path) -> Result<Sets, Error> {
    let scene = folder.join(SCENE);
    let mut sets = Vec::new();
    for file in disk::files_below(folder)? {
        let is_set = file.extension().is_some_and(|extension| extension == "toml") && file != scene;
        if is_set {
            let name = file
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let set = read_set(name, &disk::text(&file)?).map_err(|error| error.within(&file))?;
            sets.push(set);
        }
    }
    if sets.is_empty() {
        return Err(Error::new(ErrorKind::Nothing, "there are no sets").within(folder));
    }
    let scene = toml::from_str(&disk::text(&scene)?).map_err(|error| not_toml(&error).within(&scene))?;
    Ok(Sets { scene, sets })
}

fn not_toml(error: &toml::de::Error) -> Error {
    Error::fixture(error.to_string().trim_end().to_owned())
}

fn read_set(name: String, text: &str) -> Result<Set, Error> {
    let File { group: groups } = toml::from_str(text).map_err(|error| not_toml(&error))?;
    let mut lines = BTreeSet::new();
    for group in &groups {
        let about = &group.about;
        let accepted: BTreeSet<String> = group.accept.iter().map(Decision::to_string).collect();
        if accepted.len() != group.accept.len() || !(1..3).contains(&accepted.len()) {
            return Err(Error::fixture(format!(
                "`{about}`: `accept` names one or two verdicts"
            )));
        }
        if group.lines().next().is_none() {
            return Err(Error::fixture(format!("`{about}` has no lines")));
        }
        for (line, call) in group.lines() {
            let scene = format!("{:?} {:?} {:?}", group.policy, group.tree, call.cwd);
            if !lines.insert((line.clone(), scene)) {
                return Err(Error::fixture(format!("`{line}` stands there twice")));
            }
        }
    }
    match lines.is_empty() {
        true => Err(Error::fixture("it has no lines")),
        false => Ok(Set { name, groups }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Set, String> {
        read_set("x".to_owned(), text).map_err(|error| error.to_string())
    }

    const GROUP: &str = "[[group]]\nabout = \"looks\"\naccept = [\"allow\"]\ncommands = [\"ls\", \"pwd\"]\n";

    #[test]
    fn a_set_has_lines() {
        let set = read(GROUP).unwrap();
        let lines: Vec<String> = set.groups[0].lines().map(|(line, _)| line).collect();
        assert_eq!(lines, ["ls", "pwd"]);
        let calls = GROUP.replace(
            "commands = [\"ls\", \"pwd\"]",
            "calls = [{ tool = \"read\", path = \"a\" }]",
        );
        let (line, call) = read(&calls).unwrap().groups[0].lines().next().unwrap();
        assert_eq!((line.as_str(), call.tool.as_str()), ("read path=\"a\"", "read"));
    }

    #[test]
    fn nothing_is_scored_that_cannot_be_wrong() {
        for (text, wanted) in [
            (String::new(), "missing field"),
            ("group = []".to_owned(), "no lines"),
            (GROUP.replace("[\"ls\", \"pwd\"]", "[]"), "no lines"),
            (GROUP.replace("\"pwd\"", "\"ls\""), "twice"),
            (GROUP.replace("[\"allow\"]", "[]"), "one or two verdicts"),
            (
                GROUP.replace("[\"allow\"]", "[\"allow\", \"ask\", \"deny\"]"),
                "one or two verdicts",
            ),
            (
                GROUP.replace("[\"allow\"]", "[\"allow\", \"allow\"]"),
                "one or two verdicts",
            ),
            (GROUP.replace("accept", "acept"), "acept"),
            (GROUP.replace("\"allow\"", "\"maybe\""), "maybe"),
        ] {
            let said = read(&text).map(drop).unwrap_err();
            assert!(said.contains(wanted), "{said}");
        }
    }
}
