//! `run_command`: the approved text, in the approved directory, and nothing that outlives it.

use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use portcullis_audit::{Event, Outcome};
use portcullis_classify::{Language, Operand, Role, ToolSpec, Toolbox};
use portcullis_gate::effects::{self, ToolResult};
use portcullis_gate::{Clock, Exit, Moment, Refusal, RefusalKind, Settings, Step, StillClock};
use rstest::rstest;
use rustix::fs::{CWD, FileType, Mode};
use serde_json::json;

use crate::scene::Scene;

fn scene(adjust: impl FnOnce(&mut Settings)) -> Scene {
    let clock = StillClock::at(Moment(1_000_000));
    Scene::built(Toolbox::performed(), Vec::new(), clock.clone(), clock, adjust)
}

/// A yes is one to every text of the call: those that are not shown as commands are lines of their own, before all others.
#[rstest]
#[case(4)]
#[case(5)]
#[case(7)]
fn every_text_that_a_yes_covers_is_shown(#[case] number: usize) {
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let schema = json!({"type": "object", "properties": {"commands": texts}, "required": ["commands"]});
    let operand = Operand {
        member: "commands".into(),
        role: Role::Command {
            language: Language::Shell,
        },
        required: true,
    };
    let mut toolbox = Toolbox::standard();
    let tool = ToolSpec::new("run_all", schema, vec![operand]).unwrap();
    toolbox.register(tool).unwrap();
    let clock = StillClock::at(Moment(1_000_000));
    let scene = Scene::built(toolbox, Vec::new(), clock.clone(), clock, |_| {});
    let commands: Vec<String> = (0..number).map(|at| format!("git push origin b{at}")).collect();
    let Step::Ask(pending) = scene.submit(scene.call("run_all", json!({"commands": commands}))) else {
        panic!("a push asks");
    };
    let question = pending.question();
    let lines = question.lines();
    for command in &commands {
        let line = format!("execute {command}");
        assert_eq!(
            lines.iter().filter(|shown| **shown == line).count(),
            1,
            "{lines:?}"
        );
    }
    let said = number.checked_sub(4).filter(|more| *more > 0);
    let said = said.map(|more| format!("and {more} more of the commands, each in a line of its own"));
    assert_eq!(
        question.effects.first().filter(|line| line.contains("more of")),
        said.as_ref()
    );
    for (line, command) in question.effects.iter().skip(1).zip(commands.iter().skip(4)) {
        assert_eq!(*line, format!("execute {command}"));
    }
}

fn tried(scene: &Scene, text: &str) -> Result<ToolResult, Refusal> {
    effects::perform(scene.permit("run_command", json!({"command": text})))
}

fn ran(scene: &Scene, text: &str) -> ToolResult {
    tried(scene, text).unwrap()
}

/// Why it failed, as the log has it.
fn recorded(scene: &Scene) -> String {
    match scene.ledger.events().last() {
        Some(Event::Finished(finished)) => match &finished.outcome {
            Outcome::Failed { reason } => reason.to_string(),
            other => format!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

/// A clock on which each look costs a second.
#[derive(Debug, Default)]
struct Hasty(AtomicU64);

impl Clock for Hasty {
    fn now(&self) -> Moment {
        Moment(self.0.fetch_add(1000, Ordering::SeqCst))
    }
    fn wall_ms(&self) -> i64 {
        0
    }
}

/// Ends when nobody has the FIFO open for writing any more.
fn wait_for_the_end(fifo: PathBuf) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut said = String::new();
        std::fs::File::open(fifo)
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        said
    })
}

fn fifo(scene: &Scene) -> PathBuf {
    let path = scene.outside("fifo");
    rustix::fs::mknodat(CWD, &path, FileType::Fifo, Mode::RWXU, 0).unwrap();
    path
}

#[test]
fn the_text_runs_where_it_was_approved() {
    let scene = scene(|_| {});
    scene.file("here.txt", "found");
    let result = ran(&scene, "cat here.txt; echo \"$PWD\"; echo oops >&2");
    let here = scene.work("");
    let here = here.to_str().unwrap().trim_end_matches('/');
    assert_eq!(result.text, format!("found{here}\nstandard error:\noops"));
    assert!(!result.is_error);
    assert_eq!(scene.words().last().unwrap(), "done");
    assert_eq!(ran(&scene, ":").text, "(no output)");
}

