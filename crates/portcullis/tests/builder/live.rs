//! The user's file changes while a gate runs.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use portcullis::config::LiveUser;
use portcullis::{
    Answer, Builder, Cancel, Moment, Refreshed, RefusalKind, Reply, Resident, Risk, Step, StillClock,
};
use serde_json::Value;

use crate::{Tree, delete, read, write};

/// Denies writing, and says much more.
const WHOLE: &str = "version = 1\n\n# The base is wide: what follows is what matters.\n[[rule]]\nid = \"no-writing\"\noperation = \"write\"\n\
                     risk = \"deny\"\nbecause = \"frozen\"\n";
/// The same file as far as somebody has written it: valid, and it denies nothing.
const HALF: &str = "version = 1\n\n# The base is wide";
const OTHER: &str =
    "version = 1\n[[rule]]\nid = \"ask\"\noperation = \"write\"\nrisk = \"confirm\"\nbecause = \"look\"\n";

struct Live {
    tree: Tree,
    gate: Resident,
    clock: StillClock,
}

impl Live {
    fn new(tree: Tree) -> Self {
        fs::create_dir_all(tree.at("home/.config/portcullis")).unwrap();
        let clock = StillClock::at(Moment(0));
        let user = LiveUser::at(&policy(&tree));
        let gate = tree
            .builder()
            .resident(user, Vec::new(), clock.clone())
            .unwrap()
            .gate;
        Self { tree, gate, clock }
    }

    fn with(text: &str) -> Self {
        let tree = Tree::new();
        fs::create_dir_all(tree.at("home/.config/portcullis")).unwrap();
        fs::write(policy(&tree), text).unwrap();
        Self::new(tree)
    }

    fn write(&self, text: &str) {
        fs::write(policy(&self.tree), text).unwrap();
    }

    /// What becomes of a write.
    fn judged(&self) -> Risk {
        let (tool, args) = write("src/a.rs");
        match self.gate.submit(self.tree.call(tool, &args), &Cancel::new()) {
            Step::Permitted(_) => Risk::Allow,
            Step::Ask(_) => Risk::Confirm,
            Step::Refused(refusal) => {
                assert_eq!(refusal.kind(), RefusalKind::Policy, "{refusal}");
                Risk::Deny
            }
        }
    }

    /// The decisions on record: their policy and what they were.
    fn decided(&self) -> Vec<(String, String)> {
        let log = fs::read_to_string(self.tree.at("state/audit.jsonl")).unwrap();
        let records = log
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let member = |record: &Value, name: &str| {
            record
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned()
        };
        records
            .filter(|record| member(record, "kind") == "decided")
            .map(|record| (member(&record, "policy"), member(&record, "decision")))
            .collect()
    }
}

fn policy(tree: &Tree) -> PathBuf {
    tree.at("home/.config/portcullis/policy.toml")
}

fn version(builder: Builder) -> String {
    builder.classifier().unwrap().policy().version().to_owned()
}

#[test]
fn a_changed_file_is_in_force_from_the_next_call_on() {
    let live = Live::with(WHOLE);
    assert_eq!(live.judged(), Risk::Deny);
    live.write(OTHER);
    assert_eq!(live.judged(), Risk::Confirm);
    // As most editors do it: another file in its place.
    let beside = live.tree.at("home/.config/portcullis/policy.toml~");
    fs::write(&beside, "version = 1\n").unwrap();
    fs::rename(&beside, policy(&live.tree)).unwrap();
    assert_eq!(live.judged(), Risk::Allow);
    live.write(WHOLE);
    assert_eq!(live.judged(), Risk::Deny);
    assert!(matches!(live.gate.refresh(), Ok(Refreshed::Same)));
}

