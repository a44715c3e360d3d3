//! Invariant 4: more knowledge never loosens. Random calls under random layers, on a real tree.

use std::path::PathBuf;

use portcullis_classify::{
    EffectKind, Language, Layer, LayerRules, Operand, Preset, Risk, Role, Rule, RuleSubject, ToolSpec,
    Toolbox,
};
use portcullis_paths::{Dialect, Operation, Zone, ZoneKind};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::scene::{Scene, assert_sound, preset, summary};

const OPERATIONS: [Operation; 12] = [
    Operation::Read,
    Operation::List,
    Operation::Search,
    Operation::Write,
    Operation::CreateNew,
    Operation::MakeDir,
    Operation::Delete,
    Operation::DeleteTree,
    Operation::MoveFrom,
    Operation::MoveTo,
    Operation::LinkTo,
    Operation::HardLinkFrom,
];

const PLACES: [&str; 16] = [
    "{T}",
    "{T}/home",
    "{T}/home/.ssh",
    "{T}/home/.ssh/key",
    "{T}/outside",
    "{T}/outside/data.txt",
    "{T}/outside/absent",
    "{T}/ws",
    "{T}/ws/src",
    "{T}/ws/src/main.rs",
    "{T}/ws/near",
    "{T}/ws/near/main.rs",
    "{T}/ws/out/data.txt",
    "{T}/ws/locked/inner/file",
    "{T}/ws/new/file",
    "{T}/ws/twin",
];

const RELATIVE: [&str; 8] = [
    "src/main.rs",
    "twin",
    "../outside",
    "out",
    "new",
    "",
    "~/.ssh/key",
    "near/../x",
];

const COMMANDS: [&str; 5] = ["git push", "git push origin", "git", "git push; ls", "ls"];

/// One tool that can do everything: members `p0`, `p1`, ... are paths for one operation each, then a command, a URL
/// and a directory for a sub-agent. All of them may be missing, so that calls can grow.
fn toolbox() -> Toolbox {
    let optional = |member: String, role| Operand {
        member: member.into(),
        role,
        required: false,
    };
    let mut operands: Vec<Operand> = OPERATIONS
        .iter()
        .enumerate()
        .map(|(index, &operation)| {
            let role = Role::Path {
                operation,
                when: None,
                dialect: &Dialect::AGENT,
                cwd_when_missing: false,
            };
            optional(format!("p{index}"), role)
        })
        .collect();
    let shell = Role::Command {
        language: Language::Shell,
    };
    operands.push(optional("command".to_owned(), shell));
    operands.push(optional("url".to_owned(), Role::Url));
    operands.push(optional(
        "cwd".to_owned(),
        Role::AgentCwd {
            dialect: &Dialect::AGENT,
        },
    ));
    let members: Map<String, Value> = operands
        .iter()
        .map(|operand| (operand.member.to_string(), json!({"type": "string"})))
        .collect();
    let schema = json!({"type": "object", "properties": members});
    let mut toolbox = Toolbox::empty();
    toolbox
        .register(ToolSpec::new("act", schema, operands).unwrap())
        .unwrap();
    toolbox
}

fn any_place() -> impl Strategy<Value = &'static str> {
    prop::sample::select(PLACES.to_vec())
}

fn any_path() -> impl Strategy<Value = &'static str> {
    prop_oneof![any_place(), prop::sample::select(RELATIVE.to_vec())]
}

/// A member of `act` and a text for it.
fn any_argument() -> impl Strategy<Value = (String, String)> {
    prop_oneof![
        8 => (0..OPERATIONS.len(), any_path()).prop_map(|(index, path)| (format!("p{index}"), path.to_owned())),
        1 => prop::sample::select(COMMANDS.to_vec()).prop_map(|text| ("command".to_owned(), text.to_owned())),
        1 => Just(("url".to_owned(), "https://example.org".to_owned())),
        1 => any_path().prop_map(|path| ("cwd".to_owned(), path.to_owned())),
    ]
}

fn any_arguments() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(any_argument(), 0..4)
}

