//! The subject's side of the protocol.

mod desk;
mod hello;

use std::collections::BTreeSet;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::time::Duration;

use serde::Serialize;

use self::desk::Desk;
use self::hello::hello;
use super::Lie;
use super::ask::{Inbox, Input, Reply, Talk};
use super::consulted;
use super::gate::{Asked, Gate, Turn};
use crate::wire::{Answer, Call, Done, FromRunner, FromSubject, Judged, Opened, Refused, Session, User};

/// Serves standard input and output until `bye`. `tells`: it writes down, beside each log, which lies it came past.
#[must_use]
pub fn serve(lie: Lie, tells: bool) -> ExitCode {
    let (sender, receiver) = channel();
    let lines = sender.clone();
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let input = match stdin.read_until(b'\n', &mut line) {
                Ok(1..) => Input::Line(line),
                _ => Input::End,
            };
            let over = matches!(input, Input::End);
            if lines.send(input).is_err() || over {
                break;
            }
        }
    });
    let mut server = Server {
        lie,
        tells,
        gate: None,
        inbox: Inbox::new(sender, receiver),
        open: Vec::new(),
        desk: Desk::default(),
        waited: BTreeSet::new(),
    };
    loop {
        if let Some(code) = server.next() {
            return code;
        }
    }
}

/// A call that waits for the answer to its question.
struct Open {
    asked: Box<Asked>,
    talk: Talk,
}

/// How long a liar that waits for an allow lets a denial wait.
const PATIENCE: Duration = Duration::from_millis(200);

struct Server {
    lie: Lie,
    tells: bool,
    gate: Option<Gate>,
    inbox: Inbox,
    /// The oldest first.
    open: Vec<Open>,
    desk: Desk,
    /// Denials that one liar has put off already, by the number of their talk.
    waited: BTreeSet<u64>,
}

/// None to go on.
type Exit = Option<ExitCode>;

impl Server {
    /// Takes what comes next.
    fn next(&mut self) -> Exit {
        let lie = self.lie;
        let until = self.open.iter().map(|open| open.talk.until()).min();
        match self.inbox.next(until) {
            None => {
                let late = |open: &Open| Some(open.talk.until()) == until;
                let at = self.open.iter().position(late)?;
                let reply = self.open.get(at)?.talk.is_late(lie);
                self.settle(at, reply)
            }
            Some(Input::End) => {
                while let Some(open) = self.open.first() {
                    let reply = open.talk.ends(lie);
                    let _over = self.settle(0, reply);
                }
                Some(ExitCode::FAILURE)
            }
            Some(Input::HungUp(number)) => {
                let at = self.talk(number)?;
                let reply = self.open.get(at)?.talk.ends(lie);
                self.settle(at, reply)
            }
            Some(Input::Reply(number, line)) => {
                let at = self.talk(number)?;
                // This liar hears every allow before a denial, in whatever order they are read.
                let allows = String::from_utf8_lossy(&line).contains("allow");
                let patient = lie.is("batch-approves") && self.open.len() > 1 && !allows;
                if patient && self.waited.insert(number) {
                    std::thread::sleep(PATIENCE);
                    let _again = self.inbox.sender.send(Input::Reply(number, line));
                    return None;
                }
                // The oldest of the others, where there is one: it must not matter which answer is read first.
                let at = if lie.is("crossed-answers") && self.open.len() > 1 {
                    usize::from(at == 0)
                } else {
                    at
                };
                let open = self.open.get_mut(at)?;
                let reply = open.talk.hears(&line, &open.asked.question, lie)?;
                self.settle(at, reply)
            }
            Some(Input::Line(line)) => match serde_json::from_slice(&line) {
                Ok(message) => self.handle(message),
                Err(_) => {
                    eprintln!("a line that is no message");
                    Some(ExitCode::FAILURE)
                }
            },
        }
    }

