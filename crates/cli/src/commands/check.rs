use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::report::{Judged, human, json};
use crate::scene::{From, IfBroken, SceneArgs};
use crate::surroundings::Surroundings;
use crate::{files, input};

const EXAMPLES: &str = r#"Examples:
  portcullis check session.jsonl
  portcullis check session.jsonl --json --workspace ~/app --trust yes
  echo '{"id": "1", "tool": "read_file", "args": {"path": "~/.ssh/id_rsa"}}' | portcullis check -

With --json each call gives one line:
  {"call": id, "verdict": "allow|confirm|deny",
   "refusal": null|"unknown_tool|bad_arguments|policy",
   "effects": [{"kind", "target", "operand", "risk"}], "causes": [{"rule", "layer", "text"}]}

A line that is not a call is denied with `bad_arguments`. The exit code is 0 when every call was
judged, whatever the verdicts."#;

/// Judge calls: verdict, effects, resolved targets and causes. Executes nothing and writes nothing
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// One call, or a session with one call a line; `-` is standard input
    file: PathBuf,

    /// Whose JSON it is
    #[arg(long, value_enum, default_value = "portcullis")]
    from: From,

    /// One line of JSON for each call
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    scene: SceneArgs,
}

impl Check {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        let scene = self.scene.set(around, IfBroken::Stop, None)?;
        let classifier = scene.builder.classifier()?;
        let bytes = files::read_input(&self.file)?;
        let mut stdout = anstream::stdout().lock();
        for entry in input::entries(&bytes, self.from) {
            let judged = match entry.call {
                Ok(call) => Judged::call(&classifier.assess(call.with_default_cwd(&scene.cwd))),
                Err(not) => Judged::not_a_call(entry.line, &not),
            };
            if self.json {
                let line = json(&judged).map_err(std::io::Error::from)?;
                writeln!(stdout, "{line}")?;
            } else {
                writeln!(stdout, "{}", human(&judged))?;
            }
        }
        stdout.flush()?;
        Ok(DONE)
    }
}
