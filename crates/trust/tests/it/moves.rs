//! Projects that are moved, copied, replaced, or reached by another name.

use portcullis_testing::with_own_mounts;
use portcullis_trust::Choice;
use rstest::rstest;
use rustix::mount::{UnmountFlags, mount_bind, unmount};

use crate::scene::{Scene, is_trusted, source};

fn trusted() -> Scene {
    let scene = Scene::with_settings();
    let project = scene.project();
    assert!(is_trusted(&scene.ask(&project, Choice::Trust)));
    scene
}

#[test]
fn a_moved_project_does_not_bring_trust_along() {
    let scene = trusted();
    std::fs::rename(scene.project(), scene.path("moved")).unwrap();
    assert_eq!(source(&scene.decide(&scene.path("moved"))), "no interface");
}

#[test]
fn a_copied_project_does_not_bring_trust_along() {
    let scene = trusted();
    scene.write("copy/.pi/settings.json", "{}");
    assert_eq!(source(&scene.decide(&scene.path("copy"))), "no interface");
}

#[test]
fn a_replaced_project_with_other_contents_is_asked_about() {
    let scene = trusted();
    std::fs::rename(scene.project(), scene.path("old")).unwrap();
    scene.write("app/.pi/settings.json", "{\"other\": 1}");
    assert_eq!(source(&scene.decide(&scene.project())), "changed");
}

#[test]
fn a_project_reached_through_a_link_is_the_same() {
    let scene = trusted();
    std::os::unix::fs::symlink(scene.project(), scene.path("link")).unwrap();
    assert_eq!(source(&scene.decide(&scene.path("link"))), "saved");
}

#[test]
fn a_key_spelled_through_a_link_still_matches() {
    let scene = Scene::with_settings();
    std::os::unix::fs::symlink(scene.project(), scene.path("link")).unwrap();
    scene.stored(format!("{{\"{}\": false}}", scene.path("link").display()).as_bytes());
    assert_eq!(source(&scene.decide(&scene.project())), "saved");
}

/// `{P}` is the project and `{L}` a link to it.
#[rstest]
#[case::itself("{P}", "saved")]
#[case::behind_a_separator("{P}/", "saved")]
#[case::by_dots("{P}/../app", "saved")]
#[case::escaped("\\u002f{P}", "saved")]
#[case::behind_a_link("{L}/.", "saved")]
#[case::everything("/", "saved")]
#[case::a_longer_name("{P}x", "no interface")]
#[case::blank_behind("{P} ", "no interface")]
#[case::another_case("{UP}", "no interface")]
#[case::a_file("{P}/.pi/settings.json", "no interface")]
#[case::below("{P}/.pi", "no interface")]
#[case::not_absolute("app", "no interface")]
#[case::of_a_shell("~/work/app", "no interface")]
#[case::of_a_browser("file://{P}", "no interface")]
#[case::nothing("", "no interface")]
#[case::gone("/gone/away", "no interface")]
fn a_saved_name_is_about_the_directory_that_it_leads_to(#[case] key: &str, #[case] expected: &str) {
    let scene = Scene::with_settings();
    std::os::unix::fs::symlink(scene.project(), scene.path("link")).unwrap();
    let project = scene.project().to_str().unwrap().to_owned();
    let key = key
        .replace("{UP}", &project.to_uppercase())
        .replace("{P}", &project)
        .replace("{L}", scene.path("link").to_str().unwrap());
    scene.stored(format!("{{\"{key}\": true}}").as_bytes());
    assert_eq!(source(&scene.decide(&scene.project())), expected, "{key}");
}

#[test]
fn of_two_names_for_one_directory_a_no_wins() {
    let scene = Scene::with_settings();
    std::os::unix::fs::symlink(scene.project(), scene.path("link")).unwrap();
    let (one, other) = (scene.project(), scene.path("link"));
    for (first, second) in [(true, false), (false, true)] {
        let text = format!(
            "{{\"{}\": {first}, \"{}\": {second}}}",
            one.display(),
            other.display()
        );
        scene.stored(text.as_bytes());
        assert!(!is_trusted(&scene.decide(&one)));
    }
}

