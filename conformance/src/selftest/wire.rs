//! A subject behind wires that spoil its answers: the suite has to see each of them, in every family.

use std::collections::BTreeSet;
use std::ffi::OsString;

use super::{options, passed, side_by_side};
use crate::fixture::Source;
use crate::mutate::{UNTOUCHED, WAYS};
use crate::os::process;
use crate::report::Report;
use crate::run::run;
use crate::{Error, ErrorKind, Selection};

/// Runs the families against the subject behind a wire of this kind.
pub(super) fn behind(
    way: &str,
    subject: &[OsString],
    sources: &[Source],
    selection: &Selection,
    seed: u64,
) -> Result<Report, Error> {
    let program = process::this_program()?.into_os_string();
    let mut command = vec![program, "mutate".into(), way.into(), "--".into()];
    command.extend(subject.iter().cloned());
    // What never answers is waited for in vain, in each family.
    let patient = way != "drop" && way != "delay";
    run(&options(command, seed, patient), sources, selection)
}

/// What is wrong with the suite's sight of this subject: the families that it passes although its answers are spoiled.
///
/// # Errors
/// The subject passes no family as it is, or does not start.
pub(crate) fn wires(
    subject: &[OsString],
    sources: &[Source],
    seed: u64,
    mut told: impl FnMut(&str),
) -> Result<Vec<String>, Error> {
    let plain = run(
        &options(subject.to_vec(), seed, true),
        sources,
        &Selection::default(),
    )?;
    let right: BTreeSet<String> = passed(&plain).into_iter().collect();
    if right.is_empty() {
        return Err(Error::new(
            ErrorKind::Nothing,
            "the subject passes no family: there is nothing to spoil",
        ));
    }
    told(&format!("passes {} of {} as it is", right.len(), sources.len()));
    let selection = Selection::new(right.iter().cloned());
    let mut faults = Vec::new();
    let behind = |way: &&str| behind(way, subject, sources, &selection, seed);
    let ways = WAYS.iter().chain([&UNTOUCHED]).collect();
    for (way, report) in side_by_side(ways, behind) {
        let report = report?;
        let passed: BTreeSet<String> = passed(&report).into_iter().collect();
        told(&format!("wire {way:<15} fails {}", right.len() - passed.len()));
        let (wrong, does) = if *way == UNTOUCHED {
            let mut late: Vec<&String> = right.difference(&passed).collect();
            if !late.is_empty() {
                // Beside so many others some are only late: they are tried again, alone.
                let again = Selection::new(late.iter().map(|family| (*family).clone()));
                let report = super::wire::behind(way, subject, sources, &again, seed)?;
                let passed = super::passed(&report);
                late.retain(|family| !passed.contains(family));
            }
            (late, "fails")
        } else {
            (passed.iter().collect::<Vec<_>>(), "passes")
        };
        faults.extend(wrong.iter().map(|family| format!("`wire {way}` {does} {family}")));
        // What was not run is not seen either.
        let run: BTreeSet<&str> = report.families().into_keys().collect();
        let skipped = right.iter().filter(|family| !run.contains(family.as_str()));
        faults.extend(skipped.map(|family| format!("`wire {way}` was not tried on {family}")));
    }
    Ok(faults)
}
