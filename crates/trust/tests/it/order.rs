//! Every step of the order of decision.

use std::path::Path;

use portcullis_trust::{Choice, Fallback, Inquiry, Override, Say, Store};
use rstest::rstest;

use crate::scene::{Does, Person, Scene, is_trusted, profiles, source};

/// What the store holds for the project.
#[derive(Clone, Copy)]
enum Stored {
    Nothing,
    Yes,
    No,
    Rubbish,
}

use Stored::{No, Nothing, Rubbish, Yes};

const SAY_YES: Does = Does::Says(Say::Yes);
const SAY_NO: Does = Does::Says(Say::No);
const SHRUG: Does = Does::Says(Say::Undecided);
const TRUST: Option<Option<Choice>> = Some(Some(Choice::Trust));
const REFUSE: Option<Option<Choice>> = Some(Some(Choice::DoNotTrust));
const CLOSE: Option<Option<Choice>> = Some(None);

#[rstest]
// 1. An override; the store is not read.
#[case::override_yes(Some(Override::Yes), true, &[SAY_NO], No, Fallback::Never, REFUSE, (true, "override"))]
#[case::override_no(Some(Override::No), true, &[SAY_YES], Yes, Fallback::Always, TRUST, (false, "override"))]
#[case::override_over_rubbish(Some(Override::Yes), true, &[], Rubbish, Fallback::Ask, None, (true, "override"))]
#[case::override_without_resources(Some(Override::No), false, &[], Nothing, Fallback::Always, None, (false, "override"))]
// 2. Nothing needs trust.
#[case::nothing_there(None, false, &[SAY_NO], Nothing, Fallback::Never, REFUSE, (true, "no resources"))]
#[case::nothing_there_but_a_no(None, false, &[SAY_YES], No, Fallback::Always, TRUST, (false, "saved"))]
#[case::nothing_there_and_a_yes(None, false, &[SAY_NO], Yes, Fallback::Never, REFUSE, (true, "saved"))]
#[case::nothing_there_and_rubbish(None, false, &[], Rubbish, Fallback::Always, TRUST, (false, "store unusable"))]
// 3. Deciders, in order.
#[case::decider_yes(None, true, &[SAY_YES], No, Fallback::Never, REFUSE, (true, "decider"))]
#[case::decider_no(None, true, &[SAY_NO], Yes, Fallback::Always, TRUST, (false, "decider"))]
#[case::first_wins(None, true, &[SHRUG, SAY_NO, SAY_YES], Nothing, Fallback::Always, TRUST, (false, "decider"))]
#[case::decider_fails(None, true, &[Does::Fails, SAY_YES], Yes, Fallback::Always, TRUST, (false, "decider failed"))]
#[case::decider_panics(None, true, &[SHRUG, Does::Panics], Yes, Fallback::Always, TRUST, (false, "decider failed"))]
#[case::decider_over_rubbish(None, true, &[SAY_YES], Rubbish, Fallback::Always, TRUST, (false, "store unusable"))]
// 4. The nearest saved decision.
#[case::saved_yes(None, true, &[SHRUG], Yes, Fallback::Never, REFUSE, (true, "saved"))]
#[case::saved_no(None, true, &[SHRUG], No, Fallback::Always, TRUST, (false, "saved"))]
#[case::rubbish(None, true, &[], Rubbish, Fallback::Always, TRUST, (false, "store unusable"))]
// 5. The default.
#[case::always(None, true, &[SHRUG], Nothing, Fallback::Always, REFUSE, (true, "default"))]
#[case::never(None, true, &[SHRUG], Nothing, Fallback::Never, TRUST, (false, "default"))]
// 6. A person.
#[case::asked_yes(None, true, &[SHRUG], Nothing, Fallback::Ask, TRUST, (true, "asked"))]
#[case::asked_no(None, true, &[], Nothing, Fallback::Ask, REFUSE, (false, "asked"))]
#[case::closed(None, true, &[], Nothing, Fallback::Ask, CLOSE, (false, "closed"))]
#[case::nobody(None, true, &[], Nothing, Fallback::Ask, None, (false, "no interface"))]
fn the_first_that_applies_decides(
    #[case] choice: Option<Override>,
    #[case] has_resources: bool,
    #[case] deciders: &[Does],
    #[case] stored: Stored,
    #[case] fallback: Fallback,
    #[case] person: Option<Option<Choice>>,
    #[case] expected: (bool, &str),
) {
    let scene = if has_resources {
        Scene::with_settings()
    } else {
        Scene::empty()
    };
    let project = scene.project();
    match stored {
        Nothing => {}
        Yes => scene.stored(format!("{{\"{}\": true}}", project.display()).as_bytes()),
        No => scene.stored(format!("{{\"{}\": false}}", project.display()).as_bytes()),
        Rubbish => scene.stored(b"{"),
    }
    let before = scene.saved();
    let mut deciders = deciders.to_vec();
    let mut person = person.map(Person::says);
    let home = scene.home();
    let mut inquiry = Inquiry::new(&project, profiles())
        .home(&home)
        .store(&scene.store)
        .fallback(fallback);
    if let Some(choice) = choice {
        inquiry = inquiry.choice(choice);
    }
    for decider in &mut deciders {
        inquiry = inquiry.decider(decider);
    }
    if let Some(person) = &mut person {
        inquiry = inquiry.interface(person);
    }
    let outcome = inquiry.decide();
    assert_eq!(
        (is_trusted(&outcome), source(&outcome)),
        expected,
        "{}",
        outcome.source
    );
    assert_eq!(outcome.is_saved, expected.1 == "asked");
    if expected.1 != "asked" {
        assert_eq!(scene.saved(), before, "only a person's choice is saved");
    }
}

