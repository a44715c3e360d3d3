use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use cap_std::fs::Dir;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

/// What the kernel and others do with the same path.
#[derive(Debug)]
pub struct Floor {
    root: OwnedFd,
    capability: Dir,
    path: PathBuf,
    parent: PathBuf,
    absolute: PathBuf,
}

/// What the fast path of a resolver asks for.
const RESOLVE: ResolveFlags = ResolveFlags::BENEATH
    .union(ResolveFlags::NO_SYMLINKS)
    .union(ResolveFlags::NO_MAGICLINKS)
    .union(ResolveFlags::NO_XDEV);
const OPEN: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

impl Floor {
    pub(crate) fn open(root: &Path, path: &str) -> Self {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let root_fd = rustix::fs::openat(CWD, root, flags, Mode::empty()).expect("the root opens");
        let capability = Dir::open_ambient_dir(root, cap_std::ambient_authority()).expect("the root opens");
        let path = PathBuf::from(path);
        let parent = path.parent().expect("a path below the root").to_path_buf();
        Self {
            root: root_fd,
            capability,
            absolute: root.join(&path),
            path,
            parent,
        }
    }

    /// One raw `openat2` of the path and one `close`. Where the path is missing, the `openat2` says so, and a second
    /// one opens its parent: the fewest calls that hold a new name.
    pub fn raw(&self) {
        if openat2(&self.root, &self.path, OPEN, Mode::empty(), RESOLVE).is_err() {
            openat2(&self.root, &self.parent, OPEN, Mode::empty(), RESOLVE).expect("the parent opens");
        }
    }

    /// As [`Floor::raw`] of another path below the root, whose links are followed as long as they stay below it.
    pub fn raw_following(&self, path: &str) {
        let follow = ResolveFlags::BENEATH
            .union(ResolveFlags::NO_MAGICLINKS)
            .union(ResolveFlags::NO_XDEV);
        let flags = OFlags::PATH.union(OFlags::CLOEXEC);
        // Where the kernel has to look again, as something was renamed meanwhile, it counts links twice and may stop at 40:
        // then it is asked once more. On a busy machine that comes several times in a row.
        let open = |_| openat2(&self.root, path, flags, Mode::empty(), follow).ok();
        (0..100).find_map(open).expect("the path stands");
    }

    /// cap-std opens the parent directory as a capability. It answers no question of policy.
    pub fn cap_std(&self) {
        self.capability.open_dir(&self.parent).expect("the parent opens");
    }

    /// The standard library makes the path canonical. It holds nothing.
    #[expect(clippy::disallowed_methods, reason = "it is what is compared with")]
    pub fn canonicalize(&self) {
        std::fs::canonicalize(&self.absolute).expect("the path stands");
    }
}
