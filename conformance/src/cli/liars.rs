//! What the suite is tried on: liars, and bad wires.

use super::commands::{split, verdict};
use super::exit::Exit;
use super::folder::Folder;
use crate::os::disk;
use crate::straw::Lie;
use crate::{Error, ErrorKind, Selection, random, report, run, selftest};

pub(super) fn self_test(folder: &Folder, write: bool, whole: bool, seed: Option<u64>) -> Result<Exit, Error> {
    folder.own_mounts(|_| true);
    let seed = seed.map_or_else(random::seed, Ok)?;
    println!("seed {seed}");
    let found = selftest::self_test(&folder.sources, seed, whole, &folder.uncovered, |line| {
        println!("{line}")
    })?;
    let mut faults = found.faults;
    if write {
        disk::write(&folder.matrix(), selftest::write(&found.matrix))?;
    } else {
        let committed = selftest::read(&disk::text(&folder.matrix())?)?;
        let differences = selftest::differences(&committed, &found.matrix);
        for difference in &differences {
            println!("again, alone: {difference}");
        }
        let differences = selftest::again(differences, &folder.sources, seed)?;
        faults.extend(differences.iter().map(ToString::to_string));
    }
    Ok(tell(&faults))
}

pub(super) fn wires(folder: &Folder, subject: &str, seed: Option<u64>) -> Result<Exit, Error> {
    folder.own_mounts(|_| true);
    let seed = seed.map_or_else(random::seed, Ok)?;
    println!("seed {seed}");
    let faults = selftest::wires(&split(subject)?, &folder.sources, seed, |line| println!("{line}"))?;
    Ok(tell(&faults))
}

fn tell(faults: &[String]) -> Exit {
    for fault in faults {
        eprintln!("{fault}");
    }
    println!("{} faults", faults.len());
    if faults.is_empty() {
        Exit::Conforms
    } else {
        Exit::Fails
    }
}

pub(super) fn try_family(folder: &Folder, id: &str) -> Result<Exit, Error> {
    let source = folder.sources.iter().find(|source| source.family.id == id);
    let source = source.ok_or_else(|| Error::new(ErrorKind::Nothing, format!("`{id}` is no family")))?;
    folder.own_mounts(|family| family.id == id);
    let mut sound = true;
    for fault in folder
        .lint(|family| family.id == id)?
        .iter()
        .filter(|fault| fault.place == id)
    {
        eprintln!("{fault}");
        sound = false;
    }
    let seed = random::seed()?;
    let options = run::Options::new(selftest::straw("none")?, seed);
    let selection = Selection::default();
    let report = run::run(&options, std::slice::from_ref(source), &selection)?;
    print!("{}", report::table(&report));
    sound &= verdict(&report) == Exit::Conforms;
    println!();
    let mut caught = 0;
    let lies: Vec<&Lie> = Lie::ALL.iter().skip(1).collect();
    let one = std::slice::from_ref(source);
    for (lie, report) in selftest::side_by_side(lies, |lie| selftest::try_lie(lie, one, &selection, seed)) {
        let report = report?;
        let failed = !selftest::failed(&report).is_empty();
        if failed && !lie.constant {
            caught += 1;
            println!("caught: {} ({})", lie.name, lie.about);
        }
        if lie.constant && !selftest::passed(&report).is_empty() {
            println!("NOT caught: {}, which has to fail every family", lie.name);
            sound = false;
        }
    }
    if caught == 0 {
        println!("no liar fails it: it proves nothing, or a liar is missing");
        sound = false;
    }
    Ok(if sound { Exit::Conforms } else { Exit::Fails })
}
