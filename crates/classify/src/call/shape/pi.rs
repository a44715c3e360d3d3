use super::{Fields, Parts};
use crate::call::{CallError, CallErrorKind};

pub(super) fn parts(mut fields: Fields) -> Result<Parts, CallError> {
    match fields.needed_name("type")?.as_str() {
        "tool_call" => event(fields),
        "toolCall" => recorded(fields),
        _ => Err(CallError::new(
            CallErrorKind::Shape,
            "this is neither a `tool_call` event nor a `toolCall` block",
        )
        .at_member("type")),
    }
}

fn event(mut fields: Fields) -> Result<Parts, CallError> {
    fields.none_of(&["name", "arguments"])?;
    fields.ignore_text("parentToolCallId")?;
    Ok(Parts {
        id: fields.needed_name("toolCallId")?,
        tool: fields.needed_name("toolName")?,
        arguments: fields.needed_object("input")?,
        cwd: fields.cwd()?,
        session: None,
        agent: None,
        message: None,
    })
}

fn recorded(mut fields: Fields) -> Result<Parts, CallError> {
    fields.none_of(&["toolName", "toolCallId", "input"])?;
    Ok(Parts {
        id: fields.needed_name("id")?,
        tool: fields.needed_name("name")?,
        arguments: fields.needed_object("arguments")?,
        cwd: fields.cwd()?,
        session: None,
        agent: None,
        message: None,
    })
}