    fn talk(&self, number: u64) -> Option<usize> {
        self.open.iter().position(|open| open.talk.number == number)
    }

    /// A question is over.
    fn settle(&mut self, at: usize, reply: Reply) -> Exit {
        let Open { asked, talk } = self.open.remove(at);
        // The channel of a question that is over is closed before anything is said of the call.
        drop(talk);
        let at_desk = self.gate.as_ref()?.asks_at_desk();
        if at_desk && self.lie.is("desk-acts-late") {
            self.desk
                .over
                .push((asked.question.id.clone(), asked.call.clone()));
        }
        let turn = self.gate.as_mut()?.settle(asked, reply);
        let exit = self.turn(turn);
        if reply == Reply::Once && self.lie.is("batch-approves") && exit.is_none() && !self.open.is_empty() {
            return self.settle(0, Reply::Once);
        }
        exit
    }

    /// Goes on with a call.
    fn turn(&mut self, turn: Turn) -> Exit {
        match turn {
            Turn::Done(answer) => answered(answer, self.lie),
            Turn::Asked(asked) => {
                let gate = self.gate.as_mut()?;
                let put = match gate.asks_at_desk() {
                    true => self.desk.put(&mut self.inbox, gate.patience(), self.lie),
                    false => gate.put(&asked, &mut self.inbox),
                };
                match put {
                    Ok(talk) => {
                        self.open.push(Open { asked, talk });
                        None
                    }
                    Err(reply) => {
                        let turn = gate.settle(asked, reply);
                        self.turn(turn)
                    }
                }
            }
        }
    }

    fn handle(&mut self, message: FromRunner) -> Exit {
        let lie = self.lie;
        match message {
            FromRunner::Hello(_) => say(&FromSubject::Hello(hello(lie))),
            FromRunner::Open(open) => {
                if self.tells {
                    consulted::begin(Path::new(&open.audit));
                }
                let session = open.session.clone();
                self.desk = Desk::begin(&open);
                match Gate::open(*open, lie) {
                    Ok(opened) => {
                        self.gate = Some(opened);
                        say(&FromSubject::Opened(Opened { session }));
                    }
                    Err(reason) => say(&FromSubject::Refused(Refused {
                        session,
                        reason: reason.to_owned(),
                    })),
                }
            }
            FromRunner::Call(call) => return self.call(call),
            FromRunner::Judge(call) => {
                let judged = self.gate.as_mut().filter(|gate| gate.session() == call.session);
                let judged = match judged {
                    _ if lie.is("allow-all") => judged_as(&call, crate::wire::Decision::Allow),
                    _ if lie.is("deny-all") => judged_as(&call, crate::wire::Decision::Deny),
                    _ if lie.is("empty-result") => {
                        say(&serde_json::json!({"judged": {}}));
                        return None;
                    }
                    _ if lie.is("crash") => return Some(ExitCode::from(101)),
                    _ if lie.is("hang") => forever(),
                    Some(gate) => gate.judge(&call),
                    None => judged_as(&call, crate::wire::Decision::Deny),
                };
                say(&FromSubject::Judged(judged));
            }
            FromRunner::Cancel(_) if lie.is("ignore-cancel") => {}
            FromRunner::Cancel(cancel) => {
                let at = self
                    .open
                    .iter()
                    .position(|open| open.asked.call.id == cancel.id)?;
                return self.settle(at, Reply::Cancelled);
            }
            FromRunner::Stage(stage) => {
                let gate = self.gate.as_ref().filter(|gate| gate.session() == stage.session);
                if gate.and_then(|gate| gate.stage(&stage)).is_none() {
                    eprintln!("the files of a policy could not be written");
                    return Some(ExitCode::FAILURE);
                }
                let session = stage.session;
                say(&FromSubject::Staged(Session { session }));
            }
            FromRunner::Desk(desk) => return self.at_desk(desk),
            FromRunner::User(User { session, does, call }) => {
                let gate = self.gate.as_mut().filter(|gate| gate.session() == session);
                let Some(files) = gate.and_then(|gate| gate.user(&does, call)) else {
                    eprintln!("`{does}` could not be done");
                    return Some(ExitCode::FAILURE);
                };
                say(&FromSubject::Done(Done { session, files }));
            }
            FromRunner::Close(Session { session }) => {
                if let Some(gate) = self.gate.take() {
                    gate.close();
                }
                say(&FromSubject::Closed(Session { session }));
            }
            FromRunner::Bye(_) => return Some(ExitCode::SUCCESS),
        }
        None
    }

