//! A grant ends with what the policy says about its call, and outlives what it says about others.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use portcullis_classify::{EffectKind, Layer, LayerRules, Level, Preset, Risk, Rule, RuleSubject};
use portcullis_gate::{Answer, Behaviour, Cancel, Gate, GrantStore, Scope, Settings, Step};
use portcullis_paths::{Zone, ZoneKind};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Memory, Scene, classifier};

const HOUR: Duration = Duration::from_secs(3600);

fn rule(id: &str, risk: Risk, subject: RuleSubject) -> Rule {
    Rule {
        id: id.to_owned(),
        subject,
        risk,
        because: "somebody says so".to_owned(),
    }
}

fn about(tool: Option<&str>, operation: Option<EffectKind>, under: Option<&Path>) -> RuleSubject {
    RuleSubject {
        tool: tool.map(str::to_owned),
        operation,
        under: under.map(Path::to_owned),
        command: None,
        except: None,
    }
}

/// A user's policy that asks for writes below `dir` by a rule of this id.
fn asking(scene: &Scene, id: &str) -> LayerRules {
    LayerRules {
        rules: vec![rule(
            id,
            Risk::Confirm,
            about(Some("write_file"), None, Some(&scene.work("dir"))),
        )],
        ..LayerRules::empty(Layer::User)
    }
}

fn scene() -> Scene {
    let scene = Scene::new();
    for file in ["dir/a", "dir/b", "other/c"] {
        scene.file(file, "x");
    }
    scene
}

fn follow(scene: &Scene, layer: LayerRules) {
    let next = classifier(&scene.work(""), vec![layer]);
    scene.gate.replace(next, Duration::from_secs(60));
}

fn write(path: &str) -> Value {
    json!({"path": path, "content": "y"})
}

fn grant(scene: &Scene, args: Value) {
    let always = Answer::AllowAlways(Scope::lasting(HOUR));
    drop(
        scene
            .decide(scene.call("write_file", args), Behaviour::Say(always))
            .unwrap(),
    );
}

fn is_covered(scene: &Scene, args: Value) -> bool {
    matches!(scene.submit(scene.call("write_file", args)), Step::Permitted(_))
}

#[rstest]
#[case::nothing(|_: &Scene, _: &mut LayerRules| {}, true)]
#[case::a_rule_about_another_place(|scene: &Scene, layer: &mut LayerRules| {
    layer.rules.push(rule("two", Risk::Deny, about(None, None, Some(&scene.work("other")))));
}, true)]
#[case::a_rule_about_another_tool(|_: &Scene, layer: &mut LayerRules| {
    layer.rules.push(rule("two", Risk::Deny, about(Some("move_file"), None, None)));
}, true)]
#[case::a_zone_elsewhere(|scene: &Scene, layer: &mut LayerRules| {
    let path = scene.work("other");
    layer.zones.push(Zone { id: "two".to_owned(), kind: ZoneKind::DenyWrite, path });
}, true)]
#[case::a_better_sentence(|_: &Scene, layer: &mut LayerRules| {
    "because it matters".clone_into(&mut layer.rules[0].because);
}, true)]
#[case::a_further_rule_asks(|_: &Scene, layer: &mut LayerRules| {
    layer.rules.push(rule("two", Risk::Confirm, about(Some("write_file"), None, None)));
}, false)]
#[case::a_zone_asks(|scene: &Scene, layer: &mut LayerRules| {
    let path = scene.work("dir");
    layer.zones.push(Zone { id: "two".to_owned(), kind: ZoneKind::ConfirmWrite, path });
}, false)]
#[case::the_same_place_by_another_rule(|_: &Scene, layer: &mut LayerRules| {
    "two".clone_into(&mut layer.rules[0].id);
}, false)]
#[case::the_rule_means_more(|_: &Scene, layer: &mut LayerRules| layer.rules[0].subject.tool = None, false)]
#[case::the_rule_means_less(|scene: &Scene, layer: &mut LayerRules| {
    layer.rules[0].subject.under = Some(scene.work("dir/a"));
}, false)]
#[case::the_rule_denies(|_: &Scene, layer: &mut LayerRules| layer.rules[0].risk = Risk::Deny, false)]
#[case::denied_by_another(|_: &Scene, layer: &mut LayerRules| {
    layer.rules.push(rule("two", Risk::Deny, about(Some("write_file"), None, None)));
}, false)]
#[case::in_another_layer(|_: &Scene, layer: &mut LayerRules| layer.layer = Layer::Project, false)]
#[case::a_preset(|_: &Scene, layer: &mut LayerRules| layer.preset = Some(Preset::Careful), false)]
#[case::a_broken_layer(|_: &Scene, layer: &mut LayerRules| layer.broken = Some("it".to_owned()), false)]
#[case::a_level(|_: &Scene, layer: &mut LayerRules| {
    layer.levels.named.insert(("read_file".to_owned(), "path".to_owned()), Level::Always);
}, false)]
fn a_grant_ends_when_the_policy_says_something_new_of_its_call(
    #[case] change: fn(&Scene, &mut LayerRules),
    #[case] lives: bool,
) {
    let scene = scene();
    follow(&scene, asking(&scene, "one"));
    grant(&scene, write("dir/a"));
    assert!(is_covered(&scene, write("dir/a")));
    let mut next = asking(&scene, "one");
    change(&scene, &mut next);
    follow(&scene, next);
    assert_eq!(is_covered(&scene, write("dir/a")), lives);
}

