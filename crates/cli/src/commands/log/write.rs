use std::io::Write as _;
use std::path::Path;

use portcullis::audit::{self, LogOptions, Reader};
use portcullis::{Clock as _, SystemClock};

use super::unreadable;
use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::files;

/// Longest wait for a gate that is writing, in milliseconds.
const LOCK_WAIT_MS: u64 = 5_000;

/// Opens a log that is there already.
fn open(place: &Path) -> Result<audit::Log, Failure> {
    // Looking makes no log.
    Reader::open(place).map_err(|error| unreadable(&error))?;
    let options = LogOptions {
        path: place.to_path_buf(),
        lock_wait_ms: LOCK_WAIT_MS,
    };
    let opened = audit::Log::open(options).map_err(|error| failed(&error))?;
    if let Some(torn) = &opened.torn {
        crate::commands::call::tell_torn(torn);
    }
    Ok(opened.log)
}

fn failed(error: &audit::Error) -> Failure {
    Failure::fault(error.to_string(), error.hint())
}

fn empty(place: &Path) -> Failure {
    Failure::input(
        format!("the log {} has no record yet", files::shown(place)),
        "record something first: `portcullis call --help`",
    )
}

pub(super) fn seal(place: &Path) -> Result<u8, Failure> {
    let sealed = open(place)?.seal(SystemClock::new().wall_ms());
    let checkpoint = sealed
        .map_err(|error| failed(&error))?
        .ok_or_else(|| empty(place))?;
    let mut stdout = anstream::stdout().lock();
    writeln!(stdout, "{checkpoint}")?;
    stdout.flush()?;
    Ok(DONE)
}

pub(super) fn rotate(place: &Path) -> Result<u8, Failure> {
    match open(place)?.rotate(SystemClock::new().wall_ms()) {
        Ok(true) => {
            let mut parts = place.as_os_str().to_owned();
            parts.push(".d");
            let mut stdout = anstream::stdout().lock();
            let parts = files::shown(Path::new(&parts));
            writeln!(
                stdout,
                "the log goes on in a new file; earlier ones are in {parts}"
            )?;
            stdout.flush()?;
            Ok(DONE)
        }
        Ok(false) => Err(empty(place)),
        Err(error) => Err(failed(&error)),
    }
}
