//! Calls that go through a directory name by name, or take it along, and what is mounted in it.

use std::process::Command;

use portcullis_testing::with_own_mounts;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_sound, ids};

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

/// A call, by its tool and arguments.
type Tool = (&'static str, Value);

fn tools_that_go_below() -> Vec<Tool> {
    vec![
        ("search", json!({"pattern": "word", "path": "build"})),
        ("search", json!({"pattern": "word"})),
        ("Grep", json!({"pattern": "word", "path": "{T}/ws/build"})),
        ("Glob", json!({"pattern": "build/**/*.rs"})),
        ("move_file", json!({"from": "build", "to": "elsewhere"})),
    ]
}

fn tools_that_stay_beside() -> Vec<Tool> {
    vec![
        ("search", json!({"pattern": "word", "path": "src"})),
        ("Grep", json!({"pattern": "word", "path": "{T}/ws/src"})),
        ("list_dir", json!({"path": "build"})),
        ("make_dir", json!({"path": "build/new"})),
        ("read_file", json!({"path": "build/other"})),
        ("move_file", json!({"from": "src", "to": "elsewhere"})),
        ("move_file", json!({"from": "notes.txt", "to": "build/notes.txt"})),
    ]
}

fn asks_for_a_mount(scene: &Scene, tool: &str, args: &Value) -> bool {
    let classifier = scene.classifier(Vec::new()).with_trusted([0]);
    let assessment = classifier.assess(scene.call(tool, args));
    assert_sound(&assessment);
    ids(&assessment).contains(&"mount.below")
}

#[test]
fn what_goes_below_asks_where_something_is_mounted_there() {
    with_own_mounts("what_goes_below_asks_where_something_is_mounted_there", || {
        let scene = Scene::new();
        let command = |text: &str| ("run_command", json!({"command": text}));
        let mut below: Vec<Tool> = GO_BELOW.into_iter().map(command).collect();
        below.extend(tools_that_go_below());
        let mut all = below.clone();
        all.extend(STAY_BESIDE.into_iter().map(command));
        all.extend(tools_that_stay_beside());
        for (tool, args) in &all {
            assert!(
                !asks_for_a_mount(&scene, tool, args),
                "nothing is mounted: {args}"
            );
        }
        let cache = scene.path("ws/build/cache");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "none"]).arg(&cache);
        assert!(mount.status().unwrap().success());
        all.retain(|(tool, args)| asks_for_a_mount(&scene, tool, args));
        let unmounted = Command::new("umount").arg(&cache).status();
        assert!(unmounted.unwrap().success());
        assert_eq!(all, below);
    });
}
