use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::input::Entry;
use crate::report::{self, Judged, human};
use crate::scene::{From, IfBroken, SceneArgs};
use crate::surroundings::Surroundings;
use crate::{files, input};

const EXAMPLES: &str = r#"Examples:
  portcullis check 'cd build && rm -rf *'
  portcullis check session.jsonl
  portcullis check session.jsonl --json --workspace ~/app --trust yes
  echo '{"id": "1", "tool": "read_file", "args": {"path": "~/.ssh/id_rsa"}}' | portcullis check -

With --json each call gives one line:
  {"call": id, "verdict": "allow|confirm|deny",
   "refusal": null|"unknown_tool|bad_arguments|policy",
   "effects": [{"kind", "target", "operand", "risk", "command"?}],
   "causes": [{"rule", "layer", "text", "effect"?}],
   "commands"?: [{"command", "text", "depth", "how"}]}

A command is explained: every simple command in it, what each would do, and why that runs, asks
or is denied. `command` counts them from 1, `effect` counts effects from 0.

This is your own view of your own calls, not a record: places are named whole, whatever their names
hold. In commands and in what was written, secrets are hidden as in questions.

A line that is not a call is denied with `bad_arguments`. The exit code is 0 when every call was
judged, whatever the verdicts."#;

/// Judge calls: verdict, effects, resolved targets and causes. Executes nothing and writes nothing
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    /// A file with one call, or a session with one call a line; `-` is standard input. What is no file
    /// is a command
    #[arg(value_name = "FILE|COMMAND")]
    what: PathBuf,

    /// It is a command, also when a file of that name is there
    #[arg(long)]
    command: bool,

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
        let mut stdout = anstream::stdout().lock();
        let judge = |entry: Entry| match entry.call {
            Ok(call) => Judged::call(&classifier.assess(call.with_default_cwd(&scene.cwd))),
            Err(not) => Judged::not_a_call(entry.line, &not),
        };
        match self.as_command() {
            Some(text) => {
                let call = json!({"id": "command", "tool": "run_command", "args": {"command": text}});
                for entry in input::entries(call.to_string().as_bytes(), From::Portcullis) {
                    self.tell(&judge(entry).explained(&text), &mut stdout)?;
                }
            }
            None => {
                let bytes = files::read_input(&self.what)?;
                for entry in input::entries(&bytes, self.from) {
                    self.tell(&judge(entry), &mut stdout)?;
                }
            }
        }
        stdout.flush()?;
        Ok(DONE)
    }

    fn tell(&self, judged: &Judged, out: &mut impl Write) -> Result<(), Failure> {
        if self.json {
            let line = report::json(judged).map_err(std::io::Error::from)?;
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{}", human(judged))?;
        }
        Ok(())
    }

    /// The text, when it is a command: no file has that name, and it does not look like one of calls.
    fn as_command(&self) -> Option<String> {
        let text = self.what.to_str()?;
        let named =
            text == "-" || text.ends_with(".json") || text.ends_with(".jsonl") || files::is_there(&self.what);
        (self.command || !named).then(|| text.to_owned())
    }
}
