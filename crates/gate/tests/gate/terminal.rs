//! The whole way, with a person at a pseudo-terminal.

use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;

use portcullis_gate::{Moment, Permit, Refusal, RefusalKind, StillClock, Terminal, effects};
use rstest::rstest;
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use serde_json::json;

use crate::scene::Scene;

/// The person's side of a new pseudo-terminal, and the device.
fn pair() -> (OwnedFd, OwnedFd) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&person).unwrap();
    unlockpt(&person).unwrap();
    let device = ioctl_tiocgptpeer(&person, OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    (person, device)
}

/// Reads the screen up to the prompt, then types.
fn answer(person: &OwnedFd, keys: &[u8]) -> String {
    let mut screen = String::new();
    while !screen.contains("\n  > ") {
        let mut buffer = [0_u8; 4096];
        let length = rustix::io::read(person, &mut buffer).unwrap();
        screen.push_str(&String::from_utf8_lossy(&buffer[..length]));
    }
    rustix::io::write(person, keys).unwrap();
    screen
}

/// Submits a deletion, types `keys` when the question stands there, and returns the screen as well.
fn delete_asking(scene: &Scene, keys: &[u8]) -> (Result<Permit, Refusal>, String) {
    let (person, device) = pair();
    let mut terminal = Terminal::from_fd(device.try_clone().unwrap(), scene.clock.clone()).unwrap();
    let call = scene.call("delete_file", json!({"path": "link/cache", "recursive": true}));
    let (gate, cancel) = (scene.gate.clone(), scene.cancel.clone());
    let deciding = thread::spawn(move || gate.decide(call, &mut terminal, &cancel));
    let screen = answer(&person, keys);
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
         it would remove 1 file of 1 bytes; Git does not have it\r\n  \
         because deletes what cannot be brought back (rule delete, built-in)\r\n  \
         60 seconds to answer; silence is no\r\n  \
         a + Enter: allow once     anything else + Enter: no\r\n  \
         g + Enter: allow this and exactly the same again, for one hour\r\n      \
         or g 8h, g session (a day), g below DIR\r\n      \
         where DIR is {work}build/cache\r\n                \
         or {work}build\r\n                \
         or {}\r\n  > ",
        work.trim_end_matches('/')
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

const PLAY: &str = "PORTCULLIS_GATE_TERMINAL_PLAY";

/// This test again, in a process of its own.
fn command(part: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["terminal::a_part_in_another_process", "--exact", "--nocapture"])
        .env(PLAY, part)
        .stdout(Stdio::null());
    command
}

/// The same with `device` as its standard input.
fn play(part: &str, device: OwnedFd) -> Child {
    command(part).stdin(device).spawn().unwrap()
}

/// Runs only in a process that [`play`] started; for the harness it is an empty test.
#[test]
fn a_part_in_another_process() {
    let Ok(part) = std::env::var(PLAY) else {
        return;
    };
    if part == "in background" {
        let scene = with_a_tree();
        let mut terminal = Terminal::open(scene.clock.clone()).unwrap();
        let call = scene.call("delete_file", json!({"path": "build", "recursive": true}));
        let refusal = scene.gate.decide(call, &mut terminal, &scene.cancel).unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::NoApprover);
        return;
    }
    // A session of its own has no controlling terminal until it takes one.
    rustix::process::setsid().unwrap();
    if part == "without" {
        assert!(Terminal::open(StillClock::at(Moment(0))).is_none());
        return;
    }
    rustix::process::ioctl_tiocsctty(std::io::stdin()).unwrap();
    if part == "leads" {
        let mut job = command("in background");
        assert!(job.process_group(0).status().unwrap().success());
        return;
    }
    let scene = with_a_tree();
    let mut terminal = Terminal::open(scene.clock.clone()).unwrap();
    let call = scene.call("delete_file", json!({"path": "build", "recursive": true}));
    let permit = scene.gate.decide(call, &mut terminal, &scene.cancel);
    assert_eq!(permit.is_ok(), part == "allows", "{permit:?}");
}

#[rstest]
#[case::allows("allows", b"a\r")]
#[case::refuses("refuses", b"n\r")]
fn the_controlling_terminal_is_asked(#[case] part: &str, #[case] keys: &[u8]) {
    let (person, device) = pair();
    let mut child = play(part, device);
    let screen = answer(&person, keys);
    assert!(screen.contains("The agent asks to run delete_file"), "{screen}");
    assert!(child.wait().unwrap().success());
}

/// Writing to the terminal or reading from it would stop the process, and with it every deadline.
#[test]
fn from_the_background_nobody_is_asked() {
    let (_person, device) = pair();
    assert!(play("leads", device).wait().unwrap().success());
}

#[test]
fn without_a_controlling_terminal_there_is_nobody() {
    let (_person, device) = pair();
    assert!(play("without", device).wait().unwrap().success());
}
