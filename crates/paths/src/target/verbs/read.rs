use std::io::Read;

use crate::{Error, ErrorKind, Target};

impl Target {
    /// Reads a regular file's content, at most `limit` bytes.
    ///
    /// # Errors
    /// `Budget` when the file is larger; otherwise as [`Target::open`].
    pub fn read(&self, limit: u64) -> Result<Vec<u8>, Error> {
        let file = self.open()?;
        let size = file.metadata().map_err(Error::io)?.len();
        if size > limit {
            return Err(Error::new(ErrorKind::Budget));
        }
        let mut content = Vec::new();
        // The size is only a hint: a file may grow while it is read, and some report none.
        file.take(limit.saturating_add(1))
            .read_to_end(&mut content)
            .map_err(Error::io)?;
        if u64::try_from(content.len()).is_ok_and(|read| read <= limit) {
            Ok(content)
        } else {
            Err(Error::new(ErrorKind::Budget))
        }
    }
}
