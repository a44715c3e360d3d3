//! Projects' files and the decisions about them change while a gate runs.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use portcullis::config::{LiveProject, LiveUser, PROJECT_POLICY};
use portcullis::trust::{Choice, Inquiry, Profile, Store};
use portcullis::{
    Cancel, Decision, Moment, Override, Refreshed, Resident, Risk, Step, StillClock, decide_trust,
};

use crate::{Tree, command, read, write};

const DENIES: &str =
    "version = 1\n[[rule]]\nid = \"frozen\"\noperation = \"write\"\nrisk = \"deny\"\nbecause = \"frozen\"\n";
const ASKS: &str =
    "version = 1\n[[rule]]\nid = \"look\"\noperation = \"write\"\nrisk = \"confirm\"\nbecause = \"look\"\n";

struct Live {
    tree: Tree,
    gate: Resident,
}

impl Live {
    /// A gate over a project that is decided on with a store.
    fn new(tree: Tree) -> Self {
        let (store, profile) = (store(&tree), profile());
        Self::by(tree, move |root| {
            Inquiry::new(root, vec![profile.clone()])
                .store(&store)
                .look()
                .decision
        })
    }

    fn by(tree: Tree, decide: impl FnMut(&std::path::Path) -> Decision + Send + 'static) -> Self {
        fs::create_dir_all(tree.at("home/.config/portcullis")).unwrap();
        let user = LiveUser::at(&tree.at("home/.config/portcullis/policy.toml"));
        let project = LiveProject::new(&tree.at("work"), decide);
        let opened = tree
            .builder()
            .resident(user, vec![project], StillClock::at(Moment(0)));
        Self {
            gate: opened.unwrap().gate,
            tree,
        }
    }

    fn choose(&self, choice: Choice) {
        choose(&self.tree, choice);
    }

    fn judged(&self, (tool, args): (&str, serde_json::Value)) -> Risk {
        match self.gate.submit(self.tree.call(tool, &args), &Cancel::new()) {
            Step::Permitted(_) => Risk::Allow,
            Step::Ask(_) => Risk::Confirm,
            Step::Refused(_) => Risk::Deny,
        }
    }
}

fn store(tree: &Tree) -> Store {
    let own = tree.at("home/.config/portcullis");
    Store::new(own.join("trust.json")).with_contents(own.join("trust-contents.json"))
}

fn profile() -> Profile {
    Profile::built_in("portcullis").unwrap()
}

fn choose(tree: &Tree, choice: Choice) {
    let (root, store) = (tree.at("work"), store(tree));
    let outcome = Inquiry::new(&root, vec![profile()]).store(&store).choose(choice);
    assert!(outcome.is_saved, "{}", outcome.source);
}

fn file(tree: &Tree) -> PathBuf {
    tree.at("work").join(PROJECT_POLICY)
}

fn put(tree: &Tree, text: &str) {
    fs::create_dir_all(file(tree).parent().unwrap()).unwrap();
    fs::write(file(tree), text).unwrap();
}

#[test]
fn a_file_that_appears_in_a_trusted_project_is_a_question_of_trust() {
    let tree = Tree::new();
    choose(&tree, Choice::Trust);
    let live = Live::new(tree);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Allow);
    put(&live.tree, DENIES);
    assert_eq!(
        live.judged(write("src/a.rs")),
        Risk::Allow,
        "nobody said yes to it"
    );
    live.choose(Choice::Trust);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny);
    put(&live.tree, ASKS);
    assert_eq!(
        live.judged(write("src/a.rs")),
        Risk::Deny,
        "the file that was trusted"
    );
    live.choose(Choice::Trust);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Confirm);
    assert!(matches!(live.gate.refresh(), Ok(Refreshed::Same)));
}

#[test]
fn a_project_loosens_nothing_by_taking_its_file_away_or_by_being_trusted_no_more() {
    let tree = Tree::new();
    put(&tree, DENIES);
    choose(&tree, Choice::Trust);
    let live = Live::new(tree);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny);
    fs::remove_dir_all(live.tree.at("work/.portcullis")).unwrap();
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny, "gone");
    live.choose(Choice::DoNotTrust);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny, "trusted no more");
    assert_eq!(live.judged(read("notes.md")), Risk::Allow, "and nothing else");
}

