use super::fields::bounded_name;
use super::{Fields, Parts};
use crate::call::{CallError, CallErrorKind};

/// The id of a hook input that carries none, as permission requests do not.
const NO_ID: &str = "claude-code";

pub(super) fn parts(mut fields: Fields) -> Result<Parts, CallError> {
    match fields.name("type")?.as_deref() {
        None => hook_input(fields),
        Some("tool_use") => recorded(fields),
        Some(_) => {
            Err(CallError::new(CallErrorKind::Shape, "this is not a `tool_use` block").at_member("type"))
        }
    }
}

fn hook_input(mut fields: Fields) -> Result<Parts, CallError> {
    for name in ["hook_event_name", "permission_mode", "agent_type"] {
        fields.ignore_text(name)?;
    }
    let session = fields.name("session_id")?;
    let prompt = fields.name("prompt_id")?;
    let id = match (fields.name("tool_use_id")?, &session, prompt) {
        (Some(id), _, _) => id,
        (None, Some(session), Some(prompt)) => bounded_name(format!("{session}:{prompt}"), "prompt_id")?,
        (None, _, _) => NO_ID.to_owned(),
    };
    Ok(Parts {
        id,
        tool: fields.needed_name("tool_name")?,
        arguments: fields.needed_object("tool_input")?,
        cwd: fields.cwd()?,
        session,
        agent: fields.name("agent_id")?,
        message: None,
    })
}

fn recorded(mut fields: Fields) -> Result<Parts, CallError> {
    fields.none_of(&["tool_name", "tool_input", "tool_use_id"])?;
    Ok(Parts {
        id: fields.needed_name("id")?,
        tool: fields.needed_name("name")?,
        arguments: fields.needed_object("input")?,
        cwd: fields.cwd()?,
        session: None,
        agent: None,
        message: None,
    })
}
