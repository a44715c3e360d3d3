use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use portcullis_audit::OwnFile;
use serde::{Deserialize, Serialize};

use super::intent::{digest, is_digest};
use super::{Asking, Breaker, BreakerSettings, Ended, INTENTS, Intent};
use crate::QuestionId;

/// One run that many processes share, each with a gate of its own: an agent that starts a hook for each call. What was
/// refused in it stands in a file of the user's own, which holds no place and no text.
///
/// The host that starts such processes seldom says which calls are of one message, so that each question counts by itself.
/// A question is written down before it goes out. One whose process ends without a word counts as refused when its time
/// is over. Where the file cannot be read, locked or written, nothing is asked and nothing that has to be asked about runs.
#[derive(Debug, Clone)]
pub struct KeptRun {
    file: OwnFile,
    session: String,
    prompt: Option<Prompt>,
}

/// What the user said last, as the host numbers it.
#[derive(Debug, Clone)]
struct Prompt {
    name: String,
    begins: bool,
}

/// The file cannot be read, locked or written, or does not hold runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unusable;

/// Longest wait for another process, in milliseconds.
const WAIT_MS: u64 = 2_000;
const VERSION: u64 = 1;
/// Most runs that are remembered. One in which nothing was refused is not.
const RUNS: usize = 64;
/// Longest file that is written, in bytes.
const LONGEST: usize = 2 << 20;
/// Most prompts of a session that are known to have been.
const PROMPTS: usize = 32;
/// Most questions of a run that are open at once: past it the oldest one counts as refused.
const OPEN: usize = 32;
/// What an answer may take from its question's end until it is noted, in milliseconds.
const GRACE_MS: i64 = 10_000;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    /// The latest time that any process saw: a clock that was set back keeps no question open.
    latest_ms: i64,
    /// The longest silent one first.
    runs: Vec<Stored>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    session: String,
    prompts: VecDeque<String>,
    is_open: bool,
    in_a_row: usize,
    /// `y` for an allow and `n` for a refusal, the latest one last.
    recent: String,
    intents: BTreeMap<String, usize>,
    asked: VecDeque<Asked>,
}

/// A question that is out.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    question: String,
    intent: String,
    until_ms: i64,
}

impl KeptRun {
    /// The run of this session, in this file; its directory must exist. All sessions without a name are one.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, session: Option<&str>) -> Self {
        let parts = session.map(str::as_bytes);
        Self {
            file: OwnFile::new(path, WAIT_MS),
            session: digest(parts),
            prompt: None,
        }
    }

    /// What the host calls that which its user said last. The first question after the user said something new begins a new
    /// run, unless a sub-agent asks it: nobody says whether the prompt of a sub-agent is the user's.
    #[must_use]
    pub fn of_prompt(mut self, prompt: &str, is_sub_agent: bool) -> Self {
        self.prompt = Some(Prompt {
            name: digest([prompt.as_bytes()]),
            begins: !is_sub_agent,
        });
        self
    }

    pub(super) fn ask(
        &self,
        question: &QuestionId,
        intent: &Intent,
        open_ms: i64,
        settings: &BreakerSettings,
        wall_ms: i64,
    ) -> Result<Asking, Unusable> {
        self.change(settings, wall_ms, |stored, breaker, now| {
            if breaker.is_open(intent, settings) {
                return Asking::HasEnded;
            }
            if stored.asked.len() >= OPEN
                && let Some(oldest) = stored.asked.pop_front()
            {
                oldest.refuse(breaker, settings);
                if breaker.is_open(intent, settings) {
                    return Asking::HasEnded;
                }
            }
            stored.asked.push_back(Asked {
                question: question.as_str().to_owned(),
                intent: intent.as_str().to_owned(),
                until_ms: now.saturating_add(open_ms).saturating_add(GRACE_MS),
            });
            Asking::Goes
        })
    }

    pub(super) fn note(
        &self,
        question: &QuestionId,
        intent: Intent,
        ended: Ended,
        settings: &BreakerSettings,
        wall_ms: i64,
    ) -> Result<(), Unusable> {
        self.change(settings, wall_ms, |stored, breaker, _| {
            let asked = stored.asked.len();
            stored.asked.retain(|asked| asked.question != question.as_str());
            // What is not out any more was counted as refused when its time was over, or was of a run before this one.
            if stored.asked.len() < asked {
                breaker.note(intent, None, ended, settings);
            }
        })
    }

    pub(super) fn begin(&self, settings: &BreakerSettings, wall_ms: i64) -> Result<(), Unusable> {
        self.change(settings, wall_ms, |stored, breaker, _| {
            stored.asked.clear();
            *breaker = Breaker::default();
        })
    }

    pub(super) fn is_open(&self, settings: &BreakerSettings, wall_ms: i64) -> Result<bool, Unusable> {
        self.change(settings, wall_ms, |_, breaker, _| breaker.is_open)
    }

    /// Changes this run under the lock. `change` gets what is remembered, and the time.
    fn change<T>(
        &self,
        settings: &BreakerSettings,
        wall_ms: i64,
        change: impl FnOnce(&mut Stored, &mut Breaker, i64) -> T,
    ) -> Result<T, Unusable> {
        let changed = self
            .file
            .change(|bytes| match self.changed(bytes, settings, wall_ms, change) {
                Ok((bytes, value)) => (Some(bytes), Ok(value)),
                Err(Unusable) => (None, Err(Unusable)),
            });
        changed.map_err(|_| Unusable)?
    }

    fn changed<T>(
        &self,
        bytes: Option<Vec<u8>>,
        settings: &BreakerSettings,
        wall_ms: i64,
        change: impl FnOnce(&mut Stored, &mut Breaker, i64) -> T,
    ) -> Result<(Vec<u8>, T), Unusable> {
        let mut file = File::read(bytes)?;
        file.latest_ms = file.latest_ms.max(wall_ms);
        let known = file.runs.iter().position(|stored| stored.session == self.session);
        let mut stored = known.map(|at| file.runs.remove(at)).unwrap_or_default();
        stored.session.clone_from(&self.session);
        let mut breaker = stored.breaker(settings)?;
        if stored.hears(self.prompt.as_ref()) {
            stored.asked.clear();
            breaker = Breaker::default();
        }
        while let Some(at) = stored
            .asked
            .iter()
            .position(|asked| asked.until_ms < file.latest_ms)
            && let Some(late) = stored.asked.remove(at)
        {
            late.refuse(&mut breaker, settings);
        }
        let value = change(&mut stored, &mut breaker, file.latest_ms);
        stored.take(&breaker);
        if !stored.says_nothing() {
            file.runs.push(stored);
        }
        Ok((file.write()?, value))
    }
}

