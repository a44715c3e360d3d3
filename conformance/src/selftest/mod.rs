//! The suite's own test: the reference passes everything, and each liar is caught by exactly the families that the
//! committed matrix names.

mod matrix;
mod side_by_side;
mod wire;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::time::Duration;

use crate::fixture::Source;
use crate::mutate::WAYS;
use crate::os::process;
use crate::report::{Report, Status};
use crate::run::{Options, run};
use crate::straw::Lie;
use crate::{Error, Selection};

pub(crate) use matrix::{Matrix, differences, read, write};
pub(crate) use side_by_side::side_by_side;
pub(crate) use wire::wires;

/// The command of a subject of straw.
pub(crate) fn straw(lie: &str) -> Result<Vec<OsString>, Error> {
    let program = process::this_program()?.into_os_string();
    Ok(vec![program, "straw".into(), "--lie".into(), lie.into()])
}

fn options(subject: Vec<OsString>, seed: u64, patient: bool) -> Options {
    Options {
        jobs: if patient { 8 } else { 32 },
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

/// Runs the reference in two ways, every liar, and every bad wire.
pub(crate) fn self_test(
    sources: &[Source],
    seed: u64,
    admitted: &str,
    mut told: impl FnMut(&str),
) -> Result<Findings, Error> {
    let all = Selection::default();
    let mut found = Findings::default();
    let mut caught: BTreeSet<String> = BTreeSet::new();
    // What mostly waits comes first, so that the end is not a wait.
    let (idle, busy): (Vec<&Lie>, Vec<&Lie>) = Lie::ALL.iter().partition(|lie| lie.constant);
    let wires = WAYS.iter().map(|way| Job::Wire(way));
    let jobs: Vec<Job> = wires.chain(idle.into_iter().chain(busy).map(Job::Lie)).collect();
    for (job, report) in side_by_side(jobs, |job| job.run(sources, &all, seed)) {
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
            Job::Lie(lie) if lie.name == "none" => found.reference(&report, sources, seed)?,
            Job::Lie(lie) if !lie.constant => {
                found.liar(lie, &failed, admitted);
                caught.extend(failed.iter().cloned());
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
    /// The reference passes everything, also in one process and another order.
    fn reference(&mut self, report: &Report, sources: &[Source], seed: u64) -> Result<(), Error> {
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
        Ok(())
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
