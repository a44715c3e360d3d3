//! Patterns that a shell expands to the names that are there.

use portcullis_paths::{Dialect, ErrorKind, Operation};

use super::Text;
use super::spot::{Spot, goes_below, kind_of, operation_of};
use crate::assess::findings::Object;
use crate::assess::gather::Stop;
use crate::assess::judge::{PathOperand, Refused};
use crate::commands::PathRole;
use crate::policy::builtin::rules;
use crate::{Cause, Risk, wildcard};

/// Most names of a pattern that are asked about one by one.
const SELECTED: usize = 64;
/// Most directories that are looked through for them.
const DIRECTORIES: usize = 32;

impl<'s> Text<'_, '_, 's> {
    pub(super) fn pattern(&mut self, pattern: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        self.everywhere(pattern, spot, Self::pattern_at)
    }

    fn pattern_at(&mut self, directory: &str, pattern: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        match spot.role {
            PathRole::MoveTo | PathRole::LinkTo => self.will_link = true,
            PathRole::Put => self.will_link |= spot.puts_what_moves(),
            _ => {}
        }
        match self.pattern_causes(directory, pattern, spot)? {
            Some((object, causes)) => self.add(spot.command, kind_of(spot.role), pattern, object, causes),
            None => Ok(()),
        }
    }

    /// What a pattern does; nothing where each name that it selects was asked about by itself.
    fn pattern_causes(
        &mut self,
        directory: &str,
        pattern: &str,
        spot: Spot<'_, 's>,
    ) -> Result<Option<(Object, Vec<Cause>)>, Stop> {
        let kind = kind_of(spot.role);
        let operand = PathOperand::of_command(self.member, pattern, operation_of(spot.role), directory);
        let judge = self.gather.judge;
        let reach = judge.reach(operand);
        // The resolver thinks of names that may come as well. A shell selects what is there, and where little is, each of
        // these is asked about by itself.
        if let Err(Refused::Path {
            kind: ErrorKind::Protected,
            ..
        }) = &reach
            && !self.may_write
            && let Some(names) = self.selected(directory, pattern)
            && !names.is_empty()
        {
            for name in names {
                self.at(directory, &name, spot)?;
            }
            return Ok(None);
        }
        let (object, mut causes) = match reach {
            Ok(reach) => {
                let mut causes = judge.reach_causes(kind, &reach);
                if !reach.is_complete() {
                    causes.push(rules::GLOB_UNTOLD.cause());
                }
                causes.extend(self.selected_causes(directory, pattern, spot.role, &causes));
                (Object::from(reach.outside().cloned()), causes)
            }
            Err(Refused::Path {
                place,
                kind: ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::WrongType,
                ..
            }) => {
                let cause = if self.may_link {
                    rules::MAY_COME.cause()
                } else {
                    rules::NOTHING_THERE.cause()
                };
                (Object::from(place), vec![cause])
            }
            Err(Refused::Path {
                kind: ErrorKind::Ambiguous,
                place,
                ..
            }) => (Object::from(place), vec![rules::OPERAND_MOVES.cause()]),
            Err(refused) => self.gather.refused(kind, refused),
        };
        if spot.role == PathRole::Execute {
            causes.push(rules::OPERAND_MOVES.cause());
        }
        if goes_below(spot.role) {
            causes.extend(self.mount_below(directory, pattern));
        }
        if let Some(ruin) = self.pattern_ruin(spot.role, directory, pattern) {
            causes.push(ruin.cause());
        }
        Ok(Some((object, causes)))
    }

    /// The shell tells the names that a pattern selects, whatever a program does with them: it lists the directories that
    /// they are in. Where that may be done, nobody needs to be told.
    pub(super) fn listed(&mut self, pattern: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let selects = |part: &str| part.contains(['*', '?', '[', '{', '(', '\\']);
        let parts: Vec<&str> = pattern.split('/').collect();
        let head = parts.iter().take_while(|part| !selects(part)).count();
        if head + 1 < parts.len() {
            // It goes through directories that it selects.
            return self.everywhere(pattern, spot, Self::gone_through);
        }
        let head = match parts.get(..head) {
            None | Some([]) => ".".to_owned(),
            Some([""]) => "/".to_owned(),
            Some(parts) => parts.join("/"),
        };
        self.everywhere(&head, spot, Self::listed_at)
    }

    fn listed_at(&mut self, directory: &str, text: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let judged = self.judged(directory, text, operation_of(spot.role), spot.role);
        if is_allowed(&judged.causes) {
            return Ok(());
        }
        self.add(spot.command, judged.kind, text, judged.object, judged.causes)
    }

    fn gone_through(&mut self, directory: &str, pattern: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let found = self.pattern_causes(directory, pattern, spot)?;
        let Some((object, causes)) = found.filter(|(_, causes)| !is_allowed(causes)) else {
            return Ok(());
        };
        self.add(spot.command, kind_of(spot.role), pattern, object, causes)
    }

