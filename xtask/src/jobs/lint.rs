//! `fmt` and `clippy`.

use crate::job::Context;
use crate::tally::Tally;

/// Both workspaces are formatted.
pub(crate) fn fmt(context: &Context) -> Result<Tally, String> {
    if !has(context, "fmt") {
        return Ok(context.skip(
            "fmt",
            "the toolchain has no rustfmt (`rustup component add rustfmt`)",
        ));
    }
    let mut tally = Tally::of(context.cargo().args(["fmt", "--all", "--check"]).succeeds()?);
    tally += Tally::of(
        context
            .cargo()
            .args(["fmt", "--manifest-path", "fuzz/Cargo.toml", "--", "--check"])
            .succeeds()?,
    );
    Ok(tally)
}

/// No warning in any target of the workspace.
pub(crate) fn clippy(context: &Context) -> Result<Tally, String> {
    if !has(context, "clippy") {
        return Ok(context.skip(
            "clippy",
            "the toolchain has no clippy (`rustup component add clippy`)",
        ));
    }
    let run = context
        .cargo()
        .args(["clippy", "--workspace", "--all-targets", "--locked"]);
    Ok(Tally::of(run.args(["--", "-D", "warnings"]).succeeds()?))
}

fn has(context: &Context, component: &str) -> bool {
    context.cargo().args([component, "--version"]).quietly().is_some()
}
