use std::io::Read;

use crate::digest::DigestKey;
use crate::disk::Home;
use crate::{Error, ErrorKind};

/// What the key's name adds to the log's.
pub(crate) const SUFFIX: &str = ".key";
/// Its length in bytes.
pub(crate) const LENGTH: usize = 32;

/// A log's digest key and its bytes, to be stored.
pub(crate) struct Fresh {
    pub(crate) key: DigestKey,
    bytes: [u8; LENGTH],
}

/// Reads the log's digest key; `None` when there is none.
pub(crate) fn load(home: &Home) -> Result<Option<DigestKey>, Error> {
    Ok(secret(home, SUFFIX)?.map(|bytes| DigestKey::new(&bytes)))
}

/// Makes a key that nobody has stored yet.
pub(crate) fn fresh(home: &Home) -> Result<Fresh, Error> {
    let bytes = random(home, SUFFIX)?;
    Ok(Fresh {
        key: DigestKey::new(&bytes),
        bytes,
    })
}

impl Fresh {
    /// Keeps it. The caller holds the log's lock.
    pub(crate) fn store(self, home: &Home) -> Result<DigestKey, Error> {
        keep(home, SUFFIX, &self.bytes)?;
        Ok(self.key)
    }
}

/// Reads a secret of 32 bytes beside the log.
pub(crate) fn secret(home: &Home, suffix: &str) -> Result<Option<[u8; LENGTH]>, Error> {
    let name = home.beside(suffix);
    let path = home.path_of(&name);
    let Some(file) = home.open_beside(&name)? else {
        return Ok(None);
    };
    let mut key = Vec::with_capacity(LENGTH + 1);
    let most = u64::try_from(LENGTH).unwrap_or(0) + 1;
    file.take(most)
        .read_to_end(&mut key)
        .map_err(|error| Error::io(&path, "cannot be read", error))?;
    let key = <[u8; LENGTH]>::try_from(key).map_err(|_| Error::place(&path, "is not a key of 32 bytes"))?;
    Ok(Some(key))
}

/// 32 random bytes for a secret beside the log.
pub(crate) fn random(home: &Home, suffix: &str) -> Result<[u8; LENGTH], Error> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).map_err(|_| {
        let path = home.path_of(&home.beside(suffix));
        Error::new(ErrorKind::Io, &path, "cannot be made without random bytes")
    })?;
    Ok(bytes)
}

/// Keeps a secret beside the log. The caller holds the log's lock.
pub(crate) fn keep(home: &Home, suffix: &str, bytes: &[u8; LENGTH]) -> Result<(), Error> {
    let name = home.beside(suffix);
    home.keep_beside(&name, bytes)
        .map_err(|error| Error::io(&home.path_of(&name), "cannot be created", error))
}
