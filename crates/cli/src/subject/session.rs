//! One session: the gate as the runner wants it, and the runner's calls as the gate wants them.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portcullis::config::{self, Change, LiveUser, PROJECT_POLICY, ProjectConfig, UserConfig};
use portcullis::{
    Ambient, Builder, Call as ToolCall, Cancel, Classifier, Clock as _, Decision, Denial, Gate, Override,
    Permit, Refusal, RefusalKind, Risk, SystemClock, Toolbox, Verdict, decide_trust, effects, visible,
};
use serde_json::Value;

use super::approver::People;
use super::desk::Asking;
use super::load::{self, Loader};
use super::policy::Roots;
use super::reading::{RAW, read, spawned};
use super::wire::{Call, Errand, Judged, Open, Outcome, Policy, Stage, TrustWord};
use super::{errand, export, policy, run, words};
use crate::scene::USER_POLICY;
use crate::{files, surroundings};

/// Where the project's policy is kept, below `config`: the workspace stays as it is.
const PROJECT: &str = "project";
/// Where lasting allows are kept that outlast their session, below `state`: none of the runner's does.
const GRANTS: &str = "grants.json";

/// A session that is open.
pub(super) struct Session {
    name: String,
    recipe: RefCell<Recipe>,
    gate: Gate,
    /// The same gate while nothing of the project may be loaded.
    closed: Gate,
    loader: Loader,
    clock: SystemClock,
    approver: Option<PathBuf>,
    /// Where the desk is, when it is the one to be asked.
    desk: Option<PathBuf>,
}

/// What gates and classifiers of the session are built from.
struct Recipe {
    home: PathBuf,
    config: PathBuf,
    state: PathBuf,
    log: PathBuf,
    roots: Roots,
    file: LiveUser,
    user: UserConfig,
    deadline: Duration,
    project: Option<ProjectConfig>,
    run: run::Said,
    /// What a person said about the roots.
    trust: Option<Override>,
}

/// Why the session is not served: the sentence for standard error.
#[derive(Debug)]
pub(super) struct Unserved(String);

impl std::fmt::Display for Unserved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub(super) fn unserved(error: impl std::fmt::Display) -> Unserved {
    Unserved(error.to_string())
}

impl Session {
    /// Writes the configuration (unless it goes on with what is there), reads it back and opens the gate. A
    /// configuration that is broken or gone is not replaced by anything. A session `before` it, of the same user and on the
    /// same files, leaves it the gate that it had.
    pub(super) fn open(open: &Open, before: Option<Self>, desk: Option<PathBuf>) -> Result<Self, Unserved> {
        if let Some(before) = before {
            let name = open.session.clone();
            return Ok(Self { name, desk, ..before });
        }
        let roots = Roots::of(&open.policy, &open.workspace, files::is_directory);
        let file = open.config.join(USER_POLICY);
        let project = open.config.join(PROJECT);
        if !open.resume {
            let text = policy::user(&open.policy, &roots, words::tool)
                .map_err(|policy::Untold| unserved("the policy cannot be told to this gate"))?;
            write(&file, &text)?;
            if let Some(policy) = &open.project {
                write(&project.join(PROJECT_POLICY), &policy::project(policy))?;
            }
        }
        let mut file = LiveUser::at(&file);
        let user = match file.look() {
            Change::Now(Ok(Some(user))) => user,
            Change::Now(Err(error)) => return Err(Unserved(error.broken())),
            _ => return Err(unserved("the user's policy is gone")),
        };
        let recipe = Recipe {
            home: open.home.clone(),
            config: open.config.clone(),
            state: open.state.clone(),
            log: open.audit.clone(),
            roots,
            file,
            user,
            // A file has whole seconds; this is the setting of one run.
            deadline: Duration::from_millis(open.ask_timeout_ms),
            project: load_project(&project, open.project.as_ref(), open.trust.workspace)?,
            run: run::said(open)?,
            trust: choice(open.trust.workspace),
        };
        let clock = SystemClock::new();
        let open_gate = |builder: Builder| {
            let opened = builder.gate(clock.clone()).map_err(unserved)?;
            Ok::<_, Unserved>(opened.gate)
        };
        let (gate, closed) = (open_gate(recipe.open()?)?, open_gate(recipe.closed()?)?);
        Ok(Self {
            name: open.session.clone(),
            recipe: RefCell::new(recipe),
            gate,
            closed,
            loader: Loader::open(open)?,
            clock,
            approver: open.approver.clone(),
            desk,
        })
    }

