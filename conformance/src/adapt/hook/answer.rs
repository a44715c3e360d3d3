//! What a hook said, read as Claude Code reads it.

use serde_json::{Map, Value};

use crate::os::process::{Ended, Said};

/// The exit code that blocks, whatever else was said.
const BLOCKS: i32 = 2;
/// The event that is answered.
const EVENT: &str = "PreToolUse";

/// What the host makes of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Opinion {
    /// May run without a question.
    Allow,
    /// The host asks its user.
    Ask,
    /// May not run; the text for the model.
    Deny(String),
    /// May run, with other arguments than were sent.
    Rewritten,
    /// None: the host goes on as if there was no hook.
    None,
    /// The hook did not do its work, and why. Claude Code goes on as if there was no hook, unless it was told to block.
    Failed(String),
}

/// Reads what was said about a call with this input.
pub(super) fn read(said: &Said, input: Option<&Value>) -> Opinion {
    let stderr = || String::from_utf8_lossy(&said.stderr).trim().to_owned();
    match &said.ended {
        Ended::Code(0) => object(&said.stdout, input),
        Ended::Code(code) if *code == BLOCKS => Opinion::Deny(stderr()),
        Ended::Code(code) => Opinion::Failed(format!("exit code {code}")),
        Ended::Signal => Opinion::Failed("a signal ended it".to_owned()),
        Ended::Late => Opinion::Failed("it took too long".to_owned()),
        Ended::NotStarted(why) => Opinion::Failed(format!("it could not be started: {why}")),
    }
}

fn object(stdout: &[u8], input: Option<&Value>) -> Opinion {
    let text = String::from_utf8_lossy(stdout);
    let text = text.trim();
    if text.is_empty() {
        return Opinion::None;
    }
    // Text that does not begin an object is for the transcript; a log line before the object makes it such text.
    if !text.starts_with('{') {
        return Opinion::Failed("standard output is no JSON object".to_owned());
    }
    match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(said) => members(&said, input).unwrap_or_else(Opinion::Failed),
        Err(error) => Opinion::Failed(format!("standard output is no JSON: {error}")),
    }
}

