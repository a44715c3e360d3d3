//! What the runner itself does to the world while a subject is at work.

use std::path::Path;

use super::Sandbox;
use crate::Error;
use crate::fixture::{Action, Damage, NodeKind, Part};
use crate::os::disk;

impl Sandbox {
    /// Does it. `Cancel`, `Kill`, `Wait` and what people do with the gate are the session's, and do nothing here.
    pub(crate) fn act(&self, action: &Action) -> Result<(), Error> {
        match action {
            Action::Swap { path, with } => {
                // The old object is kept alive beside the sandbox, so that its inode number cannot come back.
                let place = self.place(path)?;
                if matches!(with.kind, NodeKind::Bind(_)) {
                    return Err(Error::fixture("nothing is mounted while a subject is at work"));
                }
                self.has_no_mounts(&place)?;
                if disk::is_there(&place) {
                    let count = disk::entries(&self.control)?.len();
                    disk::rename(&place, &self.control.join(format!("swapped-{count}")))?;
                }
                self.put(path, with)
            }
            Action::Remove { path } => {
                let place = self.place(path)?;
                self.has_no_mounts(&place)?;
                disk::remove(&place)
            }
            Action::Write { path, content } => disk::write(&self.place(path)?, self.expand(content)?),
            Action::Chmod { path, mode } => {
                let mode = crate::fixture::octal(mode).map_err(Error::fixture)?;
                disk::set_mode(&self.place(path)?, mode)
            }
            Action::Damage { what, how } => self.damage(*what, *how),
            Action::Remember => self.remember(),
            Action::Cancel
            | Action::Answer { .. }
            | Action::Garble { .. }
            | Action::Look { .. }
            | Action::Desk { .. }
            | Action::Fake { .. }
            | Action::End { .. }
            | Action::Kill
            | Action::Wait { .. }
            | Action::User { .. }
            | Action::Save { .. }
            | Action::Finish => Ok(()),
        }
    }

    fn damage(&self, what: Part, how: Damage) -> Result<(), Error> {
        let place = match what {
            Part::Config => self.control.join("config"),
            Part::State => self.control.join("state"),
            // Where what was written before stands, the subject says.
            Part::Audit | Part::Past => self.audit(),
        };
        if how == Damage::Older {
            return self.put_back();
        }
        if how == Damage::Block {
            disk::remove(&place)?;
            return match what {
                // A directory where a file is wanted, and the reverse.
                Part::Audit | Part::Past => disk::make_dirs(&place.join("blocked")),
                Part::Config | Part::State => disk::write(&place, ""),
            };
        }
        let files = match what {
            Part::Audit | Part::Past => vec![place],
            Part::Config | Part::State => disk::files_below(&place)?,
        };
        files.iter().try_for_each(|file| spoil(file, how))
    }
}

/// Damages one file.
pub(crate) fn spoil(file: &Path, how: Damage) -> Result<(), Error> {
    let mut bytes = disk::bytes_if_there(file);
    match how {
        Damage::Remove | Damage::Block | Damage::Older => return disk::remove(file),
        Damage::Garbage => bytes = b"\xff\x00 no such words [[[ = {\n".to_vec(),
        Damage::Truncate => bytes.truncate(bytes.len() / 2),
        Damage::Flip => {
            // A letter or digit, so that it is what is said that changes.
            let middle = bytes.len() / 2;
            let later = bytes.iter().skip(middle).position(u8::is_ascii_alphanumeric);
            if let Some(byte) = bytes.get_mut(middle + later.unwrap_or_default()) {
                *byte = if *byte == b'0' { b'1' } else { b'0' };
            }
        }
        Damage::Alter | Damage::Drop | Damage::Cut | Damage::Reorder | Damage::Repeat => {
            bytes = tampered(&bytes, how);
        }
    }
    disk::write(file, bytes)
}

/// Lines, of which one or two are not what they were, and which can still be read.
fn tampered(bytes: &[u8], how: Damage) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let middle = lines.len().saturating_sub(1) / 2;
    match how {
        Damage::Alter => {
            // A decision where there is one: that is what somebody would want to change.
            let decides = |line: &Vec<u8>| line.windows(7).any(|part| part == b"\"allow\"");
            let at = lines.iter().position(decides).unwrap_or(middle);
            if let Some(line) = lines.get_mut(at) {
                *line = altered(line);
            }
        }
        Damage::Drop if !lines.is_empty() => {
            lines.remove(middle);
        }
        Damage::Reorder if lines.len() > 1 => lines.swap(middle, middle + 1),
        Damage::Cut => {
            lines.pop();
        }
        Damage::Repeat => lines.extend(lines.last().cloned()),
        _ => {}
    }
    lines.concat()
}

/// The first `"allow"` becomes `"deny"`; without one, the first digit becomes another.
fn altered(line: &[u8]) -> Vec<u8> {
    let mut new = line.to_vec();
    if let Some(at) = line.windows(7).position(|part| part == b"\"allow\"") {
        new.splice(at..at + 7, *b"\"deny\"");
    } else if let Some(digit) = new.iter_mut().find(|byte| byte.is_ascii_digit()) {
        *digit = if *digit == b'0' { b'1' } else { b'0' };
    }
    new
}

#[cfg(test)]
mod tests {
    use super::{Damage, tampered};

    #[test]
    fn each_way_of_tampering_leaves_lines() {
        let log = b"1\n2 \"allow\"\n3\n4\n";
        let cases: [(Damage, &[u8]); 5] = [
            (Damage::Alter, b"1\n2 \"deny\"\n3\n4\n"),
            (Damage::Drop, b"1\n3\n4\n"),
            (Damage::Cut, b"1\n2 \"allow\"\n3\n"),
            (Damage::Reorder, b"1\n3\n2 \"allow\"\n4\n"),
            (Damage::Repeat, b"1\n2 \"allow\"\n3\n4\n4\n"),
        ];
        for (how, expected) in cases {
            assert_eq!(tampered(log, how), expected, "{how:?}");
        }
        assert_eq!(tampered(b"1\n7\n", Damage::Alter), b"0\n7\n");
        assert_eq!(tampered(b"", Damage::Drop), b"");
    }
}
