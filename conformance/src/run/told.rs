//! What a session is told beside its first policy: what the environment says, and what the user saves later.

use super::session::Session;
use crate::Error;
use crate::fixture::{Action, RunDecl};
use crate::os::disk::{self, Unfinished};
use crate::wire::{Elsewhere, FromRunner, FromSubject, Run, Stage};

impl Session<'_> {
    /// What the environment of the run says, with the places that it names.
    pub(super) fn said(&self, said: &RunDecl) -> Result<Run, Error> {
        let at = self.sandbox.control.join("elsewhere");
        let text = |path: &std::path::Path| path.to_string_lossy().into_owned();
        let config = match &said.config {
            None => None,
            Some(policy) => {
                disk::make_dirs(&at)?;
                Some(Elsewhere {
                    at: text(&at),
                    policy: self.sandbox.policy(policy)?,
                })
            }
        };
        Ok(Run {
            otherwise: said.otherwise.clone(),
            config,
            audit: said.audit.then(|| text(&at.with_extension("jsonl"))),
        })
    }

    /// Has the subject write the files of every policy that the user saves later.
    pub(super) fn stage(&mut self) -> Result<(), Error> {
        for (number, policy) in self.variant.saved().into_iter().enumerate() {
            if self.unavailable().is_some() || !self.seen.faults.is_empty() {
                break;
            }
            let config = self.sandbox.staged(number);
            disk::make_dirs(&config)?;
            self.subject.send(&FromRunner::Stage(Box::new(Stage {
                session: self.name.clone(),
                config: config.to_string_lossy().into_owned(),
                policy: self.sandbox.policy(policy)?,
            })));
            match self.subject.message() {
                Ok(FromSubject::Staged(staged)) if staged.session == self.name => {}
                Ok(_) => {
                    let what = "`stage` was answered with something else".to_owned();
                    let what = self.subject.lost(what);
                    self.seen.faults.push(what);
                }
                Err(what) => self.seen.faults.push(what),
            }
        }
        Ok(())
    }

    /// Does something to the world.
    pub(super) fn happen(&mut self, action: &Action) -> Result<(), Error> {
        match action {
            Action::Save { policy, how } => {
                let number = self.variant.saved().into_iter().position(|saved| saved == policy);
                let unfinished = self.sandbox.save(number.unwrap_or_default(), *how)?;
                self.unfinished.extend(unfinished);
                Ok(())
            }
            Action::Finish => self.unfinished.drain(..).try_for_each(Unfinished::finish),
            other => self.sandbox.act(other),
        }
    }
}
