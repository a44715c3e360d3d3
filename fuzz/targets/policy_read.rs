//! No text makes the reader of policies panic, and no policy that it takes loosens a verdict: not as a user's, and not as
//! that of a project beside it, which a broken one may stop no more than a whole one.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis::config::PROJECT_POLICY;
use portcullis::{
    Ambient, Builder, Call, Classifier, Decision, Limits, Override, Risk, Shape, config, decide_trust,
};
use tempfile::TempDir;

static ROOT: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let tree = tempfile::tempdir().expect("a temporary directory");
    let root = tree.path().canonicalize().expect("its canonical place");
    std::fs::write(root.join("file"), "text").expect("a file");
    std::fs::create_dir(root.join(".portcullis")).expect("a directory");
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
    let user = match config::parse_user(text, "policy.toml") {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            builder().broken_user(&error)
        }
        Ok(policy) => builder().user(policy),
    };
    std::fs::write(ROOT.1.join(PROJECT_POLICY), text).expect("a project's policy");
    let Decision::Trusted(project) = decide_trust(&ROOT.1, Some(Override::Yes)) else {
        panic!("an override decides");
    };
    let Ok(alone) = user.clone().classifier() else {
        return;
    };
    let Ok(beside) = user.trusted_project(&project).classifier() else {
        panic!("a project stopped the gate");
    };
    for (id, rule) in alone.policy().rules() {
        assert!(
            beside.policy().rules().any(|both| both == (id, rule)),
            "a user's rule is gone"
        );
    }
    for (call, untold) in CALLS.iter().zip(&*UNTOLD) {
        let said = judge(&alone, call);
        assert!(said >= *untold, "{call}");
        assert!(judge(&beside, call) >= said, "{call}");
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
