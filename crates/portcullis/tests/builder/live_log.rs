//! The user's file says another place for the log of a gate that runs.

use std::fs;

use portcullis::config::LiveUser;
use portcullis::{Builder, Cancel, ErrorKind, Moment, RefusalKind, Resident, Step, StillClock};

use crate::{Tree, read};

struct Live {
    tree: Tree,
    gate: Resident,
}

impl Live {
    fn new(text: Option<&str>, log: impl Fn(&Tree, Builder) -> Builder) -> Self {
        let tree = Tree::new();
        fs::create_dir_all(tree.at("home/.config/portcullis")).unwrap();
        let live = |text: &str| fs::write(tree.at("home/.config/portcullis/policy.toml"), text).unwrap();
        text.into_iter().for_each(live);
        let user = LiveUser::at(&tree.at("home/.config/portcullis/policy.toml"));
        let builder = log(&tree, tree.builder());
        let opened = builder.resident(user, Vec::new(), StillClock::at(Moment(0)));
        Self {
            gate: opened.unwrap().gate,
            tree,
        }
    }

    fn say(&self, text: &str) {
        fs::write(self.tree.at("home/.config/portcullis/policy.toml"), text).unwrap();
    }

    /// Whether reading a note is allowed, or why not.
    fn read(&self) -> Result<(), String> {
        let (tool, args) = read("notes.md");
        match self.gate.submit(self.tree.call(tool, &args), &Cancel::new()) {
            Step::Permitted(_) => Ok(()),
            Step::Ask(pending) => panic!("it asks: {:?}", pending.question()),
            Step::Refused(refusal) => {
                assert_eq!(refusal.kind(), RefusalKind::Fault);
                Err(refusal.to_string())
            }
        }
    }

    /// Decisions on record in the log in use, and nowhere else.
    fn records(&self) -> usize {
        for elsewhere in ["state/other.jsonl", "home/other.jsonl"] {
            assert!(!self.tree.at(elsewhere).exists());
        }
        let log = fs::read_to_string(self.tree.at("state/audit.jsonl")).unwrap();
        log.matches("\"kind\":\"decided\"").count()
    }
}

const OTHER: &str = "version = 1\n[audit]\npath = \"~/other.jsonl\"\n";

fn of_user(tree: &Tree, builder: Builder) -> Builder {
    builder.audit_log_of_user(&tree.at("state/audit.jsonl"))
}

#[test]
fn a_log_is_not_left_in_the_middle_of_a_run() {
    let live = Live::new(Some("version = 1\n"), of_user);
    live.read().unwrap();
    live.say(OTHER);
    let why = live.read().unwrap_err();
    assert!(why.contains("other.jsonl` for the log"), "{why}");
    assert!(why.contains("state/audit.jsonl"), "{why}");
    assert!(live.read().is_err(), "as long as it says so");
    assert_eq!(live.gate.refresh().unwrap_err().kind(), ErrorKind::Log);
    assert_eq!(live.records(), 3, "the refusals as well");
    live.say("version = 1\npreset = \"everyday\"\n");
    live.read().unwrap();
    assert_eq!(live.records(), 4);
}

#[test]
fn what_says_the_same_place_is_no_other_place() {
    let live = Live::new(None, of_user);
    live.read().unwrap();
    let same = format!(
        "version = 1\n[audit]\npath = \"{}\"\n",
        live.tree.at("state/audit.jsonl").display()
    );
    live.say(&same);
    live.read().unwrap();

    let live = Live::new(Some(OTHER), |tree, builder| {
        builder.audit_log_of_user(&tree.at("home/other.jsonl"))
    });
    live.read().unwrap();
    live.say("version = 1\n");
    let why = live.read().unwrap_err();
    assert!(why.contains("the standard place"), "{why}");
    live.say(&format!("{OTHER}# mended\n"));
    live.read().unwrap();
}

#[test]
fn a_log_that_a_flag_names_is_not_the_files_to_move() {
    let live = Live::new(Some("version = 1\n"), |_, builder| builder);
    live.read().unwrap();
    live.say(OTHER);
    live.read().unwrap();
    assert_eq!(live.records(), 2);
}

#[test]
fn a_file_that_breaks_says_nothing_of_the_log() {
    let live = Live::new(Some("version = 1\n"), of_user);
    live.say("version = 1\n[audit]\npath = 7\n");
    let refreshed = live.gate.refresh();
    assert!(
        matches!(refreshed, Ok(portcullis::Refreshed::Broken(_))),
        "{refreshed:?}"
    );
    live.say(OTHER);
    assert!(live.read().is_err());
}
