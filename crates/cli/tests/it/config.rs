//! What the policy files say together, and whether one can be used.

use rstest::rstest;
use serde_json::json;

use crate::harness::TestBox;

#[test]
fn every_value_has_its_layer() {
    let test = TestBox::new();
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\n[approval]\ndeadline_seconds = 60\n[zones]\ndeny_read = [\"~/.ssh\"]\n[catalogue]\noff = [\"private.keys\"]\n",
    );
    test.write(
        "work/.portcullis/policy.toml",
        "version = 1\npreset = \"careful\"\n[[rule]]\nid = \"no-gen\"\nunder = \"gen\"\nrisk = \"deny\"\nbecause = \"generated\"\n",
    );
    test.run(&["trust", "yes"], "").assert_code(0);
    let outcome = test.run(&["config", "show", "--json"], "");
    outcome.assert_code(0);
    let lines = outcome.json();
    let of = |name: &str| {
        let found = lines.iter().filter(|line| line["name"] == name);
        found
            .map(|line| (line["layer"].as_str().unwrap(), line["value"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of("preset"), [("project", "careful".into())]);
    assert_eq!(of("approval.deadline_seconds"), [("user", 60.into())]);
    assert_eq!(of("hook.claude-code.allow"), [("built-in", "silent".into())]);
    assert_eq!(of("catalogue.off"), [("user", "private.keys".into())]);
    assert!(
        of("rule")
            .iter()
            .any(|(layer, rule)| *layer == "project" && rule["id"] == "no-gen")
    );
    assert_eq!(of("approval.approver"), [("built-in", "here".into())]);
    assert!(
        of("zones.deny_read")
            .iter()
            .any(|(layer, zone)| *layer == "user" && zone["path"] == "~/.ssh")
    );
    assert!(
        of("zones.deny_write")
            .iter()
            .any(|(layer, _)| *layer == "built-in"),
        "the gate's own files"
    );
    let shown = test.run(&["config", "show"], "");
    assert!(shown.stdout.contains("project   preset "), "{}", shown.stdout);
}

#[test]
fn a_broken_file_is_shown_as_broken() {
    let test = TestBox::new();
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\npresett = \"careful\"\n",
    );
    let outcome = test.run(&["config", "show", "--json"], "");
    outcome.assert_code(0);
    let broken = outcome
        .json()
        .into_iter()
        .find(|line| line["name"] == "broken")
        .unwrap();
    assert_eq!(broken["layer"], "user");
    assert!(broken["value"].as_str().unwrap().contains("line 2"), "{broken}");
}

#[rstest]
#[case::users("version = 1\n[approval]\ndeadline_seconds = 5\n", false, 0)]
#[case::users_as_a_projects("version = 1\n[approval]\ndeadline_seconds = 5\n", true, 4)]
#[case::relative_place("version = 1\n[zones]\ndeny_write = [\"gen\"]\n", true, 0)]
#[case::relative_place_of_a_user("version = 1\n[zones]\ndeny_write = [\"gen\"]\n", false, 4)]
#[case::unknown_key("version = 1\nx = 1\n", false, 4)]
#[case::failing_example(
    "version = 1\n[[rule]]\nid = \"a\"\ncommand = [\"git\"]\nrisk = \"deny\"\nbecause = \"b\"\nmatches = [\"ls\"]\n",
    false,
    4
)]
fn one_file_is_checked_alone(#[case] text: &str, #[case] project: bool, #[case] code: i32) {
    let test = TestBox::new();
    test.write("work/.portcullis/policy.toml", text);
    let mut args = vec!["config", "check", ".portcullis/policy.toml"];
    args.extend(project.then_some("--project"));
    let outcome = test.run(&args, "");
    outcome.assert_code(code);
    assert_eq!(
        outcome.stderr.contains("policy.toml:"),
        code == 4,
        "{}",
        outcome.stderr
    );
}

