//! The program as people run it, and the protocol as PROTOCOL.md shows it.
#![expect(
    clippy::disallowed_methods,
    reason = "tests run the program and build their own trees"
)]
#![expect(clippy::unwrap_used, reason = "helpers of tests may unwrap")]

mod hook;
mod mcp;
mod program;
mod straw;
mod transcript;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_portcullis-conformance");

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs the program; its exit code and what it said.
fn program(args: &[&str]) -> (i32, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = Command::new(PROGRAM)
        .env_remove("CI")
        .args(args)
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr)
    );
    (status.code().unwrap(), text)
}

/// The command of a subject of straw.
fn straw(lie: &str) -> String {
    format!("'{PROGRAM}' straw --lie {lie}")
}

/// A copy of the suite's folder that may be spoiled.
fn copy(to: &Path) -> PathBuf {
    let cases = to.join("cases/tools");
    std::fs::create_dir_all(&cases).unwrap();
    for name in ["SPEC.md", "straw.toml"] {
        std::fs::copy(folder().join(name), to.join(name)).unwrap();
    }
    let name = "cases/tools/unknown-tool.toml";
    std::fs::copy(folder().join(name), to.join(name)).unwrap();
    let spec = std::fs::read_to_string(to.join("SPEC.md")).unwrap();
    let rules: Vec<&str> = spec
        .lines()
        .filter_map(|line| line.strip_prefix("- **")?.split_once("** MUST"))
        .map(|(id, _)| id)
        .filter(|id| !["TOOLS-1", "TOOLS-4"].contains(id))
        .collect();
    std::fs::write(to.join("cases/uncovered.txt"), rules.join("\n")).unwrap();
    std::fs::write(to.join("manifest.toml"), "").unwrap();
    let (code, said) = program(&["manifest", "--folder", to.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    to.join(name)
}
