//! The suite as a job of CI: first it is proved itself, then it proves our gate.

use super::place::{self, Lacking};
use super::subject::Subject;
use super::{OURS, baseline, joined, runner, suite};
use crate::job::Context;
use crate::jobs::books;
use crate::tally::Tally;

/// Ways to run our gate: a fresh process for each family, and one process that lives on; each shuffles anew. Under one
/// baseline, which excuses neither more nor less than what fails, both have the same verdicts.
const RUNS: [&[&str]; 2] = [&[], &["--long-lived"]];

/// The families are sound, the liars are caught by those that the matrix names, our gate passes what it promises, and
/// fails each of that when its answers are spoiled.
pub(crate) fn job(context: &Context) -> Result<Tally, String> {
    let mut tally = Tally::default();
    for words in ["lint", "self-test"] {
        tally += Tally::of(suite(context).arg(words).succeeds()?);
    }
    let ours = Subject::named(&context.root, OURS)?;
    let command = match place::command(context, &ours)? {
        Ok(command) => command,
        Err(Lacking(why)) => return Err(why),
    };
    for (way, suite) in RUNS.iter().zip(["conformance-fresh", "conformance-long"]) {
        let logs = books::folder(context, suite)?;
        let run = runner(context, &command)?.args(baseline(&ours)).args(*way);
        let run = run.arg("--logs").arg(logs);
        tally += Tally::of(run.succeeds()?);
    }
    let wires = suite(context).args(["self-test", "--subject", &joined(&command)?]);
    tally += Tally::of(wires.succeeds()?);
    Ok(tally)
}
