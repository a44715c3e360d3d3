//! A workspace on disk, a gate over it, and a ledger in memory that can fail.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use portcullis_audit::{
    Decided, Decision, Error, Event, KeyedDigest, Log, LogOptions, Outcome, Receipt, RecordHash,
};
use portcullis_classify::{Call, Classifier, LayerRules, Limits, Policy, Shape, Toolbox};
use portcullis_gate::{
    Answer, Behaviour, Cancel, Clock, Gate, Ledger, Moment, Permit, Refusal, Scripted, Settings, Step,
    StillClock,
};
use portcullis_paths::Ambient;
use serde_json::{Value, json};

/// Records in memory. Appends are numbered from 1, failed ones included.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    events: Vec<Event>,
    tried: usize,
    fails: BTreeSet<usize>,
    panics: BTreeSet<usize>,
}

impl Memory {
    pub(crate) fn events(&self) -> Vec<Event> {
        self.inner.lock().unwrap().events.clone()
    }
    pub(crate) fn fail_at(&self, append: usize) {
        self.inner.lock().unwrap().fails.insert(append);
    }
    pub(crate) fn fail_next(&self) {
        let mut inner = self.inner.lock().unwrap();
        let next = inner.tried + 1;
        inner.fails.insert(next);
    }
    pub(crate) fn panic_next(&self) {
        let mut inner = self.inner.lock().unwrap();
        let next = inner.tried + 1;
        inner.panics.insert(next);
    }
    pub(crate) fn panic_at(&self, append: usize) {
        self.inner.lock().unwrap().panics.insert(append);
    }

    /// One word a record: `asked`, `permitted by Human`, `refused timeout by Nobody`, `done`, ...
    pub(crate) fn words(&self) -> Vec<String> {
        self.events().iter().map(word).collect()
    }
}

pub(crate) fn word(event: &Event) -> String {
    match event {
        Event::Asked(_) => "asked".to_owned(),
        Event::Decided(Decided { decision, by, .. }) => match decision {
            Decision::Permitted => format!("permitted by {by:?}"),
            Decision::HandedToHost => "handed to host".to_owned(),
            Decision::Refused { code } => format!("refused {code} by {by:?}"),
        },
        Event::Finished(finished) => match &finished.outcome {
            Outcome::Done => "done".to_owned(),
            Outcome::Failed { .. } => "failed".to_owned(),
            Outcome::Changed => "changed".to_owned(),
            Outcome::Unused => "unused".to_owned(),
        },
    }
}

/// Any error of a log will do; there is no log in a directory that is not there.
fn an_error() -> Error {
    let options = LogOptions {
        path: "/nonexistent/portcullis/log".into(),
        lock_wait_ms: 0,
    };
    Log::open(options).unwrap_err()
}

impl Ledger for Memory {
    fn append(&self, _time_ms: i64, event: &Event) -> Result<Receipt, Error> {
        let mut inner = self.inner.lock().unwrap();
        inner.tried += 1;
        let number = inner.tried;
        if inner.panics.contains(&number) {
            drop(inner);
            std::panic::resume_unwind(Box::new("the ledger panics"));
        }
        if inner.fails.contains(&number) {
            return Err(an_error());
        }
        inner.events.push(event.clone());
        Ok(Receipt {
            sequence: u64::try_from(inner.events.len()).unwrap(),
            hash: RecordHash::from_bytes([0; 32]),
        })
    }
    fn digest(&self, bytes: &[u8]) -> KeyedDigest {
        let mut folded = [0_u8; 32];
        for (at, byte) in bytes.iter().enumerate() {
            folded[at % 32] = folded[at % 32].rotate_left(3) ^ byte;
        }
        KeyedDigest::from_bytes(folded)
    }
}

/// A workspace `work` beside a directory `outside`.
pub(crate) struct Scene {
    dir: tempfile::TempDir,
    pub(crate) ledger: Arc<Memory>,
    pub(crate) clock: StillClock,
    pub(crate) cancel: Cancel,
    pub(crate) gate: Gate,
}

/// A whole test run is held against its logs: where they are to be kept, when that is wanted.
const LOGS: &str = "PORTCULLIS_TEST_LOGS";

