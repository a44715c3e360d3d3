//! The names in a directory: the one place that lists.

use std::ops::ControlFlow;
use std::os::fd::AsFd;

use rustix::fs::{FileType, RawDir};
use rustix::io::Errno;

/// What the kernel fills at once.
const BUFFER: usize = 32 * 1024;

/// Shows each name but `.` and `..`, in no order, with what the file system says of it, until it is enough.
///
/// # Errors
/// The directory could not be listed to the end.
pub(crate) fn each_name<B>(
    dir: impl AsFd,
    mut each: impl FnMut(&[u8], FileType) -> ControlFlow<B>,
) -> Result<ControlFlow<B>, Errno> {
    let mut buffer = Vec::with_capacity(BUFFER);
    let mut listing = RawDir::new(dir, buffer.spare_capacity_mut());
    while let Some(entry) = listing.next() {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if matches!(name, b"." | b"..") {
            continue;
        }
        if let ControlFlow::Break(enough) = each(name, entry.file_type()) {
            return Ok(ControlFlow::Break(enough));
        }
    }
    Ok(ControlFlow::Continue(()))
}
