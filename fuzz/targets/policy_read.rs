//! No text makes the reader of policies panic, and no policy that it takes loosens a verdict.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis::{Ambient, Builder, Call, Classifier, Limits, Risk, Shape, config};
use tempfile::TempDir;

static ROOT: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let tree = tempfile::tempdir().expect("a temporary directory");
    let root = tree.path().canonicalize().expect("its canonical place");
    std::fs::write(root.join("file"), "text").expect("a file");
    (tree, root)
});

const CALLS: [&str; 4] = [
    r#"{"id":"1","tool":"read_file","args":{"path":"file"}}"#,
    r#"{"id":"2","tool":"write_file","args":{"path":"new","content":""}}"#,
    r#"{"id":"3","tool":"delete_file","args":{"path":"file"}}"#,
    r#"{"id":"4","tool":"run_command","args":{"command":"git push"}}"#,
];

static UNTOLD: LazyLock<[Risk; 4]> = LazyLock::new(|| {
    let classifier = builder().classifier().expect("a classifier without a policy");
    CALLS.map(|call| judge(&classifier, call))
});

fuzz_target!(|text: &str| {
    match config::parse_user(text, "policy.toml") {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(policy) => {
            let Ok(classifier) = builder().user(policy).classifier() else {
                return;
            };
            for (call, untold) in CALLS.iter().zip(&*UNTOLD) {
                assert!(judge(&classifier, call) >= *untold, "{call}");
            }
        }
    }
});

fn builder() -> Builder {
    let (_, root) = &*ROOT;
    Builder::new(Ambient::empty().with_home(root)).workspace(root)
}

fn judge(classifier: &Classifier, call: &str) -> Risk {
    let call = Call::read(call.as_bytes(), Shape::Portcullis, &Limits::default()).expect("a call");
    classifier.assess(call.with_default_cwd(&ROOT.1)).verdict.risk()
}