fn members(said: &Map<String, Value>, input: Option<&Value>) -> Result<Opinion, String> {
    let text = |members: &Map<String, Value>, name: &str| {
        members
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    if said.get("continue") == Some(&Value::Bool(false)) {
        return Ok(Opinion::Deny(text(said, "stopReason")));
    }
    let legacy = match said.get("decision").map(|word| word.as_str()) {
        None => Opinion::None,
        Some(Some("approve")) => Opinion::Allow,
        Some(Some("block")) => Opinion::Deny(text(said, "reason")),
        Some(_) => return Err("`decision` is neither `approve` nor `block`".to_owned()),
    };
    let Some(own) = said.get("hookSpecificOutput") else {
        return Ok(legacy);
    };
    let own = own.as_object().ok_or("`hookSpecificOutput` is no object")?;
    if text(own, "hookEventName") != EVENT {
        return Err(format!("`hookEventName` is not `{EVENT}`"));
    }
    let opinion = match own.get("permissionDecision").map(|word| word.as_str()) {
        None => legacy,
        Some(Some("allow")) if matches!(legacy, Opinion::Deny(_)) => legacy,
        Some(Some("allow")) => Opinion::Allow,
        Some(Some("ask")) => Opinion::Ask,
        // The run stops here, to be taken up by somebody later: the call does not run now.
        Some(Some("deny" | "defer")) => Opinion::Deny(text(own, "permissionDecisionReason")),
        Some(_) => return Err("`permissionDecision` is no word of four".to_owned()),
    };
    let is_rewritten = own
        .get("updatedInput")
        .is_some_and(|updated| Some(updated) != input);
    Ok(match opinion {
        Opinion::Allow | Opinion::None | Opinion::Ask if is_rewritten => Opinion::Rewritten,
        opinion => opinion,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Opinion, read};
    use crate::os::process::{Ended, Said};

    fn said(ended: Ended, stdout: &str, stderr: &str) -> Opinion {
        let said = Said {
            ended,
            stdout: stdout.into(),
            stderr: stderr.into(),
        };
        read(&said, Some(&json!({"command": "ls"})))
    }

    fn specific(members: &str) -> String {
        format!(r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse",{members}}}}}"#)
    }

    #[test]
    fn words_are_read() {
        let deny = |text: &str| Opinion::Deny(text.to_owned());
        let allow = specific(r#""permissionDecision":"allow""#);
        let block = r#""permissionDecision":"deny","permissionDecisionReason":"no""#;
        for (stdout, expected) in [
            (String::new(), Opinion::None),
            (" \n".to_owned(), Opinion::None),
            ("{}".to_owned(), Opinion::None),
            (r#"{"suppressOutput":true}"#.to_owned(), Opinion::None),
            (allow.clone(), Opinion::Allow),
            (format!("\n{allow}\n"), Opinion::Allow),
            (specific(r#""permissionDecision":"ask""#), Opinion::Ask),
            (specific(block), deny("no")),
            (specific(r#""permissionDecision":"deny""#), deny("")),
            (specific(r#""permissionDecision":"deny","extra":1"#), deny("")),
            (specific(r#""permissionDecision":"defer""#), deny("")),
            (r#"{"decision":"approve"}"#.to_owned(), Opinion::Allow),
            (r#"{"decision":"block","reason":"no"}"#.to_owned(), deny("no")),
            (
                r#"{"continue":false,"stopReason":"enough"}"#.to_owned(),
                deny("enough"),
            ),
            // An answer in the wrong place is none.
            (r#"{"permissionDecision":"deny"}"#.to_owned(), Opinion::None),
            // The stricter of the two forms counts.
            (
                allow.replacen('{', r#"{"decision":"block","reason":"no","#, 1),
                deny("no"),
            ),
            (
                specific(block).replacen('{', r#"{"decision":"approve","#, 1),
                deny("no"),
            ),
            (
                specific(r#""permissionDecision":"allow","updatedInput":{"command":"ls"}"#),
                Opinion::Allow,
            ),
            (
                specific(r#""permissionDecision":"allow","updatedInput":{"command":"ls -a"}"#),
                Opinion::Rewritten,
            ),
            (
                specific(r#""updatedInput":{"command":"ls -a"}"#),
                Opinion::Rewritten,
            ),
        ] {
            assert_eq!(said(Ended::Code(0), &stdout, "a note"), expected, "{stdout}");
        }
    }

    #[test]
    fn a_hook_that_fails_has_no_opinion() {
        let deny = specific(r#""permissionDecision":"deny""#);
        let cut = deny.trim_end_matches('}');
        for (ended, stdout) in [
            (Ended::Code(1), deny.as_str()),
            (Ended::Code(3), ""),
            (Ended::Signal, deny.as_str()),
            (Ended::Late, deny.as_str()),
            (Ended::NotStarted("no such file".to_owned()), ""),
            (Ended::Code(0), cut),
            (Ended::Code(0), "blocked"),
            (Ended::Code(0), &format!("loading rules\n{deny}")),
            (Ended::Code(0), &format!("{deny}\n{deny}")),
            (Ended::Code(0), r#"["deny"]"#),
            (Ended::Code(0), r#"{"decision":"deny"}"#),
            (Ended::Code(0), &deny.replace("deny", "no")),
            (Ended::Code(0), &deny.replace("PreToolUse", "PostToolUse")),
        ] {
            let opinion = said(ended, stdout, "");
            assert!(matches!(opinion, Opinion::Failed(_)), "{stdout}: {opinion:?}");
        }
    }

    #[test]
    fn exit_code_two_blocks_whatever_is_said() {
        let allow = specific(r#""permissionDecision":"allow""#);
        for stdout in ["", "text", allow.as_str()] {
            assert_eq!(
                said(Ended::Code(2), stdout, "no\n"),
                Opinion::Deny("no".to_owned())
            );
        }
        assert_eq!(said(Ended::Code(2), "", ""), Opinion::Deny(String::new()));
    }
}
