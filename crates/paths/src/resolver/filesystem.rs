//! Which kind of file system an object is on.

use std::os::fd::AsFd;

use rustix::fs::fstatfs;

use crate::Error;

const PROC: u32 = 0x9fa0;
/// Btrfs, bcachefs: parts of one mount have devices of their own.
const SUBVOLUMES: [u32; 2] = [0x9123_683e, 0xca45_1a4e];
/// An object has one name in its directory, or ones that fold alike: ext4, XFS, tmpfs, overlayfs, F2FS, ZFS, ramfs, EROFS,
/// SquashFS. Elsewhere it may have others, such as VFAT's short names.
const PLAIN: [u32; 9] = [
    0xef53,
    0x5846_5342,
    0x0102_1994,
    0x794c_7630,
    0xf2f5_2010,
    0x2fc1_2fc1,
    0x8584_58f6,
    0xe0f5_e1e2,
    0x7371_7368,
];
/// They need not keep inode numbers: FUSE, NFS, SMB, CIFS, 9P.
const WEAK: [u32; 5] = [0x6573_5546, 0x6969, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997];

/// What names tell on a file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Which object they lead to.
    Plain,
    /// The same, as long as the device stays the same.
    Subvolumes,
    /// Not enough.
    Other,
}

/// What names tell where the object is.
pub(super) fn kind(object: impl AsFd) -> Result<Kind, Error> {
    Ok(match magic(object)? {
        Some(magic) if PLAIN.contains(&magic) => Kind::Plain,
        Some(magic) if SUBVOLUMES.contains(&magic) => Kind::Subvolumes,
        _ => Kind::Other,
    })
}

/// A link here means something else in every process (R12).
pub(crate) fn is_proc(object: impl AsFd) -> Result<bool, Error> {
    Ok(magic(object)? == Some(PROC))
}

/// Identities here are no proof.
pub(crate) fn is_weak(object: impl AsFd) -> Result<bool, Error> {
    Ok(magic(object)?.is_some_and(|magic| WEAK.contains(&magic)))
}

fn magic(object: impl AsFd) -> Result<Option<u32>, Error> {
    let system = fstatfs(object).map_err(Error::os)?;
    // Some magic numbers do not fit the kernel's signed field.
    Ok(u32::try_from(system.f_type & 0xffff_ffff).ok())
}
