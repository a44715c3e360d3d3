//! A remembered allow of a command covers the very same call, as a whole, and nothing else.

use std::path::Path;
use std::time::Duration;

use portcullis_classify::{
    Call, EffectKind, Layer, LayerRules, Limits, Preset, Risk, Rule, RuleSubject, Shape,
};
use portcullis_gate::{Answer, Behaviour, Cancel, Gate, GrantStore, Scope, Settings, Step};
use rstest::rstest;
use serde_json::{Value, json};

use crate::scene::{Memory, Scene, classifier};

/// What a compiled program begins with: of a script it is not known what else it reads.
const PROGRAM: &str = "\x7fELF";

const HOUR: Duration = Duration::from_secs(3600);

/// A person is asked about every command.
fn asking(preset: Preset) -> Vec<LayerRules> {
    let mut layer = LayerRules::empty(Layer::User);
    layer.preset = Some(preset);
    layer.rules.push(Rule {
        id: "commands-ask".to_owned(),
        subject: RuleSubject {
            operation: Some(EffectKind::Execute),
            ..RuleSubject::default()
        },
        risk: Risk::Confirm,
        because: "this user is asked about commands".to_owned(),
    });
    vec![layer]
}

fn scene() -> Scene {
    let scene = Scene::with_rules(asking(Preset::Everyday));
    scene.file("tool", PROGRAM);
    scene.file("sub/tool", PROGRAM);
    scene.file("a", "x");
    scene.file("b", "x");
    scene
}

fn run(cwd: &Path, text: &str) -> Call {
    with(cwd, "run_command", &json!({"command": text}))
}

fn with(cwd: &Path, tool: &str, args: &Value) -> Call {
    crate::scene::call(cwd, "c1", tool, args.clone())
}

fn always() -> Answer {
    Answer::AllowAlways(Scope::lasting(HOUR))
}

fn grant(scene: &Scene, text: &str) {
    let call = run(&scene.work(""), text);
    drop(scene.decide(call, Behaviour::Say(always())).unwrap());
}

/// For the session alone: what is not known to be the same next time is granted no longer.
fn grant_in_session(scene: &Scene, text: &str) {
    let call = run(&scene.work(""), text);
    let answer = Answer::AllowAlways(Scope::lasting(HOUR).in_this_session());
    drop(scene.decide(call, Behaviour::Say(answer)).unwrap());
}

fn is_covered(scene: &Scene, call: Call) -> bool {
    matches!(scene.submit(call), Step::Permitted(_))
}

#[rstest]
#[case::a_file("./tool")]
#[case::by_its_place("cat a > c")]
#[case::several("./tool && cat a; ls sub | sort")]
#[case::with_variables("cd sub && ./tool \"$(pwd)\"")]
#[case::network("curl https://example.org/x")]
#[case::known("echo hi")]
fn an_equal_call_is_covered_and_an_unequal_one_is_not(#[case] text: &str) {
    let scene = scene();
    grant(&scene, text);
    assert_eq!(scene.gate.grants().len(), 1);
    let here = scene.work("");
    assert!(is_covered(&scene, run(&here, text)));
    assert!(is_covered(&scene, run(&here, text)));
    for other in [
        format!("{text} "),
        format!("{text} more"),
        format!("{text}; {text}"),
        format!("{text}\n"),
        format!(" {text}"),
        text.split_at(text.len() - 1).0.to_owned(),
        format!("{}Z", text.split_at(text.len() - 1).0),
    ] {
        assert!(!is_covered(&scene, run(&here, &other)), "{other:?}");
    }
    assert!(!is_covered(&scene, run(&scene.work("sub"), text)));
    let store = scene.gate.grants();
    assert!(scene.gate.revoke(store[0].id));
    assert!(!is_covered(&scene, run(&here, text)));
}

