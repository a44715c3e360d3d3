//! One variant: a session in a sandbox of its own.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::approver::Approver;
use super::events::Event;
use super::observe::{Seen, SessionSeen};
use super::people::{ask_timeout, people};
use super::subject::Subject;
use super::{Options, StepSeen};
use crate::fixture::{Action, CallDecl, Damage, Family, Part, People, Step, Tree, Variant};
use crate::os::disk::Unfinished;
use crate::os::watch::Watch;
use crate::os::{disk, process};
use crate::sandbox::{Sandbox, Snapshot};
use crate::wire::{Call, FromRunner, FromSubject, Open, Record, Trust};
use crate::{Error, random};

/// A session under way.
pub(crate) struct Session<'a> {
    pub(super) subject: &'a mut Subject,
    options: &'a Options,
    family: &'a Family,
    pub(super) variant: &'a Variant,
    tree: Tree,
    pub(crate) sandbox: Sandbox,
    pub(super) watch: Watch,
    pub(super) approver: Option<Approver>,
    pub(super) name: String,
    /// The disk as it was when last looked at.
    pub(super) before: Snapshot,
    pub(super) last_ask: Option<String>,
    /// The question that stands at the desk.
    pub(super) standing: Option<String>,
    /// What came while something else was waited for.
    pub(super) kept: VecDeque<Event>,
    refused: Option<String>,
    killed: bool,
    /// Calls that no family knows of.
    pub(super) probes: Vec<String>,
    /// What the user has not saved to its end.
    pub(super) unfinished: Vec<Unfinished>,
    /// The files of the log that are not written to any more, the oldest first.
    pub(super) past: Vec<PathBuf>,
    pub(super) seen: SessionSeen,
}

impl<'a> Session<'a> {
    /// Makes the sandbox and opens the session.
    pub(crate) fn open(
        subject: &'a mut Subject,
        options: &'a Options,
        family: &'a Family,
        variant: &'a Variant,
    ) -> Result<Self, Error> {
        let tree = family.tree_of(variant);
        let sandbox = Sandbox::build(&tree)?;
        let approver = match people(variant) {
            People::Script(_) => Some(Approver::listen(&sandbox.socket(), subject.queue.0.clone())?),
            People::Absent | People::Unreachable | People::Desk => None,
        };
        let before = Snapshot::take(&sandbox.root)?;
        let watch = sandbox.watch(&tree)?;
        let mut session = Self {
            seen: SessionSeen {
                tokens: sandbox.tokens.clone(),
                ..SessionSeen::default()
            },
            subject,
            options,
            family,
            variant,
            tree,
            sandbox,
            watch,
            approver,
            name: format!("s-{}", random::token()?),
            before,
            last_ask: None,
            standing: None,
            kept: VecDeque::new(),
            refused: None,
            killed: false,
            probes: Vec::new(),
            unfinished: Vec::new(),
            past: Vec::new(),
        };
        session.send_open(false)?;
        session.stage()?;
        Ok(session)
    }

    fn send_open(&mut self, resume: bool) -> Result<(), Error> {
        let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let sandbox = &self.sandbox;
        let project = self.family.project_of(self.variant);
        let open = Open {
            session: self.name.clone(),
            workspace: text(&sandbox.workspace()),
            home: text(&sandbox.root.join("home")),
            config: text(&sandbox.control.join("config")),
            state: text(&sandbox.control.join("state")),
            policy: sandbox.policy(self.family.policy_of(self.variant))?,
            project: project.map(|project| sandbox.policy(project)).transpose()?,
            run: self
                .subject
                .promises("layer.run")
                .then(|| {
                    self.family
                        .run_of(self.variant)
                        .map(|said| self.said(said))
                        .transpose()
                })
                .transpose()?,
            trust: Trust {
                workspace: self.family.trust_of(self.variant).workspace.word().to_owned(),
            },
            approver: match people(self.variant) {
                People::Absent | People::Desk => None,
                People::Script(_) | People::Unreachable => Some(text(&sandbox.socket())),
            },
            desk: self
                .subject
                .promises("desk")
                .then(|| *people(self.variant) == People::Desk),
            audit: text(&sandbox.audit()),
            ask_timeout_ms: ask_timeout(self.family, self.variant),
            resume,
        };
        self.refused = None;
        self.subject.send(&FromRunner::Open(Box::new(open)));
        match self.subject.message() {
            Ok(FromSubject::Opened(opened)) if opened.session == self.name => {}
            Ok(FromSubject::Refused(refused)) if refused.session == self.name => {
                self.refused = Some(refused.reason);
            }
            Ok(_) => {
                let what = self
                    .subject
                    .lost("`open` was answered with something else".to_owned());
                self.seen.faults.push(what);
            }
            Err(what) => self.seen.faults.push(what),
        }
        Ok(())
    }

