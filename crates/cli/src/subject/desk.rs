//! The desk of a session: `portcullis desk` in a process of its own, and people who answer there.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use portcullis::desk::wire::{
    Answered, Asked, FromPerson, LONGEST_LINE, Nothing, Said, ToPerson, line, read,
};
use portcullis::desk::{Desk, Held, PEOPLE, Room};
use portcullis::{Approver, Cancel, Question, Reply, SystemClock};

use super::fake;
use super::session::{Unserved, unserved};
use super::wire::{AtDesk, DeskWord, Person, Seen, Standing};
use crate::desk::{Person as Visitor, causes, commands, heading};

/// How long a lasting allow lasts; the session is over before that.
const ALWAYS_S: u64 = 60 * 60;
/// Columns of a command.
const COLUMNS: usize = 96;
/// How long a desk may take to hang up on what is no answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// A user of every system who owns nothing.
const NOBODY: u32 = 65_534;

/// The desk of the session that is open, where it has one: people come while the gate waits.
#[derive(Clone, Default)]
pub(super) struct Office(Arc<Mutex<Option<Running>>>);

/// A desk, dead or alive.
struct Running {
    program: String,
    place: PathBuf,
    child: Option<Child>,
    /// What something else holds in its place.
    fake: Option<Held>,
}

impl Office {
    /// Opens a desk below the session's state, as a person would.
    pub(super) fn open(&self, program: &str, state: &Path) -> Result<PathBuf, Unserved> {
        let place = place(state);
        let mut running = Running {
            program: program.to_owned(),
            place: place.clone(),
            child: None,
            fake: None,
        };
        running.start().map_err(unserved)?;
        self.with(|office| *office = Some(running));
        Ok(place)
    }

    /// Takes the desk away.
    pub(super) fn close(&self) {
        self.with(|office| *office = None);
    }

    /// Does what somebody does there.
    pub(super) fn visit(&self, visit: &AtDesk) -> io::Result<Seen> {
        self.with(|office| match office {
            Some(running) => running.visit(visit),
            None => Err(io::ErrorKind::NotConnected.into()),
        })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Option<Running>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Where the desk of a session is.
fn place(state: &Path) -> PathBuf {
    state.join("desk")
}

impl Running {
    fn start(&mut self) -> io::Result<()> {
        #[expect(
            clippy::disallowed_methods,
            reason = "this very program: a desk that can be killed is a process"
        )]
        let mut desk = Command::new(&self.program);
        let mut child = desk
            .args(["desk", "--no-screen", "--desk"])
            .arg(&self.place)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        // Its first line says that it listens.
        let listens = child.stdout.take().map(|stdout| {
            let mut line = String::new();
            BufReader::new(stdout)
                .read_line(&mut line)
                .map(|length| length > 0)
        });
        self.child = Some(child);
        match listens {
            Some(Ok(true)) => Ok(()),
            _ => Err(io::ErrorKind::NotConnected.into()),
        }
    }

    /// As a power cut would.
    fn die(&mut self) {
        self.fake = None;
        if let Some(mut child) = self.child.take() {
            let _gone = child.kill();
            let _gone = child.wait();
        }
    }

    fn visit(&mut self, visit: &AtDesk) -> io::Result<Seen> {
        let mut seen = Seen::default();
        let ask = visit.ask.as_deref().unwrap_or_default();
        let says = visit.says.as_deref().unwrap_or_default();
        match visit.does {
            DeskWord::Look => seen.questions = self.look(),
            DeskWord::Answer => {
                let said = said(says).ok_or(io::ErrorKind::InvalidInput)?;
                seen.taken = Some(match visit.person {
                    Some(Person::Stranger) => self.stranger(ask, says),
                    _ => self.answer(ask, said),
                });
            }
            DeskWord::Garble => seen.taken = Some(self.garble(ask, says)),
            DeskWord::Die => self.die(),
            DeskWord::Fake => {
                self.die();
                self.fake = Some(fake::listen(&self.place, says)?);
            }
            DeskWord::Start => {
                self.die();
                self.start()?;
            }
        }
        Ok(seen)
    }

