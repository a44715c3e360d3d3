//! A person at a terminal. Everything but the one letter in time is no.

mod line;
mod mode;
mod said;
mod screen;

use std::fmt;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::Arc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::getpgrp;
use rustix::termios::{isatty, tcgetpgrp, tcgetwinsize};

use crate::{Answer, Approver, Cancel, Clock, Question, Reply};
use line::{Line, Read};
use mode::Asking;
use said::Said;
use screen::{Shown, Size};

/// A person at the controlling terminal (`/dev/tty`), never standard input.
///
/// Keys that were typed before the question stood there do not count, there is no default answer, and whatever is not
/// exactly `a` and Enter is no. Where more is offered, `g` with how far (`g 8h`, `g session`, `g below DIR`) allows the
/// same again; a `g` that says more than is offered is asked again, as long as the question is open. In a window where question
/// and choices have no room together nothing is asked until it is enlarged, and no yes counts in one that was made smaller. End of input and a closed window are nobody to ask; a line that does not
/// end is unreadable.
pub struct Terminal {
    device: OwnedFd,
    clock: Arc<dyn Clock>,
}

/// How often cancellation is looked at while nobody types, in milliseconds.
const STEP_MS: u64 = 50;

impl Terminal {
    /// The controlling terminal; `None` when there is none. `clock` is the gate's.
    #[must_use]
    pub fn open(clock: impl Clock + 'static) -> Option<Self> {
        // Nonblocking: a stopped screen must not keep the question past its deadline.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let device = rustix::fs::open("/dev/tty", flags, Mode::empty()).ok()?;
        Self::on(device, clock)
    }

    /// Any terminal, for hosts that make their own; `None` when it is not one. It is switched to nonblocking.
    #[must_use]
    pub fn from_fd(device: OwnedFd, clock: impl Clock + 'static) -> Option<Self> {
        let flags = rustix::fs::fcntl_getfl(&device).ok()?;
        rustix::fs::fcntl_setfl(&device, flags | OFlags::NONBLOCK).ok()?;
        Self::on(device, clock)
    }

    fn on(device: OwnedFd, clock: impl Clock + 'static) -> Option<Self> {
        isatty(&device).then(|| Self {
            device,
            clock: Arc::new(clock),
        })
    }

    fn converse(&self, question: &Question, cancel: &Cancel) -> Result<Reply, Ended> {
        if self.in_background() {
            return Err(Ended::HungUp);
        }
        let asking = Asking::begin(&self.device).map_err(|_| Ended::HungUp)?;
        let shown = self.await_room(question, cancel)?;
        self.write(shown.question.as_bytes(), question, cancel)?;
        // RACE: what was typed up to here was typed before the whole question could be read.
        asking.discard_typed().map_err(|_| Ended::HungUp)?;
        self.write(shown.choices.as_bytes(), question, cancel)?;
        let answer = self.read_answer(&asking, &shown, question, cancel);
        let parting = screen::parting(answer.as_ref().ok());
        // The answer stands whether or not the screen still takes a line.
        let _shown = self.write(parting.as_bytes(), question, cancel);
        answer.map(|answer| Reply::Answer {
            question: question.id.clone(),
            answer,
            reviewer: false,
        })
    }

    /// The question with its choices, as soon as all of it has room. Until then a sentence stands there, and nothing that is
    /// typed is an answer.
    fn await_room(&self, question: &Question, cancel: &Cancel) -> Result<Shown, Ended> {
        let mut is_told = false;
        loop {
            let remaining = question.deadline.since(self.clock.now());
            let size = self.size();
            let shown = Shown::of(question, remaining, size);
            if shown.fits(size) {
                return Ok(shown);
            }
            if !is_told {
                self.write(screen::TOO_SMALL.as_bytes(), question, cancel)?;
                is_told = true;
            }
            self.look(PollFlags::empty(), question, cancel)?;
        }
    }

    /// Asking from the background would stop the whole process. A terminal that is not the controlling one has
    /// no foreground.
    fn in_background(&self) -> bool {
        tcgetpgrp(&self.device).is_ok_and(|foreground| foreground != getpgrp())
    }

