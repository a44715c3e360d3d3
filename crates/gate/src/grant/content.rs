//! What the code that a command runs holds: a lasting allow of `./tool` ends when the file changes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use portcullis_classify::{Assessment, Code, EffectKind};
use portcullis_paths::Target;
use sha2::{Digest as _, Sha256};

use super::key::Resource;

/// Largest file that is bound, in bytes. What runs in a larger one is not known.
const LARGEST: u64 = 64 << 20;
/// The operation of a resource that is what a file holds.
const CONTENT: &str = "content";

/// The contents of every file that says what runs; `None` when that is not known of some part.
pub(super) fn bound(assessment: &Assessment) -> Option<BTreeSet<Resource>> {
    let mut bound = BTreeSet::new();
    for effect in &assessment.effects {
        match &effect.code {
            None => {}
            Some(Code::Target) => {
                bound.insert(content(effect.target.as_ref()?)?);
            }
            Some(Code::Files(files)) => {
                for file in files {
                    bound.insert(content(file)?);
                }
            }
            // Also anything that is not known yet.
            Some(_) => return None,
        }
    }
    Some(bound)
}

/// It begins with no `/`, so that it is below no directory.
fn content(file: &Target) -> Option<Resource> {
    let bytes = file.read(LARGEST).ok()?;
    let mut place = "sha256:".to_owned();
    for byte in Sha256::digest(&bytes) {
        write!(place, "{byte:02x}").ok()?;
    }
    let mut place = place.into_bytes();
    place.push(b' ');
    place.extend_from_slice(file.place().as_bytes());
    Some(Resource {
        kind: EffectKind::Execute,
        operation: CONTENT.to_owned(),
        place,
    })
}
