use std::io::{Read, Write};

use crate::digest::DigestKey;
use crate::disk::Home;
use crate::{Error, ErrorKind};

/// Reads the log's digest key, or makes one. The caller holds the log's lock.
pub(crate) fn load_or_create(home: &Home) -> Result<DigestKey, Error> {
    let name = home.beside(".key");
    let path = home.path_of(&name);
    if let Some(file) = home.open_beside(&name)? {
        let mut key = Vec::with_capacity(33);
        file.take(33)
            .read_to_end(&mut key)
            .map_err(|error| Error::io(&path, "cannot be read", error))?;
        let key =
            <[u8; 32]>::try_from(key).map_err(|_| Error::place(&path, "is not a digest key of 32 bytes"))?;
        return Ok(DigestKey::new(&key));
    }

    let mut key = [0; 32];
    getrandom::fill(&mut key)
        .map_err(|_| Error::new(ErrorKind::Io, &path, "cannot be made without random bytes"))?;
    let new = home.beside(".key.new");
    // Only a crash leaves this name behind: it is used under the lock alone.
    home.remove_beside(&new)
        .and_then(|()| home.create_beside(&new))
        .and_then(|mut file| {
            file.write_all(&key)?;
            file.sync_all()
        })
        .and_then(|()| home.rename_beside(&new, &name))
        .and_then(|()| home.sync())
        .map_err(|error| Error::io(&path, "cannot be created", error))?;
    Ok(DigestKey::new(&key))
}
