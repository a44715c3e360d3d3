//! Rules and broken layers.

use portcullis_classify::{Denial, EffectKind, Layer, LayerRules, Risk, RuleSubject};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_sound, ids, rule, with_rules};

fn tool(name: &str) -> RuleSubject {
    RuleSubject {
        tool: Some(name.to_owned()),
        ..RuleSubject::default()
    }
}

fn operation(kind: EffectKind) -> RuleSubject {
    RuleSubject {
        operation: Some(kind),
        ..RuleSubject::default()
    }
}

fn under(path: &str) -> RuleSubject {
    RuleSubject {
        under: Some(path.into()),
        ..RuleSubject::default()
    }
}

fn command(words: &[&str]) -> RuleSubject {
    RuleSubject {
        command: Some(words.iter().map(|&word| word.to_owned()).collect()),
        ..RuleSubject::default()
    }
}

#[rstest]
#[case::tool(tool("read_file"), "read_file", json!({"path": "notes.txt"}), true)]
#[case::tool_without_effects(tool("TodoWrite"), "TodoWrite", json!({"todos": []}), true)]
#[case::another_tool(tool("Read"), "read_file", json!({"path": "notes.txt"}), false)]
#[case::operation(operation(EffectKind::Read), "read_file", json!({"path": "notes.txt"}), true)]
#[case::another_operation(operation(EffectKind::Write), "read_file", json!({"path": "notes.txt"}), false)]
#[case::an_edit_reads(operation(EffectKind::Read), "edit_file", json!({"path": "notes.txt", "old_text": "a", "new_text": "b"}), true)]
#[case::a_search_reads(operation(EffectKind::Read), "search", json!({"pattern": "x"}), true)]
#[case::a_list_does_not_read(operation(EffectKind::Read), "list_dir", json!({}), false)]
#[case::a_write_does_not_read(operation(EffectKind::Read), "write_file", json!({"path": "notes.txt", "content": "x"}), false)]
#[case::an_edit_writes(operation(EffectKind::Write), "edit_file", json!({"path": "notes.txt", "old_text": "a", "new_text": "b"}), true)]
#[case::execute_is_also_what_is_opaque(operation(EffectKind::Execute), "run_command", json!({"command": "a | b"}), true)]
#[case::place(under("{T}/ws/src"), "read_file", json!({"path": "src/main.rs"}), true)]
#[case::place_itself(under("{T}/ws/src"), "list_dir", json!({"path": "src"}), true)]
#[case::place_through_a_link(under("{T}/ws/src"), "read_file", json!({"path": "near/main.rs"}), true)]
#[case::place_named_by_a_link(under("{T}/ws/near"), "read_file", json!({"path": "src/main.rs"}), true)]
#[case::place_at_home(under("~/.ssh"), "read_file", json!({"path": "{T}/home/.ssh/key"}), true)]
#[case::place_to_come(under("{T}/ws/new"), "write_file", json!({"path": "new/x", "content": "x"}), true)]
#[case::beside_the_place(under("{T}/ws/src"), "read_file", json!({"path": "notes.txt"}), false)]
#[case::above_the_place(under("{T}/ws/src"), "list_dir", json!({}), false)]
#[case::search_above(under("{T}/ws/src"), "search", json!({"pattern": "x"}), true)]
#[case::delete_above(under("{T}/ws/build/cache"), "delete_file", json!({"path": "build", "recursive": true}), true)]
#[case::move_above(under("{T}/ws/build/cache"), "move_file", json!({"from": "build", "to": "b"}), true)]
#[case::command(command(&["git", "push"]), "run_command", json!({"command": "git push origin"}), true)]
#[case::command_of_another_tool(command(&["git", "push"]), "Bash", json!({"command": "git  push"}), true)]
#[case::longer_word(command(&["git", "push"]), "run_command", json!({"command": "git pushed"}), false)]
#[case::in_a_list(command(&["git", "push"]), "run_command", json!({"command": "git push; true"}), true)]
#[case::as_text(command(&["git", "push"]), "run_command", json!({"command": "echo git push"}), false)]
#[case::command_is_no_path(command(&["notes.txt"]), "read_file", json!({"path": "notes.txt"}), false)]
#[case::all_of_it(
    RuleSubject { operation: Some(EffectKind::Read), under: Some("{T}/ws/src".into()), ..tool("read_file") },
    "read_file", json!({"path": "src/main.rs"}), true
)]
#[case::all_but_one(
    RuleSubject { operation: Some(EffectKind::Write), under: Some("{T}/ws/src".into()), ..tool("read_file") },
    "read_file", json!({"path": "src/main.rs"}), false
)]
fn a_rule_matches(
    #[case] mut subject: RuleSubject,
    #[case] tool: &str,
    #[case] args: Value,
    #[case] matches: bool,
    #[values(Risk::Confirm, Risk::Deny)] risk: Risk,
) {
    let scene = Scene::new();
    subject.under = subject
        .under
        .map(|path| scene.fill(path.to_str().unwrap()).into());
    let before = scene.judge(Vec::new(), tool, &args);
    let layers = vec![with_rules(Layer::User, vec![rule("mine", risk, subject)])];
    let after = scene.judge(layers, tool, &args);
    assert_sound(&after);
    let cause = after.verdict.causes().iter().find(|cause| cause.rule == "mine");
    assert_eq!(cause.is_some(), matches, "{:?}", after.verdict);
    let expected = if matches {
        before.verdict.risk().join(risk)
    } else {
        before.verdict.risk()
    };
    assert_eq!(after.verdict.risk(), expected);
    if let Some(cause) = cause {
        assert_eq!(
            (cause.layer, cause.risk, cause.text.as_str()),
            (Layer::User, risk, "the reason of mine")
        );
        assert_eq!(after.denial, (risk == Risk::Deny).then_some(Denial::Policy));
    }
}

