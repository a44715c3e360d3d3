//! Review levels: how much of a parameter is asked about, and what no level lifts.

use std::collections::BTreeMap;

use portcullis_classify::{
    Layer, LayerRules, Level, Levels, Policy, PolicyErrorKind, Profile, Risk, RuleSubject, ToolSpec, Toolbox,
};
use portcullis_paths::ZoneKind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_sound, ids, rule, with_rules, with_zones};

fn levels(layer: Layer, tool: &str, member: &str, level: Level) -> LayerRules {
    let named = BTreeMap::from([((tool.to_owned(), member.to_owned()), level)]);
    LayerRules {
        levels: Levels { profile: None, named },
        ..LayerRules::empty(layer)
    }
}

fn profile(layer: Layer, profile: Profile) -> LayerRules {
    LayerRules {
        levels: Levels {
            profile: Some(profile),
            ..Levels::default()
        },
        ..LayerRules::empty(layer)
    }
}

fn scene() -> Scene {
    let scene = Scene::new();
    for name in ["ws/.env", "ws/build/.env"] {
        std::fs::write(scene.path(name), "KEY=1").unwrap();
    }
    scene
}

const LEVELS: [Level; 5] = Level::ALL;

fn letter(risk: Risk) -> char {
    match risk {
        Risk::Allow => 'a',
        Risk::Confirm => 'c',
        Risk::Deny => 'd',
    }
}

/// What each level answers, from `off` to `always`.
#[rstest]
#[case::plain_read("read", "path", json!({"path": "notes.txt"}), "aaaac")]
#[case::private_read("read", "path", json!({"path": ".env"}), "acccc")]
#[case::read_outside("read", "path", json!({"path": "{T}/outside/data.txt"}), "aaccc")]
#[case::write("write", "path", json!({"path": "notes.txt", "content": ""}), "aaaac")]
#[case::sensitive("write", "path", json!({"path": ".git/config", "content": ""}), "acccc")]
#[case::several_names("write", "path", json!({"path": "twin", "content": ""}), "ccccc")]
#[case::a_deletion("delete_file", "path", json!({"path": "notes.txt"}), "aaacc")]
#[case::search_of_private("grep", "path", json!({"pattern": "x", "path": "build"}), "acccc")]
#[case::search_by_a_glob("grep", "path", json!({"pattern": "x", "path": "build/cache", "glob": "../.e*"}), "acccc")]
#[case::command("bash", "command", json!({"command": "ls"}), "aaaac")]
#[case::deletion("bash", "command", json!({"command": "rm notes.txt"}), "aaacc")]
#[case::command_outside("bash", "command", json!({"command": "cat {T}/outside/data.txt"}), "aaccc")]
#[case::beyond_the_machine("bash", "command", json!({"command": "git push"}), "aaccc")]
#[case::secrets("bash", "command", json!({"command": "cat .env"}), "acccc")]
#[case::unknown("bash", "command", json!({"command": "frobnicate"}), "ccccc")]
#[case::opaque("bash", "command", json!({"command": "eval \"$x\""}), "ccccc")]
#[case::unreadable("bash", "command", json!({"command": "if"}), "ccccc")]
#[case::ruin("bash", "command", json!({"command": "rm -rf ~/"}), "ddddd")]
#[case::protected("bash", "command", json!({"command": "cat locked/inner/file"}), "ddddd")]
#[case::protected_read("read", "path", json!({"path": "locked/inner/file"}), "ddddd")]
#[case::a_rule("read", "path", json!({"path": "src/main.rs"}), "ccccc")]
fn every_level_answers(
    #[case] tool: &str,
    #[case] member: &str,
    #[case] args: Value,
    #[case] expected: &str,
) {
    let scene = scene();
    let got: String = LEVELS
        .iter()
        .map(|level| {
            let subject = RuleSubject {
                under: Some(scene.path("ws/src/main.rs")),
                ..RuleSubject::default()
            };
            let layers = vec![
                levels(Layer::User, tool, member, *level),
                with_rules(Layer::User, vec![rule("mine", Risk::Confirm, subject)]),
                with_zones(
                    Layer::BuiltIn,
                    vec![scene.zone("own", ZoneKind::DenyRead, "{T}/ws/locked")],
                ),
            ];
            let assessment = scene.judge(layers, tool, &args);
            assert_sound(&assessment);
            letter(assessment.verdict.risk())
        })
        .collect();
    assert_eq!(got, expected);
}

