//! `readme`: the commands in README.md work, and its test command is the one that CI calls.

use crate::job::Context;
use crate::marked;
use crate::process::Run;
use crate::tally::Tally;
use crate::tree;

/// The test command, as README.md tells it and as `.ci/run` calls it.
const TESTS: &str = "cargo xtask ci";

pub(crate) fn run(context: &Context) -> Result<Tally, String> {
    let readme = tree::text(&context.root.join("README.md"))?;
    let entry = tree::text(&context.root.join(".ci/run"))?;
    let mut tally = Tally::default();
    for (name, text) in [("README.md", &readme), (".ci/run", &entry)] {
        let says = text
            .lines()
            .any(|line| line.trim().trim_start_matches("exec ") == TESTS);
        if !says {
            println!("error: `{name}` has no line `{TESTS}`");
        }
        tally += Tally::of(says);
    }
    let commands = marked::commands(&readme);
    if commands.is_empty() {
        println!("error: README.md has no fenced block marked `run`");
        tally += Tally::FAILED;
    }
    // A newcomer has neither settings nor a log of their own yet. Settings that lie in a workspace would be refused.
    let state = tree::folder_outside("readme")?;
    for command in commands {
        if command.text.contains(TESTS) {
            return Err(format!(
                "README.md line {}: `{TESTS}` would run itself",
                command.line
            ));
        }
        let run = Run::new("sh").arg("-ec").arg(&command.text).within(&context.root);
        let run = run.env("XDG_CONFIG_HOME", &state).env("XDG_STATE_HOME", &state);
        let passed = run.succeeds()?;
        if !passed {
            println!("error: README.md line {}: the command failed", command.line);
        }
        tally += Tally::of(passed);
    }
    tree::remove_folder(&state)?;
    Ok(tally)
}