#[test]
fn a_directory_that_is_not_there_is_untrusted() {
    let scene = trusted();
    let outcome = scene.decide(&scene.path("nowhere"));
    assert_eq!((is_trusted(&outcome), source(&outcome)), (false, "no directory"));
}

#[test]
fn a_trusted_parent_covers_a_child_and_a_nested_repository() {
    let scene = Scene::with_settings();
    let parent = scene.project().parent().unwrap().to_path_buf();
    scene.stored(format!("{{\"{}\": true}}", parent.display()).as_bytes());
    assert!(is_trusted(&scene.decide(&scene.project())));
    scene.write("app/vendor/lib/.claude/settings.json", "{}");
    let nested = scene.decide(&scene.path("app/vendor/lib"));
    assert!(is_trusted(&nested));
    scene.write("app/vendor/lib/.claude/settings.json", "{\"hooks\": {}}");
    assert_eq!(source(&scene.decide(&scene.path("app/vendor/lib"))), "changed");
}

#[test]
fn a_child_may_be_refused_in_a_trusted_parent_and_trusted_in_a_refused_one() {
    let scene = Scene::with_settings();
    let parent = scene.project().parent().unwrap().to_path_buf();
    for (of_parent, of_child) in [(true, false), (false, true)] {
        let text = format!(
            "{{\"{}\": {of_parent}, \"{}\": {of_child}}}",
            parent.display(),
            scene.project().display()
        );
        scene.stored(text.as_bytes());
        assert_eq!(is_trusted(&scene.decide(&scene.project())), of_child);
        // A repository in it goes with the nearest word, which is the child's.
        scene.write("app/vendor/lib/.pi/settings.json", "{}");
        assert_eq!(is_trusted(&scene.decide(&scene.path("app/vendor/lib"))), of_child);
        scene.write("beside/.pi/settings.json", "{}");
        assert_eq!(is_trusted(&scene.decide(&scene.path("beside"))), of_parent);
    }
}

#[test]
fn a_nested_repository_is_a_project_of_its_own() {
    let scene = trusted();
    scene.write("app/vendor/lib/.pi/settings.json", "{\"nested\": 1}");
    // It is covered by the word about the directory above it, until it gets one of its own, and that does not reach up.
    let nested = scene.path("app/vendor/lib");
    assert_eq!(source(&scene.decide(&nested)), "saved");
    let _refused = scene.refuse(&nested);
    assert!(!is_trusted(&scene.decide(&nested)));
    assert!(is_trusted(&scene.decide(&scene.project())));
}

/// A directory that is seen at two places is one object: what was decided about it holds at both. What is put over a trusted
/// place is another one, and what it holds is asked about.
#[test]
fn a_bind_mount_is_the_directory_that_is_mounted() {
    with_own_mounts("a_bind_mount_is_the_directory_that_is_mounted", || {
        let scene = trusted();
        let there = scene.path("there");
        std::fs::create_dir(&there).unwrap();
        mount_bind(scene.project(), &there).unwrap();
        assert_eq!(
            source(&scene.decide(&there)),
            "changed",
            "the places of its files are others"
        );
        assert_eq!(source(&scene.decide(&scene.project())), "saved");
        scene.write("evil/.pi/settings.json", "{\"evil\": 1}");
        mount_bind(scene.path("evil"), scene.project()).unwrap();
        let outcome = scene.decide(&scene.project());
        assert_eq!((is_trusted(&outcome), source(&outcome)), (false, "changed"));
        // A no holds wherever the directory is seen.
        unmount(scene.project(), UnmountFlags::DETACH).unwrap();
        let _refused = scene.refuse(&scene.project());
        let outcome = scene.decide(&there);
        assert_eq!((is_trusted(&outcome), source(&outcome)), (false, "saved"));
    });
}