#[test]
fn without_a_file_the_users_own_is_checked() {
    let test = TestBox::new();
    test.run(&["config", "check"], "").assert_code(3);
    test.run(&["init"], "").assert_code(0);
    test.run(&["config", "check"], "").assert_code(0);
}

#[test]
fn a_file_is_checked_as_a_gate_reads_it() {
    let test = TestBox::new();
    let check = |args: &[&str], stdin: &str, code: i32| {
        let outcome = test.run(&[&["config", "check"][..], args].concat(), stdin);
        outcome.assert_code(code);
        outcome.stderr
    };
    for missing in [&["nowhere.toml"][..], &["nowhere.toml", "--project"], &[]] {
        let said = check(missing, "", 3);
        assert!(said.contains("portcullis init"), "{said}");
    }
    check(&["."], "", 3);
    test.write("work/link-to.toml", "version = 1\n");
    std::os::unix::fs::symlink("link-to.toml", test.root().join("work/linked.toml")).unwrap();
    check(&["linked.toml"], "", 0);
    check(&["linked.toml", "--project"], "", 3);
    test.write(
        "work/large.toml",
        &format!("version = 1\n{}", "#\n".repeat(1 << 19)),
    );
    check(&["large.toml"], "", 3);
    check(&["-"], "version = 1\n", 0);
    check(&["-"], "version = 1\npreset = 1\n", 4);
    check(&["-", "--project"], "version = 1\n[audit]\n", 4);
    let said = check(&["-"], "verzion = 1\n", 4);
    assert!(said.contains("did you mean `version`?"), "{said}");
}

#[test]
fn what_is_wrong_with_a_file_is_data_too() {
    let test = TestBox::new();
    let data = |text: &str, code: i32| {
        let outcome = test.run(&["config", "check", "-", "--json"], text);
        outcome.assert_code(code);
        outcome.json()[0].clone()
    };
    let good = data("version = 1\n", 0);
    assert_eq!(
        (&good["usable"], &good["diagnostics"]),
        (&true.into(), &json!([]))
    );
    let bad = data("version = 1\npreset = \"carful\"\n", 4);
    assert_eq!(bad["usable"], false);
    let one = &bad["diagnostics"][0];
    assert_eq!(
        [&one["line"], &one["column"], &one["text"], &one["hint"]],
        [
            &json!(2),
            &json!(10),
            &json!("\"carful\""),
            &json!("did you mean `careful`?")
        ]
    );
}

#[test]
fn the_schema_is_json() {
    let outcome = TestBox::new().run(&["config", "schema"], "");
    outcome.assert_code(0);
    let schema: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(schema["title"], "Portcullis policy");
}

#[test]
fn every_value_says_where_it_stands() {
    let test = TestBox::new();
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\notherwise = \"deny\"\n[approval]\ndeadline_seconds = 60\n[zones]\ndeny_read = [\n  \"~/.ssh\",\n]\n\
         [catalogue]\noff = [\"private.keys\"]\n[hook.claude-code]\nallow = \"silent\"\n[audit]\npath = \"~/a.jsonl\"\n",
    );
    test.write(
        "work/.portcullis/policy.toml",
        "version = 1\npreset = \"careful\"\n[[rule]]\nid = \"no-gen\"\nunder = \"gen\"\nrisk = \"deny\"\nbecause = \"generated\"\n",
    );
    test.run(&["trust", "yes"], "").assert_code(0);
    let outcome = test.run(&["config", "show", "--json", "--deadline-seconds", "9"], "");
    outcome.assert_code(0);
    let lines = outcome.json();
    let (user, project) = (test.policy(), test.work().join(".portcullis/policy.toml"));
    let of = |name: &str, layer: &str| {
        let found = lines
            .iter()
            .find(|line| line["name"] == name && line["layer"] == layer);
        found.unwrap_or_else(|| panic!("no {name} of {layer}"))["source"].clone()
    };
    let at = |file: &std::path::Path, line: usize| format!("{}:{line}", file.display());
    assert_eq!(of("otherwise", "user"), at(&user, 2));
    assert_eq!(of("zones.deny_read", "user"), at(&user, 7));
    assert_eq!(of("catalogue.off", "user"), at(&user, 10));
    assert_eq!(of("hook.claude-code.allow", "user"), at(&user, 12));
    assert_eq!(of("audit.path", "user"), at(&user, 14));
    assert_eq!(of("preset", "project"), at(&project, 2));
    assert_eq!(of("rule", "project"), at(&project, 4));
    assert_eq!(of("approval.deadline_seconds", "run"), "--deadline-seconds");
    assert!(of("zones.deny_write", "built-in").is_null());
    // For people as well.
    let shown = test.run(&["config", "show"], "").stdout;
    assert!(shown.contains(&format!("  [{}]", at(&project, 4))), "{shown}");
}