    /// What `portcullis ask list` shows.
    fn look(&self) -> Vec<Standing> {
        let list = FromPerson::List(Nothing {});
        let heard = Visitor::meet(&self.place).and_then(|mut visitor| visitor.say(&list));
        match heard {
            Ok(ToPerson::Questions(asked)) => asked.into_iter().map(Asked::safe).map(standing).collect(),
            _ => Vec::new(),
        }
    }

    /// What `portcullis ask allow` and `deny` say.
    fn answer(&self, ask: &str, answer: Said) -> bool {
        let id = ask.to_owned();
        let answer = FromPerson::Answer(Answered { id, answer });
        let heard = Visitor::meet(&self.place).and_then(|mut visitor| visitor.say(&answer));
        matches!(heard, Ok(ToPerson::Taken(_)))
    }

    /// The same as another user.
    fn stranger(&self, ask: &str, says: &str) -> bool {
        let word = if says == "deny" { "deny" } else { "allow" };
        #[expect(clippy::disallowed_methods, reason = "this very program, as another user")]
        let mut other = Command::new(&self.program);
        let status = other
            .args(["ask", word, ask, "--desk"])
            .arg(&self.place)
            .uid(NOBODY)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    }

    /// An answer that breaks, and what the desk says to it until it hangs up.
    fn garble(&self, ask: &str, says: &str) -> bool {
        let answer = line(&FromPerson::Answer(Answered {
            id: ask.to_owned(),
            answer: Said::AllowOnce {},
        }));
        let bytes = match says {
            // All but its end, which is the most that is none.
            "half" => answer
                .get(..answer.len().saturating_sub(1))
                .unwrap_or_default()
                .to_vec(),
            "flood" => vec![b'y'; LONGEST_LINE.max(1 << 20)],
            _ => [b"allow_once\x00\xff ", answer.as_slice()].concat(),
        };
        let heard = Room::open(&self.place)
            .ok()
            .and_then(|room| room.connect(PEOPLE).ok())
            .and_then(|socket| hear(UnixStream::from(socket), &bytes).ok());
        let heard = heard.unwrap_or_default();
        let mut lines = heard.split(|byte| *byte == b'\n');
        lines.any(|line| matches!(read(line), Some(ToPerson::Taken(_))))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.die();
    }
}

fn hear(mut stream: UnixStream, bytes: &[u8]) -> io::Result<Vec<u8>> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    // Who is not heard to the end may be cut off.
    let _cut = stream.write_all(bytes);
    let _cut = stream.shutdown(Shutdown::Write);
    let mut heard = Vec::new();
    let _cut = stream.read_to_end(&mut heard);
    Ok(heard)
}

fn said(word: &str) -> Option<Said> {
    Some(match word {
        "allow_once" => Said::AllowOnce {},
        "allow_always" => Said::AllowAlways {
            lasts_s: ALWAYS_S,
            this_session: true,
            below: None,
            kept: false,
        },
        "deny" => Said::Deny { reason: None },
        _ => return None,
    })
}

fn standing(asked: Asked) -> Standing {
    let mut text = vec![heading(&asked)];
    text.extend(commands(&asked, COLUMNS));
    text.extend(asked.effects.iter().cloned());
    text.extend(causes(&asked).map(|cause| format!("because {cause}")));
    Standing {
        ask: asked.id,
        call: asked.call,
        text: text.join("\n"),
    }
}

/// The gate's end: asks at the desk, and remembers that it did.
pub(super) struct Asking {
    desk: Desk,
    pub(super) asked: bool,
}

impl Asking {
    pub(super) fn at(place: &Path, clock: SystemClock) -> Self {
        Self {
            desk: Desk::at(place, clock),
            asked: false,
        }
    }
}

impl Approver for Asking {
    fn ask(&mut self, question: &Question, cancel: &Cancel) -> Reply {
        self.asked = true;
        let reply = self.desk.ask(question, cancel);
        if let Some(trouble) = self.desk.take_trouble() {
            anstream::eprintln!("note: nobody was asked: {trouble}");
        }
        reply
    }
}
