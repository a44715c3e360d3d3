//! A pattern is at least as risky as anything that a tool finds with it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use portcullis_classify::{Layer, Operand, Risk, Role, Rule, RuleSubject, ToolSpec, Toolbox};
use portcullis_paths::{Dialect, Operation, ZoneKind};
use proptest::prelude::*;
use proptest::sample::select;
use rstest::rstest;
use serde_json::json;

use crate::scene::{Scene, assert_sound, ids, rule, with_rules, with_zones};

const OPERATIONS: [Operation; 5] = [
    Operation::Search,
    Operation::Read,
    Operation::List,
    Operation::Write,
    Operation::DeleteTree,
];

/// For each operation a tool that expands its operand and one that takes it as a name.
fn toolbox() -> Toolbox {
    let mut toolbox = Toolbox::standard();
    for operation in OPERATIONS {
        let operand = |role| Operand {
            member: "p".into(),
            role,
            required: true,
        };
        let expands = operand(Role::Glob {
            operation,
            dialect: &Dialect::AGENT,
            base: None,
        });
        let plain = operand(Role::Path {
            operation,
            when: None,
            dialect: &Dialect::PLAIN,
            cwd_when_missing: false,
        });
        for (name, operand) in [("expands", expands), ("plain", plain)] {
            let schema = json!({"type": "object", "properties": {"p": {"type": "string"}}});
            let tool = ToolSpec::new(&format!("{name} {operation:?}"), schema, vec![operand]);
            toolbox.register(tool.unwrap()).unwrap();
        }
    }
    toolbox
}

/// Alternatives in braces, one pair after another: none is within another here.
fn alternatives(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let (within, after) = rest.split_once('}').unwrap();
    within
        .split(',')
        .flat_map(|word| alternatives(&format!("{before}{word}{after}")))
        .collect()
}

fn fits(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), None) => fits(rest, name),
        (Some((b'*', rest)), Some((_, names))) => fits(rest, name) || fits(pattern, names),
        (Some((b'?', rest)), Some((_, names))) => fits(rest, names),
        (Some((byte, rest)), Some((first, names))) => byte == first && fits(rest, names),
        _ => false,
    }
}

/// What a simple tool finds: name by name from here, links to directories followed, a few levels deep.
fn expand(here: &Path, before: &str, parts: &[&str], depth: usize, found: &mut Vec<String>) {
    let Some((part, rest)) = parts.split_first() else {
        found.push(before.trim_end_matches('/').to_owned());
        return;
    };
    if *part == ".." {
        return expand(&here.join(".."), &format!("{before}../"), rest, depth, found);
    }
    if *part == "**" {
        expand(here, before, rest, depth, found);
    }
    let Ok(entries) = fs::read_dir(here) else {
        return;
    };
    for entry in entries {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = format!("{before}{name}/");
        if *part == "**" && depth > 0 {
            expand(&here.join(&name), &path, parts, depth - 1, found);
        }
        if fits(part.as_bytes(), name.as_bytes()) {
            expand(&here.join(&name), &path, rest, depth, found);
        }
    }
}

