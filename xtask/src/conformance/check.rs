//! The checks of an adapter: those of its own parts, and those that need the real program beside our gate. Ordinary tests
//! need neither; what cannot be checked here is said by name.

use super::place;
use super::subject::Subject;
use super::{fetch, not_run};
use crate::job::Context;
use crate::process::Run;
use crate::tree;

/// Runs them. The exit code.
pub(super) fn check(context: &Context, subject: &Subject) -> Result<u8, String> {
    let name = &subject.name;
    let folder = subject.here.join("test");
    let mut tests: Vec<_> = tree::below(&folder)
        .unwrap_or_default()
        .into_iter()
        .filter(|file| file.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    tests.sort();
    if tests.is_empty() {
        println!("{name}: nothing to check");
        return Ok(0);
    }
    if subject.fetch && !fetch::is_done(context, subject)? {
        let how = format!("it is not fetched: `cargo xtask conformance fetch {name}`");
        return Ok(not_run(name, &how));
    }
    let Some(node) = place::node(context, subject) else {
        return Ok(not_run(name, "`node` is not on the path"));
    };
    let pi =
        place::fetched(context, subject).join("node_modules/@earendil-works/pi-coding-agent/dist/cli.js");
    let gate = place::built(context, "portcullis-cli", "portcullis")?;
    Run::new(node)
        .arg("--test")
        .args(tests)
        .env("PI", pi)
        .env("GATE", gate)
        .code()
}
