//! The runner's calls as the gate gets them.

use portcullis::{Call as ToolCall, EffectKind, Limits, Shape, ToolSpec, Toolbox};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::wire::Call;
use super::words;

/// In front of a tool whose arguments are text that may not be JSON.
pub(super) const RAW: &str = "raw:";

/// A call that was read, and its arguments in the runner's words.
pub(super) struct Read {
    pub(super) call: ToolCall,
    pub(super) args: Value,
}

/// Reads a call from the bytes that the gate would get. The sentence says why it is none.
pub(super) fn read(call: &Call) -> Result<Read, String> {
    let not_a_call = |what: &dyn std::fmt::Display| format!("the input is not a call: {what}");
    let (tool, text, args) = match call.tool.strip_prefix(RAW) {
        None => {
            let args = words::arguments(&call.tool, &call.args);
            (call.tool.as_str(), args.to_string(), call.args.clone())
        }
        Some(tool) => {
            let raw = call.args.get("raw").and_then(Value::as_str).unwrap_or_default();
            // What is shown to a person; what is judged are the bytes.
            (
                tool,
                raw.to_owned(),
                serde_json::from_str(raw).unwrap_or_default(),
            )
        }
    };
    let mut envelope = json!({
        "id": call.id, "session": call.session, "tool": words::tool(tool), "cwd": call.cwd,
    });
    for (name, said) in [("agent", &call.agent), ("message", &call.message)] {
        if let (Some(members), Some(said)) = (envelope.as_object_mut(), said) {
            members.insert(name.to_owned(), json!(said));
        }
    }
    let mut bytes = envelope.to_string().into_bytes();
    bytes.pop();
    bytes.extend_from_slice(b",\"args\":");
    bytes.extend_from_slice(text.as_bytes());
    bytes.push(b'}');
    let read =
        ToolCall::read(&bytes, Shape::Portcullis, &Limits::default()).map_err(|error| not_a_call(&error))?;
    // Text that ends its place and goes on is no value, even where the whole still reads as a call.
    serde_json::from_str::<IgnoredAny>(&text)
        .map_err(|_| not_a_call(&"the arguments are not one JSON value"))?;
    Ok(Read { call: read, args })
}

/// The host's tool that may start a sub-agent, as a host would register it: any arguments, and always `spawn`. Raw
/// arguments stay the bytes that they are.
pub(super) fn spawned(call: &Call) -> Option<(Call, Toolbox)> {
    let (name, tool, args) = match call.tool.strip_prefix(RAW) {
        None => {
            let name = call.args.get("name")?.as_str()?.to_owned();
            (name.clone(), name, call.args.get("input")?.clone())
        }
        Some(_) => {
            let Spawned { name, input } = serde_json::from_str(call.args.get("raw")?.as_str()?).ok()?;
            let tool = format!("{RAW}{name}");
            (name, tool, json!({ "raw": input.get() }))
        }
    };
    let spec = ToolSpec::new(&words::tool(&name), json!({"type": "object"}), Vec::new())
        .ok()?
        .with_inherent(vec![EffectKind::Spawn]);
    let mut toolbox = Toolbox::empty();
    toolbox.register(spec).ok()?;
    let call = Call {
        id: call.id.clone(),
        session: call.session.clone(),
        tool,
        args,
        cwd: call.cwd.clone(),
        agent: call.agent.clone(),
        message: call.message.clone(),
    };
    Some((call, toolbox))
}

/// The arguments of `spawn`; what the host's tool would get is not read here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Spawned<'a> {
    name: String,
    #[serde(borrow)]
    input: &'a RawValue,
}
