//! Layers over layers: whatever a project brings along, in whatever order, only tightens, and the user's layer stays.

use portcullis::config::{self, RunConfig, UserConfig};
use portcullis::{Builder, Layer, Rule, ZoneKind};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{Tree, command, delete, read, write};

/// A project's file: mostly well-formed, with every kind of statement it may make.
fn any_project() -> impl Strategy<Value = String> {
    let risk = prop::sample::select(vec!["confirm", "deny", "allow"]);
    let place = prop::sample::select(vec!["src", "vendor", "notes.md", ".", "~/.ssh", "/", "missing/x"]);
    let subject = prop_oneof![
        prop::sample::select(vec!["read_file", "write_file", "delete_file", "run_command"])
            .prop_map(|tool| format!("tool = \"{tool}\"")),
        prop::sample::select(vec!["read", "write", "delete", "opaque", "search"])
            .prop_map(|operation| format!("operation = \"{operation}\"")),
        place.clone().prop_map(|place| format!("under = \"{place}\"")),
        prop::sample::select(vec!["\"git\"", "\"git\", \"push\"", "\"\""])
            .prop_map(|words| format!("command = [{words}]")),
    ];
    let rule = (0..4u8, subject, risk).prop_map(|(id, subject, risk)| {
        format!("[[rule]]\nid = \"r{id}\"\n{subject}\nrisk = \"{risk}\"\nbecause = \"x\"\n")
    });
    let list = prop::sample::select(vec!["deny_read", "deny_write", "confirm_read", "confirm_write"]);
    let zones = prop::collection::btree_map(list, place, 0..3).prop_map(|lists| {
        let lines: Vec<String> = lists
            .iter()
            .map(|(key, place)| format!("{key} = [\"{place}\"]\n"))
            .collect();
        format!("[zones]\n{}", lines.concat())
    });
    let preset = prop::sample::select(vec![
        "",
        "preset = \"everyday\"\n",
        "preset = \"careful\"\n",
        "preset = 1\n",
    ]);
    let tail = prop::sample::select(vec![
        "",
        "",
        "",
        "[hook.claude-code]\nallow = \"allow\"\n",
        "nonsense",
    ]);
    let otherwise = prop::sample::select(vec![
        "",
        "",
        "otherwise = \"confirm\"\n",
        "otherwise = \"deny\"\n",
    ]);
    let rules = prop::collection::vec(rule, 0..4);
    let parts = (zones, rules, any_data());
    (preset, otherwise, parts, tail).prop_map(|(preset, otherwise, (zones, rules, data), tail)| {
        format!(
            "version = 1\n{preset}{otherwise}{zones}{}{data}{tail}",
            rules.concat()
        )
    })
}

/// What is said in the form of the built-in data: levels, names, programs.
fn any_data() -> impl Strategy<Value = String> {
    let level = prop::sample::select(vec![
        "off",
        "private-only",
        "outside-or-private",
        "by-effect",
        "always",
    ]);
    let parameter = prop::sample::select(vec![
        "read_file.path",
        "write_file.path",
        "run_command.command",
        "search.path",
        "delete_file.path",
        "\"*\".path",
    ]);
    let profile = prop::sample::select(vec!["", "profile = \"guardian\"\n", "profile = \"by-effect\"\n"]);
    let review =
        (profile, prop::collection::btree_map(parameter, level, 0..3)).prop_map(|(profile, levels)| {
            let levels: Vec<String> = levels
                .iter()
                .map(|(parameter, level)| format!("{parameter} = \"{level}\"\n"))
                .collect();
            format!("[review]\n{profile}[review.levels]\n{}", levels.concat())
        });
    let names = prop::sample::select(vec![
        "",
        "",
        "[[catalogue.add]]\nid = \"n0\"\nwhy = \"w\"\nends = [\".md\"]\n",
        "[[catalogue.add]]\nid = \"n1\"\nwhy = \"w\"\nasks = \"change\"\ndirectories = [\"src\"]\n",
        "[[catalogue.remove]]\nid = \"private.directory\"\ndirectories = [\".ssh\"]\n",
        "[catalogue]\noff = [\"private.keys\"]\n",
    ]);
    let program = (
        prop::sample::select(vec!["sheettool", "ls", "git", "cat"]),
        prop::sample::select(vec![
            "loose = true\noperands = [\"text...\"]\n",
            "operands = [\"write...\"]\n",
            "operands = [\"text\", \"delete-tree...\"]\n",
            "stop = true\noperands = [\"command\"]\n",
            "operands = [\"shell-text\"]\n",
            "loose = true\noperands = [\"text...\"]\ndoes = [\"publishes\", \"work-tree\"]\n",
            "[[program.sub]]\nnames = [\"push\", \"set\"]\nloose = true\noperands = [\"text...\"]\n",
        ]),
    )
        .prop_map(|(name, body)| format!("[[program]]\nnames = [\"{name}\"]\n{body}"));
    let programs = prop::collection::vec(program, 0..3);
    (review, names, programs)
        .prop_map(|(review, names, programs)| format!("{review}{names}{}", programs.concat()))
}

