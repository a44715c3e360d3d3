//! The subject's side of the protocol.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::mpsc::channel;

use serde::Serialize;

use super::Lie;
use super::ask::{Inbox, Input};
use super::gate::Gate;
use crate::wire::{
    Answer, Call, FromRunner, FromSubject, Judged, Kind, Opened, Refused, Session, SubjectHello, SubjectName,
    VERSION,
};
use crate::words;

/// Serves standard input and output until `bye`.
#[must_use]
pub fn serve(lie: Lie) -> ExitCode {
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
    let mut inbox = Inbox::new(sender, receiver);
    let mut gate = None;
    while let Some(line) = inbox.line() {
        let Ok(message) = serde_json::from_slice(&line) else {
            eprintln!("a line that is no message");
            return ExitCode::FAILURE;
        };
        if let Some(code) = handle(message, &mut gate, &mut inbox, lie) {
            return code;
        }
    }
    ExitCode::FAILURE
}

fn handle(message: FromRunner, gate: &mut Option<Gate>, inbox: &mut Inbox, lie: Lie) -> Option<ExitCode> {
    match message {
        FromRunner::Hello(_) => say(&FromSubject::Hello(hello(lie))),
        FromRunner::Open(open) => {
            let session = open.session.clone();
            match Gate::open(*open, lie) {
                Ok(opened) => {
                    *gate = Some(opened);
                    say(&FromSubject::Opened(Opened { session }));
                }
                Err(reason) => say(&FromSubject::Refused(Refused {
                    session,
                    reason: reason.to_owned(),
                })),
            }
        }
        FromRunner::Call(call) => return answer(&call, gate, inbox, lie),
        FromRunner::Judge(call) => {
            let judged = gate.as_ref().filter(|gate| gate.session() == call.session);
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
        FromRunner::Cancel(_) => {}
        FromRunner::Close(Session { session }) => {
            *gate = None;
            say(&FromSubject::Closed(Session { session }));
        }
        FromRunner::Bye(_) => return Some(ExitCode::SUCCESS),
    }
    None
}

fn answer(call: &Call, gate: &mut Option<Gate>, inbox: &mut Inbox, lie: Lie) -> Option<ExitCode> {
    let Some(gate) = gate.as_mut().filter(|gate| gate.session() == call.session) else {
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
    let answer: Answer = gate.call(call, inbox);
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

fn hello(lie: Lie) -> SubjectHello {
    let not: &[&str] = match lie.name {
        // A hook sees neither the answer nor the end of a call.
        "hook" => &[
            "approver.socket",
            "grants",
            "cancel",
            "audit.chain",
            "policy.own",
            "policy.roots",
        ],
        _ => &[
            "approver.host",
            "audit.chain",
            "policy.own",
            "policy.roots",
            "host.tools",
        ],
    };
    SubjectHello {
        protocol: VERSION,
        subject: SubjectName {
            name: "straw".to_owned(),
            version: "1".to_owned(),
        },
        kind: if lie.only_decides() {
            Kind::Decides
        } else {
            Kind::Executes
        },
        capabilities: if lie.is("unsupported-all") {
            Vec::new()
        } else {
            let words = words::capabilities().into_iter();
            words.filter(|word| !not.contains(&word.as_str())).collect()
        },
        audit_export: None,
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
