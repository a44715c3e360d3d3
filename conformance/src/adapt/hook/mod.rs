//! Any command that answers Claude Code before a tool runs (PreToolUse), as a subject that only decides.
//!
//! One process for each call, with the event on its standard input and what a host gives a hook around it. What the
//! command says is read as Claude Code reads it (`answer`); what follows from that is the host's part (`host`).

mod answer;
mod event;
mod host;
mod session;

use std::time::Duration;

pub(crate) use host::{NoOpinion, OnFailure};
use session::Session;

use super::serve::Gate;
use crate::os::process::{self, Ended};
use crate::wire::{Answer, Call, Decision, Judged, Kind, Open, SubjectHello, SubjectName, VERSION};

/// What every hook can have: it sees these calls, and its host can ask.
const USUAL: [&str; 11] = [
    "tool.read",
    "tool.write",
    "tool.edit",
    "tool.delete",
    "tool.move",
    "tool.make_dir",
    "tool.list",
    "tool.run",
    "judge",
    "approver.host",
    "host.tools",
];

/// How the hook is run, and what is told of it.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    /// The subject's name.
    pub(crate) name: String,
    /// The version of what is tested.
    pub(crate) version: String,
    /// The hook's command; words may hold places.
    pub(crate) command: Vec<String>,
    /// Run once for each session: writes what the hook is configured with.
    pub(crate) setup: Vec<String>,
    /// Prints neutral records of the log; none when there is no log.
    pub(crate) audit_export: Vec<String>,
    /// Variables around the hook; values may hold places.
    pub(crate) env: Vec<(String, String)>,
    /// What the host does without an opinion.
    pub(crate) no_opinion: NoOpinion,
    /// What the host does when the hook fails.
    pub(crate) on_failure: OnFailure,
    /// How long the host waits.
    pub(crate) timeout: Duration,
    /// Capabilities beside the usual ones.
    pub(crate) promise: Vec<String>,
    /// Usual capabilities that it does not have.
    pub(crate) without: Vec<String>,
}

/// The subject.
pub(crate) struct Hook {
    options: Options,
    session: Option<Session>,
}

impl Hook {
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            session: None,
        }
    }

    /// What the host does with a call, and what its model is told of a refusal.
    fn decide(&self, call: &Call) -> host::Outcome {
        let Some(session) = self
            .session
            .as_ref()
            .filter(|session| session.name == call.session)
        else {
            return host::Outcome::refused("fault", "no session is open");
        };
        let event = match event::event(call, session, self.options.no_opinion) {
            Ok(event) => event,
            Err(unfit) => return host::unfit(unfit),
        };
        let mut input = event.to_string();
        input.push('\n');
        let said = process::ask(
            &session.command(&self.options),
            &session.around(&self.options, &call.cwd),
            input.into_bytes(),
            self.options.timeout,
        );
        let said = said.unwrap_or_else(|error| process::Said {
            ended: Ended::NotStarted(error.to_string()),
            stdout: Vec::new(),
            stderr: Vec::new(),
        });
        eprint!("{}", String::from_utf8_lossy(&said.stderr));
        let opinion = answer::read(&said, event.get("tool_input"));
        host::outcome(opinion, self.options.no_opinion, self.options.on_failure)
    }
}

impl Gate for Hook {
    fn hello(&self) -> SubjectHello {
        let options = &self.options;
        let is_usual = |word: &&str| !options.without.iter().any(|gone| gone == word);
        let mut capabilities: Vec<String> = USUAL
            .into_iter()
            .filter(is_usual)
            .map(str::to_owned)
            .chain(options.promise.iter().cloned())
            .collect();
        let audit_export = (!options.audit_export.is_empty()).then(|| options.audit_export.clone());
        if audit_export.is_some() {
            capabilities.push("audit".to_owned());
        }
        SubjectHello {
            protocol: VERSION,
            subject: SubjectName {
                name: options.name.clone(),
                version: options.version.clone(),
            },
            kind: Kind::Decides,
            capabilities,
            audit_export,
        }
    }

    fn open(&mut self, open: Open) -> Result<(), String> {
        self.session = None;
        self.session = Some(Session::open(&open, &self.options)?);
        Ok(())
    }

    fn call(&mut self, call: &Call) -> Answer {
        let outcome = self.decide(call);
        Answer {
            id: call.id.clone(),
            decision: outcome.decision,
            reason: outcome.reason.to_owned(),
            executed: false,
            output: outcome.told.filter(|_| outcome.decision == Decision::Deny),
        }
    }

    fn judge(&mut self, call: &Call) -> Judged {
        let outcome = self.decide(call);
        Judged {
            id: call.id.clone(),
            decision: outcome.decision,
            reason: outcome.reason.to_owned(),
        }
    }

    fn close(&mut self) {
        self.session = None;
    }
}
