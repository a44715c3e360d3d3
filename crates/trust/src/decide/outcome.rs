use std::path::PathBuf;

use super::Choice;
use crate::{Decision, Error, Resources};

/// The decision and where it came from.
#[derive(Debug)]
#[must_use]
#[non_exhaustive]
pub struct Outcome {
    /// Whether the project is trusted.
    pub decision: Decision,
    /// Who or what decided.
    pub source: Source,
    /// Whether the decision was saved just now.
    pub is_saved: bool,
    /// What was there when it was decided.
    pub resources: Resources,
}

/// Where a decision came from.
#[derive(Debug)]
#[non_exhaustive]
pub enum Source {
    /// A flag or an API call for this run.
    Override,
    /// Nothing in the project needs trust.
    NoResources,
    /// The decider of this name.
    Decider(String),
    /// The decider of this name failed, which is a no.
    DeciderFailed(String),
    /// It was saved for this directory.
    Saved(PathBuf),
    /// A yes was saved for this directory, but the project holds something else now, or more than can be compared.
    Changed(PathBuf),
    /// A person chose earlier in this session.
    Session,
    /// The user's default.
    Default,
    /// A person chose.
    Asked(Choice),
    /// A person was asked and gave no answer.
    Closed,
    /// A person has to be asked, and there is no way to.
    NoInterface,
    /// The store cannot be used.
    StoreUnusable(Error),
    /// The project's directory cannot be found.
    NoSuchDirectory,
}

impl Outcome {
    /// Whether the decision still holds for what is there now. A project that was trusted because it brought nothing
    /// along has to be decided on again once it does: call this after every reload.
    #[must_use]
    pub fn holds_for(&self, now: &Resources) -> bool {
        match (&self.decision, &self.source) {
            (Decision::Untrusted, _) | (_, Source::Override) => true,
            _ => self.resources.found() == now.found(),
        }
    }

    pub(super) fn new(decision: Decision, resources: Resources, source: Source) -> Self {
        Self {
            decision,
            source,
            is_saved: false,
            resources,
        }
    }

    pub(super) fn untrusted(resources: Resources, source: Source) -> Self {
        Self::new(Decision::Untrusted, resources, source)
    }

    pub(super) fn saved(mut self, is_saved: bool) -> Self {
        self.is_saved = is_saved;
        self
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown = |path: &PathBuf| portcullis_paths::visible(&path.to_string_lossy(), 300);
        match self {
            Self::Override => f.write_str("said so for this run"),
            Self::NoResources => f.write_str("nothing in the project needs trust"),
            Self::Decider(name) => write!(f, "decided by `{}`", portcullis_paths::visible(name, 100)),
            Self::DeciderFailed(name) => write!(
                f,
                "the decider `{}` failed, which is a no",
                portcullis_paths::visible(name, 100)
            ),
            Self::Saved(at) => write!(f, "saved for `{}`", shown(at)),
            Self::Changed(at) => write!(
                f,
                "saved for `{}`, but what was trusted has changed since",
                shown(at)
            ),
            Self::Session => f.write_str("a person chose for this session"),
            Self::Default => f.write_str("the default of the user's settings"),
            Self::Asked(_) => f.write_str("a person chose"),
            Self::Closed => f.write_str("a person was asked and gave no answer"),
            Self::NoInterface => f.write_str("nobody can be asked"),
            Self::StoreUnusable(error) => write!(f, "{error}"),
            Self::NoSuchDirectory => f.write_str("the project's directory cannot be found"),
        }
    }
}
