use std::io::{self, Write};

/// Standard output without a buffer: one `write` here is one write to the descriptor.
#[derive(Debug)]
pub(crate) struct RawStdout;

impl Write for RawStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match rustix::io::write(rustix::stdio::stdout(), bytes) {
                Err(rustix::io::Errno::INTR) => {}
                written => return Ok(written?),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
