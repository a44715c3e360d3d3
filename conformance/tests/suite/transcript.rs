//! Replays the transcript of PROTOCOL.md against the reference subject.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{PROGRAM, folder};

/// Names in the transcript that stand for something found out on the way.
struct Names(Vec<(&'static str, String)>);

impl Names {
    fn fill(&self, line: &str) -> String {
        self.0
            .iter()
            .fold(line.to_owned(), |line, (name, value)| line.replace(name, value))
    }
}

#[test]
fn the_transcript_is_what_happens() {
    let text = std::fs::read_to_string(folder().join("PROTOCOL.md")).unwrap();
    let (_, rest) = text.split_once("```transcript\n").unwrap();
    let (transcript, _) = rest.split_once("```").unwrap();
    let place = tempfile::tempdir().unwrap();
    let place = place.path().canonicalize().unwrap();
    for name in [
        "root/workspace/src",
        "root/home",
        "ctl/config",
        "ctl/state",
        "ctl/staged-0",
    ] {
        std::fs::create_dir_all(place.join(name)).unwrap();
    }
    let listener = UnixListener::bind(place.join("ctl/ap.sock")).unwrap();
    let mut child = Command::new(PROGRAM)
        .arg("straw")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut channel: Option<BufReader<UnixStream>> = None;
    let at = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let mut names = Names(vec![("$ROOT", at("root")), ("$CTL", at("ctl"))]);
    let mut lines = 0;
    for line in transcript.lines() {
        let (side, said) = line.split_once(' ').unwrap();
        match side {
            ">" => writeln!(stdin, "{}", names.fill(said)).unwrap(),
            "<" => {
                let seen: Value = serde_json::from_str(&stdout.next().unwrap().unwrap()).unwrap();
                if said.contains("$CAPS") {
                    names.0.push(("$CAPS", seen["hello"]["capabilities"].to_string()));
                }
                let expected: Value = serde_json::from_str(&names.fill(said)).unwrap();
                assert_eq!(seen, expected, "{line}");
            }
            "A<" => {
                let mut reader = BufReader::new(listener.accept().unwrap().0);
                let mut seen = String::new();
                reader.read_line(&mut seen).unwrap();
                let seen: Value = serde_json::from_str(&seen).unwrap();
                names
                    .0
                    .push(("$ASK", seen["ask"]["id"].as_str().unwrap().to_owned()));
                let expected: Value = serde_json::from_str(&names.fill(said)).unwrap();
                assert_eq!(seen, expected, "{line}");
                channel = Some(reader);
            }
            "A>" => {
                let channel = channel.as_mut().unwrap().get_mut();
                writeln!(channel, "{}", names.fill(said)).unwrap();
            }
            other => panic!("`{other}` begins no line of a transcript"),
        }
        lines += 1;
    }
    assert!(lines > 10, "the transcript was not found");
    assert_eq!(
        stdout.next().map(Result::unwrap),
        None,
        "more than the transcript says"
    );
    assert!(child.wait().unwrap().success());
    assert!(!place.join("root/workspace/src/a.txt").exists());
    let log = std::fs::read_to_string(place.join("ctl/audit.jsonl")).unwrap();
    assert_eq!(log.lines().filter(|line| line.contains("\"decided\"")).count(), 4);
}
