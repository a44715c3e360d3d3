//! Several processes, killed processes, full disks: the test binary starts itself again as a child.

#![expect(clippy::expect_used, reason = "a test that cannot start its children fails")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use portcullis_audit::{Log, Reader, verify};

use crate::common::{NOW, open, options, permitted, place};

/// Tells a child what to do: `append COUNT NAME PATH`.
const ORDER: &str = "AUDIT_TEST_ORDER";
const CHILD: &str = "processes::child";

/// Not a test of its own: what a child process does. It says each sequence number once the record is durable.
#[test]
fn child() {
    let Some(order) = std::env::var_os(ORDER) else {
        return;
    };
    let order = order.into_string().unwrap();
    let [count, name, path] = order.splitn(3, ' ').collect::<Vec<_>>()[..] else {
        panic!("no order: {order}");
    };
    let log = Log::open(options(Path::new(path))).unwrap().log;
    let mut out = std::io::stdout().lock();
    for at in 0..count.parse::<u64>().unwrap() {
        match log.append(NOW, &permitted(&format!("{name}-{at}"))) {
            Ok(receipt) => writeln!(out, "\nACK {} {name}-{at}", receipt.sequence).unwrap(),
            Err(error) => writeln!(out, "\nERR {:?}", error.kind()).unwrap(),
        }
        out.flush().unwrap();
    }
}

fn order(command: &mut Command, count: u64, name: &str, path: &Path) -> Child {
    command
        .env(ORDER, format!("{count} {name} {}", path.display()))
        .env("RUST_TEST_THREADS", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the test binary runs")
}

fn start(count: u64, name: &str, path: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("the test binary has a name"));
    order(command.args([CHILD, "--exact", "--nocapture"]), count, name, path)
}

/// What a child said, up to its end: (acknowledged, errors).
fn said(child: &mut Child) -> (Vec<(u64, String)>, Vec<String>) {
    let (mut acknowledged, mut errors) = (Vec::new(), Vec::new());
    let lines = BufReader::new(child.stdout.take().expect("stdout is a pipe")).lines();
    for line in lines.map_while(Result::ok) {
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next()) {
            (Some("ACK"), Some(sequence), Some(call)) => {
                acknowledged.push((sequence.parse().unwrap_or_default(), call.to_owned()));
            }
            (Some("ERR"), Some(kind), None) => errors.push(kind.to_owned()),
            _ => {}
        }
    }
    (acknowledged, errors)
}

fn calls(path: &Path) -> Vec<(u64, String)> {
    Reader::open(path)
        .expect("the log opens")
        .map(|entry| entry.expect("every record holds"))
        .map(|entry| {
            (
                entry.sequence().unwrap_or_default(),
                entry.text("call").unwrap_or_default().to_owned(),
            )
        })
        .collect()
}

#[test]
fn processes_share_one_log_without_loss() {
    const EACH: u64 = 200;
    let (_directory, path) = place();
    let mut children = ["a", "b", "c", "d"].map(|name| start(EACH, name, &path));
    let mut acknowledged = Vec::new();
    for child in &mut children {
        let (mut records, errors) = said(child);
        assert_eq!(errors, Vec::<String>::new());
        assert_eq!(records.len() as u64, EACH);
        assert!(child.wait().unwrap().success());
        acknowledged.append(&mut records);
    }
    acknowledged.sort();
    assert_eq!(calls(&path), acknowledged);
    let found = verify(&path).unwrap();
    assert_eq!((found.good, found.fault, found.torn), (4 * EACH, None, false));
}

/// How long the many writers write, in seconds; a moment in CI, ten once.
const SECONDS: &str = "PORTCULLIS_WRITERS_SECONDS";

