//! Where `cd` and its kin lead.

use super::directories::{After, Directories, Directory, Follower};
use crate::commands::Value;
use crate::commands::written::{climbs, collapsed};
use crate::shell::{Part, Word};

impl Follower<'_, '_> {
    /// Whether the text takes no more from the stack than it puts there: what was there before is not known.
    pub(super) fn pops_no_more(&self) -> bool {
        *self.pops_no_more.get_or_init(|| {
            let count = |name| {
                let commands = self.flow.script.commands().iter();
                commands.filter(|one| one.name() == Some(name)).count()
            };
            count("popd") <= count("pushd")
        })
    }

    /// Where `pushd` with one plain operand leads, and what it leaves.
    pub(super) fn pushed(&self, number: usize, base: &Directories) -> After {
        let words = self
            .flow
            .script
            .commands()
            .get(number)
            .map(|one| one.words.as_slice());
        let mut left = self.left.borrow_mut();
        let success = match words {
            Some([_, operand]) if !operand.known_start().starts_with(['-', '+']) => {
                *left = left.join(base);
                self.changed(Part::Command(number), std::slice::from_ref(operand), base)
            }
            _ => {
                *left = Directories::unknown();
                Directories::unknown()
            }
        };
        After {
            success,
            failure: base.clone(),
        }
    }

    /// Where `cd` leads.
    pub(super) fn changed(&self, at: Part, words: &[Word], base: &Directories) -> Directories {
        let mut words = words.iter();
        let mut operand = None;
        for word in words.by_ref() {
            match word.literal() {
                Some("-L" | "-P" | "-e") => {}
                Some("--") => {
                    operand = words.next();
                    break;
                }
                _ => {
                    operand = Some(word);
                    break;
                }
            }
        }
        if words.next().is_some() {
            return Directories::unknown();
        }
        let Some(operand) = operand else {
            return match self.flow.home {
                Some(home) => Directories::only(Directory::Path(home.to_owned())),
                None => Directories::unknown(),
            };
        };
        if let ([Directory::Path(here)], false) = (base.known(), base.may_be_another())
            && self.flow.is_the_root(operand, here)
        {
            return base.clone();
        }
        let argument = self.flow.argument(at, operand);
        let mut all = Directories::default();
        for value in argument.values() {
            let next = match value {
                Value::Literal(text) if text == "-" || text.is_empty() => Directories::unknown(),
                Value::Literal(text) if text.starts_with('-') => Directories::unknown(),
                Value::Literal(text) => below(base, text),
                Value::Fresh(rest) => Directories::only(Directory::Fresh(rest.clone())),
                Value::Pattern(_) | Value::Found(_) | Value::Unknown { .. } => Directories::unknown(),
            };
            all = all.join(&next);
        }
        all
    }
}

/// A path from each of these directories. A shell takes `..` off the text first, and off the disk when that leads nowhere:
/// both count.
pub(super) fn below(base: &Directories, text: &str) -> Directories {
    let mut all = match base.may_be_another() && !text.starts_with('/') {
        true => Directories::unknown(),
        false => Directories::default(),
    };
    if text.starts_with('/') {
        return all.join(&both_readings(text.to_owned()));
    }
    for directory in base.known() {
        let next = match directory {
            Directory::Path(path) | Directory::Fresh(path) if is_too_far(path, text) => {
                Directories::unknown()
            }
            Directory::Fresh(_) if climbs(text) => Directories::unknown(),
            Directory::Path(path) => both_readings(format!("{path}/{text}")),
            Directory::Fresh(rest) => Directories::only(Directory::Fresh(format!("{rest}/{text}"))),
        };
        all = all.join(&next);
    }
    all
}

/// Longest path of a directory that is followed, in bytes, as kernels take them; and most names in it: with each step
/// further down, everything that is said from there on is looked up from a longer path.
const LONGEST: usize = 4096;
const DEEPEST: usize = 256;

fn is_too_far(path: &str, text: &str) -> bool {
    let names = |path: &str| path.bytes().filter(|byte| *byte == b'/').count();
    path.len() + text.len() > LONGEST || names(path) + names(text) > DEEPEST
}

fn both_readings(path: String) -> Directories {
    if !climbs(&path) {
        return Directories::only(Directory::Path(path));
    }
    Directories::only(Directory::Path(collapsed(&path))).join(&Directories::only(Directory::Path(path)))
}