#[test]
fn code_runs_while_its_project_is_trusted_as_it_is() {
    let tree = Tree::new();
    choose(&tree, Choice::Trust);
    let live = Live::new(tree);
    assert_eq!(live.judged(command("cargo test")), Risk::Allow);
    put(&live.tree, "version = 1\n");
    assert_eq!(
        live.judged(command("cargo test")),
        Risk::Confirm,
        "it has changed"
    );
    live.choose(Choice::Trust);
    assert_eq!(live.judged(command("cargo test")), Risk::Allow);
    live.choose(Choice::DoNotTrust);
    assert_eq!(
        live.judged(command("cargo test")),
        Risk::Confirm,
        "it is taken back"
    );
}

#[test]
fn a_trusted_file_that_cannot_be_used_tightens_everything_until_it_is_mended() {
    let live = Live::by(Tree::new(), |root| decide_trust(root, Some(Override::Yes)));
    put(&live.tree, DENIES);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny);
    put(&live.tree, "version = 1\npresett = 1\n");
    let Ok(Refreshed::Broken(error)) = live.gate.refresh() else {
        panic!("it is broken");
    };
    assert!(error.to_string().contains("line 2"), "{error}");
    assert_eq!(live.judged(read("notes.md")), Risk::Confirm);
    assert_eq!(
        live.judged(write("src/a.rs")),
        Risk::Deny,
        "what was denied stays denied"
    );
    put(&live.tree, ASKS);
    assert_eq!(live.judged(read("notes.md")), Risk::Allow, "mended");
    assert_eq!(live.judged(write("src/a.rs")), Risk::Confirm);
}

#[test]
fn half_of_a_projects_file_never_takes_effect() {
    let live = Live::by(Tree::new(), |root| decide_trust(root, Some(Override::Yes)));
    put(&live.tree, DENIES);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny);
    let mut half = File::create(file(&live.tree)).unwrap();
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny, "emptied");
    half.write_all(b"version = 1\n").unwrap();
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny, "half of it");
    half.write_all(ASKS.strip_prefix("version = 1\n").unwrap().as_bytes())
        .unwrap();
    drop(half);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Confirm);
}

/// Between a decision and the reading of a file there is a moment.
#[test]
fn a_file_that_appears_after_the_decision_is_none_of_it() {
    let tree = Tree::new();
    let file = file(&tree);
    let live = Live::by(tree, move |root| {
        let decision = Inquiry::new(root, vec![profile()]).look().decision;
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, DENIES).unwrap();
        decision
    });
    assert_eq!(live.judged(write("src/a.rs")), Risk::Allow);
}

/// The same moment, with a laxer file in the place of the one that was trusted.
#[test]
fn a_file_that_is_replaced_after_the_decision_is_not_taken_up_until_it_is_trusted() {
    let tree = Tree::new();
    put(&tree, DENIES);
    choose(&tree, Choice::Trust);
    let (store, file) = (store(&tree), file(&tree));
    let replace = Arc::new(AtomicBool::new(false));
    let replaces = Arc::clone(&replace);
    let live = Live::by(tree, move |root| {
        let inquiry = Inquiry::new(root, vec![profile()]);
        let decision = inquiry.store(&store).look().decision;
        if replaces.swap(false, Ordering::SeqCst) {
            fs::write(&file, ASKS).unwrap();
        }
        decision
    });
    assert_eq!(live.judged(write("src/a.rs")), Risk::Deny);
    replace.store(true, Ordering::SeqCst);
    assert_eq!(
        live.judged(command("cargo test")),
        Risk::Confirm,
        "it has changed"
    );
    assert_eq!(
        live.judged(write("src/a.rs")),
        Risk::Deny,
        "the file that was trusted"
    );
    live.choose(Choice::Trust);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Confirm, "now it is");
}

#[test]
fn a_decider_that_panics_trusts_nothing() {
    let mut calls = 0;
    let live = Live::by(Tree::new(), move |root| {
        calls += 1;
        if calls > 1 {
            std::panic::resume_unwind(Box::new("the decider panics"));
        }
        decide_trust(root, Some(Override::Yes))
    });
    put(&live.tree, DENIES);
    assert_eq!(live.judged(command("cargo test")), Risk::Confirm);
    assert_eq!(live.judged(write("src/a.rs")), Risk::Allow, "not read");
}
