//! One permitted call under way: its own arguments, its targets, its bounds, and the one way it ends.

use std::sync::Arc;

use portcullis_classify::{Call, Effect, Limits, Shape};
use portcullis_paths::{Error, ErrorKind, Operation, Target};

use crate::guard::guarded;
use crate::shared::Shared;
use crate::{Cancel, Exit, Permit, Refusal, RefusalKind, ToolResult, shown};

/// What a tool has to work with. Its arguments are read from the very bytes that the permit's digest is of.
pub(super) struct Job {
    call: Call,
    effects: Vec<Effect>,
    shared: Arc<Shared>,
    cancel: Cancel,
    pub(super) file_limit: u64,
    pub(super) list_limit: usize,
}

/// Why an effect did not end well.
pub(super) enum Failure {
    /// A target changed after the permit was checked; nothing was done.
    Changed(String),
    /// One sentence for the model; a part may have been done.
    Failed(String),
    /// A program was started, and did not end well. The log has the reason alone, the model the whole text.
    Ran {
        reason: String,
        text: String,
        exit: Exit,
    },
}

impl Failure {
    pub(super) fn failed(reason: impl Into<String>) -> Self {
        Self::Failed(reason.into())
    }

    /// A verb failed that does all or nothing.
    pub(super) fn of_step(error: &Error) -> Self {
        if error.kind() == ErrorKind::Changed {
            Self::Changed(error.to_string())
        } else {
            Self::of_part(error)
        }
    }

