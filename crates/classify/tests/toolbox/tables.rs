//! What the built-in tools are said to do.

use portcullis_classify::{EffectKind, Role, ToolSpec, Toolbox};
use portcullis_paths::Operation;
use rstest::rstest;
use serde_json::{Value, json};

/// One line per operand: member, role, and `?` when it is optional.
fn operands(tool: &str) -> Vec<String> {
    let toolbox = Toolbox::standard();
    let describe = |role: &Role| match role {
        Role::Path {
            operation,
            when,
            dialect,
            cwd_when_missing,
        } => {
            let when = when
                .as_ref()
                .map(|when| format!("/{}:{:?}", when.flag, when.operation))
                .unwrap_or_default();
            let cwd = if *cwd_when_missing { "|cwd" } else { "" };
            format!("{operation:?}{when}{cwd} {}", dialect.name())
        }
        Role::Glob {
            operation,
            dialect,
            base,
        } => {
            format!(
                "glob {operation:?} in {} {}",
                base.as_deref().unwrap_or("cwd"),
                dialect.name()
            )
        }
        Role::Command { language } => format!("command {language:?}"),
        Role::Edit { dialect } => format!("edit {}", dialect.name()),
        Role::Url => "url".to_owned(),
        other => format!("{other:?}"),
    };
    toolbox
        .get(tool)
        .map(ToolSpec::operands)
        .unwrap_or_default()
        .iter()
        .map(|operand| {
            let mark = if operand.required { "" } else { "?" };
            format!("{}{mark} {}", operand.member, describe(&operand.role))
        })
        .collect()
}

#[rstest]
#[case("read_file", &["path Read agent"])]
#[case("write_file", &["path Write agent"])]
#[case("edit_file", &["path edit agent"])]
#[case("delete_file", &["path Delete/recursive:DeleteTree agent"])]
#[case("move_file", &["from MoveFrom agent", "to MoveTo agent"])]
#[case("make_dir", &["path MakeDir agent"])]
#[case("list_dir", &["path? List|cwd agent"])]
#[case("search", &["path? Search|cwd agent"])]
#[case("run_command", &["command command Shell"])]
#[case("Read", &["file_path Read claude-code"])]
#[case("Write", &["file_path Write claude-code"])]
#[case("Edit", &["file_path edit claude-code"])]
#[case("MultiEdit", &["file_path edit claude-code"])]
#[case("NotebookEdit", &["notebook_path edit claude-code"])]
#[case("NotebookRead", &["notebook_path Read claude-code"])]
#[case("LS", &["path? List|cwd claude-code"])]
#[case("Glob", &["pattern glob Search in path claude-code", "path? Search|cwd claude-code"])]
#[case("Grep", &["path? Search|cwd claude-code", "glob? glob Search in path claude-code"])]
#[case("Bash", &["command command Shell"])]
#[case("PowerShell", &["command command PowerShell"])]
#[case("Monitor", &["command? command Shell"])]
#[case("WebFetch", &["url url"])]
#[case("EnterWorktree", &["path? WorkingDir claude-code"])]
#[case("Workflow", &["scriptPath? Read claude-code"])]
#[case("bash", &["command command Shell"])]
#[case("powershell", &["command command PowerShell"])]
#[case("read", &["path Read pi-read"])]
#[case("write", &["path Write pi"])]
#[case("edit", &["path edit pi"])]
#[case("grep", &["path? Search|cwd pi", "glob? glob Search in path pi"])]
#[case("find", &["pattern glob Search in path pi", "path? Search|cwd pi"])]
#[case("ls", &["path? List|cwd pi"])]
fn tool_has_operands(#[case] tool: &str, #[case] expected: &[&str]) {
    assert_eq!(operands(tool), expected);
}

#[rstest]
#[case("Monitor", &[EffectKind::Execute, EffectKind::Connect])]
#[case("WebFetch", &[EffectKind::Connect])]
#[case("WebSearch", &[EffectKind::Connect])]
#[case("Agent", &[EffectKind::Spawn])]
#[case("Task", &[EffectKind::Spawn])]
#[case("CronCreate", &[EffectKind::Spawn, EffectKind::Opaque])]
#[case("RemoteTrigger", &[EffectKind::Spawn, EffectKind::Connect])]
#[case("CronDelete", &[EffectKind::Opaque])]
#[case("ScheduleWakeup", &[EffectKind::Spawn, EffectKind::Opaque])]
#[case("Workflow", &[EffectKind::Spawn, EffectKind::Opaque])]
#[case("ExitPlanMode", &[EffectKind::Opaque])]
#[case("EnterWorktree", &[EffectKind::Execute])]
#[case("ExitWorktree", &[EffectKind::Execute, EffectKind::Opaque])]
#[case("PushNotification", &[EffectKind::Connect])]
#[case("ListMcpResourcesTool", &[EffectKind::Opaque])]
#[case("ReadMcpResourceTool", &[EffectKind::Opaque])]
#[case("ReadMcpResourceDirTool", &[EffectKind::Opaque])]
#[case("Skill", &[EffectKind::Opaque])]
#[case("SlashCommand", &[EffectKind::Opaque])]
#[case("ReadMcpResource", &[EffectKind::Opaque])]
#[case("KillShell", &[EffectKind::Execute])]
#[case("TaskStop", &[EffectKind::Execute])]
fn tool_always_has_effects(#[case] tool: &str, #[case] expected: &[EffectKind]) {
    assert_eq!(Toolbox::standard().get(tool).unwrap().inherent(), expected);
}

