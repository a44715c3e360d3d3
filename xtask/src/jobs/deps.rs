//! `deps`: licences, sources and versions, with `deny.toml` as the policy.

use std::ffi::OsString;

use crate::job::Context;
use crate::process::Run;
use crate::tally::Tally;

/// The checker and the one version that is used.
const TOOL: &str = "cargo-deny";
const VERSION: &str = "0.20.2";

pub(crate) fn run(context: &Context) -> Result<Tally, String> {
    let Some(tool) = find(context).or_else(|| install(context)) else {
        return Ok(context.skip(
            "deps",
            &format!("{TOOL} {VERSION} could not be installed under target/tools"),
        ));
    };
    let mut tally = Tally::default();
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
        let manifest = context.root.join(manifest);
        // The advisories check needs a database from the network; `deny.toml` lists what matters to us.
        let run = Run::new(&tool)
            .within(&context.root)
            .args(["--locked", "--manifest-path"])
            .arg(&manifest);
        let run = run.arg("--config").arg(context.root.join("deny.toml"));
        let run = run.args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]);
        tally += Tally::of(run.succeeds()?);
    }
    Ok(tally)
}

/// On the path or already installed here, in exactly that version.
fn find(context: &Context) -> Option<OsString> {
    let ours = context.target.join("tools/bin").join(TOOL).into_os_string();
    [OsString::from(TOOL), ours].into_iter().find(|tool| {
        let said = Run::new(tool).arg("--version").quietly().unwrap_or_default();
        said.trim().split(' ').next_back() == Some(VERSION)
    })
}

/// Without optimisation: building it takes longer than all that it does here.
fn install(context: &Context) -> Option<OsString> {
    let root = context.target.join("tools");
    let what = format!("{TOOL}@{VERSION}");
    let run = context
        .cargo()
        .args(["install", "--debug", "--locked", "--quiet", &what, "--root"])
        .arg(&root);
    let run = run.env("CARGO_PROFILE_DEV_DEBUG", "0");
    // Its build folder is kept apart and thrown away by cargo.
    let succeeded = run.without("CARGO_TARGET_DIR").succeeds().unwrap_or(false);
    if succeeded { find(context) } else { None }
}
