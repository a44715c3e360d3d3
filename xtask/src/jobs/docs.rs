//! `docs`: the documentation builds without a warning.

use crate::job::Context;
use crate::tally::Tally;

pub(crate) fn run(context: &Context) -> Result<Tally, String> {
    let run = context
        .cargo()
        .args(["doc", "--workspace", "--no-deps", "--locked"]);
    Ok(Tally::of(run.env("RUSTDOCFLAGS", "-D warnings").succeeds()?))
}
