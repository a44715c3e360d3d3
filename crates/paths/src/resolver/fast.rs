//! The fast path: one `openat2` below a root. When it succeeds, no link and no mount was crossed, so the canonical
//! place is the root's and the text, and zones can be looked up by name. Whatever is not plain goes to the walk.

use std::ffi::CStr;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::io::Errno;

use super::backend::{open_beneath, open_name_unchecked};
use super::lanes::{Asked, Lane, Lanes};
use super::walk::MAX_DEPTH;
use crate::operation::MissingLeaf;
use crate::target::{RootMark, facts_of, facts_on_mount};
use crate::visible::unusual;
use crate::zones::{Root, Zones};
use crate::{Concern, Facts, FileKind, Held, Identity, Leaf, Name, Operation, Place, Standing, Target};

/// Longer places are walked; the kernel takes no more than a page.
const MAX_PLACE: usize = 3072;
/// What the system-call layer copies to the stack.
const SHORT: usize = 200;

/// A target, when the plain case is all there is; otherwise the walk decides.
pub(super) fn resolve(
    zones: &Zones,
    lanes: &Lanes,
    operation: Operation,
    cwd: Option<&Path>,
    path: &[u8],
) -> Option<Target> {
    let text = Text::of(cwd, path)?;
    let (index, lane, root) = lanes.innermost(zones, &text.place)?;
    let below = text.place.get(lane.start()..).unwrap_or_default();
    let whole_tree = operation.takes_subtree() || operation.reads_subtree();
    if lane.may_touch(below, whole_tree) {
        return None;
    }
    let by_name = operation.needs_name() || !operation.follows();
    let (held, concern) = if by_name {
        named(operation, root, lane, below, text.must_be_dir)?
    } else {
        plain(operation, root, lane, below, text.must_be_dir)?
    };
    let asked = Asked {
        below,
        whole_tree,
        in_root_itself: holds(&held, root.facts.identity),
    };
    if !lanes.in_order(zones, &asked) {
        return None;
    }
    let weak = root.weak.then_some(Concern::WeakIdentity);
    Some(Target {
        place: Place::from_bytes(text.place),
        standing: Standing::Inside { root: index },
        operation,
        concerns: concern.into_iter().chain(weak).collect(),
        links: Vec::new(),
        touches: Vec::new(),
        held,
        root: Some(RootMark {
            depth: lane.depth(),
            identity: root.facts.identity,
        }),
    })
}

/// An object that is only looked at or opened.
fn plain(
    operation: Operation,
    root: &Root,
    lane: &Lane,
    below: &[u8],
    must_be_dir: bool,
) -> Option<(Held, Option<Concern>)> {
    let object = beneath(root, below).ok()?;
    // No mount was crossed on the way.
    let facts = facts_on_mount(&object, root.facts.mount).ok()?;
    let dir = facts.kind == FileKind::Dir;
    let needs_dir = must_be_dir || operation == Operation::WorkingDir;
    // `O_PATH | O_NOFOLLOW` opens a last link itself, and a FIFO.
    if facts.kind == FileKind::Special || (needs_dir && !dir) || !lane.spares(&facts) {
        return None;
    }
    let held = Held::Existing {
        object,
        facts,
        name: None,
    };
    Some((held, None))
}

/// An object or a new name, held together with its parent.
fn named(
    operation: Operation,
    root: &Root,
    lane: &Lane,
    below: &[u8],
    must_be_dir: bool,
) -> Option<(Held, Option<Concern>)> {
    if must_be_dir {
        return None;
    }
    let slash = below.iter().rposition(|byte| *byte == b'/');
    let (dirs, leaf) = match slash {
        Some(slash) => (below.get(..slash)?, below.get(slash + 1..)?),
        None => (&b""[..], below),
    };
    let leaf = Leaf::from_bytes(leaf)?;
    let parent = beneath(root, dirs).ok()?;
    let parent_facts = facts_on_mount(&parent, root.facts.mount).ok()?;
    if parent_facts.kind != FileKind::Dir || !lane.spares(&parent_facts) {
        return None;
    }
    let object = match open_name_unchecked(&parent, leaf.as_bytes()) {
        Ok(object) => object,
        Err(Errno::NOENT) if operation.missing_leaf() != MissingLeaf::Refuse => {
            let concern = unusual(leaf.as_bytes()).then_some(Concern::UnusualName);
            let held = Held::Missing {
                parent,
                parent_facts,
                tail: vec![leaf],
            };
            return Some((held, concern));
        }
        Err(_) => return None,
    };
    existing(
        operation,
        lane,
        object,
        Name {
            parent,
            parent_facts,
            leaf,
        },
    )
}

fn existing(
    operation: Operation,
    lane: &Lane,
    object: OwnedFd,
    name: Name,
) -> Option<(Held, Option<Concern>)> {
    let facts = facts_of(&object).ok()?;
    let foreign = facts.mount != name.parent_facts.mount || !lane.spares(&facts);
    let plain = matches!(
        operation,
        Operation::Write | Operation::Delete | Operation::DeleteTree | Operation::MoveFrom
    ) || !operation.writes();
    if foreign || !plain || (facts.kind == FileKind::Special && (operation.opens() || !facts.is_link)) {
        return None;
    }
    let concern = hard_linked(operation, &facts);
    let held = if facts.is_link {
        Held::Link { object, facts, name }
    } else {
        Held::Existing {
            object,
            facts,
            name: operation.needs_name().then_some(name),
        }
    };
    Some((held, concern))
}

