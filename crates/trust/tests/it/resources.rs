//! What is found in a project.

use std::path::Path;

use portcullis_trust::{Profile, Resources};

use crate::scene::{Scene, profiles};

fn found(scene: &Scene, project: &Path) -> Vec<String> {
    let base = scene.path("");
    Resources::find(&profiles(), project, Some(&scene.home()))
        .found()
        .iter()
        .map(|resource| {
            let place = resource.place.strip_prefix(&base).unwrap_or(&resource.place);
            format!("{} {}", resource.profile, place.display())
        })
        .collect()
}

#[test]
fn an_empty_directory_of_an_agent_needs_none_but_its_folders_do() {
    let scene = Scene::empty();
    std::fs::create_dir_all(scene.path("app/.pi")).unwrap();
    assert_eq!(found(&scene, &scene.project()), Vec::<String>::new());
    std::fs::create_dir_all(scene.path("app/.pi/skills")).unwrap();
    assert_eq!(found(&scene, &scene.project()), ["pi app/.pi/skills"]);
}

#[test]
fn a_dangling_link_is_present() {
    let scene = Scene::empty();
    std::os::unix::fs::symlink("nowhere", scene.path("app/.mcp.json")).unwrap();
    assert_eq!(found(&scene, &scene.project()), ["claude-code app/.mcp.json"]);
}

#[test]
fn every_place_of_every_profile_is_found_alone() {
    for profile in profiles() {
        for place in profile.here.iter().chain(&profile.upward) {
            let scene = Scene::empty();
            scene.write(&format!("app/{place}"), "x");
            let expected = format!("{} app/{place}", profile.name);
            assert!(found(&scene, &scene.project()).contains(&expected), "{expected}");
        }
    }
}

#[test]
fn some_places_count_in_every_directory_above() {
    let scene = Scene::empty();
    scene.write("app/deep/er/x", "");
    scene.write("app/.agents/skills/a.md", "");
    scene.write("app/.pi/settings.json", "");
    let deep = scene.path("app/deep/er");
    assert_eq!(found(&scene, &deep), ["pi app/.agents/skills"]);
}

#[test]
fn the_users_own_skills_are_not_a_projects() {
    let scene = Scene::empty();
    std::fs::create_dir_all(scene.home().join(".agents/skills")).unwrap();
    assert_eq!(found(&scene, &scene.project()), Vec::<String>::new());
    // Nor by another name of the home.
    std::os::unix::fs::symlink(scene.home(), scene.path("alias")).unwrap();
    let resources = Resources::find(&profiles(), &scene.project(), Some(&scene.path("alias")));
    assert!(resources.is_empty());
    let without = Resources::find(&profiles(), &scene.project(), None);
    assert_eq!(without.found().len(), 1, "nobody said whose home it is");
}

#[test]
fn what_trust_does_not_cover_is_named() {
    let scene = Scene::empty();
    scene.write("app/CLAUDE.md", "");
    scene.write("app/AGENTS.md", "");
    let resources = Resources::find(&profiles(), &scene.project(), None);
    assert!(resources.is_empty());
    assert_eq!(resources.uncovered().len(), 2);
}

#[test]
fn a_fingerprint_tells_any_change() {
    let scene = Scene::empty();
    scene.write("app/.pi/skills/a", "1");
    scene.write("app/.pi/skills/b", "2");
    let pi = vec![Profile::built_in("pi").unwrap()];
    let now = || {
        Resources::find(&pi, &scene.project(), None)
            .fingerprint("pi")
            .unwrap()
    };
    let mut seen = vec![now()];
    assert_eq!(now(), seen[0], "it holds still");
    let mut changes: Vec<Box<dyn Fn()>> = vec![
        Box::new(|| scene.write("app/.pi/skills/a", "3")),
        Box::new(|| scene.write("app/.pi/skills/c", "")),
        Box::new(|| std::fs::remove_file(scene.path("app/.pi/skills/b")).unwrap()),
        Box::new(|| std::fs::rename(scene.path("app/.pi/skills/a"), scene.path("app/.pi/skills/d")).unwrap()),
        Box::new(|| std::os::unix::fs::symlink("d", scene.path("app/.pi/skills/l")).unwrap()),
        Box::new(|| std::fs::create_dir(scene.path("app/.pi/skills/e")).unwrap()),
        Box::new(|| scene.write("app/.pi/mcp.json", "")),
    ];
    for change in changes.drain(..) {
        change();
        let after = now();
        assert!(!seen.contains(&after), "change {}", seen.len());
        seen.push(after);
    }
}