fn part() -> impl Strategy<Value = &'static str> {
    select(vec![
        "a", "b", "c", "*", "?", "a*", "**", "{a,b}", "{c,*a}", "link", "l*", "x",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn a_pattern_is_no_milder_than_what_it_finds(
        entries in prop::collection::vec(
            (prop::collection::vec(select(vec!["a", "b", "c", "x"]), 1..4), 0_u8..7), 1..10),
        up in prop::bool::weighted(0.1),
        parts in prop::collection::vec(part(), 1..4),
        operation in select(OPERATIONS.to_vec()),
        zone in select(vec!["ws/a/b", "ws/c", "ws/x/later", "outside"]),
        kind in select(vec![
            Some(ZoneKind::DenyRead), Some(ZoneKind::DenyWrite), Some(ZoneKind::ConfirmRead), None,
        ]),
    ) {
        let scene = Scene::new();
        let top = scene.path("ws");
        for (names, what) in &entries {
            let path = top.join(names.join("/"));
            let parent = path.parent().unwrap();
            // Whatever does not fit what is there already is left out.
            let _made = fs::create_dir_all(parent).and_then(|()| match what {
                0 => symlink(scene.path("outside"), parent.join("link")),
                1 => symlink(top.join("a"), parent.join("link")),
                2 => fs::hard_link(scene.path("outside/data.txt"), &path),
                3 => fs::create_dir_all(&path),
                _ => fs::write(&path, ""),
            });
        }
        let layer = match kind {
            Some(kind) => with_zones(Layer::User, vec![scene.zone("z", kind, &format!("{{T}}/{zone}"))]),
            None => with_rules(Layer::User, vec![Rule {
                risk: Risk::Deny,
                ..rule("z", Risk::Deny, RuleSubject { under: Some(scene.path(zone)), ..RuleSubject::default() })
            }]),
        };
        let classifier = scene.classifier_of(toolbox(), vec![layer]);
        let judge = |tool: String, text: &str| {
            let assessment = classifier.assess(scene.call(&tool, &json!({"p": text})));
            assert_sound(&assessment);
            assessment.verdict
        };
        let mut pattern = parts.join("/");
        if up {
            pattern = format!("../{pattern}");
        }
        let whole = judge(format!("expands {operation:?}"), &pattern);
        let mut found = Vec::new();
        for alternative in alternatives(&pattern) {
            expand(&top, "", &alternative.split('/').collect::<Vec<_>>(), 3, &mut found);
        }
        for path in found {
            let one = judge(format!("plain {operation:?}"), &path);
            // What a tool cannot do anyway is no reason against the others.
            let cannot = one.causes()[0].rule.starts_with("path.") && one.causes()[0].rule != "path.protected";
            prop_assert!(
                cannot || whole.risk() >= one.risk(),
                "{pattern} {whole:?} finds {path} {one:?}"
            );
        }
    }
}

#[rstest]
#[case::name(json!({"pattern": "notes.txt"}), Risk::Deny)]
#[case::name_at_any_depth(json!({"pattern": "*.lock"}), Risk::Deny)]
#[case::another_case(json!({"pattern": "NOTES*"}), Risk::Deny)]
#[case::class(json!({"pattern": "note[s]*"}), Risk::Deny)]
#[case::all(json!({"pattern": "**/*"}), Risk::Deny)]
#[case::excluding(json!({"pattern": "!*.rs"}), Risk::Deny)]
#[case::of_a_link(json!({"pattern": "ne*/x*"}), Risk::Allow)]
#[case::of_a_link_out(json!({"pattern": "o*/*"}), Risk::Confirm)]
#[case::beside(json!({"pattern": "src/*.rs"}), Risk::Allow)]
#[case::base(json!({"pattern": "*.rs", "path": "src"}), Risk::Allow)]
#[case::base_and_up(json!({"pattern": "../note*", "path": "src"}), Risk::Deny)]
#[case::not_there_yet(json!({"pattern": "build/l*"}), Risk::Deny)]
#[case::elsewhere_in_braces(json!({"pattern": "{{T}/ws/notes.txt,a}", "path": "src"}), Risk::Deny)]
fn a_pattern_meets_the_rules_by_name_and_on_disk(#[case] args: serde_json::Value, #[case] expected: Risk) {
    let scene = Scene::new();
    let zones = [
        "{T}/ws/notes.txt",
        "{T}/ws/build/later",
        "{T}/ws/src/deep/Cargo.lock",
    ];
    let zones = zones.map(|place| scene.zone(place, ZoneKind::DenyRead, place));
    for (tool, extra) in [("Glob", None), ("Grep", Some("x"))] {
        let mut args = args.clone();
        if let Some(query) = extra {
            let pattern = args["pattern"].take();
            args["glob"] = pattern;
            args["pattern"] = json!(query);
        }
        let assessment = scene.judge(vec![with_zones(Layer::User, zones.to_vec())], tool, &args);
        assert_sound(&assessment);
        // Without a protected place below the base nothing else asks.
        let allowed = expected == Risk::Allow && assessment.verdict.risk() <= Risk::Confirm;
        assert!(
            assessment.verdict.risk() == expected || allowed,
            "{tool} {args}: {:?}",
            assessment.verdict
        );
    }
}

/// Searching the base is judged as a whole; for anything else what was not looked at asks.
#[test]
fn what_is_too_much_to_look_at_asks_where_nothing_else_stands_for_it() {
    let scene = Scene::new();
    for folder in 0..17 {
        fs::create_dir_all(scene.path(&format!("ws/many/{folder}"))).unwrap();
        for file in 0..1000 {
            fs::File::create(scene.path(&format!("ws/many/{folder}/{file}"))).unwrap();
        }
    }
    let classifier = scene.classifier_of(toolbox(), Vec::new());
    let judge = |tool: &str, text: &str| classifier.assess(scene.call(tool, &json!({"p": text})));
    let all = judge("expands Read", "many/**");
    assert_eq!(all.verdict.risk(), Risk::Confirm);
    assert!(ids(&all).contains(&"glob.untold"));
    assert_eq!(judge("expands Read", "many/1/1*").verdict.risk(), Risk::Allow);
    // Its base is judged as a whole; that what is below it could not be looked at to the end is what asks.
    assert!(!ids(&judge("expands Search", "many/**")).contains(&"glob.untold"));
}

#[test]
fn a_name_with_wildcards_is_a_name_for_a_tool_that_does_not_expand() {
    let scene = Scene::new();
    fs::write(scene.path("ws/[slug]*.txt"), "x").unwrap();
    symlink("../outside/data.txt", scene.path("ws/slug.txt")).unwrap();
    let read = scene.judge(Vec::new(), "read_file", &json!({"path": "[slug]*.txt"}));
    assert_eq!(read.verdict.risk(), Risk::Allow);
    let place = read.effects[0].place.as_ref().unwrap();
    assert_eq!(
        place.as_bytes(),
        scene.path("ws/[slug]*.txt").as_os_str().as_encoded_bytes()
    );
    let found = scene.judge(Vec::new(), "Glob", &json!({"pattern": "[slug]*.txt"}));
    assert_eq!(
        found.verdict.risk(),
        Risk::Confirm,
        "it may select the link as well"
    );
}
