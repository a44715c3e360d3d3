//! A neutral policy as our own files say it.
//!
//! Our rules only tighten, and what runs without a question are reading, listing, writing, editing, moving and making
//! directories inside the workspace roots, and commands that do no more. So
//!
//! - `deny` and `ask` are rules with risk `deny` and `confirm`. A rule about a `path` that is a directory also holds
//!   for what is below it: stricter than it was told, never milder;
//! - `allow` is no rule. The directories that `allow` names are the roots, and a tool that may not run freely
//!   everywhere in a root asks there. A `path` of a file that no root holds is a root of that one file, and a tool that
//!   may not run freely there asks;
//! - an `allow` of some commands alone makes every other command ask, and without any `allow` of commands each asks: a rule
//!   about all that begin otherwise;
//! - an `allow` of a command that our tables do not explain, or only as one that runs what is not read, is the user's word
//!   about a program: whatever it is told, it runs the project's code. One that they explain stays what it is;
//! - what it knows of names, programs and levels is said with the words that our files have for it, in `known`;
//! - `otherwise` is the same word here. Under `deny` a tool that may neither run freely in a root nor is asked about
//!   everywhere in it is denied there.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use portcullis::Programs;

use super::wire::{Entry, Otherwise, Policy};
use super::{known, words};

/// The tool that runs commands.
const RUN: &str = "run";

/// Tools that can run without a question, by place.
const FREE: [&str; 7] = ["read", "write", "edit", "move", "make_dir", "list", "load"];

/// The policy cannot be told to our gate: a place is no text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Untold;

/// Where tools may run freely.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Roots {
    pub(super) directories: Vec<PathBuf>,
    /// Single files, in directories that are no roots.
    pub(super) files: Vec<PathBuf>,
}

impl Roots {
    /// What the policy says of them. `is_directory` looks at the disk: only a directory can hold something.
    pub(super) fn of(policy: &Policy, workspace: &Path, is_directory: impl Fn(&Path) -> bool) -> Self {
        let mut found: Vec<PathBuf> = FREE
            .iter()
            .flat_map(|tool| regions(policy, tool))
            .filter(|region| is_directory(region))
            .map(Path::to_path_buf)
            .collect();
        found.sort();
        // Sorted, a directory stands before what is below it.
        let mut directories: Vec<PathBuf> = Vec::new();
        for region in found {
            if !directories.iter().any(|root| region.starts_with(root)) {
                directories.push(region);
            }
        }
        let mut files: Vec<PathBuf> = FREE
            .iter()
            .flat_map(|tool| objects(policy, tool))
            .filter(|file| !directories.iter().any(|root| file.starts_with(root)))
            .filter(|file| !is_directory(file) && file.parent().is_some_and(&is_directory))
            .map(Path::to_path_buf)
            .collect();
        files.sort();
        files.dedup();
        if directories.is_empty() && files.is_empty() {
            directories.push(workspace.to_path_buf());
        }
        Self { directories, files }
    }

    /// The same where no single file can be a root: what is allowed for one alone asks.
    pub(super) fn directories_alone(self, workspace: &Path) -> Self {
        let mut directories = self.directories;
        if directories.is_empty() {
            directories.push(workspace.to_path_buf());
        }
        Self {
            directories,
            files: Vec::new(),
        }
    }
}

/// What a tool of the runner's is called in the file.
pub(super) type Names = fn(&str) -> Cow<'_, str>;

/// The user's file.
pub(super) fn user(policy: &Policy, roots: &Roots, names: Names) -> Result<String, Untold> {
    let mut file = File::new("user", names);
    let risk = match policy.otherwise {
        Otherwise::Ask => "confirm",
        Otherwise::Deny => "deny",
    };
    file.text.push_str(&format!("otherwise = \"{risk}\"\n"));
    file.programs(policy);
    file.knowledge(policy);
    file.entries(policy);
    if !is_free_to_run(policy, roots) {
        file.other_commands(risk, policy);
    }
    for root in roots.directories.iter().chain(&roots.files) {
        for tool in FREE {
            let named = objects(policy, tool).any(|object| object == root && roots.files.contains(root));
            let is_free = named || places(&policy.allow, tool).any(|region| root.starts_with(region));
            let is_asked = places(&policy.ask, tool).any(|region| root.starts_with(region));
            if !is_free && !is_asked {
                let under = Some(root.to_str().ok_or(Untold)?);
                file.rule(risk, Some(tool), under, None);
            }
        }
    }
    Ok(file.text)
}

