//! How the kernel is asked. Several ways, one answer: the tests run every table on each.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::path::Arg;

use crate::target::gap;

const HELD: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// How often a racing rename or a signal may interrupt one call.
const RETRIES: u32 = 8;

/// How paths are looked up. A choice for tests only: all ways decide the same.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// `openat2` where one call can answer, else the walk.
    Kernel,
    /// One name after the other below a root, on a kernel or under a filter that refuses `openat2`, else the walk.
    Names,
    /// Always the walk.
    Walk,
}

impl Backend {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Kernel, Self::Names, Self::Walk];

    /// Whether the kernel, or a filter in front of it, offers `openat2`.
    #[must_use]
    pub fn probe() -> Self {
        match open_below_unchecked(CWD, c"/", ResolveFlags::NO_MAGICLINKS) {
            Ok(_) => Self::Kernel,
            Err(_) => Self::Names,
        }
    }
}

/// Opens one component, a link itself not followed. The caller has checked that it is one component (R9).
pub(crate) fn open_name_unchecked(parent: impl AsFd, name: &[u8]) -> Result<OwnedFd, Errno> {
    retry(|| rustix::fs::openat(parent.as_fd(), name, HELD, Mode::empty()))
}

/// Opens `/`.
pub(crate) fn open_slash() -> Result<OwnedFd, Errno> {
    retry(|| rustix::fs::open(c"/", HELD | OFlags::DIRECTORY, Mode::empty()))
}

/// Opens a path below a directory when it crosses no link, no mount and does not climb out: then its text is canonical.
pub(crate) fn open_beneath(dir: BorrowedFd<'_>, path: impl Arg + Copy) -> Result<OwnedFd, Errno> {
    let resolve = ResolveFlags::BENEATH
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_XDEV;
    open_below_unchecked(dir, path, resolve)
}

/// Opens an absolute path when no link is crossed on the way; mounts may be.
pub(crate) fn open_without_links(path: impl Arg + Copy) -> Result<OwnedFd, Errno> {
    open_below_unchecked(CWD, path, ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS)
}

fn open_below_unchecked(
    dir: BorrowedFd<'_>,
    path: impl Arg + Copy,
    resolve: ResolveFlags,
) -> Result<OwnedFd, Errno> {
    retry(|| rustix::fs::openat2(dir, path, HELD, Mode::empty(), resolve))
}

fn retry<T>(mut call: impl FnMut() -> Result<T, Errno>) -> Result<T, Errno> {
    let mut left = RETRIES;
    loop {
        gap();
        match call() {
            Err(Errno::INTR | Errno::AGAIN) if left > 0 => left -= 1,
            answer => return answer,
        }
    }
}