/// The same, of what may be said there: every file can be used.
fn usable_data(is_users: bool) -> impl Strategy<Value = String> {
    let words = [
        "private-only",
        "outside-or-private",
        "by-effect",
        "always",
        if is_users { "off" } else { "always" },
    ];
    let level = prop::sample::select(words.to_vec());
    let parameter = prop::sample::select(vec!["read_file.path", "run_command.command", "write_file.path"]);
    let review = prop::collection::btree_map(parameter, level, 1..4).prop_map(|levels| {
        let levels: Vec<String> = levels
            .iter()
            .map(|(parameter, level)| format!("{parameter} = \"{level}\"\n"))
            .collect();
        format!("[review.levels]\n{}", levels.concat())
    });
    let names = prop::sample::select(vec![".md", ".rs", "x"]).prop_map(move |end| {
        let id = if is_users { "u" } else { "p" };
        format!("[[catalogue.add]]\nid = \"{id}\"\nwhy = \"w\"\nends = [\"{end}\"]\n")
    });
    let program = prop::sample::select(vec![
        "loose = true\noperands = [\"text...\"]\n",
        "operands = [\"write...\"]\n",
        "loose = true\noperands = [\"text...\"]\ndoes = [\"publishes\"]\n",
        "stop = true\noperands = [\"command\"]\n",
    ]);
    let name = prop::sample::select(vec!["sheettool", "rm", "ls"]);
    let programs = prop::collection::btree_map(name, program, 1..3).prop_map(|programs| {
        let programs = programs.iter();
        let entries: Vec<String> = programs
            .map(|(name, body)| format!("[[program]]\nnames = [\"{name}\"]\n{body}"))
            .collect();
        entries.concat()
    });
    (review, names, programs)
        .prop_map(|(review, names, programs)| format!("version = 1\n{review}{names}{programs}"))
}

/// What the environment and the flags say.
fn any_run() -> impl Strategy<Value = RunConfig> {
    let word = prop::sample::select(vec![
        ("--preset", "careful"),
        ("PORTCULLIS_PRESET", "everyday"),
        ("PORTCULLIS_OTHERWISE", "deny"),
        ("--otherwise", "confirm"),
        ("PORTCULLIS_REVIEW", "guardian"),
        ("--review", "read_file.path=always,*.path=private-only"),
    ]);
    prop::collection::vec(word, 0..3).prop_map(|words| config::parse_run(words).unwrap())
}

/// A call of any tool on any place.
fn any_call() -> impl Strategy<Value = (&'static str, Value)> {
    let place = prop::sample::select(vec![
        "notes.md",
        "src",
        "src/a.rs",
        "vendor/new",
        ".",
        "~/.ssh/id",
        "../outside/x",
        "../outside/absent",
        ".portcullis/policy.toml",
        "~/.config/portcullis/policy.toml",
    ]);
    (place.clone(), place, 0_usize..10).prop_map(|(one, two, tool)| match tool {
        0 => read(one),
        1 => write(one),
        2 => delete(one),
        3 => ("move_file", json!({"from": one, "to": two})),
        4 => ("list_dir", json!({"path": one})),
        5 => ("search", json!({"pattern": "x", "path": one})),
        6 => command("git push origin"),
        7 => command(&format!("sheettool set {one}; cat {two}")),
        8 => command(&format!("ls {one}; ls {two}/new")),
        _ => command("git status"),
    })
}

