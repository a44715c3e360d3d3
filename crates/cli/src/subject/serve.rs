//! Standard input and output. One thread reads, so that a call can be withdrawn while it is being decided.

use std::collections::HashMap;
use std::io::{self, BufRead as _, Read as _, Write as _};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use portcullis::Cancel;

use super::desk::Office;
use super::session::Session;
use super::wire::{
    AtDesk, Call, Greeting, Hello, LONGEST, Name, Named, Open, Outcome, Request, Response, VERSION, Withdrawn,
};
use crate::exit_codes::DONE;
use crate::failure::Failure;

/// What the gate keeps. It does not say `allow.delete` (that always asks) and `paths.bytes` (a call's texts are Unicode).
const CAPABILITIES: [&str; 49] = [
    "tool.read",
    "tool.write",
    "tool.edit",
    "tool.delete",
    "tool.move",
    "tool.make_dir",
    "tool.list",
    "tool.run",
    "tool.load",
    "allow.read",
    "allow.write",
    "allow.edit",
    "allow.move",
    "allow.make_dir",
    "allow.list",
    "allow.run",
    "allow.load",
    "otherwise.deny",
    "policy.path",
    "policy.under",
    "policy.command",
    "policy.reload",
    "policy.names",
    "policy.programs",
    "policy.review",
    "layer.project",
    "layer.run",
    "trust",
    "approver.socket",
    "desk",
    "grants",
    "grants.time",
    "grants.revoke",
    "breaker",
    "cancel",
    "batch",
    "message",
    "judge",
    "subagents",
    "audit",
    "audit.chain",
    "audit.version",
    "audit.where",
    "audit.rotate",
    "audit.seal",
    "audit.books",
    "resume",
    "sessions",
    "input.raw",
];

/// Longest request that is read, in bytes: far more than the protocol has, because what is too large for the gate is
/// the gate's to refuse.
const LONGEST_REQUEST: usize = 8 << 20;

/// Flags of the calls that have no result yet.
#[derive(Clone, Default)]
struct Flags(Arc<Mutex<HashMap<String, Cancel>>>);

