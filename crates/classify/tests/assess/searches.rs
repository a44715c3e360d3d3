//! Searches that reach private data below their start.

use portcullis_classify::Risk;
use rstest::rstest;
use serde_json::json;

use crate::scene::Scene;

fn file(scene: &Scene, name: &str) {
    let path = scene.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, "x").unwrap();
}

fn scene() -> Scene {
    let scene = Scene::new();
    for name in [
        "ws/.env",
        "ws/src/a.ts",
        "ws/conf/server.pem",
        "ws/node_modules/p/secrets.json",
    ] {
        file(&scene, name);
    }
    scene
}

#[rstest]
#[case::all("grep -rn KEY .", true)]
#[case::here("rg -uu KEY", true)]
#[case::hidden("rg --hidden KEY", true)]
#[case::visible("rg KEY conf", true)]
#[case::names_alone("find . -type f", false)]
#[case::code("rg -t rust KEY", false)]
#[case::selected("grep -rn --include='*.ts' KEY .", false)]
#[case::selecting("grep -rn --include='*.pem' KEY .", true)]
#[case::elsewhere("grep -rn KEY src", false)]
#[case::fetched("grep -rn KEY .", true)]
#[case::fetched_by_name("grep -rn KEY src node_modules", true)]
#[case::wrapped("timeout 5 grep -rn KEY .", true)]
#[case::fed("cd conf && rg KEY", true)]
fn commands(#[case] command: &str, #[case] asks: bool) {
    let scene = scene();
    let assessment = scene.judge(Vec::new(), "run_command", &json!({"command": command}));
    let below = assessment
        .verdict
        .causes()
        .iter()
        .any(|cause| cause.rule == "private.below");
    assert_eq!(below, asks, "{:?}", assessment.verdict);
    assert_eq!(
        assessment.verdict.risk() == Risk::Confirm,
        asks,
        "{:?}",
        assessment.verdict
    );
}

#[rstest]
#[case::our_own("search", json!({"pattern": "x", "path": "."}), true)]
#[case::without_a_path("search", json!({"pattern": "x"}), true)]
#[case::elsewhere("search", json!({"pattern": "x", "path": "src"}), false)]
#[case::grep("Grep", json!({"pattern": "x"}), true)]
#[case::grep_of_code("Grep", json!({"pattern": "x", "type": "ts"}), false)]
#[case::grep_of_names("Grep", json!({"pattern": "x", "glob": "*.ts"}), false)]
#[case::names_alone("Glob", json!({"pattern": "**/*.ts"}), false)]
fn tools(#[case] tool: &str, #[case] args: serde_json::Value, #[case] asks: bool) {
    let scene = scene();
    let assessment = scene.judge(Vec::new(), tool, &args);
    let below = assessment
        .verdict
        .causes()
        .iter()
        .any(|cause| cause.rule == "private.below");
    assert_eq!(below, asks, "{:?}", assessment.verdict);
}

#[test]
fn past_the_bound_everything_is_private() {
    let scene = Scene::new();
    file(&scene, "ws/many/first");
    for at in 0..10_001 {
        std::fs::File::create(scene.path(&format!("ws/many/{at}"))).unwrap();
    }
    let assessment = scene.judge(
        Vec::new(),
        "run_command",
        &json!({"command": "grep -rn KEY many"}),
    );
    assert!(
        assessment
            .verdict
            .causes()
            .iter()
            .any(|cause| cause.rule == "search.untold")
    );
}
