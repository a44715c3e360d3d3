//! Path operands: the same dialect, resolver and rules as for file tools.

use portcullis_paths::Operation;

use super::Text;
use super::devices::is_harmless_device;
use super::spot::{Spot, kind_of, operation_of};
use crate::Code;
use crate::assess::gather::Stop;
use crate::commands::flow::{Directories, Directory};
use crate::commands::written::{climbs, joined};
use crate::commands::{Argument, Fact, PathRole, Value};
use crate::policy::builtin::{deed_cause, rules};
use crate::private::Reach;
use crate::shell::Part;

impl<'s> Text<'_, '_, 's> {
    pub(super) fn path(
        &mut self,
        number: usize,
        role: PathRole,
        argument: &Argument<'s>,
        directories: &Directories,
        sources: &[&Argument<'s>],
    ) -> Result<(), Stop> {
        let spot = Spot {
            command: Some(number),
            role,
            directories,
            sources,
        };
        self.spot(argument, spot)
    }

    pub(super) fn spot(&mut self, argument: &Argument<'s>, spot: Spot<'_, 's>) -> Result<(), Stop> {
        self.at_word(argument.place(), |this| this.each_spot(argument, spot))
    }

    fn each_spot(&mut self, argument: &Argument<'s>, spot: Spot<'_, 's>) -> Result<(), Stop> {
        for value in argument.values() {
            match value {
                Value::Literal(text) => self.literal(text, spot)?,
                Value::Pattern(pattern) => self.pattern(pattern, spot)?,
                Value::Fresh(rest) if spot.role == PathRole::Execute => self.runs_fresh(spot, rest)?,
                Value::Fresh(_) => {}
                Value::Found(found) => self.found(found, spot)?,
                Value::Unknown { start, .. } => {
                    self.plain(
                        spot.command,
                        kind_of(spot.role),
                        &format!("{start}…"),
                        rules::OPERAND_MOVES.cause(),
                    )?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn literal(&mut self, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        // Nothing, standard input, and what keeps nothing.
        if matches!(text, "" | "-") || is_harmless_device(text) && !changes_names(spot.role) {
            return Ok(());
        }
        // Some programs look for a home themselves.
        if let (Some(rest), Some(home)) = (at_home(text), self.gather.judge.resolver.ambient().home()) {
            let home = format!("{}{rest}", home.to_string_lossy());
            self.at("/", &home, spot)?;
        }
        self.everywhere(text, spot, Self::at)
    }

    /// Judges a text in every directory in which the program may be.
    pub(super) fn everywhere(
        &mut self,
        text: &str,
        spot: Spot<'_, 's>,
        judge: fn(&mut Self, &str, &str, Spot<'_, 's>) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if text.starts_with('/') {
            return judge(self, "/", text, spot);
        }
        if spot.directories.may_be_another() {
            self.plain(
                spot.command,
                kind_of(spot.role),
                text,
                rules::FROM_NOWHERE.cause(),
            )?;
        }
        for directory in spot.directories.known() {
            match directory {
                Directory::Path(path) => judge(self, path, text, spot)?,
                Directory::Fresh(_) if climbs(text) => {
                    self.plain(
                        spot.command,
                        kind_of(spot.role),
                        text,
                        rules::OPERAND_MOVES.cause(),
                    )?;
                }
                Directory::Fresh(_) if spot.role == PathRole::Execute => self.runs_fresh(spot, text)?,
                Directory::Fresh(_) => {}
            }
        }
        Ok(())
    }

    /// How far a command searches.
    fn reach(&self, command: Option<usize>) -> Reach {
        let commands = self.flow.script().commands();
        let Some((number, command)) = command.and_then(|number| Some((number, commands.get(number)?))) else {
            return Reach::default();
        };
        let Some((name, words)) = command.words.split_first() else {
            return Reach::default();
        };
        let Some(name) = name.literal() else {
            return Reach::default();
        };
        let mut known: Vec<Option<String>> = Vec::new();
        for word in words {
            let argument = self.flow.argument(Part::Command(number), word);
            known.extend(
                argument
                    .values()
                    .iter()
                    .map(|value| value.literal().map(str::to_owned)),
            );
        }
        Reach::of_program(name, known.iter().map(Option::as_deref))
    }

    pub(super) fn at(&mut self, directory: &str, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let operation = operation_of(spot.role);
        let mut judged = self.judged(directory, text, operation, spot.role);
        if let Some(target) = &judged.object.target {
            let below = self
                .gather
                .judge
                .below(judged.kind, target, || self.reach(spot.command));
            judged.causes.extend(below);
        }
        if spot.role == PathRole::Execute {
            judged.object.code = Some(Code::Target);
            judged.causes.extend(self.made_cause(directory, text));
        }
        let whole = joined(directory, text);
        let followed = self.as_followed(spot.command, &whole);
        if let Some(ruin) = self.ruin(spot.role, &followed, judged.object.place.as_ref()) {
            judged.causes.push(ruin.cause());
        }
        let into =
            judged.is_directory && matches!(spot.role, PathRole::Put | PathRole::MoveTo | PathRole::LinkTo);
        if into {
            return self.in_directory(directory, text, spot);
        }
        self.add(spot.command, judged.kind, text, judged.object, judged.causes)?;
        match spot.role {
            PathRole::Restore => {
                let preset = self.gather.judge.policy.preset();
                if let Some((kind, cause)) = deed_cause(preset, Fact::Discards) {
                    self.plain(spot.command, kind, text, cause)?;
                }
            }
            PathRole::MoveTo => self.will_link = true,
            PathRole::LinkTo => {
                self.will_link = true;
                self.links_to(directory, &whole, spot.sources);
            }
            PathRole::Put => {
                self.will_link |= spot.puts_what_moves();
            }
            _ => {}
        }
        Ok(())
    }

    /// What is put into a directory has the name that it had before.
    fn in_directory(&mut self, directory: &str, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        self.will_link = true;
        let mut named = 0;
        for value in spot.sources.iter().flat_map(|source| source.values()) {
            let Value::Literal(source) = value else { continue };
            let Some(name) = source.rsplit('/').find(|part| !part.is_empty()) else {
                continue;
            };
            if matches!(name, "." | "..") {
                continue;
            }
            named += 1;
            let inside = format!("{text}/{name}");
            let operation = match spot.role {
                PathRole::MoveTo => Operation::MoveTo,
                PathRole::LinkTo => Operation::LinkTo,
                _ => Operation::Write,
            };
            let judged = self.judged(directory, &inside, operation, spot.role);
            self.add(spot.command, judged.kind, &inside, judged.object, judged.causes)?;
        }
        if named == 0 {
            let judged = self.judged(directory, text, Operation::MakeDir, spot.role);
            self.add(spot.command, judged.kind, text, judged.object, judged.causes)?;
        }
        Ok(())
    }
}

/// Whether the name itself goes or comes, not what is behind it: a device that keeps nothing can be lost as well.
const fn changes_names(role: PathRole) -> bool {
    matches!(
        role,
        PathRole::MoveTo
            | PathRole::LinkTo
            | PathRole::MetaTree
            | PathRole::DeleteBelow
            | PathRole::Of(
                Operation::Delete
                    | Operation::DeleteTree
                    | Operation::MoveFrom
                    | Operation::MoveTo
                    | Operation::LinkTo
                    | Operation::SetMeta
            )
    )
}

/// What stands behind `~`.
fn at_home(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('~')?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}