/// What runs is what the file holds, not its name: of a file that is run, of one that an interpreter reads, and of the file
/// that says what a builder runs.
#[rstest]
#[case::a_program("./tool", "tool")]
#[case::behind_a_wrapper("nice ./tool", "tool")]
#[case::another_interpreter("python3 tool.py", "tool.py")]
#[case::a_builder("make all", "Makefile")]
#[case::a_builder_elsewhere("make -C sub", "sub/Makefile")]
#[case::a_named_file("make -f other.mk", "other.mk")]
#[case::a_task("npm run build", "package.json")]
#[case::among_others("ls && just test; cat a", "justfile")]
fn a_changed_file_is_another_one(#[case] text: &str, #[case] file: &str) {
    let scene = scene();
    for file in [
        "tool.py",
        "Makefile",
        "sub/Makefile",
        "other.mk",
        "package.json",
        "justfile",
    ] {
        scene.file(file, "one");
    }
    let here = scene.work("");
    grant_in_session(&scene, text);
    assert!(is_covered(&scene, run(&here, text)));
    scene.file(file, "two");
    assert!(!is_covered(&scene, run(&here, text)));
    let as_before = if file.contains("tool") && file != "tool.py" {
        PROGRAM
    } else {
        "one"
    };
    scene.file(file, as_before);
    assert!(is_covered(&scene, run(&here, text)));
}

#[test]
fn a_file_that_comes_before_the_others_is_another_one() {
    let scene = scene();
    scene.file("Makefile", "all:");
    let here = scene.work("");
    grant_in_session(&scene, "make");
    assert!(is_covered(&scene, run(&here, "make")));
    scene.file("GNUmakefile", "all:");
    assert!(!is_covered(&scene, run(&here, "make")));
}

/// Where nobody knows which files say what runs, a yes lasts as long as the session, and the question says so.
#[rstest]
#[case::not_in_the_table("cargo test", "in which")]
#[case::no_such_file("make", "in which")]
#[case::one_of_several("./tool && cargo test", "in which")]
#[case::a_script_that_imports("python3 run.py", "more files")]
#[case::a_script_that_is_run("./run.sh", "more files")]
#[case::a_script_beside_a_program("./tool && ./run.sh", "more files")]
#[case::a_task("npm run build", "more files")]
#[case::a_builder("make -C built all", "more files")]
#[case::a_file_that_is_there_and_refused("make -C looped", "in which")]
#[case::more_than_is_read("./large", "in which")]
fn what_is_not_bound_ends_with_its_session(#[case] text: &str, #[case] why: &str) {
    let scene = scene();
    scene.file("run.py", "import helper");
    scene.file("run.sh", "#!/bin/sh\n. ./helper");
    scene.file("package.json", "{}");
    scene.file("built/Makefile", "all:\n\tscripts/x.sh\n");
    scene.file("looped/Makefile", "all:");
    std::os::unix::fs::symlink("GNUmakefile", scene.work("looped/GNUmakefile")).unwrap();
    // No more than its first bytes are on the disk.
    let large = std::fs::File::options()
        .append(true)
        .open(scene.file("large", PROGRAM))
        .unwrap();
    large.set_len((64 << 20) + 1).unwrap();
    drop(large);
    let here = scene.work("");
    let Step::Ask(pending) = scene.submit(run(&here, text)) else {
        panic!("it asks");
    };
    let offers = pending.question().offers.clone();
    assert!(!offers.for_a_time && offers.in_session && !offers.kept && offers.below.is_empty());
    let because = offers.because.unwrap();
    assert!(
        because.contains(why) && because.ends_with("this session only"),
        "{because}"
    );
    drop(pending);
    for scope in [
        Scope::lasting(HOUR),
        Scope::lasting(HOUR).kept(),
        Scope::lasting(HOUR).in_this_session().kept(),
    ] {
        let answer = Answer::AllowAlways(scope);
        drop(scene.decide(run(&here, text), Behaviour::Say(answer)).unwrap());
        assert!(scene.gate.grants().is_empty());
    }
    let answer = Answer::AllowAlways(Scope::lasting(HOUR).in_this_session());
    drop(scene.decide(run(&here, text), Behaviour::Say(answer)).unwrap());
    assert!(is_covered(&scene, run(&here, text)));
    let other = json!({
        "id": "c1", "tool": "run_command", "args": {"command": text}, "cwd": here, "session": "another",
    });
    let other = Call::read(
        other.to_string().as_bytes(),
        Shape::Portcullis,
        &Limits::default(),
    )
    .unwrap();
    assert!(!is_covered(&scene, other));
}

/// What is read for one call is bounded all together, and a file that is named twice is read once.
#[rstest]
#[case::the_same_again("./one && ./one a && ./same", true)]
#[case::two("./tool && ./two", false)]
fn files_of_one_call_share_what_is_read(#[case] text: &str, #[case] lasts: bool) {
    let scene = scene();
    for (name, length) in [("one", 22 << 20), ("two", 64 << 20)] {
        let path = scene.file(name, PROGRAM);
        let file = std::fs::File::options().append(true).open(path).unwrap();
        // Holes: nothing of it is on the disk.
        file.set_len(length).unwrap();
    }
    std::fs::hard_link(scene.work("one"), scene.work("same")).unwrap();
    let Step::Ask(pending) = scene.submit(run(&scene.work(""), text)) else {
        panic!("it asks");
    };
    assert_eq!(pending.question().offers.for_a_time, lasts);
}