#[rstest]
#[case::bash_grammar("[[ a == a ]] && cat <(echo yes)", "yes")]
#[case::dashes_first("-c 2>/dev/null || echo not an option", "not an option")]
#[case::plus_first("+x 2>/dev/null || echo not an option", "not an option")]
#[case::several_lines("a=1\necho $a # note\n", "1")]
#[case::empty_input("cat; read -r line || echo no input", "no input")]
#[case::words_of_its_own("echo $# \"$0\"", "0 /bin/bash")]
fn the_text_is_a_whole_script_of_bash(#[case] text: &str, #[case] said: &str) {
    let scene = scene(|settings| settings.commands.shells = vec!["/bin/bash".into()]);
    assert_eq!(ran(&scene, text).text, said);
}

#[rstest]
#[case("exit 3", "exit code 3", Some(3), None)]
#[case("kill -TERM $$", "ended by signal 15", None, Some(15))]
#[case("no-such-program-here 2>/dev/null", "exit code 127", Some(127), None)]
fn how_it_ended_is_told_and_recorded(
    #[case] text: &str,
    #[case] reason: &str,
    #[case] code: Option<i32>,
    #[case] signal: Option<i32>,
) {
    let scene = scene(|_| {});
    let result = ran(&scene, &format!("echo out-of-it; {text}"));
    assert_eq!(result.text, format!("out-of-it\n({reason})"));
    assert!(result.is_error);
    let Exit {
        code: seen,
        signal: by,
        ..
    } = result.exit.unwrap();
    assert_eq!((seen, by), (code, signal));
    assert_eq!(recorded(&scene), reason);
    let told = format!("{:?}", scene.ledger.events());
    assert!(!told.contains("out-of-it"), "the output is in the log: {told}");
}

#[test]
fn a_directory_that_was_swapped_runs_nothing() {
    let scene = scene(|_| {});
    scene.file("sub/mine.txt", "");
    scene.file("theirs/other.txt", "");
    let call = crate::scene::call(
        &scene.work("sub"),
        "c1",
        "run_command",
        json!({"command": "touch ran"}),
    );
    let permit = scene
        .decide(
            call,
            portcullis_gate::Behaviour::Say(portcullis_gate::Answer::AllowOnce),
        )
        .unwrap();
    std::fs::rename(scene.work("sub"), scene.work("was")).unwrap();
    std::os::unix::fs::symlink(scene.work("theirs"), scene.work("sub")).unwrap();
    let refusal = effects::perform(permit).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Changed);
    assert_eq!(scene.words().last().unwrap(), "changed");
    assert!(!scene.is_there("was/ran") && !scene.is_there("theirs/ran"));
}

#[rstest]
#[case::none(&[])]
#[case::missing(&["/nonexistent/bash"])]
#[case::relative(&["bash"])]
fn without_bash_nothing_runs(#[case] shells: &[&str]) {
    let shells: Vec<PathBuf> = shells.iter().map(PathBuf::from).collect();
    let scene = scene(|settings| settings.commands.shells = shells);
    let refusal = tried(&scene, "touch ran").unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Fault);
    assert_eq!(scene.words().last().unwrap(), "unused");
    assert!(!scene.is_there("ran"));
}

#[test]
fn an_old_bash_is_none() {
    use std::os::unix::fs::PermissionsExt as _;
    let scene = scene(|settings| settings.commands.shells.clear());
    let old = scene.file("bash", "#!/bin/sh\necho 4\n");
    std::fs::set_permissions(&old, std::fs::Permissions::from_mode(0o755)).unwrap();
    let clock = StillClock::at(Moment(0));
    let other = Scene::built(
        Toolbox::performed(),
        Vec::new(),
        clock.clone(),
        clock,
        |settings| {
            settings.commands.shells = vec![old.clone()];
        },
    );
    assert_eq!(tried(&other, "touch ran").unwrap_err().kind(), RefusalKind::Fault);
    std::fs::write(&old, "#!/bin/sh\nexec /bin/bash \"$@\"\n").unwrap();
    let clock = StillClock::at(Moment(0));
    let other = Scene::built(
        Toolbox::performed(),
        Vec::new(),
        clock.clone(),
        clock,
        |settings| {
            settings.commands.shells = vec!["/nonexistent".into(), old];
        },
    );
    assert_eq!(ran(&other, "echo new").text, "new");
}

