//! Which kind of file system an object is on.

use std::os::fd::AsFd;

use rustix::fs::fstatfs;

use crate::Error;

const PROC: u32 = 0x9fa0;
/// They need not keep inode numbers: FUSE, NFS, SMB, CIFS, 9P.
const WEAK: [u32; 5] = [0x6573_5546, 0x6969, 0xfe53_4d42, 0xff53_4d42, 0x0102_1997];

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
