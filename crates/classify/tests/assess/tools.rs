//! Every registered tool: once inside the workspace, once outside it.

use std::collections::BTreeSet;

use portcullis_classify::{EffectKind, Layer, Operand, Risk, Role, ToolSpec, Toolbox, When};
use portcullis_paths::{Dialect, Operation, ZoneKind};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Scene, assert_sound, ids, with_zones};

/// Tool, arguments with the path left open as `{P}`, a path inside, a path outside, and the verdict inside.
/// Outside it is always confirm.
fn file_tools() -> Vec<(&'static str, Value, &'static str, &'static str, Risk)> {
    let file = ("src/main.rs", "{T}/outside/data.txt");
    let dir = ("src", "{T}/outside");
    let glob = ("src/**/*.rs", "{T}/outside/*");
    let of = |tool, args, (inside, outside): (_, _), risk| (tool, args, inside, outside, risk);
    vec![
        of("read_file", json!({"path": "{P}"}), file, Risk::Allow),
        of(
            "write_file",
            json!({"path": "{P}", "content": "x"}),
            file,
            Risk::Allow,
        ),
        of(
            "edit_file",
            json!({"path": "{P}", "old_text": "a", "new_text": "b"}),
            file,
            Risk::Allow,
        ),
        of("delete_file", json!({"path": "{P}"}), file, Risk::Confirm),
        of(
            "move_file",
            json!({"from": "{P}", "to": "notes2"}),
            file,
            Risk::Allow,
        ),
        of(
            "move_file",
            json!({"from": "notes.txt", "to": "{P}2"}),
            file,
            Risk::Allow,
        ),
        of(
            "make_dir",
            json!({"path": "{P}"}),
            ("new/dir", "{T}/outside/new"),
            Risk::Allow,
        ),
        of("list_dir", json!({"path": "{P}"}), dir, Risk::Allow),
        of("search", json!({"pattern": "x", "path": "{P}"}), dir, Risk::Allow),
        // Claude Code
        of("Read", json!({"file_path": "{P}"}), file, Risk::Allow),
        of(
            "Write",
            json!({"file_path": "{P}", "content": "x"}),
            file,
            Risk::Allow,
        ),
        of(
            "Edit",
            json!({"file_path": "{P}", "old_string": "a", "new_string": "b"}),
            file,
            Risk::Allow,
        ),
        of(
            "MultiEdit",
            json!({"file_path": "{P}", "edits": []}),
            file,
            Risk::Allow,
        ),
        of(
            "NotebookEdit",
            json!({"notebook_path": "{P}", "new_source": "x"}),
            file,
            Risk::Allow,
        ),
        of("NotebookRead", json!({"notebook_path": "{P}"}), file, Risk::Allow),
        of("LS", json!({"path": "{P}"}), dir, Risk::Allow),
        of("Glob", json!({"pattern": "*", "path": "{P}"}), dir, Risk::Allow),
        of("Glob", json!({"pattern": "{P}"}), glob, Risk::Allow),
        of(
            "Glob",
            json!({"pattern": "{P}", "path": "src"}),
            ("*.rs", "../../outside/*"),
            Risk::Allow,
        ),
        of("Grep", json!({"pattern": "x", "path": "{P}"}), dir, Risk::Allow),
        of("Grep", json!({"pattern": "x", "glob": "{P}"}), glob, Risk::Allow),
        // Pi
        of("read", json!({"path": "{P}"}), file, Risk::Allow),
        of("write", json!({"path": "{P}", "content": "x"}), file, Risk::Allow),
        of("edit", json!({"path": "{P}", "edits": []}), file, Risk::Allow),
        of("grep", json!({"pattern": "x", "path": "{P}"}), dir, Risk::Allow),
        of("grep", json!({"pattern": "x", "glob": "{P}"}), glob, Risk::Allow),
        of("find", json!({"pattern": "*", "path": "{P}"}), dir, Risk::Allow),
        of("find", json!({"pattern": "{P}"}), glob, Risk::Allow),
        of("ls", json!({"path": "{P}"}), dir, Risk::Allow),
    ]
}

