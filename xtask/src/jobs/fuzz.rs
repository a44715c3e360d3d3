//! `fuzz`: the targets are built by the stable compiler, with the instrumentation that libFuzzer reads, and run for a
//! short time. Neither nightly nor cargo-fuzz is needed, only a C++ compiler for libFuzzer itself.

mod report;

use std::path::{Path, PathBuf};

use report::Report;

use crate::floor;
use crate::job::Context;
use crate::process::{self, Run};
use crate::tally::Tally;
use crate::tree;

const MANIFEST: &str = "fuzz/Cargo.toml";
const SECONDS: u32 = 10;
/// For long runs.
const FAST: &str = "release";
/// For short ones: quick to build.
const QUICK: &str = "smoke";
/// A runner of CI has two cores.
const AT_A_TIME: usize = 2;

/// What cargo-fuzz passes as well, less what only nightly knows.
const FLAGS: &[&str] = &[
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// `cargo xtask fuzz [TARGET] [SECONDS]`
pub(crate) fn command(context: &Context, words: &[&str]) -> Result<bool, String> {
    let known = targets(context)?;
    let mut chosen = known.clone();
    let mut seconds = SECONDS;
    for word in words {
        if let Ok(number) = word.parse() {
            seconds = number;
        } else if known.iter().any(|target| target == word) {
            chosen = vec![(*word).to_owned()];
        } else {
            return Err(format!(
                "`{word}` is not a fuzz target; the targets are {}",
                known.join(", ")
            ));
        }
    }
    let tally = fuzz(context, &chosen, FAST, seconds)?;
    println!("\n{tally}");
    Ok(tally.is_good())
}

/// Every target for ten seconds.
pub(crate) fn smoke(context: &Context) -> Result<Tally, String> {
    let targets = targets(context)?;
    if targets.len() < floor::FUZZ_TARGETS {
        println!(
            "error: {} fuzz targets, at least {} are expected",
            targets.len(),
            floor::FUZZ_TARGETS
        );
        return Ok(Tally::FAILED);
    }
    fuzz(context, &targets, QUICK, SECONDS)
}

fn fuzz(context: &Context, targets: &[String], profile: &str, seconds: u32) -> Result<Tally, String> {
    let compiler = process::variable("CXX").unwrap_or_else(|| "c++".to_owned());
    if Run::new(&compiler).arg("--version").quietly().is_none() {
        return Ok(context.skip("fuzz", &format!("no C++ compiler (`{compiler}`)")));
    }
    let host = host()?;
    let folder = context.target.join("fuzz");
    let build = context.cargo().args([
        "build",
        "--profile",
        profile,
        "--locked",
        "--manifest-path",
        MANIFEST,
        "--bins",
    ]);
    // Naming the host keeps the flags away from build scripts and macros.
    let build = build.args(["--target", &host, "--target-dir"]).arg(&folder);
    let build = build
        .env("RUSTFLAGS", FLAGS.join(" "))
        .without("CARGO_ENCODED_RUSTFLAGS");
    if !build.succeeds()? {
        return Ok(Tally::FAILED);
    }
    let programs = folder.join(&host).join(profile);
    let mut tally = Tally::default();
    for few in targets.chunks(AT_A_TIME) {
        for succeeded in side_by_side(few, |target| {
            run(context, &folder, target, &programs.join(target), seconds)
        }) {
            tally += Tally::of(succeeded?);
        }
    }
    Ok(tally)
}

/// Runs a few targets at the same time, each on a core of its own; the results come in the order of the targets.
fn side_by_side<R: Send>(targets: &[String], run: impl Fn(&String) -> R + Sync) -> Vec<R> {
    std::thread::scope(|scope| {
        let running: Vec<_> = targets.iter().map(|target| scope.spawn(|| run(target))).collect();
        let ended = running.into_iter().map(std::thread::ScopedJoinHandle::join);
        // A panic in a thread is a panic here too.
        ended
            .map(|result| result.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn run(context: &Context, folder: &Path, target: &str, program: &Path, seconds: u32) -> Result<bool, String> {
    // libFuzzer writes what it finds into the corpus: the committed one stays as it is.
    let corpus = tree::fresh_folder(&folder.join("corpus").join(target))?;
    let seeds = tree::copy_files(&context.root.join("fuzz/corpus").join(target), &corpus)?;
    let artifacts = folder.join("artifacts");
    tree::make_folder(&artifacts)?;
    let mut prefix = artifacts.join(target).into_os_string();
    prefix.push("-");

    let mut report = Report::default();
    let mut last = Vec::new();
    let run = Run::new(program).arg(format!("-max_total_time={seconds}"));
    let run = run.env("RUST_BACKTRACE", "0");
    let run = run.args(["-print_final_stats=1", "-timeout=10", "-rss_limit_mb=2048"]);
    let succeeded = run
        .arg(option("-artifact_prefix=", &prefix))
        .arg(&corpus)
        .lines(|line| {
            report.read(line);
            last.push(line.to_owned());
            if last.len() > 60 {
                last.remove(0);
            }
        })?;
    let fault = if succeeded {
        report.fault()
    } else {
        Some("it found a failure, or could not run")
    };
    let mut said = vec![format!("fuzz {target}: {seeds} seeds, {report}")];
    if let Some(fault) = fault {
        said.extend(last.iter().map(|line| format!("  {line}")));
        said.push(format!("error: {target}: {fault}"));
    }
    println!("{}", said.join("\n"));
    Ok(fault.is_none())
}

fn option(name: &str, value: &std::ffi::OsStr) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(name);
    option.push(value);
    option
}

fn targets(context: &Context) -> Result<Vec<String>, String> {
    let names = tree::names(&context.root.join("fuzz/targets"))?;
    Ok(names
        .iter()
        .filter_map(|name| name.strip_suffix(".rs"))
        .map(str::to_owned)
        .collect())
}

fn host() -> Result<String, String> {
    let rustc = process::variable("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let said = Run::new(rustc).arg("-vV").quietly().ok_or("`rustc -vV` failed")?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("`rustc -vV` names no host")?.to_owned())
}
