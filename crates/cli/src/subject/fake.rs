//! Something that is no desk, and listens where the gate asks.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

use portcullis::desk::wire::{Answered, FromGate, LONGEST_LINE, Named, Said, ToGate, line, read};
use portcullis::desk::{GATES, Held, Room};

/// How long the gate may take for a word.
const PATIENCE: Duration = Duration::from_secs(5);

/// Listens in the room of a desk that is dead, for one question.
pub(super) fn listen(place: &Path, says: &str) -> io::Result<Held> {
    let held = Room::open(place)
        .map_err(io::Error::other)?
        .hold()
        .map_err(io::Error::other)?;
    let listener = UnixListener::from(held.listen(GATES).map_err(io::Error::other)?);
    let says = says.to_owned();
    thread::Builder::new().spawn(move || {
        if let Ok((stream, _)) = listener.accept() {
            // The gate may hang up at any word of it.
            let _heard = answer(stream, &says);
        }
    })?;
    Ok(held)
}

fn answer(mut stream: UnixStream, says: &str) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut asked = Vec::new();
    let reader = BufReader::new(stream.try_clone()?);
    reader.take(LONGEST_LINE as u64).read_until(b'\n', &mut asked)?;
    asked.pop();
    let Some(FromGate::Ask(asked)) = read(&asked) else {
        return Ok(());
    };
    let said = |answer: Said| {
        let id = asked.id.clone();
        line(&ToGate::Answer(Answered { id, answer }))
    };
    let allow = said(Said::AllowOnce {});
    let waiting = line(&ToGate::Waiting(Named { id: asked.id.clone() }));
    let bytes = match says {
        "half" => allow
            .get(..allow.len().saturating_sub(1))
            .unwrap_or_default()
            .to_vec(),
        "garbage" => [b"allow_once\x00\xff ", allow.as_slice()].concat(),
        "flood" => vec![b'y'; LONGEST_LINE.max(1 << 20)],
        "wrong_id" => line(&ToGate::Answer(Answered {
            id: asked.id.chars().rev().collect(),
            answer: Said::AllowOnce {},
        })),
        "twice" => [said(Said::Deny { reason: None }), allow].concat(),
        _ => Vec::new(),
    };
    stream.write_all(&waiting)?;
    stream.write_all(&bytes)
}