    /// Runs every step, closes the session, and reads the log.
    pub(crate) fn run(mut self) -> Result<(SessionSeen, Sandbox), Error> {
        for step in &self.variant.steps {
            match step {
                Step::Call {
                    call, people, during, ..
                } => {
                    let seen = self.call(call, people, during)?;
                    self.killed |= matches!(seen.seen, Seen::Killed);
                    self.seen.steps.push(seen);
                }
                Step::Judge { call, .. } => {
                    let seen = self.judge(call)?;
                    self.seen.steps.push(seen);
                }
                Step::Batch(batch) => {
                    let seen = self.batch(batch)?;
                    self.seen.steps.extend(seen);
                }
                Step::Act(action) => self.act(action)?,
                Step::Restart => self.restart()?,
                Step::Next => self.next()?,
            }
        }
        self.close();
        self.read_log();
        self.seen.stderr = self.subject.said();
        Ok((self.seen, self.sandbox))
    }

    fn act(&mut self, action: &Action) -> Result<(), Error> {
        self.happen(action)?;
        self.seen.tampered |= matches!(
            action,
            Action::Damage { what: Part::Audit | Part::Past, how } if *how != Damage::Block
        );
        if *action == Action::Kill {
            self.subject.kill();
            self.killed = true;
        }
        // An answer that comes too late must change nothing: what it changes is the next call's to show.
        if !action.is_at_desk() {
            self.look()?;
        }
        Ok(())
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.subject.kill();
        self.killed = true;
        match Subject::start(self.options) {
            Ok(subject) => {
                *self.subject = subject;
                // The old socket would put events into the queue of the old process.
                if self.approver.take().is_some() {
                    disk::remove(&self.sandbox.socket())?;
                    let events = self.subject.queue.0.clone();
                    self.approver = Some(Approver::listen(&self.sandbox.socket(), events)?);
                }
                self.send_open(true)
            }
            Err(error) => {
                self.seen.faults.push(format!("it did not start again: {error}"));
                Ok(())
            }
        }
    }

    /// The session is over, and another one goes on with what it left.
    fn next(&mut self) -> Result<(), Error> {
        self.close();
        self.name = format!("s-{}", random::token()?);
        self.send_open(true)
    }

    /// Looks at the disk anew; what the runner itself opened in doing so is not held against anybody.
    pub(super) fn look(&mut self) -> Result<Snapshot, Error> {
        let now = Snapshot::take(&self.sandbox.root)?;
        self.watch.drain();
        Ok(std::mem::replace(&mut self.before, now))
    }

    /// A call as it travels.
    pub(super) fn message(&self, call: &CallDecl, kind: &str) -> Result<Call, Error> {
        let (tool, args) = self.sandbox.arguments(call)?;
        Ok(Call {
            id: format!("{kind}-{}", random::token()?),
            session: self.name.clone(),
            tool,
            args,
            cwd: self.sandbox.cwd(call)?,
            agent: call.agent.clone(),
            message: self.subject.promises("message").then(|| call.message.clone()),
        })
    }

    /// What to see when nothing can be seen any more.
    pub(super) fn unavailable(&self) -> Option<Seen> {
        match &self.refused {
            Some(reason) => Some(Seen::Refused(reason.clone())),
            None => self.subject.gone.then_some(Seen::Nothing),
        }
    }

    /// Whether the session answers a call of a tool that does not exist.
    pub(super) fn probe(&mut self) -> Result<Result<(), String>, Error> {
        let id = format!("c-{}", random::token()?);
        self.probes.push(id.clone());
        self.subject.send(&FromRunner::Call(Call {
            id: id.clone(),
            session: self.name.clone(),
            tool: format!("tool_{}", random::token()?),
            args: serde_json::json!({}),
            cwd: self.sandbox.workspace().to_string_lossy().into_owned(),
            agent: None,
            message: self.subject.promises("message").then_some(None),
        }));
        Ok(match self.subject.message() {
            Ok(FromSubject::Result(answer)) if answer.id == id => {
                if answer.decision == crate::wire::Decision::Deny {
                    Ok(())
                } else {
                    Err("a tool that does not exist was not denied".to_owned())
                }
            }
            Ok(_) => Err(self
                .subject
                .lost("a second answer, or one for another call".to_owned())),
            Err(what) => Err(what),
        })
    }

