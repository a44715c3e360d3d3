//! What nobody wants to lose: taking it away, or writing over it as a whole, is denied.

use portcullis_paths::{Operation, Place};

use super::Text;
use super::devices::is_device;
use crate::commands::PathRole;
use crate::commands::written::{collapsed, joined};
use crate::policy::builtin::rules;
use crate::{Cause, Risk, show};

/// Directories of a system.
const SYSTEM: &[&str] = &[
    "/",
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/lib32",
    "/lib64",
    "/media",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/tmp",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/lib",
    "/var/log",
    "/Applications",
    "/Library",
    "/System",
    "/Users",
    "/Volumes",
    "/private",
];
/// Directories that hold homes and mounts.
const HOLDERS: &[&str] = &["/home", "/Users", "/media", "/mnt", "/Volumes"];

/// What is done to rights and owners, for a person.
const RIGHTS: &str = "changes rights or owners of";

/// Something that must not be lost would be.
#[derive(Debug)]
pub(super) struct Ruin {
    /// What, for a person.
    pub(super) text: String,
    risk: Risk,
}

impl Ruin {
    pub(super) fn cause(&self) -> Cause {
        Cause {
            risk: self.risk,
            ..rules::RUIN.because(&self.text)
        }
    }
}

impl Text<'_, '_, '_> {
    /// Whether a role takes away, at this place, what must not be lost. Both count: the path as written, and where it
    /// leads.
    pub(super) fn ruin(&self, role: PathRole, written: &str, place: Option<&Place>) -> Option<Ruin> {
        let through = self.through_links(written);
        let written = collapsed(written);
        let place = place.map(|place| String::from_utf8_lossy(place.as_bytes()).into_owned());
        let places = [Some(written), place, through];
        let mut devices = places.iter().flatten();
        if let Some(device) = devices.find(|place| changes_a_device(role) && is_device(place)) {
            let text = format!("writes over a device or takes it away: {}", show::operand(device));
            let risk = Risk::Deny;
            return Some(Ruin { text, risk });
        }
        let verb = verb(role)?;
        let below = role == PathRole::DeleteBelow;
        let mut places = places.into_iter().flatten();
        places.find_map(|place| {
            self.precious(&place, below)
                .map(|what| self.lost(verb, &what, &place))
        })
    }

    /// The same for everything that a pattern selects in a directory.
    pub(super) fn pattern_ruin(&self, role: PathRole, directory: &str, pattern: &str) -> Option<Ruin> {
        let verb = verb(role)?;
        let whole = joined(directory, pattern);
        let (parent, last) = whole.rsplit_once('/')?;
        let everything = last.chars().all(|char| "*.?[!^]{},".contains(char)) && last.contains('*');
        if everything
            && let Some(parent) = self.through_links(&format!("{parent}/"))
            && let Some(what) = self.precious(&parent, false)
        {
            return Some(self.lost(verb, &format!("everything in {what}"), &parent));
        }
        // A wildcard among the parents may be a home as well.
        let parent = collapsed(parent);
        if everything && let Some(what) = self.precious(&parent, false) {
            return Some(self.lost(verb, &format!("everything in {what}"), &parent));
        }
        let holds_homes = HOLDERS.contains(&collapsed(parent.split('*').next().unwrap_or_default()).as_str());
        (holds_homes && last.contains('*') && !parent.contains("**"))
            .then(|| self.lost(verb, "homes or mounts", &whole))
    }

    /// What stands at this path, when it must not be lost.
    fn precious(&self, path: &str, only_contents: bool) -> Option<String> {
        let home = self.gather.judge.resolver.ambient().home();
        let home = home.map(|home| collapsed(&home.to_string_lossy()));
        if SYSTEM.contains(&path) {
            return Some("a directory of the system".to_owned());
        }
        if home.as_deref() == Some(path) {
            return Some("the home directory".to_owned());
        }
        let below = |inner: &str| inner.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        if home.as_deref().is_some_and(below) {
            return Some("a directory above the home directory".to_owned());
        }
        if let Some((parent, _)) = path.rsplit_once('/')
            && HOLDERS.contains(&parent)
        {
            return Some("a home or a mount".to_owned());
        }
        let here = self
            .here
            .as_ref()
            .map(|here| String::from_utf8_lossy(here.as_bytes()).into_owned())?;
        let outside = || self.gather.judge.is_above_workspace(path);
        if (below(&here) || here == path) && outside() {
            let levels = here.split('/').count().saturating_sub(path.split('/').count());
            return match levels {
                0 if only_contents => None,
                0 => Some("the workspace".to_owned()),
                1 => Some("the directory 1 level above".to_owned()),
                levels => Some(format!("the directory {levels} levels above")),
            };
        }
        None
    }

    fn lost(&self, verb: &str, what: &str, place: &str) -> Ruin {
        // Rights and owners of one's own work can be set again.
        let mends = verb == RIGHTS && what.ends_with("the workspace");
        Ruin {
            risk: if mends { Risk::Confirm } else { Risk::Deny },
            text: format!("{verb} {what}: {}", show::operand(place)),
        }
    }
}

/// Whether a role writes over a device at its place, or takes it away.
const fn changes_a_device(role: PathRole) -> bool {
    use Operation::{Delete, DeleteTree, MoveFrom, Write};
    matches!(
        role,
        PathRole::Put
            | PathRole::MoveTo
            | PathRole::LinkTo
            | PathRole::Of(Write | Delete | DeleteTree | MoveFrom)
    )
}

/// What a role does to everything that is at a place; nothing for what leaves it there.
fn verb(role: PathRole) -> Option<&'static str> {
    match role {
        PathRole::Of(Operation::DeleteTree | Operation::Delete) | PathRole::DeleteBelow => Some("deletes"),
        PathRole::Of(Operation::MoveFrom) => Some("moves"),
        PathRole::MetaTree => Some(RIGHTS),
        _ => None,
    }
}
