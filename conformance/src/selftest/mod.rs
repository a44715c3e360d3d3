//! The suite's own test: the reference passes everything, and each liar is caught by exactly the families that the
//! committed matrix names.

mod matrix;
mod side_by_side;
mod wire;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::fixture::Source;
use crate::mutate::WAYS;
use crate::os::process;
use crate::report::{Report, Status};
use crate::run::{Options, Told, run};
use crate::straw::Lie;
use crate::{Error, Selection};

pub(crate) use matrix::{Difference, Matrix, differences, read, write};
pub(crate) use side_by_side::side_by_side;
pub(crate) use wire::wires;

/// The command of a subject of straw.
pub(crate) fn straw(lie: &str) -> Result<Vec<OsString>, Error> {
    let program = process::this_program()?.into_os_string();
    Ok(vec![program, "straw".into(), "--lie".into(), lie.into()])
}

fn options(subject: Vec<OsString>, seed: u64, patient: bool) -> Options {
    Options {
        // Each job holds a watch, of which a user may have 128 in all.
        jobs: if patient { 8 } else { 16 },
        give_up: true,
        long_lived: true,
        deadline: Duration::from_millis(if patient { 10_000 } else { 900 }),
        ..Options::new(subject, seed)
    }
}

/// Runs one liar.
pub(crate) fn try_lie(
    lie: &Lie,
    sources: &[Source],
    selection: &Selection,
    seed: u64,
) -> Result<Report, Error> {
    let patient = lie.name != "hang";
    run(&options(straw(lie.name)?, seed, patient), sources, selection)
}

/// The families of a report in which something failed; what is not supported is neither failed nor passed.
pub(crate) fn failed(report: &Report) -> BTreeSet<String> {
    let rows = report.rows.iter().filter(|row| row.status == Status::Fail);
    rows.map(|row| row.family.clone()).collect()
}

/// The families of a report of which every variant passed.
pub(crate) fn passed(report: &Report) -> Vec<String> {
    let families = report.families().into_iter();
    families
        .filter(|(_, passed)| *passed)
        .map(|(id, _)| id.to_owned())
        .collect()
}

/// What the self-test found.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) matrix: Matrix,
    pub(crate) faults: Vec<String>,
}

/// Runs the reference in two ways, every liar, and every bad wire. A liar is run where the reference came past its lie:
/// everywhere else it does what the reference does. `whole`: it is run there too.
pub(crate) fn self_test(
    sources: &[Source],
    seed: u64,
    whole: bool,
    admitted: &str,
    mut told: impl FnMut(&str),
) -> Result<Findings, Error> {
    let mut found = Findings::default();
    let past = found.reference(sources, seed)?;
    let mut caught: BTreeSet<String> = BTreeSet::new();
    // What mostly waits comes first, so that the end is not a wait.
    let lies = || Lie::ALL.iter().skip(1);
    let (idle, busy): (Vec<&Lie>, Vec<&Lie>) = lies().partition(|lie| lie.constant);
    let wires = WAYS.iter().map(|way| Job::Wire(way));
    let jobs = wires.chain(idle.into_iter().chain(busy).map(Job::Lie)).collect();
    let all = Selection::default();
    let run = |job: Job| match job {
        Job::Lie(lie) if !(whole || lie.constant || lie.honest) => {
            let past = past.get(lie.name).cloned().unwrap_or_default();
            // Without any, it is run on everything.
            job.run(sources, &Selection::new(past), seed)
        }
        job => job.run(sources, &all, seed),
    };
    for (job, report) in side_by_side(jobs, run) {
        let report = report?;
        let failed = failed(&report);
        told(&format!(
            "{:<20} fails {} of {}",
            job.name(),
            failed.len(),
            sources.len()
        ));
        let errors = report.rows.iter().filter(|row| row.status == Status::Error);
        found
            .faults
            .extend(errors.map(|row| format!("`{}` makes the runner fail in {}", job.name(), row.name())));
        match job {
            Job::Lie(lie) if !lie.constant => {
                found.liar(lie, &failed, admitted);
                if !lie.honest {
                    caught.extend(failed.iter().cloned());
                }
                found.matrix.insert(lie.name.to_owned(), failed);
            }
            Job::Lie(_) | Job::Wire(_) => {
                let name = job.name();
                let passed = passed(&report);
                found
                    .faults
                    .extend(passed.iter().map(|family| format!("`{name}` passes {family}")));
            }
        }
    }
    let idle = sources
        .iter()
        .filter(|source| !caught.contains(&source.family.id));
    found
        .faults
        .extend(idle.map(|source| format!("{} is failed by no liar", source.family.id)));
    Ok(found)
}

