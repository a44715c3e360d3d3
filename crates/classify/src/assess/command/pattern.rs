//! Patterns that a shell expands to the names that are there.

use portcullis_paths::{Dialect, ErrorKind, Operation};

use super::Text;
use super::place::{Spot, kind_of, operation_of};
use crate::assess::findings::Object;
use crate::assess::gather::Stop;
use crate::assess::judge::{PathOperand, Refused};
use crate::commands::PathRole;
use crate::policy::builtin::rules;

/// Most names of a pattern that are asked about one by one.
const SELECTED: usize = 64;

impl<'s> Text<'_, '_, 's> {
    pub(super) fn pattern(&mut self, pattern: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        self.everywhere(pattern, spot, Self::pattern_at)
    }

    fn pattern_at(&mut self, directory: &str, pattern: &str, spot: Spot<'_, 's>) -> Result<(), Stop> {
        let kind = kind_of(spot.role);
        let operand = PathOperand {
            member: self.member,
            text: pattern,
            dialect: &Dialect::SHELL_WORD,
            operation: operation_of(spot.role),
            cwd: Some(directory.as_ref()),
        };
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
        {
            for name in names {
                self.at(directory, &name, spot)?;
            }
            return Ok(());
        }
        let (object, mut causes) = match reach {
            Ok(reach) => {
                let mut causes = judge.reach_causes(kind, &reach);
                if !reach.is_complete() {
                    causes.push(rules::GLOB_UNTOLD.cause());
                }
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
        if let Some(ruin) = self.pattern_ruin(spot.role, directory, pattern) {
            causes.push(ruin.cause());
        }
        self.add(spot.command, kind, pattern, object, causes)
    }

    /// The names that a plain pattern selects: wildcards in its last part alone. Nothing when that is not so, or they are
    /// many.
    fn selected(&self, directory: &str, pattern: &str) -> Option<Vec<String>> {
        let (parent, last) = pattern
            .rsplit_once('/')
            .map_or((None, pattern), |(parent, last)| (Some(parent), last));
        let plain = |text: &str| !text.contains(['*', '?', '[', ']', '{', '}', '\\', '(', ')', '!']);
        if !parent.is_none_or(plain) || !plain(&last.replace(['*', '?'], "")) {
            return None;
        }
        let operand = PathOperand {
            member: self.member,
            text: parent
                .filter(|parent| !parent.is_empty())
                .unwrap_or(if parent.is_some() { "/" } else { "." }),
            dialect: &Dialect::SHELL_WORD,
            operation: Operation::List,
            cwd: Some(directory.as_ref()),
        };
        let target = self.gather.judge.resolve(operand).ok()?;
        let listing = target.list(SELECTED * 16).ok()?;
        let mut names = Vec::new();
        for entry in &listing.entries {
            let name = std::str::from_utf8(entry.name.as_bytes()).ok()?;
            if matches(last.as_bytes(), name.as_bytes()) && (!name.starts_with('.') || last.starts_with('.'))
            {
                names.push(match parent {
                    Some(parent) => format!("{parent}/{name}"),
                    None => name.to_owned(),
                });
            }
        }
        (!listing.truncated && !names.is_empty() && names.len() <= SELECTED).then_some(names)
    }
}

/// Whether a name fits a pattern of `*` and `?`. Steps are bounded by the product of both lengths.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut of) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < name.len() {
        match pattern.get(of) {
            Some(b'*') => {
                star = Some((of, at));
                of += 1;
            }
            Some(byte) if *byte == b'?' || Some(byte) == name.get(at) => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((before, from)) = star else { return false };
                star = Some((before, from + 1));
                of = before + 1;
                at = from + 1;
            }
        }
    }
    pattern
        .get(of..)
        .is_some_and(|rest| rest.iter().all(|byte| *byte == b'*'))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_plain_pattern_fits_as_in_a_shell() {
        for (pattern, name, fits) in [
            ("*", "a", true),
            ("*.md", "a.md", true),
            ("*.md", "a.mdx", false),
            ("a*b*c", "aXbYbZc", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("", "", true),
            ("**", "x", true),
        ] {
            assert_eq!(
                matches(pattern.as_bytes(), name.as_bytes()),
                fits,
                "{pattern} {name}"
            );
        }
    }
}