/// Levels, names and programs are as live as rules, and each call's record names the version that judged it.
#[test]
fn what_is_said_of_levels_names_and_programs_is_live() {
    let said = [
        ("", Risk::Allow),
        ("[review.levels]\nwrite_file.path = \"always\"\n", Risk::Confirm),
        ("[review.levels]\nwrite_file.path = \"off\"\n", Risk::Allow),
        (
            "[[catalogue.add]]\nid = \"x\"\nwhy = \"w\"\nends = [\".rs\"]\n",
            Risk::Confirm,
        ),
        (
            "[[program]]\nnames = [\"tool\"]\noperands = [\"text\"]\n",
            Risk::Allow,
        ),
        (
            "[[program]]\nnames = [\"tool\"]\noperands = [\"read\"]\n",
            Risk::Allow,
        ),
    ];
    let live = Live::with("version = 1\n");
    for (text, risk) in said {
        live.write(&format!("version = 1\n{text}"));
        assert_eq!(live.judged(), risk, "{text}");
    }
    let versions: std::collections::BTreeSet<_> =
        live.decided().into_iter().map(|(policy, _)| policy).collect();
    assert_eq!(versions.len(), said.len());
}

#[test]
fn a_half_written_file_never_takes_effect() {
    let live = Live::with(WHOLE);
    let mut file = File::create(policy(&live.tree)).unwrap();
    assert_eq!(live.judged(), Risk::Deny, "emptied, and not closed");
    file.write_all(HALF.as_bytes()).unwrap();
    for _ in 0..3 {
        assert_eq!(live.judged(), Risk::Deny, "however often it is looked at");
    }
    file.write_all(OTHER.strip_prefix("version = 1").unwrap().as_bytes())
        .unwrap();
    assert_eq!(live.judged(), Risk::Deny, "written, and not closed");
    drop(file);
    assert_eq!(live.judged(), Risk::Confirm);
    // The same in a new file that is written in its place.
    fs::remove_file(policy(&live.tree)).unwrap();
    let mut file = File::create(policy(&live.tree)).unwrap();
    file.write_all(b"version = 1\n").unwrap();
    assert_eq!(live.judged(), Risk::Confirm);
    file.write_all(WHOLE.strip_prefix("version = 1\n").unwrap().as_bytes())
        .unwrap();
    drop(file);
    assert_eq!(live.judged(), Risk::Deny);
}

/// Somebody changes the file all the time, piece by piece. Each call is judged by one of the two whole files, and its
/// record says by which.
#[test]
fn a_call_is_judged_by_exactly_one_version() {
    let live = Live::with(WHOLE);
    let parse = |text| portcullis::config::parse_user(text, "policy.toml").unwrap();
    let [denies, asks] = [WHOLE, OTHER].map(|text| version(live.tree.builder().user(parse(text))));
    for round in 0..6 {
        let text = [OTHER, WHOLE][round % 2];
        std::thread::scope(|scope| {
            let writing = scope.spawn(|| {
                for _ in 0..200 {
                    let mut file = File::create(policy(&live.tree)).unwrap();
                    for piece in text.as_bytes().chunks(text.len().div_ceil(4)) {
                        file.write_all(piece).unwrap();
                    }
                }
            });
            while !writing.is_finished() {
                assert_ne!(live.judged(), Risk::Allow, "neither of the two");
            }
        });
        assert_eq!(live.judged(), [Risk::Confirm, Risk::Deny][round % 2]);
    }
    let decided = live.decided();
    assert!(decided.len() >= 12);
    for (policy, decision) in &decided {
        // A question that nobody answers ends as withdrawn.
        let by = if *policy == denies { "denies" } else { "asks" };
        assert!(*policy == denies || *policy == asks, "{policy} {decision}");
        assert_eq!(decision, "refused", "{by}");
    }
}

#[test]
fn a_question_stays_with_the_version_that_asked_it() {
    let live = Live::with(OTHER);
    let (tool, args) = write("src/a.rs");
    let Step::Ask(pending) = live.gate.submit(live.tree.call(tool, &args), &Cancel::new()) else {
        panic!("it asks");
    };
    live.write(WHOLE);
    assert_eq!(live.judged(), Risk::Deny);
    let reply = Reply::Answer {
        question: pending.question().id.clone(),
        answer: Answer::Deny { reason: None },
        reviewer: false,
    };
    assert!(pending.settle(reply, Moment(0)).is_err());
    let decided = live.decided();
    assert_eq!(decided.len(), 2);
    assert_ne!(decided[0].0, decided[1].0, "each by its own");
}