#[rstest]
#[case(Choice::Trust, true, Some(r#"{"{P}": true}"#))]
#[case(Choice::TrustParent, true, Some(r#"{"{PARENT}": true}"#))]
#[case(Choice::TrustForSession, true, None)]
#[case(Choice::DoNotTrust, false, Some(r#"{"{P}": false}"#))]
#[case(Choice::DoNotTrustForSession, false, None)]
fn a_choice_is_saved_as_it_says(#[case] choice: Choice, #[case] trusted: bool, #[case] saved: Option<&str>) {
    let scene = Scene::with_settings();
    let project = scene.project();
    let outcome = scene.ask(&project, choice);
    assert_eq!(is_trusted(&outcome), trusted);
    assert_eq!(outcome.is_saved, saved.is_some());
    let parent = project.parent().unwrap().display().to_string();
    let expected = saved.map(|text| {
        let text = text
            .replace("{PARENT}", &parent)
            .replace("{P}", &project.display().to_string());
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    });
    assert_eq!(serde_json::from_str(&scene.saved()).ok(), expected);
    let again = scene.decide(&project);
    assert_eq!(is_trusted(&again), trusted && saved.is_some());
}

#[test]
fn trusting_the_parent_takes_the_childs_own_decision_away() {
    let scene = Scene::with_settings();
    let project = scene.project();
    let _trusted = scene.ask(&project, Choice::Trust);
    scene.write("app/.pi/settings.json", "{\"changed\": true}");
    let outcome = scene.ask(&project, Choice::TrustParent);
    assert!(is_trusted(&outcome));
    assert!(!scene.saved().contains("/app\""), "{}", scene.saved());
}

#[test]
fn the_nearest_decision_counts() {
    let scene = Scene::with_settings();
    let (work, app) = (scene.path(""), scene.project());
    let parent = work.to_str().unwrap().trim_end_matches('/').to_owned();
    scene.stored(format!("{{\"{parent}\": true, \"{}\": false}}", app.display()).as_bytes());
    assert!(!is_trusted(&scene.decide(&app)));
    scene.write("other/.pi/mcp.json", "{}");
    assert!(is_trusted(&scene.decide(&scene.path("other"))));
    scene.write("app/sub/.pi/mcp.json", "{}");
    assert!(
        !is_trusted(&scene.decide(&scene.path("app/sub"))),
        "a nested project of an untrusted one"
    );
}

#[test]
fn null_says_nothing_and_stays() {
    let scene = Scene::with_settings();
    let app = scene.project();
    scene.stored(format!("{{\"{}\": null, \"/x\": null}}", app.display()).as_bytes());
    assert_eq!(source(&scene.decide(&app)), "no interface");
    let _refused = scene.ask(&app, Choice::DoNotTrust);
    assert!(scene.saved().contains("\"/x\": null"), "{}", scene.saved());
}

#[test]
fn without_a_store_a_choice_is_for_this_session() {
    let scene = Scene::with_settings();
    let mut person = Person::says(Some(Choice::Trust));
    let project = scene.project();
    let outcome = Inquiry::new(&project, profiles()).interface(&mut person).decide();
    assert!(is_trusted(&outcome) && !outcome.is_saved);
}

#[test]
fn a_choice_that_cannot_be_saved_is_a_no() {
    let scene = Scene::with_settings();
    let store = Store::new("/proc/self/nowhere/trust.json");
    let mut person = Person::says(Some(Choice::Trust));
    let project = scene.project();
    let outcome = Inquiry::new(&project, profiles())
        .store(&store)
        .interface(&mut person)
        .decide();
    assert_eq!(
        (is_trusted(&outcome), source(&outcome)),
        (false, "store unusable")
    );
}

