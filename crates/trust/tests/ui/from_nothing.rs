//! There is no default and no conversion.
use std::path::PathBuf;

use portcullis_trust::TrustedProject;

fn main() {
    let _key = TrustedProject::default();
    let _key: TrustedProject = PathBuf::from("/w").into();
}
