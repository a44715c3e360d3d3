use std::fs;

use serde_json::json;

use crate::harness::{TestBox, call};

const ID: &str = "0123456789abcdef";

/// A store with one grant that lasts and one that has ended.
fn kept(test: &TestBox, policy: &str) {
    let place = test.work().join("a");
    let grant = |id: &str, expires: i64| {
        json!({
            "id": id, "tool": "delete_file",
            "resources": [["delete", "Delete", place.to_str().unwrap()]],
            "directory": null, "session": null,
            "user": format!("uid:{}", rustix::process::geteuid().as_raw()),
            "policy": policy, "common": policy, "rules": [["built-in", "delete", "x"]], "given_ms": 0, "expires_ms": expires,
        })
    };
    let store =
        json!({"version": 3, "latest_ms": 0, "grants": [grant(ID, i64::MAX), grant("00000000000000ff", 1)]});
    let path = test.home().join(".config/portcullis/grants.json");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, store.to_string()).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
}

#[test]
fn what_is_kept_is_listed_shown_taken_back_and_pruned() {
    let test = TestBox::new();
    let none = test.run(&["grants", "list"], "");
    none.assert_code(0);
    assert_eq!(none.stdout, "");
    kept(&test, "p");
    let listed = test.run(&["grants", "list"], "");
    listed.assert_code(0);
    assert_eq!(listed.stdout.lines().count(), 2, "{}", listed.stdout);
    assert!(
        listed.stdout.starts_with(&format!("{ID}  in force")),
        "{}",
        listed.stdout
    );
    let shown = test.run(&["grants", "show", ID, "--json"], "");
    shown.assert_code(0);
    assert_eq!(shown.json()[0]["tool"], "delete_file");
    test.run(&["grants", "prune"], "").assert_code(0);
    assert_eq!(test.run(&["grants", "list", "--json"], "").json().len(), 1);
    test.run(&["grants", "revoke", ID], "").assert_code(0);
    test.run(&["grants", "revoke", ID], "").assert_code(2);
    test.run(&["grants", "show", "x"], "").assert_code(2);
    assert_eq!(test.run(&["grants", "list"], "").stdout, "");
}

#[test]
fn a_store_that_others_can_write_is_named_and_grants_nothing() {
    let test = TestBox::new();
    kept(&test, "p");
    let path = test.home().join(".config/portcullis/grants.json");
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    let listed = test.run(&["grants", "list"], "");
    listed.assert_code(5);
    assert!(
        listed.stderr.contains("can be reached by other users"),
        "{}",
        listed.stderr
    );
    test.write("work/a", "x");
    test.run(&["call", "-"], call("1", "delete_file", json!({"path": "a"})))
        .assert_code(1);
    assert!(test.work().join("a").exists());
}