impl Flags {
    fn with<T>(&self, work: impl FnOnce(&mut HashMap<String, Cancel>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn add(&self, call: &str) -> Cancel {
        let cancel = Cancel::new();
        self.with(|flags| flags.insert(call.to_owned(), cancel.clone()));
        cancel
    }

    fn raise(&self, call: &str) {
        self.with(|flags| flags.get(call).map(Cancel::raise));
    }

    fn raise_all(&self) {
        self.with(|flags| flags.values().for_each(Cancel::raise));
    }

    fn remove(&self, call: &str) {
        self.with(|flags| flags.remove(call));
    }
}

/// What the reader hands on, in order.
enum Next {
    Request(Request),
    Call(Call, Cancel),
    Nonsense,
    End,
}

/// Serves until `bye`. `export` is the command that prints a log in neutral records.
pub(crate) fn serve(export: [&str; 3]) -> Result<u8, Failure> {
    let flags = Flags::default();
    let (sender, receiver) = mpsc::channel();
    let office = Office::default();
    let (shared, visited) = (flags.clone(), office.clone());
    thread::Builder::new()
        .spawn(move || read(&sender, &shared, &visited))
        .map_err(|_| Failure::fault("no thread could be started", "free some memory and try again"))?;
    answer(&receiver, &flags, &office, export)
}

fn read(next: &Sender<Next>, flags: &Flags, office: &Office) {
    let mut stdin = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let read = stdin
            .by_ref()
            .take(LONGEST_REQUEST as u64 + 1)
            .read_until(b'\n', &mut line);
        let what = match (read, serde_json::from_slice(&line)) {
            (Ok(0) | Err(_), _) => Next::End,
            (Ok(_), Ok(Request::Cancel(Withdrawn { id }))) => {
                flags.raise(&id);
                continue;
            }
            // People come while the gate waits for them.
            (Ok(_), Ok(Request::Desk(visit))) if visited(office, &visit).is_ok() => continue,
            (Ok(length), Ok(request)) if length <= LONGEST_REQUEST => match request {
                Request::Call(call) => {
                    let cancel = flags.add(&call.id);
                    Next::Call(call, cancel)
                }
                request => Next::Request(request),
            },
            _ => Next::Nonsense,
        };
        let over = matches!(what, Next::End | Next::Nonsense);
        if over {
            // Nobody is there any more who wants them.
            flags.raise_all();
        }
        if next.send(what).is_err() || over {
            return;
        }
    }
}

fn visited(office: &Office, visit: &AtDesk) -> Result<(), Failure> {
    let seen = office.visit(visit)?;
    let session = &visit.session;
    say(&Response::Seen { session, seen })
}

fn answer(
    requests: &Receiver<Next>,
    flags: &Flags,
    office: &Office,
    export: [&str; 3],
) -> Result<u8, Failure> {
    let mut session: Option<Session> = None;
    // A host stays when a session is over, and so does its gate.
    let mut before: Option<Session> = None;
    while let Ok(next) = requests.recv() {
        match next {
            Next::Call(call, cancel) => {
                let outcome = opened(session.as_ref(), &call.session)?.call(&call, &cancel);
                flags.remove(&call.id);
                say_result(outcome)?;
            }
            Next::Request(Request::Judge(call)) => {
                let judged = opened(session.as_ref(), &call.session)?.judge(&call);
                say(&Response::Judged(judged))?;
            }
            Next::Request(Request::Hello(Hello { protocol, .. })) => {
                say(&Response::Hello(Greeting {
                    protocol: VERSION,
                    subject: Name {
                        name: "portcullis",
                        version: env!("CARGO_PKG_VERSION"),
                    },
                    kind: "executes",
                    capabilities: &CAPABILITIES,
                    audit_export: export,
                }))?;
                if protocol != VERSION {
                    return Ok(DONE);
                }
            }
            Next::Request(Request::Open(open)) => {
                let program = export.first().copied().unwrap_or_default();
                session = begin(&open, before.take(), office, program)?;
            }
            Next::Request(Request::Stage(stage)) => {
                let staged = opened(session.as_ref(), &stage.session)?.stage(&stage);
                staged.map_err(|why| Failure::fault(why.to_string(), "is there room on the disk?"))?;
                let session = &stage.session;
                say(&Response::Staged { session })?;
            }
            Next::Request(Request::User(user)) => {
                let done = opened(session.as_ref(), &user.session)?.user(user.does, user.call.as_deref());
                let files =
                    done.map_err(|why| Failure::fault(why.to_string(), "is there room on the disk?"))?;
                let session = &user.session;
                say(&Response::Done { session, files })?;
            }
            Next::Request(Request::Close(Named { session: name })) => {
                opened(session.as_ref(), &name)?;
                before = session.take();
                office.close();
                say(&Response::Closed { session: &name })?;
            }
            Next::Request(Request::Bye(_)) => return Ok(DONE),
            // Both are taken by the reader.
            Next::Request(Request::Call(_) | Request::Cancel(_)) => {}
            Next::Request(Request::Desk(_)) => {
                return Err(not_spoken("something at a desk that cannot be done there"));
            }
            Next::Nonsense => return Err(not_spoken("a line is not a message of the protocol")),
            Next::End => break,
        }
    }
    Err(not_spoken("standard input ended before `bye`"))
}

fn begin(
    open: &Open,
    before: Option<Session>,
    office: &Office,
    program: &str,
) -> Result<Option<Session>, Failure> {
    let name = &open.session;
    let desk = match open.desk {
        true => office.open(program, &open.state).map(Some),
        false => Ok(None),
    };
    let goes_on = before.filter(|before| open.resume && before.is_of(open));
    match desk.and_then(|desk| Session::open(open, goes_on, desk)) {
        Ok(session) => {
            say(&Response::Opened { session: name })?;
            Ok(Some(session))
        }
        Err(reason) => {
            anstream::eprintln!("note: the session is not served: {reason}");
            say(&Response::Refused {
                session: name,
                reason: "fault",
            })?;
            Ok(None)
        }
    }
}

fn opened<'a>(session: Option<&'a Session>, name: &str) -> Result<&'a Session, Failure> {
    session
        .filter(|session| session.name() == name)
        .ok_or_else(|| not_spoken("a message names a session that is not open"))
}

fn not_spoken(what: &str) -> Failure {
    Failure::input(what, "`portcullis subject` is started by the conformance suite")
}

/// A result whose output does not fit into a line goes without it; that it was performed stays true.
fn say_result(outcome: Outcome<'_>) -> Result<(), Failure> {
    let (id, decision, reason) = (outcome.id, outcome.decision, outcome.reason);
    let executed = outcome.executed;
    let whole = line(&Response::Result(outcome))?;
    if whole.len() <= LONGEST {
        return put(&whole);
    }
    say(&Response::Result(Outcome {
        id,
        decision,
        reason,
        executed,
        output: Some("the output does not fit into a line".to_owned()),
    }))
}

fn say(message: &Response<'_>) -> Result<(), Failure> {
    put(&line(message)?)
}

fn line(message: &Response<'_>) -> Result<Vec<u8>, Failure> {
    let mut line = serde_json::to_vec(message).map_err(io::Error::from)?;
    line.push(b'\n');
    Ok(line)
}

fn put(line: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(line)?;
    stdout.flush()?;
    Ok(())
}
