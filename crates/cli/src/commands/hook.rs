use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use clap::{Args, Subcommand};
use portcullis::config::HookAllow;
use portcullis::desk::Desk;
use portcullis::{
    Approver as _, Call, Cancel, Gate, KeptRun, Limits, Permit, Question, Refusal, RefusalKind, Shape, Step,
    SystemClock,
};

use crate::approver::ApproverArgs;
use crate::files;
use crate::hook::claude_code::{self, Event};
use crate::hook::{Answer, Failed, More, Opinion, RawStdout, guarded, silence_panics};
use crate::scene::{IfBroken, SceneArgs};
use crate::surroundings::Surroundings;

/// What was refused in the runs under way, in the state directory.
const RUNS: &str = "runs.json";
/// Largest input.
const LARGEST_INPUT: usize = 8 << 20;

const EXAMPLES: &str = r#"In ~/.claude/settings.json:
  {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
    {"type": "command", "command": "portcullis", "args": ["hook", "claude-code"],
     "timeout": 10, "onFailure": "block"}]}]}}

The workspace is --workspace, else CLAUDE_PROJECT_DIR, else the current directory; it is never the
call's own cwd.

Deny is a deny object, one line on standard error and exit code 2. A call that needs an answer
becomes the agent's own question; with `--approver desk` it is asked at `portcullis desk` instead,
and the agent's "timeout" has to be longer than a question is open (5 minutes). A call that the
rules allow gets no answer, unless your policy says `allow = "allow"` under [hook.claude-code].
Each call is judged when the agent is about to run it, on what it finds then: the agent does not say
which calls are of one message, and so none is held against what another may still change.

At the desk, too many refusals end the asking, although each call has a process of its own: three in
a row, ten among fifty, or three of the same thing, until you say something new to the agent. What
was refused stands in runs.json in your state directory; while it cannot be used, nothing is asked
and what has to be asked about is denied. An agent that does not number what you say
(`prompt_id`) begins anew with its next session. What you answer to the agent's own question is not
told to the gate and counts nowhere.

Empty, broken, oversized or unknown input, a broken configuration, a log that cannot be written, a
fault and a missed deadline are denied."#;

/// An opinion and what to say to an allow, or the reason of a deny that came before there was a gate.
type Judgement = Result<(Opinion, HookAllow), String>;

/// Answer an agent that asks before it acts
#[derive(Debug, Args)]
pub(crate) struct Hook {
    #[command(subcommand)]
    host: Host,
}

#[derive(Debug, Subcommand)]
enum Host {
    /// Claude Code: PreToolUse and PermissionRequest, JSON on standard input
    #[command(after_help = EXAMPLES)]
    ClaudeCode(ClaudeCode),
}

#[derive(Debug, Clone, Args)]
struct ClaudeCode {
    /// A workspace root; give it again for more
    #[arg(long, value_name = "DIR")]
    workspace: Vec<PathBuf>,

    /// Your policy [default: policy.toml in your configuration directory, when it exists]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,

    /// The audit log [default: your policy's `audit.path`, else audit.jsonl in your state directory]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Milliseconds until the hook denies by itself; keep it below the agent's own timeout
    /// [default: 5000, and at the desk as long as a question is open]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    deadline_ms: Option<u64>,

    #[command(flatten)]
    asks: ApproverArgs,
}

/// Time to read, judge and record, in milliseconds.
const TO_JUDGE_MS: u64 = 5000;
/// What of the time that the hook has is not the question's.
const NOT_FOR_THE_QUESTION: Duration = Duration::from_millis(1000);

impl Hook {
    /// Answers, and gives the exit code. There is no failure: whatever goes wrong is a deny.
    pub(crate) fn run(self) -> u8 {
        silence_panics();
        let Host::ClaudeCode(args) = self.host;
        args.run().deliver(&mut RawStdout, &mut io::stderr())
    }
}

/// Denies a call that nothing is known about.
pub(crate) fn deny(reason: &str) -> u8 {
    let (opinion, allow) = denied(format!("denied: {reason}"));
    claude_code::answer(None, &opinion, allow).deliver(&mut RawStdout, &mut io::stderr())
}

impl ClaudeCode {
    fn run(self) -> Answer {
        let event = Arc::new(OnceLock::new());
        let cancel = Cancel::new();
        let deadline = Duration::from_millis(self.deadline_ms.unwrap_or(TO_JUDGE_MS));
        let more = More::default();
        let (heard, flag, longer) = (Arc::clone(&event), cancel.clone(), more.clone());
        let judged = guarded(deadline, &more, move || self.judge(&heard, &flag, &longer));
        if judged == Err(Failed::Late) {
            cancel.raise();
        }
        let (opinion, allow) = settled(judged);
        claude_code::answer(event.get().copied(), &opinion, allow)
    }

