//! How far a text leads before something is in the way: found by halves, so a long text costs few calls.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::fast::beneath;
use crate::zones::Root;

/// The last object before what is in the way.
pub(super) struct Deepest {
    pub(super) object: OwnedFd,
    /// Where its name ends in the text; 0 for the base itself.
    pub(super) end: usize,
}

/// The object that the longest possible part of the text spells. The whole text was refused for this reason; a part that
/// is refused for another one leaves it to the walk.
pub(super) fn deepest(base: &Root, below: &[u8], reason: Errno) -> Option<Deepest> {
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
        match beneath(base, below.get(..end)?) {
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
        let object = beneath(base, b"").ok()?;
        Some(Deepest { object, end: 0 })
    })
}