#[test]
fn nothing_of_a_command_is_told_by_its_grant() {
    let scene = scene();
    grant(&scene, "./tool Hunter2xq9");
    let grants = scene.gate.grants();
    assert!(!format!("{grants:?}").contains("Hunter2"), "{grants:?}");
    let (kind, call) = &grants[0].resources[1];
    assert_eq!(*kind, EffectKind::Execute);
    assert!(
        grants[0]
            .resources
            .iter()
            .any(|(_, place)| place.starts_with("sha256:")),
        "{call}"
    );
}

#[test]
fn it_ends_with_its_time_and_its_session() {
    let scene = scene();
    let here = scene.work("");
    grant(&scene, "./tool");
    scene.clock.advance(HOUR - Duration::from_millis(1));
    assert!(is_covered(&scene, run(&here, "./tool")));
    scene.clock.advance(Duration::from_millis(1));
    assert!(!is_covered(&scene, run(&here, "./tool")));

    let scope = Scope::lasting(HOUR).in_this_session();
    let answer = Answer::AllowAlways(scope);
    drop(
        scene
            .decide(run(&here, "./tool"), Behaviour::Say(answer))
            .unwrap(),
    );
    assert!(is_covered(&scene, run(&here, "./tool")));
    let text = json!({
        "id": "c1", "tool": "run_command", "args": {"command": "./tool"}, "cwd": here, "session": "another",
    });
    let elsewhere = Call::read(text.to_string().as_bytes(), Shape::Portcullis, &Limits::default()).unwrap();
    assert!(!is_covered(&scene, elsewhere));
}

/// The same text from the same directory, but a link in it leads elsewhere now.
#[rstest]
#[case::read("cat link", "link")]
#[case::run("./link", "link")]
#[case::written("echo x > link", "link")]
#[case::directory("cd way && ./tool", "way")]
#[case::wildcard("rm link", "link")]
fn the_same_text_that_leads_elsewhere_is_not_covered(#[case] text: &str, #[case] link: &str) {
    let scene = scene();
    scene.file("other/tool", PROGRAM);
    let [one, other] = if link == "way" {
        ["sub", "other"]
    } else {
        ["a", "b"]
    };
    let turn = |to: &str| {
        drop(std::fs::remove_file(scene.work(link)));
        std::os::unix::fs::symlink(to, scene.work(link)).unwrap();
    };
    turn(one);
    grant_in_session(&scene, text);
    let here = scene.work("");
    assert!(is_covered(&scene, run(&here, text)));
    turn(other);
    // A removal takes the link itself.
    assert_eq!(is_covered(&scene, run(&here, text)), text.starts_with("rm"));
}

#[test]
fn a_directory_that_is_another_behind_a_link_is_another() {
    let scene = scene();
    scene.file("other/tool", PROGRAM);
    let link = scene.work("here");
    std::os::unix::fs::symlink("sub", &link).unwrap();
    let call = run(&link, "echo hi");
    drop(scene.decide(call, Behaviour::Say(always())).unwrap());
    assert!(is_covered(&scene, run(&link, "echo hi")));
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("other", &link).unwrap();
    assert!(!is_covered(&scene, run(&link, "echo hi")));
}

#[rstest]
#[case::opaque("eval \"$X\"")]
#[case::unknown_program("frobnicate a")]
#[case::unknown_option("ls --frobnicate")]
#[case::half_opaque("./tool && frobnicate")]
#[case::unfinished("ls; if")]
#[case::input_as_code("echo ls | sh")]
#[case::place_of_the_run("cat \"$X\"")]
#[case::program_of_the_run("\"$X\"")]
#[case::directory_of_the_run("cd \"$X\" && make")]
#[case::private("cat .env")]
#[case::private_among_others("./tool; cat a .env")]
#[case::private_below("grep -r x .")]
#[case::environment("printenv")]
#[case::processes("kill 1234")]
#[case::rights("sudo ls")]
#[case::outside("cat /etc/hostname-that-is-not-there")]
fn what_cannot_be_granted_is_allowed_once(#[case] text: &str) {
    let scene = scene();
    scene.file(".env", "TOKEN=x");
    grant(&scene, text);
    assert!(scene.gate.grants().is_empty(), "{:?}", scene.gate.grants());
    assert!(!is_covered(&scene, run(&scene.work(""), text)));
}

