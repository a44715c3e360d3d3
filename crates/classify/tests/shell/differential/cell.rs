//! Where the texts run: an empty environment, a folder of its own for each run, and programs that do nothing but write
//! down how they were called.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// The programs there are.
pub(crate) const PROGRAMS: &[&str] = &["s", "t", "v", "w"];

/// What a text may take. Loops that never end are among them.
const DEADLINE: Duration = Duration::from_millis(700);
/// Root becomes nobody.
const NOBODY: u32 = 65534;

/// A place to run texts, in which every program ends with the same code.
pub(crate) struct Cell {
    folder: TempDir,
    programs: PathBuf,
    bash: PathBuf,
    root: bool,
}

/// What ran.
pub(crate) struct Run {
    pub(crate) argvs: Vec<Vec<String>>,
    pub(crate) ended_late: bool,
}

/// Where a program is; none when this machine has none.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}

impl Cell {
    /// A cell in which the named programs of the machine can be called as well.
    pub(crate) fn new(bash: &Path, links: &[&str], code: u8) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(folder.path(), open.clone()).expect("a folder of ours");
        let programs = folder.path().join("programs");
        fs::create_dir(&programs).expect("a new folder");
        for name in PROGRAMS {
            let path = programs.join(name);
            // One write for each call, so that calls at the same time do not mix.
            let script = format!(
                "#!/bin/sh\nprintf '%s\\0' \"$#\" \"${{0##*/}}\" \"$@\" 2>&- >>./.log\nexit {code}\n"
            );
            fs::write(&path, script).expect("a new file");
            fs::set_permissions(&path, open.clone()).expect("a file of ours");
        }
        for (name, place) in links.iter().filter_map(|name| Some((name, find(name)?))) {
            symlink(place, programs.join(name)).expect("a new link");
        }
        let root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
        Self {
            folder,
            programs,
            bash: bash.to_owned(),
            root,
        }
    }

    /// Runs a text to its end, or to the deadline.
    pub(crate) fn run(&self, text: &str) -> Run {
        let place = tempfile::tempdir_in(self.folder.path()).expect("a folder");
        let mut command = Command::new(&self.bash);
        command.args(["--norc", "--noprofile", "-c", "--", text, "s"]);
        command.env_clear().env("PATH", &self.programs);
        command.env("HOME", place.path()).env("LC_ALL", "C");
        // A variable that runs something where it is taken for a number.
        command.env("i", "a[$(w i)]");
        command.current_dir(place.path()).process_group(0);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        if self.root {
            chown(place.path(), Some(NOBODY), Some(NOBODY)).expect("root may");
            command.uid(NOBODY).gid(NOBODY);
        }
        let child = command.spawn().expect("bash is there");
        let ended_late = wait(child);
        let log = fs::read(place.path().join(".log")).unwrap_or_default();
        Run {
            argvs: argvs(&log),
            ended_late,
        }
    }
}

/// Waits until the shell and whatever holds its output have ended; kills them all at the deadline.
fn wait(mut child: Child) -> bool {
    let group = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap_or(0));
    let (done, is_done) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        let late = is_done.recv_timeout(DEADLINE).is_err();
        if late && let Some(group) = group {
            // The group is there until the shell has been waited for.
            rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
        }
        late
    });
    let mut output = child.stdout.take().expect("a pipe");
    // Reading ends when nobody holds the pipe any more, programs in the background included.
    output.read_to_end(&mut Vec::new()).ok();
    done.send(()).ok();
    let late = watch.join().expect("the watch ends");
    if let Some(group) = group {
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
    }
    child.wait().expect("a child of ours");
    late
}

/// Reads the log: for each call the number of arguments, the name and the arguments.
fn argvs(log: &[u8]) -> Vec<Vec<String>> {
    let text = String::from_utf8_lossy(log);
    let mut fields = text.split_terminator('\0').map(str::to_owned);
    let mut argvs = Vec::new();
    while let Some(count) = fields.next() {
        let count: usize = count.parse().expect("a count");
        argvs.push(fields.by_ref().take(count + 1).collect());
    }
    argvs
}
