use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::disk::{self, Home};
use crate::lock::Held;
use crate::{Error, ErrorKind};

/// A small file of the user's own beside which nothing else of a log stands: as safe as a log, and replaced as a whole.
///
/// It is used only when it is a regular file of mode 0600 with one name, of this user, never through a link. A change is
/// made under a lock, is durable when it returns, and leaves the old content or the new one, whatever happens.
#[derive(Debug, Clone)]
pub struct OwnFile {
    path: PathBuf,
    wait: Duration,
}

/// Longest content, in bytes.
const LONGEST: u64 = 4 << 20;
/// How often a lock whose name was removed while it was waited for is taken anew.
const TRIES: u32 = 8;
/// What errors call it.
const NOUN: &str = "the file";

impl OwnFile {
    /// The file at this place; its directory must exist before it is written. `lock_wait_ms` bounds the wait for other
    /// processes.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, lock_wait_ms: u64) -> Self {
        Self {
            path: path.into(),
            wait: Duration::from_millis(lock_wait_ms),
        }
    }

    /// What is in it; `None` when there is no such file.
    ///
    /// # Errors
    /// `Place`, `TooLarge`, `Io`.
    pub fn read(&self) -> Result<Option<Vec<u8>>, Error> {
        if disk::open_if_there(&self.path).map_err(named)?.is_none() {
            return Ok(None);
        }
        let home = Home::new(&self.path).map_err(named)?;
        self.read_in(&home)
    }

    /// Changes it under its lock: `change` gets what is in it, and gives what shall be, or `None` to leave it.
    ///
    /// # Errors
    /// `Place`, `Locked`, `TooLarge`, `Io`; the old content stands.
    pub fn change<T>(
        &self,
        change: impl FnOnce(Option<Vec<u8>>) -> (Option<Vec<u8>>, T),
    ) -> Result<T, Error> {
        let home = Home::new(&self.path).map_err(named)?;
        let name = home.beside(".lock");
        let (lock, _held) = self.lock(&home, &name)?;
        let (new, value) = change(self.read_in(&home)?);
        if let Some(new) = new {
            // Who removed the lock's name lets the next one in.
            if !home.has_beside(&name, &lock) {
                return Err(self.unlocked());
            }
            home.keep_beside(home.name(), &new)
                .map_err(|error| Error::io(&self.path, "could not be written", error).of(NOUN))?;
        }
        Ok(value)
    }

    /// The lock's file and its lock. A lock that others cannot find is none.
    fn lock(&self, home: &Home, name: &OsStr) -> Result<(Arc<File>, Held), Error> {
        for _ in 0..TRIES {
            let lock = Arc::new(home.open_or_create_beside(name).map_err(named)?);
            let held = Held::take(&lock, &self.path, self.wait).map_err(named)?;
            if home.has_beside(name, &lock) {
                return Ok((lock, held));
            }
        }
        Err(self.unlocked())
    }

    fn unlocked(&self) -> Error {
        Error::new(
            ErrorKind::Locked,
            &self.path,
            "lost its lock to somebody who removed it",
        )
        .of(NOUN)
    }

    fn read_in(&self, home: &Home) -> Result<Option<Vec<u8>>, Error> {
        let Some(file) = home.open_beside(home.name()).map_err(named)? else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        file.take(LONGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Error::io(&self.path, "cannot be read", error).of(NOUN))?;
        if u64::try_from(bytes.len()).is_ok_and(|length| length <= LONGEST) {
            Ok(Some(bytes))
        } else {
            Err(Error::new(ErrorKind::TooLarge, &self.path, "is larger than it may be").of(NOUN))
        }
    }
}

fn named(error: Error) -> Error {
    error.of(NOUN)
}

#[cfg(test)]
mod tests {
    use super::OwnFile;
    use crate::ErrorKind;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "somebody else acts by name")]
    fn who_lost_the_lock_changes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let (file, lock) = (dir.path().join("f"), dir.path().join("f.lock"));
        let own = OwnFile::new(&file, 1_000);
        own.change(|_| (Some(b"old".to_vec()), ())).unwrap();
        let lost = own.change(|_| {
            std::fs::remove_file(&lock).unwrap();
            own.change(|_| (Some(b"of the next one".to_vec()), ())).unwrap();
            (Some(b"of who lost it".to_vec()), ())
        });
        assert_eq!(lost.unwrap_err().kind(), ErrorKind::Locked);
        assert_eq!(own.read().unwrap().unwrap(), b"of the next one");
        own.change(|_| (Some(b"new".to_vec()), ())).unwrap();
    }
}
