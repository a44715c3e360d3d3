//! What a session is told beside its first policy: what the environment says, and what the user saves later.

use std::path::PathBuf;
use std::time::Duration;

use super::session::Session;
use crate::fixture::{Action, Damage, Errand, Part, RunDecl, Whose};
use crate::os::disk::{self, Unfinished};
use crate::sandbox::spoil;
use crate::wire::{Done, Elsewhere, FromRunner, FromSubject, Run, Stage, User};
use crate::{Error, random};

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
            Action::Wait { ms } => {
                std::thread::sleep(Duration::from_millis(*ms));
                Ok(())
            }
            Action::User { does } => {
                let done = self.errand(does.word(), None);
                if let (Errand::Rotate, Some(done)) = (does, done) {
                    self.past = done.files.into_iter().map(PathBuf::from).collect();
                }
                Ok(())
            }
            Action::Damage {
                what: what @ (Part::Audit | Part::Past),
                how,
            } if !matches!(how, Damage::Block | Damage::Older) => self.tamper(*what, *how),
            Action::End { of } => self.forge(*of),
            action if action.is_at_desk() => self.people_do(action),
            other => self.sandbox.act(other),
        }
    }

    /// The user does something with the gate's own tools.
    fn errand(&mut self, does: &str, call: Option<String>) -> Option<Done> {
        if self.unavailable().is_some() {
            return None;
        }
        self.subject.send(&FromRunner::User(User {
            session: self.name.clone(),
            does: does.to_owned(),
            call,
        }));
        match self.subject.message() {
            Ok(FromSubject::Done(done)) if done.session == self.name => return Some(done),
            Ok(_) => {
                let what = "`user` was answered with something else".to_owned();
                let what = self.subject.lost(what);
                self.seen.faults.push(what);
            }
            Err(what) => self.seen.faults.push(what),
        }
        None
    }

    /// Has an end recorded that was none.
    fn forge(&mut self, of: Whose) -> Result<(), Error> {
        let before = self.seen.steps.last().map(|step| step.id.clone());
        let call = match (of, before) {
            (Whose::Before, Some(before)) => before,
            (Whose::Before, None) => return Err(Error::fixture("there was no call before")),
            (Whose::Nobody, _) => {
                let id = format!("c-{}", random::token()?);
                self.probes.push(id.clone());
                id
            }
        };
        self.seen.forged = true;
        self.errand("end", Some(call));
        Ok(())
    }

    /// Damages the log, and counts the lines before the first that is not what it was.
    fn tamper(&mut self, what: Part, how: Damage) -> Result<(), Error> {
        let files = self.log_files();
        let place = match what {
            Part::Past => files.first().filter(|first| **first != self.sandbox.audit()),
            _ => files.last(),
        };
        let Some(place) = place.cloned() else {
            return Err(Error::fixture("nothing was written before: `rotate` comes first"));
        };
        let before: Vec<Vec<u8>> = files.iter().map(|file| disk::bytes_if_there(file)).collect();
        spoil(&place, how)?;
        let after = files.iter().map(|file| disk::bytes_if_there(file));
        let good = unaltered(before.into_iter().zip(after));
        self.seen.good = Some(self.seen.good.map_or(good, |known| known.min(good)));
        Ok(())
    }

    /// The files of the log, the oldest first.
    pub(super) fn log_files(&self) -> Vec<PathBuf> {
        let mut files = self.past.clone();
        files.push(self.sandbox.audit());
        files
    }
}

/// How many lines stand before the first that is not what it was; each pair is one file, before and after.
fn unaltered(files: impl Iterator<Item = (Vec<u8>, Vec<u8>)>) -> u64 {
    let mut good = 0;
    for (before, after) in files {
        let lines = |bytes: &[u8]| {
            bytes
                .split_inclusive(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        };
        let same = lines(&before)
            .iter()
            .zip(&lines(&after))
            .take_while(|(one, other)| one == other)
            .count();
        good += u64::try_from(same).unwrap_or_default();
        if before != after {
            break;
        }
    }
    good
}

#[cfg(test)]
mod tests {
    use super::unaltered;

    #[test]
    fn lines_are_counted_over_all_files_up_to_the_first_that_differs() {
        let files = |pairs: &[(&str, &str)]| {
            let owned = |text: &str| text.as_bytes().to_vec();
            unaltered(
                pairs
                    .iter()
                    .map(|(before, after)| (owned(before), owned(after)))
                    .collect::<Vec<_>>()
                    .into_iter(),
            )
        };
        assert_eq!(files(&[("1\n2\n3\n", "1\n2\n3\n")]), 3);
        assert_eq!(files(&[("1\n2\n3\n", "1\nx\n3\n")]), 1);
        assert_eq!(files(&[("1\n2\n3\n", "1\n2\n")]), 2);
        assert_eq!(files(&[("1\n2\n", "1\n2\n2\n")]), 2);
        assert_eq!(files(&[("1\n", "1\n"), ("2\n3\n", "2\nx\n")]), 2);
        assert_eq!(files(&[("1\n2\n", "2\n"), ("3\n", "3\n")]), 0);
    }
}
