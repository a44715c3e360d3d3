//! Holes that others had, each named.

use portcullis_trust::{Choice, Decision, Fallback, Inquiry, Resources, Store};

use crate::scene::{Person, Scene, is_trusted, profiles, source};

#[test]
fn a_folder_trusted_because_it_was_empty_is_decided_again_when_resources_appear() {
    let scene = Scene::empty();
    let project = scene.project();
    let outcome = scene.decide(&project);
    let Decision::Trusted(key) = &outcome.decision else {
        panic!("nothing needs trust")
    };
    scene.write("app/.pi/settings.json", "{}");
    assert!(!key.covers(&project.join(".pi/settings.json")));
    assert!(!outcome.holds_for(&Resources::find(&profiles(), &project, None)));
    assert_eq!(source(&scene.decide(&project)), "no interface");
    assert_eq!(scene.saved(), "", "nothing was recorded by itself");
}

#[test]
fn a_yes_for_an_empty_folder_does_not_cover_what_comes_later() {
    let scene = Scene::empty();
    let project = scene.project();
    scene.stored(format!("{{\"{}\": true}}", project.display()).as_bytes());
    let outcome = scene.decide(&project);
    let Decision::Trusted(key) = outcome.decision else {
        panic!("saved")
    };
    assert!(!key.covers(&project.join(".pi/extensions")));
}

#[test]
fn a_project_does_not_choose_where_the_store_is() {
    let scene = Scene::with_settings();
    let project = scene.project();
    for place in ["app/trust.json", "app/.pi/agent/trust.json"] {
        let store = Store::new(scene.path(place));
        scene.write(place, &format!("{{\"{}\": true}}", project.display()));
        let outcome = Inquiry::new(&project, profiles()).store(&store).decide();
        assert_eq!(
            (is_trusted(&outcome), source(&outcome)),
            (false, "store unusable")
        );
    }
}

#[test]
fn a_store_reached_through_a_link_out_of_and_into_the_project_is_in_it() {
    let scene = Scene::with_settings();
    let project = scene.project();
    scene.write(
        "app/own/trust.json",
        &format!("{{\"{}\": true}}", project.display()),
    );
    std::os::unix::fs::symlink(scene.path("app/own"), scene.path("own")).unwrap();
    let store = Store::new(scene.path("own/trust.json"));
    let outcome = Inquiry::new(&project, profiles()).store(&store).decide();
    assert_eq!(source(&outcome), "store unusable");
}

#[test]
fn embedding_without_deciding_is_untrusted() {
    let scene = Scene::with_settings();
    let project = scene.project();
    let outcome = Inquiry::new(&project, profiles()).decide();
    assert_eq!((is_trusted(&outcome), source(&outcome)), (false, "no interface"));
}

#[test]
fn what_changed_since_it_was_trusted_is_asked_again() {
    let scene = Scene::with_settings();
    let project = scene.project();
    assert!(is_trusted(&scene.ask(&project, Choice::Trust)));
    assert_eq!(source(&scene.decide(&project)), "saved");
    scene.write("app/.pi/settings.json", "{\"tools\": []}");
    let outcome = scene.decide(&project);
    assert_eq!((is_trusted(&outcome), source(&outcome)), (false, "changed"));
    let mut person = Person::says(Some(Choice::Trust));
    let outcome = Inquiry::new(&project, profiles())
        .home(&scene.home())
        .store(&scene.store)
        .interface(&mut person)
        .decide();
    assert!(is_trusted(&outcome) && person.saw_a_change && person.asked == 1);
    assert_eq!(source(&scene.decide(&project)), "saved");
}

#[test]
fn a_default_to_trust_is_not_about_what_was_trusted_otherwise() {
    let scene = Scene::with_settings();
    let project = scene.project();
    let _trusted = scene.ask(&project, Choice::Trust);
    scene.write("app/.pi/settings.json", "{\"tools\": []}");
    let outcome = Inquiry::new(&project, profiles())
        .home(&scene.home())
        .store(&scene.store)
        .fallback(Fallback::Always)
        .decide();
    assert_eq!((is_trusted(&outcome), source(&outcome)), (false, "changed"));
}

#[test]
fn a_yes_that_pi_saved_holds_and_is_held_to_what_was_there() {
    let scene = Scene::with_settings();
    let project = scene.project();
    scene.stored(format!("{{\"{}\": true}}", project.display()).as_bytes());
    assert!(is_trusted(&scene.decide(&project)));
    scene.write("app/.pi/extensions/new.ts", "");
    assert_eq!(source(&scene.decide(&project)), "changed");
}

