//! Opening what a text below a base spells, when it crosses no link and no mount: in one call, or name by name where the
//! kernel or a filter refuses that call. Both give the same answers.

use std::ffi::CStr;
use std::os::fd::{AsFd as _, OwnedFd};

use rustix::io::Errno;

use super::backend::{Backend, open_beneath, open_name_unchecked};
use super::lanes::On;
use super::text::{MAX_PLACE, Text};
use crate::Facts;
use crate::target::facts_of;
use crate::zones::Root;

/// What the system-call layer copies to the stack.
const SHORT: usize = 200;

/// What was opened, and what is known of it already.
pub(super) struct Opened {
    pub(super) object: OwnedFd,
    pub(super) facts: Option<Facts>,
}

/// The last object before what is in the way of a text.
pub(super) struct Deepest {
    /// Where only directories may be missing, the last one that is there; otherwise the link.
    pub(super) opened: Opened,
    /// Where its name ends in the text; 0 for the base itself.
    pub(super) end: usize,
}

/// Why a text could not be opened, and how far it could, where that is known already.
pub(super) struct Stopped {
    pub(super) errno: Errno,
    pub(super) at: Option<Deepest>,
}

impl From<Errno> for Stopped {
    fn from(errno: Errno) -> Self {
        Self { errno, at: None }
    }
}

impl From<OwnedFd> for Opened {
    fn from(object: OwnedFd) -> Self {
        Self { object, facts: None }
    }
}

/// Opens what the place spells below the base, up to that byte. `LOOP`: a link is on the way; the last name may be one.
pub(super) fn beneath(on: &On<'_>, text: &mut Text, end: usize) -> Result<Opened, Stopped> {
    match on.backend() {
        Backend::Kernel => {
            let place = text.place.get(..end).unwrap_or_default();
            Ok(in_one_call(on.base, on.below(place))?.into())
        }
        Backend::Names | Backend::Walk => by_names(on, text, end),
    }
}

/// As [`beneath`], of all that the text spells, where that is one call; what was opened is not looked at.
#[inline]
pub(super) fn in_one_call_all(on: &On<'_>, text: &mut Text) -> Option<Result<OwnedFd, Errno>> {
    if on.backend() != Backend::Kernel || text.place.len() <= on.lane.start() {
        return None;
    }
    let open = |below: &CStr| open_beneath(on.base.object.as_fd(), below);
    text.spelled(on.lane.start(), open)
}

/// The object that the longest possible part of the text spells. The whole text was refused for this reason, `LOOP` or
/// `NOENT`; a part that is refused for another one leaves it to the walk.
pub(super) fn deepest(on: &On<'_>, text: &mut Text, reason: Errno) -> Option<Deepest> {
    match on.backend() {
        Backend::Kernel => by_halves(on.base, on.below(&text.place), reason),
        Backend::Names | Backend::Walk => {
            let end = text.place.len();
            let stopped = by_names(on, text, end).err();
            stopped.filter(|stopped| stopped.errno == reason)?.at
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
                let opened = object.into();
                found = Some(Deepest { opened, end });
                good = middle;
            }
            Err(errno) if errno == reason => bad = middle,
            Err(_) => return None,
        }
        middle = good + (bad - good) / 2;
    }
    found.or_else(|| {
        let opened = in_one_call(base, b"").ok()?.into();
        Some(Deepest { opened, end: 0 })
    })
}

/// Two calls for each name: in what is no directory nothing can be opened, which the kernel sees to, so that only the last
/// object is looked at. Begins where it came to the last time, if the text is still the same up to there.
fn by_names(on: &On<'_>, text: &mut Text, end: usize) -> Result<Opened, Stopped> {
    let start = on.lane.start();
    // What was opened, with the place where its name ends in the text below the base, and the directory that has it.
    let (mut at, mut top) = match text.take_trail(start, end) {
        Some((trail, dir)) => (trail - start, Some(dir)),
        None => (0, None),
    };
    let mut before = None;
    let below = text.place.get(start..end).unwrap_or_default();
    let rest = below.get(at..).unwrap_or_default();
    let rest = rest.strip_prefix(b"/").unwrap_or(rest);
    let mut names = rest.split(|byte| *byte == b'/').peekable();
    while let Some(name) = names.next() {
        let name = if rest.is_empty() { b"." } else { name };
        if name == b".." {
            return Err(Errno::XDEV.into());
        }
        let from = top.as_ref().map_or(on.base.object.as_fd(), OwnedFd::as_fd);
        let next = if at == 0 { name.len() } else { at + 1 + name.len() };
        match open_name_unchecked(from, name) {
            Ok(object) if names.peek().is_none() => {
                let opened = on_mount(on.base, object)?;
                text.keep_trail(top.map(|dir| (start + at, dir)));
                return Ok(opened);
            }
            Ok(object) => {
                before = top.replace(object).map(|dir| (start + at, dir));
                at = next;
            }
            Err(Errno::NOTDIR) => {
                let opened = on_mount(on.base, top.ok_or(Errno::NOTDIR)?)?;
                if !opened.facts.is_some_and(|facts| facts.is_link) {
                    return Err(Errno::NOTDIR.into());
                }
                text.keep_trail(before);
                return Err(Stopped {
                    errno: Errno::LOOP,
                    at: Some(Deepest { opened, end: at }),
                });
            }
            Err(errno) => {
                let dir = match top {
                    Some(dir) => dir,
                    None => open_name_unchecked(&on.base.object, b".")?,
                };
                let opened = on_mount(on.base, dir)?;
                return Err(Stopped {
                    errno,
                    at: Some(Deepest { opened, end: at }),
                });
            }
        }
    }
    Err(Errno::NOENT.into())
}

/// Going down, nobody comes back to a mount that was left, so the last object tells for all.
fn on_mount(base: &Root, object: OwnedFd) -> Result<Opened, Errno> {
    match facts_of(&object) {
        Ok(facts) if facts.mount == base.facts.mount => Ok(Opened {
            object,
            facts: Some(facts),
        }),
        _ => Err(Errno::XDEV),
    }
}
