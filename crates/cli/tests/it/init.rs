use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::harness::{TestBox, call};

#[test]
fn a_users_policy_is_written_privately_once_and_is_in_force() {
    let test = TestBox::new();
    let outcome = test.run(&["init"], "");
    outcome.assert_code(0);
    assert_eq!(outcome.stdout, format!("{}\n", test.policy().display()));
    let mode = fs::metadata(test.policy()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let read_key = call("1", "read_file", serde_json::json!({"path": "~/.ssh/id"}));
    let judged = test.run(&["check", "-", "--json"], read_key);
    judged.assert_code(0);
    assert_eq!(judged.json()[0]["causes"][0]["rule"], "ssh-keys");
    assert_eq!(judged.json()[0]["causes"][0]["layer"], "user");

    fs::write(test.policy(), "version = 1\n").unwrap();
    let again = test.run(&["init"], "");
    again.assert_code(5);
    assert!(again.stderr.contains("exists already"), "{}", again.stderr);
    assert!(again.stderr.contains("\nhint: "), "{}", again.stderr);
    assert_eq!(fs::read_to_string(test.policy()).unwrap(), "version = 1\n");
}

#[test]
fn a_link_in_the_place_of_the_policy_is_not_written_through() {
    let test = TestBox::new();
    fs::create_dir_all(test.policy().parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(test.root().join("elsewhere"), test.policy()).unwrap();
    test.run(&["init"], "").assert_code(5);
    assert!(!test.root().join("elsewhere").exists());
}

#[test]
fn a_projects_policy_is_read_only_with_trust_and_tightens() {
    let test = TestBox::new();
    test.run(&["init", "--project"], "").assert_code(0);
    let write_hook = call(
        "1",
        "write_file",
        serde_json::json!({"path": ".git/hooks/x", "content": ""}),
    );
    let verdict = |trust: &str| {
        let outcome = test.run(&["check", "-", "--json", "--trust", trust], &write_hook);
        outcome.assert_code(0);
        let line = &outcome.json()[0];
        (line["verdict"].clone(), line["causes"][0]["rule"].clone())
    };
    assert_eq!(verdict("no"), ("confirm".into(), "sensitive.git".into()));
    assert_eq!(verdict("yes"), ("deny".into(), "git-hooks".into()));
}

/// What the templates show behind number signs can be written.
#[test]
fn what_the_templates_show_can_be_used() {
    for (words, file) in [
        (vec!["init"], "home/.config/portcullis/policy.toml"),
        (vec!["init", "--project"], "work/.portcullis/policy.toml"),
    ] {
        let test = TestBox::new();
        test.run(&words, "").assert_code(0);
        let text = fs::read_to_string(test.root().join(file)).unwrap();
        let shown = |line: &str| {
            let said = line.strip_prefix("# ").unwrap_or(line);
            let is_key = said.split_once(" = ").is_some_and(|(key, _)| !key.contains(' '));
            let is_shown = !line.starts_with('#') || is_key || said.starts_with('[');
            is_shown.then(|| said.to_owned())
        };
        let lines: Vec<String> = text.lines().filter_map(shown).collect();
        assert!(lines.len() > 20, "{lines:?}");
        test.write(file, &(lines.join("\n") + "\n"));
        let mut check = vec!["config", "check"];
        if words.len() > 1 {
            check.extend([".portcullis/policy.toml", "--project"]);
        }
        let checked = test.run(&check, "");
        assert_eq!(checked.stderr, "");
        checked.assert_code(0);
    }
}
