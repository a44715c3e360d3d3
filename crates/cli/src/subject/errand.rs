//! What a person does between two calls: `portcullis grants revoke`, `portcullis log rotate`.

use std::path::{Path, PathBuf};

use portcullis::Gate;
use portcullis::audit::{Log, LogOptions};
use serde_json::Value;

use super::base64;
use super::session::{Unserved, unserved};
use crate::files;

/// How long another process may hold the log, in milliseconds.
const WAIT_MS: u64 = 2_000;

/// Takes back every grant.
pub(super) fn revoke(gates: &[&Gate]) {
    for gate in gates {
        for grant in gate.grants() {
            gate.revoke(grant.id);
        }
    }
}

/// Lets the log go on in a new file, as another process would; gives its earlier files, the oldest first.
pub(super) fn rotate(log: &Path, now_ms: i64) -> Result<Vec<Value>, Unserved> {
    let options = LogOptions {
        path: log.to_owned(),
        lock_wait_ms: WAIT_MS,
    };
    let opened = Log::open(options).map_err(unserved)?;
    opened.log.rotate(now_ms).map_err(unserved)?;
    let mut directory = log.as_os_str().to_owned();
    directory.push(".d");
    let mut parts: Vec<(u64, PathBuf)> = files::names(Path::new(&directory))
        .map_err(unserved)?
        .into_iter()
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?;
            let first = name.strip_prefix("from-")?.strip_suffix(".jsonl")?.parse().ok()?;
            Some((first, path))
        })
        .collect();
    parts.sort();
    let paths = parts
        .iter()
        .map(|(_, path)| base64::path(path.as_os_str().as_encoded_bytes()));
    Ok(paths.collect())
}
