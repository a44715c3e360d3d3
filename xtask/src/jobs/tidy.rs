//! `tidy`: the rules of the house that no compiler knows, and the arrows between crates.

use std::path::PathBuf;

use crate::job::Context;
use crate::process;
use crate::tally::Tally;
use crate::tidy::{CHECKS, Finding, arrows, words};
use crate::tree;

pub(crate) fn run(context: &Context) -> Result<Tally, String> {
    let files = tree::read(&context.root)?;
    let mut tally = Tally::default();
    for check in CHECKS {
        tally += say(check.rule, &texts(&(check.find)(&files)));
    }
    let places = words::places(&files, &places(context));
    tally += say("no place of one machine", &texts(&places));
    tally += say("imports point down the table of rooms", &imports(context)?);
    Ok(tally)
}

fn imports(context: &Context) -> Result<Vec<String>, String> {
    let args = [
        "tree",
        "--workspace",
        "--locked",
        "--edges",
        "all",
        "--depth",
        "1",
        "--prefix",
        "depth",
    ];
    let tree = context
        .cargo()
        .args(args)
        .quietly()
        .ok_or("`cargo tree --locked` failed")?;
    Ok(arrows::faults(&tree))
}

/// Where this machine keeps the workspace, what it builds and cargo. A short place, such as `/src`, may well stand
/// in an example.
fn places(context: &Context) -> Vec<String> {
    let cargo = process::variable("CARGO_HOME").map(PathBuf::from);
    let places = [Some(context.root.clone()), Some(context.target.clone()), cargo];
    let long = places
        .into_iter()
        .flatten()
        .filter(|place| place.components().count() > 2);
    long.map(|place| place.to_string_lossy().into_owned()).collect()
}

fn texts(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}

fn say(rule: &str, findings: &[String]) -> Tally {
    println!("{:<6} {rule}", if findings.is_empty() { "ok" } else { "FAILED" });
    for finding in findings {
        println!("  {finding}");
    }
    Tally::of(findings.is_empty())
}