/// Whether a command may run because of where it does.
fn is_free_to_run(policy: &Policy, roots: &Roots) -> bool {
    regions(policy, RUN).any(|region| roots.directories.iter().any(|root| root.starts_with(region)))
}

/// The project's file: only what tightens.
pub(super) fn project(policy: &Policy) -> String {
    let mut file = File::new("project", words::tool);
    file.knowledge(policy);
    file.entries(policy);
    file.text
}

/// Where a tool may run freely.
fn regions<'a>(policy: &'a Policy, tool: &'a str) -> impl Iterator<Item = &'a Path> {
    places(&policy.allow, tool)
}

/// The directories that entries name for a tool; one that names nothing is about all of them.
fn places<'a>(entries: &'a [Entry], tool: &'a str) -> impl Iterator<Item = &'a Path> {
    entries
        .iter()
        .filter(move |entry| entry.tool == tool || entry.tool == "*")
        .filter_map(|entry| match entry {
            Entry {
                under: Some(under), ..
            } => Some(Path::new(under)),
            Entry {
                path: None,
                command: None,
                ..
            } => Some(Path::new("/")),
            _ => None,
        })
}

/// What a tool may be used on freely, by its own name.
fn objects<'a>(policy: &'a Policy, tool: &'a str) -> impl Iterator<Item = &'a Path> {
    policy
        .allow
        .iter()
        .filter(move |entry| (entry.tool == tool || entry.tool == "*") && entry.command.is_none())
        .filter_map(|entry| entry.path.as_deref().map(Path::new))
}

struct File {
    text: String,
    whose: &'static str,
    names: Names,
    rules: usize,
}

impl File {
    fn new(whose: &'static str, names: Names) -> Self {
        Self {
            text: "version = 1\n".to_owned(),
            whose,
            names,
            rules: 0,
        }
    }

    fn entries(&mut self, policy: &Policy) {
        for (risk, entries) in [("deny", &policy.deny), ("confirm", &policy.ask)] {
            for entry in entries {
                self.entry(risk, entry);
            }
        }
    }

    fn entry(&mut self, risk: &str, entry: &Entry) {
        let place = entry.path.as_deref().or(entry.under.as_deref());
        let command = entry.command.as_deref();
        if entry.tool != "*" {
            self.rule(risk, Some(&entry.tool), place, command);
        } else if place.is_some() || command.is_some() {
            self.rule(risk, None, place, command);
        } else {
            for tool in words::tools() {
                self.rule(risk, Some(tool), None, None);
            }
        }
    }

    /// What the user knows of programs.
    fn programs(&mut self, policy: &Policy) {
        let about_commands = |entry: &&Entry| entry.tool == RUN || entry.tool == "*";
        let commands = policy.allow.iter().filter(about_commands);
        let mut known = BTreeSet::new();
        for words in commands.filter_map(|entry| entry.command.as_deref()) {
            let Some((name, subs)) = words.split_first() else {
                continue;
            };
            let is_told = name.contains('/') || words.iter().any(|word| word.starts_with('-'));
            let is_explained = policy.programs.iter().any(|program| program.name == *name);
            if is_told || is_explained || Programs::default().explain(words) || !known.insert(name) {
                continue;
            }
            self.text
                .push_str(&format!("\n[[program]]\nnames = [{}]\n", quoted(name)));
            let mut table = String::from("program");
            for sub in subs {
                table.push_str(".sub");
                self.text
                    .push_str(&format!("[[{table}]]\nnames = [{}]\n", quoted(sub)));
            }
            self.text
                .push_str("loose = true\noperands = [\"text...\"]\ndoes = [\"project-code\"]\n");
        }
    }

    /// What is known of names and programs, and how much is asked.
    fn knowledge(&mut self, policy: &Policy) {
        self.text
            .push_str(&known::written(policy, self.whose, self.names));
    }