fn any_rule() -> impl Strategy<Value = Rule> {
    let subject = (
        prop::option::weighted(0.3, prop::sample::select(vec!["act", "other"])),
        prop_oneof![
            Just(RuleSubject {
                tool: Some("act".to_owned()),
                ..RuleSubject::default()
            }),
            prop::sample::select(EffectKind::ALL.to_vec()).prop_map(|kind| RuleSubject {
                operation: Some(kind),
                ..RuleSubject::default()
            }),
            any_place().prop_map(|path| RuleSubject {
                under: Some(path.into()),
                ..RuleSubject::default()
            }),
            (any_place(), prop::sample::select(EffectKind::ALL.to_vec())).prop_map(|(path, kind)| {
                RuleSubject {
                    under: Some(path.into()),
                    operation: Some(kind),
                    ..RuleSubject::default()
                }
            }),
            prop::sample::select(vec![vec!["git"], vec!["git", "push"]]).prop_map(|words| RuleSubject {
                command: Some(words.into_iter().map(str::to_owned).collect()),
                ..RuleSubject::default()
            }),
        ],
    );
    (subject, prop::sample::select(vec![Risk::Confirm, Risk::Deny])).prop_map(|((tool, subject), risk)| {
        Rule {
            id: String::new(),
            subject: RuleSubject {
                tool: tool.map(str::to_owned).or(subject.tool),
                ..subject
            },
            risk,
            because: "a reason".to_owned(),
        }
    })
}

fn any_zone() -> impl Strategy<Value = Zone> {
    let kinds = vec![
        ZoneKind::DenyRead,
        ZoneKind::DenyWrite,
        ZoneKind::ConfirmRead,
        ZoneKind::ConfirmWrite,
    ];
    (prop::sample::select(kinds), any_place()).prop_map(|(kind, path)| Zone {
        id: String::new(),
        kind,
        path: path.into(),
    })
}

fn any_layer(layers: Vec<Layer>) -> impl Strategy<Value = LayerRules> {
    (
        prop::sample::select(layers),
        prop::option::of(prop::sample::select(Preset::ALL.to_vec())),
        prop::collection::vec(any_rule(), 0..3),
        prop::collection::vec(any_zone(), 0..2),
        prop::option::weighted(0.1, Just("unreadable".to_owned())),
        prop::option::of(prop::sample::select(vec![Risk::Confirm, Risk::Deny])),
    )
        .prop_map(|(layer, preset, rules, zones, broken, otherwise)| LayerRules {
            layer,
            otherwise,
            reasons: Default::default(),
            preset,
            rules,
            zones,
            broken,
            ..LayerRules::empty(layer)
        })
}

fn any_layers() -> impl Strategy<Value = Vec<LayerRules>> {
    prop::collection::vec(any_layer(Layer::ALL.to_vec()), 0..3)
}

/// Gives every rule and zone an id of its own and a place in the tree.
fn placed(scene: &Scene, mut layers: Vec<LayerRules>, salt: &str) -> Vec<LayerRules> {
    let place = |path: PathBuf| PathBuf::from(scene.fill(path.to_str().unwrap()));
    let mut number = 0;
    for layer in &mut layers {
        for rule in &mut layer.rules {
            number += 1;
            rule.id = format!("{salt}{number}");
            rule.subject.under = rule.subject.under.take().map(place);
        }
        for zone in &mut layer.zones {
            number += 1;
            zone.id = format!("{salt}{number}");
            zone.path = place(std::mem::take(&mut zone.path));
        }
    }
    layers
}

fn arguments(pairs: &[(String, String)]) -> Value {
    Value::Object(
        pairs
            .iter()
            .map(|(member, text)| (member.clone(), json!(text)))
            .collect(),
    )
}

fn risk_under(scene: &Scene, layers: Vec<LayerRules>, args: &Value) -> Risk {
    let assessment = scene
        .classifier_of(toolbox(), layers)
        .assess(scene.call("act", args));
    assert_sound(&assessment);
    assessment.verdict.risk()
}

fn config() -> ProptestConfig {
    ProptestConfig::with_cases(200)
}

#[test]
fn a_layer_more_never_lowers_a_verdict() {
    let scene = Scene::new();
    proptest!(config(), |(layers in any_layers(), more in any_layer(Layer::ALL.to_vec()), at in 0_usize..4, pairs in any_arguments())| {
        let (layers, more) = (placed(&scene, layers, "a"), placed(&scene, vec![more], "b"));
        let args = arguments(&pairs);
        let before = risk_under(&scene, layers.clone(), &args);
        let mut with = layers;
        let at = at.min(with.len());
        with.splice(at..at, more);
        prop_assert!(risk_under(&scene, with, &args) >= before);
    });
}

