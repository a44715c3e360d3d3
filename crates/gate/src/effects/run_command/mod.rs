//! The one effect that starts a program: the approved text, in the approved directory, and nothing around it that
//! could make another text of it.

mod child;
mod environment;
mod output;
mod shell;

use std::path::PathBuf;

use child::{End, Ended, Order};

use super::job::{Failure, Job, run};
use crate::{Exit, Permit, Refusal, ToolResult};

pub(super) const NAME: &str = "run_command";

/// Runs the approved text in the approved directory, through bash 5.
///
/// The directory is held from the judgement on: a name that leads elsewhere by now does not lead the command there.
/// The environment is an allow-list, standard input is empty, and bash reads no file of its own first. The command's
/// process group ends with it: what it left in the background is killed, as is all of it at the deadline and when the
/// run is cancelled. A program that leaves the group (`setsid`) is not found again, and one whose gate is killed goes
/// on.
///
/// The result has the command's output, its middle left out where it is long. The log has the exit code or the signal
/// and nothing of the output.
///
/// # Errors
/// As [`super::perform`]; `Fault`, before anything happened, when no bash of version 5 is at one of the places of
/// [`CommandSettings::shells`](crate::CommandSettings::shells).
pub fn run_command(permit: Permit) -> Result<ToolResult, Refusal> {
    if permit.call().tool() != NAME {
        return Err(super::job::not_performed_here());
    }
    let Some(shell) = permit.shared().shell(shell::find) else {
        // The permit is dropped unused, and recorded so.
        return Err(Refusal::fault(
            "commands run through bash 5, and none is where it is looked for",
        ));
    };
    run(permit, NAME, |job| perform(job, &shell))
}

fn perform(job: &mut Job, shell: &PathBuf) -> Result<String, Failure> {
    let directory = job
        .working_dir()
        .ok_or_else(|| Failure::failed("no working directory is held for it"))?;
    let directory_now = directory
        .working_dir()
        .map_err(|error| Failure::of_step(&error))?;
    let commands = &job.shared().settings.commands;
    let order = Order {
        shell,
        text: job.text("command")?,
        directory: directory_now,
        environment: environment::clean(&commands.environment),
        output_limit: commands.output_limit,
        wait: commands.deadline,
        clock: &*job.shared().clock,
        cancel: job.cancel(),
    };
    let wait = commands.deadline;
    let ended = child::run(order).map_err(|error| {
        Failure::failed(format!(
            "the shell cannot be started or watched: {}",
            error.kind()
        ))
    })?;
    let reason = match ended.end {
        End::Own(Exit { code: Some(0), .. }) => return Ok(text(ended, None)),
        End::Own(Exit { code: Some(code), .. }) => format!("exit code {code}"),
        End::Own(Exit {
            signal: Some(signal), ..
        }) => format!("ended by signal {signal}"),
        End::Own(_) => "ended, and nobody knows how".to_owned(),
        End::Late => format!("killed after {} seconds", wait.as_secs()),
        End::Cancelled => "killed because the run was cancelled".to_owned(),
    };
    let exit = match ended.end {
        End::Own(exit) => exit,
        End::Late | End::Cancelled => Exit {
            code: None,
            signal: Some(9),
        },
    };
    Err(Failure::Ran {
        text: text(ended, Some(&reason)),
        reason,
        exit,
    })
}

/// What the model gets.
fn text(ended: Ended, reason: Option<&str>) -> String {
    let mut parts = Vec::new();
    let stdout = ended.stdout.trim_end_matches('\n');
    let stderr = ended.stderr.trim_end_matches('\n');
    if !stdout.is_empty() {
        parts.push(stdout.to_owned());
    }
    if !stderr.is_empty() {
        parts.push(format!("standard error:\n{stderr}"));
    }
    parts.extend(reason.map(|reason| format!("({reason})")));
    if parts.is_empty() {
        parts.push("(no output)".to_owned());
    }
    parts.join("\n")
}
