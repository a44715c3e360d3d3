//! What leads to a zone moves: its protection goes along, whatever is left in its place.

use portcullis_paths::Backend;
use rstest::rstest;

use crate::scene::Scene;
use crate::zones::{answer, resolver};

#[rstest]
#[case::itself("rename <>/work/secret <>/work/app/s2", "read s2/key")]
#[case::deep("rename <>/work/secret <>/work/app/src/s2", "read src/s2/deep/x")]
#[case::its_parent("rename <>/work/outer <>/work/app/o", "read o/inner/x")]
#[case::right_below_the_root("rename <>/work/outer <>/work/app/o", "delete-tree o")]
#[case::moved_on("rename <>/work/outer <>/work/app/o", "move-from o")]
#[case::before_it_exists("rename <>/work/place <>/work/app/p", "write p/later/x")]
fn a_zone_that_moves_takes_its_protection_along(#[case] change: &str, #[case] what: &str) {
    // Before and after the watch is set up.
    for (backend, warm) in [(Backend::Kernel, 0), (Backend::Kernel, 40), (Backend::Walk, 0)] {
        let scene = Scene::new();
        for entry in ["<>/work/secret/deep/x", "<>/work/outer/inner/x", "<>/work/place/"] {
            scene.add(entry);
        }
        let zones = [
            "deny-read <>/work/secret",
            "deny-read <>/work/outer/inner",
            "deny-write <>/work/place/later",
        ];
        let resolver = resolver(&scene, backend, &zones);
        for _ in 0..warm {
            assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
        }
        scene.change(change);
        assert_eq!(answer(&scene, &resolver, what), "Protected", "{backend:?} {warm}");
        assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
    }
}

/// Whoever moves a directory may leave a link in its place: its old name then still leads to it.
#[rstest]
#[case::its_parent(&["rename <>/work/app/d <>/work/app/e", "link <>/work/app/d <>/work/app/e"], "read e/keys/k")]
#[case::itself(&["rename <>/work/app/d/keys <>/work/app/k", "link <>/work/app/d/keys <>/work/app/k"], "read k/k")]
#[case::before_it_exists(&["rename <>/work/app/d <>/work/app/e", "link <>/work/app/d <>/work/app/e"], "write e/later/x")]
#[case::its_parent_alone(
    &["rename <>/work/app/d <>/work/app/e", "dir <>/work/app/d", "rename <>/work/app/e/keys <>/work/app/d/keys"],
    "write e/later/x"
)]
#[case::outside(&["rename <>/work/out <>/work/o", "link <>/work/out <>/work/o"], "read <>/work/o/keys/k")]
#[case::above_the_root(&["rename <>/work <>/w", "link <>/work <>/w"], "read <>/w/.later/k")]
fn a_link_left_in_the_place_of_what_moved_hides_nothing(#[case] changes: &[&str], #[case] what: &str) {
    for (backend, warm) in [(Backend::Kernel, 0), (Backend::Kernel, 40), (Backend::Walk, 0)] {
        let scene = Scene::new();
        scene.add("<>/work/app/d/keys/k");
        scene.add("<>/work/out/keys/k");
        let zones = [
            "deny-read <>/work/app/d/keys",
            "deny-write <>/work/app/d/later",
            "deny-read <>/work/out/keys",
            "deny-read <>/work/.later",
        ];
        let resolver = resolver(&scene, backend, &zones);
        for _ in 0..warm {
            assert_eq!(answer(&scene, &resolver, "read src/a.txt"), "inside");
        }
        for change in changes {
            scene.change(change);
        }
        assert_eq!(answer(&scene, &resolver, what), "Protected", "{backend:?} {warm}");
    }
}
