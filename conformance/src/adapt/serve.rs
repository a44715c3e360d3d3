use std::io::{BufRead, Write};
use std::process::ExitCode;

use crate::wire::{
    Answer, Call, FromRunner, FromSubject, Judged, Open, Opened, Refused, Session, SubjectHello,
};

/// A gate behind an adapter: one call at a time, one session at a time.
pub(super) trait Gate {
    /// What it is and promises.
    fn hello(&self) -> SubjectHello;
    /// Begins a session. An error is a sentence for standard error; the session is then refused with `fault`.
    fn open(&mut self, open: Open) -> Result<(), String>;
    /// Decides a call, and performs it where the gate does.
    fn call(&mut self, call: &Call) -> Answer;
    /// Decides a call.
    fn judge(&mut self, call: &Call) -> Judged;
    /// Ends the session.
    fn close(&mut self);
}

/// Serves standard input and output until `bye`.
pub(super) fn serve(gate: &mut impl Gate) -> ExitCode {
    let mut stdin = std::io::stdin().lock();
    loop {
        let mut line = Vec::new();
        match stdin.read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return ExitCode::FAILURE,
        }
        let answer = match serde_json::from_slice(&line) {
            Ok(FromRunner::Hello(_)) => FromSubject::Hello(gate.hello()),
            Ok(FromRunner::Open(open)) => {
                let session = open.session.clone();
                match gate.open(*open) {
                    Ok(()) => FromSubject::Opened(Opened { session }),
                    Err(what) => {
                        eprintln!("the session is not served: {what}");
                        let reason = "fault".to_owned();
                        FromSubject::Refused(Refused { session, reason })
                    }
                }
            }
            Ok(FromRunner::Call(call)) => FromSubject::Result(gate.call(&call)),
            Ok(FromRunner::Judge(call)) => FromSubject::Judged(gate.judge(&call)),
            // Calls are answered one after the other, so what is withdrawn is answered already.
            Ok(FromRunner::Cancel(_)) => continue,
            Ok(FromRunner::Close(Session { session })) => {
                gate.close();
                FromSubject::Closed(Session { session })
            }
            // No adapter promises them.
            Ok(FromRunner::Stage(_) | FromRunner::User(_) | FromRunner::Desk(_)) => {
                eprintln!("`stage`, `user` or `desk` without a promise of it");
                return ExitCode::FAILURE;
            }
            Ok(FromRunner::Bye(_)) => return ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("a line that is no message: {error}");
                return ExitCode::FAILURE;
            }
        };
        if say(&answer).is_err() {
            return ExitCode::FAILURE;
        }
    }
}

fn say(message: &FromSubject) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}
