use std::os::fd::{AsFd, AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use rustix::process::{Pid, Uid, geteuid};

use super::Trouble;

/// Where gates ask.
pub const GATES: &str = "gates.sock";
/// Where people answer.
pub const PEOPLE: &str = "people.sock";
/// Held by the desk as long as it runs.
const LOCK: &str = "desk.lock";
/// Connections that wait to be accepted.
const BACKLOG: i32 = 64;

/// The runtime directory of a desk, held open: the user's own, and nobody else may enter.
#[derive(Debug)]
pub struct Room {
    directory: OwnedFd,
}

/// A desk's hold on its room. Another desk cannot have it at the same time; it ends with the process.
#[derive(Debug)]
pub struct Held {
    room: Room,
    _lock: OwnedFd,
}

/// Why a desk cannot move in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Occupied {
    /// Another desk has it.
    #[error("a desk is running already")]
    Running,
    /// The directory is not the user's alone.
    #[error("the desk's directory is not the user's alone")]
    Unsafe,
    /// The system refuses.
    #[error("the desk's directory cannot be used: {0}")]
    System(Errno),
}

/// Who is at the other end of a connection, by the kernel's word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Peer {
    /// The process.
    pub process: Pid,
    /// Its user.
    pub user: Uid,
}

impl Peer {
    /// Asks the kernel.
    ///
    /// # Errors
    /// When the kernel does not say.
    pub fn of(connection: impl AsFd) -> Result<Self, Errno> {
        let found = rustix::net::sockopt::socket_peercred(connection)?;
        Ok(Self {
            process: found.pid,
            user: found.uid,
        })
    }

    /// Whether it is the very user of this process. The superuser is another user.
    #[must_use]
    pub fn is_this_user(&self) -> bool {
        self.user == geteuid()
    }
}

impl Room {
    /// Opens it, when it is there and safe.
    ///
    /// # Errors
    /// `Absent`, `Unsafe`.
    pub fn open(directory: &Path) -> Result<Self, Trouble> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = rustix::fs::open(directory, flags, Mode::empty()).map_err(|error| match error {
            Errno::NOENT => Trouble::Absent,
            _ => Trouble::Unsafe,
        })?;
        let found = rustix::fs::fstat(&directory).map_err(|_| Trouble::Unsafe)?;
        match is_private(&found) {
            true => Ok(Self { directory }),
            false => Err(Trouble::Unsafe),
        }
    }

    /// Connects to a socket in it, without waiting, and asks the kernel who listens.
    ///
    /// # Errors
    /// `Absent`, `Stale`, `Unsafe`, `OtherUser`, `Full`.
    pub fn connect(&self, name: &str) -> Result<OwnedFd, Trouble> {
        let found = rustix::fs::statat(&self.directory, name, AtFlags::SYMLINK_NOFOLLOW).map_err(
            |error| match error {
                Errno::NOENT => Trouble::Absent,
                _ => Trouble::Unsafe,
            },
        )?;
        if FileType::from_raw_mode(found.st_mode) != FileType::Socket || !is_private(&found) {
            return Err(Trouble::Unsafe);
        }
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = rustix::net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
            .map_err(|_| Trouble::Absent)?;
        let address = SocketAddrUnix::new(self.inside(name)).map_err(|_| Trouble::Absent)?;
        // RACE: between the look above and here only the user can have changed what stands in the room.
        rustix::net::connect(&socket, &address).map_err(|error| match error {
            Errno::CONNREFUSED => Trouble::Stale,
            Errno::AGAIN => Trouble::Full,
            _ => Trouble::Absent,
        })?;
        match Peer::of(&socket) {
            Ok(peer) if peer.is_this_user() => Ok(socket),
            _ => Err(Trouble::OtherUser),
        }
    }

    /// A name in the room that needs no more than a socket's address may have, and that nobody can redirect.
    fn inside(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.directory.as_raw_fd())).join(name)
    }

    /// Moves in. The directory has to be there.
    ///
    /// # Errors
    /// The reason.
    pub fn hold(self) -> Result<Held, Occupied> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let lock = rustix::fs::openat(&self.directory, LOCK, flags, Mode::RUSR | Mode::WUSR)
            .map_err(Occupied::System)?;
        rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
            Errno::WOULDBLOCK => Occupied::Running,
            other => Occupied::System(other),
        })?;
        Ok(Held {
            room: self,
            _lock: lock,
        })
    }
}

impl Held {
    /// Listens on a socket of mode 0600. One that a dead desk left behind goes away: whoever holds the room is the
    /// only desk there.
    ///
    /// # Errors
    /// The reason.
    pub fn listen(&self, name: &str) -> Result<OwnedFd, Occupied> {
        let directory = &self.room.directory;
        match rustix::fs::unlinkat(directory, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(Occupied::System(error)),
        }
        let socket = rustix::net::socket_with(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )
        .map_err(Occupied::System)?;
        let address = SocketAddrUnix::new(self.room.inside(name)).map_err(Occupied::System)?;
        rustix::net::bind(&socket, &address).map_err(Occupied::System)?;
        // Nobody can connect before this: the room is the user's alone, and nobody listens yet.
        rustix::fs::chmodat(directory, name, Mode::RUSR | Mode::WUSR, AtFlags::empty())
            .map_err(Occupied::System)?;
        rustix::net::listen(&socket, BACKLOG).map_err(Occupied::System)?;
        Ok(socket)
    }

    /// Takes the sockets away. A desk that dies without this leaves stale ones, which are no answer either.
    pub fn clear(&self) {
        for name in [GATES, PEOPLE] {
            let _gone = rustix::fs::unlinkat(&self.room.directory, name, AtFlags::empty());
        }
    }
}

/// This user's, and nothing for anybody else.
fn is_private(found: &Stat) -> bool {
    found.st_uid == geteuid().as_raw() && found.st_mode & 0o077 == 0
}
