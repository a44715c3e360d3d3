//! Puts a question to the socket and waits for an answer that counts.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use super::Lie;
use crate::os::clock;
use crate::wire::{Action, Ask, FromRunner, Verdict};

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

/// Everything that comes in, in order; lines that came while a question was open wait.
pub(super) struct Inbox {
    pub(super) sender: Sender<Input>,
    pub(super) receiver: Receiver<Input>,
    pub(super) waiting: VecDeque<Vec<u8>>,
    sockets: u64,
}

impl Inbox {
    pub(super) fn new(sender: Sender<Input>, receiver: Receiver<Input>) -> Self {
        Self {
            sender,
            receiver,
            waiting: VecDeque::new(),
            sockets: 0,
        }
    }

    /// The next line of standard input; none at its end.
    pub(super) fn line(&mut self) -> Option<Vec<u8>> {
        if let Some(line) = self.waiting.pop_front() {
            return Some(line);
        }
        loop {
            match self.receiver.recv() {
                Ok(Input::Line(line)) => return Some(line),
                Ok(Input::Reply(..) | Input::HungUp(_)) => {}
                Ok(Input::End) | Err(_) => return None,
            }
        }
    }
}

/// What came of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    Once,
    Always,
    Deny,
    Timeout,
    NoApprover,
    Cancelled,
}

/// Longest answer that is read, in bytes.
const LONGEST: u64 = 4096;

pub(super) fn ask(
    inbox: &mut Inbox,
    socket: Option<&str>,
    question: &Ask,
    timeout: Duration,
    lie: Lie,
) -> Reply {
    let broken = if lie.is("allow-on-hangup") {
        Reply::Once
    } else {
        Reply::NoApprover
    };
    let nobody = if lie.is("allow-unasked") {
        Reply::Once
    } else {
        broken
    };
    let Some(socket) = socket else {
        return if lie.is("allow-unasked") {
            Reply::Once
        } else {
            Reply::NoApprover
        };
    };
    let Ok(mut stream) = UnixStream::connect(socket) else {
        return nobody;
    };
    if lie.is("early-answer") && reads_an_allow(&stream) {
        return Reply::Once;
    }
    let Ok(reader) = stream.try_clone() else {
        return broken;
    };
    inbox.sockets += 1;
    let number = inbox.sockets;
    let sender = inbox.sender.clone();
    std::thread::spawn(move || read(reader, number, &sender));
    let Ok(mut line) = serde_json::to_vec(&Action::Ask(question.clone())) else {
        return broken;
    };
    line.push(b'\n');
    if stream.write_all(&line).is_err() {
        return broken;
    }
    let reply = wait(inbox, number, question, timeout, lie).unwrap_or(broken);
    // Also ends the thread that reads.
    let _closed = stream.shutdown(std::net::Shutdown::Both);
    reply
}

/// Waits; none when the channel broke.
fn wait(inbox: &mut Inbox, number: u64, question: &Ask, timeout: Duration, lie: Lie) -> Option<Reply> {
    let until = clock::now() + timeout;
    let mut last = None;
    loop {
        let patience = if last.is_some() {
            Duration::from_millis(50)
        } else {
            until.saturating_duration_since(clock::now())
        };
        match inbox.receiver.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) if last.is_some() => return last,
            Err(RecvTimeoutError::Timeout) if lie.is("allow-on-timeout") => return Some(Reply::Once),
            Err(RecvTimeoutError::Timeout) => return Some(Reply::Timeout),
            Err(RecvTimeoutError::Disconnected) | Ok(Input::End) => return None,
            Ok(Input::HungUp(from)) if from == number => return last,
            Ok(Input::Reply(from, line)) if from == number => {
                let answer = answer(&line, question, lie);
                if answer.is_some() && !lie.is("last-answer") {
                    return answer;
                }
                last = answer.or(last);
            }
            Ok(Input::Reply(..) | Input::HungUp(_)) => {}
            Ok(Input::Line(line)) => match serde_json::from_slice(&line) {
                Ok(FromRunner::Cancel(cancel)) if cancel.id == question.call && !lie.is("ignore-cancel") => {
                    return Some(Reply::Cancelled);
                }
                Ok(FromRunner::Cancel(_)) => {}
                _ => inbox.waiting.push_back(line),
            },
        }
    }
}

/// The answer in a line, when it counts.
fn answer(line: &[u8], question: &Ask, lie: Lie) -> Option<Reply> {
    let garbage = lie.is("allow-on-garbage").then_some(Reply::Once);
    let Ok(Action::Answer(Verdict { ask, verdict })) = serde_json::from_slice(line) else {
        return garbage;
    };
    if ask != question.id && !lie.is("accept-stale-id") {
        return None;
    }
    match verdict.as_str() {
        "allow_once" => Some(Reply::Once),
        "allow_always" => Some(Reply::Always),
        "deny" => Some(Reply::Deny),
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
