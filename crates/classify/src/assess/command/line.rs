//! One simple command.

use portcullis_paths::{Dialect, ErrorKind, Operation, State};

use super::Text;
use super::sources::fetches;
use super::spot::Spot;
use crate::assess::findings::Object;
use crate::assess::gather::Stop;
use crate::assess::judge::{PathOperand, Refused};
use crate::commands::flow::{Directories, Directory};
use crate::commands::{
    Argument, Fact, Line, PathRole, Reading, Role, Value, base_name, hands_on, read_named, spelled,
};
use crate::policy::Named;
use crate::policy::builtin::{deed_cause, rules};
use crate::shell::{Part, SimpleCommand, wrapper_facts};
use crate::{Cause, Code, EffectKind, Layer, show};

/// Folders in which the programs of the system lie.
const SYSTEM: &[&str] = &[
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/opt/homebrew/bin",
];

impl<'s> Text<'_, '_, 's> {
    pub(super) fn commands(&mut self) -> Result<(), Stop> {
        let flow = self.flow;
        for (number, command) in flow.script().commands().iter().enumerate() {
            if !command.words.is_empty() {
                let before = self.gather.findings.effects.len();
                self.command(number, command)?;
                self.told_secrets(number, command)?;
                let mut new = self.gather.findings.effects.iter().skip(before);
                self.may_write |= new.any(|effect| !is_quiet(effect.kind));
                self.gather.judge.named = Named::default();
                self.may_link |= std::mem::take(&mut self.will_link);
            }
        }
        Ok(())
    }

    /// What stands in directories whose names the shell itself looks up for a pattern.
    pub(super) fn listings(&mut self) -> Result<(), Stop> {
        let flow = self.flow;
        for part in flow.script().parts() {
            let command = match part {
                Part::Command(number) => Some(*number),
                Part::Group(_) => None,
            };
            let spot = Spot {
                command,
                role: PathRole::Of(Operation::List),
                directories: flow.directories(*part),
                sources: &[],
            };
            let words = flow.script().expanded(*part).filter(|word| flow.selects(word));
            for argument in words.map(|word| flow.argument(*part, word)) {
                for value in argument.values() {
                    self.at_word(argument.place(), |this| match value {
                        Value::Pattern(pattern) => this.listed(pattern, spot),
                        Value::Unknown { start, .. } => {
                            let cause = rules::OPERAND_MOVES.cause();
                            this.plain(command, EffectKind::List, &format!("{start}…"), cause)
                        }
                        _ => Ok(()),
                    })?;
                }
            }
        }
        Ok(())
    }

    fn command(&mut self, number: usize, command: &'s SimpleCommand) -> Result<(), Stop> {
        let flow = self.flow;
        let Some((name, arguments)) = spelled(flow, number, command) else {
            self.may_write = true;
            return self.nameless(number, command);
        };
        let arguments = self.without_dashes(arguments, flow.directories(Part::Command(number)));
        let table = self.table;
        let reading = read_named(table, name, &arguments);
        if fetches(name, reading.as_ref()) {
            self.fetching.push(number);
        }
        let line = Line {
            table,
            name,
            arguments: &arguments,
            reading: reading.as_ref(),
            hands_on: hands_on(flow.script(), number),
        };
        let judge = self.gather.judge;
        self.gather.judge.named = judge.policy.naming(judge.tool.name(), line);
        let is_file =
            name.contains('/') && !SYSTEM.contains(&name.rsplit_once('/').map_or("", |(folder, _)| folder));
        let wrapper = wrapper_facts(base_name(name)).filter(|_| !is_file);
        self.itself(number, line, is_file, wrapper)?;
        self.deeds(number, line, wrapper.unwrap_or_default())?;
        let directories = flow.directories(Part::Command(number));
        if is_file {
            let argument = Argument::literal(name);
            self.path(number, PathRole::Execute, &argument, directories, &[])?;
        }
        match &reading {
            Some(reading) if !is_file => {
                self.read(number, line, reading, directories)?;
                // What a user explains is not told better than by its own words: a place that nobody may touch stays so.
                if reading.misread.is_some() || table.is_added(base_name(name)) {
                    self.words_of_the_unknown(number, &arguments, directories)?;
                }
            }
            Some(reading) => {
                // A script of the project that is called like a known program does at least what that one does.
                self.read(number, line, reading, directories)?;
                self.words_of_the_unknown(number, &arguments, directories)?;
            }
            None if wrapper.is_some() => {}
            None => {
                if !is_file {
                    self.suspicions(number, &arguments)?;
                }
                self.words_of_the_unknown(number, &arguments, directories)?;
            }
        }
        self.besides(number, line, directories)
    }

