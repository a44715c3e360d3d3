//! From configuration to verdicts: what a broken layer means, what a project may do, and what nobody may touch.
#![expect(clippy::disallowed_methods, reason = "tests build their own trees")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is a failed test"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portcullis::config::{self, PROJECT_POLICY};
use portcullis::{
    Ambient, Assessment, Builder, Call, Cancel, Classifier, Decision, Denial, ErrorKind, Limits, Moment,
    Override, Risk, Shape, Step, StillClock, TrustedProject, decide_trust,
};
use rstest::rstest;
use serde_json::{Value, json};

mod data;
mod layers;
mod live;
mod live_log;
mod live_projects;
mod own;
mod secrets;

struct Tree(tempfile::TempDir);

impl Tree {
    fn new() -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for directory in ["home/.ssh", "work/src", "work/vendor", "outside", "state"] {
            fs::create_dir_all(tree.at(directory)).unwrap();
        }
        for file in [
            "home/.ssh/id",
            "work/notes.md",
            "work/src/a.rs",
            "work/vendor/b.rs",
            "outside/x",
        ] {
            fs::write(tree.at(file), "x").unwrap();
        }
        tree
    }

    fn at(&self, below: impl AsRef<Path>) -> PathBuf {
        fs::canonicalize(self.0.path()).unwrap().join(below)
    }

    fn builder(&self) -> Builder {
        Builder::new(Ambient::empty().with_home(self.at("home")))
            .workspace(self.at("work"))
            .own(&self.at("home/.config/portcullis"))
            .audit_log(&self.at("state/audit.jsonl"))
    }

    fn project(&self, policy: &str) -> TrustedProject {
        let path = self.at("work").join(PROJECT_POLICY);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, policy).unwrap();
        match decide_trust(&self.at("work"), Some(Override::Yes)) {
            Decision::Trusted(project) => project,
            Decision::Untrusted => panic!("an override decides"),
        }
    }

    fn call(&self, tool: &str, args: &Value) -> Call {
        let text = json!({"id": "1", "tool": tool, "args": args, "cwd": self.at("work")}).to_string();
        Call::read(text.as_bytes(), Shape::Portcullis, &Limits::default()).unwrap()
    }

    fn judge(&self, classifier: &Classifier, tool: &str, args: &Value) -> Assessment {
        classifier.assess(self.call(tool, args))
    }
}

fn read(path: &str) -> (&'static str, Value) {
    ("read_file", json!({"path": path}))
}

fn write(path: &str) -> (&'static str, Value) {
    ("write_file", json!({"path": path, "content": ""}))
}

fn delete(path: &str) -> (&'static str, Value) {
    ("delete_file", json!({"path": path, "recursive": true}))
}

fn command(text: &str) -> (&'static str, Value) {
    ("run_command", json!({"command": text}))
}

/// Rules only tighten; what is allowed are roots, and one of them may be a file.
#[test]
fn one_file_of_the_workspace_may_lie_outside() {
    let tree = Tree::new();
    let classifier = tree
        .builder()
        .workspace_file(tree.at("outside/x"))
        .workspace_file(tree.at("outside/new"));
    let classifier = classifier.classifier().unwrap();
    for ((tool, args), risk) in [
        (read("../outside/x"), Risk::Allow),
        (write("../outside/x"), Risk::Allow),
        (write("../outside/new"), Risk::Allow),
        (write("../outside/y"), Risk::Confirm),
        (write("../outside/new/deeper"), Risk::Confirm),
        (delete("../outside/x"), Risk::Confirm),
    ] {
        let judged = tree.judge(&classifier, tool, &args);
        assert_eq!(judged.verdict.risk(), risk, "{tool} {args}");
    }
    let relative = tree.builder().workspace_file("x").classifier().unwrap_err();
    assert_eq!(relative.kind(), ErrorKind::Workspace);
    let nowhere = tree.builder().workspace_file(tree.at("none/x")).classifier();
    assert_eq!(nowhere.unwrap_err().kind(), ErrorKind::Workspace);
}

#[test]
fn under_a_broken_user_file_nothing_runs_unasked() {
    let tree = Tree::new();
    let error = config::parse_user("version = 1\npresett = 1", "policy.toml").unwrap_err();
    let classifier = tree.builder().broken_user(&error).classifier().unwrap();
    let (tool, args) = read("notes.md");
    let judged = tree.judge(&classifier, tool, &args);
    assert_eq!(judged.verdict.risk(), Risk::Confirm);
    let first = &judged.verdict.causes()[0];
    assert_eq!(
        first.text,
        "configuration broken at line 2: unknown key `presett`"
    );
}