fn with(builder: Builder, user: &str) -> (Builder, Option<UserConfig>) {
    match config::parse_user(user, "policy.toml") {
        Ok(config) => (builder.user(config.clone()), Some(config)),
        Err(error) => (builder.broken_user(&error), None),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Invariant 5: nothing inside a workspace lowers what the user's own configuration says, nor takes it away.
    #[test]
    fn a_project_can_only_tighten(
        projects in prop::collection::vec(any_project(), 1..4),
        user in any_project(),
        run in any_run(),
        calls in prop::collection::vec(any_call(), 8),
    ) {
        let tree = Tree::new();
        let (builder, said) = with(tree.builder().run(run), &user);
        let mut before = builder.clone().classifier().unwrap();
        let mut stack = builder;
        // Each project comes on top of those before it.
        for project in &projects {
            stack = stack.trusted_project(&tree.project(project));
            let after = stack.clone().classifier().unwrap();
            for (tool, args) in &calls {
                let was = tree.judge(&before, tool, args).verdict.risk();
                let is = tree.judge(&after, tool, args).verdict.risk();
                prop_assert!(is >= was, "{} {}: {:?} became {:?}", tool, args, was, is);
            }
            before = after;
        }
        let policy = before.policy();
        match said {
            None => prop_assert!(policy.broken().any(|(layer, _)| layer == Layer::User)),
            Some(said) => {
                let rules: Vec<Rule> = of_user(policy.rules()).cloned().collect();
                prop_assert_eq!(sorted(rules), sorted(said.rules.rules));
                let mut zones: Vec<(String, ZoneKind)> =
                    of_user(policy.placed_zones()).map(|zone| (zone.id.clone(), zone.kind)).collect();
                let mut theirs: Vec<_> = said.rules.zones.into_iter().map(|zone| (zone.id, zone.kind)).collect();
                zones.sort_by(|one, other| one.0.cmp(&other.0));
                theirs.sort_by(|one, other| one.0.cmp(&other.0));
                prop_assert_eq!(zones, theirs);
                let programs = of_user(policy.program_entries()).count();
                prop_assert_eq!(programs, said.rules.programs.len());
                prop_assert_eq!(of_user(policy.added_names()).count(), said.rules.names.len());
                let removed: Vec<_> = policy.removed().cloned().collect();
                prop_assert_eq!(removed, said.rules.removed);
                prop_assert!(policy.preset() >= said.rules.preset.unwrap_or_default());
                prop_assert!(policy.otherwise().0 >= said.rules.otherwise.unwrap_or(policy.otherwise().0));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Levels, names and programs of a project, over a user's that loosen as far as a user can.
    #[test]
    fn what_a_project_says_of_levels_names_and_programs_only_tightens(
        project in usable_data(false),
        user in prop::option::of(usable_data(true)),
    ) {
        let tree = Tree::new();
        let mut builder = tree.builder();
        if let Some(user) = user {
            builder = builder.user(config::parse_user(&user, "policy.toml").unwrap());
        }
        let before = builder.clone().classifier().unwrap();
        let after = builder.trusted_project(&tree.project(&project)).classifier().unwrap();
        prop_assert!(after.policy().broken().next().is_none());
        let commands = [
            "sheettool notes.md", "sheettool ls src", "rm notes.md", "ls src", "ls ../outside", "cat notes.md",
            "rm -rf ~", "frobnicate",
        ];
        let calls = commands.map(command).into_iter();
        let files = ["notes.md", "src/a.rs", "../outside/x", ".portcullis/policy.toml"];
        for (tool, args) in calls.chain(files.map(read)).chain(files.map(write)) {
            let was = tree.judge(&before, tool, &args).verdict.risk();
            let is = tree.judge(&after, tool, &args).verdict.risk();
            prop_assert!(is >= was, "{} {}: {:?} became {:?}", tool, args, was, is);
        }
    }
}

fn of_user<'a, T: 'a>(placed: impl Iterator<Item = (Layer, &'a T)>) -> impl Iterator<Item = &'a T> {
    placed
        .filter(|(layer, _)| *layer == Layer::User)
        .map(|(_, item)| item)
}

fn sorted(mut rules: Vec<Rule>) -> Vec<Rule> {
    rules.sort_by(|one, other| one.id.cmp(&other.id));
    rules
}