    /// Why a command that goes through all that a pattern selects asks: a mount lies below the directory where it begins.
    fn mount_below(&self, directory: &str, pattern: &str) -> Option<Cause> {
        let plain = pattern.split(['*', '?', '[', '{', '(', '\\']).next()?;
        let begins = match plain.rsplit_once('/') {
            Some(("", _)) => "/",
            Some((parent, _)) => parent,
            None => ".",
        };
        let operand = PathOperand::of_command(self.member, begins, Operation::List, directory);
        let judge = self.gather.judge;
        judge.mount_below(&judge.resolve(operand).ok()?)
    }

    /// What asks about one of the names that are there: a pattern must not be milder than the names that it selects.
    fn selected_causes(&self, directory: &str, pattern: &str, role: PathRole, known: &[Cause]) -> Vec<Cause> {
        let Some(names) = self.selected(directory, pattern) else {
            let last = pattern.rsplit('/').next().unwrap_or_default();
            // Names that begin with a dot are the ones that say what is private.
            return Vec::from_iter(last.starts_with('.').then(|| rules::GLOB_UNTOLD.cause()));
        };
        let kind = kind_of(role);
        let judge = self.gather.judge;
        let mut causes: Vec<Cause> = Vec::new();
        for name in &names {
            let operand = PathOperand {
                member: self.member,
                text: name,
                dialect: &Dialect::PLAIN,
                operation: operation_of(role),
                cwd: Some(directory.as_ref()),
            };
            let Ok(target) = judge.resolve(operand) else {
                continue;
            };
            for cause in judge.target_causes(kind, &target) {
                let is_known = known.iter().chain(&causes).any(|other| other.rule == cause.rule);
                if cause.risk > Risk::Allow && !is_known {
                    causes.push(cause);
                }
            }
        }
        causes
    }

    /// The names that a pattern selects. Nothing when there are too many to look at.
    fn selected(&self, directory: &str, pattern: &str) -> Option<Vec<String>> {
        if pattern.contains(['{', '}', '\\', '(', ')']) {
            return None;
        }
        let mut found = vec![if pattern.starts_with('/') { "/" } else { "" }.to_owned()];
        let mut looked_at = 0;
        for part in pattern.split('/').filter(|part| !part.is_empty()) {
            if !part.contains(['*', '?', '[']) {
                for name in &mut found {
                    push(name, part);
                }
                continue;
            }
            let mut next = Vec::new();
            for parent in &found {
                looked_at += 1;
                if looked_at > DIRECTORIES {
                    return None;
                }
                self.fitting(directory, parent, &simple(part), &mut next)?;
            }
            found = next;
        }
        (found.len() <= SELECTED).then_some(found)
    }

    /// The names in one directory that fit. What cannot be listed has none.
    fn fitting(&self, directory: &str, parent: &str, part: &str, next: &mut Vec<String>) -> Option<()> {
        let operand = PathOperand::of_command(
            self.member,
            if parent.is_empty() { "." } else { parent },
            Operation::List,
            directory,
        );
        let Ok(target) = self.gather.judge.resolve(operand) else {
            return Some(());
        };
        let fits =
            |name: &str| wildcard::fits(part, name) && (!name.starts_with('.') || part.starts_with('.'));
        let Ok(names) = self.gather.judge.listings.names(&target, SELECTED * 16, fits) else {
            return Some(());
        };
        for name in names? {
            let mut whole = parent.to_owned();
            push(&mut whole, &name);
            next.push(whole);
        }
        (next.len() <= SELECTED * 16).then_some(())
    }
}

fn is_allowed(causes: &[Cause]) -> bool {
    causes.iter().all(|cause| cause.risk == Risk::Allow)
}

fn push(path: &mut String, name: &str) {
    if !path.is_empty() && !path.ends_with('/') {
        path.push('/');
    }
    path.push_str(name);
}

/// The pattern with any one character in place of a list of them, which selects no less.
pub(super) fn simple(part: &str) -> String {
    let mut simple = String::with_capacity(part.len());
    let mut rest = part;
    while let Some((before, list)) = rest.split_once('[') {
        simple.push_str(before);
        // A class in a list has an end of its own, and a letter may be several bytes.
        if !list.is_ascii() || ["[:", "[.", "[="].iter().any(|class| list.contains(class)) {
            simple.push('*');
            return simple;
        }
        // A list that begins with its end holds it.
        let from = list.find(|c| !matches!(c, '!' | '^')).unwrap_or(0) + 1;
        let end = list.get(from..).and_then(|list| list.find(']'));
        match end.and_then(|end| list.get(from + end + 1..)) {
            Some(behind) => {
                simple.push('?');
                rest = behind;
            }
            None => {
                simple.push('[');
                rest = list;
            }
        }
    }
    simple.push_str(rest);
    simple
}

#[cfg(test)]
mod tests {
    use super::simple;

    #[test]
    fn a_list_becomes_any_character() {
        for (part, plain) in [
            ("a[bc]d", "a?d"),
            ("[!a]", "?"),
            ("[]a]x", "?x"),
            (".[e]nv", ".?nv"),
            ("a[b", "a[b"),
            ("[[:alpha:]]", "*"),
            (".[[:alpha:]n]v", ".*"),
            ("[é]x", "*"),
        ] {
            assert_eq!(simple(part), plain, "{part}");
        }
    }
}
