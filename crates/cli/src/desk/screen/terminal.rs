use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::path::Path;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetwinsize, tcsetattr};

use super::draw::{Row, Size};
use crate::files;

/// Another screen, no cursor, and no wrapping: a row that is wider than we think must not push the others down.
const BEGIN: &str = "\x1b[?1049h\x1b[?25l\x1b[?7l";
const END: &str = "\x1b[?7h\x1b[?25h\x1b[?1049l";

/// The controlling terminal, as long as the screen has it.
pub(super) struct Terminal {
    device: File,
    before: Termios,
}

/// What came of waiting.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Came {
    Nothing,
    Typed(Vec<u8>),
    /// The terminal is gone.
    End,
}

impl Terminal {
    pub(super) fn open() -> io::Result<Self> {
        let device = files::read_write(Path::new("/dev/tty"))?;
        let before = tcgetattr(&device)?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(&device, OptionalActions::Flush, &raw)?;
        let mut terminal = Self { device, before };
        terminal.device.write_all(BEGIN.as_bytes())?;
        Ok(terminal)
    }

    pub(super) fn size(&self) -> Size {
        match tcgetwinsize(&self.device) {
            Ok(size) if size.ws_row > 0 && size.ws_col > 0 => Size {
                rows: usize::from(size.ws_row),
                columns: usize::from(size.ws_col),
            },
            _ => Size {
                rows: 24,
                columns: 80,
            },
        }
    }

    /// Shows these rows and nothing else.
    pub(super) fn show(&mut self, rows: &[Row], bell: bool) -> io::Result<()> {
        let mut text = String::from("\x1b[H");
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                text.push_str("\r\n");
            }
            match row.marked {
                true => text.push_str(&format!("\x1b[7m{}\x1b[0m\x1b[K", row.text)),
                false => text.push_str(&format!("{}\x1b[K", row.text)),
            }
        }
        text.push_str("\x1b[J");
        if bell {
            text.push('\x07');
        }
        self.device.write_all(text.as_bytes())
    }

    /// Waits a little for keys.
    pub(super) fn wait(&mut self, milliseconds: i64) -> Came {
        let wait = Timespec {
            tv_sec: 0,
            tv_nsec: milliseconds * 1_000_000,
        };
        let mut watched = [PollFd::from_borrowed_fd(self.device.as_fd(), PollFlags::IN)];
        match poll(&mut watched, Some(&wait)) {
            Ok(0) | Err(Errno::INTR) => return Came::Nothing,
            Ok(_) => {}
            Err(_) => return Came::End,
        }
        let mut typed = [0_u8; 256];
        match rustix::io::read(&self.device, &mut typed) {
            Ok(0) | Err(_) => Came::End,
            Ok(length) => Came::Typed(typed.get(..length).unwrap_or_default().to_vec()),
        }
    }

    /// Throws away what was typed and not read.
    pub(super) fn discard(&self) {
        let _gone = tcflush(&self.device, QueueSelector::IFlush);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // A terminal that is gone needs neither.
        let _shown = self.device.write_all(END.as_bytes());
        let _restored = tcsetattr(&self.device, OptionalActions::Flush, &self.before);
    }
}
