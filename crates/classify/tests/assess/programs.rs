//! Programs that layers explain.

use portcullis_classify::{
    Assessment, Layer, LayerRules, Policy, PolicyErrorKind, ProgramEntry, Risk, RuleSubject, Toolbox,
};
use portcullis_paths::{Ambient, ZoneKind};
use rstest::rstest;
use serde_json::json;

use crate::scene::{Scene, assert_sound, ids, rule, with_rules, with_zones};

fn programs(layer: Layer, text: &str) -> LayerRules {
    let file: std::collections::BTreeMap<String, Vec<ProgramEntry>> = toml::from_str(text).unwrap();
    LayerRules {
        programs: file.into_values().flatten().collect(),
        ..LayerRules::empty(layer)
    }
}

/// Addresses in a document look like absolute paths.
const SHEETTOOL: &str = r#"
[[program]]
names = ["sheettool"]
alone = ["--version"]
[[program.sub]]
names = ["get"]
operands = ["read", "text"]
[[program.sub]]
names = ["set"]
options = { "--value" = "text", "--key" = "secret" }
operands = ["write", "text"]
"#;

const BUILDS: &str = r#"
[[program]]
names = ["conan"]
loose = true
operands = ["text..."]
does = ["project-code"]
[[program]]
names = ["nix"]
[[program.sub]]
names = ["run"]
loose = true
operands = ["text..."]
does = ["project-code"]
[[program]]
names = ["inside"]
stop = true
operands = ["command"]
"#;

fn judge(scene: &Scene, layers: Vec<LayerRules>, command: &str) -> Assessment {
    let ambient = Ambient::empty().with_home(scene.path("home"));
    let policy = Policy::join(layers).unwrap();
    let classifier =
        portcullis_classify::Classifier::open(Toolbox::standard(), policy, [scene.path("ws")], ambient)
            .unwrap()
            .with_trusted([0]);
    let assessment = classifier.assess(scene.call("bash", &json!({"command": command})));
    assert_sound(&assessment);
    assessment
}

#[rstest]
#[case::address("sheettool set data.xlsx /Sheet1/B1 --value 95", Risk::Confirm, Risk::Allow)]
#[case::joined("sheettool set --value=95 data.xlsx /Sheet1/B1", Risk::Confirm, Risk::Allow)]
#[case::reading("sheettool get data.xlsx /Sheet1/B1 | wc -l", Risk::Confirm, Risk::Allow)]
#[case::what_it_does_not_name("sheettool set --macro x data.xlsx /A/B", Risk::Confirm, Risk::Confirm)]
#[case::another_sub("sheettool run data.xlsx", Risk::Confirm, Risk::Confirm)]
#[case::outside("sheettool set {T}/outside/data.txt /A/B", Risk::Confirm, Risk::Confirm)]
#[case::private("sheettool get .env /A/B", Risk::Confirm, Risk::Confirm)]
#[case::protected("sheettool set data.xlsx {T}/ws/locked/inner/file", Risk::Deny, Risk::Deny)]
#[case::moving("sheettool set \"$x\" /A/B", Risk::Confirm, Risk::Confirm)]
#[case::another_program("sheettools set data.xlsx /A/B", Risk::Confirm, Risk::Confirm)]
#[case::builds("conan build 2>&1", Risk::Confirm, Risk::Allow)]
#[case::builds_outside("cd {T}/outside && conan build", Risk::Confirm, Risk::Confirm)]
#[case::a_sub_command("nix run 'nixpkgs#hello'", Risk::Confirm, Risk::Allow)]
#[case::other_sub_commands("nix build x", Risk::Confirm, Risk::Confirm)]
#[case::what_else_is_known("nix --version", Risk::Allow, Risk::Allow)]
#[case::wrapper("inside rm -rf ~", Risk::Confirm, Risk::Deny)]
#[case::wrapped("inside ls", Risk::Confirm, Risk::Allow)]
#[case::wrapped_shell("inside sh -c 'eval $x'", Risk::Confirm, Risk::Confirm)]
#[case::behind_it("sheettool --version; rm -rf ~", Risk::Deny, Risk::Deny)]
fn a_user_explains_a_program(#[case] command: &str, #[case] before: Risk, #[case] after: Risk) {
    let scene = Scene::new();
    let zone = || {
        with_zones(
            Layer::User,
            vec![scene.zone("z", ZoneKind::DenyWrite, "{T}/ws/locked")],
        )
    };
    let command = scene.fill(command);
    assert_eq!(judge(&scene, vec![zone()], &command).verdict.risk(), before);
    let layers = vec![
        zone(),
        programs(Layer::User, SHEETTOOL),
        programs(Layer::User, BUILDS),
    ];
    let assessment = judge(&scene, layers, &command);
    assert_eq!(assessment.verdict.risk(), after, "{:?}", ids(&assessment));
}

