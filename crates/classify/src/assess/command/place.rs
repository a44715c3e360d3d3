//! Path operands: the same dialect, resolver and rules as for file tools.

use portcullis_paths::{Dialect, ErrorKind, FileKind, Operation, State};

use super::Text;
use super::ruin::Ruin;
use crate::assess::findings::Object;
use crate::assess::gather::Stop;
use crate::assess::judge::{PathOperand, Refused};
use crate::commands::flow::{Directories, Directory};
use crate::commands::written::{climbs, collapsed, joined};
use crate::commands::{Argument, PathRole, Value};
use crate::policy::builtin::rules;
use crate::private::Reach;
use crate::{Cause, EffectKind, Risk};

/// Devices that hold nothing and keep nothing.
const HARMLESS: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
];

/// What is done with a path, and from where.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot<'p, 's> {
    pub(super) command: Option<usize>,
    pub(super) role: PathRole,
    pub(super) directories: &'p Directories,
    /// What is put there, for what may be a directory.
    pub(super) sources: &'p [&'p Argument<'s>],
}

/// One resolved reading of an operand.
struct Judged {
    kind: EffectKind,
    object: Object,
    causes: Vec<Cause>,
    /// A directory stands there.
    is_directory: bool,
}

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
        for value in argument.values() {
            match value {
                Value::Literal(text) => self.literal(text, spot)?,
                Value::Pattern(pattern) => self.pattern(pattern, spot)?,
                Value::Fresh(_) => {}
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
        if matches!(text, "" | "-") || is_harmless_device(text) {
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
                Directory::Fresh(_) => {}
            }
        }
        Ok(())
    }

    /// How far a command searches.
    fn reach(&self, command: Option<usize>) -> Reach {
        let commands = self.flow.script().commands();
        let command = command.and_then(|number| commands.get(number));
        match command.and_then(|command| command.words.split_first()) {
            Some((name, words)) => match name.literal() {
                Some(name) => Reach::of_program(name, words.iter().map(|word| word.literal())),
                None => Reach::default(),
            },
            None => Reach::default(),
        }
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
        let whole = joined(directory, text);
        if let Some(ruin) = self.ruin(spot.role, &whole, judged.object.place.as_ref()) {
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
                let fact = crate::policy::builtin::deed_cause(preset, crate::commands::Fact::Discards);
                if let Some((kind, cause)) = fact {
                    self.plain(spot.command, kind, text, cause)?;
                }
            }
            PathRole::MoveTo | PathRole::LinkTo => self.may_link = true,
            PathRole::Put => {
                self.may_link |= spot
                    .sources
                    .iter()
                    .any(|source| source.values().iter().any(|one| one.literal().is_none()));
            }
            _ => {}
        }
        Ok(())
    }

    /// What is put into a directory has the name that it had before.
    fn in_directory(&mut self, directory: &str, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        self.may_link = true;
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

    /// Resolves one reading and gives its causes, at least one.
    fn judged(&mut self, directory: &str, text: &str, operation: Operation, role: PathRole) -> Judged {
        let judge = self.gather.judge;
        let kind = kind_of(role);
        let operand = PathOperand {
            member: self.member,
            text,
            dialect: &Dialect::SHELL_WORD,
            operation,
            cwd: Some(directory.as_ref()),
        };
        match judge.resolve(operand) {
            Ok(target) => {
                let is_directory = target.state() == State::Existing(FileKind::Dir);
                let mut causes = match role {
                    PathRole::WorkingDir => judge.ruled_causes(kind, target.touches()),
                    PathRole::Execute => self.run(&target),
                    _ if kind == EffectKind::List && is_temporary(target.place().as_bytes()) => {
                        judge.ruled_causes(kind, target.touches())
                    }
                    _ => judge.target_causes(kind, &target),
                };
                if causes.is_empty() {
                    causes.push(match role {
                        PathRole::WorkingDir => rules::COMMAND_KNOWN.because("works there"),
                        _ => rules::TEMPORARY_LIST.cause(),
                    });
                }
                Judged {
                    kind,
                    object: target.into(),
                    causes,
                    is_directory,
                }
            }
            Err(Refused::Path {
                place,
                touches,
                cause,
                kind: error,
            }) => {
                let mut judged = self.failing(kind, place, cause, error, operand, role);
                if error != ErrorKind::Protected {
                    // A place that a rule names is meant also while nothing is there.
                    let ruled = judge.ruled_causes(kind, &touches).into_iter();
                    let ruled = ruled.filter(|cause| cause.risk > Risk::Allow);
                    let new =
                        ruled.filter(|cause| judged.causes.iter().all(|known| known.rule != cause.rule));
                    let new: Vec<_> = new.collect();
                    judged.causes.extend(new);
                }
                judged
            }
            Err(refused) if role == PathRole::WorkingDir => {
                let (object, causes) = self.gather.refused(kind, refused);
                let causes = causes.into_iter().filter(|cause| cause.risk == Risk::Deny);
                let mut causes: Vec<_> = causes.collect();
                causes.push(rules::NOTHING_THERE.cause());
                Judged {
                    kind,
                    object,
                    causes,
                    is_directory: false,
                }
            }
            Err(refused) => {
                let (object, causes) = self.gather.refused(kind, refused);
                Judged {
                    kind,
                    object,
                    causes,
                    is_directory: false,
                }
            }
        }
    }

    /// What cannot be done does nothing: a command only fails there. Its name still counts, and what comes before may
    /// change that.
    fn failing(
        &mut self,
        kind: EffectKind,
        place: Option<portcullis_paths::Place>,
        cause: Cause,
        error: ErrorKind,
        operand: PathOperand<'_>,
        role: PathRole,
    ) -> Judged {
        let judge = self.gather.judge;
        let again = match (error, operand.operation) {
            (ErrorKind::WrongType | ErrorKind::NotADirectory, Operation::List) => Some(Operation::Stat),
            (ErrorKind::WrongType | ErrorKind::NotADirectory, Operation::Search) => Some(Operation::Read),
            (ErrorKind::WrongType, Operation::Read) => Some(Operation::List),
            (
                ErrorKind::WrongType | ErrorKind::Exists,
                Operation::Write | Operation::MoveTo | Operation::LinkTo,
            ) => Some(Operation::List),
            (ErrorKind::WrongType, Operation::Delete) => Some(Operation::DeleteTree),
            _ => None,
        };
        if let Some(operation) = again
            && let Ok(target) = judge.resolve(PathOperand { operation, ..operand })
        {
            let is_directory = target.state() == State::Existing(FileKind::Dir);
            return Judged {
                kind,
                causes: judge.target_causes(kind, &target),
                object: target.into(),
                is_directory,
            };
        }
        let fails = matches!(
            error,
            ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::WrongType
                | ErrorKind::Exists
                | ErrorKind::NotEmpty
                | ErrorKind::Loop
                | ErrorKind::TooLong
        );
        let mut causes = Vec::new();
        if !fails {
            causes.push(cause);
        } else if self.may_link || role == PathRole::Execute {
            causes.push(rules::MAY_COME.cause());
        } else {
            causes.push(rules::NOTHING_THERE.cause());
        }
        let whole = joined(
            &operand.cwd.unwrap_or("/".as_ref()).to_string_lossy(),
            operand.text,
        );
        let named = match &place {
            Some(place) => place.as_bytes().to_vec(),
            None => collapsed(&whole).into_bytes(),
        };
        let home = judge.resolver.ambient().home();
        causes.extend(judge.policy.name_causes(kind, [named.as_slice()], home));
        Judged {
            kind,
            object: place.into(),
            causes,
            is_directory: false,
        }
    }

    /// A file is run: the project's own code, or somebody else's.
    fn run(&self, target: &portcullis_paths::Target) -> Vec<Cause> {
        let judge = self.gather.judge;
        let mut causes = judge.ruled_causes(EffectKind::Execute, target.touches());
        causes.push(match judge.root_of(target) {
            Some(root) if judge.is_trusted(root) => rules::PROJECT_TRUSTED.cause(),
            Some(_) => rules::PROJECT_CODE.cause(),
            None => rules::COMMAND_UNKNOWN.because("runs a file outside the workspace"),
        });
        causes
    }

    /// A word of a command that is not understood: it counts only where nobody may go.
    pub(super) fn only_denied(
        &mut self,
        number: usize,
        text: &str,
        directories: &Directories,
    ) -> Result<(), Stop> {
        if text.is_empty() || text.starts_with('-') && !text.contains('/') || is_harmless_device(text) {
            return Ok(());
        }
        let judge = self.gather.judge;
        let places: Vec<String> = match text.starts_with('/') {
            true => vec!["/".to_owned()],
            false => directories
                .known()
                .iter()
                .filter_map(|directory| match directory {
                    Directory::Path(path) => Some(path.clone()),
                    Directory::Fresh(_) => None,
                })
                .collect(),
        };
        for place in places {
            for operation in [Operation::Read, Operation::Write] {
                let operand = PathOperand {
                    member: self.member,
                    text,
                    dialect: &Dialect::SHELL_WORD,
                    operation,
                    cwd: Some(place.as_ref()),
                };
                let kind = EffectKind::of(operation);
                let (object, causes) = match judge.resolve(operand) {
                    Ok(target) => {
                        let causes = judge.ruled_causes(kind, target.touches());
                        (Object::from(target), causes)
                    }
                    Err(Refused::Path {
                        place,
                        cause,
                        kind: ErrorKind::Protected,
                        ..
                    }) => (Object::from(place), vec![cause]),
                    Err(Refused::Path { place, touches, .. } | Refused::Outside { place, touches, .. }) => {
                        (Object::from(place), judge.ruled_causes(kind, &touches))
                    }
                    Err(_) => continue,
                };
                let denied: Vec<Cause> = causes
                    .into_iter()
                    .filter(|cause| cause.risk == Risk::Deny)
                    .collect();
                if !denied.is_empty() {
                    self.add(Some(number), kind, text, object, denied)?;
                }
            }
        }
        Ok(())
    }
}