/// Tools whose verdict does not hang on a path.
fn other_tools() -> Vec<(&'static str, Value, Risk)> {
    let ask = |tool, args| (tool, args, Risk::Confirm);
    let run = |tool, args| (tool, args, Risk::Allow);
    vec![
        ask("run_command", json!({"command": "frobnicate"})),
        ask("bash", json!({"command": "frobnicate"})),
        ask("Bash", json!({"command": "frobnicate"})),
        ask("PowerShell", json!({"command": "Get-Date"})),
        ask("Monitor", json!({"description": "x", "timeout_ms": 5})),
        ask("WebFetch", json!({"url": "https://example.org", "prompt": "x"})),
        ask("WebSearch", json!({"query": "x"})),
        run("Agent", json!({"description": "x", "prompt": "x"})),
        run("Task", json!({"description": "x", "prompt": "x"})),
        ask("powershell", json!({"command": "Get-Date"})),
        ask("CronCreate", json!({"cron": "0 9 * * *", "prompt": "x"})),
        ask("CronDelete", json!({"id": "1"})),
        ask("ScheduleWakeup", json!({})),
        ask("RemoteTrigger", json!({"action": "run"})),
        ask("Workflow", json!({"script": "x"})),
        ask("ExitPlanMode", json!({})),
        ask("EnterWorktree", json!({})),
        ask("ExitWorktree", json!({"action": "keep"})),
        ask("PushNotification", json!({"message": "x"})),
        ask("ListMcpResourcesTool", json!({})),
        ask("ReadMcpResourceTool", json!({"server": "x", "uri": "x"})),
        ask("ReadMcpResourceDirTool", json!({"server": "x", "uri": "x"})),
        ask("Skill", json!({})),
        ask("SlashCommand", json!({"command": "/x"})),
        ask("ReadMcpResource", json!({"server": "x", "uri": "x"})),
        ask("KillShell", json!({})),
        ask("TaskStop", json!({})),
        run("TodoWrite", json!({"todos": []})),
        run("TaskCreate", json!({"subject": "x", "description": "x"})),
        run("TaskGet", json!({"taskId": "1"})),
        run("TaskUpdate", json!({"taskId": "1"})),
        run("TaskList", json!({})),
        run("CronList", json!({})),
        run("ToolSearch", json!({"query": "x"})),
        run("AskUserQuestion", json!({"questions": []})),
        run("EnterPlanMode", json!({})),
        run("BashOutput", json!({"bash_id": "1"})),
    ]
}

fn with_path(args: &Value, path: &str) -> Value {
    serde_json::from_str(&args.to_string().replace("{P}", path)).unwrap()
}

#[test]
fn every_file_tool_runs_by_its_default_inside_and_asks_outside() {
    let scene = Scene::new();
    let classifier = scene.classifier(Vec::new());
    for (tool, args, inside, outside, expected) in file_tools() {
        for (path, expected) in [(inside, expected), (outside, Risk::Confirm)] {
            let assessment = classifier.assess(scene.call(tool, &with_path(&args, path)));
            assert_sound(&assessment);
            assert_eq!(
                assessment.verdict.risk(),
                expected,
                "{tool} {path}: {:?}",
                assessment.verdict
            );
        }
        let assessment = classifier.assess(scene.call(tool, &with_path(&args, outside)));
        let causes = ids(&assessment);
        assert!(
            causes.iter().any(|id| id.starts_with("outside.")),
            "{tool}: {causes:?}"
        );
    }
}

#[test]
fn every_other_tool_asks_or_has_no_effect_but_a_sub_agent() {
    let scene = Scene::new();
    let classifier = scene.classifier(Vec::new());
    for (tool, args, expected) in other_tools() {
        let assessment = classifier.assess(scene.call(tool, &args));
        assert_sound(&assessment);
        assert_eq!(
            assessment.verdict.risk(),
            expected,
            "{tool}: {:?}",
            assessment.verdict
        );
        let kinds: Vec<EffectKind> = assessment.effects.iter().map(|effect| effect.kind).collect();
        let harmless = kinds.iter().all(|kind| *kind == EffectKind::Spawn);
        assert_eq!(harmless, expected == Risk::Allow, "{tool}: {kinds:?}");
        assert_eq!(
            ids(&assessment).contains(&"no-effects"),
            kinds.is_empty(),
            "{tool}"
        );
    }
}

#[test]
fn no_tool_is_forgotten_above() {
    let toolbox = Toolbox::standard();
    let registered: BTreeSet<&str> = toolbox.names().collect();
    let tested: BTreeSet<&str> = file_tools()
        .iter()
        .map(|case| case.0)
        .chain(other_tools().iter().map(|case| case.0))
        .collect();
    assert_eq!(tested, registered);
}

