use super::{Fields, Parts};
use crate::call::CallError;

pub(super) fn parts(mut fields: Fields) -> Result<Parts, CallError> {
    let parts = Parts {
        id: fields.needed_name("id")?,
        tool: fields.needed_name("tool")?,
        arguments: fields.needed_object("args")?,
        cwd: fields.cwd_or_hex()?,
        session: fields.name("session")?,
        agent: fields.name("agent")?,
        message: fields.name("message")?,
    };
    fields.end()?;
    Ok(parts)
}
