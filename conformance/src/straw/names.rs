//! Other names of an object: looked for below a directory, as no system tells them.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, StatxFlags, openat, statat, statx};
use rustix::io::Errno;

use super::place::Identity;

/// Deeper directories are not looked into; what is not known is taken for a yes.
const DEEPEST: usize = 64;

/// The mount that an object is seen through; none where that is not told.
pub(super) fn mount(object: Option<impl AsFd>) -> Option<u64> {
    let seen = statx(object?, "", AtFlags::EMPTY_PATH, StatxFlags::MNT_ID).ok()?;
    (seen.stx_mask & StatxFlags::MNT_ID.bits() != 0).then_some(seen.stx_mnt_id)
}

/// Whether the object has a name somewhere below the directory. What cannot be looked at may hold one.
pub(super) fn holds(dir: impl AsFd, object: Identity) -> bool {
    below(dir, object, DEEPEST).unwrap_or(true)
}

fn below(dir: impl AsFd, object: Identity, depth: usize) -> Result<bool, Errno> {
    if depth == 0 {
        return Ok(true);
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let dir: OwnedFd = openat(dir, ".", flags, Mode::empty())?;
    for entry in Dir::read_from(&dir)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let seen = match statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(seen) => seen,
            Err(Errno::NOENT) => continue,
            Err(error) => return Err(error),
        };
        let same = (seen.st_dev, seen.st_ino) == object;
        let found = if same {
            true
        } else if FileType::from_raw_mode(seen.st_mode) == FileType::Directory {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            below(openat(&dir, name, flags, Mode::empty())?, object, depth - 1)?
        } else {
            false
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}
