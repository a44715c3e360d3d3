//! Words that are no plain paths.

mod places;
mod plain;
mod settings;
mod sql;

use portcullis_paths::Operation;

use super::Text;
use super::spot::Spot;
use crate::assess::gather::Stop;
use crate::commands::flow::Directories;
use crate::commands::{Act, Argument, Fact, PathRole, Role, Value};
use crate::policy::builtin::{deed_cause, rules};
use crate::{EffectKind, shell};
pub(super) use places::is_remote;
use plain::{
    holds_a_secret, is_input, is_name, is_plain_text, keeps_rights, loads_others, opens_itself,
    place_of_tests, shows_environment, shows_settings,
};

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
            Role::Sql => self.script(number, argument, sql::only_reads),
            Role::Define => self.script(number, argument, settings::only_defines),
            Role::CompilerFlags => self.script(number, argument, shell::are_plain_flags),
            Role::LinkerFlags => self.script(number, argument, settings::are_linker_flags),
            Role::GitSetting => self.script(number, argument, settings::only_shows),
            Role::Debugger => self.script(number, argument, settings::only_looks),
            Role::Task => self.script(number, argument, settings::only_builds),
            Role::GraphQl => self.script(number, argument, settings::only_queries),
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
            Role::Mode if argument.values().iter().all(keeps_rights) => Ok(()),
            Role::Mode => self.deed(number, Fact::Privilege, argument),
            Role::Path(PathRole::Execute) if argument.text().is_some_and(is_input) => {
                self.deed(number, Fact::InputCode, argument)
            }
            Role::Path(role) => self.spot(argument, spot(role)),
            // No file begins so, unless somebody makes one: what looks like a wildcard stays.
            Role::Url if self.stays_an_address(argument, directories) => {
                let shown = argument.to_string();
                self.address(number, &shown, spot(READ))
            }
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
            Role::Jq if argument.values().iter().any(loads_others) => self.opaque(number, argument),
            Role::Jq => Ok(()),
            Role::Setting if argument.text().is_none_or(holds_a_secret) => {
                self.deed(number, Fact::Environment, argument)
            }
            Role::Setting => Ok(()),
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

    /// Whether a pattern is an address, at whose beginning nothing is there that it could select.
    fn stays_an_address(&self, argument: &Argument<'s>, directories: &Directories) -> bool {
        let [Value::Pattern(pattern)] = argument.values() else {
            return false;
        };
        let Some((scheme, rest)) = pattern.split_once("//") else {
            return false;
        };
        let plain = matches!(scheme, "http:" | "https:") && !rest.contains('\\');
        plain && !self.may_write && !directories.may_be_another() && !self.is_there(scheme, directories)
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
}
