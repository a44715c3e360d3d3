//! A gate that stays, while its user changes the file that it goes by.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use portcullis_classify::Call;
use portcullis_gate::{Approver, Cancel, Clock, Gate, Permit, Refusal, RefusalKind, Step};

use super::Builder;
use crate::Error;
use crate::config::{Change, ConfigError, LiveUser};

/// A gate for many calls: before each of them the user's file is looked at, and another one is in force from that call on.
///
/// A call is judged by exactly one version, and its record names it. A file that somebody is still writing is not one yet.
/// One that cannot be used, or is gone, takes nothing back: what the last whole version tightened stays, and everything
/// asks at least, with the line as the reason. Projects' files are read once: what tightens then stays for as long as the
/// gate does.
#[derive(Debug)]
pub struct Resident {
    gate: Gate,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    user: LiveUser,
    /// Everything but the user's file, and the last version of it that could be used.
    builder: Builder,
}

/// What became of the user's file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refreshed {
    /// It is the same, or somebody is writing it.
    Same,
    /// Another version is in force.
    Changed,
    /// It cannot be used; everything asks.
    Broken(ConfigError),
}

/// A resident gate that was opened, and what was found when its log was opened.
#[non_exhaustive]
pub struct OpenResident {
    /// The gate.
    pub gate: Resident,
    /// The last line of the log was torn by a crash; it was cut off and kept in this file.
    pub torn: Option<PathBuf>,
    /// What the user's file was at the first look.
    pub first: Refreshed,
}

impl Builder {
    /// A gate that goes with the user's file: what [`Builder::user`] was told is replaced by what stands there now, if there
    /// is one.
    ///
    /// # Errors
    /// As [`Builder::gate`].
    pub fn resident(
        mut self,
        mut user: LiveUser,
        clock: impl Clock + 'static,
    ) -> Result<OpenResident, Error> {
        let first = self.take_up(user.look());
        let opened = self.clone().gate(clock)?;
        Ok(OpenResident {
            gate: Resident {
                gate: opened.gate,
                state: Mutex::new(State { user, builder: self }),
            },
            torn: opened.torn,
            first,
        })
    }

    /// Takes up what a look found.
    fn take_up(&mut self, change: Change) -> Refreshed {
        match change {
            // Where there never was a file, what the builder was told stays.
            Change::Same | Change::Unsettled | Change::Now(Ok(None)) => Refreshed::Same,
            Change::Now(Ok(Some(config))) => {
                let builder = std::mem::replace(self, Self::new(portcullis_paths::Ambient::empty()));
                *self = builder.user(config);
                Refreshed::Changed
            }
            Change::Now(Err(error)) => {
                self.user.broken = Some(error.broken());
                Refreshed::Broken(error)
            }
        }
    }
}

impl Resident {
    /// The gate as it was when the file was last looked at: for grants, rejections and runs.
    #[must_use]
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Looks at the user's file and puts in force what it says now.
    ///
    /// # Errors
    /// What it says now cannot be put in force (`Workspace`, `Policy`). No call must be judged until it can.
    pub fn refresh(&self) -> Result<Refreshed, Error> {
        let mut state = self.state();
        let change = state.user.look();
        let refreshed = state.builder.take_up(change);
        if matches!(refreshed, Refreshed::Same) {
            return Ok(refreshed);
        }
        match state.builder.clone().classifier() {
            Ok(classifier) => {
                self.gate.replace(classifier, state.builder.deadline());
                Ok(refreshed)
            }
            Err(error) => {
                state.user.forget();
                Err(error)
            }
        }
    }

    /// [`Gate::submit`], by what the user's file says now.
    #[must_use]
    pub fn submit(&self, call: Call, cancel: &Cancel) -> Step {
        match self.refresh() {
            Ok(_) => self.gate.submit(call, cancel),
            Err(error) => Step::Refused(self.unusable(&call, &error)),
        }
    }

    /// [`Gate::decide`], by what the user's file says now.
    ///
    /// # Errors
    /// The refusal, whatever it is.
    pub fn decide(
        &self,
        call: Call,
        approver: &mut dyn Approver,
        cancel: &Cancel,
    ) -> Result<Permit, Refusal> {
        match self.refresh() {
            Ok(_) => self.gate.decide(call, approver, cancel),
            Err(error) => Err(self.unusable(&call, &error)),
        }
    }

    fn unusable(&self, call: &Call, error: &Error) -> Refusal {
        let reason = format!("what the configuration says now cannot be put in force: {error}");
        self.gate.reject_call(call, RefusalKind::Fault, &reason)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic in the middle leaves a version that was in force, or one that is read again.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
