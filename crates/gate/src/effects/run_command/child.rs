//! One command under way: its process group, its clock, its output, and its end.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::output::Output;
use super::shell;
use crate::{Cancel, Clock, Exit, Moment};

/// How late a cancellation or the deadline is seen, in nanoseconds.
const TICK: i64 = 20_000_000;
/// Bytes that are taken at once.
const CHUNK: usize = 64 << 10;
/// Most chunks that are taken from one stream before the clock is looked at again.
const CHUNKS: usize = 16;

/// What is run, and how long at most.
pub(super) struct Order<'a> {
    pub(super) shell: &'a Path,
    pub(super) text: &'a str,
    pub(super) directory: BorrowedFd<'a>,
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) output_limit: usize,
    pub(super) wait: Duration,
    pub(super) clock: &'a dyn Clock,
    pub(super) cancel: &'a Cancel,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// By itself.
    Own(Exit),
    /// It was killed at the deadline.
    Late,
    /// It was killed because the run was cancelled.
    Cancelled,
}

/// What came of it.
pub(super) struct Ended {
    pub(super) end: End,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Starts the command and stays until it and its process group are gone.
pub(super) fn run(order: Order<'_>) -> std::io::Result<Ended> {
    let until = order.clock.now().after(order.wait);
    let mut command = shell::bare(order.shell);
    command
        .arg(order.text)
        .envs(order.environment)
        // The child changes to it before it is another program, so its copy of the descriptor is still there.
        .current_dir(format!("/proc/self/fd/{}", order.directory.as_raw_fd()))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    let mut group = Group::new(command.spawn()?)?;
    let mut streams = [
        Stream::new(group.child.stdout.take().map(OwnedFd::from), order.output_limit)?,
        Stream::new(group.child.stderr.take().map(OwnedFd::from), order.output_limit)?,
    ];
    let end = watch(&group, &mut streams, order.clock, until, order.cancel)?;
    let status = group.end()?;
    for stream in &mut streams {
        stream.drain()?;
    }
    let [stdout, stderr] = streams.map(|stream| stream.output.text());
    Ok(Ended {
        end: end.unwrap_or(End::Own(Exit {
            code: status.code(),
            signal: status.signal(),
        })),
        stdout,
        stderr,
    })
}

/// Takes its output until it ends, and then nothing; or until it has to end.
fn watch(
    group: &Group,
    streams: &mut [Stream; 2],
    clock: &dyn Clock,
    until: Moment,
    cancel: &Cancel,
) -> std::io::Result<Option<End>> {
    loop {
        if cancel.is_raised() {
            return Ok(Some(End::Cancelled));
        }
        if clock.now() > until {
            return Ok(Some(End::Late));
        }
        let mut watched = vec![PollFd::new(&group.handle, PollFlags::IN)];
        let pipes = streams.iter().filter_map(|stream| stream.pipe.as_ref());
        watched.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let tick = Timespec {
            tv_sec: 0,
            tv_nsec: TICK,
        };
        match poll(&mut watched, Some(&tick)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(number) => return Err(number.into()),
        }
        let has_ended = watched.first().is_some_and(|leader| !leader.revents().is_empty());
        for stream in streams.iter_mut() {
            stream.drain()?;
        }
        if has_ended {
            return Ok(None);
        }
    }
}

/// A started shell and its process group.
///
/// INVARIANT: the group is killed only before its leader was waited for. Until then the system gives the leader's
/// number to nobody else.
struct Group {
    child: Child,
    handle: OwnedFd,
    status: Option<ExitStatus>,
}

impl Group {
    fn new(mut child: Child) -> std::io::Result<Self> {
        match pid(&child).map(|pid| pidfd_open(pid, PidfdFlags::empty())) {
            Some(Ok(handle)) => Ok(Self {
                child,
                handle,
                status: None,
            }),
            failed => {
                kill(&child);
                child.wait()?;
                Err(failed
                    .map_or(rustix::io::Errno::SRCH, |result| {
                        result.err().unwrap_or(rustix::io::Errno::SRCH)
                    })
                    .into())
            }
        }
    }

    fn end(&mut self) -> std::io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        kill(&self.child);
        let status = self.child.wait()?;
        self.status = Some(status);
        Ok(status)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // Nothing of it goes on without anybody who watches it.
        let _status = self.end();
    }
}

fn kill(child: &Child) {
    if let Some(group) = pid(child) {
        // Gone already is as good as killed.
        let _gone = kill_process_group(group, Signal::KILL);
    }
}

fn pid(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

/// One of its outputs; the pipe is there until its end was seen.
struct Stream {
    pipe: Option<std::fs::File>,
    output: Output,
}

impl Stream {
    fn new(pipe: Option<OwnedFd>, limit: usize) -> std::io::Result<Self> {
        if let Some(pipe) = &pipe {
            fcntl_setfl(pipe.as_fd(), OFlags::NONBLOCK)?;
        }
        Ok(Self {
            pipe: pipe.map(std::fs::File::from),
            output: Output::new(limit),
        })
    }

    /// Takes what is there, within a bound.
    fn drain(&mut self) -> std::io::Result<()> {
        let Some(pipe) = &mut self.pipe else {
            return Ok(());
        };
        let mut chunk = vec![0_u8; CHUNK];
        for _ in 0..CHUNKS {
            match pipe.read(&mut chunk) {
                Ok(0) => {
                    self.pipe = None;
                    return Ok(());
                }
                Ok(length) => self.output.add(chunk.get(..length).unwrap_or_default()),
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
