use std::os::fd::{AsFd as _, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};

use super::Trouble;
use super::wire::LONGEST_LINE;
use crate::{Cancel, Clock, Moment};

/// How often cancellation is looked at while nothing comes, in milliseconds.
const STEP_MS: u64 = 50;
const CHUNK: usize = 4096;

/// Lines to and from the desk, on a socket that never blocks.
pub(super) struct Talk<'a> {
    socket: OwnedFd,
    received: Vec<u8>,
    clock: &'a dyn Clock,
    cancel: &'a Cancel,
    /// The question's.
    deadline: Moment,
}

/// Why there is nothing more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Over {
    /// The question's time is over.
    Silence,
    /// The run was cancelled.
    Cancelled,
    /// Something is wrong.
    Trouble(Trouble),
}

impl From<Trouble> for Over {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl<'a> Talk<'a> {
    pub(super) fn new(socket: OwnedFd, clock: &'a dyn Clock, cancel: &'a Cancel, deadline: Moment) -> Self {
        Self {
            socket,
            received: Vec::new(),
            clock,
            cancel,
            deadline,
        }
    }

    /// Sends a whole line, or says why it could not.
    pub(super) fn send(&mut self, mut line: &[u8], patience: Moment) -> Result<(), Over> {
        while !line.is_empty() {
            self.wait(PollFlags::OUT, patience)?;
            match rustix::net::send(&self.socket, line, SendFlags::NOSIGNAL) {
                Ok(sent) => line = line.get(sent..).unwrap_or_default(),
                Err(Errno::AGAIN | Errno::INTR) => {}
                // What the desk said before it hung up still counts, when there is anything.
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }

    /// Says a last word, if the other side takes it at once.
    pub(super) fn part(&self, line: &[u8]) {
        let _unheard = rustix::net::send(&self.socket, line, SendFlags::NOSIGNAL);
    }

    /// Whether the other side has said anything that was not read.
    pub(super) fn has_spoken(&self) -> bool {
        let mut byte = [0_u8; 1];
        !self.received.is_empty()
            || rustix::net::recv(&self.socket, &mut byte, RecvFlags::PEEK).is_ok_and(|(_, length)| length > 0)
    }

    /// The next line, without its line feed; `None` when the other side has ended. A line without an end, and one
    /// that is too long, are trouble.
    pub(super) fn line(&mut self, patience: Moment) -> Result<Option<Vec<u8>>, Over> {
        loop {
            if let Some(end) = self.received.iter().position(|byte| *byte == b'\n') {
                let rest = self.received.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.received, rest);
                line.pop();
                return Ok(Some(line));
            }
            if self.received.len() >= LONGEST_LINE {
                return Err(Trouble::Unreadable.into());
            }
            if !self.receive(patience)? {
                return match self.received.is_empty() {
                    true => Ok(None),
                    false => Err(Trouble::Unreadable.into()),
                };
            }
        }
    }

    /// Whether something came; false at the end.
    fn receive(&mut self, patience: Moment) -> Result<bool, Over> {
        loop {
            self.wait(PollFlags::IN, patience)?;
            let mut chunk = [0_u8; CHUNK];
            match rustix::net::recv(&self.socket, &mut chunk, RecvFlags::empty()) {
                Ok((_, 0)) | Err(Errno::CONNRESET) => return Ok(false),
                Ok((_, length)) => {
                    self.received
                        .extend_from_slice(chunk.get(..length).unwrap_or_default());
                    return Ok(true);
                }
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => return Err(Trouble::Closed.into()),
            }
        }
    }

    /// Returns when the socket is ready, or why there is nothing to wait for any more. `patience` may be earlier than
    /// the deadline: whoever does not keep to it does not react.
    fn wait(&self, ready: PollFlags, patience: Moment) -> Result<(), Over> {
        loop {
            if self.cancel.is_raised() {
                return Err(Over::Cancelled);
            }
            let now = self.clock.now();
            if now > self.deadline {
                return Err(Over::Silence);
            }
            if now > patience {
                return Err(Trouble::Mute.into());
            }
            let left = self.deadline.min(patience).0.saturating_sub(now.0);
            let step = Timespec {
                tv_sec: 0,
                tv_nsec: i64::try_from(left.saturating_add(1).min(STEP_MS)).unwrap_or(1) * 1_000_000,
            };
            let mut watched = [PollFd::from_borrowed_fd(self.socket.as_fd(), ready)];
            match poll(&mut watched, Some(&step)) {
                Ok(0) | Err(Errno::INTR) => {}
                // Also when it is closed: reading says so.
                Ok(_) => return Ok(()),
                Err(_) => return Err(Trouble::Closed.into()),
            }
        }
    }
}
