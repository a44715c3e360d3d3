//! Every reason to be opaque, each with a text next to it that is not.

mod expansions;
mod input;
mod places;
mod state;
mod syntax;
mod words;

use portcullis_classify::shell::{self, Reason};

/// Every reason found in a text.
fn reasons(text: &str) -> Vec<Reason> {
    match shell::read(text.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(opaque) => opaque.doubts().map(|doubt| doubt.reason).collect(),
    }
}

/// Each of the first texts has this doubt, the others have none.
#[track_caller]
fn check(reason: Reason, doubtful: &[&str], plain: &[&str]) {
    for text in doubtful {
        assert!(reasons(text).contains(&reason), "{text:?}: {:?}", reasons(text));
    }
    for text in plain {
        assert_eq!(reasons(text), [], "{text:?}");
    }
}
