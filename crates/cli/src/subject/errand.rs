//! What a person does between two calls: `portcullis grants revoke`, `portcullis log rotate`, `portcullis log seal`.

use std::path::{Path, PathBuf};

use portcullis::Gate;
use portcullis::audit::{Event, Finished, Log, LogOptions, Outcome, Reader, Redacted};
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
    open(log)?.rotate(now_ms).map_err(unserved)?;
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

/// Where seals of a log are kept: the runner says that nobody reaches them who can write the log.
pub(super) fn seals(log: &Path) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(".seal");
    PathBuf::from(name)
}

/// Seals the log, and keeps the checkpoint.
pub(super) fn seal(log: &Path, now_ms: i64) -> Result<Vec<Value>, Unserved> {
    let sealed = open(log)?.seal(now_ms).map_err(unserved)?;
    let checkpoint = sealed.ok_or_else(|| unserved("there is nothing to seal"))?;
    files::append_line(&seals(log), &checkpoint.to_string()).map_err(unserved)?;
    Ok(Vec::new())
}

/// Records an end that was none: of the call's own decision, or, when it has none, of the last one.
pub(super) fn end(log: &Path, session: &str, call: &str, now_ms: i64) -> Result<Vec<Value>, Unserved> {
    let records = Reader::open(log).map_err(unserved)?.map_while(Result::ok);
    let decided: Vec<_> = records
        .filter(|record| record.text("kind") == Some("decided"))
        .collect();
    let own = decided.iter().rfind(|record| record.text("call") == Some(call));
    let decision = own.or(decided.last()).and_then(portcullis::Record::sequence);
    let finished = Event::Finished(Finished {
        session: Some(Redacted::id(session)),
        call: Redacted::id(call),
        decision: decision.ok_or_else(|| unserved("nothing was decided"))?,
        outcome: Outcome::Done,
    });
    open(log)?.append(now_ms, &finished).map_err(unserved)?;
    Ok(Vec::new())
}

/// The log, as another process has it.
fn open(log: &Path) -> Result<Log, Unserved> {
    let options = LogOptions {
        path: log.to_owned(),
        lock_wait_ms: WAIT_MS,
    };
    Ok(Log::open(options).map_err(unserved)?.log)
}
