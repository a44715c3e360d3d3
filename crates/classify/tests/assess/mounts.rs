//! Commands that go through a directory name by name, and what is mounted in it.

use std::process::Command;

use serde_json::json;

use crate::scene::{Scene, assert_sound, ids};

/// Set for the test that was started once more, where it may mount.
const NESTED: &str = "PORTCULLIS_CLASSIFY_TEST_MAY_MOUNT";
const GO_BELOW: [&str; 12] = [
    "chmod -R u+w build",
    "chmod -R u+w .",
    "chmod -R u+w b*",
    "chmod -R u+w build/*",
    "chown -R 0:0 build",
    "find build -name '*' -delete",
    "find . -type f -delete",
    "git clean -fdx",
    "git clean -fdx build",
    "mv build elsewhere",
    "cp -r build elsewhere",
    "grep -r word build",
];
const STAY_BESIDE: [&str; 6] = [
    "chmod -R u+w src",
    "chmod -R u+w src/*",
    "chmod u+w build",
    "find src -name '*' -delete",
    "mv src elsewhere",
    "grep -r word src",
];

fn asks_for_a_mount(scene: &Scene, text: &str) -> bool {
    let classifier = scene.classifier(Vec::new()).with_trusted([0]);
    let assessment = classifier.assess(scene.call("run_command", &json!({"command": text})));
    assert_sound(&assessment);
    ids(&assessment).contains(&"mount.below")
}

#[test]
fn what_goes_below_asks_where_something_is_mounted_there() {
    if std::env::var_os(NESTED).is_none() {
        return once_more("mounts::what_goes_below_asks_where_something_is_mounted_there");
    }
    let scene = Scene::new();
    let all = || GO_BELOW.into_iter().chain(STAY_BESIDE);
    for text in all() {
        assert!(!asks_for_a_mount(&scene, text), "nothing is mounted: {text}");
    }
    let mut mount = Command::new("mount");
    mount
        .args(["-t", "tmpfs", "none"])
        .arg(scene.path("ws/build/cache"));
    assert!(mount.status().unwrap().success());
    let asked: Vec<_> = all().filter(|text| asks_for_a_mount(&scene, text)).collect();
    let unmounted = Command::new("umount").arg(scene.path("ws/build/cache")).status();
    assert!(unmounted.unwrap().success());
    assert_eq!(asked, GO_BELOW);
}

/// Starts the test in a process with mounts of its own, where the machine lets it.
fn once_more(test: &str) {
    let ways: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    let may = |way: &&[&str]| {
        let tried = Command::new("unshare").args(*way).arg("true").output();
        tried.is_ok_and(|tried| tried.status.success())
    };
    let Some(way) = ways.into_iter().find(may) else {
        let why = "neither mounts nor user name spaces are allowed";
        assert!(std::env::var_os("CI").is_none(), "{test} has to run: {why}");
        println!("SKIPPED {test}: {why}");
        return;
    };
    let output = Command::new("unshare")
        .args(way)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(NESTED, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{complained}"
    );
}