impl Asked {
    /// Nobody said yes to it in time.
    fn refuse(self, breaker: &mut Breaker, settings: &BreakerSettings) {
        if let Some(intent) = Intent::read(&self.intent) {
            breaker.note(intent, None, Ended::Adverse, settings);
        }
    }
}

impl Stored {
    /// Whether this is the first word of a new run.
    fn hears(&mut self, prompt: Option<&Prompt>) -> bool {
        // What a sub-agent was told pushes out nothing that the user said, and is not heard in its place.
        let Some(prompt) = prompt.filter(|prompt| prompt.begins) else {
            return false;
        };
        let known = self.prompts.iter().position(|name| *name == prompt.name);
        if let Some(at) = known {
            self.prompts.remove(at);
        } else if self.prompts.len() >= PROMPTS {
            self.prompts.pop_front();
        }
        self.prompts.push_back(prompt.name.clone());
        known.is_none()
    }

    /// What was written, as a breaker; what was not written by a gate is not one.
    fn breaker(&self, settings: &BreakerSettings) -> Result<Breaker, Unusable> {
        let word = |letter| match letter {
            'y' => Ok(Ended::Allowed),
            'n' => Ok(Ended::Adverse),
            _ => Err(Unusable),
        };
        let mut recent = self
            .recent
            .chars()
            .map(word)
            .collect::<Result<VecDeque<_>, _>>()?;
        while recent.len() > settings.window {
            recent.pop_front();
        }
        let known = self.intents.iter();
        let intents = known.map(|(intent, refused)| Some((Intent::read(intent)?, *refused)));
        let digests = self
            .prompts
            .iter()
            .chain(self.asked.iter().map(|asked| &asked.intent));
        let is_ours = is_digest(&self.session)
            && self.intents.len() <= INTENTS
            && self.prompts.len() <= PROMPTS
            && self.asked.len() <= OPEN
            && digests.into_iter().all(|text| is_digest(text));
        match (is_ours, intents.collect::<Option<BTreeMap<_, _>>>()) {
            (true, Some(intents)) => Ok(Breaker {
                is_open: self.is_open,
                in_a_row: self.in_a_row,
                recent,
                intents,
                ..Breaker::default()
            }),
            _ => Err(Unusable),
        }
    }

    fn take(&mut self, breaker: &Breaker) {
        self.is_open = breaker.is_open;
        self.in_a_row = breaker.in_a_row;
        let letter = |ended: &Ended| match ended {
            Ended::Allowed => Some('y'),
            Ended::Adverse => Some('n'),
            Ended::Neither => None,
        };
        self.recent = breaker.recent.iter().filter_map(letter).collect();
        let intents = breaker.intents.iter();
        self.intents = intents
            .map(|(intent, refused)| (intent.as_str().to_owned(), *refused))
            .collect();
    }

    /// Whether forgetting it forgets no refusal.
    fn says_nothing(&self) -> bool {
        let is_quiet = self.intents.is_empty() && self.asked.is_empty();
        is_quiet && !self.is_open && !self.recent.contains('n')
    }
}

impl File {
    fn read(bytes: Option<Vec<u8>>) -> Result<Self, Unusable> {
        let Some(bytes) = bytes else {
            return Ok(Self::default());
        };
        let file: Self = serde_json::from_slice(&bytes).map_err(|_| Unusable)?;
        match file.version {
            VERSION => Ok(file),
            _ => Err(Unusable),
        }
    }

    /// As bytes, within its bounds. A run that ended all asking is forgotten last, and this one never.
    fn write(mut self) -> Result<Vec<u8>, Unusable> {
        self.version = VERSION;
        loop {
            let mut bytes = serde_json::to_vec(&self).map_err(|_| Unusable)?;
            if self.runs.len() <= RUNS && bytes.len() < LONGEST {
                bytes.push(b'\n');
                return Ok(bytes);
            }
            let older = self.runs.len().checked_sub(1).ok_or(Unusable)?;
            let mut older = self.runs.iter().take(older);
            let least = older.position(|stored| !stored.is_open).unwrap_or_default();
            if self.runs.len() < 2 {
                return Err(Unusable);
            }
            self.runs.remove(least);
        }
    }
}
