//! `cargo xtask browser`: the desk's page in a real headless Chromium. It is a task of its own, because a browser is
//! not a thing that every machine has.

use crate::job::Context;
use crate::process::{self, Run};

/// What Chromium is called, most usual name first. `PORTCULLIS_CHROMIUM` names another one.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const NAMED: &str = "PORTCULLIS_CHROMIUM";

pub(crate) fn command(context: &Context) -> Result<bool, String> {
    let Some(browser) = find() else {
        println!("not run: no Chromium is on the path, and `{NAMED}` names none");
        return Ok(true);
    };
    let tests = context.cargo().args([
        "test",
        "--locked",
        "--package",
        "portcullis-cli",
        "--test",
        "it",
        "browser::",
    ]);
    // One browser at a time: each is larger than everything else here together.
    let tests = tests.args(["--", "--test-threads", "1"]);
    tests.env("PORTCULLIS_TEST_CHROMIUM", browser).succeeds()
}

fn find() -> Option<String> {
    let names = NAMES.map(str::to_owned);
    process::variable(NAMED).into_iter().chain(names).find(|name| {
        let said = Run::new(name).arg("--version").quietly();
        said.is_some_and(|said| said.contains("Chrom"))
    })
}
