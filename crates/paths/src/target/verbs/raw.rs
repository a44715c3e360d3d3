//! The system calls that act on a name: nothing here checks anything. Each takes one component below a held
//! directory (R9), and its caller has compared identities right before.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use crate::target::race::gap;

const DIR: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Opens the held object again for reading or writing. Never creates and never truncates; `O_NONBLOCK` because
/// a FIFO would wait for a peer, `O_NOCTTY` because a terminal would become ours.
pub(super) fn reopen_unchecked(object: impl AsFd, access: OFlags) -> Result<File, Errno> {
    gap();
    let link = format!("/proc/self/fd/{}", object.as_fd().as_raw_fd());
    let flags = access | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    rustix::fs::openat(rustix::fs::CWD, link, flags, Mode::empty()).map(File::from)
}

/// Opens the held directory again, readable.
pub(super) fn reopen_dir_unchecked(dir: impl AsFd) -> Result<OwnedFd, Errno> {
    gap();
    rustix::fs::openat(dir, c".", DIR, Mode::empty())
}

/// Opens the directory above the held one, readable.
pub(super) fn open_above_unchecked(dir: impl AsFd) -> Result<OwnedFd, Errno> {
    gap();
    rustix::fs::openat(dir, c"..", DIR, Mode::empty())
}

/// Opens a directory below the held one, readable; a link is not followed.
pub(super) fn open_dir_unchecked(parent: impl AsFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    gap();
    rustix::fs::openat(parent, name, DIR, Mode::empty())
}

/// Holds a directory below the held one; a link is not followed.
pub(super) fn hold_dir_unchecked(parent: impl AsFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    gap();
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, Mode::empty())
}

/// Creates a file whose name must be free, open for writing.
pub(super) fn create_unchecked(parent: impl AsFd, name: &[u8], mode: Mode) -> Result<File, Errno> {
    gap();
    let flags =
        OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    rustix::fs::openat(parent, name, flags, mode).map(File::from)
}

pub(super) fn make_dir_unchecked(parent: impl AsFd, name: &[u8]) -> Result<(), Errno> {
    gap();
    rustix::fs::mkdirat(parent, name, Mode::RWXU | Mode::RWXG | Mode::RWXO)
}

/// Removes a name that is not a directory.
pub(super) fn unlink_unchecked(parent: impl AsFd, name: &[u8]) -> Result<(), Errno> {
    gap();
    rustix::fs::unlinkat(parent, name, AtFlags::empty())
}

/// Removes an empty directory.
pub(super) fn remove_dir_unchecked(parent: impl AsFd, name: &[u8]) -> Result<(), Errno> {
    gap();
    rustix::fs::unlinkat(parent, name, AtFlags::REMOVEDIR)
}

/// Renames within one directory, over what is there.
pub(super) fn rename_over_unchecked(parent: impl AsFd, from: &[u8], to: &[u8]) -> Result<(), Errno> {
    gap();
    let parent = parent.as_fd();
    rustix::fs::renameat(parent, from, parent, to)
}

/// Renames to a name that must be free.
pub(super) fn rename_new_unchecked(
    from_parent: impl AsFd,
    from: &[u8],
    to_parent: impl AsFd,
    to: &[u8],
) -> Result<(), Errno> {
    gap();
    rustix::fs::renameat_with(from_parent, from, to_parent, to, RenameFlags::NOREPLACE)
}

/// Gives an object that is not a directory a second name, which must be free; a link itself, not what it leads to.
pub(super) fn link_unchecked(
    from_parent: impl AsFd,
    from: &[u8],
    to_parent: impl AsFd,
    to: &[u8],
) -> Result<(), Errno> {
    gap();
    rustix::fs::linkat(from_parent, from, to_parent, to, AtFlags::empty())
}