    /// Reads, judges and records: also what cannot be read, when there is a gate to record it.
    fn judge(self, event: &OnceLock<Event>, cancel: &Cancel, more: &More) -> Judgement {
        let read = read_call(event);
        let open = self.open(read.as_ref().ok());
        match (read, open) {
            (Ok(Heard { call, .. }), Ok(mut open)) => {
                let call = call.with_default_cwd(&open.cwd);
                Ok(match &open.broken {
                    None => match &mut open.desk {
                        None => (decide(&open.gate, call, cancel), open.allow),
                        Some(desk) => {
                            // Whoever named the time for everything gives no more for the question.
                            let more = self.deadline_ms.is_none().then_some(more);
                            (decide_at(desk, &open.gate, call, cancel, more), open.allow)
                        }
                    },
                    Some(reason) => {
                        let refusal = open.gate.reject_call(&call, RefusalKind::Policy, reason);
                        (refused(&refusal), open.allow)
                    }
                })
            }
            (Err(unread), Ok(open)) => {
                let bad = RefusalKind::BadArguments;
                let refusal = open.gate.reject(unread.id.as_deref(), bad, &unread.reason);
                Ok((refused(&refusal), open.allow))
            }
            (Err(unread), Err(_)) => Err(unread.reason),
            (Ok(_), Err(reason)) => Err(reason),
        }
    }

    fn open(&self, heard: Option<&Heard>) -> Result<Open, String> {
        let around = Surroundings::look();
        let scene = self
            .scene(&around)?
            .set(&around, IfBroken::Deny, self.log.as_deref())
            .map_err(|failure| failure.sentence())?;
        let clock = SystemClock::new();
        let chosen = self.asks.choose(scene, &around, &clock);
        let (mut scene, desk) = chosen.map_err(|failure| failure.sentence())?;
        if let (Some(_), Some(all)) = (&desk, self.deadline_ms) {
            let longest = Duration::from_millis(all).saturating_sub(NOT_FOR_THE_QUESTION);
            scene.builder = scene.builder.deadline_at_most(longest);
        }
        let allow = scene
            .user
            .map(|user| user.settings.claude_code_allow)
            .unwrap_or_default();
        if let Some(directory) = scene.log.parent() {
            files::make_private_directory(directory).map_err(|failure| failure.sentence())?;
        }
        let opened = scene.builder.gate(clock).map_err(|error| error.to_string())?;
        let gate = match (&desk, heard) {
            // What the host's own user says to a question is not told to us: there is nothing to remember.
            (Some(_), Some(heard)) => opened.gate.in_run(heard.run(&around)?),
            _ => opened.gate,
        };
        Ok(Open {
            gate,
            allow,
            desk,
            cwd: scene.cwd,
            broken: scene.broken,
        })
    }

    /// Roots are the session's: the flag, else what the agent says of its project, else where it started us.
    fn scene(&self, around: &Surroundings) -> Result<SceneArgs, String> {
        let mut workspace = self.workspace.clone();
        if workspace.is_empty()
            && let Some(project) = around.claude_project()
        {
            if !project.is_absolute() {
                return Err("CLAUDE_PROJECT_DIR is not an absolute path".to_owned());
            }
            workspace.push(project.to_path_buf());
        }
        Ok(SceneArgs {
            workspace,
            cwd: None,
            home: None,
            policy: self.policy.clone(),
            trust: None,
            preset: None,
            otherwise: None,
            review: None,
            deadline_seconds: None,
        })
    }
}

/// What one event is answered with.
struct Open {
    gate: Gate,
    /// What is said to an allow.
    allow: HookAllow,
    /// Who is asked, when it is not the host.
    desk: Option<Desk>,
    /// The directory of a call that names none.
    cwd: PathBuf,
    /// A configuration file that cannot be used: everything is denied, and recorded.
    broken: Option<String>,
}

/// Whatever is not a judgement is a deny.
fn settled(judged: Result<Judgement, Failed>) -> (Opinion, HookAllow) {
    match judged {
        Ok(Ok(judged)) => judged,
        Ok(Err(reason)) => denied(format!("denied: {reason}")),
        Err(Failed::Fault) => denied("denied: the gate itself failed".to_owned()),
        Err(Failed::Late) => denied("denied: the gate did not decide in time".to_owned()),
    }
}

/// Decides, asks at the desk and nowhere else, and records.
fn decide_at(desk: &mut Desk, gate: &Gate, call: Call, cancel: &Cancel, more: Option<&More>) -> Opinion {
    let pending = match gate.submit(call, cancel) {
        Step::Permitted(permit) => return by_the_rules(permit),
        Step::Refused(refusal) => return refused(&refusal),
        Step::Ask(pending) => pending,
    };
    if let Some(more) = more {
        more.give(pending.question().deadline.since(gate.now()));
    }
    let reply = desk.ask(pending.question(), cancel);
    let answered = pending.settle(reply, gate.now());
    match (answered.and_then(Permit::hand_to_host), desk.take_trouble()) {
        (Ok(()), _) => Opinion::Approved {
            reason: "a person allowed it at the desk".to_owned(),
        },
        (Err(refusal), None) => refused(&refusal),
        (Err(refusal), Some(trouble)) => Opinion::Deny {
            reason: format!("{refusal} ({trouble})"),
        },
    }
}

