use std::path::PathBuf;

use proptest::prelude::*;
use rstest::rstest;

use super::*;
use crate::EffectKind;

fn rule(id: &str, subject: RuleSubject) -> Rule {
    Rule {
        id: id.to_owned(),
        subject,
        risk: Risk::Confirm,
        because: "a reason".to_owned(),
    }
}

fn by_tool(id: &str, tool: &str) -> Rule {
    let subject = RuleSubject {
        tool: Some(tool.to_owned()),
        ..RuleSubject::default()
    };
    rule(id, subject)
}

fn by_command(id: &str, words: &[&str]) -> Rule {
    let subject = RuleSubject {
        command: Some(words.iter().map(|&word| word.to_owned()).collect()),
        ..RuleSubject::default()
    };
    rule(id, subject)
}

fn by_place(id: &str, path: &str) -> Rule {
    let subject = RuleSubject {
        under: Some(PathBuf::from(path)),
        ..RuleSubject::default()
    };
    rule(id, subject)
}

fn zone(id: &str, kind: ZoneKind, path: &str) -> Zone {
    Zone {
        id: id.to_owned(),
        kind,
        path: PathBuf::from(path),
    }
}

fn layer(layer: Layer, rules: Vec<Rule>, zones: Vec<Zone>) -> LayerRules {
    LayerRules {
        rules,
        zones,
        ..LayerRules::empty(layer)
    }
}

fn refused(rules: Vec<Rule>, zones: Vec<Zone>) -> PolicyError {
    Policy::join(vec![layer(Layer::User, rules, zones)]).unwrap_err()
}

#[rstest]
#[case::allows(Rule { risk: Risk::Allow, ..by_tool("r", "x") }, PolicyErrorKind::Loosens)]
#[case::no_subject(rule("r", RuleSubject::default()), PolicyErrorKind::Subject)]
#[case::no_words(by_command("r", &[]), PolicyErrorKind::Subject)]
#[case::quoted_word(by_command("r", &["git", "'push'"]), PolicyErrorKind::Subject)]
#[case::two_words_in_one(by_command("r", &["git push"]), PolicyErrorKind::Subject)]
#[case::assignment(by_command("r", &["A=1", "git"]), PolicyErrorKind::Subject)]
#[case::relative(by_place("r", "src"), PolicyErrorKind::Place)]
#[case::another_home(by_place("r", "~other/src"), PolicyErrorKind::Place)]
#[case::empty_id(by_tool("", "x"), PolicyErrorKind::Id)]
#[case::invisible_id(by_tool("a\u{200b}", "x"), PolicyErrorKind::Id)]
#[case::long_id(by_tool(&"a".repeat(201), "x"), PolicyErrorKind::Id)]
#[case::built_in_id(by_tool("inside.read", "x"), PolicyErrorKind::Id)]
#[case::path_id(by_tool("path.protected", "x"), PolicyErrorKind::Id)]
#[case::command_and_place(
    Rule { subject: RuleSubject { under: Some("/x".into()), ..by_command("r", &["a"]).subject }, ..by_tool("r", "x") },
    PolicyErrorKind::Subject
)]
#[case::command_that_reads(
    Rule { subject: RuleSubject { operation: Some(EffectKind::Read), ..by_command("r", &["a"]).subject }, ..by_tool("r", "x") },
    PolicyErrorKind::Subject
)]
fn a_bad_rule_is_an_error_with_a_hint(#[case] bad: Rule, #[case] kind: PolicyErrorKind) {
    let error = refused(vec![bad], Vec::new());
    assert_eq!(error.kind(), kind, "{error}");
    assert!(!error.hint().is_empty());
    assert!(!error.to_string().ends_with('.') && error.to_string().chars().all(|c| !c.is_control()));
}

#[rstest]
#[case::named(zone("z", ZoneKind::Named, "/x"), PolicyErrorKind::Subject)]
#[case::relative(zone("z", ZoneKind::DenyRead, "x"), PolicyErrorKind::Place)]
#[case::built_in_id(zone("delete", ZoneKind::DenyRead, "/x"), PolicyErrorKind::Id)]
fn a_bad_zone_is_an_error(#[case] bad: Zone, #[case] kind: PolicyErrorKind) {
    assert_eq!(refused(Vec::new(), vec![bad]).kind(), kind);
}

#[test]
fn an_id_is_taken_once_over_all_layers() {
    let error = Policy::join(vec![
        layer(Layer::User, vec![by_tool("same", "x")], Vec::new()),
        layer(
            Layer::Project,
            Vec::new(),
            vec![zone("same", ZoneKind::DenyRead, "/x")],
        ),
    ])
    .unwrap_err();
    assert_eq!(error.kind(), PolicyErrorKind::Id);
    assert_eq!(error.rule(), "same");
}