    /// A rule about every command that the policy does not name; where what it does not name is denied, those that ask
    /// are named as well.
    fn other_commands(&mut self, risk: &str, policy: &Policy) {
        let asked = policy.ask.iter().filter(|_| risk == "deny");
        let named: Vec<&Entry> = policy
            .allow
            .iter()
            .chain(asked)
            .filter(|entry| entry.tool == RUN || entry.tool == "*")
            .collect();
        let asks_all =
            |entry: &&Entry| entry.command.is_none() && entry.path.is_none() && entry.under.is_none();
        if named.iter().any(asks_all) {
            return;
        }
        let others: Vec<String> = named
            .iter()
            .filter_map(|entry| entry.command.as_deref().map(list))
            .collect();
        self.rule(risk, Some(RUN), None, None);
        if !others.is_empty() {
            self.text.push_str(&format!("except = [{}]\n", others.join(", ")));
        }
    }

    fn rule(&mut self, risk: &str, tool: Option<&str>, under: Option<&str>, command: Option<&[String]>) {
        self.rules += 1;
        let mut lines = vec![
            "\n[[rule]]".to_owned(),
            format!("id = \"{}-{}\"", self.whose, self.rules),
            format!("risk = \"{risk}\""),
            format!("because = \"the {}'s policy says so\"", self.whose),
        ];
        lines.extend(tool.map(|tool| format!("tool = {}", quoted(&(self.names)(tool)))));
        lines.extend(under.map(|under| format!("under = {}", quoted(under))));
        lines.extend(command.map(|words| format!("command = {}", list(words))));
        for line in lines {
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }
}

/// A list of basic strings of TOML.
pub(super) fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A basic string of TOML.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use portcullis::config::parse_user;
    use proptest::prelude::*;
    use rstest::rstest;
    use serde_json::{Value, json};

    use super::*;

    fn policy(mut value: Value) -> Policy {
        let members = value.as_object_mut().unwrap();
        for list in ["allow", "ask", "deny"] {
            members.entry(list).or_insert_with(|| json!([]));
        }
        members.entry("otherwise").or_insert_with(|| json!("ask"));
        serde_json::from_value(value).unwrap()
    }

    fn told(policy: &Policy) -> Vec<String> {
        let is_file = |path: &Path| path.starts_with("/file") || path == Path::new("/w/a.txt");
        let roots = Roots::of(policy, Path::new("/w"), |path| !is_file(path));
        let text = user(policy, &roots, words::tool).unwrap();
        let config = parse_user(&text, "test").unwrap_or_else(|error| panic!("{}\n{text}", error.render()));
        let rules = config.rules.rules.into_iter().map(|rule| {
            let subject = rule.subject;
            let tool = subject.tool.unwrap_or_else(|| "*".to_owned());
            let under = subject
                .under
                .map_or(String::new(), |path| format!(" {}", path.display()));
            let command = subject
                .command
                .map_or(String::new(), |words| format!(" {}", words.join(" ")));
            let except = subject.except.unwrap_or_default();
            let except: String = except
                .iter()
                .map(|words| format!(" not {}", words.join(" ")))
                .collect();
            format!("{:?} {tool}{under}{command}{except}", rule.risk)
        });
        let directories = roots
            .directories
            .iter()
            .map(|root| format!("root {}", root.display()));
        let files = roots.files.iter().map(|file| format!("file {}", file.display()));
        directories.chain(files).chain(rules).collect()
    }

    fn asks(root: &str, tools: &[&str]) -> Vec<String> {
        tools
            .iter()
            .map(|tool| format!("Confirm {tool} {root}"))
            .collect()
    }

    #[test]
    fn what_nothing_allows_asks() {
        let mut expected = vec!["root /w".to_owned()];
        let all = [
            "read_file",
            "write_file",
            "edit_file",
            "move_file",
            "make_dir",
            "list_dir",
            "load_resource",
        ];
        expected.push("Confirm run_command".to_owned());
        expected.extend(asks("/w", &all));
        assert_eq!(told(&policy(json!({}))), expected);
    }