/// Decides and records, and leaves the rest to the host.
fn decide(gate: &Gate, call: Call, cancel: &Cancel) -> Opinion {
    match gate.submit(call, cancel) {
        Step::Permitted(permit) => by_the_rules(permit),
        Step::Ask(pending) => {
            let reason = reasons(pending.question());
            match pending.hand_to_host() {
                Ok(()) => Opinion::Ask { reason },
                Err(refusal) => refused(&refusal),
            }
        }
        Step::Refused(refusal) => refused(&refusal),
    }
}

fn by_the_rules(permit: Permit) -> Opinion {
    match permit.hand_to_host() {
        Ok(()) => Opinion::Allow {
            reason: "the rules allow it".to_owned(),
        },
        Err(refusal) => refused(&refusal),
    }
}

fn refused(refusal: &Refusal) -> Opinion {
    Opinion::Deny {
        reason: refusal.to_string(),
    }
}

/// What it would do and the strictest causes, in one sentence.
fn reasons(question: &Question) -> String {
    let strictest = question.causes.iter().map(|cause| cause.risk).max();
    let causes = question
        .causes
        .iter()
        .filter(|cause| Some(cause.risk) == strictest);
    let causes =
        causes.map(|cause| format!("{} (rule `{}`, {})", cause.text, cause.rule, cause.layer.word()));
    // Safe and bounded already: cutting again would take the end, which is where a long path says what it is.
    let effects = question.lines().into_iter();
    format!("{}: {}", some(effects, ", "), some(causes, "; "))
}

/// The first few, and how many more there are.
fn some(texts: impl Iterator<Item = String>, between: &str) -> String {
    const MOST: usize = 4;
    let mut texts: Vec<String> = texts.collect();
    texts.dedup();
    let more = texts.len().saturating_sub(MOST);
    texts.truncate(MOST);
    if more > 0 {
        texts.push(format!("and {more} more"));
    }
    texts.join(between)
}

fn denied(reason: String) -> (Opinion, HookAllow) {
    (Opinion::Deny { reason }, HookAllow::Silent)
}

/// An input that is not a call of an event that is known.
struct Unread {
    /// The call's id, when the call could be read.
    id: Option<String>,
    /// One sentence.
    reason: String,
}

impl From<String> for Unread {
    fn from(reason: String) -> Self {
        Self { id: None, reason }
    }
}

/// A call, and what the host says besides.
struct Heard {
    call: Call,
    /// What its user said last, as the host numbers it.
    prompt: Option<String>,
}

impl Heard {
    /// Each call has a process of its own: what was refused before stands in a file.
    fn run(&self, around: &Surroundings) -> Result<KeptRun, String> {
        let directory = around.state_directory().map_err(|failure| failure.sentence())?;
        files::make_private_directory(&directory).map_err(|failure| failure.sentence())?;
        let run = KeptRun::new(directory.join(RUNS), self.call.session());
        Ok(match &self.prompt {
            Some(prompt) => run.of_prompt(prompt, self.call.agent().is_some()),
            None => run,
        })
    }
}

fn read_call(event: &OnceLock<Event>) -> Result<Heard, Unread> {
    let input = read_input()?;
    let limits = Limits {
        bytes: LARGEST_INPUT,
        ..Limits::default()
    };
    let call = Call::read(&input, Shape::ClaudeCode, &limits)
        .map_err(|error| format!("the input is not a call: {error}"))?;
    let known = Event::read(&input).map_err(|reason| Unread {
        id: Some(call.id().to_owned()),
        reason,
    })?;
    let _first = event.set(known);
    let prompt = claude_code::prompt(&input);
    Ok(Heard { call, prompt })
}

fn read_input() -> Result<Vec<u8>, String> {
    let mut input = Vec::new();
    io::stdin()
        .lock()
        .take(LARGEST_INPUT as u64 + 1)
        .read_to_end(&mut input)
        .map_err(|error| format!("standard input cannot be read: {}", files::reason(&error)))?;
    match input.len() > LARGEST_INPUT {
        true => Err(format!("the input is larger than {} MiB", LARGEST_INPUT >> 20)),
        false => Ok(input),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::fault(Err(Failed::Fault), "the gate itself failed")]
    #[case::late(Err(Failed::Late), "the gate did not decide in time")]
    #[case::early(Ok(Err("it is broken".to_owned())), "it is broken")]
    fn what_is_no_judgement_is_a_deny(#[case] judged: Result<Judgement, Failed>, #[case] reason: &str) {
        let expected = Opinion::Deny {
            reason: format!("denied: {reason}"),
        };
        assert_eq!(settled(judged), (expected, HookAllow::Silent));
    }

    #[test]
    fn a_panic_while_judging_is_a_deny() {
        let judged = guarded(Duration::from_secs(60), &More::default(), || -> Judgement {
            panic!("on purpose")
        });
        assert!(matches!(
            settled(judged),
            (Opinion::Deny { .. }, HookAllow::Silent)
        ));
    }
}