impl Ruin {
    pub(super) fn cause(&self) -> Cause {
        rules::RUIN.because(&self.text)
    }
}

/// The operation that the resolver is asked about.
pub(super) fn operation_of(role: PathRole) -> Operation {
    match role {
        PathRole::Of(operation) => operation,
        PathRole::Put | PathRole::Restore => Operation::Write,
        PathRole::MoveTo => Operation::MoveTo,
        PathRole::LinkTo => Operation::LinkTo,
        PathRole::MetaTree => Operation::SetMeta,
        // Some names below go; the directory and what nobody may touch in it need not.
        PathRole::DeleteBelow => Operation::SetMeta,
        PathRole::ListTree => Operation::List,
        PathRole::WorkingDir => Operation::WorkingDir,
        PathRole::Execute => Operation::Read,
    }
}

pub(super) fn kind_of(role: PathRole) -> EffectKind {
    match role {
        PathRole::Execute | PathRole::WorkingDir => EffectKind::Execute,
        PathRole::DeleteBelow => EffectKind::Delete,
        role => EffectKind::of(operation_of(role)),
    }
}

/// What stands behind `~`.
fn at_home(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('~')?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

pub(super) fn is_harmless_device(text: &str) -> bool {
    HARMLESS.contains(&text)
        || text
            .strip_prefix("/dev/fd/")
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The directories that everybody may look into to see what is there.
fn is_temporary(place: &[u8]) -> bool {
    matches!(place, b"/tmp" | b"/var/tmp")
}