/// A directory that a pattern names may be a link, and a base may be written so that what stands behind it is lost.
#[rstest]
#[case::link_out("Glob", json!({"pattern": "out/*"}), Risk::Confirm)]
#[case::link_out_below_a_base("Glob", json!({"pattern": "out/*", "path": "{T}/ws"}), Risk::Confirm)]
#[case::one_of_several("Glob", json!({"pattern": "{src,out}/*"}), Risk::Confirm)]
#[case::link_out_of_a_search("Grep", json!({"pattern": "x", "glob": "out/**"}), Risk::Confirm)]
#[case::link_within("Glob", json!({"pattern": "near/*"}), Risk::Allow)]
#[case::link_to_what_is_denied("Glob", json!({"pattern": "keys/*"}), Risk::Deny)]
#[case::plain("Glob", json!({"pattern": "src/**/*.rs"}), Risk::Allow)]
#[case::nothing_there("Glob", json!({"pattern": "absent/**/*.rs"}), Risk::Allow)]
#[case::no_base("find", json!({"pattern": "../ws/src/*", "path": ""}), Risk::Allow)]
#[case::sugar_for_a_base("find", json!({"pattern": "../ws/src/*", "path": "@"}), Risk::Allow)]
#[case::up_behind_a_query("find", json!({"pattern": "../../home/*", "path": "file://{T}/ws/src?"}), Risk::Confirm)]
#[case::link_behind_a_query("find", json!({"pattern": "out/*", "path": "file://{T}/ws?"}), Risk::Confirm)]
#[case::url_for_a_base("find", json!({"pattern": "*.rs", "path": "file://{T}/ws/src"}), Risk::Allow)]
fn what_a_pattern_names_is_looked_at(#[case] tool: &str, #[case] args: Value, #[case] expected: Risk) {
    let scene = Scene::new();
    std::os::unix::fs::symlink("../home/.ssh", scene.path("ws/keys")).unwrap();
    let zones = vec![scene.zone("ssh", ZoneKind::DenyRead, "~/.ssh")];
    let assessment = scene.judge(vec![with_zones(Layer::User, zones)], tool, &args);
    assert_sound(&assessment);
    assert_eq!(assessment.verdict.risk(), expected, "{:?}", assessment.verdict);
}

#[test]
fn a_pattern_that_may_lead_anywhere_asks() {
    let scene = Scene::new();
    let assessment = scene.judge(Vec::new(), "Glob", &json!({"pattern": "*/../../*"}));
    assert_eq!(assessment.verdict.risk(), Risk::Confirm);
    assert!(
        assessment
            .effects
            .iter()
            .any(|effect| effect.kind == EffectKind::Opaque)
    );
}

#[test]
fn a_url_is_shown_without_its_credentials() {
    let scene = Scene::new();
    let args = json!({"url": "https://user:hunter2@example.org/x", "prompt": "x"});
    let assessment = scene.judge(Vec::new(), "WebFetch", &args);
    assert_eq!(assessment.effects[0].kind, EffectKind::Connect);
    assert_eq!(assessment.effects[0].operand, "https://***@example.org/x");
}

#[rstest]
#[case::missing(json!({}), &["spawn"], Risk::Allow)]
#[case::empty(json!({"cwd": ""}), &["spawn"], Risk::Allow)]
#[case::equal(json!({"cwd": "{T}/ws"}), &["spawn"], Risk::Allow)]
#[case::trailing_slash(json!({"cwd": "{T}/ws/"}), &["spawn", "agent.cwd"], Risk::Confirm)]
#[case::blank(json!({"cwd": " {T}/ws"}), &["spawn", "agent.cwd"], Risk::Confirm)]
#[case::dot(json!({"cwd": "."}), &["spawn", "agent.cwd"], Risk::Confirm)]
#[case::below(json!({"cwd": "{T}/ws/src"}), &["spawn", "agent.cwd"], Risk::Confirm)]
#[case::outside(json!({"cwd": "{T}/outside"}), &["spawn", "agent.cwd"], Risk::Confirm)]
#[case::absent(json!({"cwd": "{T}/absent"}), &["spawn", "agent.cwd"], Risk::Confirm)]
#[case::protected(json!({"cwd": "{T}/home"}), &["keep", "spawn", "agent.cwd"], Risk::Deny)]
#[case::wrong_type(json!({"cwd": 5}), &["arguments.bad"], Risk::Deny)]
fn a_sub_agent_elsewhere_is_a_cause_of_its_own(
    #[case] args: Value,
    #[case] causes: &[&str],
    #[case] risk: Risk,
) {
    let scene = Scene::new();
    let schema = json!({"type": "object", "properties": {"cwd": {"type": "string"}}});
    let cwd = Operand {
        member: "cwd".into(),
        role: Role::AgentCwd {
            dialect: &Dialect::PLAIN,
        },
        required: false,
    };
    let mut toolbox = Toolbox::empty();
    toolbox
        .register(ToolSpec::new("delegate", schema, vec![cwd]).unwrap())
        .unwrap();
    let zones = vec![scene.zone("keep", ZoneKind::DenyRead, "{T}/home")];
    let layers = vec![with_zones(Layer::User, zones)];
    let assessment = scene
        .classifier_of(toolbox, layers)
        .assess(scene.call("delegate", &args));
    assert_sound(&assessment);
    assert_eq!(assessment.verdict.risk(), risk, "{:?}", assessment.verdict);
    for cause in causes {
        assert!(
            ids(&assessment).contains(cause),
            "{cause} in {:?}",
            assessment.verdict
        );
    }
    assert_eq!(
        ids(&assessment).contains(&"agent.cwd"),
        causes.contains(&"agent.cwd")
    );
}