#[test]
fn whose_word_it_is_is_told() {
    let scene = Scene::new();
    let assessment = judge(
        &scene,
        vec![programs(Layer::User, SHEETTOOL)],
        "sheettool --version",
    );
    let told = assessment
        .verdict
        .causes()
        .iter()
        .find(|cause| cause.rule == "command.known" && cause.layer == Layer::User);
    assert_eq!(told.unwrap().text, "runs a program that your policy explains");
}

#[rstest]
#[case(Layer::User)]
#[case(Layer::Project)]
fn a_secret_that_an_entry_names_is_never_shown(#[case] layer: Layer) {
    let assessment = judge(
        &Scene::new(),
        vec![programs(layer, SHEETTOOL)],
        "sheettool set a.xlsx /A --key hunter2 {T}",
    );
    assert!(
        !format!("{assessment:?}")
            .replace(&format!("{:?}", assessment.call), "")
            .contains("hunter2")
    );
}

/// A rule knows the options of what is explained.
#[test]
fn rules_read_by_it() {
    let scene = Scene::new();
    let words = ["sheettool", "set"].map(str::to_owned).to_vec();
    let subject = RuleSubject {
        command: Some(words),
        ..RuleSubject::default()
    };
    let layers = vec![
        programs(
            Layer::User,
            "[[program]]\nnames = ['sheettool']\nglobal = true\nvalued = ['--file']\n[[program.sub]]\nnames = ['set']\noperands = ['text...']",
        ),
        with_rules(Layer::User, vec![rule("no-set", Risk::Deny, subject)]),
    ];
    let command = "sheettool --file a set /A";
    let assessment = judge(&scene, layers.clone(), command);
    assert_eq!(assessment.verdict.risk(), Risk::Deny);
    assert_eq!(
        judge(&scene, layers[1..].to_vec(), command).verdict.risk(),
        Risk::Confirm
    );
}

/// What a project says of a program counts besides what is known of it, and never in its place.
#[rstest]
#[case::unknown_stays_unknown("sheettool get notes.txt /A", Risk::Confirm)]
#[case::known_stays_known("rm -rf build", Risk::Confirm)]
#[case::and_what_it_says_counts("tell x", Risk::Confirm)]
#[case::even_of_what_runs("ls publish", Risk::Confirm)]
#[case::a_place_it_names("sheettool set locked/inner/file /A", Risk::Deny)]
#[case::words_that_run("inside ls", Risk::Confirm)]
fn a_project_only_adds(#[case] command: &str, #[case] expected: Risk) {
    let scene = Scene::new();
    let zone = with_zones(
        Layer::User,
        vec![scene.zone("z", ZoneKind::DenyWrite, "{T}/ws/locked")],
    );
    let more = r#"
[[program]]
names = ["rm", "tell"]
loose = true
operands = ["text..."]
[[program]]
names = ["ls"]
loose = true
operands = ["text..."]
does = ["publishes"]
"#;
    let layers = vec![
        zone,
        programs(Layer::Project, SHEETTOOL),
        programs(Layer::Project, BUILDS),
        programs(Layer::Project, more),
    ];
    assert_eq!(judge(&scene, layers, command).verdict.risk(), expected);
}

#[test]
fn a_project_makes_what_the_user_explains_stricter() {
    let scene = Scene::new();
    let layers = vec![
        programs(Layer::User, SHEETTOOL),
        programs(
            Layer::Project,
            "[[program]]\nnames = ['sheettool']\nloose = true\noperands = ['text...']\ndoes = ['publishes']",
        ),
    ];
    let assessment = judge(&scene, layers, "sheettool --version");
    assert_eq!(assessment.verdict.risk(), Risk::Confirm);
    assert!(ids(&assessment).contains(&"command.publishes"));
}

#[rstest]
#[case::twice("[[program]]\nnames = ['a']\n[[program]]\nnames = ['b', 'a']")]
#[case::role("[[program]]\nnames = ['a']\noperands = ['rede']")]
#[case::no_name("[[program]]\nflags = ['-a']")]
#[case::sub_twice(
    "[[program]]\nnames = ['a']\n[[program.sub]]\nnames = ['b']\n[[program.sub]]\nnames = ['b']"
)]
#[case::in_a_known_one(
    "[[program]]\nnames = ['git']\n[[program.sub]]\nnames = ['log']\nwhen = [{ options = ['--no'] }]"
)]
fn what_is_not_clear_is_an_error(#[case] text: &str) {
    let error = Policy::join(vec![programs(Layer::User, text)]).unwrap_err();
    assert_eq!(error.kind(), PolicyErrorKind::Program);
}

#[test]
fn programs_belong_to_the_version() {
    let version = |layers| Policy::join(layers).unwrap().version().to_owned();
    let all = [
        Vec::new(),
        vec![programs(Layer::User, SHEETTOOL)],
        vec![programs(Layer::Project, SHEETTOOL)],
        vec![programs(Layer::User, &SHEETTOOL.replace("\"write\"", "\"text\""))],
    ];
    let versions: std::collections::BTreeSet<_> = all.iter().cloned().map(version).collect();
    assert_eq!(versions.len(), all.len());
}