    /// A verb failed that may have done a part.
    pub(super) fn of_part(error: &Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Uses up the permit: redeems it, lets `work` act, records the outcome.
pub(super) fn run(
    permit: Permit,
    tool: &'static str,
    work: impl FnOnce(&mut Job) -> Result<String, Failure>,
) -> Result<ToolResult, Refusal> {
    if permit.call().tool() != tool {
        return Err(not_performed_here());
    }
    let call = reread(permit.call())?;
    let (shared, cancel) = (Arc::clone(permit.shared()), permit.cancel().clone());
    let (file_limit, list_limit) = (shared.settings.file_limit, shared.settings.list_limit);
    let mut running = permit.redeem(&call)?;
    let mut job = Job {
        effects: running.take_effects(),
        call,
        shared,
        cancel,
        file_limit,
        list_limit,
    };
    match guarded(|| work(&mut job)) {
        Ok(Ok(text)) => running.done().map(|()| ToolResult::done(text)),
        Ok(Err(Failure::Failed(reason))) => running
            .failed(&reason)
            .map(|()| ToolResult::error(format!("{tool} failed: {reason}"))),
        Ok(Err(Failure::Ran { reason, text, exit })) => running
            .failed(&reason)
            .map(|()| ToolResult::error(text).with_exit(exit)),
        Ok(Err(Failure::Changed(what))) => Err(running.changed(&what)),
        Err(_) => {
            let reason = "it panicked, and may have done a part";
            running
                .failed(reason)
                .map(|()| ToolResult::error(format!("{tool} failed: {reason}")))
        }
    }
}

pub(super) fn not_performed_here() -> Refusal {
    Refusal::new(RefusalKind::UnknownTool).with_note("the gate does not perform this tool itself")
}

/// Reads the call again from its canonical form: what is done is what the digest is of.
fn reread(call: &Call) -> Result<Call, Refusal> {
    let limits = Limits {
        bytes: usize::MAX,
        members: usize::MAX,
        string: usize::MAX,
        ..Limits::default()
    };
    Call::read(call.canonical(), Shape::Portcullis, &limits)
        .map_err(|_| Refusal::fault("the call's own form cannot be read back"))
}

impl Job {
    /// A text argument.
    pub(super) fn text(&self, member: &str) -> Result<&str, Failure> {
        self.call
            .arguments()
            .get(member)
            .and_then(serde_json::Value::as_str)
            .ok_or_else(|| Failure::failed(format!("`{member}` is not a text")))
    }

    /// A yes-or-no argument; missing is no.
    pub(super) fn flag(&self, member: &str) -> Result<bool, Failure> {
        match self.call.arguments().get(member) {
            None => Ok(false),
            Some(value) => value
                .as_bool()
                .ok_or_else(|| Failure::failed(format!("`{member}` is not true or false"))),
        }
    }

    /// The held target of a path argument, once.
    pub(super) fn target(&mut self, member: &str) -> Result<Target, Failure> {
        self.effects
            .iter_mut()
            .filter(|effect| effect.member == member)
            .find_map(|effect| effect.target.take())
            .ok_or_else(|| Failure::failed(format!("nothing can be held where `{member}` leads")))
    }

    /// The directory that the call starts in, held; not one that a command in it goes to.
    pub(super) fn working_dir(&self) -> Option<&Target> {
        let whole = self.effects.iter().filter(|effect| effect.command.is_none());
        whole
            .filter_map(|effect| effect.target.as_ref())
            .find(|target| target.operation() == Operation::WorkingDir)
    }

    /// The gate's settings and clock.
    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// The flag that ends it early.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The content of a target that holds UTF-8 text.
    pub(super) fn content(&self, target: &Target) -> Result<String, Failure> {
        let bytes = target.read(self.file_limit).map_err(|error| match error.kind() {
            ErrorKind::Budget => Failure::failed(format!(
                "`{}` is larger than the limit of {} bytes",
                shown::whole_place(target.place()),
                self.file_limit
            )),
            _ => Failure::of_step(&error),
        })?;
        String::from_utf8(bytes).map_err(|_| {
            Failure::failed(format!(
                "`{}` is not text in UTF-8",
                shown::whole_place(target.place())
            ))
        })
    }

    /// Whether a text may be written.
    pub(super) fn fits(&self, content: &str) -> Result<(), Failure> {
        let length = u64::try_from(content.len()).unwrap_or(u64::MAX);
        if length > self.file_limit {
            return Err(Failure::failed(format!(
                "{length} bytes are more than the limit of {} bytes",
                self.file_limit
            )));
        }
        Ok(())
    }
}

/// `1 file`, `2 files`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use std::path::PathBuf;

    use portcullis_audit::{Log, LogOptions, Reader};
    use portcullis_classify::{Classifier, Policy, Toolbox};
    use portcullis_paths::Ambient;
    use serde_json::json;

    use super::*;
    use crate::{Cancel, Gate, Moment, Settings, Step, StillClock};

    /// A permit to write `work/a`, and the directory that all of it is in.
    fn permit() -> (Permit, tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let base = std::fs::canonicalize(dir.path()).unwrap();
        let file = base.join("work/a");
        std::fs::create_dir(base.join("work")).unwrap();
        std::fs::write(&file, "old").unwrap();
        let policy = Policy::join(Vec::new()).unwrap();
        let classifier =
            Classifier::open(Toolbox::files(), policy, [base.join("work")], Ambient::empty()).unwrap();
        let options = LogOptions {
            path: base.join("log.jsonl"),
            lock_wait_ms: 1000,
        };
        let log = Log::open(options).unwrap().log;
        let gate = Gate::new(
            classifier,
            log,
            StillClock::at(Moment(0)),
            Settings::for_user("tester"),
        );
        let text = json!({
            "id": "c1", "tool": "write_file", "args": {"path": "a", "content": "new"},
            "cwd": base.join("work").to_str().unwrap(),
        });
        let limits = Limits::default();
        let call = Call::read(text.to_string().as_bytes(), Shape::Portcullis, &limits).unwrap();
        let Step::Permitted(permit) = gate.submit(call, &Cancel::new()) else {
            panic!("writing in the workspace is allowed");
        };
        (permit, dir, file)
    }

    fn outcome(dir: &tempfile::TempDir) -> String {
        let log = std::fs::canonicalize(dir.path()).unwrap().join("log.jsonl");
        let last = Reader::open(&log).unwrap().last().unwrap().unwrap();
        last.value["outcome"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_target_that_changes_after_the_check_is_changed_and_not_failed() {
        let (permit, dir, file) = permit();
        let result = run(permit, "write_file", |job| {
            let target = job.target("path")?;
            std::fs::remove_file(&file).unwrap();
            std::fs::write(&file, "someone else's").unwrap();
            target.replace(b"new").map_err(|error| Failure::of_step(&error))?;
            Ok(String::new())
        });
        assert_eq!(result.unwrap_err().kind(), RefusalKind::Changed);
        assert_eq!(outcome(&dir), "changed");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "someone else's");
    }

    #[test]
    fn a_panic_in_the_middle_is_a_failed_effect() {
        let (permit, dir, _) = permit();
        let result = run(permit, "write_file", |_| {
            std::panic::resume_unwind(Box::new("half-way"))
        });
        let result = result.unwrap();
        assert!(result.is_error);
        assert_eq!(
            result.text,
            "write_file failed: it panicked, and may have done a part"
        );
        assert_eq!(outcome(&dir), "failed");
    }

    #[test]
    fn a_target_is_handed_out_once() {
        let (permit, dir, _) = permit();
        let result = run(permit, "write_file", |job| {
            let _held = job.target("path")?;
            job.target("path").map(|_| String::new())
        });
        assert_eq!(
            result.unwrap().text,
            "write_file failed: nothing can be held where `path` leads"
        );
        assert_eq!(outcome(&dir), "failed");
    }
}