#[rstest]
#[case::not_toml("version = ", "configuration broken at line 1")]
#[case::not_its_business("version = 1\n[audit]\npath = \"/tmp/x\"", "configuration broken at line 2")]
#[case::loosening(
    "version = 1\n[[rule]]\nid = \"a\"\ntool = \"read_file\"\nrisk = \"allow\"\nbecause = \"x\"",
    "configuration broken at line 5"
)]
#[case::a_taken_id(
    "version = 1\n[[rule]]\nid = \"taken\"\ntool = \"nothing\"\nrisk = \"deny\"\nbecause = \"x\"",
    "configuration broken: rule `taken`"
)]
fn a_broken_project_file_tightens_and_stops_nobody(#[case] policy: &str, #[case] reason: &str) {
    let tree = Tree::new();
    let user = "version = 1\n[[rule]]\nid = \"taken\"\ntool = \"x\"\nrisk = \"confirm\"\nbecause = \"x\"";
    let user = config::parse_user(user, "policy.toml").unwrap();
    let project = tree.project(policy);
    let classifier = tree
        .builder()
        .user(user)
        .trusted_project(&project)
        .classifier()
        .unwrap();
    let (tool, args) = read("notes.md");
    let judged = tree.judge(&classifier, tool, &args);
    assert_eq!(judged.verdict.risk(), Risk::Confirm);
    let texts: Vec<_> = judged
        .verdict
        .causes()
        .iter()
        .map(|cause| cause.text.as_str())
        .collect();
    assert!(texts.iter().any(|text| text.starts_with(reason)), "{texts:?}");
}

#[rstest]
#[case::configuration(write("~/.config/portcullis/policy.toml"))]
#[case::its_directory(("make_dir", json!({"path": "~/.config/portcullis"})))]
#[case::project(write(".portcullis/policy.toml"))]
#[case::its_parent(delete("."))]
#[case::log(read("../state/audit.jsonl"))]
#[case::key(read("../state/audit.jsonl.key"))]
#[case::state(delete("../state"))]
fn the_gates_own_files_are_out_of_reach_before_they_exist(
    #[case] (tool, args): (&'static str, Value),
    #[values(false, true)] exist: bool,
) {
    let tree = Tree::new();
    if exist {
        for file in [
            "home/.config/portcullis/policy.toml",
            "work/.portcullis/policy.toml",
            "state/audit.jsonl",
            "state/audit.jsonl.key",
        ] {
            fs::create_dir_all(tree.at(file).parent().unwrap()).unwrap();
            fs::write(tree.at(file), "").unwrap();
        }
    }
    let judged = tree.judge(&tree.builder().classifier().unwrap(), tool, &args);
    assert_eq!(judged.verdict.risk(), Risk::Deny, "{judged:#?}");
    assert_eq!(judged.denial, Some(Denial::Policy));
}

#[test]
fn what_is_missing_is_an_error_of_its_kind() {
    let tree = Tree::new();
    let kind = |builder: Builder| builder.classifier().map(|_| ()).unwrap_err().kind();
    assert_eq!(
        kind(tree.builder().workspace(tree.at("missing"))),
        ErrorKind::Workspace
    );
    assert_eq!(kind(tree.builder().workspace("relative")), ErrorKind::Workspace);
    assert_eq!(
        kind(tree.builder().workspace(tree.at("outside/x"))),
        ErrorKind::Workspace
    );

    let clock = StillClock::at(Moment(0));
    let unlogged = Builder::new(Ambient::empty()).gate(clock.clone());
    assert_eq!(unlogged.map(|_| ()).unwrap_err().kind(), ErrorKind::Log);
    let unwritable = tree.builder().audit_log(&tree.at("outside")).gate(clock);
    assert_eq!(unwritable.map(|_| ()).unwrap_err().kind(), ErrorKind::Log);
}

#[test]
fn the_users_deadline_is_the_questions() {
    let tree = Tree::new();
    let user = config::parse_user("version = 1\n[approval]\ndeadline_seconds = 7", "policy.toml").unwrap();
    let clock = StillClock::at(Moment(1_000));
    let gate = tree.builder().user(user).gate(clock.clone()).unwrap().gate;
    let (tool, args) = delete("src");
    match gate.submit(tree.call(tool, &args), &Cancel::new()) {
        Step::Ask(pending) => {
            let deadline = pending.question().deadline;
            assert_eq!(deadline, Moment(1_000).after(Duration::from_secs(7)));
        }
        other => panic!("{other:?}"),
    }
}
