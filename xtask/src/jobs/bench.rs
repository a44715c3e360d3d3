//! `cargo xtask bench`: the ratios to a floor of the same run, as a table in Markdown.

use crate::job::Context;

pub(crate) fn command(context: &Context) -> Result<bool, String> {
    // The hook is measured as people install it.
    let program = context
        .cargo()
        .args(["build", "--release", "--locked", "--package", "portcullis-cli"]);
    if !program.succeeds()? {
        return Ok(false);
    }
    let bench = context
        .cargo()
        .args(["bench", "--locked", "--package", "portcullis-benches"]);
    bench.args(["--bench", "ratios"]).succeeds()
}