/// Invariant 5.
#[test]
fn a_project_never_lowers_a_verdict_wherever_its_layer_stands() {
    let scene = Scene::new();
    proptest!(config(), |(layers in any_layers(), project in any_layer(vec![Layer::Project]), pairs in any_arguments())| {
        let (layers, project) = (placed(&scene, layers, "a"), placed(&scene, vec![project], "b"));
        let args = arguments(&pairs);
        let before = risk_under(&scene, layers.clone(), &args);
        for at in 0..=layers.len() {
            let mut with = layers.clone();
            with.splice(at..at, project.clone());
            prop_assert!(risk_under(&scene, with, &args) >= before);
        }
    });
}

#[test]
fn a_rule_or_a_zone_more_never_lowers_a_verdict() {
    let scene = Scene::new();
    proptest!(config(), |(layer in any_layer(Layer::ALL.to_vec()), rule in any_rule(), zone in any_zone(), pairs in any_arguments())| {
        // A default is about what no rule of its own layer names: it alone is not what it was with a rule more.
        let layer = LayerRules { otherwise: None, ..layer };
        let mut richer = layer.clone();
        richer.rules.push(rule);
        let mut richest = richer.clone();
        richest.zones.push(zone);
        let args = arguments(&pairs);
        let [plain, richer, richest] =
            [layer, richer, richest].map(|layer| risk_under(&scene, placed(&scene, vec![layer], "a"), &args));
        prop_assert!(plain <= richer && richer <= richest);
    });
}

/// A rule lifts the default of its own layer at most to what it says itself, and never what anybody else says.
#[test]
fn a_default_never_lowers_a_verdict_and_a_rule_takes_out_of_it_only_its_own() {
    let scene = Scene::new();
    proptest!(config(), |(layer in any_layer(Layer::ALL.to_vec()), others in any_layers(), rule in any_rule(), pairs in any_arguments())| {
        let args = arguments(&pairs);
        let without = LayerRules { otherwise: None, ..layer.clone() };
        let with = LayerRules { otherwise: Some(Risk::Deny), ..layer };
        let mut ruled = with.clone();
        ruled.rules.push(rule);
        let mut undefaulted = ruled.clone();
        undefaulted.otherwise = None;
        let others = placed(&scene, others, "o");
        let risk = |layer: LayerRules| {
            let mut layers = placed(&scene, vec![layer], "a");
            layers.extend(others.clone());
            risk_under(&scene, layers, &args)
        };
        let [without, with, ruled, undefaulted] = [without, with, ruled, undefaulted].map(risk);
        prop_assert!(without <= with);
        prop_assert!(undefaulted <= ruled, "the rule itself holds with the default as without it");
        prop_assert!(ruled >= without, "and nothing else is lifted");
    });
}

#[test]
fn an_effect_more_never_lowers_a_verdict() {
    let scene = Scene::new();
    proptest!(config(), |(layers in any_layers(), pairs in any_arguments(), more in any_argument())| {
        prop_assume!(pairs.iter().all(|(member, _)| *member != more.0));
        // It says where the sub-agent of every such call starts, and a rule may name that place.
        prop_assume!(more.0 != "cwd");
        let layers = placed(&scene, layers, "a");
        let before = risk_under(&scene, layers.clone(), &arguments(&pairs));
        let mut with = pairs;
        with.push(more);
        prop_assert!(risk_under(&scene, layers, &arguments(&with)) >= before);
    });
}

#[test]
fn the_same_call_gets_the_same_verdict() {
    let scene = Scene::new();
    proptest!(config(), |(layers in any_layers(), pairs in any_arguments())| {
        let mut layers = placed(&scene, layers, "a");
        let args = arguments(&pairs);
        let classifier = scene.classifier_of(toolbox(), layers.clone());
        let first = summary(&classifier.assess(scene.call("act", &args)));
        prop_assert_eq!(&summary(&classifier.assess(scene.call("act", &args))), &first);
        layers.reverse();
        let turned = scene.classifier_of(toolbox(), layers);
        prop_assert_eq!(&summary(&turned.assess(scene.call("act", &args))), &first, "the order of layers means nothing");
    });
}

#[test]
fn careful_is_never_milder_than_everyday() {
    let scene = Scene::new();
    proptest!(config(), |(pairs in any_arguments())| {
        let args = arguments(&pairs);
        let everyday = risk_under(&scene, preset(Preset::Everyday), &args);
        prop_assert!(risk_under(&scene, preset(Preset::Careful), &args) >= everyday);
    });
}
