//! How a session begins, anew or after a kill.

use std::path::{Path, PathBuf};

use super::Gate;
use super::reload::PolicyFile;
use crate::os::disk;
use crate::os::perform as naive;
use crate::straw::Lie;
use crate::straw::log::Log;
use crate::straw::place::Place;
use crate::straw::rules::Rules;
use crate::wire::{Call, Event, Open, Policy, PolicyEntry};

impl Gate {
    /// Opens a session; the reason when it is refused.
    pub(in crate::straw) fn open(open: Open, lie: Lie) -> Result<Self, &'static str> {
        let mut file = PolicyFile::of(&open);
        let user = if open.resume {
            match file.stored() {
                Some(policy) => policy,
                None if lie.is("resume-open") => everything(),
                None => return Err("fault"),
            }
        } else {
            let policy = anchored(open.policy.clone());
            file.write(&policy).ok_or("fault")?;
            policy
        };
        let run = open.run.clone().flatten();
        let named = run.clone().filter(|run| {
            let names = run.config.is_some() || run.audit.is_some();
            names && lie.is("run-names")
        });
        let elsewhere = named.as_ref().and_then(|run| run.audit.clone());
        let user = named
            .and_then(|run| run.config)
            .map_or(user, |other| other.policy);
        let log = Log::at(
            Path::new(elsewhere.as_ref().unwrap_or(&open.audit)),
            Path::new(&open.state),
            open.resume,
        )
        .map_err(|_| "fault")?;
        let rules = Rules {
            user,
            project: open.project.clone().filter(|_| is_trusted(&open, lie)),
            run,
            lie,
        };
        let kept = disk::bytes_if_there(&kept_grants(&open));
        let kept = String::from_utf8_lossy(&kept);
        let gate = Self {
            open,
            rules,
            file,
            log,
            grants: kept.lines().map(|key| (key.to_owned(), None)).collect(),
            breaker: super::breaker::Breaker::default(),
            lie,
        };
        if gate.open.resume {
            gate.refuse_open_questions()?;
        }
        Ok(gate)
    }
    /// What an ended process was asking about is refused now.
    fn refuse_open_questions(&self) -> Result<(), &'static str> {
        for call in self.log.open_questions() {
            let kept = Path::new(&self.open.state).join("open-call.json");
            if let (true, Ok(call)) = (
                self.lie.is("resume-answer"),
                serde_json::from_slice::<Call>(&disk::bytes_if_there(&kept)),
            ) {
                let _done = naive::perform(&call.tool, &call.args, Path::new(&call.cwd));
            }
            let record = Event::Decided {
                call,
                session: self.open.session.clone(),
                tool: "unknown".to_owned(),
                decision: "deny".to_owned(),
                reason: "fault".to_owned(),
                policy: Some(self.file.version()),
            };
            self.log.append(&record, self.lie).map_err(|_| "fault")?;
        }
        Ok(())
    }
}

/// Where one liar keeps what was allowed for a session.
pub(super) fn kept_grants(open: &Open) -> PathBuf {
    Path::new(&open.state).join("grants")
}

pub(super) fn is_trusted(open: &Open, lie: Lie) -> bool {
    match open.trust.workspace.as_str() {
        "trusted" => true,
        "revoked" | "tampered" => lie.is("trust-all") || lie.is("trust-stays"),
        _ => lie.is("trust-all"),
    }
}

/// What is allowed is what the places lead to now: a link that is put there later opens nothing.
pub(super) fn anchored(mut policy: Policy) -> Policy {
    for entry in &mut policy.allow {
        for place in [&mut entry.path, &mut entry.under].into_iter().flatten() {
            let real = Place::resolve(Path::new(place), true).map(|place| place.path());
            if let Some(real) = real.ok().as_deref().and_then(Path::to_str) {
                *place = real.to_owned();
            }
        }
    }
    policy
}

pub(super) fn everything() -> Policy {
    Policy {
        otherwise: "ask".to_owned(),
        allow: vec![PolicyEntry {
            tool: "*".to_owned(),
            path: None,
            under: None,
            command: None,
        }],
        ask: Vec::new(),
        deny: Vec::new(),
        names: None,
        programs: None,
        review: None,
    }
}
