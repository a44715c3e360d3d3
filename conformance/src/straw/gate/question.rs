//! The question about a call.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::Gate;
use super::end::answer;
use super::judge::Judgement;
use crate::os::disk;
use crate::straw::ask::{Inbox, Reply, Talk};
use crate::straw::place::Place;
use crate::wire::{Answer, Ask, Call, Decision, Event};
use crate::{base64, random};

/// A call that waits for an answer.
pub(in crate::straw) struct Asked {
    pub(in crate::straw) call: Call,
    pub(super) judgement: Judgement,
    pub(in crate::straw) question: Ask,
    /// How often it is still asked.
    pub(super) more: u32,
}

impl Gate {
    /// Whether questions stand at the desk.
    pub(in crate::straw) fn asks_at_desk(&self) -> bool {
        self.open.desk == Some(true)
    }

    /// How long a question may stay open.
    pub(in crate::straw) fn patience(&self) -> Duration {
        Duration::from_millis(self.open.ask_timeout_ms)
    }

    /// Opens the question, or says what comes of it when that is not possible.
    pub(in crate::straw) fn put(&self, asked: &Asked, inbox: &mut Inbox) -> Result<Talk, Reply> {
        let socket = self.open.approver.as_deref();
        Talk::open(inbox, socket, &asked.question, self.patience(), self.lie)
    }

    /// The question about a call, recorded.
    pub(super) fn question(&self, call: &Call, judgement: &Judgement) -> Result<Ask, Reply> {
        let lie = self.lie;
        let paths: Vec<PathBuf> = judgement
            .operands
            .iter()
            .filter_map(|operand| operand.place.as_ref().map(Place::path))
            .collect();
        let subject = match judgement.args.get("command").and_then(Value::as_str) {
            Some(command) => command.to_owned(),
            None => {
                let names: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
                names.join(", ")
            }
        };
        let subject = if lie.is("show-raw") {
            subject
        } else {
            visible(&subject)
        };
        let Ok(id) = random::token() else {
            return Err(Reply::NoApprover);
        };
        let question = Ask {
            id,
            call: call.id.clone(),
            tool: judgement.tool.clone(),
            args: if lie.is("show-other") {
                serde_json::json!({})
            } else {
                judgement.args.clone()
            },
            paths: if lie.is("show-less") {
                Vec::new()
            } else {
                paths.iter().map(|path| on_the_wire(path)).collect()
            },
            text: format!("{} {subject}?", judgement.tool),
        };
        let asked = Event::Asked {
            call: call.id.clone(),
            session: self.open.session.clone(),
            tool: judgement.tool.clone(),
        };
        if self.log.append(&asked, self.lie).is_err() && !lie.is("audit-optional") {
            return Err(Reply::NoApprover);
        }
        if lie.is("resume-answer") {
            let kept = Path::new(&self.open.state).join("open-call.json");
            let _kept = disk::write(&kept, serde_json::to_vec(call).unwrap_or_default());
        }
        Ok(question)
    }

    pub(super) fn leave_to_the_host(&self, call: &Call, judgement: &Judgement) -> Answer {
        let asked = Event::Asked {
            call: call.id.clone(),
            session: self.open.session.clone(),
            tool: judgement.tool.clone(),
        };
        if self.log.append(&asked, self.lie).is_err() {
            return answer(call, Decision::Deny, "fault", false, None);
        }
        answer(call, Decision::Ask, "policy", false, None)
    }
}

fn on_the_wire(path: &Path) -> Value {
    use std::os::unix::ffi::OsStrExt;
    let bytes = path.as_os_str().as_bytes();
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::String(text.to_owned()),
        Err(_) => serde_json::json!({ "b64": base64::encode(bytes) }),
    }
}

/// Text in which nothing is hidden and nothing moves the cursor.
fn visible(text: &str) -> String {
    let mut shown = String::new();
    for char in text.chars() {
        let plain = char.is_ascii_graphic() || char == ' ' || char.is_alphanumeric();
        if plain {
            shown.push(char);
        } else {
            shown.extend(char.escape_unicode());
        }
    }
    shown
}
