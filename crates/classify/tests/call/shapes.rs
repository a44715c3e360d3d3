//! Whose JSON it is.

use std::path::Path;

use portcullis_classify::{Call, CallErrorKind, Limits, Shape};
use rstest::rstest;

const CLAUDE_HOOK: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s-1","transcript_path":"/home/u/t.jsonl",
 "cwd":"/w","prompt_id":"p-3","permission_mode":"default","agent_id":"ag_1","agent_type":"general-purpose",
 "effort":{"level":"high"},"tool_name":"Bash","tool_input":{"command":"ls","description":"List"},
 "tool_use_id":"toolu_01","mcp_server":{"name":"db","source":"project"}}"#;

fn read(text: &str, shape: Shape) -> Result<Call, portcullis_classify::CallError> {
    Call::read(text.as_bytes(), shape, &Limits::default())
}

#[test]
fn a_claude_code_hook_input() {
    let call = read(CLAUDE_HOOK, Shape::ClaudeCode).unwrap();
    assert_eq!((call.id(), call.tool()), ("toolu_01", "Bash"));
    assert_eq!((call.session(), call.agent()), (Some("s-1"), Some("ag_1")));
    assert_eq!(call.cwd(), Some(Path::new("/w")));
    assert_eq!(call.arguments()["command"], "ls");
}

#[rstest]
#[case::session_and_prompt(
    r#"{"session_id":"s","prompt_id":"p","tool_name":"T","tool_input":{}}"#,
    "s:p"
)]
#[case::session_alone(r#"{"session_id":"s","tool_name":"T","tool_input":{}}"#, "claude-code")]
#[case::nothing(r#"{"tool_name":"T","tool_input":{}}"#, "claude-code")]
fn a_claude_code_input_without_an_id(#[case] text: &str, #[case] id: &str) {
    assert_eq!(read(text, Shape::ClaudeCode).unwrap().id(), id);
}

#[rstest]
#[case::claude(
    Shape::ClaudeCode,
    r#"{"type":"tool_use","id":"toolu_2","name":"Read","input":{"file_path":"/w/a"},"caller":{"type":"direct"}}"#
)]
#[case::pi_event(
    Shape::Pi,
    r#"{"type":"tool_call","toolCallId":"toolu_2","toolName":"Read","input":{"file_path":"/w/a"},"parentToolCallId":"c"}"#
)]
#[case::pi_recorded(
    Shape::Pi,
    r#"{"type":"toolCall","id":"toolu_2","name":"Read","arguments":{"file_path":"/w/a"},"thoughtSignature":"x"}"#
)]
#[case::ours(
    Shape::Portcullis,
    r#"{"id":"toolu_2","tool":"Read","args":{"file_path":"/w/a"}}"#
)]
fn the_same_call_has_the_same_digest_in_every_shape(#[case] shape: Shape, #[case] text: &str) {
    let call = read(text, shape).unwrap();
    assert_eq!(
        call.canonical(),
        br#"{"args":{"file_path":"/w/a"},"id":"toolu_2","tool":"Read"}"#
    );
}

