//! The suite's own test: the reference passes everything, and each liar is caught by exactly the families that the
//! committed matrix names.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::fixture::Source;
use crate::mutate::WAYS;
use crate::os::process;
use crate::report::{Report, Status};
use crate::run::{Options, run};
use crate::straw::Lie;
use crate::{Error, Selection};

/// Liar to the families that it fails; none for constant ones, which fail every family.
pub(crate) type Matrix = BTreeMap<String, BTreeSet<String>>;

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

/// Liars and bad wires that run at the same time: most of them wait most of the time.
const AT_A_TIME: usize = 6;

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
            Self::Wire(way) => {
                let program = process::this_program()?.into_os_string();
                let mut subject = vec![program, "mutate".into(), way.into(), "--".into()];
                subject.extend(straw("none")?);
                let patient = way != "drop" && way != "delay";
                run(&options(subject, seed, patient), sources, selection)
            }
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

/// Runs jobs several at a time; the results come in the order of the jobs.
pub(crate) fn side_by_side<T: Copy + Send + Sync, R: Send>(
    jobs: Vec<T>,
    run: impl Fn(T) -> R + Sync,
) -> Vec<(T, R)> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(at) else { break };
                    let result = run(*job);
                    done.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((at, *job, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(at, ..)| *at);
    done.into_iter().map(|(_, job, result)| (job, result)).collect()
}

fn admits(admitted: &str, lie: &str) -> bool {
    admitted.lines().any(|line| line.trim() == format!("lie:{lie}"))
}

/// The matrix as a file.
pub(crate) fn write(matrix: &Matrix) -> String {
    let mut text = String::from(
        "# Generated: `cargo xtask conformance self-test --write`. Which families each liar fails.\n\
         # Constant liars fail every family and do not stand here.\n",
    );
    for (lie, families) in matrix {
        let _infallible = writeln!(text, "\n{lie} = [");
        for family in families {
            let _infallible = writeln!(text, "    \"{family}\",");
        }
        text.push_str("]\n");
    }
    text
}

/// Reads the file.
pub(crate) fn read(text: &str) -> Result<Matrix, Error> {
    toml::from_str(text)
        .map_err(|error| Error::fixture(format!("straw.toml: {}", error.to_string().trim_end())))
}

/// What is not as committed, one sentence each.
pub(crate) fn differences(committed: &Matrix, seen: &Matrix) -> Vec<String> {
    let none = BTreeSet::new();
    let lies: BTreeSet<&String> = committed.keys().chain(seen.keys()).collect();
    let mut found = Vec::new();
    for lie in lies {
        let was = committed.get(lie).unwrap_or(&none);
        let is = seen.get(lie).unwrap_or(&none);
        found.extend(
            is.difference(was)
                .map(|family| format!("`{lie}` fails {family}, which the matrix does not say")),
        );
        found.extend(
            was.difference(is)
                .map(|family| format!("`{lie}` passes {family}, against the matrix")),
        );
    }
    found
}
