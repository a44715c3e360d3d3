use std::io::{self, Write};

use rustix::fs::{Dev, FileType};

/// Major 1, minor 3, in the kernel's packing.
const NULL_DEVICE: Dev = 0x103;

/// Standard output without a buffer: one `write` here is one write to the descriptor.
///
/// Where nobody can hear it, writing fails. A descriptor that was closed before we were started is one that the
/// standard library has opened on the null device.
#[derive(Debug)]
pub(crate) struct RawStdout;

impl Write for RawStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if is_null_device()? {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
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

fn is_null_device() -> io::Result<bool> {
    let here = rustix::fs::fstat(rustix::stdio::stdout())?;
    let is_device = FileType::from_raw_mode(here.st_mode) == FileType::CharacterDevice;
    Ok(is_device && here.st_rdev == NULL_DEVICE)
}