/// A tool that a host registered, whose name alone says that it may start sub-agents.
fn judged_by_name(name: &str, args: &Value) -> portcullis_classify::Assessment {
    let scene = Scene::new();
    let mut toolbox = Toolbox::empty();
    toolbox
        .register(ToolSpec::new(name, json!({"type": "object"}), Vec::new()).unwrap())
        .unwrap();
    let assessment = scene
        .classifier_of(toolbox, Vec::new())
        .assess(scene.call(name, args));
    assert_sound(&assessment);
    assessment
}

#[rstest]
#[case::by_name("Delegate_Task", json!({"tasks": [{"cwd": "/x"}]}), Risk::Confirm)]
#[case::same_directory("delegate", json!({"tasks": [{"cwd": "{T}/ws"}]}), Risk::Allow)]
#[case::no_directory("spawn", json!({"prompt": "x"}), Risk::Allow)]
#[case::no_text("spawn", json!({"cwd": 7}), Risk::Confirm)]
#[case::too_deep("spawn", json!([[[[[[[[[[[]]]]]]]]]]]).as_array().map(|list| json!({"a": list})).unwrap(), Risk::Deny)]
#[case::another_tool("tidy", json!({"cwd": "/x"}), Risk::Allow)]
fn whatever_may_start_a_sub_agent_is_guarded(#[case] name: &str, #[case] args: Value, #[case] risk: Risk) {
    let assessment = judged_by_name(name, &args);
    assert_eq!(assessment.verdict.risk(), risk, "{:?}", assessment.verdict);
}

#[test]
fn one_question_names_every_place_up_to_a_bound() {
    let tasks: Vec<Value> = (0..40).map(|at| json!({"cwd": format!("/x/{at}")})).collect();
    let assessment = judged_by_name("delegate", &json!({ "tasks": tasks }));
    let texts: Vec<&str> = assessment
        .verdict
        .causes()
        .iter()
        .filter(|cause| cause.rule == "agent.cwd")
        .map(|cause| cause.text.as_str())
        .collect();
    assert_eq!(texts.len(), 17);
    assert!(
        texts[0].contains(r#"$["tasks"][0]["cwd"] is `/x/0`"#),
        "{}",
        texts[0]
    );
    assert_eq!(texts[16], "and in 24 more places of the arguments");
}

#[rstest]
#[case::set(json!({"path": "src", "deep": true}), EffectKind::Search)]
#[case::unset(json!({"path": "src", "deep": false}), EffectKind::List)]
#[case::missing(json!({"path": "src"}), EffectKind::List)]
fn a_flag_makes_a_path_another_effect(#[case] args: Value, #[case] kind: EffectKind) {
    let scene = Scene::new();
    let schema =
        json!({"type": "object", "properties": {"path": {"type": "string"}, "deep": {"type": "boolean"}}});
    let path = Operand {
        member: "path".into(),
        role: Role::Path {
            operation: Operation::List,
            when: Some(When {
                flag: "deep".into(),
                operation: Operation::Search,
            }),
            dialect: &Dialect::PLAIN,
            cwd_when_missing: false,
        },
        required: true,
    };
    let mut toolbox = Toolbox::empty();
    toolbox
        .register(ToolSpec::new("names", schema, vec![path]).unwrap())
        .unwrap();
    let assessment = scene
        .classifier_of(toolbox, Vec::new())
        .assess(scene.call("names", &args));
    assert_eq!(assessment.effects[0].kind, kind);
}
