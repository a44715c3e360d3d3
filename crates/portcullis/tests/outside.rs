//! R15: no refusal tells what exists outside. Pairs of trees that differ in nothing but what is outside the workspace give
//! the model the same answers, byte for byte; only the question, which a person sees, may differ.
//!
//! Links from outside back into the workspace are no such difference: they are part of it. So are links from outside to what
//! is protected, which is denied whatever leads there.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use portcullis::{
    Ambient, Answer, Approver, Builder, Call, Cancel, Gate, Limits, Moment, Question, Reply, Shape,
    StillClock, Toolbox, config,
};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// Somebody who says no, or nobody at all.
struct Stern {
    is_there: bool,
    asked: usize,
}

impl Approver for Stern {
    fn ask(&mut self, question: &Question, _cancel: &Cancel) -> Reply {
        self.asked += 1;
        if !self.is_there {
            return Reply::HungUp;
        }
        Reply::Answer {
            question: question.id.clone(),
            answer: Answer::Deny { reason: None },
            reviewer: false,
        }
    }
}

#[derive(Debug, Clone)]
struct Entry {
    names: Vec<&'static str>,
    kind: &'static str,
}

fn entry() -> impl Strategy<Value = Entry> {
    let names = prop::collection::vec(select(vec!["a", "b", "c"]), 1..4);
    let kinds = vec!["dir", "file", "loop", "away", "nowhere"];
    (names, select(kinds)).prop_map(|(names, kind)| Entry { names, kind })
}

struct Tree {
    _dir: tempfile::TempDir,
    top: PathBuf,
}

impl Tree {
    fn new(outside: &[Entry]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = fs::canonicalize(dir.path()).unwrap();
        for place in ["work/src", "outside", "state", "home"] {
            fs::create_dir_all(top.join(place)).unwrap();
        }
        fs::write(top.join("work/notes.md"), "x").unwrap();
        fs::write(top.join("work/src/a.rs"), "x").unwrap();
        symlink("../outside/a", top.join("work/ln")).unwrap();
        symlink(top.join("outside/b/c"), top.join("work/far")).unwrap();
        for Entry { names, kind } in outside {
            let path = top.join("outside").join(names.join("/"));
            // Whatever does not fit what is there already is left out.
            let _made = fs::create_dir_all(path.parent().unwrap()).and_then(|()| match *kind {
                "dir" => fs::create_dir(&path),
                "loop" => symlink(&path, &path),
                "away" => symlink("/usr", &path),
                "nowhere" => symlink("not-there", &path),
                _ => fs::write(&path, "secret"),
            });
        }
        Self { _dir: dir, top }
    }

    fn gate(&self, policy: &str) -> Gate {
        let user = config::parse_user(&self.fill(policy), "policy.toml").unwrap();
        let builder = Builder::new(Ambient::empty().with_home(self.top.join("home")))
            .workspace(self.top.join("work"))
            .audit_log(&self.top.join("state/audit.jsonl"))
            .toolbox(Toolbox::standard())
            .user(user);
        builder.gate(StillClock::at(Moment(0))).unwrap().gate
    }

    fn fill(&self, text: &str) -> String {
        text.replace("{T}", self.top.to_str().unwrap())
    }

    /// What the model is told, with the tree's own place taken out again.
    fn told(&self, gate: &Gate, (tool, args): &(&str, Value), stern: &mut Stern) -> String {
        let args: Value = serde_json::from_str(&self.fill(&args.to_string())).unwrap();
        let cwd: &Path = &self.top.join("work");
        let text = json!({"id": "1", "tool": tool, "args": args, "cwd": cwd}).to_string();
        let call = Call::read(text.as_bytes(), Shape::Portcullis, &Limits::default()).unwrap();
        // Each call is a run of its own: the breaker tells, on purpose, that the same thing was refused before.
        gate.new_run();
        match gate.decide(call, stern, &Cancel::new()) {
            Ok(_permit) => "permitted".to_owned(),
            Err(refusal) => {
                let code = refusal.kind().code();
                let text = refusal.into_tool_result().text;
                format!("{code}: {text}").replace(self.top.to_str().unwrap(), "{T}")
            }
        }
    }
}

fn path() -> impl Strategy<Value = String> {
    let start = select(vec![
        "../outside/",
        "{T}/outside/",
        "ln/",
        "far/",
        "ln",
        "far",
        "src/../../outside/",
        "~/../outside/",
        "{T}/work/../outside/",
        "{T}/outside/../outside/",
    ]);
    let part = select(vec![
        "a",
        "b",
        "c",
        "a/",
        "..",
        ".",
        "../work/notes.md",
        "../../work/src",
        "*",
        "missing",
    ]);
    (start, prop::collection::vec(part, 0..4))
        .prop_map(|(start, parts)| format!("{start}{}", parts.join("/")))
}

fn call() -> impl Strategy<Value = (&'static str, Value)> {
    (path(), path(), 0_usize..16).prop_map(|(one, two, tool)| match tool {
        0 => ("read_file", json!({"path": one})),
        1 => ("write_file", json!({"path": one, "content": "x"})),
        2 => (
            "edit_file",
            json!({"path": one, "old_text": "x", "new_text": "y"}),
        ),
        3 => ("delete_file", json!({"path": one})),
        4 => ("delete_file", json!({"path": one, "recursive": true})),
        5 => ("move_file", json!({"from": one, "to": two})),
        6 => ("move_file", json!({"from": "notes.md", "to": two})),
        7 => ("make_dir", json!({"path": one})),
        8 => ("list_dir", json!({"path": one})),
        9 => ("search", json!({"pattern": "x", "path": one})),
        10 => ("Read", json!({"file_path": one})),
        11 => (
            "Edit",
            json!({"file_path": one, "old_string": "x", "new_string": "y"}),
        ),
        12 => ("Glob", json!({"pattern": one})),
        13 => ("Grep", json!({"pattern": "x", "path": one, "glob": "*.rs"})),
        14 => ("read", json!({"path": one})),
        _ => ("ls", json!({"path": one})),
    })
}

const POLICIES: [&str; 5] = [
    "version = 1",
    "version = 1\n[zones]\ndeny_read = [\"{T}/outside/a\"]",
    "version = 1\n[zones]\ndeny_write = [\"{T}/outside/c\"]",
    "version = 1\n[[rule]]\nid = \"r\"\nunder = \"{T}/outside/b\"\nrisk = \"deny\"\nbecause = \"x\"",
    "version = 1\notherwise = \"deny\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn what_exists_outside_is_told_to_nobody_but_a_person(
        here in prop::collection::vec(entry(), 0..6),
        there in prop::collection::vec(entry(), 0..6),
        calls in prop::collection::vec(call(), 12),
        policy in select(POLICIES.to_vec()),
        is_there in any::<bool>(),
    ) {
        // A link in the place that a rule names would make another rule of it.
        let fits = |entry: &Entry| {
            let named = ![POLICIES[0], POLICIES[4]].contains(&policy) && entry.names.len() == 1;
            !named || matches!(entry.kind, "dir" | "file")
        };
        let [here, there] = [here, there].map(|side| side.into_iter().filter(fits).collect::<Vec<_>>());
        let trees = [Tree::new(&here), Tree::new(&there)];
        let gates = [trees[0].gate(policy), trees[1].gate(policy)];
        for call in &calls {
            let told = [0, 1].map(|at| {
                let mut stern = Stern { is_there, asked: 0 };
                let told = trees[at].told(&gates[at], call, &mut stern);
                (told, stern.asked)
            });
            prop_assert_eq!(&told[0], &told[1], "{:?}", call);
        }
    }
}