/// What is said in the form of the built-in data, with its place; of levels, what they come to.
#[test]
fn levels_names_and_programs_say_where_they_stand() {
    let test = TestBox::new();
    test.write(
        "home/.config/portcullis/policy.toml",
        "version = 1\n[review]\nprofile = \"guardian\"\n[review.levels]\nbash.command = \"by-effect\"\nread.path = \"off\"\n\
         [[catalogue.add]]\nid = \"papers\"\nwhy = \"drafts\"\nends = [\".odt\"]\n[[catalogue.remove]]\n\
         id = \"private.directory\"\ndirectories = [\"vault\"]\n[[program]]\nnames = [\"tool\"]\noperands = [\"read\"]\n",
    );
    test.write(
        "work/.portcullis/policy.toml",
        "version = 1\n[review.levels]\nread.path = \"private-only\"\n[[program]]\nnames = [\"gen\"]\ndoes = [\"publishes\"]\n",
    );
    test.run(&["trust", "yes"], "").assert_code(0);
    let outcome = test.run(&["config", "show", "--json"], "");
    outcome.assert_code(0);
    let lines = outcome.json();
    let (user, project) = (test.policy(), test.work().join(".portcullis/policy.toml"));
    let is = |name: &str, layer: &str, value: serde_json::Value, file: &std::path::Path, at: usize| {
        let found = lines
            .iter()
            .find(|line| line["name"] == name && line["layer"] == layer);
        let found = found.unwrap_or_else(|| panic!("no {name} of {layer}: {lines:#?}"));
        assert_eq!(found["value"], value, "{name}");
        assert_eq!(found["source"], format!("{}:{at}", file.display()), "{name}");
    };
    is("review.profile", "user", "guardian".into(), &user, 3);
    is("review.levels.bash.command", "user", "by-effect".into(), &user, 5);
    is(
        "review.levels.read.path",
        "project",
        "private-only".into(),
        &project,
        3,
    );
    is(
        "review.levels.write.path",
        "user",
        "outside-or-private".into(),
        &user,
        3,
    );
    let papers = serde_json::json!({"id": "papers", "why": "drafts", "names": {"ends": [".odt"]}});
    is("catalogue.add", "user", papers, &user, 8);
    let gone = serde_json::json!({"id": "private.directory", "names": {"directories": ["vault"]}});
    is("catalogue.remove", "user", gone, &user, 12);
    is("program", "user", serde_json::json!(["tool"]), &user, 15);
    is("program", "project", serde_json::json!(["gen"]), &project, 5);
}

/// What is printed is what can be added to and taken from, in the form in which a policy writes it.
#[test]
fn the_catalogue_is_shown() {
    let test = TestBox::new();
    let outcome = test.run(&["config", "catalogue"], "");
    outcome.assert_code(0);
    assert!(outcome.stdout.contains("id = \"private.directory\""));
    let group = "[[catalogue.remove]]\nid = \"private.directory\"\ndirectories = [\"vualts\"]\n";
    test.write("policy.toml", &format!("version = 1\n{group}"));
    let checked = test.run(&["config", "check", "../policy.toml"], "");
    checked.assert_code(4);
    assert!(
        checked.stderr.contains("did you mean `vaults`?"),
        "{}",
        checked.stderr
    );
    assert!(checked.stderr.contains("policy.toml:4:16"), "{}", checked.stderr);
}