/// The empty path of a search or a listing is the working directory.
#[rstest]
#[case("grep", json!({"pattern": "x", "path": ""}))]
#[case("find", json!({"pattern": "*", "path": ""}))]
#[case("ls", json!({"path": ""}))]
#[case("ls", json!({}))]
fn an_empty_path_is_the_working_directory(#[case] tool: &str, #[case] args: Value) {
    let scene = scene();
    let risk = |cwd: &str| {
        let classifier = scene.classifier(vec![profile(Layer::User, Profile::Guardian)]);
        let call = scene.call_from(Some(cwd), tool, &args);
        classifier.assess(call).verdict.risk()
    };
    assert_eq!(risk("{T}/ws/src"), Risk::Allow);
    std::fs::create_dir(scene.path("ws/.ssh")).unwrap();
    assert_eq!(risk("{T}/ws/.ssh"), Risk::Confirm);
}

#[rstest]
#[case::weaker(Layer::Project, Level::PrivateOnly, Risk::Confirm)]
#[case::stronger(Layer::Project, Level::Always, Risk::Confirm)]
#[case::of_a_run(Layer::Run, Level::PrivateOnly, Risk::Confirm)]
fn nobody_but_the_user_loosens(#[case] layer: Layer, #[case] level: Level, #[case] expected: Risk) {
    let args = json!({"path": "{T}/outside/data.txt"});
    let assessment = scene().judge(vec![levels(layer, "read", "path", level)], "read", &args);
    assert_eq!(assessment.verdict.risk(), expected);
}

#[test]
fn a_review_of_everything_names_its_parameter_and_its_layer() {
    let layers = vec![profile(Layer::User, Profile::Guardian)];
    let assessment = scene().judge(layers, "bash", &json!({"command": "ls"}));
    let cause = assessment.verdict.causes().first().unwrap();
    assert_eq!((cause.rule.as_str(), cause.layer), ("review.always", Layer::User));
    assert_eq!(cause.text, "every `command` of `bash` is reviewed");
}

#[rstest]
#[case(Layer::Project)]
#[case(Layer::Run)]
fn only_the_user_turns_a_review_off(#[case] layer: Layer) {
    let error = Policy::join(vec![levels(layer, "read", "path", Level::Off)]).unwrap_err();
    assert_eq!(error.kind(), PolicyErrorKind::Loosens);
    assert_eq!(error.rule(), "read.path");
}

/// A tool that does not say what its `path` is.
#[rstest]
#[case::plain(json!({"path": "notes.txt"}), "aaaaac")]
#[case::private(json!({"path": ".env"}), "aacccc")]
#[case::sensitive(json!({"path": ".git/config"}), "aacccc")]
#[case::outside(json!({"path": "{T}/outside/data.txt"}), "aaaccc")]
#[case::protected(json!({"path": "locked/inner/file"}), "addddd")]
#[case::no_path(json!({"path": 5}), "aaaaaa")]
#[case::none(json!({}), "aaaaaa")]
fn a_path_that_no_tool_explains(#[case] args: Value, #[case] expected: &str) {
    let scene = scene();
    let mut said = vec![None];
    said.extend(LEVELS.map(Some));
    let got: String = said
        .into_iter()
        .map(|level| {
            let mut toolbox = Toolbox::empty();
            let schema = json!({"type": "object"});
            toolbox
                .register(ToolSpec::new("other", schema, Vec::new()).unwrap())
                .unwrap();
            let mut layers = vec![with_zones(
                Layer::BuiltIn,
                vec![scene.zone("own", ZoneKind::DenyRead, "{T}/ws/locked")],
            )];
            layers.extend(level.map(|level| levels(Layer::User, "*", "path", level)));
            let assessment = scene
                .classifier_of(toolbox, layers)
                .assess(scene.call("other", &args));
            assert_sound(&assessment);
            letter(assessment.verdict.risk())
        })
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn levels_belong_to_the_version() {
    let version = |layers| Policy::join(layers).unwrap().version().to_owned();
    let all = [
        Vec::new(),
        vec![levels(Layer::User, "read", "path", Level::Off)],
        vec![levels(Layer::User, "read", "path", Level::Always)],
        vec![levels(Layer::Project, "read", "path", Level::Always)],
        vec![profile(Layer::User, Profile::Guardian)],
    ];
    let versions: std::collections::BTreeSet<_> = all.iter().cloned().map(version).collect();
    assert_eq!(versions.len(), all.len());
    let scene = scene();
    let call = json!({"path": ".env"});
    let assessment = scene.judge(all[1].clone(), "read", &call);
    assert!(
        ids(&assessment).contains(&"private.environment"),
        "it is told all the same"
    );
}