#[test]
fn zones_are_those_of_the_layers_and_one_for_each_place_rule() {
    let policy = Policy::join(vec![
        layer(
            Layer::User,
            vec![by_place("r", "~/x"), by_tool("t", "x")],
            Vec::new(),
        ),
        layer(Layer::Run, Vec::new(), vec![zone("z", ZoneKind::DenyWrite, "/y")]),
    ])
    .unwrap();
    assert_eq!(
        policy.zones(),
        [
            zone("z", ZoneKind::DenyWrite, "/y"),
            zone("r", ZoneKind::Named, "~/x")
        ]
    );
}

#[test]
fn a_cause_names_the_layer_of_its_rule_or_zone() {
    let policy = Policy::join(vec![
        layer(
            Layer::Project,
            vec![by_tool("t", "x")],
            vec![zone("z", ZoneKind::DenyWrite, "/y")],
        ),
        LayerRules::broken(Layer::User, "configuration broken at line 3: it is not TOML"),
    ])
    .unwrap();
    let causes = policy.call_causes("x");
    let found: Vec<_> = causes
        .iter()
        .map(|cause| (cause.rule.as_str(), cause.layer, cause.risk))
        .collect();
    assert_eq!(
        found,
        [
            ("layer.broken", Layer::User, Risk::Confirm),
            ("t", Layer::Project, Risk::Confirm)
        ]
    );
    assert_eq!(causes[0].text, "configuration broken at line 3: it is not TOML");
    assert_eq!(policy.zone_cause("z", Risk::Deny, "x").layer, Layer::Project);
    assert_eq!(policy.zone_cause("the-host's", Risk::Deny, "x").layer, Layer::Run);
    assert_eq!(policy.call_causes("y").len(), 1, "the rule is about another tool");
}

#[test]
fn a_zone_brings_its_reason_and_the_reason_decides_nothing() {
    let plain = layer(Layer::User, vec![], vec![zone("z", ZoneKind::ConfirmRead, "/y")]);
    let mut reasoned = plain.clone();
    reasoned.reasons = [("z", "it is rented"), ("other", "not mine")]
        .map(|(zone, reason)| (zone.to_owned(), reason.to_owned()))
        .into();
    let (plain, reasoned) = (
        Policy::join(vec![plain]).unwrap(),
        Policy::join(vec![reasoned]).unwrap(),
    );
    let text = |policy: &Policy, zone| policy.zone_cause(zone, Risk::Confirm, "asks first").text;
    assert_eq!(text(&plain, "z"), "asks first");
    assert_eq!(text(&reasoned, "z"), "asks first: it is rented");
    assert_eq!(
        text(&reasoned, "other"),
        "asks first",
        "a layer speaks for its own zones"
    );
    assert_eq!(plain.version(), reasoned.version());
}

#[rstest]
#[case::execute_covers_opaque(EffectKind::Execute, EffectKind::Opaque, true)]
#[case::execute(EffectKind::Execute, EffectKind::Execute, true)]
#[case::opaque_is_narrow(EffectKind::Opaque, EffectKind::Execute, false)]
#[case::other(EffectKind::Write, EffectKind::Opaque, false)]
fn operations_that_a_rule_covers(#[case] asked: EffectKind, #[case] kind: EffectKind, #[case] matches: bool) {
    let subject = RuleSubject {
        operation: Some(asked),
        ..RuleSubject::default()
    };
    let policy = Policy::join(vec![layer(Layer::User, vec![rule("r", subject)], Vec::new())]).unwrap();
    let seen = Seen {
        kind,
        touches: &[],
        command: None,
        named: Named::default(),
    };
    let causes = policy.effect_causes("tool", seen, Scene::Nowhere);
    assert_eq!(causes.iter().any(|cause| cause.rule == "r"), matches);
}

#[test]
fn a_default_that_allows_is_an_error() {
    let mut user = LayerRules::empty(Layer::User);
    user.otherwise = Some(Risk::Allow);
    assert_eq!(
        Policy::join(vec![user]).unwrap_err().kind(),
        PolicyErrorKind::Loosens
    );
}

#[test]
fn the_strictest_default_counts_and_names_its_layer() {
    let said = |layer, risk| LayerRules {
        otherwise: risk,
        ..LayerRules::empty(layer)
    };
    let of = |layers| Policy::join(layers).unwrap().otherwise();
    let (confirm, deny) = (Some(Risk::Confirm), Some(Risk::Deny));
    assert_eq!(of(vec![]), (Risk::Confirm, None));
    assert_eq!(of(vec![said(Layer::User, confirm)]), (Risk::Confirm, None));
    let user = (Risk::Deny, Some(Layer::User));
    assert_eq!(
        of(vec![said(Layer::User, deny), said(Layer::Project, confirm)]),
        user
    );
    assert_eq!(
        of(vec![said(Layer::Project, deny), said(Layer::User, deny)]),
        user
    );
}