#[test]
fn every_effect_that_a_rule_is_about_gets_its_cause() {
    let scene = Scene::new();
    let rules = vec![rule("moves", Risk::Deny, operation(EffectKind::Move))];
    let args = json!({"from": "notes.txt", "to": "x"});
    let assessment = scene.judge(vec![with_rules(Layer::Project, rules)], "move_file", &args);
    let about: Vec<_> = assessment
        .verdict
        .causes()
        .iter()
        .filter(|cause| cause.rule == "moves")
        .map(|cause| cause.effect)
        .collect();
    assert_eq!(about, [Some(0), Some(1)]);
}

#[rstest]
#[case("read_file", json!({"path": "notes.txt"}), Risk::Confirm)]
#[case("TodoWrite", json!({"todos": []}), Risk::Confirm)]
#[case("run_command", json!({"command": "ls"}), Risk::Confirm)]
#[case("read_file", json!({"path": "absent"}), Risk::Deny)]
#[case("unheard_of", json!({}), Risk::Deny)]
fn a_broken_layer_asks_about_everything(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] expected: Risk,
    #[values(Layer::User, Layer::Project, Layer::Run)] layer: Layer,
) {
    let scene = Scene::new();
    let assessment = scene.judge(vec![LayerRules::broken(layer, "line 2 is not TOML")], tool, &args);
    assert_sound(&assessment);
    assert_eq!(assessment.verdict.risk(), expected);
    let cause = assessment
        .verdict
        .causes()
        .iter()
        .find(|cause| cause.rule == "layer.broken")
        .unwrap();
    assert_eq!((cause.layer, cause.risk), (layer, Risk::Confirm));
    assert!(cause.text.contains("line 2 is not TOML"));
}

#[test]
fn what_was_read_of_a_broken_layer_still_holds() {
    let scene = Scene::new();
    let layer = LayerRules {
        rules: vec![rule("no", Risk::Deny, tool("read_file"))],
        ..LayerRules::broken(Layer::User, "half of it is missing")
    };
    let assessment = scene.judge(vec![layer], "read_file", &json!({"path": "notes.txt"}));
    assert_eq!(ids(&assessment), ["no", "layer.broken", "inside.read"]);
}

/// A shell is none of the commands that a rule leaves: what it is told is judged command by command.
#[rstest]
#[case("gh run list", false)]
#[case("bash -c 'gh run list'", false)]
#[case("/bin/zsh -lc 'gh run list'", false)]
#[case("bash -c 'gh run list; ls'", true)]
#[case("bash -c 'gh pr list'", true)]
#[case("./bash -c 'gh run list'", true)]
#[case("bash run.sh", true)]
#[case("bash", true)]
#[case("sudo gh run list", true)]
fn a_shell_is_what_it_is_told(#[case] text: &str, #[case] is_another: bool) {
    let rule = portcullis_classify::Rule {
        id: "others".to_owned(),
        risk: Risk::Deny,
        because: "not among these".to_owned(),
        subject: RuleSubject {
            except: Some(vec![vec!["gh".to_owned(), "run".to_owned()]]),
            ..RuleSubject::default()
        },
    };
    assert_eq!(rule.matches_command(text), is_another, "{text}");
}