    fn call(&mut self, call: Call) -> Exit {
        let lie = self.lie;
        let Some(gate) = self.gate.as_mut().filter(|gate| gate.session() == call.session) else {
            eprintln!("a call of a session that is not open");
            return Some(ExitCode::FAILURE);
        };
        match lie.name {
            "crash" => return Some(ExitCode::from(101)),
            "hang" => forever(),
            "empty-result" => {
                say(&serde_json::json!({"result": {}}));
                return None;
            }
            _ => {}
        }
        if ["batch-ahead", "batch-first", "batch-swaps"]
            .iter()
            .any(|name| lie.is(name))
        {
            let next = |line: &[u8]| match serde_json::from_slice(line) {
                Ok(FromRunner::Call(call)) => Some(call),
                _ => None,
            };
            let mut calls = vec![call];
            calls.extend(self.inbox.following(next));
            return self.batch(&calls);
        }
        let turn = gate.call(&call, None);
        self.turn(turn)
    }

    /// What liars do with several calls.
    fn batch(&mut self, calls: &[Call]) -> Exit {
        let lie = self.lie;
        let gate = self.gate.as_mut()?;
        let mut judged: Vec<_> = calls.iter().map(|call| gate.refreshed(call)).collect();
        let first = judged
            .first()
            .and_then(|first| first.as_ref().ok())
            .map(|first| first.risk);
        for judgement in judged.iter_mut().flatten() {
            judgement.by_name = lie.is("batch-ahead") && calls.len() > 1;
            if let Some(first) = first.filter(|_| lie.is("batch-first")) {
                judgement.risk = first;
            }
        }
        let mut done = Vec::new();
        let mut turns = Vec::new();
        for (call, judged) in calls.iter().zip(judged) {
            let judged = (!lie.is("batch-swaps")).then_some(judged);
            match gate.call(call, judged) {
                Turn::Done(answer) => done.push(answer),
                asked => turns.push(asked),
            }
        }
        if let (true, [one, other, ..]) = (lie.is("batch-swaps"), done.as_mut_slice()) {
            std::mem::swap(&mut one.id, &mut other.id);
        }
        turns.extend(done.into_iter().map(Turn::Done));
        turns.into_iter().find_map(|turn| self.turn(turn))
    }
}

fn answered(answer: Answer, lie: Lie) -> Exit {
    let denied = answer.decision == crate::wire::Decision::Deny;
    if denied && lie.is("deny-by-crash") {
        return Some(ExitCode::from(101));
    }
    let answer = FromSubject::Result(answer);
    say(&answer);
    if lie.is("double-answer") {
        say(&answer);
    }
    (denied && lie.is("deny-then-exit")).then_some(ExitCode::SUCCESS)
}

fn judged_as(call: &Call, decision: crate::wire::Decision) -> Judged {
    Judged {
        id: call.id.clone(),
        decision,
        reason: "policy".to_owned(),
    }
}

fn forever() -> ! {
    loop {
        std::thread::park();
    }
}

fn say(message: &impl Serialize) {
    if let Ok(mut line) = serde_json::to_vec(message) {
        line.push(b'\n');
        let mut stdout = std::io::stdout().lock();
        // Without a reader there is nobody to tell.
        let _told = stdout.write_all(&line).and_then(|()| stdout.flush());
    }
}
