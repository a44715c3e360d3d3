use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use portcullis::desk::wire::LONGEST_LINE;
use portcullis::{Clock as _, Moment, SystemClock};

/// Whole lines of bounded length from a connection.
pub(crate) struct Lines {
    stream: UnixStream,
    received: Vec<u8>,
    clock: SystemClock,
}

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// Nothing until then.
    Late,
    /// The end, or something that is no line.
    End,
}

/// How long the other side may take to take a line.
const WRITE: Duration = Duration::from_secs(2);
const SHORTEST: Duration = Duration::from_millis(1);

impl Lines {
    pub(crate) fn new(stream: UnixStream, clock: SystemClock) -> io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(WRITE))?;
        Ok(Self {
            stream,
            received: Vec::new(),
            clock,
        })
    }

    /// The next line, when it is whole until then.
    pub(crate) fn next(&mut self, until: Moment) -> Next {
        loop {
            if let Some(end) = self.received.iter().position(|byte| *byte == b'\n') {
                let rest = self.received.split_off(end + 1);
                let mut line = std::mem::replace(&mut self.received, rest);
                line.pop();
                return Next::Line(line);
            }
            let left = until.since(self.clock.now());
            if left.is_zero() {
                return Next::Late;
            }
            if self.received.len() >= LONGEST_LINE
                || self.stream.set_read_timeout(Some(left.max(SHORTEST))).is_err()
            {
                return Next::End;
            }
            let mut chunk = [0_u8; 4096];
            match self.stream.read(&mut chunk) {
                Ok(0) => return Next::End,
                Ok(length) => self
                    .received
                    .extend_from_slice(chunk.get(..length).unwrap_or_default()),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Next::End,
            }
        }
    }

    /// Sends a whole line.
    pub(crate) fn send(&mut self, line: &[u8]) -> io::Result<()> {
        self.stream.write_all(line)
    }
}
