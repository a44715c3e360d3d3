//! One cheap question instead of one look per root and zone: has anything that leads to them been moved?
//!
//! A name leads elsewhere when a directory on the way is moved, or when something is mounted or unmounted. The kernel
//! tells both, in the order they happen, and whether it has told anything costs one call that looks at no name.
//! A move is told at the end of the system call that makes it: in its last moments what moved can be found at its new place
//! already. A directory that is removed is not told: who relies on this must not rely on an empty directory. The mounts are
//! those of the thread that set it up; a program whose threads have different ones opens roots in each.

use std::fmt::Write as _;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use rustix::event::{Timespec, epoll};
use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;

use crate::resolver::is_weak;

/// A process that decides only a few times looks at the names themselves: that is cheaper than setting up a watch.
const WORTH_IT: u32 = 16;

const AT_ONCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// The objects on the way to every root and zone, held: an inode number is proof only while a descriptor is held.
#[derive(Debug)]
pub(crate) struct Watch {
    held: Vec<Arc<OwnedFd>>,
    /// Everything was in place, and has been watched since then.
    since: AtomicBool,
    /// Where the kernel says whether it has told anything. Made once; what is watched changes.
    any: OnceLock<OwnedFd>,
    /// One question at a time: the kernel tells of mounts once, to whoever asks first. Somebody asks; it takes no longer
    /// than the one call, and a lock would cost more than that.
    asking: AtomicBool,
    setting_up: Mutex<SettingUp>,
}

#[derive(Debug, Default)]
struct SettingUp {
    /// So many questions were asked since the beginning, or since something was noticed.
    asked: u32,
    /// Not everything was in place, or the system does not let us.
    never: bool,
    /// Nothing is ever read from them: what was told is told until they are dropped.
    notices: Option<Notices>,
}

#[derive(Debug)]
struct Notices {
    _moves: OwnedFd,
    _mounts: OwnedFd,
}

impl Watch {
    pub(super) fn new(held: Vec<Arc<OwnedFd>>) -> Self {
        Self {
            held,
            since: AtomicBool::new(false),
            any: OnceLock::new(),
            asking: AtomicBool::new(false),
            setting_up: Mutex::default(),
        }
    }

    /// Surely nothing has moved from its place until now. `false` means: not known.
    ///
    /// `in_place` is asked after the watch is set up: what moved before that is not noticed by it. Once something was
    /// noticed, a new watch is as good as the first, when everything is in place then.
    pub(crate) fn quiet(&self, in_place: impl Fn() -> bool) -> bool {
        (self.since.load(Ordering::Acquire) || self.begins(in_place)) && self.has_told_nothing()
    }

    fn has_told_nothing(&self) -> bool {
        let Some(any) = self.any.get() else {
            return false;
        };
        while self.asking.swap(true, Ordering::Acquire) {
            std::thread::yield_now();
        }
        // RACE: whoever asked before may have heard of something.
        let told = self.since.load(Ordering::Relaxed).then(|| {
            let mut event = [MaybeUninit::uninit(); 1];
            match epoll::wait(any, &mut event, Some(&AT_ONCE)) {
                Ok(([], _)) => false,
                Err(Errno::INTR) => true,
                _ => {
                    self.since.store(false, Ordering::Relaxed);
                    true
                }
            }
        });
        self.asking.store(false, Ordering::Release);
        told == Some(false)
    }

    /// Everything is watched from now on.
    #[cold]
    fn begins(&self, in_place: impl Fn() -> bool) -> bool {
        let Ok(mut this) = self.setting_up.lock() else {
            return false;
        };
        if self.since.load(Ordering::Acquire) {
            return true;
        }
        if this.never {
            return false;
        }
        this.asked += 1;
        if this.asked <= WORTH_IT {
            return false;
        }
        this.asked = 0;
        // What was watched before goes first: it has told already.
        this.notices = None;
        this.notices = self.set_up().filter(|_| in_place());
        this.never = this.notices.is_none();
        self.since.store(!this.never, Ordering::Release);
        !this.never
    }

    /// `None` where the system does not let us watch everything, or where others can move things without its knowing.
    fn set_up(&self) -> Option<Notices> {
        let moves = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        let mut name = String::new();
        for object in &self.held {
            if is_weak(object).ok()? {
                return None;
            }
            name.clear();
            write!(name, "/proc/self/fd/{}", object.as_raw_fd()).ok()?;
            add_watch(&moves, name.as_str(), WatchFlags::MOVE_SELF).ok()?;
        }
        let mounts = OFlags::RDONLY | OFlags::CLOEXEC;
        let mounts = open(c"/proc/thread-self/mountinfo", mounts, Mode::empty()).ok()?;
        if self.any.get().is_none() {
            let _ours = self.any.set(epoll::create(epoll::CreateFlags::CLOEXEC).ok()?);
        }
        let any = self.any.get()?;
        let data = epoll::EventData::new_u64(0);
        epoll::add(any, &moves, data, epoll::EventFlags::IN).ok()?;
        epoll::add(any, &mounts, data, epoll::EventFlags::PRI).ok()?;
        Some(Notices {
            _moves: moves,
            _mounts: mounts,
        })
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use rustix::fs::{Mode, OFlags, open};

    use super::*;

    #[test]
    fn a_moved_directory_is_noticed_and_a_new_watch_needs_it_in_place() {
        let dir = tempfile::tempdir().unwrap();
        let (before, after) = (dir.path().join("before"), dir.path().join("after"));
        std::fs::create_dir(&before).unwrap();
        let watch = Watch::new(vec![Arc::new(
            open(&before, OFlags::PATH, Mode::empty()).unwrap(),
        )]);
        let in_place = || before.exists();
        let asked_often = || (0..WORTH_IT).all(|_| !watch.quiet(in_place));
        assert!(asked_often(), "the first questions are answered by looking");
        assert!(watch.quiet(in_place));
        std::fs::rename(&before, &after).unwrap();
        std::fs::rename(&after, &before).unwrap();
        assert!(!watch.quiet(in_place));
        assert!(asked_often(), "and so are the first after something moved");
        assert!(watch.quiet(in_place));
        std::fs::rename(&before, &after).unwrap();
        assert!(!watch.quiet(in_place));
        assert!(asked_often());
        assert!(!watch.quiet(in_place));
        std::fs::rename(&after, &before).unwrap();
        assert!(!watch.quiet(in_place));
    }

    #[test]
    fn what_moved_before_the_watch_is_not_taken_for_quiet() {
        let dir = tempfile::tempdir().unwrap();
        let watch = Watch::new(vec![Arc::new(
            open(dir.path(), OFlags::PATH, Mode::empty()).unwrap(),
        )]);
        for _ in 0..=WORTH_IT {
            assert!(!watch.quiet(|| false));
        }
        assert!(!watch.quiet(|| true));
    }
}
