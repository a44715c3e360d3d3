//! Runs every subject and renders what came of them side by side.

use std::path::{Path, PathBuf};

use super::place::{self, Lacking};
use super::subject::{self, Subject};
use super::{baseline, not_run, runner, suite};
use crate::job::Context;
use crate::tree;

/// Exit codes of a run that has a verdict: conforms, fails, everything unsupported, stale baseline.
const VERDICTS: [u8; 4] = [0, 1, 4, 6];

/// Runs all subjects one after the other. What lacks something here has a note in place of results.
pub(super) fn all(context: &Context) -> Result<u8, String> {
    let folder = place::folder(context).join("results");
    tree::make_folder(&folder)?;
    let mut done = Vec::new();
    for name in subject::names(&context.root)? {
        println!("\n== {name}");
        let subject = Subject::named(&context.root, &name)?;
        done.extend(one(context, &subject, &folder)?);
    }
    if done.is_empty() {
        return Err("no subject could be run".to_owned());
    }
    println!("\n== side by side");
    let report = suite(context).arg("report").args(&done);
    report.arg("--html").arg(folder.join("results.html")).code()
}

/// The file of results of one subject; none when it was not run.
fn one(context: &Context, subject: &Subject, folder: &Path) -> Result<Option<PathBuf>, String> {
    let name = &subject.name;
    let file = folder.join(format!("{name}.jsonl"));
    let note = folder.join(format!("{name}.not-run"));
    // What an earlier run left says nothing about this one.
    tree::remove_file(&file)?;
    tree::remove_file(&note)?;
    let why = match place::command(context, subject)? {
        Ok(command) => {
            let run = runner(context, &command)?.args(baseline(subject));
            let code = run.arg("--results").arg(&file).code()?;
            if VERDICTS.contains(&code) && tree::stands(&file) {
                return Ok(Some(file));
            }
            format!("the runner ended with exit code {code}")
        }
        Err(Lacking(why)) => why,
    };
    not_run(name, &why);
    tree::write(&note, &format!("{why}\n"))?;
    Ok(None)
}
