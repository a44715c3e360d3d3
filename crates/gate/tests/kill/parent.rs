//! The one that kills.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::aftermath;
use crate::child::{ROUNDS, SCENE, WAITS};

/// When the child dies.
pub(crate) enum Stop {
    /// At the point of that number, from 1; the child waits there.
    AtPoint(u64),
    /// That long after it said its line of that number, while it runs on.
    Running { line: u64, spin_us: u64 },
    /// At its own end.
    Never,
}

/// Lets a child live in a fresh scene, kills it, and checks what it left.
pub(crate) fn kill(seed: u64, stop: &Stop) {
    let dir = tempfile::tempdir().unwrap();
    let scene = dir.path().canonicalize().unwrap();
    prepare(&scene);
    let mut child = start(&scene, matches!(stop, Stop::AtPoint(_)));
    let reached = live(&mut child, stop);
    let status = child.wait().unwrap();
    let ended = (status.signal(), status.code());
    let (killed, done) = ((Some(9), None), (None, Some(0)));
    let as_meant = match stop {
        Stop::AtPoint(_) => ended == killed,
        Stop::Never => ended == done,
        // A fast child may be done before its time is up.
        Stop::Running { .. } => ended == killed || ended == done,
    };
    assert!(as_meant, "seed {seed}: {status}");
    aftermath::check(&scene, &format!("seed {seed} after {reached:?}"));
}

fn prepare(scene: &Path) {
    let work = scene.join("work");
    std::fs::create_dir(&work).unwrap();
    for number in 0..ROUNDS {
        std::fs::write(work.join(format!("file{number}")), "old").unwrap();
        for branch in ["a", "b/c", "b/d"] {
            let tree = work.join(format!("tree{number}")).join(branch);
            std::fs::create_dir_all(&tree).unwrap();
            std::fs::write(tree.join("leaf"), "old").unwrap();
        }
    }
}

fn start(scene: &Path, waits: bool) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["child::child", "--exact", "--nocapture", "--test-threads=1"])
        .env(SCENE, scene)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if waits {
        command.env(WAITS, "1");
    }
    command.spawn().unwrap()
}

/// Follows the child to its stop and kills it there, before its pipes close: it must not notice. Returns the points
/// it reached.
fn live(child: &mut Child, stop: &Stop) -> Vec<String> {
    let mut reached = Vec::new();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut go = child.stdin.take().unwrap();
    for line in lines {
        let line = line.unwrap();
        let point = line
            .strip_prefix("point ")
            .unwrap_or_else(|| panic!("the child says `{line}`"));
        reached.push(point.to_owned());
        let count = u64::try_from(reached.len()).unwrap();
        match stop {
            Stop::AtPoint(at) if count == *at => {
                child.kill().unwrap();
                return reached;
            }
            Stop::AtPoint(_) => go.write_all(b"g").unwrap(),
            Stop::Running { line, spin_us } if count == *line => {
                let start = Instant::now();
                while start.elapsed() < Duration::from_micros(*spin_us) {
                    std::hint::spin_loop();
                }
                child.kill().unwrap();
                return reached;
            }
            Stop::Running { .. } | Stop::Never => {}
        }
    }
    assert!(
        matches!(stop, Stop::Never),
        "the child ended by itself after {reached:?}"
    );
    reached
}