#[test]
fn sixty_four_writers_lose_and_mix_nothing() {
    let (_directory, path) = place();
    let seconds = std::env::var(SECONDS).map_or(0.5, |seconds| seconds.parse::<f64>().unwrap());
    let end = std::time::Instant::now() + std::time::Duration::from_secs_f64(seconds);
    // As many open logs as threads on each, and files that change under all of them.
    let logs: Vec<Log> = (0..8).map(|_| open(&path).log.rotating_at(200_000)).collect();
    let acknowledged = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for (writer, log) in logs.iter().cycle().take(64).enumerate() {
            let acknowledged = &acknowledged;
            scope.spawn(move || {
                let mut mine = Vec::new();
                while mine.is_empty() || std::time::Instant::now() < end {
                    let call = format!("w{writer}-{}", mine.len());
                    mine.push((log.append(NOW, &permitted(&call)).unwrap().sequence, call));
                }
                // What one thread records stands in the order in which it did.
                assert!(mine.is_sorted_by_key(|(sequence, _)| *sequence));
                acknowledged.lock().unwrap().append(&mut mine);
            });
        }
    });
    let mut acknowledged = acknowledged.into_inner().unwrap();
    acknowledged.sort();
    let mut kept = calls(&path);
    // The records that carry the chain on are about no call.
    kept.retain(|(_, call)| !call.is_empty());
    assert_eq!(kept, acknowledged);
    assert_eq!(verify(&path).unwrap().fault, None);
    println!("{} records of 64 writers", acknowledged.len());
}

#[test]
fn threads_and_open_logs_share_one_file_without_loss() {
    let (_directory, path) = place();
    let (one, two) = (open(&path).log, open(&path).log);
    std::thread::scope(|scope| {
        for log in [&one, &one, &two, &two] {
            scope.spawn(move || {
                for _ in 0..50 {
                    log.append(NOW, &permitted("x")).unwrap();
                }
            });
        }
    });
    let found = verify(&path).unwrap();
    assert_eq!((found.good, found.fault, found.torn), (200, None, false));
}

#[test]
fn a_killed_writer_loses_nothing_it_acknowledged() {
    let (_directory, path) = place();
    let mut acknowledged = Vec::new();
    for seed in 0..30_usize {
        let mut child = start(100_000, &format!("k{seed}"), &path);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // The pipe sets the moment: so many acknowledgements, then the kill lands wherever the child is by then.
        let mut left = 1 + seed * 7 % 23;
        let mut take = |line: &str| {
            let acknowledgement = line.strip_prefix("ACK ").and_then(|rest| rest.split_once(' '));
            if let Some((sequence, call)) = acknowledgement {
                acknowledged.push((sequence.parse::<u64>().unwrap(), call.to_owned()));
                return true;
            }
            false
        };
        while left > 0 {
            let line = lines.next().expect("the child goes on").unwrap();
            left -= usize::from(take(&line));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        for line in lines.map_while(Result::ok) {
            take(&line);
        }

        let before = verify(&path).unwrap();
        assert_eq!(before.fault, None, "seed {seed}");
        let opened = open(&path);
        assert_eq!(opened.torn.is_some(), before.torn, "seed {seed}");
        let receipt = opened
            .log
            .append(NOW, &permitted(&format!("after-{seed}")))
            .unwrap();
        acknowledged.push((receipt.sequence, format!("after-{seed}")));
        let kept = calls(&path);
        assert!(
            acknowledged.iter().all(|record| kept.contains(record)),
            "seed {seed}"
        );
        // The one record that may be there without its acknowledgement is the one the kill fell behind.
        assert!(kept.len() <= acknowledged.len() + seed + 1, "seed {seed}");
    }
    assert_eq!(verify(&path).unwrap().fault, None);
}

#[test]
fn a_full_disk_refuses_and_leaves_the_chain_whole() {
    let (_directory, path) = place();
    // A limit on the file's size, in blocks of 512 bytes, fails in the middle of a write as a full disk does.
    let mut command = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    command
        .args(["-c", script])
        .arg(std::env::current_exe().unwrap())
        .args([CHILD, "--exact", "--nocapture"]);
    let mut child = order(&mut command, 40, "full", &path);
    let (acknowledged, errors) = said(&mut child);
    assert!(child.wait().unwrap().success());
    assert!(
        acknowledged.len() > 2 && errors.len() > 2,
        "{} written, {errors:?}",
        acknowledged.len()
    );
    assert!(errors.iter().all(|kind| kind == "Io"), "{errors:?}");
    assert_eq!(calls(&path), acknowledged);
    let found = verify(&path).unwrap();
    assert_eq!((found.fault, found.torn), (None, false));
    let next = open(&path).log.append(NOW, &permitted("room again")).unwrap();
    assert_eq!(next.sequence, acknowledged.len() as u64 + 1);
}
