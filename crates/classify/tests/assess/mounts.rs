//! Commands that go through a directory name by name, and what is mounted in it.

use std::process::Command;

use portcullis_testing::with_own_mounts;
use serde_json::json;

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

fn asks_for_a_mount(scene: &Scene, text: &str) -> bool {
    let classifier = scene.classifier(Vec::new()).with_trusted([0]);
    let assessment = classifier.assess(scene.call("run_command", &json!({"command": text})));
    assert_sound(&assessment);
    ids(&assessment).contains(&"mount.below")
}

#[test]
fn what_goes_below_asks_where_something_is_mounted_there() {
    with_own_mounts("what_goes_below_asks_where_something_is_mounted_there", || {
        let scene = Scene::new();
        let all = || GO_BELOW.into_iter().chain(STAY_BESIDE);
        for text in all() {
            assert!(!asks_for_a_mount(&scene, text), "nothing is mounted: {text}");
        }
        let cache = scene.path("ws/build/cache");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "none"]).arg(&cache);
        assert!(mount.status().unwrap().success());
        let asked: Vec<_> = all().filter(|text| asks_for_a_mount(&scene, text)).collect();
        let unmounted = Command::new("umount").arg(&cache).status();
        assert!(unmounted.unwrap().success());
        assert_eq!(asked, GO_BELOW);
    });
}
