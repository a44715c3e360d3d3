//! Secrets in paths, addresses, arguments, answers and names reach nothing that is shown or kept.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use portcullis_audit::{Export, Format, Log, LogOptions, Reader, Stats};
use portcullis_classify::{Call, Limits, Operand, Role, Shape, ToolSpec, Toolbox};
use portcullis_gate::{Answer, Behaviour, Cancel, Gate, Moment, Scripted, Settings, Step, StillClock};
use serde_json::json;

use crate::scene::classifier_of;

const SPELLINGS: &str = include_str!("secrets_elsewhere.txt");

/// What stands for each secret, and what of it must not be seen anywhere.
const SECRETS: [(&str, &str, &str); 19] = [
    ("{s}", "Hunter2xq9", "Hunter2"),
    (
        "{ghp}",
        "ghp_0123456789abcdefghijABCDEFGHIJ012345",
        "abcdefghijABC",
    ),
    (
        "{ghpat}",
        "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvw",
        "abcdefghijkl",
    ),
    ("{glpat}", "glpat-ABCdef123456ghiJKL78", "123456ghi"),
    ("{akia}", "AKIAIOSFODNN7EXAMPL3", "IOSFODNN7"),
    ("{skproj}", "sk-proj-abcDEF0123456789abcdWXYZ", "0123456789abcd"),
    ("{sklive}", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "HqLyjWDarj"),
    ("{xoxb}", "xoxb-123456789012-abcdefghijQR", "789012-abc"),
    (
        "{npm}",
        "npm_abcdefghijklmnop0123456789ABCDEFGHIJ",
        "klmnop012345",
    ),
    ("{aiza}", "AIzaSyA-1234567890abcdefghijklmnopqrstu", "7890abcdef"),
    ("{hf}", "hf_AbCdEfGhIjKlMnOpQrStUvWx", "EfGhIjKl"),
    ("{sg}", "SG.abcdefghijklmnop.qrstuvwxyz012345", "efghijklmnop"),
    ("{pypi}", "pypi-AgEIcHlwaS5vcmcCJDU3NTk1", "AgEIcHlwaS5"),
    ("{dop}", "dop_v1_0123456789abcdef0123456789abcdef", "456789abcdef"),
    ("{hvs}", "hvs.CAESIJ1234567890abcdefgh", "CAESIJ12345"),
    (
        "{telegram}",
        "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
        "AAHdqTcvCH1v",
    ),
    (
        "{webhook}",
        "kq7xk29fmz3p81vnt64bwh5cdXYZabcDEF0123456789_-q7xk29fmz3p81vnt64bw",
        "fmz3p81vnt",
    ),
    (
        "{jwt}",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijklmnopqrstuvwx",
        "eyJzdWIi",
    ),
    (
        "{key}",
        "-----BEGIN RSA PRIVATE KEY-----\\nMIIBOgIBAAJBAK\\n-----END RSA PRIVATE KEY-----",
        "MIIBOgIB",
    ),
];

/// A gate over a log on the disk.
struct Told {
    base: PathBuf,
    gate: Gate,
    /// Everything that was shown to somebody.
    shown: Mutex<Vec<String>>,
    _dir: tempfile::TempDir,
}

