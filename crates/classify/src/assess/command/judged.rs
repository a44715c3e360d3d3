//! One reading of a path operand, resolved: what its effect is and why, also where nothing can be held.

use portcullis_paths::{ErrorKind, FileKind, Operation, State};

use super::Text;
use super::spot::{goes_below, kind_of};
use crate::assess::findings::Object;
use crate::assess::judge::{PathOperand, Refused};
use crate::commands::PathRole;
use crate::commands::written::{collapsed, joined};
use crate::policy::builtin::rules;
use crate::{Cause, EffectKind, Risk};

/// One resolved reading of an operand.
pub(super) struct Judged {
    pub(super) kind: EffectKind,
    pub(super) object: Object,
    pub(super) causes: Vec<Cause>,
    /// A directory stands there.
    pub(super) is_directory: bool,
}

impl Text<'_, '_, '_> {
    /// Resolves one reading and gives its causes, at least one.
    pub(super) fn judged(
        &mut self,
        directory: &str,
        text: &str,
        operation: Operation,
        role: PathRole,
    ) -> Judged {
        let judge = self.gather.judge;
        let kind = kind_of(role);
        let operand = PathOperand::of_command(self.member, text, operation, directory);
        match judge.resolve(operand) {
            Ok(target) => {
                let is_directory = target.state() == State::Existing(FileKind::Dir);
                let mut causes = match role {
                    PathRole::WorkingDir => judge.ruled_causes(kind, target.touches()),
                    PathRole::Execute => self.run(&target),
                    _ if kind == EffectKind::List && is_temporary(target.place().as_bytes()) => {
                        judge.ruled_causes(kind, target.touches())
                    }
                    // Whether a file is there is no secret that it holds.
                    PathRole::Of(Operation::Stat | Operation::Lstat) => judge.stat_causes(kind, &target),
                    _ => judge.target_causes(kind, &target),
                };
                if goes_below(role) {
                    causes.extend(judge.mount_below(&target));
                }
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
        } else if self.may_link {
            causes.push(rules::MAY_COME.cause());
        } else if role == PathRole::Execute {
            causes.push(self.run_nothing(operand));
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
        if !matches!(operand.operation, Operation::Stat | Operation::Lstat) {
            causes.extend(judge.policy.name_causes(kind, [named.as_slice()], home));
        }
        Judged {
            kind,
            object: place.into(),
            causes,
            is_directory: false,
        }
    }

    /// Nothing is there to run. Whatever comes is run as the project's, so it has to be in a project that is trusted.
    fn run_nothing(&self, operand: PathOperand<'_>) -> Cause {
        let judge = self.gather.judge;
        let place = [Operation::Write, Operation::MakeDir]
            .into_iter()
            .find_map(|operation| judge.resolve(PathOperand { operation, ..operand }).ok());
        match place.map(|target| judge.root_of(&target)) {
            // What is no name of a file may be one of something that is fetched, or code.
            _ if is_address(operand.text) => rules::MAY_COME.cause(),
            Some(Some(root)) if judge.is_trusted(root) => rules::NOTHING_THERE.cause(),
            Some(Some(_)) => rules::PROJECT_CODE.cause(),
            _ => rules::MAY_COME.cause(),
        }
    }

    /// A file is run: the project's own code, or somebody else's.
    fn run(&self, target: &portcullis_paths::Target) -> Vec<Cause> {
        let judge = self.gather.judge;
        let mut causes = judge.ruled_causes(EffectKind::Execute, target.touches());
        let home = judge.resolver.ambient().home();
        let named = [target.place().as_bytes()];
        causes.extend(judge.policy.name_causes(EffectKind::Read, named, home));
        causes.push(match judge.root_of(target) {
            Some(root) if judge.is_trusted(root) => rules::PROJECT_TRUSTED.cause(),
            Some(_) => rules::PROJECT_CODE.cause(),
            None => rules::COMMAND_UNKNOWN.because("runs a file outside the workspace"),
        });
        causes
    }
}

/// Whether a text names something that is fetched rather than a file: `data:…`, `example.com/x`, `x@latest`.
fn is_address(text: &str) -> bool {
    let first = text.split('/').next().unwrap_or_default();
    let host = first.len() < text.len() && first.trim_start_matches('.').contains('.');
    let scheme = text.split_once(':').is_some_and(|(scheme, rest)| {
        let letters = scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
        // `no:x` says that there is no x.
        letters && scheme != "no" && !rest.starts_with(|char: char| char.is_ascii_digit())
    });
    host || scheme || text.contains('@')
}

/// The directories that everybody may look into to see what is there.
fn is_temporary(place: &[u8]) -> bool {
    matches!(place, b"/tmp" | b"/var/tmp")
}
