//! What the code that a command runs holds: a lasting allow of `./tool` ends when the file changes.
//!
//! Only a compiled program is a whole in one file, as far as can be told. A script may read others, and what a builder or a
//! package manager runs stands in more than the file that decides it: such code is bound as far as it is known, and not
//! taken to be the same for longer than a session. Libraries that a program loads are not looked at.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Read as _;

use portcullis_classify::{Assessment, Code, EffectKind};
use portcullis_paths::{Identity, Target};
use sha2::{Digest as _, Sha256};

use super::key::Resource;

/// Bytes that are read for one call. What runs in larger files is not known.
const ROOM: u64 = 64 << 20;
/// What is read at once, in bytes.
const PIECE: usize = 64 << 10;
/// What a compiled program begins with.
const PROGRAM: &[u8] = b"\x7fELF";
/// The operation of a resource that is what a file holds.
const CONTENT: &str = "content";

/// Why a command is allowed again in its session only.
const UNKNOWN: &str =
    "what it runs stands in files that may change, and nobody knows in which: this session only";
const MORE: &str =
    "what it runs may stand in more files than those that are known, and they may change: this session only";

/// The contents of the files that say what runs.
#[derive(Debug, Default)]
pub(super) struct Bound {
    pub(super) contents: BTreeSet<Resource>,
    /// Why that is not all; `None` when it is.
    pub(super) unbound: Option<&'static str>,
}

/// What is known of every file that says what runs.
pub(super) fn bound(assessment: &Assessment) -> Bound {
    let mut bound = Bound::default();
    let mut reader = Reader::new(ROOM);
    for effect in &assessment.effects {
        match &effect.code {
            None => {}
            Some(Code::Target) => match &effect.target {
                Some(file) => {
                    let is_program = bound.add(file, &mut reader);
                    if !is_program {
                        bound.lacks(MORE);
                    }
                }
                None => bound.lacks(UNKNOWN),
            },
            Some(Code::Files(files)) => {
                for file in files {
                    bound.add(file, &mut reader);
                }
                bound.lacks(MORE);
            }
            // Also anything that is not known yet.
            Some(_) => bound.lacks(UNKNOWN),
        }
    }
    bound
}

impl Bound {
    /// Adds what the file holds; whether it is a compiled program.
    fn add(&mut self, file: &Target, reader: &mut Reader) -> bool {
        let resource = reader.content(file).and_then(|content| {
            let resource = resource(&content, file)?;
            Some((resource, content.is_program))
        });
        let Some((resource, is_program)) = resource else {
            self.lacks(UNKNOWN);
            return false;
        };
        self.contents.insert(resource);
        is_program
    }

    /// What is not known at all is said first.
    fn lacks(&mut self, why: &'static str) {
        if self.unbound != Some(UNKNOWN) {
            self.unbound = Some(why);
        }
    }
}

/// It begins with no `/`, so that it is below no directory.
fn resource(content: &Content, file: &Target) -> Option<Resource> {
    let mut place = "sha256:".to_owned();
    for byte in content.digest {
        write!(place, "{byte:02x}").ok()?;
    }
    let mut place = place.into_bytes();
    place.push(b' ');
    place.extend_from_slice(file.place().as_bytes());
    Some(Resource {
        kind: EffectKind::Execute,
        operation: CONTENT.to_owned(),
        place,
    })
}

#[derive(Debug, Clone, Copy)]
struct Content {
    digest: [u8; 32],
    is_program: bool,
}

/// Reads the files of one call, each once, and all together no more than there is room for.
#[derive(Debug)]
struct Reader {
    room: u64,
    read: Vec<(Identity, Option<Content>)>,
}

impl Reader {
    fn new(room: u64) -> Self {
        Self {
            room,
            read: Vec::new(),
        }
    }

    /// What the file holds; `None` when it cannot be read, or not within the room.
    fn content(&mut self, file: &Target) -> Option<Content> {
        // The assessment holds the file open, so that its identity is not another one's.
        let identity = file.identity()?;
        if let Some((_, content)) = self.read.iter().find(|(known, _)| *known == identity) {
            return *content;
        }
        let content = self.stream(file);
        self.read.push((identity, content));
        content
    }

    fn stream(&mut self, file: &Target) -> Option<Content> {
        if self.room == 0 {
            return None;
        }
        let mut file = file.open().ok()?;
        if file.metadata().ok()?.len() > self.room {
            return None;
        }
        let mut piece = vec![0; PIECE];
        let mut digest = Sha256::new();
        let mut start: Vec<u8> = Vec::new();
        loop {
            let length = match file.read(&mut piece) {
                Ok(length) => length,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(_) => return None,
            };
            let read = piece.get(..length)?;
            if read.is_empty() {
                break;
            }
            // A file may grow while it is read.
            let room = self.room.checked_sub(u64::try_from(length).ok()?);
            self.room = room.unwrap_or(0);
            room?;
            let lacking = PROGRAM.len().saturating_sub(start.len());
            start.extend(read.iter().take(lacking));
            digest.update(read);
        }
        Some(Content {
            digest: digest.finalize().into(),
            is_program: start == PROGRAM,
        })
    }
}
