//! Words that are no plain paths.

use portcullis_paths::{Operation, State};

use super::hosts::is_loopback;
use super::spot::Spot;
use super::{Text, hosts};
use crate::assess::gather::Stop;
use crate::assess::judge::PathOperand;
use crate::commands::flow::{Directories, Directory};
use crate::commands::written::{collapsed, joined};
use crate::commands::{Act, Argument, Fact, PathRole, Role, Value};
use crate::policy::builtin::{deed_cause, rules};
use crate::{EffectKind, shell, show};

const READ: PathRole = PathRole::Of(Operation::Read);

impl<'s> Text<'_, '_, 's> {
    pub(super) fn act(
        &mut self,
        number: usize,
        act: &Act<'s, 's>,
        directories: &Directories,
        sources: &[&Argument<'s>],
    ) -> Result<(), Stop> {
        self.option = act.option;
        let done = self.at_word(act.argument.place(), |this| {
            this.acted(number, act, directories, sources)
        });
        self.option = None;
        done
    }

    fn acted(
        &mut self,
        number: usize,
        act: &Act<'_, 's>,
        directories: &Directories,
        sources: &[&Argument<'s>],
    ) -> Result<(), Stop> {
        let argument = &act.argument;
        let spot = |role| Spot {
            command: Some(number),
            role,
            directories,
            sources,
        };
        let tests = argument
            .text()
            .filter(|text| act.role == Role::Path(PathRole::Execute) && !self.is_there(text, directories))
            .and_then(place_of_tests);
        if let Some(place) = tests {
            return self.literal(place, spot(PathRole::Execute));
        }
        match act.role {
            Role::Text | Role::Secret | Role::Sub | Role::Command | Role::ShellText => Ok(()),
            Role::PlainText => self.script(number, argument, is_plain_text),
            Role::Name => self.script(number, argument, is_name),
            Role::Opened(_) if !argument.values().iter().all(opens_itself) => self.opaque(number, argument),
            Role::Opened(role) => self.spot(argument, spot(role)),
            Role::Output => self.each(argument, |this, text| {
                let place = text.split_once(':').map_or(text, |(_, place)| place);
                this.literal(place, spot(PathRole::Put))
            }),
            Role::Plus
                if argument
                    .values()
                    .iter()
                    .all(|value| value.literal().is_some_and(|text| text.starts_with('+'))) =>
            {
                Ok(())
            }
            Role::Plus => self.deed(number, Fact::System, argument),
            Role::Path(PathRole::Execute) if argument.text().is_some_and(is_input) => {
                self.deed(number, Fact::InputCode, argument)
            }
            Role::Path(role) => self.spot(argument, spot(role)),
            Role::Url | Role::Host => {
                self.each(argument, |this, text| this.address(number, text, spot(READ)))
            }
            Role::Code => self.opaque(number, argument),
            Role::Elsewhere => self.opaque(number, argument),
            Role::Sed => self.script(number, argument, shell::is_plain_sed),
            Role::Awk => self.script(number, argument, super::awk::is_plain),
            Role::Perl => self.script(number, argument, super::perl::is_plain),
            Role::Inspected if argument.text().is_none_or(shows_settings) => {
                self.deed(number, Fact::Environment, argument)
            }
            Role::Shown if argument.text().is_none_or(|text| text.starts_with('+')) => {
                self.opaque(number, argument)
            }
            Role::Shown => self.spot(argument, spot(READ)),
            Role::Inspected => Ok(()),
            Role::Python => self.script(number, argument, super::python::is_plain),
            Role::Revision => self.each_known(argument, |this, text| this.revision(text, spot(READ))),
            Role::RevisionOrRestore => self.each_known(argument, |this, text| {
                let restored = this.is_there(text, directories);
                let role = if restored { PathRole::Restore } else { READ };
                this.revision(text, spot(role))
            }),
            Role::Repository => self.each(argument, |this, text| this.repository(number, text, spot(READ))),
            Role::Jq if argument.values().iter().any(shows_environment) => {
                self.deed(number, Fact::Environment, argument)
            }
            Role::Jq => Ok(()),
            Role::Source if argument.text().is_none_or(|text| text.starts_with('@')) => {
                self.opaque(number, argument)
            }
            Role::Source => self.spot(argument, spot(READ)),
            Role::AtFile => self.each(argument, |this, text| this.at_file(text, spot(READ))),
            Role::Remote(role) => self.each(argument, |this, text| {
                if is_remote(text) {
                    return this.address(number, text, spot(READ));
                }
                this.literal(text, spot(role))
            }),
            Role::Mount => self.each(argument, |this, text| this.mount(number, text, directories)),
        }
    }

    /// Every value as a text; what is not known asks.
    fn each(
        &mut self,
        argument: &Argument<'s>,
        mut then: impl FnMut(&mut Self, &str) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for value in argument.values() {
            match value {
                Value::Literal(text) => then(self, text)?,
                Value::Pattern(_) | Value::Found(_) | Value::Unknown { .. } => {
                    let shown = argument.to_string();
                    self.plain(None, EffectKind::Opaque, &shown, rules::OPERAND_MOVES.cause())?;
                }
                Value::Fresh(_) => {}
            }
        }
        Ok(())
    }

    /// Every value that is known; what is not does nothing here.
    fn each_known(
        &mut self,
        argument: &Argument<'s>,
        mut then: impl FnMut(&mut Self, &str) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        for text in argument.values().iter().filter_map(Value::literal) {
            then(self, text)?;
        }
        Ok(())
    }

    fn opaque(&mut self, number: usize, argument: &Argument<'s>) -> Result<(), Stop> {
        self.deed(number, Fact::Opaque, argument)
    }

    fn deed(&mut self, number: usize, fact: Fact, argument: &Argument<'s>) -> Result<(), Stop> {
        let preset = self.gather.judge.policy.preset();
        match deed_cause(preset, fact) {
            Some((kind, cause)) => self.plain(Some(number), kind, &argument.to_string(), cause),
            None => Ok(()),
        }
    }

    fn script(
        &mut self,
        number: usize,
        argument: &Argument<'s>,
        is_plain: fn(&str) -> bool,
    ) -> Result<(), Stop> {
        if argument
            .values()
            .iter()
            .all(|value| value.literal().is_some_and(is_plain))
        {
            return Ok(());
        }
        self.opaque(number, argument)
    }

    fn address(&mut self, number: usize, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
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
    fn revision(&mut self, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
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
    fn is_there(&self, text: &str, directories: &Directories) -> bool {
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

    fn repository(&mut self, number: usize, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
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
    fn at_file(&mut self, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
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

    fn mount(&mut self, number: usize, text: &str, directories: &Directories) -> Result<(), Stop> {
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
fn is_remote(text: &str) -> bool {
    if text.contains("://") {
        return true;
    }
    let head = text.split('/').next().unwrap_or_default();
    head.contains(':') && !head.starts_with(':')
}

/// Whether a filter of jq says that it shows the environment.
fn shows_environment(filter: &Value<'_>) -> bool {
    let text = filter.literal().unwrap_or_default();
    let mut words = text.split(|char: char| !char.is_ascii_alphanumeric() && !"_.".contains(char));
    words.any(|word| matches!(word.split('.').next(), Some("env" | "ENV")))
}

/// Whether a text can be nothing but a name.
fn is_name(text: &str) -> bool {
    text.chars()
        .all(|char| char.is_alphanumeric() || "_-.,=:".contains(char))
}

/// Whether opening a file by this text opens what is called so: no sign at either end makes a pipe of it, or another way.
fn opens_itself(value: &Value<'_>) -> bool {
    let text = match value {
        Value::Literal(text) => text.as_ref(),
        Value::Pattern(text) => text.as_ref(),
        Value::Found(_) | Value::Unknown { .. } | Value::Fresh(_) => return false,
    };
    let begins = |char: char| char.is_alphanumeric() || "/._~".contains(char);
    text.starts_with(begins) && text.ends_with(|char: char| char.is_alphanumeric() || char == '_')
}

/// Whether a format of what is told of a container may show its environment: any but a chain of members that hold none.
fn shows_settings(format: &str) -> bool {
    const SHOWN: &[&str] = &[
        ".Name",
        ".Id",
        ".Created",
        ".State",
        ".NetworkSettings",
        ".Image",
        ".RestartCount",
        ".Platform",
        ".RepoTags",
        ".RepoDigests",
        ".Os",
        ".Architecture",
        ".Size",
        ".Mountpoint",
        ".Driver",
    ];
    let mut rest = format;
    while let Some((_, behind)) = rest.split_once("{{") {
        let Some((inner, behind)) = behind.split_once("}}") else {
            return true;
        };
        let inner = inner.trim();
        let chain = inner.strip_prefix("json ").map_or(inner, str::trim);
        let first = chain
            .get(1..)
            .and_then(|rest| rest.find('.'))
            .map_or(chain.len(), |at| at + 1);
        let plain = chain
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || char == '.');
        if !plain || !chain.get(..first).is_some_and(|first| SHOWN.contains(&first)) {
            return true;
        }
        rest = behind;
    }
    format == "json" || rest.len() == format.len()
}

/// What stands before `/...`, which is everything below, or before `::`, which is one test in a file.
fn place_of_tests(text: &str) -> Option<&str> {
    let below = text.strip_suffix("/...");
    let one = text.split_once("::").filter(|(_, test)| !test.contains('/'));
    below
        .or(one.map(|(file, _)| file))
        .filter(|place| !place.is_empty())
}

/// Whether it names the standard input.
fn is_input(text: &str) -> bool {
    let clean = text.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<_> = clean.collect();
    matches!(
        parts.as_slice(),
        ["-"] | ["dev", "stdin"] | ["dev", "fd", _] | ["proc", _, "fd", _]
    )
}

/// Whether a word says nothing but names, numbers and paths.
fn is_plain_text(text: &str) -> bool {
    text.chars()
        .all(|char| char.is_alphanumeric() || "_-./:,@%+".contains(char))
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
