//! `cargo xtask conformance`: the door of the suite in `conformance/`. Without `--subject`, `run` builds our gate and
//! runs it through the same protocol as any other.

use crate::job::Context;
use crate::process::Run;
use crate::tally::Tally;

/// How our gate becomes a subject.
const OURS: &str = "subject";

/// Runs the suite's program with these words, and gives its exit code: each means something.
pub(crate) fn command(context: &Context, words: &[&str]) -> Result<u8, String> {
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let named = |word: &String| word == "--subject" || word.starts_with("--subject=");
    if words.first().is_some_and(|word| word == "run") && !words.iter().any(named) {
        let build = context
            .cargo()
            .args(["build", "--quiet", "--locked", "--package", "portcullis-cli"]);
        if !build.succeeds()? {
            return Err("our gate cannot be built".to_owned());
        }
        let gate = context.target.join("debug").join("portcullis");
        words.extend(["--subject".to_owned(), format!("'{}' {OURS}", gate.display())]);
    }
    suite(context).args(words).code()
}

/// The suite's look at its own families, as a job of CI.
pub(crate) fn job(context: &Context) -> Result<Tally, String> {
    Ok(Tally::of(suite(context).arg("lint").succeeds()?))
}

fn suite(context: &Context) -> Run {
    let args = [
        "run",
        "--quiet",
        "--locked",
        "--package",
        "portcullis-conformance",
        "--",
    ];
    context.cargo().args(args)
}
