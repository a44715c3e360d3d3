//! Claude Code: which events are answered, and in which words.

use portcullis::config::HookAllow;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Answer, Opinion};

/// The events that the hook answers. Everything else is a deny: an event that is not known may be the one before an
/// effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// Before a tool runs.
    PreToolUse,
    /// Before the user is asked.
    PermissionRequest,
}

#[derive(Deserialize)]
struct Envelope {
    hook_event_name: String,
}

#[derive(Deserialize)]
struct Prompted {
    prompt_id: String,
}

/// What the host calls that which its user said last; older ones do not say.
pub(crate) fn prompt(input: &[u8]) -> Option<String> {
    let prompted: Result<Prompted, _> = serde_json::from_slice(input);
    prompted.ok().map(|prompted| prompted.prompt_id)
}

impl Event {
    /// Reads the event's name. `Err` says why there is none.
    pub(crate) fn read(input: &[u8]) -> Result<Self, String> {
        let envelope: Envelope =
            serde_json::from_slice(input).map_err(|_| "the input names no `hook_event_name`".to_owned())?;
        match envelope.hook_event_name.as_str() {
            "PreToolUse" => Ok(Self::PreToolUse),
            "PermissionRequest" => Ok(Self::PermissionRequest),
            other => Err(format!(
                "the event `{}` is not known",
                portcullis::visible(other, 100)
            )),
        }
    }
}

/// The answer in Claude Code's own shape. An unknown event is denied as `PreToolUse`.
pub(crate) fn answer(event: Option<Event>, opinion: &Opinion, allow: HookAllow) -> Answer {
    match event.unwrap_or(Event::PreToolUse) {
        Event::PreToolUse => pre_tool_use(opinion, allow),
        Event::PermissionRequest => permission_request(opinion, allow),
    }
}

fn pre_tool_use(opinion: &Opinion, allow: HookAllow) -> Answer {
    let object = |decision: &str, reason: &str| -> Value {
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }})
    };
    match opinion {
        Opinion::Deny { reason } => Answer::deny(&object("deny", reason), reason),
        Opinion::Ask { reason } => Answer::say(&object("ask", reason)),
        Opinion::Approved { reason } => Answer::say(&object("allow", reason)),
        Opinion::Allow { reason } => match allow {
            HookAllow::Allow => Answer::say(&object("allow", reason)),
            _ => Answer::silent(),
        },
    }
}

/// There is no word for "ask" here: the question is on its way already, and silence lets it come.
fn permission_request(opinion: &Opinion, allow: HookAllow) -> Answer {
    let object = |decision: Value| -> Value {
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
    };
    match opinion {
        Opinion::Deny { reason } => {
            Answer::deny(&object(json!({"behavior": "deny", "message": reason})), reason)
        }
        Opinion::Ask { .. } => Answer::silent(),
        Opinion::Approved { .. } => Answer::say(&object(json!({"behavior": "allow"}))),
        Opinion::Allow { .. } => match allow {
            HookAllow::Allow => Answer::say(&object(json!({"behavior": "allow"}))),
            _ => Answer::silent(),
        },
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const REASON: &str = "why";

    fn allowed() -> Opinion {
        Opinion::Allow {
            reason: REASON.to_owned(),
        }
    }
    fn asked() -> Opinion {
        Opinion::Ask {
            reason: REASON.to_owned(),
        }
    }
    fn denied() -> Opinion {
        Opinion::Deny {
            reason: REASON.to_owned(),
        }
    }
    fn pre(decision: &str) -> Value {
        json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision,
            "permissionDecisionReason": REASON}})
    }
    fn request(decision: Value) -> Value {
        json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}})
    }

    #[rstest]
    fn every_opinion_has_its_words(
        #[values(None, Some(Event::PreToolUse), Some(Event::PermissionRequest))] event: Option<Event>,
        #[values(HookAllow::Silent, HookAllow::Allow)] allow: HookAllow,
    ) {
        let requested = event == Some(Event::PermissionRequest);
        let expected_deny = match requested {
            true => request(json!({"behavior": "deny", "message": REASON})),
            false => pre("deny"),
        };
        assert_eq!(
            answer(event, &denied(), allow),
            Answer::deny(&expected_deny, REASON)
        );

        let expected_ask = match requested {
            true => Answer::silent(),
            false => Answer::say(&pre("ask")),
        };
        assert_eq!(answer(event, &asked(), allow), expected_ask);

        let expected_allow = match (allow, requested) {
            (HookAllow::Allow, true) => Answer::say(&request(json!({"behavior": "allow"}))),
            (HookAllow::Allow, false) => Answer::say(&pre("allow")),
            _ => Answer::silent(),
        };
        assert_eq!(answer(event, &allowed(), allow), expected_allow);

        let approved = Opinion::Approved {
            reason: REASON.to_owned(),
        };
        let expected_yes = match requested {
            true => Answer::say(&request(json!({"behavior": "allow"}))),
            false => Answer::say(&pre("allow")),
        };
        assert_eq!(answer(event, &approved, allow), expected_yes);
    }

    #[rstest]
    #[case(r#"{"hook_event_name": "PreToolUse", "x": 1}"#, Ok(Event::PreToolUse))]
    #[case(r#"{"hook_event_name": "PermissionRequest"}"#, Ok(Event::PermissionRequest))]
    #[case(
        r#"{"hook_event_name": "PreSkillShellCommand"}"#,
        Err("the event `PreSkillShellCommand` is not known")
    )]
    #[case(
        r#"{"hook_event_name": "pretooluse"}"#,
        Err("the event `pretooluse` is not known")
    )]
    #[case(r#"{"hook_event_name": 3}"#, Err("the input names no `hook_event_name`"))]
    #[case("{}", Err("the input names no `hook_event_name`"))]
    fn only_known_events_are_heard(#[case] input: &str, #[case] event: Result<Event, &str>) {
        assert_eq!(Event::read(input.as_bytes()), event.map_err(str::to_owned));
    }
}