impl Drop for Scene {
    fn drop(&mut self) {
        let Some(folder) = std::env::var_os(LOGS) else {
            return;
        };
        if std::thread::panicking() {
            return;
        }
        let name = self
            .dir
            .path()
            .file_name()
            .unwrap()
            .to_string_lossy()
            .replace('.', "gate-");
        let options = LogOptions {
            path: PathBuf::from(folder).join(format!("{name}.jsonl")),
            lock_wait_ms: 1000,
        };
        let log = Log::open(options).unwrap().log;
        for event in self.ledger.events() {
            log.append(0, &event).unwrap();
        }
    }
}

const DEADLINE: Duration = Duration::from_secs(60);

impl Scene {
    pub(crate) fn new() -> Self {
        Self::with_rules(Vec::new())
    }

    pub(crate) fn with_rules(layers: Vec<LayerRules>) -> Self {
        let clock = StillClock::at(Moment(1_000_000));
        Self::built(Toolbox::standard(), layers, clock.clone(), clock, |_| {})
    }

    pub(crate) fn built(
        toolbox: Toolbox,
        layers: Vec<LayerRules>,
        clock: StillClock,
        gate_clock: impl Clock + 'static,
        adjust: impl FnOnce(&mut Settings),
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        std::fs::create_dir(base.join("work")).unwrap();
        std::fs::create_dir(base.join("outside")).unwrap();
        let classifier = classifier_of(toolbox, &base.join("work"), layers);
        let ledger = Arc::new(Memory::default());
        let mut settings = Settings::for_user("tester");
        settings.deadline = DEADLINE;
        settings.file_limit = 1000;
        settings.list_limit = 5;
        adjust(&mut settings);
        let gate = Gate::new(classifier, ledger.clone(), gate_clock, settings);
        Self {
            dir,
            ledger,
            clock,
            cancel: Cancel::new(),
            gate,
        }
    }

    pub(crate) fn work(&self, below: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("work").join(below)
    }
    pub(crate) fn outside(&self, below: &str) -> PathBuf {
        self.dir
            .path()
            .canonicalize()
            .unwrap()
            .join("outside")
            .join(below)
    }
    pub(crate) fn file(&self, below: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.work(below);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }
    pub(crate) fn text(&self, below: &str) -> String {
        std::fs::read_to_string(self.work(below)).unwrap()
    }
    pub(crate) fn is_there(&self, below: &str) -> bool {
        std::fs::symlink_metadata(self.work(below)).is_ok()
    }

    pub(crate) fn call(&self, tool: &str, args: Value) -> Call {
        self.call_named("c1", tool, args)
    }
    pub(crate) fn call_named(&self, id: &str, tool: &str, args: Value) -> Call {
        call(&self.work(""), id, tool, args)
    }

    pub(crate) fn submit(&self, call: Call) -> Step {
        self.gate.submit(call, &self.cancel)
    }
    pub(crate) fn approver(&self, script: impl IntoIterator<Item = Behaviour>) -> Scripted {
        Scripted::new(script).with_clock(self.clock.clone())
    }
    pub(crate) fn decide(&self, call: Call, behaviour: Behaviour) -> Result<Permit, Refusal> {
        self.gate
            .decide(call, &mut self.approver([behaviour]), &self.cancel)
    }
    /// A permit for a call that a person allows when it is asked about.
    pub(crate) fn permit(&self, tool: &str, args: Value) -> Permit {
        let call = self.call(tool, args);
        self.decide(call, Behaviour::Say(Answer::AllowOnce)).unwrap()
    }
    pub(crate) fn words(&self) -> Vec<String> {
        self.ledger.words()
    }
}

pub(crate) fn classifier(root: &Path, layers: Vec<LayerRules>) -> Classifier {
    classifier_of(Toolbox::standard(), root, layers)
}

pub(crate) fn classifier_of(toolbox: Toolbox, root: &Path, layers: Vec<LayerRules>) -> Classifier {
    let policy = Policy::join(layers).unwrap();
    Classifier::open(toolbox, policy, [root.to_owned()], Ambient::empty()).unwrap()
}

pub(crate) fn call(cwd: &Path, id: &str, tool: &str, args: Value) -> Call {
    let text = json!({"id": id, "tool": tool, "args": args, "cwd": cwd.to_str().unwrap(), "session": "s1"});
    Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default()).unwrap()
}
