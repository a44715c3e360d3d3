//! What a policy says about a call.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::FileType;
use serde_json::Value;

use super::Lie;
use super::names::{holds, mount};
use super::place::Place;
use crate::os::perform::path_bytes;
use crate::wire::{Policy, PolicyEntry, Run};

/// How risky something is; the maximum wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Risk {
    Allow,
    Ask,
    Deny,
}

/// The policies that hold in a session.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    pub(super) user: Policy,
    pub(super) project: Option<Policy>,
    pub(super) run: Option<Run>,
    pub(super) lie: Lie,
}

/// A path of a call, as written and as resolved.
pub(super) struct Operand {
    pub(super) written: PathBuf,
    pub(super) place: Option<Place>,
    /// The operation takes everything below along.
    pub(super) subtree: bool,
}

impl Operand {
    pub(super) fn new(tool: &str, args: &Value, name: &str, cwd: &Path, lie: Lie) -> Self {
        let mut bytes = args.get(name).and_then(path_bytes).unwrap_or_default();
        if lie.is("trim-names") {
            let text = String::from_utf8_lossy(&bytes)
                .trim()
                .replace("%2e", ".")
                .replace("%2F", "/");
            bytes = text.trim_matches(['"', '\'']).as_bytes().to_vec();
        }
        let written = cwd.join(OsStr::from_bytes(&bytes));
        let follow = !matches!(tool, "delete" | "move");
        Self {
            place: Place::resolve(&written, follow).ok(),
            subtree: !follow,
            written,
        }
    }
}

impl Rules {
    /// The verdict on one path of a call.
    pub(super) fn place(&self, tool: &str, operand: &Operand) -> Risk {
        let Some(place) = &operand.place else {
            return if self.lie.is("follow-links") {
                self.strictest(tool, &|entry, exact| {
                    self.by_spelling(entry, &operand.written, exact)
                })
            } else {
                Risk::Deny
            };
        };
        let special = |kind| {
            !matches!(
                kind,
                FileType::RegularFile | FileType::Directory | FileType::Symlink
            )
        };
        let leaf = place.leaf.as_ref();
        if leaf.is_some_and(|leaf| special(leaf.kind)) && !self.lie.is("open-special") {
            return Risk::Deny;
        }
        let is = |entry: &PolicyEntry, exact: bool| {
            if self.lie.is("follow-links") {
                self.by_spelling(entry, &operand.written, exact)
            } else {
                self.by_object(entry, place, operand.subtree, exact)
            }
        };
        let asks = || {
            self.entries(tool, |policy| &policy.ask)
                .into_iter()
                .any(|entry| is(entry, true))
        };
        let named = self.named(tool, &operand.written, &place.path());
        let mut risk = self.reviewed(tool, self.strictest(tool, &is), &asks, named);
        let shared = |leaf: &super::place::Leaf| leaf.kind == FileType::RegularFile && leaf.shared;
        if matches!(tool, "write" | "edit") && leaf.is_some_and(shared) && !self.lie.is("compare-names") {
            risk = risk.max(Risk::Ask);
        }
        risk
    }