    #[rstest]
    #[case::everywhere_in_the_workspace(json!([{"tool": "*", "under": "/w"}]), &["root /w"], &[])]
    #[case::a_file_is_no_root(json!([{"tool": "*", "under": "/w"}, {"tool": "*", "under": "/file"}]), &["root /w"], &[])]
    #[case::another_tool(
        json!([{"tool": "write", "under": "/w"}]), &["root /w"],
        &["read_file", "edit_file", "move_file", "make_dir", "list_dir", "load_resource"])]
    #[case::a_part_of_the_root(
        json!([{"tool": "*", "under": "/w"}, {"tool": "write", "under": "/w/lib"}]), &["root /w"], &[])]
    #[case::one_object(
        json!([{"tool": "read", "under": "/w"}, {"tool": "write", "path": "/w/a"}]), &["root /w"],
        &["write_file", "edit_file", "move_file", "make_dir", "list_dir", "load_resource"])]
    fn allow_makes_roots(#[case] allow: Value, #[case] roots: &[&str], #[case] asking: &[&str]) {
        let mut expected: Vec<String> = roots.iter().map(|root| (*root).to_owned()).collect();
        // Who may not use every tool there may not run commands.
        expected.extend((!asking.is_empty()).then(|| "Confirm run_command".to_owned()));
        expected.extend(asks("/w", asking));
        assert_eq!(told(&policy(json!({"allow": allow}))), expected);
    }

    #[test]
    fn a_file_alone_is_a_root_of_its_own() {
        let write = json!({"tool": "write", "path": "/w/a.txt"});
        // No `/w`: nothing else is allowed there.
        let mut expected = vec!["file /w/a.txt".to_owned(), "Confirm run_command".to_owned()];
        let others = [
            "read_file",
            "edit_file",
            "move_file",
            "make_dir",
            "list_dir",
            "load_resource",
        ];
        expected.extend(asks("/w/a.txt", &others));
        assert_eq!(told(&policy(json!({"allow": [write]}))), expected);
        let twice = json!([{"tool": "*", "path": "/w/a.txt"}, {"tool": "read", "path": "/w/a.txt"}]);
        assert_eq!(
            told(&policy(json!({"allow": twice}))),
            ["file /w/a.txt", "Confirm run_command"]
        );
        // Neither a directory nor what has none can be a file.
        let neither = json!([{"tool": "*", "path": "/w/lib"}, {"tool": "*", "path": "/file/x"}]);
        assert_eq!(told(&policy(json!({"allow": neither}))).len(), 2 + FREE.len());
    }

    #[rstest]
    #[case::some(json!([{"tool": "run", "command": ["git", "status"]}, {"tool": "*", "command": ["ls"]}]),
        json!([]), "ask", Some("Confirm run_command not git status not ls"))]
    #[case::some_that_ask_are_not_denied(json!([{"tool": "run", "command": ["ls"]}]),
        json!([{"tool": "run", "command": ["rm"]}]), "deny", Some("Deny run_command not ls not rm"))]
    #[case::all(json!([{"tool": "run"}]), json!([]), "ask", None)]
    #[case::all_ask(json!([]), json!([{"tool": "run"}]), "deny", None)]
    fn commands_that_the_policy_does_not_name(
        #[case] allow: Value,
        #[case] ask: Value,
        #[case] otherwise: &str,
        #[case] expected: Option<&str>,
    ) {
        let told = told(&policy(
            json!({"allow": allow, "ask": ask, "otherwise": otherwise}),
        ));
        let rules = told.iter().filter(|rule| rule.contains(" run_command"));
        let rule = rules
            .filter(|rule| !rule.starts_with("Confirm run_command rm") && *rule != "Confirm run_command");
        assert_eq!(
            rule.map(String::as_str).collect::<Vec<_>>(),
            expected.into_iter().collect::<Vec<_>>()
        );
    }

    #[rstest]
    #[case::opaque(&["redo"], Some("redo build -x"))]
    #[case::a_sub_command(&["nix", "run"], Some("nix run x"))]
    #[case::unknown(&["frobnicate"], Some("frobnicate --all x"))]
    #[case::read_here(&["git", "add"], None)]
    #[case::an_interpreter(&["python3"], None)]
    #[case::a_file(&["./tool"], None)]
    fn a_command_that_is_allowed_and_not_read_is_the_projects(
        #[case] words: &[&str],
        #[case] understood: Option<&str>,
    ) {
        let policy = policy(json!({"allow": [{"tool": "run", "command": words}]}));
        let roots = Roots::of(&policy, Path::new("/w"), |_| true);
        let config = parse_user(&user(&policy, &roots, words::tool).unwrap(), "test").unwrap();
        let entries = config.rules.programs;
        assert_eq!(entries.len(), usize::from(understood.is_some()));
        let known = Programs::of(entries.iter().map(|entry| (portcullis::Layer::User, entry))).unwrap();
        assert!(
            entries
                .iter()
                .zip(understood)
                .all(|(entry, text)| known.understand(entry, text))
        );
    }

    #[test]
    fn a_tool_that_may_run_in_a_part_of_a_root_asks_in_all_of_it() {
        let allow = json!([{"tool": "read", "under": "/w"}, {"tool": "write", "under": "/w/lib"}]);
        assert!(told(&policy(json!({"allow": allow}))).contains(&"Confirm write_file /w".to_owned()));
    }

    #[test]
    fn a_part_alone_is_the_root() {
        let told = told(&policy(json!({"allow": [{"tool": "*", "under": "/w/lib"}]})));
        assert_eq!(told, ["root /w/lib"]);
    }

    #[rstest]
    #[case::tool(json!({"tool": "delete"}), &["Deny delete_file"])]
    #[case::path(json!({"tool": "*", "path": "/w/.env"}), &["Deny * /w/.env"])]
    #[case::under(json!({"tool": "edit", "under": "/w/x"}), &["Deny edit_file /w/x"])]
    #[case::command(json!({"tool": "run", "command": ["git", "push"]}), &["Deny run_command git push"])]
    #[case::no_tool_of_ours(json!({"tool": "fetch"}), &["Deny fetch"])]
    fn deny_is_a_rule(#[case] entry: Value, #[case] expected: &[&str]) {
        let told = told(&policy(
            json!({"allow": [{"tool": "*", "under": "/w"}], "deny": [entry]}),
        ));
        assert_eq!(told.get(1..).unwrap(), expected);
    }

    #[test]
    fn every_tool_means_each() {
        let told = told(&policy(
            json!({"allow": [{"tool": "*", "under": "/w"}], "ask": [{"tool": "*"}]}),
        ));
        assert_eq!(told.len(), 1 + 9);
    }

    #[test]
    fn without_files_a_file_asks() {
        let policy = policy(json!({"allow": [{"tool": "write", "path": "/w/a.txt"}]}));
        let roots = Roots::of(&policy, Path::new("/w"), |path| path == Path::new("/w"));
        assert_eq!(roots.files, [PathBuf::from("/w/a.txt")]);
        let roots = roots.directories_alone(Path::new("/w"));
        assert_eq!(
            (&roots.directories, roots.files.len()),
            (&vec![PathBuf::from("/w")], 0)
        );
        let text = user(&policy, &roots, words::tool).unwrap();
        assert!(text.contains("risk = \"confirm\"\nbecause = \"the user's policy says so\"\ntool = \"write_file\"\nunder = \"/w\""), "{text}");
    }

    #[test]
    fn otherwise_is_the_same_word_and_denies_what_would_run_freely_in_a_root() {
        let policy = policy(json!({
            "otherwise": "deny", "allow": [{"tool": "read", "under": "/w"}], "ask": [{"tool": "write", "under": "/w"}],
        }));
        let roots = Roots::of(&policy, Path::new("/w"), |_| true);
        let config = parse_user(&user(&policy, &roots, words::tool).unwrap(), "test").unwrap();
        assert_eq!(config.rules.otherwise, Some(portcullis::Risk::Deny));
        let told = told(&policy);
        assert!(told.contains(&"Deny edit_file /w".to_owned()), "{told:?}");
        assert!(told.contains(&"Confirm write_file /w".to_owned()), "{told:?}");
        assert!(
            !told
                .iter()
                .any(|rule| rule.contains("read_file") || rule.contains("Deny write_file"))
        );
    }

    #[test]
    fn a_project_says_only_what_tightens() {
        let policy = policy(json!({
            "otherwise": "deny",
            "allow": [{"tool": "*", "under": "/"}],
            "deny": [{"tool": "write", "under": "/w/x"}],
        }));
        let text = project(&policy);
        assert_eq!(text.matches("[[rule]]").count(), 1);
        assert!(text.contains("tool = \"write_file\"\nunder = \"/w/x\""), "{text}");
    }

    proptest! {
        #[test]
        fn every_place_comes_through(name in "[^/\0]{1,12}") {
            prop_assume!(!name.split('/').any(|part| part == ".."));
            let place = format!("/w/{name}");
            let roots = Roots { directories: Vec::new(), files: Vec::new() };
            let text = user(&policy(json!({"deny": [{"tool": "*", "path": place}]})), &roots, words::tool).unwrap();
            let config = parse_user(&text, "test").unwrap();
            let under = config.rules.rules.first().unwrap().subject.under.clone();
            prop_assert_eq!(under, Some(PathBuf::from(place)));
        }
    }
}
