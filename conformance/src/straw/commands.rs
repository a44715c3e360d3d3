//! What a policy says about a command: not much is understood, and the rest is asked.

use std::path::Path;

use super::place::Place;
use super::rules::{Risk, Rules};
use crate::wire::PolicyEntry;

/// Programs that look at a link itself, or give it another name, unless they are told to follow it.
const OF_LINKS: [&str; 3] = ["ln", "readlink", "stat"];

impl Rules {
    /// The verdict on a command: what is not plain words is asked, and a word that is a path counts as read and written.
    pub(super) fn command(&self, command: &str, cwd: &Path) -> Risk {
        let plain = command
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || " _-./".contains(char));
        let words: Vec<&str> = command.split_whitespace().collect();
        let begins = |words: &[&str], first: &[String]| {
            words.len() >= first.len() && words.iter().zip(first).all(|(a, b)| a == b)
        };
        let mut risk = self.strictest("run", &|entry, _| {
            if entry.path.is_some() || entry.under.is_some() {
                return false;
            }
            match &entry.command {
                None => true,
                Some(first) if self.lie.is("first-words") => {
                    command.trim_start().starts_with(&first.join(" "))
                }
                Some(first) => begins(&words, first),
            }
        });
        let named_later = |entry: &&PolicyEntry| {
            let first = entry.command.as_deref().unwrap_or_default();
            let behind = |at: usize| words.get(at..).is_some_and(|words| begins(words, first));
            !first.is_empty() && (1..words.len()).any(behind)
        };
        let later = self.entries("run", |policy| &policy.deny).iter().any(named_later)
            || self.entries("run", |policy| &policy.ask).iter().any(named_later);
        if (!plain || later) && !self.lie.is("first-words") {
            risk = risk.max(Risk::Ask);
        }
        let risk = match self.explained(&words, cwd) {
            Some(explained) => explained.max(risk),
            None => risk,
        };
        self.reviewed("run", self.operands(&words, cwd).max(risk), &|| true, false)
    }

    fn operands(&self, words: &[&str], cwd: &Path) -> Risk {
        let of_links = words.first().is_some_and(|program| OF_LINKS.contains(program));
        let follow = !of_links || words.contains(&"-L");
        // A link brings whatever is below what it leads to, and a search looks into it.
        let searches = words.first() == Some(&"grep")
            && words
                .iter()
                .any(|word| matches!(*word, "-r" | "-R" | "--recursive"));
        let takes = searches || words.first() == Some(&"ln");
        let mut risk = Risk::Allow;
        for word in words.iter().skip(1).flat_map(|word| word.split(['=', '>', '<'])) {
            let Ok(place) = Place::resolve(&cwd.join(word), follow) else {
                continue;
            };
            let means = |entries: Vec<&PolicyEntry>| {
                entries.iter().any(|entry| {
                    (entry.path.is_some() || entry.under.is_some())
                        && self.by_object(entry, &place, takes, true)
                })
            };
            for tool in ["read", "write"] {
                if means(self.entries(tool, |policy| &policy.deny)) {
                    return Risk::Deny;
                }
                let path = place.path();
                let named = self.named(tool, &path, &path);
                if named || means(self.entries(tool, |policy| &policy.ask)) {
                    risk = Risk::Ask;
                }
            }
        }
        risk
    }
}
