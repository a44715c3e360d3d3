//! The gate's own files: by no route may a call change them, and no layer can switch that off.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use portcullis::{Builder, Denial, Risk, config};
use rstest::rstest;
use serde_json::{Value, json};

use crate::{Tree, delete, write};

/// What the gate goes by, and what makes hosts ask it, with a directory above each that is not a root.
const FILES: [(&str, &str); 9] = [
    ("home/.config/portcullis/policy.toml", "home/.config"),
    ("home/.config/portcullis/trust.json", "home/.config"),
    (
        "home/.config/portcullis/trust-contents.json",
        "home/.config/portcullis",
    ),
    ("home/.claude/settings.json", "home/.claude"),
    ("home/.pi/agent/extensions/gate.ts", "home/.pi"),
    ("work/.portcullis/policy.toml", "work/.portcullis"),
    ("work/.claude/settings.local.json", "work/.claude"),
    ("work/.codex/hooks.json", "work/.codex"),
    ("state/audit.jsonl.key", "state"),
];

/// Switches off all that can be, and asks nowhere.
const MILDEST: &str = "version = 1\npreset = \"everyday\"\notherwise = \"confirm\"\n[catalogue]\noff = [\"private.environment\"]\n\
                       [[rule]]\nid = \"mild\"\nunder = \"/\"\nrisk = \"confirm\"\nbecause = \"ask and no more\"\n";

fn builder(tree: &Tree) -> Builder {
    let project = "version = 1\npreset = \"everyday\"\n";
    let project = tree.project(project);
    tree.builder()
        .user(config::parse_user(MILDEST, "policy.toml").unwrap())
        .trusted_project(&project)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[rstest]
fn no_route_changes_the_gates_own_files(#[values(false, true)] exist: bool) {
    for (file, above) in FILES {
        let tree = Tree::new();
        let (place, above) = (tree.at(file), tree.at(above));
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        if exist {
            fs::write(&place, "{}").unwrap();
            fs::hard_link(&place, tree.at("work/twin")).unwrap();
        }
        symlink(&place, tree.at("work/link")).unwrap();
        symlink(place.parent().unwrap(), tree.at("work/door")).unwrap();
        let name = place.file_name().unwrap().to_str().unwrap();
        let spelt = format!(
            "{}/../{}",
            text(&above),
            text(place.strip_prefix(above.parent().unwrap()).unwrap())
        );
        let moved = |from: &str, to: &str| ("move_file", json!({"from": from, "to": to}));
        let mut routes: Vec<(&str, Value)> = vec![
            write(text(&place)),
            write(&spelt),
            write("link"),
            write(&format!("door/{name}")),
            (
                "edit_file",
                json!({"path": text(&place), "old_text": "{}", "new_text": "x"}),
            ),
            ("make_dir", json!({"path": text(&place)})),
            delete(text(&place)),
            delete(text(&above)),
            moved(text(&place), "away"),
            moved("notes.md", text(&place)),
            moved("src", text(&place)),
            moved(text(&above), "away"),
            moved("src", text(&above)),
            ("Write", json!({"file_path": text(&place), "content": "x"})),
            (
                "Edit",
                json!({"file_path": "link", "old_string": "{}", "new_string": "x"}),
            ),
        ];
        if exist {
            routes.push(write("twin"));
        }
        let classifier = builder(&tree).classifier().unwrap();
        for (tool, args) in routes {
            let judged = tree.judge(&classifier, tool, &args);
            assert_eq!(judged.verdict.risk(), Risk::Deny, "{tool} {args} for {file}");
            assert_eq!(judged.denial, Some(Denial::Policy));
        }
    }
}

/// What stands beside them is none of theirs.
#[test]
fn what_stands_beside_them_is_judged_like_anything_else() {
    let tree = Tree::new();
    fs::create_dir_all(tree.at("work/.claude/commands")).unwrap();
    let classifier = tree.builder().classifier().unwrap();
    for (place, risk) in [
        (".claude/commands/review.md", Risk::Confirm),
        ("opencode.json.md", Risk::Allow),
        (".portcullis-notes", Risk::Allow),
        ("~/.claude/history", Risk::Confirm),
        ("~/.config/other", Risk::Confirm),
    ] {
        let (tool, args) = write(place);
        let judged = tree.judge(&classifier, tool, &args);
        assert_eq!(judged.verdict.risk(), risk, "{place}");
    }
}
