use std::path::Path;
use std::time::Duration;

use super::args::Score;
use super::commands::split;
use super::exit::Exit;
use crate::os::disk;
use crate::score::{self, Held};
use crate::{Error, ErrorKind, random, run};

/// Where the sets are, in the suite's folder.
const SETS: &str = "score";

/// Scores a subject, and compares with what it is held to.
pub(super) fn score(folder: &Path, args: &Score) -> Result<Exit, Error> {
    let sets = score::read_folder(&folder.join(SETS))?;
    let mut options = run::Options::new(split(&args.subject)?, random::seed()?);
    options.deadline = Duration::from_millis(args.deadline_ms);
    let rows = score::score(&options, &sets)?;
    print!("{}", score::table(&rows));
    let Some(file) = &args.held_to else {
        return Ok(Exit::Conforms);
    };
    let seen = Held::of(&rows);
    if args.write {
        disk::write(file, seen.write())?;
        return Ok(Exit::Conforms);
    }
    let held = Held::read(&disk::text(file)?).map_err(|error| error.within(file))?;
    let (worse, stale) = (held.worse(&seen), held.stale(&seen));
    for what in worse.iter().chain(&stale) {
        eprintln!("{what}");
    }
    match (worse.is_empty(), stale.is_empty()) {
        (false, _) => Ok(Exit::Fails),
        (true, false) => Err(Error::new(
            ErrorKind::StaleBaseline,
            format!(
                "{} does not say what is counted now; write it again",
                file.display()
            ),
        )),
        (true, true) => Ok(Exit::Conforms),
    }
}
