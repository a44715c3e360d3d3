use std::time::Duration;

use super::{Breaker, BreakerSettings, Ended, Intent, KeptRun, Unusable};
use crate::QuestionId;
use crate::batch::Speaker;
use crate::clock::milliseconds;

/// Whether a question goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    Goes,
    /// Nothing is asked any more, at all or about this.
    HasEnded,
}

/// The run of one gate: remembered here, or beside the processes that share it.
#[derive(Debug, Default)]
pub(crate) struct Run {
    here: Breaker,
    kept: Option<KeptRun>,
}

impl Run {
    pub(crate) fn keep(&mut self, kept: KeptRun) {
        self.kept = Some(kept);
    }

    /// A question wants to go out, to be open for so long. What is kept knows of it before it does: whoever asks may be
    /// killed while it is open.
    pub(crate) fn ask(
        &self,
        question: &QuestionId,
        intent: &Intent,
        open: Duration,
        settings: &BreakerSettings,
        wall_ms: i64,
    ) -> Result<Asking, Unusable> {
        match &self.kept {
            Some(kept) => {
                let open = i64::try_from(milliseconds(open)).unwrap_or(i64::MAX);
                kept.ask(question, intent, open, settings, wall_ms)
            }
            None if self.here.is_open(intent, settings) => Ok(Asking::HasEnded),
            None => Ok(Asking::Goes),
        }
    }

    /// A question has ended; `speaker` is of a call that names its message.
    pub(crate) fn note(
        &mut self,
        question: &QuestionId,
        intent: Intent,
        speaker: Option<&Speaker>,
        ended: Ended,
        settings: &BreakerSettings,
        wall_ms: i64,
    ) {
        match &self.kept {
            // What cannot be noted stays an open question, and counts as refused when its time is over.
            Some(kept) => {
                let _noted = kept.note(question, intent, ended, settings, wall_ms);
            }
            None => self.here.note(intent, speaker, ended, settings),
        }
    }

    pub(crate) fn new_batch(&mut self, settings: &BreakerSettings) {
        self.here.new_batch(settings);
    }

    pub(crate) fn new_message(&mut self, speaker: &Speaker, settings: &BreakerSettings) {
        self.here.new_message(speaker, settings);
    }

    /// Forgets the run. What cannot be forgotten stays.
    pub(crate) fn begin(&mut self, settings: &BreakerSettings, wall_ms: i64) {
        self.here = Breaker::default();
        if let Some(kept) = &self.kept {
            let _forgotten = kept.begin(settings, wall_ms);
        }
    }

    pub(crate) fn is_open_for_all(&self, settings: &BreakerSettings, wall_ms: i64) -> bool {
        match &self.kept {
            Some(kept) => kept.is_open(settings, wall_ms).unwrap_or(true),
            None => self.here.is_open,
        }
    }
}
