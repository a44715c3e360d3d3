use super::Scene;
use crate::target::verbs::{LookOn, Looked};
use crate::{ErrorKind, Operation};

fn look(scene: &Scene, most: usize, on: impl Fn(&str) -> LookOn) -> (Looked, Vec<String>) {
    let mut seen = Vec::new();
    let looked = scene
        .target("d", Operation::Search)
        .look_below(most, |path, is_directory| {
            let path = std::str::from_utf8(path).unwrap();
            seen.push(format!("{path}{}", if is_directory { "/" } else { "" }));
            on(path)
        });
    seen.sort();
    (looked.unwrap(), seen)
}

#[test]
fn everything_below_is_shown_and_no_link_is_followed() {
    let scene = Scene::everything();
    let (looked, seen) = look(&scene, 100, |_| LookOn::Into);
    assert_eq!(looked, Looked::Whole);
    let expected = [
        "dangling",
        "dirlink",
        "empty/",
        "fifo",
        "file",
        "full/",
        "full/inner/",
        "full/inner/file",
        "link",
        "socket",
    ];
    assert_eq!(seen, expected);
}

#[test]
fn it_goes_where_it_is_told_and_no_further() {
    let scene = Scene::everything();
    let (looked, seen) = look(&scene, 100, |_| LookOn::Over);
    assert_eq!((looked, seen.len()), (Looked::Whole, 8));
    assert_eq!(look(&scene, 8, |_| LookOn::Over).0, Looked::Whole);
    assert_eq!(look(&scene, 7, |_| LookOn::Over).0, Looked::Untold);
    let (looked, seen) = look(&scene, 100, |_| LookOn::Enough);
    assert_eq!((looked, seen.len()), (Looked::Enough, 1));
    let deep = "d/".to_owned() + &"x/".repeat(70);
    scene.dir(&deep);
    assert_eq!(look(&scene, 1000, |_| LookOn::Into).0, Looked::Untold);
}

#[test]
fn rights_for_other_things_do_not_reach_below() {
    let scene = Scene::everything();
    let target = scene.target("d", Operation::Delete);
    let error = target.look_below(9, |_, _| LookOn::Into).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongOperation);
    let file = scene.target("d/file", Operation::Search);
    let error = file.look_below(9, |_, _| LookOn::Into).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
}