/// Tries once more, alone, what is not as committed, and gives what still is not: some lies are told by time, and on a
/// busy machine the truth is late as well.
pub(crate) fn again(
    differences: Vec<Difference>,
    sources: &[Source],
    seed: u64,
) -> Result<Vec<Difference>, Error> {
    let mut left = Vec::new();
    for difference in differences {
        let Some(lie) = Lie::named(&difference.lie) else {
            left.push(difference);
            continue;
        };
        let family = Selection::new([difference.family.clone()]);
        if failed(&try_lie(&lie, sources, &family, seed)?).contains(&difference.family) == difference.fails {
            left.push(difference);
        }
    }
    Ok(left)
}

/// One subject that the suite is tried on.
#[derive(Clone, Copy)]
enum Job {
    Lie(&'static Lie),
    Wire(&'static str),
}

impl Job {
    fn name(self) -> String {
        match self {
            Self::Lie(lie) => lie.name.to_owned(),
            Self::Wire(way) => format!("wire {way}"),
        }
    }

    fn run(self, sources: &[Source], selection: &Selection, seed: u64) -> Result<Report, Error> {
        match self {
            Self::Lie(lie) => try_lie(lie, sources, selection, seed),
            Self::Wire(way) => wire::behind(way, &straw("none")?, sources, selection, seed),
        }
    }
}

impl Findings {
    /// The reference passes everything, also in fresh processes and another order. Gives the lies that it came past.
    fn reference(&mut self, sources: &[Source], seed: u64) -> Result<Told, Error> {
        let past = Arc::new(Mutex::new(Told::new()));
        let mut subject = straw("none")?;
        subject.push("--tell".into());
        let telling = Options {
            told: Some(Arc::clone(&past)),
            ..options(subject, seed, true)
        };
        let report = run(&telling, sources, &Selection::default())?;
        for row in report.rows.iter().filter(|row| row.status != Status::Pass) {
            let why: Vec<String> = row
                .findings
                .iter()
                .map(|finding| {
                    format!(
                        "{}: expected {}; seen: {}",
                        finding.check, finding.expected, finding.seen
                    )
                })
                .collect();
            let why = why.join("; ");
            self.faults.push(format!(
                "the reference: {} {} {why} {:?}",
                row.status,
                row.name(),
                row.needs
            ));
        }
        let once = Options {
            long_lived: false,
            ..options(straw("none")?, seed.wrapping_add(1), true)
        };
        if run(&once, sources, &Selection::default())?.digest() != report.digest() {
            self.faults
                .push("fresh processes in another order give other verdicts".to_owned());
        }
        let past = past.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(past)
    }

    fn liar(&mut self, lie: &Lie, failed: &BTreeSet<String>, admitted: &str) {
        let admitted = admits(admitted, lie.name);
        if failed.is_empty() && !admitted {
            self.faults.push(format!("`{}` is caught by no family", lie.name));
        }
        if !failed.is_empty() && admitted {
            let name = lie.name;
            self.faults
                .push(format!("`lie:{name}` is caught: take it out of uncovered.txt"));
        }
    }
}

fn admits(admitted: &str, lie: &str) -> bool {
    admitted.lines().any(|line| line.trim() == format!("lie:{lie}"))
}