fn toolbox() -> Toolbox {
    let mut toolbox = Toolbox::standard();
    let fetch = json!({"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]});
    let operand = Operand {
        member: "url".into(),
        role: Role::Url,
        required: true,
    };
    toolbox
        .register(ToolSpec::new("fetch", fetch, vec![operand]).unwrap())
        .unwrap();
    let free = json!({"type": "object", "additionalProperties": true});
    toolbox
        .register(ToolSpec::new("free", free, vec![]).unwrap())
        .unwrap();
    toolbox
}

impl Told {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        for name in ["work", "logs", "outside"] {
            std::fs::create_dir(base.join(name)).unwrap();
        }
        let options = LogOptions {
            path: base.join("logs/audit.jsonl"),
            lock_wait_ms: 1000,
        };
        let mut settings = Settings::for_user("tester");
        settings.breaker.in_a_row = usize::MAX;
        settings.breaker.among_recent = usize::MAX;
        settings.breaker.same_intent = usize::MAX;
        let gate = Gate::new(
            classifier_of(toolbox(), &base.join("work"), Vec::new()),
            Log::open(options).unwrap().log,
            StillClock::at(Moment(0)),
            settings,
        );
        Self {
            base,
            gate,
            shown: Mutex::default(),
            _dir: dir,
        }
    }

    fn show(&self, text: impl Into<String>) {
        self.shown.lock().unwrap().push(text.into());
    }

    /// Submits the bytes of a call in every way, and keeps all that is shown of it.
    fn tell(&self, bytes: &[u8], reason: Option<&str>) {
        let read = || Call::read(bytes, Shape::Portcullis, &Limits::default());
        let answers = [
            Answer::Deny {
                reason: reason.map(str::to_owned),
            },
            Answer::AllowOnce,
        ];
        for answer in answers {
            let call = match read() {
                Ok(call) => call,
                Err(error) => return self.show(format!("{error} {error:?}")),
            };
            self.show(format!("{call:?}"));
            let mut person = Scripted::new([Behaviour::Say(answer)]);
            let ended = self.gate.decide(call, &mut person, &Cancel::new());
            for question in person.asked() {
                self.show(format!("{question:?}"));
                self.show(question.effects.join("\n"));
            }
            self.show(format!("{person:?}"));
            match ended {
                Ok(permit) => {
                    self.show(format!("{permit:?} {:?}", permit.effects()));
                    match portcullis_gate::effects::perform(permit) {
                        // What a tool says of its work is its result, not ours; that it failed is.
                        Ok(result) if result.is_error => self.show(result.text),
                        Ok(_) => {}
                        Err(refusal) => self.show(format!("{refusal} {refusal:?}")),
                    }
                }
                Err(refusal) => {
                    self.show(format!("{refusal} {refusal:?} {:?}", refusal.note()));
                    self.show(refusal.into_tool_result().text);
                }
            }
        }
        if let Ok(call) = read()
            && let Step::Ask(pending) = self.gate.submit(call, &Cancel::new())
        {
            self.show(format!("{pending:?} {:?}", pending.effects()));
        }
    }

    /// What is kept: the log's bytes, its records for a person, and what is handed on.
    fn keep(&self) {
        let path = self.base.join("logs/audit.jsonl");
        self.show(std::fs::read_to_string(&path).unwrap());
        let entries: Vec<_> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
        let mut stats = Stats::default();
        for entry in &entries {
            self.show(format!("{entry} {entry:?}"));
            stats.add(entry);
        }
        for format in [Format::Json, Format::Csv, Format::Otel, Format::Ocsf] {
            let mut out = Vec::new();
            let mut export = Export::new(&mut out, format);
            for entry in &entries {
                export.put(entry).unwrap();
            }
            export.end().unwrap();
            self.show(String::from_utf8(out).unwrap());
        }
        self.show(format!("{stats:?} {:?}", self.gate));
    }
}

fn calls(channel: &str, text: &str) -> Vec<String> {
    let call = |tool: &str, args: serde_json::Value| {
        json!({"id": "c", "tool": tool, "args": args, "cwd": "@WORK@"}).to_string()
    };
    let named = |member: &str| {
        let mut call = json!({"id": "c", "tool": "delete_file", "args": {"path": "there"}, "cwd": "@WORK@"});
        call[member] = text.into();
        vec![call.to_string()]
    };
    match channel {
        "path" => vec![
            call("read_file", json!({"path": text})),
            call("write_file", json!({"path": text, "content": "x"})),
            call(
                "edit_file",
                json!({"path": text, "old_text": "x", "new_text": "y"}),
            ),
            call("list_dir", json!({"path": text})),
            call("move_file", json!({"from": text, "to": "moved"})),
            call("move_file", json!({"from": "there", "to": text})),
            call("make_dir", json!({"path": text})),
            call("delete_file", json!({"path": text, "recursive": true})),
            call("Glob", json!({"pattern": text})),
            call("Grep", json!({"pattern": "x", "path": text})),
        ],
        "url" => vec![
            call("fetch", json!({"url": text})),
            call("WebFetch", json!({"url": text, "prompt": text})),
        ],
        "argument" => ["free", "read_file", "write_file", "run_command", "delete_file"]
            .iter()
            .map(|tool| format!(r#"{{"id":"c","tool":"{tool}","cwd":"@WORK@","args":{text}}}"#))
            .collect(),
        "answer" => vec![call("delete_file", json!({"path": "there"}))],
        "call" => named("id"),
        "session" | "agent" | "tool" => named(channel),
        "member" => {
            let mut call =
                json!({"id": "c", "tool": "delete_file", "args": {"path": "there"}, "cwd": "@WORK@"});
            call[text] = 1.into();
            vec![call.to_string()]
        }
        other => panic!("no channel {other}"),
    }
}

/// The text of a line of the table, and whether any of its secrets is in there at all.
fn spelt(channel: &str, spelling: &str) -> String {
    let mut text = spelling.to_owned();
    for (place, secret, _) in SECRETS {
        text = text.replace(place, secret);
    }
    assert!(text != spelling, "{spelling}");
    // In JSON a line feed is spelt so already.
    match channel {
        "argument" => text,
        _ => text.replace("\\n", "\n"),
    }
}

/// What of the secrets is in what was shown, with what is around it.
fn traces(shown: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for text in shown {
        for (_, _, trace) in SECRETS {
            if let Some((before, after)) = text.split_once(trace) {
                let before: String = before.chars().rev().take(80).collect();
                let before: String = before.chars().rev().collect();
                let after: String = after.chars().take(40).collect();
                found.push(format!("...{before}{trace}{after}..."));
            }
        }
    }
    found
}

#[test]
fn no_spelling_reaches_what_is_shown_or_kept() {
    let told = Told::new();
    let work = told.base.join("work");
    let outside = told.base.join("outside");
    let (mut leaks, mut tried) = (Vec::new(), BTreeMap::new());
    for line in SPELLINGS.lines().filter(|line| !line.starts_with('#')) {
        let (channel, spelling) = line.split_once(' ').unwrap();
        let text = spelt(channel, spelling).replace("/outside", outside.to_str().unwrap());
        std::fs::write(work.join("there"), "x").unwrap();
        if channel == "path" && !text.contains(':') {
            drop(std::fs::create_dir_all(work.join(&text)));
        }
        for call in calls(channel, &text) {
            let reason = (channel == "answer").then_some(text.as_str());
            told.tell(call.replace("@WORK@", work.to_str().unwrap()).as_bytes(), reason);
        }
        let shown = std::mem::take(&mut *told.shown.lock().unwrap());
        assert!(!shown.is_empty());
        leaks.extend(
            traces(&shown)
                .into_iter()
                .map(|trace| format!("{line}\n    {trace}")),
        );
        *tried.entry(channel).or_insert(0) += 1;
    }
    told.keep();
    leaks.extend(traces(&told.shown.lock().unwrap()));
    assert!(leaks.is_empty(), "{} leaks\n{}", leaks.len(), leaks.join("\n"));
    assert!(tried.values().sum::<usize>() >= 175, "{tried:?}");
}
