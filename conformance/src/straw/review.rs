//! Names that ask, and how much of a tool is asked about.

use std::path::Path;

use super::rules::{Risk, Rules};
use crate::wire::{Level, Names, Policy};

/// Tools that leave everything as it is.
const LOOKS: [&str; 2] = ["read", "list"];

impl Rules {
    /// Whether a name on the way to a place asks before this tool.
    pub(super) fn named(&self, tool: &str, written: &Path, place: &Path) -> bool {
        let told = |policy: &Policy| policy.names.is_some();
        if !told(&self.user) && !self.project.as_ref().is_some_and(told) {
            return false;
        }
        let as_written = self.lie.is("names-as-written");
        let path = if as_written { written } else { place };
        let has = |list: &[String]| {
            let mut names: Vec<String> = path
                .components()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
                .collect();
            if self.lie.is("names-of-files") {
                names.drain(..names.len().saturating_sub(1));
            }
            let same = |name: &String, listed: &String| {
                if as_written {
                    name == listed
                } else {
                    name.to_lowercase() == listed.to_lowercase()
                }
            };
            list.iter()
                .any(|listed| names.iter().any(|name| same(name, listed)))
        };
        let asks = |names: &Names| has(&names.ask) || (!LOOKS.contains(&tool) && has(&names.change));
        let lists = |policy: &Policy| policy.names.as_ref().is_some_and(&asks);
        let spares = |policy: &Policy| policy.names.as_ref().is_some_and(|names| has(&names.spare));
        let project = self.project.as_ref();
        if spares(&self.user) && self.lie.is("names-stay") {
            return true;
        }
        if project.is_some_and(spares) && self.lie.is("project-loosens") {
            return false;
        }
        lists(&self.user) || project.is_some_and(lists)
    }

    /// The verdict, once as much is asked as the level of the tool says. `asks`: whether an entry asks.
    pub(super) fn reviewed(&self, tool: &str, risk: Risk, asks: &dyn Fn() -> bool, named: bool) -> Risk {
        let told = |policy: &Policy| policy.review.is_some();
        let level = if told(&self.user) || self.project.as_ref().is_some_and(told) {
            self.level(tool)
        } else {
            Level::OutsideOrPrivate
        };
        let silent = risk == Risk::Ask && level < Level::OutsideOrPrivate && !self.denies_the_rest();
        let mut risk = risk;
        if silent && (self.lie.is("level-over-all") || !asks()) {
            risk = Risk::Allow;
        }
        if level == Level::Always || (named && level >= Level::PrivateOnly) {
            risk = risk.max(Risk::Ask);
        }
        risk
    }

    fn level(&self, tool: &str) -> Level {
        let of = |policy: &Policy| {
            let levels = policy.review.as_ref()?;
            let first = self.lie.is("level-for-all").then(|| levels.values().next());
            first.unwrap_or_else(|| levels.get(tool)).copied()
        };
        let own = of(&self.user).unwrap_or(Level::OutsideOrPrivate);
        if self.lie.is("level-unheard") {
            return Level::OutsideOrPrivate;
        }
        match self.project.as_ref().and_then(of) {
            Some(said) if self.lie.is("project-loosens") => said,
            said => said.map_or(own, |said| said.max(own)),
        }
    }
}
