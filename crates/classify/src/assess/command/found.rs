//! Files that `find` finds, or that are handed to `xargs`: each that is there is asked about like one that is written out.

use portcullis_paths::{LookOn, Looked, Operation};

use super::Text;
use super::spot::{Spot, kind_of, operation_of};
use crate::assess::findings::Object;
use crate::assess::gather::Stop;
use crate::assess::judge::PathOperand;
use crate::commands::PathRole;
use crate::commands::flow::{Directory, Found};
use crate::commands::written::joined;
use crate::policy::builtin::rules;
use crate::{Cause, Risk, wildcard};

/// Names that are looked at below one start.
const BOUND: usize = 20_000;
/// Most files that are asked about one by one.
const MOST: usize = 400;

impl<'s> Text<'_, '_, 's> {
    pub(super) fn found(&mut self, found: &Found, spot: Spot<'_, 's>) -> Result<(), Stop> {
        if found.all {
            self.found_ruin(found, spot)?;
        }
        let known = !self.may_write && !self.may_link && !spot.directories.may_be_another();
        if !known || !is_followed(spot.role) {
            return self.moves(spot, found);
        }
        for start in &found.starts {
            let whole = Spot {
                role: PathRole::ListTree,
                ..spot
            };
            self.literal(start, whole)?;
            for directory in spot.directories.known() {
                let Directory::Path(directory) = directory else {
                    continue;
                };
                match self.found_causes(directory, start, found, spot.role) {
                    Some(causes) if causes.is_empty() => {}
                    Some(causes) => {
                        self.add(spot.command, kind_of(spot.role), start, Object::default(), causes)?;
                    }
                    None => self.moves(spot, found)?,
                }
            }
        }
        Ok(())
    }

    /// Where all that is below a start is taken away, what stands there must not be one of those that nobody wants to lose.
    fn found_ruin(&mut self, found: &Found, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let takes = matches!(
            spot.role,
            PathRole::Of(Operation::Delete | Operation::DeleteTree | Operation::MoveFrom)
        );
        if !takes {
            return Ok(());
        }
        let role = match found.files_only {
            true => PathRole::DeleteBelow,
            false => spot.role,
        };
        for start in &found.starts {
            for directory in spot.directories.known() {
                let Directory::Path(directory) = directory else {
                    continue;
                };
                if let Some(ruin) = self.ruin(role, &joined(directory, start), None) {
                    let cause = ruin.cause();
                    self.add(
                        spot.command,
                        kind_of(spot.role),
                        start,
                        Object::default(),
                        vec![cause],
                    )?;
                }
            }
        }
        Ok(())
    }

    fn moves(&mut self, spot: Spot<'_, 's>, found: &Found) -> Result<(), Stop> {
        let start = found.starts.first().map_or("", String::as_str);
        let shown = format!("{start}…");
        self.plain(
            spot.command,
            kind_of(spot.role),
            &shown,
            rules::OPERAND_MOVES.cause(),
        )
    }

    /// What asks about the files below a start; `None` when not all could be looked at.
    fn found_causes(
        &mut self,
        directory: &str,
        start: &str,
        found: &Found,
        role: PathRole,
    ) -> Option<Vec<Cause>> {
        let judge = self.gather.judge;
        let operand = PathOperand::of_command(self.member, start, Operation::Search, directory);
        // What is not there, or may not be told, was judged as a whole.
        let Ok(target) = judge.resolve(operand) else {
            return Some(Vec::new());
        };
        let names: Vec<Vec<String>> = found
            .names
            .iter()
            .map(|any| any.iter().map(|name| super::pattern::simple(name)).collect())
            .collect();
        let fits_names = |name: &str| {
            let mut each = names.iter();
            each.all(|any| any.iter().any(|pattern| wildcard::fits(pattern, name)))
        };
        let mut files = Vec::new();
        let mut odd = false;
        let looked = target.look_below(BOUND, |path, is_directory| {
            let Ok(path) = std::str::from_utf8(path) else {
                odd = true;
                return LookOn::Enough;
            };
            let name = path.rsplit('/').next().unwrap_or_default();
            // A repository within a repository is listed like a file.
            odd |= found.links && is_nested(start, path);
            odd |= !found.rooted && path.starts_with('-');
            if found.visible && name.starts_with('.') {
                return LookOn::Over;
            }
            let fits = fits_names(name);
            // A directory is handed on with all that is below it.
            odd |= is_directory && fits && !found.files_only;
            if odd {
                return LookOn::Enough;
            }
            if is_directory || !fits {
                return LookOn::Into;
            }
            odd |= found.splits && path.contains([' ', '\t', '\n', '\'', '"', '\\', '*', '?', '[']);
            files.push(format!("{start}/{path}"));
            if odd || files.len() > MOST {
                LookOn::Enough
            } else {
                LookOn::Into
            }
        });
        match looked {
            Ok(Looked::Whole) if !odd => {
                let name = start.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                if !found.files_only && fits_names(name) {
                    return None;
                }
            }
            Ok(_) => return None,
            // One file.
            Err(_) => files.push(start.to_owned()),
        }
        let mut causes: Vec<Cause> = Vec::new();
        for file in &files {
            let judged = self.judged(directory, file, operation_of(role), role);
            // A link to a directory.
            if judged.is_directory && (found.links || !found.files_only) {
                return None;
            }
            for cause in judged.causes {
                if cause.risk > Risk::Allow && causes.iter().all(|known| known.rule != cause.rule) {
                    causes.push(cause);
                }
            }
        }
        Some(causes)
    }
}

/// Whether a name is that of a repository below the one that is listed.
fn is_nested(start: &str, path: &str) -> bool {
    path.ends_with("/.git") || path == ".git" && start != "."
}

/// Whether a role does no more to many files than to each.
const fn is_followed(role: PathRole) -> bool {
    matches!(
        role,
        PathRole::Of(
            Operation::Read
                | Operation::Stat
                | Operation::Lstat
                | Operation::List
                | Operation::Search
                | Operation::CopyFrom
                | Operation::Write
                | Operation::SetMeta
        ) | PathRole::Put
            | PathRole::ListTree
    )
}
