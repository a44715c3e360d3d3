//! The workspace's own tasks, behind `cargo xtask`. Every step of CI is a job here that runs alone as well.

mod apart;
mod conformance;
mod floor;
mod job;
mod jobs;
mod marked;
mod process;
mod tally;
mod tidy;
mod tree;

use std::process::ExitCode;

use job::{Context, JOBS};

const USAGE: &str = "\
The workspace's own tasks.

Usage:
  cargo xtask ci [JOB]...           Run every job of CI, or only these
  cargo xtask fuzz [TARGET] [SECS]  Fuzz every target, or one, for this long each (10 seconds)
  cargo xtask browser               The desk's page in a real headless Chromium, where there is one
  cargo xtask bench                 Measure, and print ratios to a floor of the same run
  cargo xtask conformance ...       Prove a gate: run, lint, self-test, list, new, try, manifest, report;
                                    with subjects by name: fetch NAME, run --adapter NAME, results
  cargo xtask score ...             Count missed attacks and needless questions of our gate, or of any: --adapter NAME,
                                    --subject COMMAND; --write keeps the numbers that CI holds ours to

Jobs of CI:";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["conformance", words @ ..] => {
            Context::find().and_then(|context| conformance::command(&context, words))
        }
        ["score", words @ ..] => Context::find().and_then(|context| conformance::score(&context, words)),
        words => run(words).map(|good| u8::from(!good)),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(what) => {
            eprintln!("error: {what}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[&str]) -> Result<bool, String> {
    match words {
        [] | ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            for job in JOBS {
                println!("  {:<11} {}", job.name, job.about);
            }
            Ok(true)
        }
        ["ci", names @ ..] => job::run(&Context::find()?, names),
        ["fuzz", words @ ..] => jobs::fuzz::command(&Context::find()?, words),
        ["browser"] => jobs::browser::command(&Context::find()?),
        ["bench"] => jobs::bench::command(&Context::find()?),
        [name] if JOBS.iter().any(|job| job.name == *name) => job::run(&Context::find()?, &[name]),
        [word, ..] => Err(format!("`{word}` is not a task here; try `cargo xtask help`")),
    }
}
