//! A gate that stays, while its user changes the file that it goes by.

mod log_place;

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use log_place::LogPlace;
use portcullis_classify::Call;
use portcullis_gate::{Approver, Cancel, Clock, Gate, Permit, Refusal, RefusalKind, Step};

use super::Builder;
use crate::Error;
use crate::config::{Change, ConfigError, LiveProject, LiveUser, ProjectChange};

/// A gate for many calls: before each of them the user's file is looked at, and so are the projects'; another one is in force
/// from that call on.
///
/// A call is judged by exactly one version, and its record names it. A file that somebody is still writing is not one yet.
/// One that cannot be used, or is gone, takes nothing back: what the last whole version tightened stays, and everything
/// asks at least, with the line as the reason. A project's file counts when it is trusted as it is: see [`LiveProject`].
/// Roots, log and environment are of the whole run.
#[derive(Debug)]
pub struct Resident {
    gate: Gate,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    user: LiveUser,
    projects: Vec<LiveProject>,
    /// Everything but the projects, and the last version of the user's file that could be used.
    builder: Builder,
    log: LogPlace,
    /// What was found could not be put in force.
    is_stale: bool,
}

/// What became of the files.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refreshed {
    /// They are the same, or somebody is writing.
    Same,
    /// Another version is in force.
    Changed,
    /// One cannot be used; everything asks.
    Broken(ConfigError),
}

/// A resident gate that was opened, and what was found when its log was opened.
#[non_exhaustive]
pub struct OpenResident {
    /// The gate.
    pub gate: Resident,
    /// The last line of the log was torn by a crash; it was cut off and kept in this file.
    pub torn: Option<PathBuf>,
    /// What the files were at the first look.
    pub first: Refreshed,
}

impl Builder {
    /// A gate that goes with the user's file and the projects' files. What [`Builder::user`] was told is replaced by what stands
    /// there now, if there is a file; where `projects` are given, so is all that the builder was told of projects.
    ///
    /// # Errors
    /// As [`Builder::gate`].
    pub fn resident(
        mut self,
        user: LiveUser,
        projects: Vec<LiveProject>,
        clock: impl Clock + 'static,
    ) -> Result<OpenResident, Error> {
        if !projects.is_empty() {
            self.projects.clear();
            self.trusted.clear();
        }
        let mut state = State {
            user,
            projects,
            log: LogPlace::new(&self),
            builder: self,
            is_stale: false,
        };
        let first = state.look();
        let opened = state.whole().gate(clock)?;
        Ok(OpenResident {
            gate: Resident {
                gate: opened.gate,
                state: Mutex::new(state),
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

impl State {
    /// Looks at every file.
    fn look(&mut self) -> Refreshed {
        let change = self.user.look();
        self.log.hears(&change);
        let mut found = self.builder.take_up(change);
        for project in &mut self.projects {
            found = match (found, project.look()) {
                (Refreshed::Broken(error), _) | (_, ProjectChange::Broken(error)) => Refreshed::Broken(error),
                (Refreshed::Changed, _) | (_, ProjectChange::Changed) => Refreshed::Changed,
                (Refreshed::Same, ProjectChange::Same) => Refreshed::Same,
            };
        }
        found
    }

    /// The builder with what the projects say now.
    fn whole(&self) -> Builder {
        let mut builder = self.builder.clone();
        for project in &self.projects {
            builder.trusted.extend(project.trusted().cloned());
            builder.projects.extend(project.layer().cloned());
        }
        builder
    }
}

impl Resident {
    /// The gate as it was when the files were last looked at: for grants, rejections and runs.
    #[must_use]
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Looks at the files and puts in force what they say now.
    ///
    /// # Errors
    /// What they say now cannot be put in force (`Workspace`, `Policy`; `Log`: the user's file says another place for it than
    /// the one that is written to). No call must be judged until it can.
    pub fn refresh(&self) -> Result<Refreshed, Error> {
        let mut state = self.state();
        let found = state.look();
        if let Some(error) = state.log.error() {
            state.is_stale = true;
            return Err(error);
        }
        if matches!(found, Refreshed::Same) && !state.is_stale {
            return Ok(found);
        }
        state.is_stale = true;
        let builder = state.whole();
        let deadline = builder.deadline();
        self.gate.replace(builder.classifier()?, deadline);
        state.is_stale = false;
        Ok(match found {
            Refreshed::Same => Refreshed::Changed,
            found => found,
        })
    }

    /// [`Gate::submit`], by what the files say now.
    #[must_use]
    pub fn submit(&self, call: Call, cancel: &Cancel) -> Step {
        match self.refresh() {
            Ok(_) => self.gate.submit(call, cancel),
            Err(error) => Step::Refused(self.unusable(&call, &error)),
        }
    }

    /// [`Gate::decide`], by what the files say now.
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