#[test]
fn a_panic_of_the_interface_is_a_closed_question() {
    struct Breaks;
    impl portcullis_trust::Interface for Breaks {
        fn choose(&mut self, _: &portcullis_trust::Prompt<'_>) -> Option<Choice> {
            panic!("on purpose")
        }
    }
    let scene = Scene::with_settings();
    let project = scene.project();
    let outcome = Inquiry::new(&project, profiles())
        .store(&scene.store)
        .interface(&mut Breaks)
        .decide();
    assert_eq!((is_trusted(&outcome), source(&outcome)), (false, "closed"));
}

#[test]
fn words_of_the_default() {
    for (word, expected) in [
        ("always", Fallback::Always),
        ("never", Fallback::Never),
        ("ask", Fallback::Ask),
        ("Always", Fallback::Ask),
        ("", Fallback::Ask),
    ] {
        assert_eq!(Fallback::by_word(word), expected);
    }
    assert!(!Choice::SAFE.is_trusted());
}

#[test]
fn a_look_writes_nothing_and_asks_nobody() {
    let scene = Scene::with_settings();
    let project = scene.project();
    scene.stored(format!("{{\"{}\": true}}", project.display()).as_bytes());
    let mut person = Person::says(Some(Choice::Trust));
    let outcome = Inquiry::new(&project, profiles())
        .store(&scene.store)
        .interface(&mut person)
        .look();
    assert!(is_trusted(&outcome));
    assert_eq!(person.asked, 0);
    let own = scene.store.path().parent().unwrap();
    assert_eq!(
        std::fs::read_dir(own).unwrap().count(),
        1,
        "only the store is there"
    );
}

#[rstest]
#[case(Choice::Trust, true)]
#[case(Choice::DoNotTrust, false)]
fn a_choice_that_was_made_goes_over_what_was_saved(#[case] choice: Choice, #[case] trusted: bool) {
    let scene = Scene::with_settings();
    let project = scene.project();
    scene.stored(format!("{{\"{}\": {}}}", project.display(), !trusted).as_bytes());
    let outcome = Inquiry::new(&project, profiles())
        .home(&scene.home())
        .store(&scene.store)
        .choose(choice);
    assert!(outcome.is_saved);
    assert_eq!(is_trusted(&scene.decide(&project)), trusted);
    scene.store.forget(&project).unwrap();
    assert_eq!(source(&scene.decide(&project)), "no interface");
}

/// A choice for the session is asked once, goes over what is saved, is saved nowhere, and ends where the contents change or
/// something else is chosen.
#[rstest]
#[case(Choice::TrustForSession, true)]
#[case(Choice::DoNotTrustForSession, false)]
fn a_choice_for_the_session_holds_in_it_and_nowhere_else(#[case] choice: Choice, #[case] trusted: bool) {
    let scene = Scene::with_settings();
    let (project, home) = (scene.project(), scene.home());
    let mut session = portcullis_trust::Session::new();
    fn about<'a>(project: &'a Path, home: &'a Path, store: &'a Store) -> Inquiry<'a> {
        Inquiry::new(project, profiles()).home(home).store(store)
    }
    macro_rules! inquiry {
        () => {
            about(&project, &home, &scene.store)
        };
    }
    let mut person = Person::says(Some(choice));
    let outcome = inquiry!().session(&mut session).interface(&mut person).decide();
    assert_eq!((is_trusted(&outcome), outcome.is_saved), (trusted, false));
    assert_eq!(scene.saved(), "");
    // Another decision is saved meanwhile, by another program for example.
    scene.stored(format!("{{\"{}\": {}}}", project.display(), !trusted).as_bytes());
    let again = inquiry!().session(&mut session).interface(&mut person).decide();
    assert_eq!((is_trusted(&again), source(&again)), (trusted, "session"));
    assert_eq!(person.asked, 1);
    assert_eq!(is_trusted(&inquiry!().decide()), !trusted, "another session");
    scene.write("app/.pi/settings.json", "{\"changed\": true}");
    let after = inquiry!().session(&mut session).decide();
    let expected = if trusted { "changed" } else { "session" };
    assert_eq!((is_trusted(&after), source(&after)), (false, expected));
    let _chosen = inquiry!().session(&mut session).choose(Choice::Trust);
    let saved = inquiry!().session(&mut session).decide();
    assert_eq!((is_trusted(&saved), source(&saved)), (true, "saved"));
}
