//! No call makes the judgement panic; the same call gets the same verdict; and an allowed call does only what was
//! understood, inside the workspace.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis::{Ambient, Assessment, Builder, Call, Classifier, EffectKind, Limits, Risk, Shape};
use tempfile::TempDir;

struct Scene {
    _tree: TempDir,
    root: PathBuf,
    classifier: Classifier,
}

static SCENE: LazyLock<Scene> = LazyLock::new(|| {
    let tree = tempfile::tempdir().expect("a temporary directory");
    let base = tree.path().canonicalize().expect("its canonical place");
    let root = base.join("app");
    std::fs::create_dir_all(root.join("src")).expect("a folder");
    std::fs::write(root.join("src/lib.rs"), "text").expect("a file");
    std::os::unix::fs::symlink("..", root.join("out")).expect("a link");
    let builder = Builder::new(Ambient::empty().with_home(&base)).workspace(&root);
    Scene {
        classifier: builder.classifier().expect("a classifier"),
        root,
        _tree: tree,
    }
});

fuzz_target!(|bytes: &[u8]| {
    for shape in [Shape::Portcullis, Shape::ClaudeCode, Shape::Pi] {
        let Ok(call) = Call::read(bytes, shape, &Limits::default()) else {
            continue;
        };
        let call = call.with_default_cwd(&SCENE.root);
        let first = SCENE.classifier.assess(call.clone());
        is_sound(&first);
        let second = SCENE.classifier.assess(call);
        assert_eq!(first.verdict, second.verdict);
        assert_eq!(first.denial, second.denial);
    }
});

fn is_sound(judged: &Assessment) {
    assert!(!judged.verdict.causes().is_empty(), "a verdict without a cause");
    assert_eq!(judged.denial.is_some(), judged.verdict.risk() == Risk::Deny);
    let is_command = judged
        .effects
        .iter()
        .any(|effect| effect.kind == EffectKind::Execute);
    for effect in &judged.effects {
        assert!(effect.risk <= judged.verdict.risk(), "the strictest does not win");
        if judged.verdict.risk() == Risk::Allow {
            assert_ne!(effect.kind, EffectKind::Opaque);
            if effect.kind == EffectKind::Spawn && effect.target.is_none() {
                continue; // in the call's own directory
            }
            let Some(target) = &effect.target else {
                // The text of a command, a name where nothing is, a server of this machine.
                assert!(is_command, "an allowed effect has a target");
                continue;
            };
            let inside = target
                .place()
                .as_bytes()
                .starts_with(SCENE.root.as_os_str().as_encoded_bytes());
            // A command may start anywhere, look at what a directory for everybody holds, and change nothing there.
            let only_looks = matches!(effect.kind, EffectKind::Execute | EffectKind::List);
            assert!(inside || (is_command && only_looks), "{}", target.place());
        }
    }
}
