//! The whole hook, as Claude Code runs it: a new process for each call. The home of processes in the benches.
#![expect(clippy::disallowed_methods, reason = "the hook and its floor are processes")]

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Where the hook writes its audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Journal {
    /// On a disk, where a durable record costs a write to it.
    Disk,
    /// In memory (`/dev/shm`), where it costs next to nothing.
    Memory,
}

/// The hook's release build, a static no-op, and the calls they get on standard input.
#[derive(Debug)]
pub struct Hook {
    tree: TempDir,
    memory: TempDir,
    program: PathBuf,
    noop: PathBuf,
}

impl Hook {
    /// Builds the no-op, and the hook unless `PORTCULLIS_BENCH_HOOK` names one.
    #[must_use]
    pub fn prepare() -> Self {
        let tree = tempfile::tempdir().expect("a temporary directory");
        let memory = tempfile::tempdir_in("/dev/shm").expect("a directory in memory");
        let noop = tree.path().join("noop");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("floor/noop.rs");
        let flags = [
            "-Copt-level=3",
            "-Cpanic=abort",
            "-Ctarget-feature=+crt-static",
            "-Cstrip=symbols",
        ];
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let mut build = Command::new(rustc);
        succeeds(build.args(flags).arg(source).arg("-o").arg(&noop));

        let workspace = tree.path().join("app");
        fs::create_dir_all(workspace.join("src")).expect("a folder");
        fs::write(workspace.join("src/lib.rs"), "//! Nothing.\n").expect("a file");
        let call = |name: &str, file: &str| {
            let text = format!(
                r#"{{"session_id":"s","transcript_path":"{0}/t","cwd":"{0}","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Read","tool_use_id":"t1","tool_input":{{"file_path":"{file}"}}}}"#,
                workspace.display(),
            );
            fs::write(tree.path().join(name), text).expect("a call");
        };
        call("call.json", &workspace.join("src/lib.rs").to_string_lossy());

        Self {
            memory,
            program: program(),
            noop,
            tree,
        }
    }

    /// Starts the no-op with the call on standard input, and waits for its end.
    pub fn noop(&self) {
        let status = self.command(&self.noop).status().expect("the no-op runs");
        assert!(status.success());
    }

    /// Starts the hook on the call, and waits for its end. An allowed read is answered with silence and success.
    pub fn hook(&self, journal: Journal) {
        let state = match journal {
            Journal::Disk => self.tree.path().join("state"),
            Journal::Memory => self.memory.path().to_path_buf(),
        };
        let mut command = self.command(&self.program);
        command.args(["hook", "claude-code"]).env("XDG_STATE_HOME", state);
        let status = command.status().expect("the hook runs");
        assert!(status.success(), "the hook refused the call");
    }

    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let call = File::open(self.tree.path().join("call.json")).expect("the call");
        let workspace = self.tree.path().join("app");
        command
            .env_clear()
            .env("HOME", self.tree.path())
            .env("CLAUDE_PROJECT_DIR", &workspace);
        command
            .current_dir(workspace)
            .stdin(call)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

/// The release build of the program, beside this bench in the build folder.
fn program() -> PathBuf {
    if let Some(named) = env::var_os("PORTCULLIS_BENCH_HOOK") {
        return named.into();
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--release", "--locked", "--package", "portcullis-cli"];
    succeeds(
        Command::new(cargo)
            .args(build)
            .current_dir(env!("CARGO_MANIFEST_DIR")),
    );
    let bench = env::current_exe().expect("this program has a place");
    let release = bench.parent().and_then(Path::parent).expect("a build folder");
    release.join("portcullis")
}

fn succeeds(command: &mut Command) {
    let status = command.status().expect("a build starts");
    assert!(status.success(), "a build failed");
}