#[test]
fn a_file_that_breaks_takes_nothing_back_and_everything_asks() {
    let live = Live::with(WHOLE);
    live.write("version = 1\npresett = \"careful\"\n");
    let Ok(Refreshed::Broken(error)) = live.gate.refresh() else {
        panic!("it is broken");
    };
    assert!(error.to_string().contains("line 2"), "{error}");
    assert_eq!(live.judged(), Risk::Deny, "what was denied stays denied");
    let (tool, args) = read("notes.md");
    let Step::Ask(pending) = live.gate.submit(live.tree.call(tool, &args), &Cancel::new()) else {
        panic!("it asks");
    };
    let causes = &pending.question().causes;
    let broken = "configuration broken at line 2: unknown key `presett`";
    assert!(causes.iter().any(|cause| cause.text == broken), "{causes:?}");
    live.write("version = 1\n");
    assert_eq!(live.judged(), Risk::Allow, "mended");
}

#[test]
fn a_file_that_is_gone_is_not_a_file_that_never_was() {
    let live = Live::with(WHOLE);
    fs::remove_file(policy(&live.tree)).unwrap();
    assert_eq!(live.judged(), Risk::Deny);
    let (tool, args) = read("notes.md");
    let step = live.gate.submit(live.tree.call(tool, &args), &Cancel::new());
    assert!(matches!(step, Step::Ask(_)), "{step:?}");
    live.write("version = 1\n");
    assert_eq!(live.judged(), Risk::Allow);

    let live = Live::new(Tree::new());
    assert_eq!(live.judged(), Risk::Allow, "there never was one");
    live.write(WHOLE);
    assert_eq!(live.judged(), Risk::Deny, "and now there is");
}

#[test]
fn a_file_behind_links_and_in_a_directory_that_is_exchanged_is_followed() {
    let tree = Tree::new();
    fs::create_dir_all(tree.at("home/.config/portcullis")).unwrap();
    fs::create_dir_all(tree.at("home/dotfiles")).unwrap();
    fs::write(tree.at("home/dotfiles/policy.toml"), WHOLE).unwrap();
    symlink("../../dotfiles/policy.toml", policy(&tree)).unwrap();
    let live = Live::new(tree);
    assert_eq!(live.judged(), Risk::Deny);
    let real = live.tree.at("home/dotfiles/policy.toml");
    fs::write(&real, OTHER).unwrap();
    assert_eq!(live.judged(), Risk::Confirm);
    let mut half = File::create(&real).unwrap();
    half.write_all(HALF.as_bytes()).unwrap();
    assert_eq!(live.judged(), Risk::Confirm, "half of it, behind the link");
    half.write_all(b"\n").unwrap();
    drop(half);
    assert_eq!(live.judged(), Risk::Allow);
    fs::rename(live.tree.at("home/dotfiles"), live.tree.at("home/old")).unwrap();
    fs::create_dir(live.tree.at("home/dotfiles")).unwrap();
    fs::write(&real, WHOLE).unwrap();
    assert_eq!(live.judged(), Risk::Deny, "another directory of that name");
    fs::write(&real, OTHER).unwrap();
    assert_eq!(live.judged(), Risk::Confirm, "which is watched as well");
}

#[test]
fn the_deadline_goes_with_the_file() {
    let live = Live::with("version = 1\n[approval]\ndeadline_seconds = 7\n");
    let deadline = || {
        let (tool, args) = delete("src");
        match live.gate.submit(live.tree.call(tool, &args), &Cancel::new()) {
            Step::Ask(pending) => pending.question().deadline,
            other => panic!("{other:?}"),
        }
    };
    let after = |seconds| Moment(0).after(std::time::Duration::from_secs(seconds));
    assert_eq!(deadline(), after(7));
    live.write("version = 1\n[approval]\ndeadline_seconds = 9\n");
    assert_eq!(deadline(), after(9));
    live.write("version = 1\n");
    assert_eq!(
        deadline(),
        after(300),
        "what is not said any more is the standard again"
    );
    drop(live.clock);
}