    pub(super) fn entries<'a>(
        &'a self,
        tool: &str,
        list: impl Fn(&'a Policy) -> &'a Vec<PolicyEntry>,
    ) -> Vec<&'a PolicyEntry> {
        let star = !self.lie.is("star-ignored");
        std::iter::once(&self.user)
            .chain(&self.project)
            .flat_map(list)
            .filter(|entry| entry.tool == tool || (star && entry.tool == "*"))
            .collect()
    }

    /// Whether what no entry matches is denied.
    pub(super) fn denies_the_rest(&self) -> bool {
        let said = self.run.as_ref().and_then(|run| run.otherwise.as_deref());
        match said {
            Some(word) if self.lie.is("run-loosens") => word != "ask",
            said => said.is_some_and(|word| word != "ask") || self.user.otherwise != "ask",
        }
    }

    /// Joins every entry that matches; the second argument of `is` says whether the entry denies or asks.
    pub(super) fn strictest(&self, tool: &str, is: &dyn Fn(&PolicyEntry, bool) -> bool) -> Risk {
        let any = |entries: Vec<&PolicyEntry>, exact| entries.iter().any(|entry| is(entry, exact));
        let mut allowed = self
            .user
            .allow
            .iter()
            .any(|entry| (entry.tool == tool || entry.tool == "*") && is(entry, false));
        if self.lie.is("project-loosens") {
            allowed |= any(self.entries(tool, |policy| &policy.allow), false);
        }
        if self.lie.is("allow-first") && allowed {
            return Risk::Allow;
        }
        if any(self.entries(tool, |policy| &policy.deny), true) {
            return Risk::Deny;
        }
        let asked = any(self.entries(tool, |policy| &policy.ask), true);
        // What the user's own policy names; what the project says of a call does not speak for the user.
        let is_users = |entry: &PolicyEntry| self.user.ask.iter().any(|own| std::ptr::eq(own, entry));
        let mut own = self.entries(tool, |policy| &policy.ask);
        own.retain(|entry| is_users(entry));
        let named = allowed || any(own, true) || (asked && self.lie.is("project-asks"));
        if !named && !self.lie.is("unmatched-allow") && self.denies_the_rest() {
            Risk::Deny
        } else if asked || !(allowed || self.lie.is("unmatched-allow")) {
            Risk::Ask
        } else {
            Risk::Allow
        }
    }

    /// Whether an entry means this object. Those that tighten also mean an operation on a directory above.
    pub(super) fn by_object(
        &self,
        entry: &PolicyEntry,
        place: &Place,
        subtree: bool,
        tightens: bool,
    ) -> bool {
        let Some(named) = entry.path.as_ref().or(entry.under.as_ref()) else {
            return entry.command.is_none();
        };
        if named == "/" && entry.under.is_some() {
            return true;
        }
        let Ok(named_place) = Place::resolve(Path::new(named), true) else {
            // A rule about a place that cannot be looked at tightens everything and allows nothing.
            return tightens;
        };
        let target = place.path();
        let named_path = named_place.path();
        if !tightens && named_path != Path::new(named) {
            return false;
        }
        let whole = entry.under.is_some();
        if self.lie.is("prefix-compare") {
            return target
                .to_string_lossy()
                .starts_with(&*named_path.to_string_lossy());
        }
        if self.lie.is("case-fold") {
            let fold = |path: &Path| PathBuf::from(path.to_string_lossy().to_lowercase());
            let (target, named) = (fold(&target), fold(&named_path));
            return target == named || (whole && target.starts_with(named));
        }
        let identity = named_place.leaf.as_ref().map(|leaf| leaf.identity);
        let same = place.leaf.as_ref().map(|leaf| leaf.identity);
        let by_identity = if self.lie.is("compare-names") && tightens {
            None
        } else {
            identity
        };
        let here = match by_identity {
            Some(identity) if whole => place.is_under(identity),
            Some(identity) => same == Some(identity),
            None if whole => target.starts_with(&named_path),
            None => target == named_path,
        };
        let above = tightens
            && subtree
            && !self.lie.is("forget-subtree")
            && (named_path.starts_with(&target) || same.is_some_and(|same| named_place.is_under(same)));
        let another_name = || {
            let Some(named) = named_place
                .leaf
                .as_ref()
                .filter(|leaf| leaf.kind == FileType::Directory)
            else {
                return false;
            };
            let shared = place.leaf.as_ref().is_some_and(|leaf| leaf.shared);
            // What is on another mount may be a part of the directory, and all of it that a name tells then is itself.
            let looked_for = if shared || mount(place.nearest()) != mount(Some(&named.fd)) {
                place.identities()
            } else {
                Vec::new()
            };
            looked_for.into_iter().any(|identity| holds(&named.fd, identity))
        };
        here || above || (tightens && whole && by_identity.is_some() && another_name())
    }

    fn by_spelling(&self, entry: &PolicyEntry, written: &Path, _tightens: bool) -> bool {
        let Some(named) = entry.path.as_ref().or(entry.under.as_ref()) else {
            return entry.command.is_none();
        };
        let mut plain = PathBuf::new();
        for part in written.components() {
            match part {
                Component::ParentDir => {
                    plain.pop();
                }
                Component::CurDir => {}
                part => plain.push(part),
            }
        }
        plain == Path::new(named) || (entry.under.is_some() && plain.starts_with(named))
    }
}
