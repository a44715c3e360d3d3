//! One cheap question instead of one look per zone: has any directory that leads to a zone been moved?

use std::fmt::Write as _;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
use rustix::io::{Errno, read};

/// A process that decides only a few times looks at the zones themselves: that is cheaper than setting up a watch.
const WORTH_IT: u32 = 16;

/// The objects on the way to every zone, held: an inode number is proof only while a descriptor is held.
#[derive(Debug)]
pub(crate) struct Watch {
    held: Vec<OwnedFd>,
    asked: AtomicU32,
    moved: AtomicBool,
    notices: OnceLock<Option<OwnedFd>>,
}

impl Watch {
    pub(super) fn new(held: Vec<OwnedFd>) -> Self {
        Self {
            held,
            asked: AtomicU32::new(0),
            moved: AtomicBool::new(false),
            notices: OnceLock::new(),
        }
    }

    /// Surely nothing has moved. `false` means: not known, look.
    ///
    /// `in_place` is asked once, after the watch is set up: what moved before that is not noticed by it.
    pub(crate) fn quiet(&self, in_place: impl Fn() -> bool) -> bool {
        if self.moved.load(Ordering::Acquire) {
            return false;
        }
        if self.asked.load(Ordering::Relaxed) < WORTH_IT {
            self.asked.fetch_add(1, Ordering::Relaxed);
            return false;
        }
        let Some(notices) = self
            .notices
            .get_or_init(|| set_up(&self.held).filter(|_| in_place()))
        else {
            return false;
        };
        let mut notice = [0; 512];
        let quiet = matches!(read(notices, &mut notice), Err(Errno::AGAIN));
        if !quiet {
            self.moved.store(true, Ordering::Release);
        }
        quiet
    }
}

/// `None` where the system does not let us watch everything.
fn set_up(held: &[OwnedFd]) -> Option<OwnedFd> {
    let notices = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
    let mut name = String::new();
    for object in held {
        name.clear();
        write!(name, "/proc/self/fd/{}", object.as_raw_fd()).ok()?;
        add_watch(&notices, name.as_str(), WatchFlags::MOVE_SELF).ok()?;
    }
    Some(notices)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use rustix::fs::{Mode, OFlags, open};

    use super::*;

    #[test]
    fn a_moved_directory_is_noticed_for_good() {
        let dir = tempfile::tempdir().unwrap();
        let (before, after) = (dir.path().join("before"), dir.path().join("after"));
        std::fs::create_dir(&before).unwrap();
        let watch = Watch::new(vec![open(&before, OFlags::PATH, Mode::empty()).unwrap()]);
        for _ in 0..WORTH_IT {
            assert!(
                !watch.quiet(|| true),
                "the first questions are answered by looking"
            );
        }
        assert!(watch.quiet(|| true));
        std::fs::rename(&before, &after).unwrap();
        assert!(!watch.quiet(|| true));
        std::fs::rename(&after, &before).unwrap();
        assert!(!watch.quiet(|| true));
    }

    #[test]
    fn what_moved_before_the_watch_is_not_taken_for_quiet() {
        let dir = tempfile::tempdir().unwrap();
        let watch = Watch::new(vec![open(dir.path(), OFlags::PATH, Mode::empty()).unwrap()]);
        for _ in 0..=WORTH_IT {
            assert!(!watch.quiet(|| false));
        }
        assert!(!watch.quiet(|| true));
    }
}