/// A tool without operands and inherent effects runs unasked: this list may only grow on purpose.
#[test]
fn the_tools_without_any_effect_are_these() {
    let toolbox = Toolbox::standard();
    let silent: Vec<_> = toolbox
        .names()
        .filter(|name| {
            let tool = toolbox.get(name).unwrap();
            tool.operands().is_empty() && tool.inherent().is_empty()
        })
        .collect();
    assert_eq!(
        silent,
        [
            "AskUserQuestion",
            "BashOutput",
            "CronList",
            "EnterPlanMode",
            "TaskCreate",
            "TaskGet",
            "TaskList",
            "TaskUpdate",
            "TodoWrite",
            "ToolSearch",
        ]
    );
}

#[test]
fn the_standard_tools_are_these() {
    let names: Vec<_> = Toolbox::standard().names().map(str::to_owned).collect();
    let expected = [
        "Agent",
        "AskUserQuestion",
        "Bash",
        "BashOutput",
        "CronCreate",
        "CronDelete",
        "CronList",
        "Edit",
        "EnterPlanMode",
        "EnterWorktree",
        "ExitPlanMode",
        "ExitWorktree",
        "Glob",
        "Grep",
        "KillShell",
        "LS",
        "ListMcpResourcesTool",
        "Monitor",
        "MultiEdit",
        "NotebookEdit",
        "NotebookRead",
        "PowerShell",
        "PushNotification",
        "Read",
        "ReadMcpResource",
        "ReadMcpResourceDirTool",
        "ReadMcpResourceTool",
        "RemoteTrigger",
        "ScheduleWakeup",
        "Skill",
        "SlashCommand",
        "Task",
        "TaskCreate",
        "TaskGet",
        "TaskList",
        "TaskStop",
        "TaskUpdate",
        "TodoWrite",
        "ToolSearch",
        "WebFetch",
        "WebSearch",
        "Workflow",
        "Write",
        "bash",
        "delete_file",
        "edit",
        "edit_file",
        "find",
        "grep",
        "list_dir",
        "ls",
        "make_dir",
        "move_file",
        "powershell",
        "read",
        "read_file",
        "run_command",
        "search",
        "write",
        "write_file",
    ];
    assert_eq!(names, expected);
    let files: Vec<_> = Toolbox::files().names().map(str::to_owned).collect();
    assert_eq!(
        files,
        [
            "delete_file",
            "edit_file",
            "list_dir",
            "make_dir",
            "move_file",
            "read_file",
            "write_file"
        ]
    );
}

/// Unknown is not registered: the names of MCP tools, other spellings, words that look like tools.
#[rstest]
fn what_is_not_registered_does_not_exist(
    #[values(
        "mcp__db__query",
        "mcp__plugin_p_s__t",
        "READ",
        "bash ",
        "Bash\0",
        "codemode",
        "__proto__",
        "",
        "*"
    )]
    name: &str,
) {
    assert!(Toolbox::standard().get(name).is_none());
}

/// A wrong-typed operand is refused for every tool that has one.
#[test]
fn no_operand_may_have_another_type() {
    let toolbox = Toolbox::standard();
    for name in toolbox.names() {
        let tool = toolbox.get(name).unwrap();
        for operand in tool.operands() {
            for wrong in [
                json!(null),
                json!(1),
                json!(true),
                json!({}),
                json!(["a"]),
                json!([["a"]]),
            ] {
                let mut arguments = sample(&tool.schema());
                tool.check(&arguments).unwrap();
                arguments[operand.member.as_ref()] = wrong.clone();
                assert!(
                    tool.check(&arguments).is_err(),
                    "{name}: {} may be {wrong}",
                    operand.member
                );
            }
            let mut arguments = sample(&tool.schema());
            arguments.as_object_mut().unwrap().remove(operand.member.as_ref());
            assert_eq!(
                tool.check(&arguments).is_err(),
                operand.required,
                "{name}: {}",
                operand.member
            );
        }
    }
}

/// Arguments that fit, every member there.
fn sample(schema: &Value) -> Value {
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => json!("a"),
        Some("boolean") => json!(true),
        Some("number") => json!(1),
        Some("array") => json!([sample(schema.get("items").unwrap_or(&Value::Null))]),
        Some("object") => schema
            .get("properties")
            .and_then(Value::as_object)
            .map(|properties| {
                properties
                    .iter()
                    .map(|(name, schema)| (name.clone(), sample(schema)))
                    .collect()
            })
            .unwrap_or_else(|| json!({})),
        _ => json!(null),
    }
}

#[test]
fn our_own_tools_tolerate_no_unknown_member_and_those_of_hosts_do() {
    let toolbox = Toolbox::standard();
    let own = |name: &str| Toolbox::files().get(name).is_some() || matches!(name, "search" | "run_command");
    for name in toolbox.names() {
        let tool = toolbox.get(name).unwrap();
        let mut arguments = sample(&tool.schema());
        arguments["surely_not_declared"] = json!(1);
        assert_eq!(tool.check(&arguments).is_err(), own(name), "{name}");
    }
}

#[test]
fn a_recursive_deletion_is_another_operation() {
    let toolbox = Toolbox::files();
    let operand = &toolbox.get("delete_file").unwrap().operands()[0];
    assert_eq!(operand.operation(&json!({"path": "a"})), Some(Operation::Delete));
    assert_eq!(
        operand.operation(&json!({"path": "a", "recursive": true})),
        Some(Operation::DeleteTree)
    );
}
