//! `cargo xtask score`: how often a gate is wrong about everyday commands and attacks. The lines are in `conformance/score/`,
//! and what our gate is held to stands where it is described.

use super::place::{self, Lacking};
use super::subject::Subject;
use super::{OURS, adapter, joined, not_run, suite};
use crate::job::Context;
use crate::process::Run;
use crate::tally::Tally;
use crate::tree;

/// What a subject's folder may hold: the numbers that it is held to.
const SCORE: &str = "score.toml";

/// Does what the words say, and gives the exit code.
pub(crate) fn command(context: &Context, words: &[&str]) -> Result<u8, String> {
    let (name, words) = adapter(words)?;
    let write = words.contains(&"--write");
    let others: Vec<&str> = words.iter().copied().filter(|word| *word != "--write").collect();
    let is_subject = |word: &&str| *word == "--subject" || word.starts_with("--subject=");
    if others.iter().any(is_subject) {
        if name.is_some() || write {
            return Err(
                "`--subject` names a gate that has no folder to keep a score in; leave the other out"
                    .to_owned(),
            );
        }
        return suite(context).arg("score").args(&others).code();
    }
    let subject = Subject::named(&context.root, name.unwrap_or(OURS))?;
    match place::command(context, &subject)? {
        Ok(command) => run(context, &subject, &command, write)?.args(&others).code(),
        Err(Lacking(why)) => Ok(not_run(&subject.name, &why)),
    }
}

/// Our gate is held to its score. Without one there is nothing to pass.
pub(crate) fn job(context: &Context) -> Result<Tally, String> {
    let ours = Subject::named(&context.root, OURS)?;
    if !tree::stands(&ours.here.join(SCORE)) {
        return Err(format!("{SCORE} of our gate is gone"));
    }
    let command = match place::command(context, &ours)? {
        Ok(command) => command,
        Err(Lacking(why)) => return Err(why),
    };
    Ok(Tally::of(run(context, &ours, &command, false)?.succeeds()?))
}

fn run(context: &Context, subject: &Subject, command: &[String], write: bool) -> Result<Run, String> {
    let mut run = suite(context).args(["score", "--subject", &joined(command)?]);
    let file = subject.here.join(SCORE);
    if write || tree::stands(&file) {
        run = run.arg("--held-to").arg(&file);
    }
    Ok(match write {
        true => run.arg("--write"),
        false => run,
    })
}
