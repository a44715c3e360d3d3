//! What the runner itself does to the world while a subject is at work.

use std::path::Path;

use super::Sandbox;
use crate::Error;
use crate::fixture::{Action, Damage, Part};
use crate::os::disk;

impl Sandbox {
    /// Does it. `Cancel` and `Kill` are not of the disk and do nothing here.
    pub(crate) fn act(&self, action: &Action) -> Result<(), Error> {
        match action {
            Action::Swap { path, with } => {
                // The old object is kept alive beside the sandbox, so that its inode number cannot come back.
                let place = self.place(path)?;
                if disk::is_there(&place) {
                    let count = disk::entries(&self.control)?.len();
                    disk::rename(&place, &self.control.join(format!("swapped-{count}")))?;
                }
                self.put(path, with)
            }
            Action::Remove { path } => disk::remove(&self.place(path)?),
            Action::Write { path, content } => disk::write(&self.place(path)?, self.expand(content)?),
            Action::Chmod { path, mode } => {
                let mode = crate::fixture::octal(mode).map_err(Error::fixture)?;
                disk::set_mode(&self.place(path)?, mode)
            }
            Action::Damage { what, how } => self.damage(*what, *how),
            Action::Cancel | Action::Kill => Ok(()),
        }
    }

    fn damage(&self, what: Part, how: Damage) -> Result<(), Error> {
        let place = match what {
            Part::Config => self.control.join("config"),
            Part::State => self.control.join("state"),
            Part::Audit => self.audit(),
        };
        if how == Damage::Block {
            disk::remove(&place)?;
            return match what {
                // A directory where a file is wanted, and the reverse.
                Part::Audit => disk::make_dirs(&place.join("blocked")),
                Part::Config | Part::State => disk::write(&place, ""),
            };
        }
        let files = match what {
            Part::Audit => vec![place],
            Part::Config | Part::State => disk::files_below(&place)?,
        };
        files.iter().try_for_each(|file| spoil(file, how))
    }
}

fn spoil(file: &Path, how: Damage) -> Result<(), Error> {
    let mut bytes = disk::bytes_if_there(file);
    match how {
        Damage::Remove | Damage::Block => return disk::remove(file),
        Damage::Garbage => bytes = b"\xff\x00 no such words [[[ = {\n".to_vec(),
        Damage::Truncate => bytes.truncate(bytes.len() / 2),
        Damage::Flip => {
            let middle = bytes.len() / 2;
            if let Some(byte) = bytes.get_mut(middle) {
                *byte = if *byte == b'0' { b'1' } else { b'0' };
            }
        }
    }
    disk::write(file, bytes)
}
