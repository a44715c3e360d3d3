//! Words that name a place in a way of their own: addresses, revisions, repositories, forms and mounts.

use portcullis_paths::{Operation, State};

use super::READ;
use crate::assess::command::Text;
use crate::assess::command::hosts::{self, is_loopback};
use crate::assess::command::spot::Spot;
use crate::assess::gather::Stop;
use crate::assess::judge::PathOperand;
use crate::commands::flow::{Directories, Directory};
use crate::commands::written::{collapsed, joined};
use crate::commands::{Fact, PathRole};
use crate::policy::builtin::{deed_cause, rules};
use crate::{EffectKind, show};

impl<'s> Text<'_, '_, 's> {
    pub(super) fn address(&mut self, number: usize, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let lower = text.to_ascii_lowercase();
        if let Some(path) = lower.strip_prefix("file:") {
            let path = text.get(text.len() - path.len()..).unwrap_or_default();
            let path = path
                .strip_prefix("//localhost")
                .or_else(|| path.strip_prefix("//"))
                .unwrap_or(path);
            return self.literal(path, spot);
        }
        let shown = show::without_credentials(text);
        if is_loopback(text) {
            return self.plain(Some(number), EffectKind::Connect, &shown, rules::LOOPBACK.cause());
        }
        let preset = self.gather.judge.policy.preset();
        match deed_cause(preset, Fact::Connects) {
            Some((kind, mut cause)) => {
                cause.text = format!("talks to {}", show::operand(hosts::host_of(text)));
                self.plain(Some(number), kind, &shown, cause)
            }
            None => Ok(()),
        }
    }

    /// A revision, or `REV:path`, or a path.
    pub(super) fn revision(&mut self, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        if text.starts_with(':') || text.is_empty() {
            return Ok(());
        }
        if let Some((_, path)) = text.split_once(':')
            && !path.is_empty()
            && !text.contains("://")
        {
            self.literal(path, Spot { role: READ, ..spot })?;
        }
        let looks_like_a_path = text.starts_with(['/', '~']) || text.split('/').any(|part| part == "..");
        if looks_like_a_path
            || self.is_there(text, spot.directories)
            || self.is_private(text, spot.directories)
        {
            return self.literal(text, spot);
        }
        Ok(())
    }

    /// Whether something of this name is there, in any of these directories.
    pub(in crate::assess::command) fn is_there(&self, text: &str, directories: &Directories) -> bool {
        let judge = self.gather.judge;
        directories.known().iter().any(|directory| match directory {
            Directory::Path(path) => {
                let operand = PathOperand::of_command(self.member, text, Operation::Lstat, path);
                matches!(judge.resolve(operand), Ok(target) if !matches!(target.state(), State::Missing { .. }))
            }
            Directory::Fresh(_) => false,
        })
    }

    /// Whether it is a name that asks, also where nothing is there.
    fn is_private(&self, text: &str, directories: &Directories) -> bool {
        let judge = self.gather.judge;
        let home = judge.resolver.ambient().home();
        directories.known().iter().any(|directory| match directory {
            Directory::Path(path) => {
                let whole = collapsed(&joined(path, text));
                let named = judge
                    .policy
                    .name_causes(EffectKind::Read, [whole.as_bytes()], home);
                !named.is_empty()
            }
            Directory::Fresh(_) => false,
        })
    }

    pub(super) fn repository(&mut self, number: usize, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        if is_remote(text) {
            return self.address(number, text, spot);
        }
        if text.starts_with(['/', '.', '~']) {
            return self.literal(
                text,
                Spot {
                    role: PathRole::Of(Operation::CopyFrom),
                    ..spot
                },
            );
        }
        Ok(())
    }

    /// `@file`, and `name=@file` of a form.
    pub(super) fn at_file(&mut self, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let whole = text.strip_prefix('@');
        let member = text
            .split_once("=@")
            .or_else(|| text.split_once("=<"))
            .map(|(_, file)| file.split(';').next().unwrap_or_default());
        let encoded = text
            .split_once('@')
            .filter(|(name, _)| {
                name.bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
            })
            .map(|(_, file)| file);
        for file in [whole, member, encoded].into_iter().flatten() {
            self.literal(file.trim_matches('"'), spot)?;
        }
        Ok(())
    }

    pub(super) fn mount(&mut self, number: usize, text: &str, directories: &Directories) -> Result<(), Stop> {
        let key = |part: &'_ str| {
            let (key, value) = part.split_once('=')?;
            matches!(key, "source" | "src").then_some(value.to_owned())
        };
        let path = match text.split(',').find_map(key) {
            Some(path) => path,
            None => text.split(':').next().unwrap_or_default().to_owned(),
        };
        // A name without a slash is one of a volume.
        if !path.contains('/') && !path.starts_with(['.', '~']) {
            return Ok(());
        }
        for role in [PathRole::Of(Operation::Search), PathRole::Of(Operation::SetMeta)] {
            let spot = Spot {
                command: Some(number),
                role,
                directories,
                sources: &[],
            };
            self.literal(&path, spot)?;
        }
        self.plain(Some(number), EffectKind::Write, &path, rules::MOUNTED.cause())
    }
}

/// `HOST:PATH` or an address: a colon before the first slash.
pub(in crate::assess::command) fn is_remote(text: &str) -> bool {
    if text.contains("://") {
        return true;
    }
    let head = text.split('/').next().unwrap_or_default();
    head.contains(':') && !head.starts_with(':')
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("host:path", true)]
    #[case("me@host:", true)]
    #[case("rsync://host/x", true)]
    #[case("./a:b", false)]
    #[case("a/b:c", false)]
    #[case("origin", false)]
    fn a_colon_before_a_slash_is_a_host(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_remote(text), expected);
    }
}
