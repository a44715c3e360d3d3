//! `tidy`: the rules of the house that no compiler knows, and the arrows between crates.

use crate::job::Context;
use crate::tally::Tally;
use crate::tidy::{CHECKS, arrows};
use crate::tree;

pub(crate) fn run(context: &Context) -> Result<Tally, String> {
    let files = tree::read(&context.root)?;
    let mut tally = Tally::default();
    for check in CHECKS {
        let findings: Vec<String> = (check.find)(&files).iter().map(ToString::to_string).collect();
        tally += say(check.rule, &findings);
    }
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

fn say(rule: &str, findings: &[String]) -> Tally {
    println!("{:<6} {rule}", if findings.is_empty() { "ok" } else { "FAILED" });
    for finding in findings {
        println!("  {finding}");
    }
    Tally::of(findings.is_empty())
}
