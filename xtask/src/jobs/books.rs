//! `books`: the logs that the tests and the conformance suite left are held against themselves.

use std::path::PathBuf;

use crate::floor;
use crate::job::Context;
use crate::tally::Tally;
use crate::tree;

/// The variable that tells the suites where to copy their logs to.
pub(crate) const VARIABLE: &str = "PORTCULLIS_TEST_LOGS";
/// Logs that one command is given at a time.
const AT_ONCE: usize = 200;

/// Every submitted call ended in exactly one of: permitted and finished, permitted and unfinished, refused.
pub(crate) fn run(context: &Context) -> Result<Tally, String> {
    let logs = tree::below(&context.logs())?;
    let logs: Vec<PathBuf> = logs
        .into_iter()
        .filter(|log| log.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    if logs.is_empty() {
        return Ok(context.skip(
            "books",
            "no log is there; the jobs `test` and `conformance` leave them",
        ));
    }
    let mut tally = Tally::default();
    for some in logs.chunks(AT_ONCE) {
        let words = [
            "run",
            "--quiet",
            "--locked",
            "--package",
            "portcullis-cli",
            "--",
            "log",
            "reconcile",
            "--json",
        ];
        let mut said = 0;
        let run = context.cargo().args(words).args(some);
        let run = run.shown_as(format!("portcullis log reconcile --json ({} logs)", some.len()));
        let succeeded = run.lines(|line| {
            said += 1;
            if !line.ends_with("\"violations\":[]}") {
                println!("{line}");
            }
        })?;
        tally += Tally::of(succeeded && said == some.len());
    }
    println!("{} logs", logs.len());
    tally += Tally::of(!context.strict || logs.len() >= floor::LOGS);
    Ok(tally)
}

/// Makes the folder for one suite's logs anew.
pub(crate) fn folder(context: &Context, suite: &str) -> Result<PathBuf, String> {
    let folder = context.logs().join(suite);
    tree::empty(&folder)?;
    Ok(folder)
}