fn hard_linked(operation: Operation, facts: &Facts) -> Option<Concern> {
    let shared = operation == Operation::Write && facts.kind == FileKind::File && facts.links > 1;
    shared.then_some(Concern::HardLinked { names: facts.links })
}

/// The root is the object itself, or the directory that it is or would be in.
fn holds(held: &Held, root: Identity) -> bool {
    match held {
        Held::Existing { facts, .. } => facts.identity == root,
        Held::Link { .. } => false,
        Held::Missing { parent_facts, .. } => parent_facts.identity == root,
    }
}

fn beneath(root: &Root, below: &[u8]) -> Result<OwnedFd, Errno> {
    let below = if below.is_empty() { b"." } else { below };
    // The kernel wants a NUL at the end. Short texts are copied to the stack for that; so are long ones here, as an
    // allocation would be made otherwise.
    if below.len() < SHORT {
        return open_beneath(root.object.as_fd(), below);
    }
    let mut text = [0; MAX_PLACE + 1];
    let (text, _) = text
        .split_at_mut_checked(below.len() + 1)
        .ok_or(Errno::NAMETOOLONG)?;
    if let Some(names) = text.get_mut(..below.len()) {
        names.copy_from_slice(below);
    }
    let text = CStr::from_bytes_with_nul(text).map_err(|_| Errno::INVAL)?;
    open_beneath(root.object.as_fd(), text)
}

/// A plain absolute text: no `..`, no empty or `.` component left.
struct Text {
    place: Vec<u8>,
    must_be_dir: bool,
}

impl Text {
    fn of(cwd: Option<&Path>, path: &[u8]) -> Option<Self> {
        let cwd = cwd.map(|cwd| cwd.as_os_str().as_bytes()).unwrap_or_default();
        let mut text = Self {
            place: Vec::with_capacity(cwd.len() + path.len() + 2),
            must_be_dir: false,
        };
        text.push(cwd)?;
        text.push(path)?;
        if text.place.is_empty() {
            text.place.push(b'/');
        }
        // What the walk refuses is refused on every way.
        let deep = text.place.len() > MAX_DEPTH
            && text.place.iter().filter(|byte| **byte == b'/').count() >= MAX_DEPTH;
        (text.place.len() <= MAX_PLACE && !deep).then_some(text)
    }

    fn push(&mut self, path: &[u8]) -> Option<()> {
        let names = path.strip_prefix(b"/").unwrap_or(path);
        if is_clean(names) {
            self.must_be_dir = false;
            self.place.push(b'/');
            self.place.extend_from_slice(names);
            return Some(());
        }
        for component in path.split(|byte| *byte == b'/') {
            self.must_be_dir = matches!(component, b"" | b".");
            if component == b".." {
                return None;
            }
            if !self.must_be_dir {
                self.place.push(b'/');
                self.place.extend_from_slice(component);
            }
        }
        Some(())
    }
}

/// No component is empty or begins with a dot, as in nearly every path: then the text stays as it is.
fn is_clean(names: &[u8]) -> bool {
    let odd = |byte: u8| byte == b'/' || byte == b'.';
    let (Some(first), Some(last)) = (names.first(), names.last()) else {
        return false;
    };
    let behind = names.get(1..).unwrap_or_default();
    let pairs = names.iter().zip(behind);
    let begins_oddly = pairs.fold(false, |any, (slash, next)| any | ((*slash == b'/') & odd(*next)));
    !odd(*first) && *last != b'/' && !begins_oddly
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_text_is_put_together_one_way() {
        for (cwd, path, expected) in [
            ("/w", "a/b", Some(("/w/a/b", false))),
            ("/w/", "a//b", Some(("/w/a/b", false))),
            ("/w", "./a/./b/", Some(("/w/a/b", true))),
            ("/w", ".git/.x", Some(("/w/.git/.x", false))),
            ("/w", "a/..b/c..", Some(("/w/a/..b/c..", false))),
            ("/w", "a/.", Some(("/w/a", true))),
            ("/w", ".", Some(("/w", true))),
            ("/w", "a/", Some(("/w/a", true))),
            ("/", "a", Some(("/a", false))),
            ("/w", "a/../b", None),
            ("/w", "..", None),
            ("/w/..", "a", None),
        ] {
            let text = Text::of(Some(Path::new(cwd)), path.as_bytes());
            let text = text.map(|text| (String::from_utf8(text.place).unwrap(), text.must_be_dir));
            let expected = expected.map(|(place, dir)| (place.to_owned(), dir));
            assert_eq!(text, expected, "{cwd} {path}");
        }
        let absolute = Text::of(None, b"/a/b").unwrap();
        assert_eq!(absolute.place, b"/a/b");
        assert_eq!(Text::of(None, b"/").unwrap().place, b"/");
        assert_eq!(Text::of(None, b"//a").unwrap().place, b"/a");
    }
}
