//! Opening what a text below a base spells, when it crosses no link and no mount: in one call, or name by name where the
//! kernel or a filter refuses that call. Both give the same answers.

use std::ffi::CStr;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::fs::{FileType, fstat};
use rustix::io::Errno;

use super::backend::{Backend, open_beneath, open_dir_unchecked, open_name_unchecked};
use super::lanes::On;
use super::text::{MAX_PLACE, Text};
use crate::target::{facts_of, gap};
use crate::zones::Root;

/// What the system-call layer copies to the stack.
const SHORT: usize = 200;

/// The last object before what is in the way of a text.
pub(super) struct Deepest {
    /// Where only directories may be missing, the last one that is there; otherwise the link.
    pub(super) object: OwnedFd,
    /// Where its name ends in the text; 0 for the base itself.
    pub(super) end: usize,
}

/// Opens what the text below the base spells. `LOOP`: a link is on the way; the last name may be one.
pub(super) fn beneath(on: &On<'_>, below: &[u8]) -> Result<OwnedFd, Errno> {
    match on.backend() {
        Backend::Kernel => in_one_call(on.base, below),
        Backend::Names | Backend::Walk => by_names(on.base, below).map_err(|stopped| stopped.errno),
    }
}

/// As [`beneath`], of all that the text spells.
#[inline]
pub(super) fn spelled_beneath(on: &On<'_>, text: &mut Text) -> Result<OwnedFd, Errno> {
    if on.backend() != Backend::Kernel || on.below(&text.place).is_empty() {
        return beneath(on, on.below(&text.place));
    }
    let open = |below: &CStr| open_beneath(on.base.object.as_fd(), below);
    text.spelled(on.lane.start(), open).unwrap_or(Err(Errno::INVAL))
}

/// The object that the longest possible part of the text spells. The whole text was refused for this reason, `LOOP` or
/// `NOENT`; a part that is refused for another one leaves it to the walk.
pub(super) fn deepest(on: &On<'_>, below: &[u8], reason: Errno) -> Option<Deepest> {
    match on.backend() {
        Backend::Kernel => by_halves(on.base, below, reason),
        Backend::Names | Backend::Walk => {
            by_names(on.base, below)
                .err()
                .filter(|stopped| stopped.errno == reason)?
                .at
        }
    }
}

fn in_one_call(base: &Root, below: &[u8]) -> Result<OwnedFd, Errno> {
    let below = if below.is_empty() { b"." } else { below };
    // The kernel wants a NUL at the end. Short texts are copied to the stack for that; so are long ones here, as an
    // allocation would be made otherwise.
    if below.len() < SHORT {
        return open_beneath(base.object.as_fd(), below);
    }
    let mut text = [0; MAX_PLACE + 1];
    let (text, _) = text
        .split_at_mut_checked(below.len() + 1)
        .ok_or(Errno::NAMETOOLONG)?;
    if let Some(names) = text.get_mut(..below.len()) {
        names.copy_from_slice(below);
    }
    let text = CStr::from_bytes_with_nul(text).map_err(|_| Errno::INVAL)?;
    open_beneath(base.object.as_fd(), text)
}

/// A long text costs few calls.
fn by_halves(base: &Root, below: &[u8], reason: Errno) -> Option<Deepest> {
    let slashes = below.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    let ends: Vec<usize> = slashes.map(|(at, _)| at).collect();
    let mut found = None;
    let (mut good, mut bad) = (0, ends.len() + 1);
    // What is missing is mostly the last name.
    let mut middle = if reason == Errno::NOENT {
        ends.len()
    } else {
        bad / 2
    };
    while bad - good > 1 {
        let end = *ends.get(middle.checked_sub(1)?)?;
        match in_one_call(base, below.get(..end)?) {
            Ok(object) => {
                found = Some(Deepest { object, end });
                good = middle;
            }
            Err(errno) if errno == reason => bad = middle,
            Err(_) => return None,
        }
        middle = good + (bad - good) / 2;
    }
    found.or_else(|| {
        let object = in_one_call(base, b"").ok()?;
        Some(Deepest { object, end: 0 })
    })
}

/// Where the names stop leading on, and why.
struct Stopped {
    errno: Errno,
    at: Option<Deepest>,
}

impl From<Errno> for Stopped {
    fn from(errno: Errno) -> Self {
        Self { errno, at: None }
    }
}

/// Two calls for each name: on the way there may be nothing but directories, which the kernel sees to, so that only the
/// last object is looked at.
fn by_names(base: &Root, below: &[u8]) -> Result<OwnedFd, Stopped> {
    let mut names = below.split(|byte| *byte == b'/').peekable();
    let mut dir: Option<OwnedFd> = None;
    // Where the name of `dir` ends.
    let mut end = 0;
    while let Some(name) = names.next() {
        let name = if below.is_empty() { b"." } else { name };
        if name == b".." {
            return Err(Errno::XDEV.into());
        }
        let from = dir.as_ref().map_or(base.object.as_fd(), OwnedFd::as_fd);
        let last = names.peek().is_none();
        let open = if last {
            open_name_unchecked
        } else {
            open_dir_unchecked
        };
        let next = if end == 0 {
            name.len()
        } else {
            end + 1 + name.len()
        };
        match open(from, name) {
            Ok(object) if last => return on_mount(base, object).map_err(Stopped::from),
            Ok(object) => dir = Some(object),
            Err(Errno::NOTDIR) if !last => {
                let object = on_mount(base, open_name_unchecked(from, name)?)?;
                gap();
                if FileType::from_raw_mode(fstat(&object)?.st_mode) != FileType::Symlink {
                    return Err(Errno::NOTDIR.into());
                }
                return Err(Stopped {
                    errno: Errno::LOOP,
                    at: Some(Deepest { object, end: next }),
                });
            }
            Err(errno) => {
                let dir = match dir {
                    Some(dir) => dir,
                    None => open_name_unchecked(&base.object, b".")?,
                };
                let object = on_mount(base, dir)?;
                return Err(Stopped {
                    errno,
                    at: Some(Deepest { object, end }),
                });
            }
        }
        end = next;
    }
    Err(Errno::NOENT.into())
}

/// Going down, nobody comes back to a mount that was left, so the last object tells for all.
fn on_mount(base: &Root, object: OwnedFd) -> Result<OwnedFd, Errno> {
    match facts_of(&object) {
        Ok(facts) if facts.mount == base.facts.mount => Ok(object),
        _ => Err(Errno::XDEV),
    }
}
