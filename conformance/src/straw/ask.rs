//! Puts a question to the socket and waits for an answer that counts.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::Lie;
use crate::os::clock;
use crate::wire::{Action, Ask, Verdict};

/// What can come in.
pub(super) enum Input {
    /// A line of standard input.
    Line(Vec<u8>),
    /// Standard input ended.
    End,
    /// A line of the socket with this number.
    Reply(u64, Vec<u8>),
    /// The socket with this number ended.
    HungUp(u64),
}

/// Everything that comes in, in order.
pub(super) struct Inbox {
    pub(super) sender: Sender<Input>,
    receiver: Receiver<Input>,
    waiting: VecDeque<Input>,
    sockets: u64,
}

/// How long a call is waited for that may belong to the batch of the one before.
const SAME_BATCH: Duration = Duration::from_millis(30);

impl Inbox {
    pub(super) fn new(sender: Sender<Input>, receiver: Receiver<Input>) -> Self {
        Self {
            sender,
            receiver,
            waiting: VecDeque::new(),
            sockets: 0,
        }
    }

    /// What comes next; none when nothing does before the moment.
    pub(super) fn next(&mut self, until: Option<Instant>) -> Option<Input> {
        if let Some(input) = self.waiting.pop_front() {
            return Some(input);
        }
        let Some(until) = until else {
            return Some(self.receiver.recv().unwrap_or(Input::End));
        };
        match self
            .receiver
            .recv_timeout(until.saturating_duration_since(clock::now()))
        {
            Ok(input) => Some(input),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Input::End),
        }
    }

    /// The lines that follow at once, as far as they are wanted.
    pub(super) fn following<T>(&mut self, wanted: impl Fn(&[u8]) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        loop {
            match self.next(Some(clock::now() + SAME_BATCH)) {
                Some(Input::Line(line)) => match wanted(&line) {
                    Some(one) => found.push(one),
                    None => {
                        self.waiting.push_back(Input::Line(line));
                        return found;
                    }
                },
                Some(other) => {
                    self.waiting.push_back(other);
                    return found;
                }
                None => return found,
            }
        }
    }
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    Once,
    Always,
    /// For so many milliseconds.
    For(u64),
    Deny,
    Timeout,
    NoApprover,
    Cancelled,
}

/// Longest answer that is read, in bytes.
const LONGEST: u64 = 4096;

/// A question that is open.
pub(super) struct Talk {
    pub(super) number: u64,
    /// None at the desk, where it stands for whoever comes.
    stream: Option<UnixStream>,
    until: Instant,
    last: Option<Reply>,
}

/// What a channel that broke means.
pub(super) fn broken(lie: Lie) -> Reply {
    if lie.is("allow-on-hangup") {
        Reply::Once
    } else {
        Reply::NoApprover
    }
}

impl Talk {
    /// Puts the question, or says what comes of it when that is not possible.
    pub(super) fn open(
        inbox: &mut Inbox,
        socket: Option<&str>,
        question: &Ask,
        timeout: Duration,
        lie: Lie,
    ) -> Result<Self, Reply> {
        let nobody = if lie.is("allow-unasked") {
            Reply::Once
        } else {
            broken(lie)
        };
        let Some(socket) = socket else {
            return Err(if lie.is("allow-unasked") {
                Reply::Once
            } else {
                Reply::NoApprover
            });
        };
        let Ok(mut stream) = UnixStream::connect(socket) else {
            return Err(nobody);
        };
        if lie.is("early-answer") && reads_an_allow(&stream) {
            return Err(Reply::Once);
        }
        let Ok(reader) = stream.try_clone() else {
            return Err(broken(lie));
        };
        inbox.sockets += 1;
        let number = inbox.sockets;
        let sender = inbox.sender.clone();
        std::thread::spawn(move || read(reader, number, &sender));
        let Ok(mut line) = serde_json::to_vec(&Action::Ask(question.clone())) else {
            return Err(broken(lie));
        };
        line.push(b'\n');
        if stream.write_all(&line).is_err() {
            return Err(broken(lie));
        }
        Ok(Self {
            number,
            stream: Some(stream),
            until: clock::now() + timeout,
            last: None,
        })
    }

    /// A question that stands at the desk.
    pub(super) fn at_desk(inbox: &mut Inbox, timeout: Duration) -> Self {
        inbox.sockets += 1;
        Self {
            number: inbox.sockets,
            stream: None,
            until: clock::now() + timeout,
            last: None,
        }
    }

    /// Until when it waits.
    pub(super) fn until(&self) -> Instant {
        self.until
    }

    /// A line of the channel: what came of the question, when it is over.
    pub(super) fn hears(&mut self, line: &[u8], question: &Ask, lie: Lie) -> Option<Reply> {
        self.takes(answer(line, question, lie)?, lie)
    }

    /// An answer that counts: what came of the question, when it is over.
    pub(super) fn takes(&mut self, answer: Reply, lie: Lie) -> Option<Reply> {
        if lie.is("last-answer") {
            self.last = Some(answer);
            self.until = clock::now() + Duration::from_millis(50);
            return None;
        }
        Some(answer)
    }

    /// The channel ended.
    pub(super) fn ends(&self, lie: Lie) -> Reply {
        self.last.unwrap_or(broken(lie))
    }

    /// The time is up.
    pub(super) fn is_late(&self, lie: Lie) -> Reply {
        match self.last {
            Some(last) => last,
            None if lie.is("allow-on-timeout") => Reply::Once,
            None => Reply::Timeout,
        }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // Also ends the thread that reads.
        let _closed = self.stream.as_ref().map(|stream| stream.shutdown(Shutdown::Both));
    }
}

/// The answer in a line, when it counts.
pub(super) fn answer(line: &[u8], question: &Ask, lie: Lie) -> Option<Reply> {
    let garbage = lie.is("allow-on-garbage").then_some(Reply::Once);
    let Ok(Action::Answer(Verdict { ask, verdict, ms })) = serde_json::from_slice(line) else {
        return garbage;
    };
    if ask != question.id && !lie.is("accept-stale-id") && !lie.is("crossed-answers") {
        return None;
    }
    match (verdict.as_str(), ms) {
        ("allow_once", None) => Some(Reply::Once),
        ("allow_always", None) => Some(Reply::Always),
        ("allow_for", Some(ms)) => Some(Reply::For(ms)),
        ("deny", None) => Some(Reply::Deny),
        _ => garbage,
    }
}

fn read(stream: UnixStream, number: u64, sender: &Sender<Input>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut line = Vec::new();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        // A line that does not end in time or in bounds is no answer, and nothing after it is one.
        let whole = read.is_ok() && line.last() == Some(&b'\n');
        let more = if whole {
            sender.send(Input::Reply(number, line)).is_ok()
        } else {
            let garbage = !line.is_empty() && sender.send(Input::Reply(number, line)).is_err();
            let _ended = sender.send(Input::HungUp(number));
            garbage
        };
        if !more {
            break;
        }
    }
}

fn reads_an_allow(stream: &UnixStream) -> bool {
    let limited = stream.set_read_timeout(Some(Duration::from_millis(100)));
    let mut buffer = [0; 512];
    let mut reader = stream;
    let count = reader.read(&mut buffer).unwrap_or_default();
    let _unlimited = stream.set_read_timeout(None);
    let read = buffer.get(..count).unwrap_or_default();
    limited.is_ok() && String::from_utf8_lossy(read).contains("allow_once")
}
