//! Several processes and killed ones: the test binary starts itself again as a child.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use portcullis_trust::{Save, Store};

use crate::scene::Scene;

/// Tells a child what to do: `COUNT NAME PATH`.
const ORDER: &str = "TRUST_TEST_ORDER";
const CHILD: &str = "processes::child";

/// Not a test of its own: what a child process does. It says each number once the decision is saved.
#[test]
fn child() {
    let Some(order) = std::env::var_os(ORDER) else {
        return;
    };
    let order = order.into_string().unwrap();
    let [count, name, path] = order.splitn(3, ' ').collect::<Vec<_>>()[..] else {
        panic!("no order: {order}");
    };
    let store = Store::new(path);
    for at in 0..count.parse::<usize>().unwrap() {
        store.save(&[(&directory(name, at), Save::Yes)]).unwrap();
        println!("\nSAVED {at}");
    }
}

fn directory(name: &str, at: usize) -> PathBuf {
    PathBuf::from(format!("/{name}/{at}"))
}

fn start(count: usize, name: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([CHILD, "--exact", "--nocapture"])
        .env(ORDER, format!("{count} {name} {}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn two_processes_that_save_at_once_lose_nothing() {
    const EACH: usize = 500;
    let scene = Scene::empty();
    scene.stored(b"{}");
    let mut children = ["a", "b"].map(|name| start(EACH, name, scene.store.path()));
    for child in &mut children {
        // Read to the end, so that the pipe is never full.
        let said = BufReader::new(child.stdout.take().unwrap()).lines();
        let saved = said
            .map_while(Result::ok)
            .filter(|line| line.starts_with("SAVED"))
            .count();
        assert!(child.wait().unwrap().success());
        assert_eq!(saved, EACH);
    }
    assert_eq!(scene.store.load().unwrap().iter().count(), 2 * EACH);
}

#[test]
fn a_process_that_is_killed_leaves_the_old_file_or_the_new_one() {
    let scene = Scene::empty();
    scene.stored(b"{}");
    let mut known = 0;
    for round in 0..12 {
        let name = format!("r{round}");
        let mut child = start(10_000, &name, scene.store.path());
        let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut saved = 0;
        // Another number of saves each round, and an end at whatever it does next.
        for line in said.by_ref().map_while(Result::ok) {
            saved += usize::from(line.starts_with("SAVED"));
            if saved > round {
                break;
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let more = said
            .map_while(Result::ok)
            .filter(|line| line.starts_with("SAVED"))
            .count();
        let found: Vec<_> = scene
            .store
            .load()
            .unwrap()
            .iter()
            .filter(|(directory, _)| directory.starts_with(format!("/{name}")))
            .map(|(_, is_trusted)| is_trusted)
            .collect();
        let told = saved + more;
        assert!(
            (told..=told + 1).contains(&found.len()),
            "{told} told, {} found",
            found.len()
        );
        known += found.len();
        assert_eq!(scene.store.load().unwrap().iter().count(), known);
        // What Pi's kind of lock leaves behind would be waited for until it is old.
        let mut lock = scene.store.path().as_os_str().to_owned();
        lock.push(".lock");
        if let Ok(lock) = std::fs::File::open(&lock) {
            lock.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
        }
    }
}