    fn size(&self) -> Size {
        let size = tcgetwinsize(&self.device).ok();
        let or = |number: Option<u16>, usual| match number {
            Some(number @ 1..) => usize::from(number),
            _ => usual,
        };
        Size {
            rows: or(size.map(|size| size.ws_row), 24),
            columns: or(size.map(|size| size.ws_col), 80),
        }
    }

    fn read_answer(
        &self,
        asking: &Asking<'_>,
        shown: &Shown,
        question: &Question,
        cancel: &Cancel,
    ) -> Result<Answer, Ended> {
        loop {
            let line = self.read_line(question, cancel)?;
            let why = match said::read(&line, &question.offers) {
                Said::Answer(answer @ Answer::Deny { .. }) => return Ok(answer),
                // RACE: a window that was made smaller since may have lost the question.
                Said::Answer(answer) if shown.fits(self.size()) => return Ok(answer),
                Said::Answer(_) => "this window is too small now: enlarge it",
                Said::Again(why) => why,
            };
            self.write(screen::again(why).as_bytes(), question, cancel)?;
            // RACE: what was typed up to here was typed before it was known that the line before it is no answer.
            asking.discard_typed().map_err(|_| Ended::HungUp)?;
            self.write(screen::AGAIN.as_bytes(), question, cancel)?;
        }
    }

    fn read_line(&self, question: &Question, cancel: &Cancel) -> Result<String, Ended> {
        let mut line = Line::default();
        loop {
            self.wait(PollFlags::IN, question, cancel)?;
            match line.read(&self.device) {
                Read::More => {}
                Read::Whole(text) => return Ok(text),
                Read::Unreadable => return Err(Ended::Unreadable),
                Read::End => return Err(Ended::HungUp),
            }
        }
    }

    fn write(&self, mut bytes: &[u8], question: &Question, cancel: &Cancel) -> Result<(), Ended> {
        while !bytes.is_empty() {
            self.wait(PollFlags::OUT, question, cancel)?;
            match rustix::io::write(&self.device, bytes) {
                Ok(written) => bytes = bytes.get(written..).unwrap_or_default(),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => return Err(Ended::HungUp),
            }
        }
        Ok(())
    }

    /// Returns when the device is ready, or why there is nothing to wait for any more.
    fn wait(&self, ready: PollFlags, question: &Question, cancel: &Cancel) -> Result<(), Ended> {
        while !self.look(ready, question, cancel)? {}
        Ok(())
    }

    /// One short look: whether the device is ready.
    fn look(&self, ready: PollFlags, question: &Question, cancel: &Cancel) -> Result<bool, Ended> {
        if cancel.is_raised() {
            return Err(Ended::Cancelled);
        }
        let now = self.clock.now();
        if now > question.deadline {
            return Err(Ended::Silence);
        }
        let left = question.deadline.0 - now.0;
        let step = left.saturating_add(1).min(STEP_MS);
        let step = Timespec {
            tv_sec: 0,
            tv_nsec: i64::try_from(step).unwrap_or(1) * 1_000_000,
        };
        let mut watched = [PollFd::from_borrowed_fd(self.device.as_fd(), ready)];
        match poll(&mut watched, Some(&step)) {
            Ok(0) | Err(Errno::INTR) => Ok(false),
            Ok(_) => {
                let [watched] = watched;
                let seen = watched.revents();
                match seen.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                    true => Err(Ended::HungUp),
                    false => Ok(true),
                }
            }
            Err(_) => Err(Ended::HungUp),
        }
    }
}

/// Why there is no answer.
enum Ended {
    Silence,
    Cancelled,
    HungUp,
    Unreadable,
}

impl Approver for Terminal {
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply {
        match self.converse(question, cancel) {
            Ok(reply) => reply,
            Err(Ended::Silence) => Reply::Silence,
            Err(Ended::Cancelled) => Reply::Cancelled,
            Err(Ended::HungUp) => Reply::HungUp,
            Err(Ended::Unreadable) => Reply::Unreadable,
        }
    }
}

impl fmt::Debug for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terminal")
            .field("device", &self.device)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
