//! The process of a subject.

use std::io::Write;
use std::process::ChildStdin;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Options;
use super::events::{Event, Queue, read_lines};
use crate::os::process::{self, Process};
use crate::os::{clock, disk};
use crate::wire::{FromRunner, FromSubject, Hello, SubjectHello, VERSION};
use crate::{Error, ErrorKind, random};

/// A running subject that has said hello.
pub(crate) struct Subject {
    process: Process,
    stdin: Option<ChildStdin>,
    pub(crate) queue: Queue,
    stderr: Arc<Mutex<Vec<u8>>>,
    listener: Option<JoinHandle<()>>,
    pub(crate) hello: SubjectHello,
    pub(crate) deadline: Duration,
    /// It is of no more use: it ended, or it broke the protocol.
    pub(crate) gone: bool,
    _directory: tempfile::TempDir,
}

/// Something that breaks the protocol, in words.
pub(crate) type Fault = String;

impl Subject {
    /// Starts it and says hello.
    pub(crate) fn start(options: &Options) -> Result<Self, Error> {
        let directory = disk::sandbox()?;
        let within = |name: &str| {
            let path = directory.path().join(name);
            disk::make_dirs(&path).map(|()| path)
        };
        let around = process::Surroundings {
            directory: &within("cwd")?,
            home: &within("home")?,
            temporary: &within("tmp")?,
        };
        let mut process = process::start(&options.subject, &around)?;
        let queue: Queue = channel();
        let stderr = Arc::new(Mutex::new(Vec::new()));
        if let Some(stdout) = process.stdout() {
            let events = queue.0.clone();
            std::thread::spawn(move || read_lines(stdout, |event| events.send(event).is_ok()));
        }
        let listener = process.stderr().map(|mut source| {
            let sink = Arc::clone(&stderr);
            std::thread::spawn(move || collect(&mut source, &sink))
        });
        let mut subject = Self {
            stdin: process.stdin(),
            process,
            queue,
            stderr,
            listener,
            hello: SubjectHello {
                protocol: VERSION,
                subject: crate::wire::SubjectName {
                    name: String::new(),
                    version: String::new(),
                },
                kind: crate::wire::Kind::Executes,
                capabilities: Vec::new(),
                audit_export: None,
            },
            deadline: options.deadline,
            gone: false,
            _directory: directory,
        };
        subject.greet()?;
        Ok(subject)
    }

    fn greet(&mut self) -> Result<(), Error> {
        let run = format!("r-{}", random::token()?);
        self.send(&FromRunner::Hello(Hello {
            protocol: VERSION,
            run,
        }));
        let hello = match self.message() {
            Ok(FromSubject::Hello(hello)) => hello,
            Ok(_) => return Err(self.not_started("its first line is not `hello`")),
            Err(what) => return Err(self.not_started(&what)),
        };
        if hello.protocol != VERSION {
            let what = format!(
                "it speaks version {} of the protocol, not {VERSION}",
                hello.protocol
            );
            return Err(self.not_started(&what));
        }
        if let Some(unknown) = hello
            .capabilities
            .iter()
            .find(|word| !crate::words::is_capability(word))
        {
            return Err(self.not_started(&format!("`{unknown}` is no capability")));
        }
        self.hello = hello;
        Ok(())
    }

    fn not_started(&self, what: &str) -> Error {
        let said = String::from_utf8_lossy(&self.said()).trim().to_owned();
        let said = if said.is_empty() {
            String::new()
        } else {
            format!("; it says: {said}")
        };
        Error::new(
            ErrorKind::SubjectStart,
            format!("the subject did not start: {what}{said}"),
        )
    }

    /// Whether it promises this capability.
    pub(crate) fn promises(&self, word: &str) -> bool {
        self.hello.capabilities.iter().any(|there| there == word)
    }

    /// What it has written to standard error.
    pub(crate) fn said(&self) -> Vec<u8> {
        self.stderr.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Lets it end, and gives all that it has written to standard error by then.
    pub(crate) fn last_words(mut self, wait: Duration) -> String {
        let (listener, stderr) = (self.listener.take(), Arc::clone(&self.stderr));
        // How it ends is no verdict here.
        let _well = self.end();
        let until = clock::now() + wait;
        while listener.as_ref().is_some_and(|listener| !listener.is_finished()) && clock::now() < until {
            std::thread::sleep(Duration::from_millis(2));
        }
        let said = stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Sends a message. One that cannot be written is noticed when the answer is missing.
    pub(crate) fn send(&mut self, message: &FromRunner) {
        if let (Some(stdin), Ok(mut line)) = (&mut self.stdin, serde_json::to_vec(message)) {
            line.push(b'\n');
            if stdin.write_all(&line).and_then(|()| stdin.flush()).is_err() {
                self.stdin = None;
            }
        }
    }

    /// The next event before the moment.
    pub(crate) fn event(&mut self, until: Instant) -> Option<Event> {
        let left = until.saturating_duration_since(clock::now());
        self.queue.1.recv_timeout(left).ok()
    }

    /// Waits for the next message while nothing is asked.
    pub(crate) fn message(&mut self) -> Result<FromSubject, Fault> {
        let until = clock::now() + self.deadline;
        loop {
            match self.event(until) {
                None => return Err(self.lost("no answer within the deadline".to_owned())),
                Some(event) => {
                    if let Some(message) = self.read(&event)? {
                        return Ok(message);
                    }
                }
            }
        }
    }

    /// Reads an event as a message; none when it is about the approver's socket.
    pub(crate) fn read(&mut self, event: &Event) -> Result<Option<FromSubject>, Fault> {
        match event {
            Event::Line(_, false) => Err(self.lost("its last line has no end".to_owned())),
            Event::Line(line, true) => match serde_json::from_slice(line) {
                Ok(message) => Ok(Some(message)),
                Err(error) => {
                    let line = String::from_utf8_lossy(line);
                    let shown: String = line.chars().take(200).collect();
                    Err(self.lost(format!("`{}` is no message: {error}", shown.escape_debug())))
                }
            },
            Event::TooLong => Err(self.lost("a line is longer than 1 MiB".to_owned())),
            Event::End => {
                let status = self.process.ended(self.deadline);
                let status = status.map_or("still running".to_owned(), |status| status.to_string());
                Err(self.lost(format!("it ended ({status})")))
            }
            Event::Connected(..) | Event::Asked(..) | Event::HungUp => Ok(None),
        }
    }

    /// After this it is killed and of no more use.
    pub(crate) fn lost(&mut self, what: String) -> Fault {
        self.kill();
        what
    }

    pub(crate) fn kill(&mut self) {
        self.gone = true;
        // The process first: one that sees its input end may still do something.
        self.process.kill();
        self.stdin = None;
    }

    /// Says goodbye: an error when it does not end by itself, with success.
    pub(crate) fn end(mut self) -> Result<(), Fault> {
        if self.gone {
            return Ok(());
        }
        self.send(&FromRunner::Bye(crate::wire::Empty {}));
        self.stdin = None;
        let well = self
            .process
            .ended(self.deadline)
            .is_some_and(|status| status.success());
        if well {
            Ok(())
        } else {
            Err("after `bye` it did not end with exit code 0".to_owned())
        }
    }
}

/// Most bytes of standard error that are kept.
const MOST_STDERR: usize = 1 << 20;

fn collect(source: &mut impl std::io::Read, sink: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = source.read(&mut buffer) {
        let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
        if sink.len() < MOST_STDERR {
            sink.extend_from_slice(buffer.get(..count).unwrap_or_default());
        }
    }
}
