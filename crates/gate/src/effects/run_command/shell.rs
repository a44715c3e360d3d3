//! The shell that a command was read for: bash, version 5 or later. No other one runs it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The first major version whose grammar the reader of commands follows.
const VERSION: u32 = 5;

/// The first of these places where such a bash is.
pub(super) fn find(places: &[PathBuf]) -> Option<PathBuf> {
    places
        .iter()
        .find(|place| version(place).is_some_and(|version| version >= VERSION))
        .cloned()
}

/// A bash that reads no file and no variable before its text.
#[expect(
    clippy::disallowed_methods,
    reason = "the home of processes: what runs here has a permit, or is bash telling its version"
)]
pub(super) fn bare(shell: &Path) -> Command {
    let mut command = Command::new(shell);
    // The name that scripts see; and with `--` a text that begins with `-` is still the text.
    command.args(["--noprofile", "--norc", "-c", "--"]);
    command.env_clear().stdin(Stdio::null());
    command
}

fn version(shell: &Path) -> Option<u32> {
    if !shell.is_absolute() {
        return None;
    }
    let said = bare(shell)
        .arg("builtin echo \"${BASH_VERSINFO[0]}\"")
        .output()
        .ok()?;
    String::from_utf8(said.stdout).ok()?.trim().parse().ok()
}
