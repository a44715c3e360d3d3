//! The list of jobs, what they are given, and the table at the end.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::apart::{self, Apart};
use crate::jobs;
use crate::process::{self, Run};
use crate::tally::Tally;

/// One step of CI.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    run: fn(&Context) -> Result<Tally, String>,
    lane: Lane,
}

/// What a job may run beside. In a lane, one job runs after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lane {
    /// In the order of the list, and shown while it runs.
    Main,
    /// It has a build folder of its own: from the start.
    Apart,
    /// It shares the build folder, and needs little that is not built once this job has ended.
    After(&'static str),
}

/// What builds nearly all that the others need.
const TESTS: &str = "test";

/// Every job in the order of the table: what is quick to fail comes first.
pub(crate) const JOBS: &[Job] = &[
    Job {
        name: "fmt",
        about: "the code is formatted",
        run: jobs::lint::fmt,
        lane: Lane::Main,
    },
    Job {
        name: "tidy",
        about: "the rules of the house that no compiler knows",
        run: jobs::tidy::run,
        lane: Lane::Main,
    },
    Job {
        name: "clippy",
        about: "no warning, in any target",
        run: jobs::lint::clippy,
        lane: Lane::Main,
    },
    Job {
        name: TESTS,
        about: "unit, integration and compile-fail tests, counted",
        run: jobs::test::tests,
        lane: Lane::Main,
    },
    Job {
        name: "doctest",
        about: "the examples in the documentation, counted",
        run: jobs::test::doctests,
        lane: Lane::After(TESTS),
    },
    Job {
        name: "docs",
        about: "the documentation builds without a warning",
        run: jobs::docs::run,
        lane: Lane::After(TESTS),
    },
    Job {
        name: "readme",
        about: "the commands in README.md work",
        run: jobs::readme::run,
        lane: Lane::After(TESTS),
    },
    Job {
        name: "deps",
        about: "licences, sources, versions with known faults",
        run: jobs::deps::run,
        lane: Lane::Apart,
    },
    Job {
        name: "conformance",
        about: "the suite catches its liars, and our gate passes it",
        run: crate::conformance::job,
        lane: Lane::Main,
    },
    Job {
        name: "score",
        about: "our gate misses no more attacks and asks no more needless questions than before",
        run: crate::conformance::score_job,
        lane: Lane::After(TESTS),
    },
    Job {
        name: "books",
        about: "in the logs of the whole test run every call ended in exactly one way",
        run: jobs::books::run,
        lane: Lane::Main,
    },
    Job {
        name: "fuzz",
        about: "every fuzz target for ten seconds",
        run: jobs::fuzz::smoke,
        lane: Lane::Apart,
    },
];

/// Where the workspace is and how strict this run is.
pub(crate) struct Context {
    /// The workspace's folder.
    pub(crate) root: PathBuf,
    /// The shared build folder.
    pub(crate) target: PathBuf,
    /// `CI` is set: what cannot be checked here is a failure, not a skip.
    pub(crate) strict: bool,
}

impl Context {
    /// Where the suites of a run leave copies of the logs that they made.
    pub(crate) fn logs(&self) -> PathBuf {
        self.target.join("test-logs")
    }

    /// Reads the environment once.
    pub(crate) fn find() -> Result<Self, String> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .ok_or("xtask has no parent folder")?
            .to_path_buf();
        let target = match process::variable("CARGO_TARGET_DIR") {
            Some(place) => root.join(place),
            None => root.join("target"),
        };
        let strict = process::variable("CI").is_some_and(|ci| !ci.is_empty() && ci != "false");
        Ok(Self { root, target, strict })
    }

    /// Cargo, in the workspace's folder.
    pub(crate) fn cargo(&self) -> Run {
        Run::new(process::cargo()).within(&self.root)
    }

    /// Says by name what is not checked here and why. In CI that is a failure.
    pub(crate) fn skip(&self, name: &str, why: &str) -> Tally {
        println!("SKIPPED {name}: {why}");
        if self.strict {
            Tally::FAILED
        } else {
            Tally::SKIPPED
        }
    }
}

/// Runs these jobs, or all of them, and prints the table. Returns whether all is well.
pub(crate) fn run(context: &Context, names: &[&str]) -> Result<bool, String> {
    if let Some(unknown) = names
        .iter()
        .find(|name| !JOBS.iter().any(|job| job.name == **name))
    {
        let known: Vec<&str> = JOBS.iter().map(|job| job.name).collect();
        return Err(format!(
            "`{unknown}` is not a job; the jobs are {}",
            known.join(", ")
        ));
    }
    let wanted: Vec<&Job> = JOBS
        .iter()
        .filter(|job| names.is_empty() || names.contains(&job.name))
        .collect();
    let rows = match wanted.as_slice() {
        [job] => vec![timed(job, context)],
        jobs => side_by_side(context, jobs),
    };
    let sum = sum(&rows);
    print!("{}\n{sum}\n", table(&rows));
    Ok(sum.is_good())
}