    /// Looks whether a name that begins with a dash is there to be selected by a wildcard, which would make it an option.
    fn without_dashes(&self, arguments: Vec<Argument<'s>>, directories: &Directories) -> Vec<Argument<'s>> {
        if self.may_write || !arguments.iter().any(Argument::begins_with_a_wildcard) {
            return arguments;
        }
        let judge = self.gather.judge;
        let none = |directory: &Directory| {
            let Directory::Path(path) = directory else {
                return false;
            };
            let operand = PathOperand::of_command(self.member, "-*", Operation::Lstat, path);
            matches!(judge.reach(operand), Ok(reach) if reach.selected() == 0 && reach.is_complete())
        };
        if directories.may_be_another() || !directories.known().iter().all(none) {
            return arguments;
        }
        arguments.into_iter().map(Argument::without_dashes).collect()
    }

    /// Which program runs is known only when it runs; its words may still be places that nobody may touch.
    fn nameless(&mut self, number: usize, command: &'s SimpleCommand) -> Result<(), Stop> {
        let flow = self.flow;
        let at = Part::Command(number);
        let words = command.words.iter();
        let arguments: Vec<_> = words.map(|word| flow.argument(at, word)).collect();
        self.plain(
            Some(number),
            EffectKind::Opaque,
            "",
            rules::COMMAND_UNKNOWN.because("which program runs is known only when it runs"),
        )?;
        self.maybe(number, &arguments, flow.directories(at))?;
        self.suspicions(number, &arguments)?;
        self.words_of_the_unknown(number, &arguments, flow.directories(at))
    }

    /// The effect that a program runs at all.
    pub(super) fn itself(
        &mut self,
        number: usize,
        line: Line<'_, 's>,
        is_file: bool,
        wrapper: Option<&[Fact]>,
    ) -> Result<(), Stop> {
        let judge = self.gather.judge;
        let misread = line.reading.and_then(|reading| reading.misread.as_ref());
        let (kind, cause) = match (line.reading, misread) {
            (_, _) if is_file => (EffectKind::Execute, rules::COMMAND_KNOWN.because("runs a file")),
            (None, _) if wrapper.is_some() => (EffectKind::Execute, rules::COMMAND_KNOWN.cause()),
            (None, _) => (EffectKind::Opaque, rules::COMMAND_UNKNOWN.cause()),
            (Some(_), Some((word, why))) => {
                let text = format!("`{}` {}", show::operand(self.spared(word)), why.sentence());
                (EffectKind::Opaque, rules::COMMAND_UNREAD.because(&text))
            }
            (Some(_), None) if line.table.is_added(base_name(line.name)) => {
                let cause = rules::COMMAND_KNOWN.because("runs a program that your policy explains");
                (
                    EffectKind::Execute,
                    Cause {
                        layer: Layer::User,
                        ..cause
                    },
                )
            }
            (Some(_), None) => (EffectKind::Execute, rules::COMMAND_KNOWN.cause()),
        };
        let causes = judge.with_rules(vec![cause], kind, Some(line));
        self.add(Some(number), kind, line.name, Object::default(), causes)
    }

    pub(super) fn read(
        &mut self,
        number: usize,
        line: Line<'_, 's>,
        reading: &Reading<'s, 's>,
        directories: &Directories,
    ) -> Result<(), Stop> {
        let moved = self.acts(number, reading, directories)?;
        self.facts(number, line, reading, &moved)
    }

    /// Every word that does something. Gives the directories in which the program then is.
    fn acts(
        &mut self,
        number: usize,
        reading: &Reading<'s, 's>,
        directories: &Directories,
    ) -> Result<Directories, Stop> {
        let mut directories = directories.clone();
        let is_move = |role: Role| role == Role::Path(PathRole::WorkingDir);
        for act in reading.acts.iter().filter(|act| is_move(act.role)) {
            self.path(number, PathRole::WorkingDir, &act.argument, &directories, &[])?;
            directories = directories.below_all(&act.argument);
        }
        let sources: Vec<&Argument<'s>> = reading
            .acts
            .iter()
            .filter(|act| is_source(act.role))
            .map(|act| &act.argument)
            .collect();
        for act in reading.acts.iter().filter(|act| !is_move(act.role)) {
            self.act(number, act, &directories, &sources)?;
        }
        Ok(directories)
    }

    fn facts(
        &mut self,
        number: usize,
        line: Line<'_, 's>,
        reading: &Reading<'s, 's>,
        directories: &Directories,
    ) -> Result<(), Stop> {
        let about_project = |fact: &Fact| {
            matches!(
                fact,
                Fact::ProjectCode | Fact::Repository | Fact::WorkTree | Fact::Fetches | Fact::Discards
            )
        };
        if reading.facts.iter().any(about_project) {
            self.project(number, reading, directories)?;
        }
        self.deeds(number, line, &reading.facts)?;
        self.may_link |= reading.facts.contains(&Fact::WorkTree);
        Ok(())
    }

    pub(super) fn deeds(&mut self, number: usize, line: Line<'_, 's>, facts: &[Fact]) -> Result<(), Stop> {
        let preset = self.gather.judge.policy.preset();
        let name = line.name;
        for fact in facts {
            if let Some((kind, cause)) = deed_cause(preset, *fact) {
                let line = (kind == EffectKind::Opaque).then_some(line);
                let causes = self.gather.judge.with_rules(vec![cause], kind, line);
                self.add(Some(number), kind, name, Object::default(), causes)?;
            }
        }
        Ok(())
    }

    /// Where the project is that a program works on, and whether its code may run.
    fn project(
        &mut self,
        number: usize,
        reading: &Reading<'s, 's>,
        directories: &Directories,
    ) -> Result<(), Stop> {
        let runs = reading.facts.contains(&Fact::ProjectCode);
        let kind = EffectKind::Execute;
        if directories.may_be_another() {
            self.plain(Some(number), kind, "", rules::FROM_NOWHERE.cause())?;
        }
        for directory in directories.known() {
            let Directory::Path(path) = directory else {
                self.plain(Some(number), kind, "", rules::COMMAND_OUTSIDE.cause())?;
                continue;
            };
            let operand = PathOperand {
                member: self.member,
                text: path,
                dialect: &Dialect::SHELL_WORD,
                operation: Operation::WorkingDir,
                cwd: None,
            };
            let judge = self.gather.judge;
            let (mut object, mut causes) = match judge.resolve(operand) {
                Ok(target) => {
                    let mut causes = judge.ruled_causes(kind, target.touches());
                    causes.push(match judge.root_of(&target) {
                        None => rules::COMMAND_OUTSIDE.cause(),
                        Some(root) if runs && judge.is_trusted(root) => rules::PROJECT_TRUSTED.cause(),
                        Some(_) if runs => rules::PROJECT_CODE.cause(),
                        Some(_) => rules::COMMAND_KNOWN.because("works on the project in the workspace"),
                    });
                    (Object::from(target), causes)
                }
                // Nothing runs in what is not there; where the text makes it first, it is what stands around it.
                Err(Refused::Path {
                    kind: ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::WrongType,
                    ..
                }) => self.absent_project(path, runs),
                Err(refused) => self.gather.refused(kind, refused),
            };
            if causes.is_empty() {
                causes.push(rules::COMMAND_OUTSIDE.cause());
            }
            object.code = runs.then(|| self.deciding(reading, path));
            causes.extend(self.recipe_cause().filter(|_| runs));
            self.add(Some(number), kind, path, object, causes)?;
        }
        Ok(())
    }

    /// A directory that is not there, in which a program is to work.
    fn absent_project(&self, path: &str, runs: bool) -> (Object, Vec<Cause>) {
        let judge = self.gather.judge;
        let kind = EffectKind::Execute;
        let operand = PathOperand::of_command(self.member, path, Operation::MakeDir, "/");
        match judge.resolve(operand) {
            Ok(target) => {
                let mut causes = judge.ruled_causes(kind, target.touches());
                causes.push(match judge.root_of(&target) {
                    None => rules::COMMAND_OUTSIDE.cause(),
                    Some(_) if self.may_link => rules::MAY_COME.cause(),
                    Some(root) if runs && judge.is_trusted(root) => rules::PROJECT_TRUSTED.cause(),
                    Some(_) if runs => rules::PROJECT_CODE.cause(),
                    Some(_) => rules::COMMAND_KNOWN.because("works on the project in the workspace"),
                });
                (Object::from(Some(target.place().clone())), causes)
            }
            Err(_) if self.may_write || self.may_link => (Object::default(), vec![rules::MAY_COME.cause()]),
            // A file, or below one: no program can begin there.
            Err(_) => (Object::default(), vec![rules::NOTHING_THERE.cause()]),
        }
    }

    /// The files that say what of the project's code runs.
    fn deciding(&self, reading: &Reading<'s, 's>, directory: &str) -> Code {
        let judge = self.gather.judge;
        let mut files = Vec::new();
        for name in &reading.decided_by {
            let operand = PathOperand::of_command(self.member, name, Operation::Read, directory);
            match judge.resolve(operand) {
                Ok(target) if matches!(target.state(), State::Existing(_)) => files.push(target),
                Ok(_) => {}
                Err(Refused::Path {
                    kind: ErrorKind::NotFound,
                    ..
                }) => {}
                // It is there, and what it says is not known.
                Err(_) => return Code::Unknown,
            }
        }
        match files {
            none if none.is_empty() => Code::Unknown,
            files => Code::Files(files),
        }
    }

    pub(super) fn redirections(&mut self) -> Result<(), Stop> {
        let flow = self.flow;
        for (at, redirection) in flow.redirections() {
            let Some(word) = redirection.file() else { continue };
            let command = match at {
                Part::Command(number) => Some(number),
                Part::Group(_) => None,
            };
            let argument = flow.argument(at, word);
            let role = match redirection.operator {
                crate::shell::Operator::Read => Operation::Read,
                _ => Operation::Write,
            };
            let spot = Spot {
                command,
                role: PathRole::Of(role),
                directories: flow.directories(at),
                sources: &[],
            };
            self.spot(&argument, spot)?;
        }
        Ok(())
    }
}

/// Whether an effect leaves no new names behind. That a program runs at all is no effect of that sort.
const fn is_quiet(kind: EffectKind) -> bool {
    matches!(
        kind,
        EffectKind::Read | EffectKind::List | EffectKind::Search | EffectKind::Execute | EffectKind::Connect
    )
}

fn is_source(role: Role) -> bool {
    matches!(
        role,
        Role::Path(PathRole::Of(
            Operation::CopyFrom | Operation::MoveFrom | Operation::Read | Operation::HardLinkFrom
        )) | Role::Remote(PathRole::Of(_))
    )
}
