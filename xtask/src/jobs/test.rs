//! `test` and `doctest`: cargo's own runner, with its report read and counted. Nothing that ran zero tests passes.

mod report;

use report::Report;

use crate::floor;
use crate::job::Context;
use crate::jobs::books;
use crate::process::Run;
use crate::tally::Tally;
use crate::tidy::sources;
use crate::tree;

/// Unit, integration and compile-fail tests.
pub(crate) fn tests(context: &Context) -> Result<Tally, String> {
    let run = context
        .cargo()
        .args(["test", "--workspace", "--tests", "--locked", "--no-fail-fast"])
        .env(books::VARIABLE, books::folder(context, "tests")?);
    // `SKIPPED` lines of tests that passed are shown only on demand.
    let (report, succeeded) = watch(run.args(["--", "--show-output"]))?;
    let faults = idle(&report, &sources::test_binaries(&tree::read(&context.root)?));
    Ok(judge(context, &report, succeeded, floor::TESTS, faults))
}

/// The examples in the documentation.
pub(crate) fn doctests(context: &Context) -> Result<Tally, String> {
    let run = context
        .cargo()
        .args(["test", "--workspace", "--doc", "--locked", "--no-fail-fast"]);
    let (report, succeeded) = watch(run.args(["--", "--show-output"]))?;
    let faults = idle(&report, &sources::libraries(&tree::read(&context.root)?));
    Ok(judge(context, &report, succeeded, floor::DOCTESTS, faults))
}

/// Binaries that have to run something and did not. A name that stands twice has to be met twice.
fn idle(report: &Report, expected: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    for binary in expected {
        if report.ran(binary) < expected.iter().filter(|other| *other == binary).count() {
            faults.push(format!("`{binary}` holds tests and ran none"));
        }
    }
    faults
}

fn watch(run: Run) -> Result<(Report, bool), String> {
    let mut report = Report::default();
    let succeeded = run.lines(|line| {
        println!("{line}");
        report.read(line);
    })?;
    Ok((report, succeeded))
}

fn judge(context: &Context, report: &Report, succeeded: bool, floor: u32, mut faults: Vec<String>) -> Tally {
    let counted = report.sum();
    if !succeeded && counted.failed == 0 {
        faults.push("cargo failed without a failed test: something did not build or was killed".to_owned());
    }
    if counted.passed < floor {
        faults.push(format!(
            "{} tests passed, at least {floor} are expected (`xtask/src/floor.rs`)",
            counted.passed
        ));
    }
    if report.ignored() > 0 {
        faults.push(format!("{} tests are ignored", report.ignored()));
    }
    for binary in report.unfinished() {
        faults.push(format!("`{binary}` started and reported no result"));
    }
    let mut tally = counted;
    for line in report.skips() {
        println!("{line}");
        tally += if context.strict {
            Tally::FAILED
        } else {
            Tally::SKIPPED
        };
    }
    for fault in faults {
        println!("error: {fault}");
        tally += Tally::FAILED;
    }
    tally
}
