//! Checkpoints and the key that signs them: `<log>.seal.key` and `<log>.seals`, one line each.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use crate::place::Place;
use crate::{Checkpoint, Error, disk, key};

const KEY: &str = ".seal.key";
const KEPT: &str = ".seals";
/// Most bytes of kept checkpoints that are read: some forty thousand of them.
const MOST: u64 = 16 << 20;

/// Signs the log's end and keeps the checkpoint. The caller holds the lock, and has come to the end.
pub(crate) fn seal(place: &Place, time_ms: i64) -> Result<Option<Checkpoint>, Error> {
    let home = &place.home;
    if place.tail.length == 0 {
        return Ok(None);
    }
    let secret = match key::secret(home, KEY)? {
        Some(secret) => secret,
        None => {
            let secret = key::random(home, KEY)?;
            key::keep(home, KEY, &secret)?;
            secret
        }
    };
    let checkpoint = Checkpoint::sign(place.tail.link, time_ms, &secret);
    let name = home.beside(KEPT);
    let failed = |error| Error::io(&home.path_of(&name), "could not be written", error);
    let file = match home.open_beside(&name)? {
        Some(file) => file,
        None => home.create_beside(&name).map_err(failed)?,
    };
    append(&file, &checkpoint)
        .and_then(|()| home.sync())
        .map_err(failed)?;
    place
        .sync_head()
        .map_err(|error| Error::io(home.path(), "cannot be made durable", error))?;
    Ok(Some(checkpoint))
}

fn append(mut file: &std::fs::File, checkpoint: &Checkpoint) -> io::Result<()> {
    io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
    file.write_all(format!("{checkpoint}\n").as_bytes())?;
    file.sync_all()
}

/// The checkpoints that stand beside a log, in order; those that cannot be read are counted.
pub(crate) fn kept(log: &Path) -> Result<(Vec<Checkpoint>, usize), Error> {
    let path = beside(log, KEPT);
    let Some(file) = disk::open_if_there(&path)? else {
        return Ok((Vec::new(), 0));
    };
    let mut text = Vec::new();
    file.take(MOST)
        .read_to_end(&mut text)
        .map_err(|error| Error::io(&path, "cannot be read", error))?;
    let text = String::from_utf8_lossy(&text);
    let read: Vec<_> = text.lines().map(Checkpoint::read).collect();
    let unreadable = read.iter().filter(|read| read.is_err()).count();
    Ok((read.into_iter().flatten().collect(), unreadable))
}

/// A file that belongs to a log.
pub(crate) fn beside(log: &Path, suffix: &str) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
