//! `cargo xtask conformance`: the door of the suite in `conformance/`. Without `--subject`, `run` builds our gate and
//! runs it through the same protocol as any other.

use std::process;

use crate::job::Context;

/// Our gate as a subject.
const OURS: &str = "portcullis subject";

pub(crate) fn command(context: &Context, words: &[&str]) -> Result<bool, String> {
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let named = |word: &String| word == "--subject" || word.starts_with("--subject=");
    if words.first().is_some_and(|word| word == "run") && !words.iter().any(named) {
        let build = context
            .cargo()
            .args(["build", "--quiet", "--locked", "--package", "portcullis-cli"]);
        if !build.succeeds()? {
            return Ok(false);
        }
        let folder = context.target.join("debug");
        words.extend(["--subject".to_owned(), format!("'{}'/{OURS}", folder.display())]);
    }
    let suite = context
        .cargo()
        .args([
            "run",
            "--quiet",
            "--locked",
            "--package",
            "portcullis-conformance",
            "--",
        ])
        .args(words);
    // The suite's exit codes mean something: they are handed on.
    process::exit(suite.code()?)
}