#[rstest]
#[case::not_an_object(Shape::Portcullis, "[]", "$")]
#[case::no_id(Shape::Portcullis, r#"{"tool":"t","args":{}}"#, r#"$["id"]"#)]
#[case::empty_id(Shape::Portcullis, r#"{"id":"","tool":"t","args":{}}"#, r#"$["id"]"#)]
#[case::id_is_a_number(Shape::Portcullis, r#"{"id":1,"tool":"t","args":{}}"#, r#"$["id"]"#)]
#[case::no_tool(Shape::Portcullis, r#"{"id":"1","args":{}}"#, r#"$["tool"]"#)]
#[case::args_is_a_list(Shape::Portcullis, r#"{"id":"1","tool":"t","args":[]}"#, r#"$["args"]"#)]
#[case::args_is_text(Shape::Portcullis, r#"{"id":"1","tool":"t","args":"{}"}"#, r#"$["args"]"#)]
#[case::no_args(Shape::Portcullis, r#"{"id":"1","tool":"t"}"#, r#"$["args"]"#)]
#[case::unknown(
    Shape::Portcullis,
    r#"{"id":"1","tool":"t","args":{},"arg":{}}"#,
    r#"$["arg"]"#
)]
#[case::null_cwd(
    Shape::Portcullis,
    r#"{"id":"1","tool":"t","args":{},"cwd":null}"#,
    r#"$["cwd"]"#
)]
#[case::relative_cwd(
    Shape::Portcullis,
    r#"{"id":"1","tool":"t","args":{},"cwd":"w"}"#,
    r#"$["cwd"]"#
)]
#[case::home_cwd(
    Shape::Portcullis,
    r#"{"id":"1","tool":"t","args":{},"cwd":"~/w"}"#,
    r#"$["cwd"]"#
)]
#[case::empty_cwd(
    Shape::Portcullis,
    r#"{"id":"1","tool":"t","args":{},"cwd":""}"#,
    r#"$["cwd"]"#
)]
#[case::nul_cwd(
    Shape::Portcullis,
    r#"{"id":"1","tool":"t","args":{},"cwd":"/a\u0000"}"#,
    r#"$["cwd"]"#
)]
#[case::session(
    Shape::Portcullis,
    r#"{"id":"1","tool":"t","args":{},"session":1}"#,
    r#"$["session"]"#
)]
#[case::claude_no_tool(Shape::ClaudeCode, r#"{"tool_input":{}}"#, r#"$["tool_name"]"#)]
#[case::claude_text_input(
    Shape::ClaudeCode,
    r#"{"tool_name":"T","tool_input":"{}"}"#,
    r#"$["tool_input"]"#
)]
#[case::claude_event(
    Shape::ClaudeCode,
    r#"{"hook_event_name":1,"tool_name":"T","tool_input":{}}"#,
    r#"$["hook_event_name"]"#
)]
#[case::claude_id(
    Shape::ClaudeCode,
    r#"{"tool_use_id":1,"tool_name":"T","tool_input":{}}"#,
    r#"$["tool_use_id"]"#
)]
#[case::claude_agent(
    Shape::ClaudeCode,
    r#"{"agent_id":null,"tool_name":"T","tool_input":{}}"#,
    r#"$["agent_id"]"#
)]
#[case::claude_other_block(Shape::ClaudeCode, r#"{"type":"text","text":"x"}"#, r#"$["type"]"#)]
#[case::claude_mixed(
    Shape::ClaudeCode,
    r#"{"type":"tool_use","id":"1","name":"Read","input":{},"tool_name":"Bash"}"#,
    r#"$["tool_name"]"#
)]
#[case::pi_no_type(Shape::Pi, r#"{"toolCallId":"1","toolName":"ls","input":{}}"#, r#"$["type"]"#)]
#[case::pi_result(
    Shape::Pi,
    r#"{"type":"tool_result","toolCallId":"1","toolName":"ls","input":{}}"#,
    r#"$["type"]"#
)]
#[case::pi_mixed(
    Shape::Pi,
    r#"{"type":"tool_call","toolCallId":"1","toolName":"ls","input":{},"arguments":{}}"#,
    r#"$["arguments"]"#
)]
#[case::pi_cwd(
    Shape::Pi,
    r#"{"type":"tool_call","toolCallId":"1","toolName":"ls","input":{},"cwd":"w"}"#,
    r#"$["cwd"]"#
)]
fn is_not_of_the_shape(#[case] shape: Shape, #[case] text: &str, #[case] place: &str) {
    let error = read(text, shape).unwrap_err();
    assert_eq!(
        (error.kind(), error.place()),
        (CallErrorKind::Shape, place),
        "{error}"
    );
}

#[rstest]
#[case::id("id")]
#[case::tool("tool")]
#[case::session("session")]
#[case::agent("agent")]
fn names_are_bounded(#[case] member: &str) {
    let mut value = serde_json::json!({"id": "1", "tool": "t", "args": {}});
    value[member] = "x".repeat(256).into();
    read(&value.to_string(), Shape::Portcullis).unwrap();
    value[member] = "x".repeat(257).into();
    let error = read(&value.to_string(), Shape::Portcullis).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Limit);
    assert_eq!(error.place(), format!("$[\"{member}\"]"));
}

#[test]
fn tolerated_members_are_still_read_strictly() {
    let twice = CLAUDE_HOOK.replace(
        r#""effort":{"level":"high"}"#,
        r#""effort":{"level":"high","level":"low"}"#,
    );
    let error = read(&twice, Shape::ClaudeCode).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::DuplicateMember);
}