    /// Whether another session on the same files would have the same gate.
    pub(super) fn is_of(&self, open: &Open) -> bool {
        let recipe = self.recipe.borrow();
        recipe.state == open.state && recipe.log == open.audit && self.approver == open.approver
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Writes what the user's file would say of another policy.
    pub(super) fn stage(&self, stage: &Stage) -> Result<(), Unserved> {
        let text = policy::user(&stage.policy, &self.recipe.borrow().roots, words::tool)
            .map_err(|policy::Untold| unserved("the policy cannot be told to this gate"))?;
        write(&stage.config.join(USER_POLICY), &text)
    }

    /// What the user does with the gate's own tools. Gives the earlier files of the log.
    pub(super) fn user(&self, does: Errand, call: Option<&str>) -> Result<Vec<Value>, Unserved> {
        let (log, now_ms) = (&self.recipe.borrow().log, self.clock.wall_ms());
        match does {
            Errand::Revoke => {
                errand::revoke(&[&self.gate, &self.closed]);
                Ok(Vec::new())
            }
            Errand::Rotate => errand::rotate(log, now_ms),
            Errand::Seal => errand::seal(log, now_ms),
            Errand::End => errand::end(log, &self.name, call.unwrap_or_default(), now_ms),
        }
    }

    /// Puts in force what the user's file says now. What the last whole file tightened stays while it is broken or gone.
    fn refresh(&self) -> Result<(), Unserved> {
        let mut recipe = self.recipe.borrow_mut();
        match recipe.file.look() {
            Change::Same | Change::Unsettled | Change::Now(Ok(None)) => return Ok(()),
            Change::Now(Ok(Some(user))) => recipe.user = user,
            Change::Now(Err(error)) => recipe.user.rules.broken = Some(error.broken()),
        }
        let classifier = |builder: Builder| builder.classifier().map_err(unserved);
        let replaced = recipe
            .open()
            .and_then(classifier)
            .and_then(|open| Ok((open, recipe.closed().and_then(classifier)?)));
        match replaced {
            Ok((open, closed)) => {
                self.gate.replace(open, recipe.deadline);
                self.closed.replace(closed, recipe.deadline);
                Ok(())
            }
            Err(why) => {
                recipe.file.forget();
                Err(why)
            }
        }
    }

    /// Decides a call, asks where that is needed, and performs it.
    pub(super) fn call<'a>(&self, call: &'a Call, cancel: &Cancel) -> Outcome<'a> {
        if let Err(why) = self.refresh() {
            let reason = why.to_string();
            let refusal = self.gate.reject(Some(&call.id), RefusalKind::Fault, &reason);
            return refused(&call.id, &refusal);
        }
        let read = match read(call) {
            Ok(read) => read,
            Err(reason) => {
                return refused(
                    &call.id,
                    &self
                        .gate
                        .reject(Some(&call.id), RefusalKind::BadArguments, &reason),
                );
            }
        };
        let mut people = People {
            socket: self.approver.as_deref(),
            tool: call.tool.strip_prefix(RAW).unwrap_or(&call.tool),
            args: &read.args,
            clock: &self.clock,
            asked: false,
        };
        let gate = if self.may_load(&read.call) {
            &self.gate
        } else {
            &self.closed
        };
        let mut desk = self
            .desk
            .as_ref()
            .map(|desk| Asking::at(desk, self.clock.clone()));
        let decided = match &mut desk {
            Some(desk) => gate.decide(read.call, desk, cancel),
            None => gate.decide(read.call, &mut people, cancel),
        };
        let asked = desk.map_or(people.asked, |desk| desk.asked);
        match decided {
            Ok(permit) => self.perform(&call.id, permit, asked),
            Err(refusal) => refused(&call.id, &refusal),
        }
    }

    /// Whether trust stands in the way of nothing. What the rules deny anyway is not a reason to look into the project's
    /// files, which is how the loader finds out whether they are what was trusted.
    fn may_load(&self, call: &ToolCall) -> bool {
        if call.tool() != load::TOOL {
            return true;
        }
        let judged = load::toolbox()
            .ok()
            .and_then(|toolbox| self.classifier(toolbox).ok())
            .map(|classifier| classifier.assess(call.clone()).verdict.risk());
        judged == Some(Risk::Deny) || self.loader.may_load(call)
    }

    fn perform<'a>(&self, id: &'a str, permit: Permit, asked: bool) -> Outcome<'a> {
        let reason = match asked {
            true => "approved",
            false if self.gate.grants().is_empty() => "policy",
            false => export::allowed_by(&self.recipe.borrow().log, id),
        };
        let lists = permit.call().tool() == words::tool("list");
        let loads = permit.call().tool() == load::TOOL;
        let allowed = |executed, output| Outcome {
            id,
            decision: "allow",
            reason,
            executed,
            output: Some(output),
        };
        let performed = match loads {
            true => load::perform(permit),
            false => effects::perform(permit),
        };
        match performed {
            Ok(result) if result.is_error => allowed(result.exit.is_some(), result.text),
            Ok(result) if lists => allowed(true, names(&result.text)),
            Ok(result) => allowed(true, result.text),
            Err(refusal) if refusal.effect_happened() => allowed(true, refusal.to_string()),
            Err(refusal) => refused(id, &refusal),
        }
    }

    /// Judges a call; asks, performs and records nothing.
    pub(super) fn judge<'a>(&self, call: &'a Call) -> Judged<'a> {
        let (decision, reason) = self.verdict(call);
        Judged {
            id: &call.id,
            decision,
            reason,
        }
    }

    fn verdict(&self, call: &Call) -> (&'static str, &'static str) {
        if self.refresh().is_err() {
            return ("deny", "fault");
        }
        let bad = ("deny", "bad_arguments");
        let (read, toolbox) = match call.tool.strip_prefix(RAW).unwrap_or(&call.tool) {
            "spawn" => {
                let Some((call, toolbox)) = spawned(call) else {
                    return bad;
                };
                (read(&call), toolbox)
            }
            _ => (read(call), Toolbox::standard()),
        };
        let Ok(read) = read else {
            return bad;
        };
        let Ok(classifier) = self.classifier(toolbox) else {
            return ("deny", "fault");
        };
        let assessment = classifier.assess(read.call);
        tell(&call.id, &assessment.verdict);
        match (&assessment.denial, assessment.verdict.risk()) {
            (Some(Denial::UnknownTool), _) => ("deny", "unknown_tool"),
            (Some(Denial::BadArguments), _) => bad,
            (Some(Denial::Policy), _) | (None, Risk::Deny) => ("deny", "policy"),
            (None, Risk::Confirm) => ("ask", "policy"),
            (None, Risk::Allow) => ("allow", "policy"),
        }
    }

    fn classifier(&self, toolbox: Toolbox) -> Result<Classifier, portcullis::Error> {
        let recipe = self.recipe.borrow();
        recipe.builder(recipe.user.clone()).toolbox(toolbox).classifier()
    }
}

