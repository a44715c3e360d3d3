//! A call that may start a sub-agent is never allowed when any working directory in its arguments leads elsewhere; the
//! same call gets the same verdict.
#![no_main]

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_classify::{
    Call, Classifier, EffectKind, Limits, Operand, Policy, Risk, Role, Shape, ToolSpec, Toolbox,
};
use portcullis_paths::{Ambient, Dialect};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Scene {
    _tree: TempDir,
    root: PathBuf,
    classifier: Classifier,
}

/// ```text
/// T/home/           the home directory, outside
/// T/app/src/        the workspace, in which the call is made
/// T/app/out -> ..   and links out of it, to itself and below it
/// ```
static SCENE: LazyLock<Scene> = LazyLock::new(|| {
    let tree = tempfile::tempdir().expect("a temporary directory");
    let base = tree.path().canonicalize().expect("its canonical place");
    let root = base.join("app");
    for folder in ["home", "app/src"] {
        std::fs::create_dir_all(base.join(folder)).expect("a folder");
    }
    for (link, text) in [("out", ".."), ("same", "."), ("in", "src"), ("loop", "loop")] {
        std::os::unix::fs::symlink(text, root.join(link)).expect("a link");
    }
    let ambient = Ambient::empty().with_home(base.join("home"));
    let policy = Policy::join(Vec::new()).expect("the built-in rules");
    let classifier = Classifier::open(toolbox(), policy, [root.clone()], ambient).expect("a classifier");
    Scene {
        classifier,
        root,
        _tree: tree,
    }
});

/// Three ways in which a tool is known to start sub-agents: by its name, by what it says of itself, by an operand.
fn toolbox() -> Toolbox {
    let schema = || json!({"type": "object"});
    let directory = |dialect| Operand {
        member: "cwd".into(),
        role: Role::AgentCwd { dialect },
        required: false,
    };
    let typed = || json!({"type": "object", "properties": {"cwd": {"type": "string"}}});
    let tools = [
        ToolSpec::new("delegate", schema(), Vec::new()),
        ToolSpec::new("helper", schema(), Vec::new()).map(|tool| tool.with_inherent(vec![EffectKind::Spawn])),
        ToolSpec::new("plain", typed(), vec![directory(&Dialect::PLAIN)]),
        ToolSpec::new("sugared", typed(), vec![directory(&Dialect::AGENT)]),
    ];
    let mut toolbox = Toolbox::empty();
    for tool in tools {
        toolbox.register(tool.expect("a tool")).expect("its own name");
    }
    toolbox
}

const TOOLS: [&str; 4] = ["delegate", "helper", "plain", "sugared"];

fuzz_target!(|text: &str| {
    let scene = &*SCENE;
    let root = scene.root.to_str().expect("a place in plain letters");
    let base = scene
        .root
        .parent()
        .and_then(Path::to_str)
        .expect("a folder above");
    // What is below the tree cannot be known to whoever writes the seeds.
    let text = text.replace("{W}", root).replace("{T}", base);
    let arguments = serde_json::from_str(&text).unwrap_or_else(|_| nested(&text));
    for tool in TOOLS {
        let call = json!({"id": "1", "tool": tool, "args": arguments, "cwd": root}).to_string();
        let Ok(call) = Call::read(call.as_bytes(), Shape::Portcullis, &Limits::default()) else {
            continue;
        };
        let first = scene.classifier.assess(call.clone());
        let second = scene.classifier.assess(call);
        assert_eq!(first.verdict, second.verdict);
        assert_eq!(first.denial, second.denial);
        if first.verdict.risk() == Risk::Allow {
            assert!(!leads_elsewhere(&arguments, &scene.root), "{tool}: {arguments}");
        }
    }
});

/// What is no JSON is a list of directories: each line one, and the lines above it within.
fn nested(text: &str) -> Value {
    let within = |inner, (at, line): (usize, &str)| match at % 2 {
        0 => json!({"cwd": line, "a": inner}),
        _ => json!({"cwd": line, "a": [inner]}),
    };
    text.lines().enumerate().fold(Value::Null, within)
}

/// Whether any member `cwd` is something else than nothing or a text that the kernel itself takes to the same directory.
/// The JSON reader bounds the depth, so that this may call itself.
fn leads_elsewhere(value: &Value, root: &Path) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(|element| leads_elsewhere(element, root)),
        Value::Object(members) => members
            .iter()
            .any(|(name, value)| (name == "cwd" && !stays(value, root)) || leads_elsewhere(value, root)),
        _ => false,
    }
}

fn stays(value: &Value, root: &Path) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) if text.is_empty() => true,
        Value::String(text) => root.join(text).canonicalize().is_ok_and(|place| place == root),
        _ => false,
    }
}