/// The environment may have been set by a project: it tightens, and it names neither a policy nor a log.
#[rstest]
#[case::stricter("PORTCULLIS_PRESET", "careful", "preset", "run", "careful")]
#[case::not_milder("PORTCULLIS_PRESET", "everyday", "preset", "user", "careful")]
#[case::denies("PORTCULLIS_OTHERWISE", "deny", "otherwise", "run", "deny")]
#[case::reviews(
    "PORTCULLIS_REVIEW",
    "bash.command=always",
    "review.levels.bash.command",
    "run",
    "always"
)]
#[case::reviews_no_milder(
    "PORTCULLIS_REVIEW",
    "bash.command=private-only",
    "review.profile",
    "built-in",
    "by-effect"
)]
#[case::waits("PORTCULLIS_DEADLINE_SECONDS", "7", "approval.deadline_seconds", "run", "7")]
fn the_environment_is_a_layer(
    #[case] name: &str,
    #[case] value: &str,
    #[case] shown: &str,
    #[case] layer: &str,
    #[case] effective: &str,
) {
    let test = TestBox::new();
    if layer == "user" {
        test.write(
            "home/.config/portcullis/policy.toml",
            "version = 1\npreset = \"careful\"\n",
        );
    }
    let mut command = test.command(&["config", "show", "--json"]);
    command.env(name, value);
    let outcome = crate::harness::Outcome::of(command, b"");
    outcome.assert_code(0);
    let lines = outcome.json();
    let line = lines.iter().find(|line| line["name"] == shown).unwrap();
    assert_eq!(line["layer"], layer);
    assert_eq!(line["value"].to_string().trim_matches('"'), effective);
    if layer == "run" {
        assert_eq!(line["source"], name);
    }
}

#[rstest]
#[case::misspelt("PORTCULLIS_PRESSET", "careful", "did you mean `PORTCULLIS_PRESET`?")]
#[case::no_word("PORTCULLIS_OTHERWISE", "allow", "known here: confirm, deny")]
#[case::no_level("PORTCULLIS_REVIEW", "bash.command=off", "known here: private-only")]
#[case::no_such_setting("PORTCULLIS_POLICY", "/nowhere", "known are `PORTCULLIS_PRESET`")]
fn what_the_environment_cannot_say_makes_everything_ask(
    #[case] name: &str,
    #[case] value: &str,
    #[case] hint: &str,
) {
    let test = TestBox::new();
    test.write("work/notes.md", "x");
    let read = crate::harness::call("1", "read_file", serde_json::json!({"path": "notes.md"}));
    let mut command = test.command(&["call", "-", "--json"]);
    command.env(name, value);
    let outcome = crate::harness::Outcome::of(command, read.as_bytes());
    outcome.assert_code(1);
    assert_eq!(outcome.json()[0]["refusal"], "no_approver");
    assert!(outcome.stderr.contains(hint), "{}", outcome.stderr);
}

/// A project that sets variables must not be able to bring the user's policy along.
#[test]
fn a_configuration_directory_in_the_workspace_is_not_the_users() {
    let test = TestBox::new();
    test.write("work/.config/portcullis/policy.toml", "version = 1\n");
    std::os::unix::fs::symlink(test.work().join(".config"), test.root().join("elsewhere")).unwrap();
    for place in [
        test.work().join(".config"),
        test.work().join("new"),
        test.root().join("elsewhere"),
    ] {
        let mut command = test.command(&["config", "show"]);
        command.env("XDG_CONFIG_HOME", place);
        let outcome = crate::harness::Outcome::of(command, b"");
        outcome.assert_code(2);
        assert!(
            outcome.stderr.contains("lies in the workspace"),
            "{}",
            outcome.stderr
        );
    }
    let own = test.root().join("own");
    let mut command = test.command(&["config", "show"]);
    command.env("XDG_CONFIG_HOME", own);
    crate::harness::Outcome::of(command, b"").assert_code(0);
}
