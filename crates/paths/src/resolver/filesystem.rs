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
    let magic = u32::try_from(system.f_type & 0xffff_ffff).ok();
    #[cfg(test)]
    let magic = tests::INSTEAD.get().or(magic);
    Ok(magic)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use std::cell::Cell;

    use super::super::{Backend, Request, Resolver};
    use super::*;
    use crate::{Ambient, Concern, Dialect, Operation, Standing, Zones};

    thread_local! {
        /// Every file system is taken for this one: few machines have one whose identities are weak.
        pub(super) static INSTEAD: Cell<Option<u32>> = const { Cell::new(None) };
    }

    fn asks_as_weak(operation: Operation, text: &str, backend: Backend) -> (Standing, bool) {
        let dir = tempfile::tempdir().unwrap();
        let top = std::fs::canonicalize(dir.path()).unwrap();
        std::fs::create_dir_all(top.join("root/a")).unwrap();
        for file in ["root/a/file", "file"] {
            std::fs::write(top.join(file), "").unwrap();
        }
        let zones = Zones::builder().root(top.join("root")).open(&Ambient::empty());
        let resolver = Resolver::with_backend(zones.unwrap(), Ambient::empty(), backend);
        let request = Request {
            text: text.as_bytes(),
            dialect: &Dialect::PLAIN,
            operation,
            cwd: &top.join("root"),
        };
        // Also when moves would be watched for by now.
        let answers = (0..20).map(|_| resolver.resolve(&request).unwrap());
        let weak = answers.map(|target| {
            let weak = target.concerns().contains(&Concern::WeakIdentity);
            (target.standing(), weak)
        });
        let mut weak: Vec<_> = weak.collect();
        weak.dedup();
        assert_eq!(weak.len(), 1, "{weak:?}");
        weak[0]
    }

    #[test]
    fn where_identities_are_no_proof_a_person_is_asked() {
        for backend in Backend::ALL {
            for (operation, text) in [
                (Operation::Read, "a/file"),
                (Operation::Write, "a/new"),
                (Operation::List, "."),
                (Operation::Delete, "a/file"),
                (Operation::Read, "../file"),
            ] {
                let inside = !text.starts_with("..");
                for magic in WEAK.into_iter().map(Some).chain([None, Some(PLAIN[0])]) {
                    INSTEAD.set(magic);
                    let (standing, weak) = asks_as_weak(operation, text, backend);
                    INSTEAD.set(None);
                    let expected = magic.is_some_and(|magic| WEAK.contains(&magic));
                    assert_eq!(weak, expected, "{magic:?} {operation:?} {text} {backend:?}");
                    assert_eq!(standing != Standing::Outside, inside, "{text}");
                }
            }
        }
    }
}