/// One long step, such as linking or a single test, leaves cores idle that the other lanes use. What they say is kept, and
/// shown when the main lane has ended.
fn side_by_side(context: &Context, jobs: &[&Job]) -> Vec<Row> {
    let is_open = |lane| match lane {
        Lane::Main | Lane::Apart => true,
        Lane::After(name) => !jobs.iter().any(|job| job.name == name),
    };
    let mut rows: Vec<(usize, Row)> = Vec::new();
    std::thread::scope(|scope| {
        let begin = |lane| {
            let names: Vec<_> = places(jobs, lane).map(|(_, job)| job.name).collect();
            scope.spawn(move || names.into_iter().map(apart::run).collect::<Vec<_>>())
        };
        let (open, closed): (Vec<Lane>, Vec<Lane>) =
            others(jobs).into_iter().partition(|lane| is_open(*lane));
        let mut running: Vec<_> = open.into_iter().map(|lane| (lane, begin(lane))).collect();
        for (place, job) in places(jobs, Lane::Main) {
            rows.push((place, timed(job, context)));
            let now = closed.iter().filter(|lane| **lane == Lane::After(job.name));
            running.extend(now.map(|lane| (*lane, begin(*lane))));
        }
        for (lane, thread) in running {
            let mut ended = thread.join().unwrap_or_default().into_iter();
            for (place, job) in places(jobs, lane) {
                let apart = ended.next().unwrap_or_else(Apart::lost);
                rows.push((place, shown(job, apart)));
            }
        }
    });
    rows.sort_by_key(|(place, _)| *place);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The lanes of these jobs besides the main one.
fn others(jobs: &[&Job]) -> Vec<Lane> {
    let mut lanes = Vec::new();
    for job in jobs {
        if job.lane != Lane::Main && !lanes.contains(&job.lane) {
            lanes.push(job.lane);
        }
    }
    lanes
}

/// The jobs of one lane, and where they stand in the list.
fn places<'a>(jobs: &'a [&Job], lane: Lane) -> impl Iterator<Item = (usize, &'a Job)> {
    let all = jobs.iter().copied().enumerate();
    all.filter(move |(_, job)| job.lane == lane)
}

fn shown(job: &Job, apart: Apart) -> Row {
    println!("\n{}", apart.output);
    Row {
        name: job.name,
        tally: apart.tally,
        took: apart.took,
    }
}

/// What the head of the table starts with.
pub(crate) const TABLE: &str = "job         result";

struct Row {
    name: &'static str,
    tally: Tally,
    took: Duration,
}

fn timed(job: &Job, context: &Context) -> Row {
    println!("\n== {}: {}", job.name, job.about);
    let start = process::now();
    let tally = (job.run)(context).unwrap_or_else(|what| {
        println!("error: {what}");
        Tally::FAILED
    });
    Row {
        name: job.name,
        tally,
        took: since(start),
    }
}

pub(crate) fn since(start: Instant) -> Duration {
    process::now().duration_since(start)
}

/// Everything counted. A job that checked nothing counts as a failure.
fn sum(rows: &[Row]) -> Tally {
    let mut sum = Tally::default();
    for Row { tally, .. } in rows {
        sum += *tally;
        if *tally == Tally::default() {
            sum += Tally::FAILED;
        }
    }
    sum
}

fn table(rows: &[Row]) -> String {
    let mut table = format!(
        "\n{:<11} {:<8} {:>7} {:>7} {:>8} {:>8}\n",
        "job", "result", "passed", "failed", "skipped", "seconds"
    );
    for Row { name, tally, took } in rows {
        let Tally {
            passed,
            failed,
            skipped,
        } = tally;
        let (word, took) = (tally.word(), took.as_secs_f64());
        table += &format!("{name:<11} {word:<8} {passed:>7} {failed:>7} {skipped:>8} {took:>8.1}\n");
    }
    table
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{JOBS, Job, Lane, Row, TABLE, others, places, sum, table};
    use crate::tally::Tally;

    fn row(tally: Tally) -> Row {
        Row {
            name: "x",
            tally,
            took: Duration::ZERO,
        }
    }

    #[test]
    fn an_empty_job_fails_the_run() {
        assert!(sum(&[row(Tally::PASSED)]).is_good());
        let rows = [row(Tally::PASSED), row(Tally::default())];
        assert!(!sum(&rows).is_good());
        assert!(table(&rows).contains("EMPTY"));
    }

    #[test]
    fn no_job_at_all_fails_the_run() {
        assert!(!sum(&[]).is_good());
    }

    #[test]
    fn the_table_is_known_by_its_head() {
        assert!(table(&[]).trim_start().starts_with(TABLE));
    }

    #[test]
    fn a_lane_waits_for_a_job_of_the_main_lane() {
        for job in JOBS {
            if let Lane::After(name) = job.lane {
                let first = JOBS.iter().find(|other| other.name == name);
                assert!(
                    first.is_some_and(|first| first.lane == Lane::Main),
                    "{}",
                    job.name
                );
            }
        }
    }

    #[test]
    fn each_job_runs_in_exactly_one_lane() {
        let jobs: Vec<&Job> = JOBS.iter().collect();
        let lanes = std::iter::once(Lane::Main).chain(others(&jobs));
        let mut places: Vec<_> = lanes
            .flat_map(|lane| places(&jobs, lane).map(|(place, _)| place).collect::<Vec<_>>())
            .collect();
        places.sort_unstable();
        assert!(places.into_iter().eq(0..JOBS.len()));
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = JOBS.iter().map(|job| job.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), JOBS.len());
    }
}
