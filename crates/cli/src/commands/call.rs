use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use portcullis::config::LiveUser;
use portcullis::desk::Desk;
use portcullis::{
    Absent, Approver, Call as ToolCall, Cancel, Refusal, RefusalKind, Resident, SystemClock, Terminal,
    ToolResult, Toolbox, effects,
};
use serde::Serialize;

use crate::approver::ApproverArgs;
use crate::exit_codes::{DONE, REFUSED};
use crate::failure::Failure;
use crate::input::NotACall;
use crate::scene::{From, IfBroken, SceneArgs};
use crate::surroundings::Surroundings;
use crate::{files, input};

const EXAMPLES: &str = r#"Examples:
  echo '{"id": "1", "tool": "read_file", "args": {"path": "notes.md"}}' | portcullis call -
  portcullis call session.jsonl --workspace ~/app --json

Calls with the same "message" are those of one message of the model: a call that an earlier one of
them may still change is asked about, and the end of asking counts messages instead of calls.

The tools are read_file, write_file, edit_file, delete_file, move_file, make_dir, list_dir and
run_command; every other tool is refused as unknown. A command runs through bash, in the directory
that was judged, without input and with a short environment. The question is asked on the terminal,
never on standard input; without a terminal a call that needs an answer is refused. With
`--approver desk` it is asked at `portcullis desk`, and nowhere else. The exit code is 1 when at
least one call was refused. With --json each call gives one line:
  {"call": id, "is_error": true|false, "text": "...", "refusal": null|"code"}"#;

/// Do the whole job on the built-in tools: decide, ask, perform, record
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Call {
    /// One call, or a session with one call a line; `-` is standard input
    file: PathBuf,

    /// Whose JSON it is
    #[arg(long, value_enum, default_value = "portcullis")]
    from: From,

    /// One line of JSON for each call
    #[arg(long)]
    json: bool,

    /// The audit log [default: your policy's `audit.path`, else audit.jsonl in your state directory]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    #[command(flatten)]
    asks: ApproverArgs,

    #[command(flatten)]
    scene: SceneArgs,
}

/// What the model would get.
#[derive(Serialize)]
struct Line<'a> {
    call: Option<&'a str>,
    is_error: bool,
    text: &'a str,
    refusal: Option<&'static str>,
}

impl Call {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        match self.perform_all(around) {
            // Whoever read the results is gone, and the calls after that were not performed.
            Err(Failure::BrokenPipe) => Ok(REFUSED),
            ended => ended,
        }
    }

    fn perform_all(self, around: &Surroundings) -> Result<u8, Failure> {
        let scene = self.scene.set(around, IfBroken::Tighten, self.log.as_deref())?;
        let bytes = files::read_input(&self.file)?;
        if let Some(directory) = scene.log.parent() {
            files::make_private_directory(directory)?;
        }
        let clock = SystemClock::new();
        let (scene, mut desk) = self.asks.choose(scene, around, &clock)?;
        let projects = scene.live_projects();
        let builder = scene.builder.toolbox(Toolbox::performed());
        let opened = builder.resident(LiveUser::at(&scene.policy), projects, clock.clone())?;
        if let Some(torn) = &opened.torn {
            tell_torn(torn);
        }
        let mut terminal = match desk {
            Some(_) => None,
            None => Terminal::open(clock),
        };
        let mut stdout = anstream::stdout().lock();
        let mut code = DONE;
        for entry in input::entries(&bytes, self.from) {
            let (id, outcome) = match entry.call {
                Ok(call) => {
                    let id = call.id().to_owned();
                    let call = call.with_default_cwd(&scene.cwd);
                    let approver: &mut dyn Approver = match (&mut desk, &mut terminal) {
                        (Some(desk), _) => desk,
                        (None, Some(terminal)) => terminal,
                        (None, None) => &mut Absent,
                    };
                    (Some(id), perform(&opened.gate, call, approver))
                }
                Err(NotACall { id, error }) => {
                    let reason = format!("the input is not a call: {error}");
                    let refusal =
                        opened
                            .gate
                            .gate()
                            .reject(id.as_deref(), RefusalKind::BadArguments, &reason);
                    (id, Err(refusal))
                }
            };
            let refusal = outcome.as_ref().err().map(|refusal| refusal.kind().code());
            if refusal.is_some() {
                code = REFUSED;
            }
            if let Some(trouble) = desk.as_mut().and_then(Desk::take_trouble) {
                anstream::eprintln!("note: nobody was asked: {trouble}");
            }
            let result = outcome.unwrap_or_else(Refusal::into_tool_result);
            if self.json {
                let line = Line {
                    call: id.as_deref(),
                    is_error: result.is_error,
                    text: &result.text,
                    refusal,
                };
                let line = serde_json::to_string(&line).map_err(std::io::Error::from)?;
                writeln!(stdout, "{line}")?;
            } else {
                writeln!(stdout, "{}", result.text)?;
            }
        }
        stdout.flush()?;
        Ok(code)
    }
}

fn perform(gate: &Resident, call: ToolCall, approver: &mut dyn Approver) -> Result<ToolResult, Refusal> {
    let permit = gate.decide(call, approver, &Cancel::new())?;
    effects::perform(permit)
}

pub(super) fn tell_torn(torn: &Path) {
    anstream::eprintln!(
        "note: the last line of the audit log was torn by a crash and is kept in {}",
        files::shown(torn)
    );
}
