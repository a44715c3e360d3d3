//! A gate over a log on a disk, and what may befall that log: no effect without a durable decision, nothing
//! unreadable, and a gate that cannot record refuses.

mod clock;
mod room;
mod strikes;
mod writers;

use std::path::{Path, PathBuf};

use portcullis_audit::{Log, LogOptions, reconcile, verify};
use portcullis_classify::Call;
use portcullis_gate::{
    Answer, Behaviour, Cancel, Clock, Gate, Moment, Pending, Refusal, RefusalKind, Reply, Scripted, Settings,
    Step, StillClock, effects,
};
use serde_json::json;

use crate::scene::{call, classifier};

/// A workspace, a directory for the log, and a gate over both.
pub(super) struct Hard {
    pub(super) base: PathBuf,
    pub(super) gate: Gate,
}

impl Hard {
    /// In a directory that is there.
    pub(super) fn below(base: &Path) -> Self {
        let base = base.canonicalize().unwrap();
        for name in ["work", "logs"] {
            if !base.join(name).exists() {
                std::fs::create_dir(base.join(name)).unwrap();
            }
        }
        Self {
            gate: gate_of(
                &base,
                open(&log_path(&base), 20_000).unwrap(),
                StillClock::at(Moment(0)),
            ),
            base,
        }
    }

    pub(super) fn logs(&self) -> PathBuf {
        self.base.join("logs")
    }

    pub(super) fn log(&self) -> PathBuf {
        log_path(&self.base)
    }

    /// A deletion, which is asked about, of a file of that name.
    pub(super) fn deletion(&self, name: &str) -> Call {
        std::fs::write(self.base.join("work").join(name), "x").unwrap();
        call(
            &self.base.join("work"),
            name,
            "delete_file",
            json!({"path": name}),
        )
    }

    pub(super) fn is_there(&self, name: &str) -> bool {
        self.base.join("work").join(name).symlink_metadata().is_ok()
    }

    /// Tries one call in full, with a person who allows it. It runs and is recorded; or it is refused and nothing of it
    /// has happened; or it ran after a durable decision and its outcome found no room, which is said.
    pub(super) fn tried(&self, name: &str) -> Result<(), RefusalKind> {
        let call = self.deletion(name);
        let mut person = Scripted::new([Behaviour::Say(Answer::AllowOnce)]);
        let ended = match self.gate.decide(call, &mut person, &Cancel::new()) {
            Ok(permit) => effects::perform(permit).map(|result| assert!(!result.is_error, "{}", result.text)),
            Err(refusal) => Err(refusal),
        };
        let ran = ended.as_ref().map_or_else(Refusal::effect_happened, |()| true);
        assert_eq!(self.is_there(name), !ran, "{name}");
        ended.map_err(|refusal| refusal.kind())
    }

    /// A call that a question is out for.
    pub(super) fn asked(&self, name: &str) -> Pending {
        match self.gate.submit(self.deletion(name), &Cancel::new()) {
            Step::Ask(pending) => pending,
            step => panic!("{step:?} is not a question"),
        }
    }

    /// The whole log is good, and its decisions and outcomes agree.
    pub(super) fn assert_good(&self) {
        let found = verify(&self.log()).unwrap();
        assert_eq!((found.fault, found.torn), (None, false));
        assert_eq!(reconcile(&self.log()).unwrap().violations, Vec::<String>::new());
    }
}

pub(super) fn log_path(base: &Path) -> PathBuf {
    base.join("logs/audit.jsonl")
}

pub(super) fn open(path: &Path, lock_wait_ms: u64) -> Result<Log, portcullis_audit::Error> {
    let options = LogOptions {
        path: path.to_owned(),
        lock_wait_ms,
    };
    Log::open(options).map(|opened| opened.log)
}

pub(super) fn gate_of(base: &Path, log: Log, clock: impl Clock + 'static) -> Gate {
    let mut settings = Settings::for_user("tester");
    // Each call is to be heard, whatever became of the ones before it.
    settings.breaker.in_a_row = usize::MAX;
    settings.breaker.among_recent = usize::MAX;
    settings.breaker.same_intent = usize::MAX;
    Gate::new(classifier(&base.join("work"), Vec::new()), log, clock, settings)
}

/// A yes to the question.
pub(super) fn yes(pending: &Pending) -> Reply {
    Reply::Answer {
        question: pending.question().id.clone(),
        answer: Answer::AllowOnce,
        reviewer: false,
    }
}
