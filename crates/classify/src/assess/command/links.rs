//! Links that the text itself makes, so that what goes through one counts for the place that it leads to.

use std::borrow::Cow;

use super::Text;
use crate::commands::written::{collapsed, joined};
use crate::commands::{Argument, base_name};
use crate::shell::Word;

/// Most links of one text that are followed.
const MOST: usize = 16;

impl Text<'_, '_, '_> {
    /// Notes a link at a path to each of what may be its text, from the directory in which it is made.
    pub(super) fn links_to(&mut self, directory: &str, path: &str, sources: &[&Argument<'_>]) {
        let texts = sources.iter().flat_map(|source| source.values());
        for text in texts.filter_map(|value| value.literal()) {
            if self.links.len() < MOST {
                let link = (collapsed(path), collapsed(&joined(directory, text)));
                self.links.push(link);
            }
        }
    }

    /// The path as a program sees it that goes through a link also where it stands last.
    pub(super) fn as_followed<'p>(&self, command: Option<usize>, path: &'p str) -> Cow<'p, str> {
        let command = command.and_then(|number| self.flow.script().commands().get(number));
        let follows = command.is_some_and(|command| {
            let says = |word: &Word| matches!(word.literal(), Some("-L" | "-H" | "-follow"));
            command.name().map(base_name) == Some("find") && command.words.iter().any(says)
        });
        match follows {
            true => Cow::Owned(format!("{path}/")),
            false => Cow::Borrowed(path),
        }
    }

    /// Where a path leads that goes through such a link: one that ends there is the link itself.
    pub(super) fn through_links(&self, path: &str) -> Option<String> {
        let clean: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let ends_behind = path.ends_with('/') || clean.last() == Some(&".");
        let whole = collapsed(path);
        self.links.iter().rev().find_map(|(link, to)| {
            let rest = whole.strip_prefix(link.as_str())?;
            match rest {
                "" => ends_behind.then(|| to.clone()),
                rest => rest.starts_with('/').then(|| collapsed(&format!("{to}{rest}"))),
            }
        })
    }
}
