//! The whole way, with a person at a pseudo-terminal.

use std::os::fd::OwnedFd;
use std::thread;

use portcullis_gate::{Permit, Refusal, RefusalKind, Terminal, effects};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use serde_json::json;

use crate::scene::Scene;

/// Submits a deletion, types `keys` when the question stands there, and returns the screen as well.
fn delete_asking(scene: &Scene, keys: &[u8]) -> (Result<Permit, Refusal>, String) {
    let person: OwnedFd = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let device = ioctl_tiocgptpeer(&person, OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    let mut terminal = Terminal::from_fd(device.try_clone().unwrap(), scene.clock.clone()).unwrap();
    let call = scene.call("delete_file", json!({"path": "link/cache", "recursive": true}));
    let (gate, cancel) = (scene.gate.clone(), scene.cancel.clone());
    let deciding = thread::spawn(move || gate.decide(call, &mut terminal, &cancel));
    let mut screen = String::new();
    while !screen.contains("\n  > ") {
        let mut buffer = [0_u8; 4096];
        let length = rustix::io::read(&person, &mut buffer).unwrap();
        screen.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
    rustix::io::write(&person, keys).unwrap();
    let result = deciding.join().unwrap();
    drop(device);
    (result, screen)
}

fn with_a_tree() -> Scene {
    let scene = Scene::new();
    scene.file("build/cache/a", "x");
    std::os::unix::fs::symlink("build", scene.work("link")).unwrap();
    scene
}

#[test]
fn a_deletion_is_shown_asked_about_and_done() {
    let scene = with_a_tree();
    let (permit, screen) = delete_asking(&scene, b"a\r");
    let work = scene.work("").display().to_string();
    let expected = format!(
        "\r\nThe agent asks to run delete_file (call c1):\r\n  \
         delete {work}build/cache and everything below it, through the link {work}link\r\n  \
         because deletes what cannot be brought back (rule delete, built-in)\r\n  \
         60 seconds to answer; silence is no\r\n  \
         a + Enter: allow once     anything else + Enter: no\r\n  > "
    );
    assert_eq!(screen, expected);
    assert!(!effects::perform(permit.unwrap()).unwrap().is_error);
    assert!(!scene.is_there("build/cache"));
    assert_eq!(scene.words(), ["asked", "permitted by Human", "done"]);
}

#[test]
fn a_deletion_that_is_not_allowed_leaves_everything() {
    let scene = with_a_tree();
    let (permit, _) = delete_asking(&scene, b"\r");
    assert_eq!(permit.unwrap_err().kind(), RefusalKind::DeniedByHuman);
    assert!(scene.is_there("build/cache/a"));
    assert_eq!(scene.words(), ["asked", "refused denied_by_human by Human"]);
}
