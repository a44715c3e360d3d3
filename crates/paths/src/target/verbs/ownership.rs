//! Owner, group, mode and access control list of a file, carried over to the one that takes its place.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd};

use rustix::fs::{Gid, Mode, Stat, Uid, XattrFlags};
use rustix::io::Errno;

use crate::{Error, ErrorKind};

const ACCESS_LIST: &core::ffi::CStr = c"system.posix_acl_access";
/// More than the kernel lets an extended attribute be.
const ACCESS_LIST_LIMIT: usize = 64 * 1024;

/// Gives the new file what the old one had, and never more.
pub(super) fn carry_over(old: impl AsFd, new: &File) -> Result<(), Error> {
    let had = rustix::fs::fstat(&old).map_err(Error::os)?;
    let has = rustix::fs::fstat(new).map_err(Error::os)?;
    let group_kept = carry_owner(&had, &has, new)?;
    carry_access_list(&old, new, group_kept)?;
    // After the owner, because changing it clears bits; after the list, whose mask the mode's group bits are.
    rustix::fs::fchmod(new, Mode::from_raw_mode(mode(had.st_mode, group_kept))).map_err(Error::os)
}

/// Whether the group is the old one.
fn carry_owner(had: &Stat, has: &Stat, new: &File) -> Result<bool, Error> {
    let group = (had.st_gid != has.st_gid).then(|| Gid::from_raw(had.st_gid));
    let owner = (had.st_uid != has.st_uid).then(|| Uid::from_raw(had.st_uid));
    if owner.is_none() && group.is_none() {
        return Ok(true);
    }
    match rustix::fs::fchown(new, owner, group) {
        Ok(()) => return Ok(true),
        Err(Errno::PERM) => {}
        Err(number) => return Err(Error::os(number)),
    }
    match rustix::fs::fchown(new, None, group) {
        Ok(()) => Ok(true),
        Err(Errno::PERM) => Ok(false),
        Err(number) => Err(Error::os(number)),
    }
}

fn carry_access_list(old: impl AsFd, new: &File, group_kept: bool) -> Result<(), Error> {
    // Extended attributes cannot be read from a descriptor that only holds; the link leads to the held object.
    let link = format!("/proc/self/fd/{}", old.as_fd().as_raw_fd());
    let mut list = vec![0_u8; ACCESS_LIST_LIMIT];
    match rustix::fs::getxattr(link, ACCESS_LIST, list.as_mut_slice()) {
        Ok(length) => {
            // The list names the old group's rights without naming the group.
            if !group_kept {
                return Err(Error::new(ErrorKind::Denied));
            }
            let list = list.get(..length).ok_or_else(|| Error::new(ErrorKind::Io))?;
            rustix::fs::fsetxattr(new, ACCESS_LIST, list, XattrFlags::empty()).map_err(Error::os)
        }
        // Without a list of its own the old file must not get its parent's default one now.
        Err(Errno::NODATA) => match rustix::fs::fremovexattr(new, ACCESS_LIST) {
            Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
            Err(number) => Err(Error::os(number)),
        },
        Err(Errno::OPNOTSUPP) => Ok(()),
        Err(Errno::NOENT) => Err(Error::new(ErrorKind::Unsupported)),
        Err(number) => Err(Error::os(number)),
    }
}

fn mode(had: u32, group_kept: bool) -> u32 {
    let kept = had & 0o1777;
    if group_kept {
        kept
    } else {
        let others = kept & 0o007;
        (kept & !0o070) | (kept & 0o070 & (others << 3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case::plain(0o100_640, true, 0o640)]
    #[case::set_user_id(0o104_755, true, 0o755)]
    #[case::set_group_id(0o102_755, true, 0o755)]
    #[case::sticky(0o101_644, true, 0o1644)]
    #[case::lost_group_like_others(0o100_644, false, 0o644)]
    #[case::lost_group_no_others(0o100_660, false, 0o600)]
    #[case::lost_group_never_more(0o100_607, false, 0o607)]
    fn the_new_mode_is_never_wider(#[case] had: u32, #[case] group_kept: bool, #[case] then: u32) {
        assert_eq!(mode(had, group_kept), then);
    }
}
