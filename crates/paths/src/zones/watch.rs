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
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
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
    /// Everything was in place, and has been watched since then: which time that was, or 0.
    since: AtomicU32,
    /// Where the kernel says whether it has told anything. Made once; what is watched changes.
    any: OnceLock<OwnedFd>,
    /// One question at a time: the kernel tells of mounts once, to whoever asks first. Somebody asks; it takes no longer
    /// than the one call, and a lock would cost more than that.
    asking: AtomicBool,
    setting_up: Mutex<SettingUp>,
}

/// A time from which on everything was watched. Asked for before anything is opened: what was opened before may have been
/// elsewhere then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Since(u32);

#[derive(Debug, Default)]
struct SettingUp {
    /// So many questions were asked since the beginning, or since something was noticed.
    asked: u32,
    /// How often a watch was set up.
    times: u32,
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
            since: AtomicU32::new(0),
            any: OnceLock::new(),
            asking: AtomicBool::new(false),
            setting_up: Mutex::default(),
        }
    }

    /// From when on everything is watched, or `None`.
    ///
    /// `in_place` is asked after the watch is set up: what moved before that is not noticed by it. Once something was
    /// noticed, a new watch is as good as the first, when everything is in place then.
    #[inline(always)]
    pub(super) fn since(&self, in_place: impl Fn() -> bool) -> Option<Since> {
        match self.since.load(Ordering::Acquire) {
            0 => self.begins(in_place),
            since => Some(Since(since)),
        }
    }

    /// Surely nothing has moved from its place since then. `false` means: not known.
    #[inline]
    pub(super) fn is_quiet(&self, since: Since) -> bool {
        let Some(any) = self.any.get() else {
            return false;
        };
        while self.asking.swap(true, Ordering::Acquire) {
            std::thread::yield_now();
        }
        // RACE: whoever asked before may have heard of something.
        let told = (self.since.load(Ordering::Relaxed) == since.0).then(|| {
            let mut event = [MaybeUninit::uninit(); 1];
            match epoll::wait(any, &mut event, Some(&AT_ONCE)) {
                Ok(([], _)) => false,
                Err(Errno::INTR) => true,
                _ => {
                    self.since.store(0, Ordering::Relaxed);
                    true
                }
            }
        });
        self.asking.store(false, Ordering::Release);
        told == Some(false)
    }

    /// Everything is watched from now on.
    #[cold]
    fn begins(&self, in_place: impl Fn() -> bool) -> Option<Since> {
        let mut this = self.setting_up.lock().ok()?;
        let since = self.since.load(Ordering::Acquire);
        if since != 0 {
            return Some(Since(since));
        }
        if this.never {
            return None;
        }
        this.asked += 1;
        if this.asked <= WORTH_IT {
            return None;
        }
        this.asked = 0;
        // What was watched before goes first: it has told already.
        this.notices = None;
        this.notices = self.set_up().filter(|_| in_place());
        if this.notices.is_none() {
            this.never = true;
            return None;
        }
        this.times = this.times.checked_add(1)?;
        self.since.store(this.times, Ordering::Release);
        Some(Since(this.times))
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

    fn quiet(watch: &Watch, in_place: impl Fn() -> bool) -> bool {
        watch.since(in_place).is_some_and(|since| watch.is_quiet(since))
    }

    #[test]
    fn a_moved_directory_is_noticed_and_a_new_watch_needs_it_in_place() {
        let dir = tempfile::tempdir().unwrap();
        let (before, after) = (dir.path().join("before"), dir.path().join("after"));
        std::fs::create_dir(&before).unwrap();
        let watch = Watch::new(vec![Arc::new(
            open(&before, OFlags::PATH, Mode::empty()).unwrap(),
        )]);
        let in_place = || before.exists();
        let asked_often = || (0..WORTH_IT).all(|_| !quiet(&watch, in_place));
        assert!(asked_often(), "the first questions are answered by looking");
        assert!(quiet(&watch, in_place));
        std::fs::rename(&before, &after).unwrap();
        std::fs::rename(&after, &before).unwrap();
        assert!(!quiet(&watch, in_place));
        assert!(asked_often(), "and so are the first after something moved");
        assert!(quiet(&watch, in_place));
        std::fs::rename(&before, &after).unwrap();
        assert!(!quiet(&watch, in_place));
        assert!(asked_often());
        assert!(!quiet(&watch, in_place));
        std::fs::rename(&after, &before).unwrap();
        assert!(!quiet(&watch, in_place));
    }

    #[test]
    fn what_moved_before_the_watch_is_not_taken_for_quiet() {
        let dir = tempfile::tempdir().unwrap();
        let watch = Watch::new(vec![Arc::new(
            open(dir.path(), OFlags::PATH, Mode::empty()).unwrap(),
        )]);
        for _ in 0..=WORTH_IT {
            assert!(!quiet(&watch, || false));
        }
        assert!(!quiet(&watch, || true));
    }
}