impl Recipe {
    /// Everything may be loaded, as far as rules go.
    fn open(&self) -> Result<Builder, Unserved> {
        Ok(self.builder(self.user.clone()).toolbox(load::toolbox()?))
    }

    /// Nothing of the project is loaded.
    fn closed(&self) -> Result<Builder, Unserved> {
        let mut user = self.user.clone();
        user.rules.rules.push(load::rule());
        Ok(self.builder(user).toolbox(load::toolbox()?))
    }

    fn builder(&self, mut user: UserConfig) -> Builder {
        user.settings.deadline = Some(self.deadline);
        let mut builder = Builder::new(Ambient::empty().with_home(self.home.clone()))
            .own(&self.config)
            .own(&self.state)
            .audit_log(&self.log)
            .grants(&self.state.join(GRANTS))
            .command_environment(surroundings::variables())
            .user(user);
        builder = match &self.run {
            Ok(run) => builder.run(run.clone()),
            Err(error) => builder.broken_run(error),
        };
        for root in &self.roots.directories {
            builder = builder.workspace(root);
            if let Decision::Trusted(project) = decide_trust(root, self.trust) {
                builder = builder.runs_code_of(&project);
            }
        }
        for file in &self.roots.files {
            builder = builder.workspace_file(file);
        }
        match &self.project {
            Some(project) => builder.project(project.clone()),
            None => builder,
        }
    }
}

/// Says on standard error, for people, what the verdict comes from; an allow speaks for itself.
fn tell(id: &str, verdict: &Verdict) {
    let risk = verdict.risk();
    let causes = verdict.causes().iter().filter(|cause| cause.risk == risk);
    for cause in causes.filter(|_| risk > Risk::Allow) {
        anstream::eprintln!("{}: {}: {}", visible(id, 64), cause.rule, cause.text);
    }
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), Unserved> {
    files::write_new(path, text).map_err(|failure| Unserved(failure.sentence()))
}

/// The project's layer, when the project is trusted and has one.
fn load_project(
    root: &Path,
    told: Option<&Policy>,
    trust: TrustWord,
) -> Result<Option<ProjectConfig>, Unserved> {
    let (Decision::Trusted(project), Some(_)) = (decide_trust(root, choice(trust)), told) else {
        return Ok(None);
    };
    match config::load_project(&project) {
        Ok(Some(config)) => Ok(Some(config)),
        Ok(None) => Err(unserved("the project's policy is gone")),
        Err(error) => Err(Unserved(error.broken())),
    }
}

/// What a person said about the workspace.
fn choice(trust: TrustWord) -> Option<Override> {
    match trust {
        TrustWord::Trusted => Some(Override::Yes),
        TrustWord::Untrusted | TrustWord::Revoked | TrustWord::Tampered => Some(Override::No),
        TrustWord::Undecided => None,
    }
}

fn refused<'a>(id: &'a str, refusal: &Refusal) -> Outcome<'a> {
    Outcome {
        id,
        decision: "deny",
        reason: refusal.kind().code(),
        executed: false,
        output: Some(refusal.to_string()),
    }
}

/// A listing without the mark of directories: no name ends like that.
fn names(listing: &str) -> String {
    let names: Vec<&str> = listing.lines().map(|line| line.trim_end_matches('/')).collect();
    names.join("\n")
}