/// What is judged by a default, and what its own part's rules and nobody else's take out of it.
#[rstest]
#[case::unnamed(Layer::User, EffectKind::Write, "other", Risk::Deny)]
#[case::another_operation(Layer::User, EffectKind::Delete, "tool", Risk::Deny)]
#[case::named(Layer::User, EffectKind::Write, "tool", Risk::Confirm)]
#[case::named_elsewhere(Layer::Project, EffectKind::Write, "tool", Risk::Deny)]
fn a_rule_takes_its_subject_out_of_its_own_layers_default(
    #[case] named_by: Layer,
    #[case] kind: EffectKind,
    #[case] tool: &str,
    #[case] expected: Risk,
) {
    let subject = RuleSubject {
        tool: Some("tool".to_owned()),
        operation: Some(EffectKind::Write),
        ..RuleSubject::default()
    };
    let mut user = LayerRules {
        otherwise: Some(Risk::Deny),
        ..LayerRules::empty(Layer::User)
    };
    let mut other = LayerRules::empty(named_by);
    let part = if named_by == Layer::User {
        &mut user
    } else {
        &mut other
    };
    part.rules.push(rule("r", subject));
    let policy = Policy::join(vec![other, user]).unwrap();
    let seen = |kind| Seen {
        kind,
        touches: &[],
        command: None,
        named: Named::default(),
    };
    let risk = |kind, scene| {
        Risk::join_all(
            policy
                .effect_causes(tool, seen(kind), scene)
                .iter()
                .map(|cause| cause.risk),
        )
    };
    assert_eq!(risk(kind, Scene::Outside), expected);
    assert_eq!(
        risk(EffectKind::Read, Scene::Inside),
        Risk::Allow,
        "the base allows it"
    );
}

fn some_layers() -> Vec<LayerRules> {
    vec![
        layer(
            Layer::User,
            vec![by_tool("a", "x"), by_place("b", "/p")],
            vec![zone("c", ZoneKind::DenyRead, "/q")],
        ),
        layer(
            Layer::Project,
            vec![by_command("d", &["git", "push"])],
            Vec::new(),
        ),
    ]
}

#[test]
fn the_version_is_a_digest_that_order_and_sentences_leave_alone() {
    let version = |layers| Policy::join(layers).unwrap().version().to_owned();
    let before = version(some_layers());
    assert!(before.len() == 64 && before.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')));
    let mut turned = some_layers();
    turned.reverse();
    turned[1].rules.reverse();
    turned[1].rules[0].because = "a better reason".to_owned();
    assert_eq!(version(turned), before);
}

#[rstest]
#[case::otherwise(|layers: &mut Vec<LayerRules>| layers[0].otherwise = Some(Risk::Deny))]
#[case::preset(|layers: &mut Vec<LayerRules>| layers[0].preset = Some(Preset::Careful))]
#[case::risk(|layers: &mut Vec<LayerRules>| layers[0].rules[0].risk = Risk::Deny)]
#[case::id(|layers: &mut Vec<LayerRules>| layers[0].rules[0].id = "other".to_owned())]
#[case::tool(|layers: &mut Vec<LayerRules>| layers[0].rules[0].subject.tool = Some("y".to_owned()))]
#[case::operation(|layers: &mut Vec<LayerRules>| layers[0].rules[0].subject.operation = Some(EffectKind::Read))]
#[case::under(|layers: &mut Vec<LayerRules>| layers[0].rules[1].subject.under = Some("/pp".into()))]
#[case::command(|layers: &mut Vec<LayerRules>| layers[1].rules[0].subject.command = Some(vec!["gi".to_owned(), "tpush".to_owned()]))]
#[case::except(|layers: &mut Vec<LayerRules>| layers[1].rules[0].subject.except = Some(Vec::new()))]
#[case::zone_kind(|layers: &mut Vec<LayerRules>| layers[0].zones[0].kind = ZoneKind::DenyWrite)]
#[case::zone_path(|layers: &mut Vec<LayerRules>| layers[0].zones[0].path = "/qq".into())]
#[case::layer(|layers: &mut Vec<LayerRules>| layers[1].layer = Layer::Run)]
#[case::broken(|layers: &mut Vec<LayerRules>| layers[1].broken = Some("x".to_owned()))]
#[case::fewer(|layers: &mut Vec<LayerRules>| drop(layers.pop()))]
fn the_version_follows_everything_that_decides(#[case] change: fn(&mut Vec<LayerRules>)) {
    let mut changed = some_layers();
    change(&mut changed);
    let version = |layers| Policy::join(layers).unwrap().version().to_owned();
    assert_ne!(version(changed), version(some_layers()));
}

proptest! {
    #[test]
    fn presets_join_to_the_strictest(presets in prop::collection::vec(
        (prop::sample::select(Layer::ALL.to_vec()), prop::option::of(prop::sample::select(Preset::ALL.to_vec()))), 0..6)
    ) {
        let strictest = presets.iter().filter_map(|(_, preset)| *preset).max().unwrap_or_default();
        let layers = presets.into_iter().map(|(layer, preset)| LayerRules { preset, ..LayerRules::empty(layer) });
        prop_assert_eq!(Policy::join(layers.collect()).unwrap().preset(), strictest);
    }
}
