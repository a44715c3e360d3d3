//! What the policy files say together, and whether one can be used.

use rstest::rstest;

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
    assert_eq!(of("rule")[0].0, "project");
    assert_eq!(of("rule")[0].1["id"], "no-gen");
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
fn the_schema_is_json() {
    let outcome = TestBox::new().run(&["config", "schema"], "");
    outcome.assert_code(0);
    let schema: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(schema["title"], "Portcullis policy");
}
