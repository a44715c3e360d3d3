//! Runs every subject and renders what came of them side by side.

use std::path::Path;

use super::place::{self, Lacking};
use super::subject::{self, Subject};
use super::{baseline, not_run, runner, suite};
use crate::job::Context;
use crate::tree;

/// Exit codes of a run that has a verdict: conforms, fails, everything unsupported, stale baseline.
const VERDICTS: [u8; 4] = [0, 1, 4, 6];

/// The committed page, below the workspace.
const PAGE: &str = "conformance/RESULTS.md";

/// Runs all subjects one after the other. What lacks something here has a note in place of results.
pub(super) fn all(context: &Context) -> Result<u8, String> {
    let folder = place::folder(context).join("results");
    tree::make_folder(&folder)?;
    let mut files = Vec::new();
    let mut ran = false;
    for name in subject::names(&context.root)? {
        println!("\n== {name}");
        let subject = Subject::named(&context.root, &name)?;
        let file = folder.join(format!("{name}.jsonl"));
        ran |= one(context, &subject, &file)?;
        files.push(file);
    }
    if !ran {
        return Err("no subject could be run".to_owned());
    }
    println!("\n== side by side");
    let report = suite(context).arg("report").args(&files);
    let report = report.arg("--html").arg(folder.join("results.html"));
    report.arg("--markdown").arg(context.root.join(PAGE)).code()
}

/// Leaves the results of one subject, or a note why there are none. Whether it was run.
fn one(context: &Context, subject: &Subject, file: &Path) -> Result<bool, String> {
    // What an earlier run left says nothing about this one.
    tree::remove_file(file)?;
    let why = match place::command(context, subject)? {
        Ok(command) => {
            let run = runner(context, &command)?
                .args(baseline(subject))
                .args(subject.options(|_| false))
                .args(["--policy-note", &subject.policy]);
            let code = run.arg("--results").arg(file).code()?;
            if VERDICTS.contains(&code) && tree::stands(file) {
                return Ok(true);
            }
            format!("the runner ended with exit code {code}")
        }
        Err(Lacking(why)) => why,
    };
    not_run(&subject.name, &why);
    tree::write(file, &note(&subject.name, &why))?;
    Ok(false)
}

/// The line that stands for a subject without results.
fn note(subject: &str, why: &str) -> String {
    format!(
        "{{\"not_run\":{{\"subject\":{},\"why\":{}}}}}\n",
        json(subject),
        json(why)
    )
}

/// A text as JSON has it.
fn json(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            char if char.is_control() => quoted.push(' '),
            char => quoted.push(char),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::note;

    #[test]
    fn a_note_is_one_line_of_json() {
        assert_eq!(
            note("x", "no \"rg\"\nin a\\b"),
            "{\"not_run\":{\"subject\":\"x\",\"why\":\"no \\\"rg\\\" in a\\\\b\"}}\n"
        );
    }
}
