//! Many gates at one log: processes, and threads in each.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use portcullis_audit::{Reader, reconcile, verify};
use portcullis_gate::{Moment, StillClock};

use super::{Hard, gate_of, log_path, open};

/// How long they work, in seconds; a moment in CI, ten once.
const SECONDS: &str = "PORTCULLIS_WRITERS_SECONDS";
const SCENE: &str = "PORTCULLIS_GATE_WRITERS_SCENE";
const NAME: &str = "PORTCULLIS_GATE_WRITERS_NAME";

const PROCESSES: usize = 4;
const THREADS: usize = 16;

fn seconds() -> f64 {
    std::env::var(SECONDS).map_or(0.4, |seconds| seconds.parse().unwrap())
}

/// Not a test of its own: what each process does. It says how many of its calls ran.
#[test]
fn child() {
    let Some(base) = std::env::var_os(SCENE).map(PathBuf::from) else {
        return;
    };
    let name = std::env::var(NAME).unwrap();
    let end = Instant::now() + Duration::from_secs_f64(seconds());
    let ran: usize = std::thread::scope(|scope| {
        // Two gates, each of half of the threads, as two agents of one program would have.
        let hards: Vec<Hard> = (0..2)
            .map(|_| {
                let log = open(&log_path(&base), 60_000).unwrap().rotating_at(400_000);
                Hard {
                    gate: gate_of(&base, log, StillClock::at(Moment(0))),
                    base: base.clone(),
                }
            })
            .collect();
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let (base, name) = (base.clone(), name.clone());
                let gate = hards[thread % 2].gate.clone();
                scope.spawn(move || {
                    let hard = Hard { gate, base };
                    let mut ran = 0;
                    while ran == 0 || Instant::now() < end {
                        assert_eq!(hard.tried(&format!("{name}-{thread}-{ran}")), Ok(()));
                        ran += 1;
                    }
                    ran
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("\nRAN {ran}");
}

fn start(base: &std::path::Path, name: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["hardship::writers::child", "--exact", "--nocapture"])
        .env(SCENE, base)
        .env(NAME, name)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn sixty_four_writers_lose_and_mix_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let hard = Hard::below(dir.path());
    let children: Vec<Child> = (0..PROCESSES)
        .map(|process| start(&hard.base, &format!("p{process}")))
        .collect();
    let mut ran = 0;
    for child in children {
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        let line = said.lines().find_map(|line| line.strip_prefix("RAN ")).unwrap();
        ran += line.parse::<u64>().unwrap();
    }
    let found = verify(&hard.log()).unwrap();
    assert_eq!((found.fault, found.torn), (None, false));
    let entries = Reader::open(&hard.log()).unwrap().map(Result::unwrap);
    let changes = entries
        .filter(|entry| entry.text("kind") == Some("continued"))
        .count();
    // Asked, decided, finished; and one for each change of files.
    assert_eq!(found.good, 3 * ran + u64::try_from(changes).unwrap());
    let books = reconcile(&hard.log()).unwrap();
    assert_eq!(books.violations, Vec::<String>::new());
    assert_eq!((books.submitted, books.finished.done), (ran, ran));
    assert!(books.unfinished.is_empty() && books.undecided.is_empty());
    println!(
        "{} records of {} writers, {changes} changes of files",
        found.good,
        PROCESSES * THREADS
    );
}