/// The same for one that is kept in the store: it is held against what it was given under, also by another process.
#[test]
fn a_kept_grant_lives_and_ends_like_one_of_the_process() {
    let scene = scene();
    let gate = |layer: LayerRules| {
        let gate = Gate::new(
            classifier(&scene.work(""), vec![layer]),
            std::sync::Arc::new(Memory::default()),
            scene.clock.clone(),
            Settings::for_user("tester"),
        );
        gate.with_grants(GrantStore::new(scene.outside("grants.json")))
    };
    let call = || scene.call("write_file", write("dir/a"));
    let answer = Answer::AllowAlways(Scope::lasting(HOUR).kept());
    let mut person = scene.approver([Behaviour::Say(answer)]);
    drop(
        gate(asking(&scene, "one"))
            .decide(call(), &mut person, &Cancel::new())
            .unwrap(),
    );
    let covers = |layer| matches!(gate(layer).submit(call(), &Cancel::new()), Step::Permitted(_));
    assert!(covers(asking(&scene, "one")));
    let mut elsewhere = asking(&scene, "one");
    elsewhere.rules.push(rule(
        "two",
        Risk::Deny,
        about(None, None, Some(&scene.work("other"))),
    ));
    assert!(covers(elsewhere));
    let mut here = asking(&scene, "one");
    here.rules[0].subject.tool = None;
    assert!(!covers(here));
}

/// A rule: its id, what it does, and what it is about.
type Drawn = (usize, bool, usize, usize);

fn layer(scene: &Scene, rules: &[Drawn], careful: bool) -> LayerRules {
    let mut ids = BTreeSet::new();
    let drawn = rules.iter().filter(|(id, ..)| ids.insert(*id));
    let rules = drawn.map(|(id, denies, tool, place)| {
        let tool = [None, Some("write_file"), Some("delete_file")][*tool];
        let under = ["dir", "dir/a", "dir/b", "other"][*place];
        let risk = if *denies { Risk::Deny } else { Risk::Confirm };
        rule(
            &format!("r{id}"),
            risk,
            about(tool, None, Some(&scene.work(under))),
        )
    });
    LayerRules {
        rules: rules.collect(),
        preset: careful.then_some(Preset::Careful),
        ..LayerRules::empty(Layer::User)
    }
}

/// What asks about a call, whole: which layer, which rule, what it is about, and why.
fn questions(scene: &Scene, layer: &LayerRules, args: &Value) -> Result<BTreeSet<String>, ()> {
    let assessed =
        classifier(&scene.work(""), vec![layer.clone()]).assess(scene.call("write_file", args.clone()));
    if assessed.verdict.risk() == Risk::Deny {
        return Err(());
    }
    let causes = assessed.verdict.causes().iter();
    let asking = causes.filter(|cause| cause.risk == Risk::Confirm);
    Ok(asking
        .map(|cause| {
            let said: Vec<&Rule> = layer.rules.iter().filter(|rule| rule.id == cause.rule).collect();
            format!("{:?} {} {} {said:?}", cause.layer, cause.rule, cause.text)
        })
        .collect())
}

fn drawn() -> impl Strategy<Value = (Vec<Drawn>, bool)> {
    let one = (0..2_usize, prop::bool::weighted(0.1), 0..3_usize, 0..4_usize);
    (prop::collection::vec(one, 1..3), prop::bool::weighted(0.3))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever the policies are: what a grant lets run is nothing that the policy in force denies, and nothing that it
    /// asks about for a reason which nobody said yes to.
    #[test]
    fn no_grant_answers_a_question_that_was_not_asked(
        before in drawn(), after in drawn(), asked in 0..2_usize, tried in 0..2_usize,
    ) {
        let scene = scene();
        let paths = ["dir/a", "dir/b", "other/c"];
        let (asked, tried) = (write(paths[asked]), write(paths[tried]));
        let (before, after) = (layer(&scene, &before.0, before.1), layer(&scene, &after.0, after.1));
        follow(&scene, before.clone());
        let always = Answer::AllowAlways(Scope::lasting(HOUR));
        let granted = scene.decide(scene.call("write_file", asked.clone()), Behaviour::Say(always));
        drop(granted);
        let known = questions(&scene, &before, &asked);
        follow(&scene, after.clone());
        let asks = questions(&scene, &after, &tried);
        if let Step::Permitted(permit) = scene.submit(scene.call("write_file", tried.clone())) {
            drop(permit);
            let asks = asks.expect("what is denied does not run");
            let is_same = asked == tried && known.is_ok_and(|known| asks.is_subset(&known));
            prop_assert!(asks.is_empty() || is_same, "{asks:?}");
        }
    }
}
