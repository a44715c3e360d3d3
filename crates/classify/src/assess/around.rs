//! Directories that a person may name: those in which a call acts.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use portcullis_paths::{Dialect, FileKind, Listings, Operation, Standing, State};

use super::judge::{Judge, PathOperand};
use super::{Assessment, Classifier};
use crate::{EffectKind, Risk};

/// Most directories that are given.
const MOST: usize = 8;

impl Classifier {
    /// The directories that hold everything that the call acts on, the nearest first: one for which a person may allow the
    /// same. Inside the workspace they end with its root; outside, with what belongs to nobody alone: the home itself, what
    /// holds the workspace, and the topmost directories are never among them. Nor is one that the rules deny.
    #[must_use]
    pub fn directories_around(&self, assessment: &Assessment) -> Vec<PathBuf> {
        let Some(tool) = self.toolbox().get(assessment.call.tool()) else {
            return Vec::new();
        };
        let mut places = Vec::new();
        for effect in &assessment.effects {
            let Some(target) = &effect.target else {
                return Vec::new();
            };
            places.push(Path::new(OsStr::from_bytes(target.place().as_bytes())));
        }
        let Some(first) = places.first() else {
            return Vec::new();
        };
        let listings = Listings::default();
        let judge = self.judge(&assessment.call, tool, &listings);
        let kinds: Vec<EffectKind> = assessment.effects.iter().map(|effect| effect.kind).collect();
        let mut found = Vec::new();
        let mut was_inside = false;
        for directory in first.ancestors() {
            if !places.iter().all(|place| place.starts_with(directory)) {
                continue;
            }
            match judge.is_open_to(directory, &kinds) {
                Some(true) => was_inside = true,
                Some(false) if was_inside || self.is_everybodys(directory, &assessment.call) => break,
                Some(false) => {}
                None => continue,
            }
            found.push(directory.to_path_buf());
            if found.len() >= MOST {
                break;
            }
        }
        found
    }

    /// Whether more than the call's own matter lies below it.
    fn is_everybodys(&self, directory: &Path, call: &crate::Call) -> bool {
        let home = self.resolver.ambient().home();
        let holds = |place: Option<&Path>| place.is_some_and(|place| place.starts_with(directory));
        // The root and what stands right below it.
        directory.components().count() <= 2 || holds(home) || holds(call.cwd())
    }
}

impl Judge<'_> {
    /// Whether it is a directory inside the workspace; `None` when it is none, or is one that the rules close.
    fn is_open_to(&self, directory: &Path, kinds: &[EffectKind]) -> Option<bool> {
        let operand = PathOperand {
            member: "",
            text: directory.to_str()?,
            dialect: &Dialect::PLAIN,
            operation: Operation::List,
            cwd: Some(Path::new("/")),
        };
        let target = self.resolve(operand).ok()?;
        let is_itself = target.place().as_bytes() == directory.as_os_str().as_bytes();
        if target.state() != State::Existing(FileKind::Dir) || !is_itself {
            return None;
        }
        let denied = |kind: &EffectKind| {
            let causes = self.ruled_causes(*kind, target.touches());
            causes.iter().any(|cause| cause.risk == Risk::Deny)
        };
        if kinds.iter().any(denied) {
            return None;
        }
        Some(matches!(target.standing(), Standing::Inside { .. }))
    }
}