#[test]
fn another_tool_is_not_covered() {
    let scene = scene();
    grant(&scene, "cat a");
    let here = scene.work("");
    for (tool, args) in [
        ("run_command", json!({"command": "cat a", "timeout_ms": 5})),
        ("delete_file", json!({"path": "a"})),
        ("Bash", json!({"command": "cat a"})),
    ] {
        assert!(!is_covered(&scene, with(&here, tool, &args)), "{tool} {args}");
    }
}

#[test]
fn a_directory_that_was_named_holds_no_command() {
    let scene = scene();
    let scope = Scope::lasting(HOUR).below(scene.work("sub"));
    for text in ["cat sub/tool", "./sub/tool", "echo hi"] {
        for here in [scene.work(""), scene.work("sub")] {
            let answer = Answer::AllowAlways(scope.clone());
            drop(scene.decide(run(&here, text), Behaviour::Say(answer)));
        }
    }
    assert!(scene.gate.grants().is_empty());
}

/// Private data that came later, and a place that came later.
#[test]
fn what_nobody_knew_when_it_was_allowed_is_not_covered() {
    let scene = scene();
    let here = scene.work("");
    grant(&scene, "grep -r x sub");
    assert!(is_covered(&scene, run(&here, "grep -r x sub")));
    scene.file("sub/.env", "TOKEN=x");
    assert!(!is_covered(&scene, run(&here, "grep -r x sub")));

    grant(&scene, "cat *.txt");
    scene.file("late.txt", "x");
    std::fs::remove_file(scene.work("late.txt")).unwrap();
    std::os::unix::fs::symlink(scene.outside("secret"), scene.work("late.txt")).unwrap();
    assert!(!is_covered(&scene, run(&here, "cat *.txt")));
}

#[test]
fn an_earlier_call_of_the_message_is_asked_about_all_the_same() {
    let scene = scene();
    let here = scene.work("");
    scene.gate.new_batch();
    grant(&scene, "./tool");
    assert!(is_covered(&scene, run(&here, "./tool")));
    let write = json!({"path": "tool", "content": "x"});
    let earlier = scene.permit("write_file", write);
    assert!(!is_covered(&scene, run(&here, "./tool")));
    // And a yes to that is none for later.
    grant(&scene, "./tool b");
    assert_eq!(scene.gate.grants().len(), 1);
    drop(earlier);
    assert!(is_covered(&scene, run(&here, "./tool")));
}

fn gate(scene: &Scene, layers: Vec<LayerRules>, user: &str) -> Gate {
    let store = GrantStore::new(scene.outside("grants.json"));
    Gate::new(
        classifier(&scene.work(""), layers),
        std::sync::Arc::new(Memory::default()),
        scene.clock.clone(),
        Settings::for_user(user),
    )
    .with_grants(store)
}

#[test]
fn a_kept_one_covers_the_same_call_of_the_same_user_under_the_same_policy() {
    let scene = scene();
    let here = scene.work("");
    let first = gate(&scene, asking(Preset::Everyday), "tester");
    let answer = Answer::AllowAlways(Scope::lasting(HOUR).kept());
    let mut person = scene.approver([Behaviour::Say(answer)]);
    let call = run(&here, "./tool Hunter2xq9");
    drop(first.decide(call, &mut person, &Cancel::new()).unwrap());
    let kept = std::fs::read_to_string(scene.outside("grants.json")).unwrap();
    assert!(kept.contains("sha256:") && !kept.contains("Hunter2"), "{kept}");

    let covers =
        |gate: &Gate, text: &str| matches!(gate.submit(run(&here, text), &Cancel::new()), Step::Permitted(_));
    let again = gate(&scene, asking(Preset::Everyday), "tester");
    assert!(covers(&again, "./tool Hunter2xq9"));
    assert!(!covers(&again, "./tool Hunter2xq8"));
    let careful = gate(&scene, asking(Preset::Careful), "tester");
    assert!(!covers(&careful, "./tool Hunter2xq9"));
    let another = gate(&scene, asking(Preset::Everyday), "another");
    assert!(!covers(&another, "./tool Hunter2xq9"));
}