#[test]
fn the_environment_is_a_short_list() {
    let scene = scene(|settings| {
        let given = [
            ("HOME", "/home/ann"),
            ("PATH", ".:/usr/bin:/bin"),
            ("BASH_ENV", "/proc/self/environ"),
            ("BASH_FUNC_ls%%", "() { echo stolen; }"),
            ("SHELLOPTS", "xtrace"),
            ("LD_PRELOAD", "/tmp/x.so"),
            ("TOKEN", "hunter2"),
        ];
        settings.commands.environment = given.map(|(name, value)| (name.into(), value.into())).to_vec();
    });
    let result = ran(
        &scene,
        "/usr/bin/env | /usr/bin/cut -d= -f1 | /usr/bin/sort | /usr/bin/tr '\\n' ' '",
    );
    assert_eq!(result.text.trim_end(), "HOME LC_ALL PATH PWD SHLVL TERM _");
    assert_eq!(
        ran(&scene, "echo \"$PATH $HOME\"").text,
        "/usr/bin:/bin /home/ann"
    );
    scene.file("ls", "");
    assert_eq!(
        ran(&scene, "type -t ls; type -P ls").text.lines().next(),
        Some("file")
    );
}

#[test]
fn much_output_is_cut_in_its_middle_and_holds_nobody_up() {
    let scene = scene(|settings| settings.commands.output_limit = 100);
    let result = ran(
        &scene,
        "echo first; head -c 5000000 /dev/zero | tr '\\0' x; head -c 300000 /dev/zero >&2; echo last",
    );
    assert!(result.text.starts_with("first\nxxx"), "{}", result.text);
    assert!(
        result.text.contains("xxxlast\nstandard error:\n"),
        "{}",
        result.text
    );
    assert!(
        result.text.contains("(4999911 bytes are left out here)"),
        "{}",
        result.text
    );
    assert!(result.text.len() < 400);
    assert!(!result.is_error);
}

#[test]
fn what_is_left_in_the_background_ends_with_it() {
    let scene = scene(|_| {});
    let end = wait_for_the_end(fifo(&scene));
    let text = format!(
        "burst() {{ for i in {{1..20}}; do (exec sleep 60) & done; wait; }}
         exec 3>\"$(echo {})\"; burst & burst & echo started",
        scene.outside("fifo").display()
    );
    let result = ran(&scene, &text);
    assert_eq!(result.text, "started");
    // Everything that has descriptor 3 is gone.
    assert_eq!(end.join().unwrap(), "");
}

#[test]
fn at_the_deadline_the_whole_group_is_killed() {
    let clock = Arc::new(Hasty::default());
    let scene = Scene::built(
        Toolbox::performed(),
        Vec::new(),
        StillClock::at(Moment(0)),
        clock,
        |settings| settings.commands.deadline = Duration::from_secs(3),
    );
    let end = wait_for_the_end(fifo(&scene));
    let text = format!(
        "trap '' TERM INT HUP; exec 3>\"$(echo {})\"; sleep 60 & echo begun; sleep 60",
        scene.outside("fifo").display()
    );
    let result = ran(&scene, &text);
    assert!(
        result.text.ends_with("(killed after 3 seconds)"),
        "{}",
        result.text
    );
    assert_eq!(recorded(&scene), "killed after 3 seconds");
    assert_eq!(result.exit.unwrap().signal, Some(9));
    assert_eq!(end.join().unwrap(), "");
}

#[test]
fn a_cancelled_run_is_killed() {
    let scene = scene(|_| {});
    let cancel = scene.cancel.clone();
    let path = fifo(&scene);
    let watcher = std::thread::spawn(move || {
        let mut file = std::fs::File::open(path).unwrap();
        let mut first = [0];
        file.read_exact(&mut first).unwrap();
        // It has begun.
        cancel.raise();
        let mut rest = String::new();
        file.read_to_string(&mut rest).unwrap();
        rest
    });
    let text = format!(
        "exec 3>\"$(echo {})\"; echo x >&3; sleep 60",
        scene.outside("fifo").display()
    );
    let result = ran(&scene, &text);
    assert_eq!(result.text, "(killed because the run was cancelled)");
    assert_eq!(recorded(&scene), "killed because the run was cancelled");
    assert_eq!(watcher.join().unwrap(), "\n");
}