    fn judge(&mut self, decl: &CallDecl) -> Result<StepSeen, Error> {
        let call = self.message(decl, "j")?;
        let mut step = StepSeen::new(&call, self.before.clone());
        if let Some(seen) = self.unavailable() {
            step.seen = seen;
            return Ok(step);
        }
        let id = call.id.clone();
        self.subject.send(&FromRunner::Judge(call));
        match self.subject.message() {
            Ok(FromSubject::Judged(judged)) if judged.id == id => step.seen = Seen::Judged(judged),
            Ok(_) => step.faults.push(
                self.subject
                    .lost("`judge` was answered with something else".to_owned()),
            ),
            Err(what) => step.faults.push(what),
        }
        step.opened = self.watch.drain();
        let before = self.look()?;
        step.changes = before.changes(&self.before);
        Ok(step)
    }

    fn close(&mut self) {
        if self.subject.gone || self.refused.is_some() {
            return;
        }
        self.subject.send(&FromRunner::Close(crate::wire::Session {
            session: self.name.clone(),
        }));
        match self.subject.message() {
            Ok(FromSubject::Closed(closed)) if closed.session == self.name => {}
            Ok(_) => {
                let what = self
                    .subject
                    .lost("`close` was answered with something else".to_owned());
                self.seen.faults.push(what);
            }
            Err(what) => self.seen.faults.push(what),
        }
    }

    fn read_log(&mut self) {
        self.seen.audited = self.subject.promises("audit");
        self.seen.versioned = self.subject.promises("audit.version");
        self.seen.tells_where = self.subject.promises("audit.where");
        self.seen.host_tools = self.subject.promises("host.tools");
        self.seen.audit_raw = self.raw_log();
        if !self.seen.audited {
            return;
        }
        match self.records() {
            Ok(records) => self.seen.records = records,
            Err(what) => self.seen.audit_fault = Some(what),
        }
        if self.seen.tampered {
            return;
        }
        let steps = &self.seen.steps;
        let known =
            |id: &str| steps.iter().any(|step| step.id == id) || self.probes.iter().any(|probe| probe == id);
        if let Some(strange) = self
            .seen
            .records
            .iter()
            .filter_map(Record::call)
            .find(|id| !known(id))
        {
            self.seen.audit_fault = Some(format!(
                "a record is about call `{strange}`, which was never made"
            ));
        }
    }

    /// Every byte of the log, the oldest first.
    fn raw_log(&self) -> Vec<u8> {
        let files = self.log_files();
        files.iter().flat_map(|file| disk::bytes_if_there(file)).collect()
    }

    /// The log as it stands, in neutral records.
    pub(super) fn records(&self) -> Result<Vec<Record>, String> {
        let path = self.sandbox.audit();
        let printed = match &self.subject.hello.audit_export {
            None => self.raw_log(),
            Some(words) => {
                let mut words: Vec<OsString> = words.iter().map(Into::into).collect();
                words.push(path.into());
                let empty = self.sandbox.control.join("cwd");
                disk::make_dirs(&empty)
                    .and_then(|()| process::output(&words, &empty, Duration::from_secs(10)))
                    .map_err(|error| error.to_string())?
            }
        };
        let text = String::from_utf8(printed).map_err(|_| "the records are not UTF-8".to_owned())?;
        let mut records = Vec::new();
        for line in text.split_inclusive('\n') {
            match serde_json::from_str(line) {
                Ok(record) => records.push(record),
                Err(_) if self.killed && !line.ends_with('\n') => {}
                Err(error) => {
                    let shown: String = line.trim_end().chars().take(200).collect();
                    return Err(format!("`{}` is no record: {error}", shown.escape_debug()));
                }
            }
        }
        Ok(records)
    }

    pub(super) fn held_witnesses(&self) -> Vec<String> {
        let held = self.tree.0.values().filter(|node| node.hold);
        held.filter_map(|node| match &node.kind {
            crate::fixture::NodeKind::Witness(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
    }
}