#[test]
fn a_change_behind_a_link_is_a_change() {
    let scene = Scene::empty();
    let project = scene.project();
    scene.write("elsewhere/prompt.md", "one");
    std::fs::create_dir_all(project.join(".pi")).unwrap();
    std::os::unix::fs::symlink(scene.path("elsewhere"), project.join(".pi/prompts")).unwrap();
    assert!(is_trusted(&scene.ask(&project, Choice::Trust)));
    // As soon as the file system's clock has gone on: what lies elsewhere is told by its times.
    let elsewhere = scene.path("elsewhere/prompt.md");
    let changed = || std::fs::metadata(&elsewhere).unwrap().modified().unwrap();
    let before = changed();
    while changed() == before {
        scene.write("elsewhere/prompt.md", "two");
    }
    assert_eq!(source(&scene.decide(&project)), "changed");
}

/// A project may hold a link to anything. Deciding on it opens nothing of that.
#[test]
fn what_links_lead_to_outside_of_the_project_is_not_opened() {
    let scene = Scene::empty();
    let project = scene.project();
    scene.write("elsewhere/deep/secret", "one");
    std::fs::create_dir_all(project.join(".pi")).unwrap();
    std::os::unix::fs::symlink(scene.path("elsewhere"), project.join(".pi/prompts")).unwrap();
    let secret = scene.path("elsewhere/deep/secret");
    let long_ago = std::time::SystemTime::UNIX_EPOCH;
    let times = std::fs::FileTimes::new()
        .set_accessed(long_ago)
        .set_modified(long_ago);
    std::fs::File::options()
        .write(true)
        .open(&secret)
        .unwrap()
        .set_times(times)
        .unwrap();
    assert!(is_trusted(&scene.ask(&project, Choice::Trust)));
    assert!(is_trusted(&scene.decide(&project)));
    // Reading would have set it, as it is older than the last change.
    assert_eq!(std::fs::metadata(&secret).unwrap().accessed().unwrap(), long_ago);
    std::fs::read(&secret).unwrap();
    if std::fs::metadata(&secret).unwrap().accessed().unwrap() == long_ago {
        println!("SKIPPED what_links_lead_to_outside_of_the_project_is_not_opened: no access times here");
    }
}

#[test]
fn what_is_too_large_to_be_compared_is_asked_about_each_time() {
    let scene = Scene::empty();
    let project = scene.project();
    scene.write("app/.pi/skills/large", "");
    let large = std::fs::File::options()
        .write(true)
        .open(project.join(".pi/skills/large"));
    large.unwrap().set_len((64 << 20) + 1).unwrap();
    let found = Resources::find(&profiles(), &project, None);
    assert_eq!(found.fingerprint("pi"), None);
    assert!(is_trusted(&scene.ask(&project, Choice::Trust)));
    assert_eq!(source(&scene.decide(&project)), "changed");
    scene.write("app/.pi/skills/large", "small, and perhaps another");
    assert_eq!(source(&scene.decide(&project)), "changed");
}

#[test]
fn links_in_a_circle_come_to_an_end() {
    let scene = Scene::empty();
    let project = scene.project();
    std::fs::create_dir_all(project.join(".pi/skills")).unwrap();
    std::os::unix::fs::symlink("..", project.join(".pi/skills/round")).unwrap();
    assert!(is_trusted(&scene.ask(&project, Choice::Trust)));
    assert_eq!(source(&scene.decide(&project)), "saved");
    scene.write("app/.pi/skills/new.md", "x");
    assert_eq!(source(&scene.decide(&project)), "changed");
}

#[test]
fn one_agents_files_do_not_change_another_agents_trust() {
    use portcullis_trust::Profile;
    let scene = Scene::with_settings();
    let project = scene.project();
    scene.write("app/.portcullis/policy.toml", "version = 1");
    assert!(is_trusted(&scene.ask(&project, Choice::Trust)));
    scene.write("app/.pi/settings.json", "{\"tools\": []}");
    let only = |name: &str| {
        let profiles = vec![Profile::built_in(name).unwrap()];
        let outcome = Inquiry::new(&project, profiles).store(&scene.store).decide();
        source(&outcome)
    };
    assert_eq!(only("portcullis"), "saved");
    assert_eq!(only("pi"), "changed");
    scene.write("app/.mcp.json", "{}");
    assert_eq!(
        only("claude-code"),
        "changed",
        "there was nothing when it was trusted"
    );
}
