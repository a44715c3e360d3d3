//! What the kernel says of an object now: the one place that turns `statx` into [`Facts`].

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::fs::{AtFlags, CWD, FileType, Statx, StatxFlags};

use super::race;
use crate::{Error, ErrorKind, Facts, FileKind, Identity, Leaf};

/// The facts of the object that the descriptor holds.
///
/// # Errors
/// `Unsupported` where the kernel does not tell mounts apart; otherwise as [`Error::io`].
pub(crate) fn facts_of(object: impl AsFd) -> Result<Facts, Error> {
    observe(object.as_fd(), c"", AtFlags::EMPTY_PATH)
}

/// The facts of what the name leads to now, a link itself not followed; on a mount point, what is mounted there.
///
/// # Errors
/// `NotFound` when the name is free; otherwise as [`facts_of`].
pub(crate) fn facts_at(parent: impl AsFd, leaf: &Leaf) -> Result<Facts, Error> {
    observe(
        parent.as_fd(),
        leaf.as_bytes(),
        AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT,
    )
}

/// The facts of what the absolute name leads to now, a link itself not followed.
///
/// # Errors
/// `NotFound` when there is nothing; otherwise as [`facts_of`].
pub(crate) fn facts_of_place(place: &CStr) -> Result<Facts, Error> {
    observe(CWD, place, AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT)
}

/// As [`facts_of`], of an object that is known to be on this mount. Cheaper; a birth time is not asked for, as an object
/// that is held needs none to be told apart.
#[cfg_attr(
    target_arch = "x86_64",
    expect(
        clippy::useless_conversion,
        reason = "other architectures count links in fewer bits"
    )
)]
pub(crate) fn facts_on_mount(object: impl AsFd, mount: u64) -> Result<Facts, Error> {
    race::gap();
    let stat = rustix::fs::fstat(object).map_err(Error::os)?;
    Ok(Facts {
        identity: Identity {
            device: stat.st_dev,
            inode: stat.st_ino,
        },
        kind: kind_of(stat.st_mode),
        is_link: FileType::from_raw_mode(stat.st_mode) == FileType::Symlink,
        mode: stat.st_mode,
        links: u64::from(stat.st_nlink),
        ctime: (
            stat.st_ctime,
            u32::try_from(stat.st_ctime_nsec).unwrap_or_default(),
        ),
        btime: None,
        mount,
    })
}

fn observe(dir: BorrowedFd<'_>, name: impl rustix::path::Arg, flags: AtFlags) -> Result<Facts, Error> {
    race::gap();
    let wanted = StatxFlags::BASIC_STATS | StatxFlags::BTIME | StatxFlags::MNT_ID;
    let stat = rustix::fs::statx(dir, name, flags, wanted).map_err(Error::os)?;
    facts(&stat)
}

fn facts(stat: &Statx) -> Result<Facts, Error> {
    let told = StatxFlags::from_bits_retain(stat.stx_mask);
    // A boundary that cannot be seen cannot be respected.
    if !told.contains(StatxFlags::BASIC_STATS | StatxFlags::MNT_ID) {
        return Err(Error::new(ErrorKind::Unsupported));
    }
    let mode = u32::from(stat.stx_mode);
    let file_type = FileType::from_raw_mode(mode);
    Ok(Facts {
        identity: Identity {
            device: rustix::fs::makedev(stat.stx_dev_major, stat.stx_dev_minor),
            inode: stat.stx_ino,
        },
        kind: kind_of(mode),
        is_link: file_type == FileType::Symlink,
        mode,
        links: u64::from(stat.stx_nlink),
        ctime: (stat.stx_ctime.tv_sec, stat.stx_ctime.tv_nsec),
        btime: told
            .contains(StatxFlags::BTIME)
            .then_some((stat.stx_btime.tv_sec, stat.stx_btime.tv_nsec)),
        mount: stat.stx_mnt_id,
    })
}

fn kind_of(mode: u32) -> FileKind {
    match FileType::from_raw_mode(mode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Dir,
        _ => FileKind::Special,
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::fs::{MetadataExt, symlink};

    use super::*;

    #[test]
    fn a_name_and_a_descriptor_of_one_object_tell_the_same() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("file"), "x").unwrap();
        let held = std::fs::File::open(dir.path()).unwrap();
        let leaf = Leaf::new(OsStr::new("file")).unwrap();
        let by_name = facts_at(&held, &leaf).unwrap();
        let file = std::fs::File::open(dir.path().join("file")).unwrap();
        let whole = facts_of(&file).unwrap();
        assert_eq!(by_name, whole);
        let cheap = facts_on_mount(&file, whole.mount).unwrap();
        assert_eq!(cheap, Facts { btime: None, ..whole });
        assert!(cheap.is_untouched(&whole));
        let meta = file.metadata().unwrap();
        assert_eq!(by_name.identity.device, meta.dev());
        assert_eq!(by_name.identity.inode, meta.ino());
        assert_eq!(by_name.mode, meta.mode());
        assert_eq!(
            (by_name.kind, by_name.is_link, by_name.links),
            (FileKind::File, false, 1)
        );
    }

    #[test]
    fn a_link_is_observed_itself() {
        let dir = tempfile::tempdir().unwrap();
        symlink("nowhere", dir.path().join("link")).unwrap();
        let held = std::fs::File::open(dir.path()).unwrap();
        let facts = facts_at(&held, &Leaf::new(OsStr::new("link")).unwrap()).unwrap();
        assert_eq!((facts.kind, facts.is_link), (FileKind::Special, true));
    }

    #[test]
    fn a_free_name_is_not_found() {
        let dir = tempfile::tempdir().unwrap();
        let held = std::fs::File::open(dir.path()).unwrap();
        let missing = facts_at(&held, &Leaf::new(OsStr::new("missing")).unwrap());
        assert_eq!(missing.unwrap_err().kind(), ErrorKind::NotFound);
    }
}
