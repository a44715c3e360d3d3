//! Every branch from submission to permit or refusal, each with the records it leaves.

use portcullis_audit::{Decided, Event, RiskWord};
use portcullis_classify::{Layer, LayerRules, Risk, Rule, RuleSubject};
use portcullis_gate::{Absent, Answer, Behaviour, RefusalKind, Scope, Step};
use rstest::rstest;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

use crate::scene::Scene;

fn with_a_deny_rule() -> Scene {
    let mut layer = LayerRules::empty(Layer::User);
    layer.rules.push(Rule {
        id: "no-commands".to_owned(),
        subject: RuleSubject {
            tool: Some("run_command".to_owned()),
            ..RuleSubject::default()
        },
        risk: Risk::Deny,
        because: "this user runs no commands".to_owned(),
    });
    Scene::with_rules(vec![layer])
}

#[rstest]
#[case::allowed("read_file", json!({"path": "a"}), Behaviour::Panic, Ok("permitted by Policy"))]
#[case::unknown_tool("reed_file", json!({"path": "a"}), Behaviour::Panic, Err((RefusalKind::UnknownTool, "Policy")))]
#[case::bad_arguments("read_file", json!({"path": 7}), Behaviour::Panic, Err((RefusalKind::BadArguments, "Policy")))]
#[case::missing_argument("read_file", json!({}), Behaviour::Panic, Err((RefusalKind::BadArguments, "Policy")))]
#[case::rule("run_command", json!({"command": "ls"}), Behaviour::Panic, Err((RefusalKind::Policy, "Policy")))]
#[case::unresolvable("read_file", json!({"path": "a\0b"}), Behaviour::Panic, Err((RefusalKind::Policy, "Policy")))]
fn what_needs_no_answer_asks_nobody(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] behaviour: Behaviour,
    #[case] expected: Result<&str, (RefusalKind, &str)>,
) {
    let scene = with_a_deny_rule();
    scene.file("a", "text");
    match (scene.decide(scene.call(tool, args), behaviour), expected) {
        (Ok(permit), Ok(record)) => {
            assert_eq!(scene.words(), [record]);
            drop(permit);
            assert_eq!(scene.words(), [record, "unused"]);
        }
        (Err(refusal), Err((kind, by))) => {
            assert_eq!(refusal.kind(), kind);
            assert!(!refusal.causes().is_empty());
            assert_eq!(scene.words(), [format!("refused {} by {by}", kind.code())]);
        }
        (result, expected) => panic!("{result:?} is not {expected:?}"),
    }
}

fn say(answer: Answer) -> Behaviour {
    Behaviour::Say(answer)
}

fn no(reason: &str) -> Answer {
    Answer::Deny {
        reason: Some(reason.to_owned()),
    }
}

fn always() -> Answer {
    Answer::AllowAlways(Scope::lasting(Duration::from_secs(60)))
}

#[rstest]
#[case::once(say(Answer::AllowOnce), Ok("Human"))]
#[case::always(say(always()), Ok("Human"))]
#[case::reviewer(Behaviour::Review(Answer::AllowOnce), Ok("Reviewer"))]
#[case::no(say(no("keep it")), Err((RefusalKind::DeniedByHuman, "Human")))]
#[case::no_words(say(Answer::Deny { reason: None }), Err((RefusalKind::DeniedByHuman, "Human")))]
#[case::reviewer_no(Behaviour::Review(no("risky")), Err((RefusalKind::DeniedByReviewer, "Reviewer")))]
#[case::panic(Behaviour::Panic, Err((RefusalKind::Fault, "Nobody")))]
#[case::hang_up(Behaviour::HangUp, Err((RefusalKind::NoApprover, "Nobody")))]
#[case::another(Behaviour::AnswerAnother(Answer::AllowOnce), Err((RefusalKind::Fault, "Nobody")))]
#[case::another_no(Behaviour::AnswerAnother(no("x")), Err((RefusalKind::Fault, "Nobody")))]
#[case::late(Behaviour::AnswerLate(Answer::AllowOnce), Err((RefusalKind::Timeout, "Nobody")))]
#[case::late_no(Behaviour::AnswerLate(no("x")), Err((RefusalKind::Timeout, "Nobody")))]
#[case::silence(Behaviour::Silence, Err((RefusalKind::Timeout, "Nobody")))]
#[case::garbage(Behaviour::Garbage, Err((RefusalKind::Fault, "Nobody")))]
#[case::cancelled(Behaviour::Cancelled, Err((RefusalKind::Cancelled, "Nobody")))]
#[case::cancel_during(Behaviour::CancelThenSay(Answer::AllowOnce), Err((RefusalKind::Cancelled, "Nobody")))]
#[case::cancel_during_no(Behaviour::CancelThenSay(no("x")), Err((RefusalKind::Cancelled, "Nobody")))]
fn what_is_asked_runs_only_on_a_yes(
    #[case] behaviour: Behaviour,
    #[case] expected: Result<&str, (RefusalKind, &str)>,
) {
    let scene = Scene::new();
    scene.file("build/cache", "x");
    let call = || scene.call("delete_file", json!({"path": "build/cache"}));
    let result = scene.decide(call(), behaviour.clone());
    match (result, expected) {
        (Ok(permit), Ok(by)) => {
            assert_eq!(scene.words(), ["asked".to_owned(), format!("permitted by {by}")]);
            drop(permit);
        }
        (Err(refusal), Err((kind, by))) => {
            assert_eq!(refusal.kind(), kind);
            assert_eq!(refusal.causes(), []);
            let record = format!("refused {} by {by}", kind.code());
            assert_eq!(scene.words(), ["asked".to_owned(), record]);
            let text = refusal.into_tool_result().text;
            assert!(text.starts_with("not run: "), "{text}");
        }
        (result, expected) => panic!("{result:?} is not {expected:?}"),
    }
    assert!(scene.is_there("build/cache"));

    // The other road, without blocking, ends the same way.
    let twin = Scene::new();
    twin.file("build/cache", "x");
    let call = twin.call("delete_file", json!({"path": "build/cache"}));
    let mut approver = twin.approver([behaviour]);
    let result = ready(twin.gate.decide_async(call, &mut approver, &twin.cancel));
    assert_eq!(result.is_ok(), expected.is_ok());
    drop(result);
    let decisions = |scene: &Scene| scene.words()[..2].to_vec();
    assert_eq!(decisions(&twin), decisions(&scene));
}

/// The result of a future that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).poll(&mut context) {
        std::task::Poll::Ready(result) => result,
        std::task::Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn nobody_is_no_approver() {
    let scene = Scene::new();
    scene.file("a", "x");
    let call = scene.call("delete_file", json!({"path": "a"}));
    let refusal = scene.gate.decide(call, &mut Absent, &scene.cancel).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::NoApprover);
    assert!(scene.is_there("a"));
}

#[rstest]
#[case::allowed("read_file")]
#[case::asked("delete_file")]
#[case::unknown("reed_file")]
fn cancelled_before_is_cancelled(#[case] tool: &str) {
    let scene = Scene::new();
    scene.file("a", "x");
    scene.cancel.raise();
    let refusal = scene
        .decide(scene.call(tool, json!({"path": "a"})), Behaviour::Panic)
        .unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::Cancelled);
    assert_eq!(scene.words(), ["refused cancelled by Nobody"]);
}

#[test]
fn a_cancelled_future_is_a_recorded_refusal() {
    struct Never;
    impl portcullis_gate::AsyncApprover for Never {
        async fn ask(
            &mut self,
            _: &portcullis_gate::Question,
            _: &portcullis_gate::Cancel,
        ) -> portcullis_gate::Reply {
            std::future::pending().await
        }
    }
    let scene = Scene::new();
    scene.file("a", "x");
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    {
        let call = scene.call("delete_file", json!({"path": "a"}));
        let mut never = Never;
        let mut future = Box::pin(scene.gate.decide_async(call, &mut never, &scene.cancel));
        assert!(future.as_mut().poll(&mut context).is_pending());
        assert_eq!(scene.words(), ["asked"]);
    }
    assert_eq!(scene.words(), ["asked", "refused cancelled by Nobody"]);

    // Whenever it is polled, the deadline and the flag are looked at.
    let call = scene.call("delete_file", json!({"path": "a"}));
    let mut never = Never;
    let mut future = Box::pin(scene.gate.decide_async(call, &mut never, &scene.cancel));
    assert!(future.as_mut().poll(&mut context).is_pending());
    scene.clock.advance(Duration::from_secs(61));
    let std::task::Poll::Ready(Err(refusal)) = future.as_mut().poll(&mut context) else {
        panic!("it waits past its deadline");
    };
    assert_eq!(refusal.kind(), RefusalKind::Timeout);
}

#[rstest]
fn a_ledger_that_fails_gives_no_permit(
    #[values("read_file", "delete_file", "reed_file")] tool: &str,
    #[values(1, 2, 3)] at: usize,
    #[values(false, true)] panics: bool,
) {
    let scene = Scene::new();
    scene.file("a", "x");
    if panics {
        scene.ledger.panic_at(at);
    } else {
        scene.ledger.fail_at(at);
    }
    let permit = scene.decide(scene.call(tool, json!({"path": "a"})), say(Answer::AllowOnce));
    // How many records lead to the permit.
    let needed = match tool {
        "read_file" => 1,
        "delete_file" => 2,
        _ => usize::MAX,
    };
    if at <= needed.min(2) && !(tool == "reed_file" && at == 2) {
        let refusal = permit.unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::Fault);
        assert_eq!(refusal.note(), Some("the audit log cannot be written"));
        assert!(!scene.words().iter().any(|word| word.starts_with("permitted")));
        if tool != "reed_file" {
            assert_eq!(scene.words().last().unwrap(), "refused fault by Nobody");
        }
        return;
    }
    if tool == "reed_file" {
        assert_eq!(permit.unwrap_err().kind(), RefusalKind::UnknownTool);
        return;
    }
    // The decision is durable; what fails is at most the outcome.
    let result = portcullis_gate::effects::perform(permit.unwrap());
    if at == needed + 1 {
        let refusal = result.unwrap_err();
        assert_eq!(refusal.kind(), RefusalKind::Fault);
        assert!(refusal.effect_happened());
        let text = refusal.into_tool_result().text;
        assert_eq!(text, "the call ran, but its outcome could not be recorded");
    } else {
        assert!(!result.unwrap().is_error);
    }
    assert_eq!(scene.is_there("a"), tool == "read_file");
}

#[test]
fn a_record_says_what_the_call_would_do() {
    let scene = Scene::new();
    scene.file("build/cache", "x");
    let Step::Ask(pending) = scene.submit(scene.call("delete_file", json!({"path": "build/cache"}))) else {
        panic!("a deletion is asked about");
    };
    let Event::Asked(asked) = scene.ledger.events().remove(0) else {
        panic!("the question is recorded first");
    };
    assert_eq!(asked.deadline_ms, 60_000);
    let subject = asked.subject;
    assert_eq!(subject.call.as_str(), "c1");
    assert_eq!(subject.session.as_ref().unwrap().as_str(), "s1");
    assert_eq!(subject.tool.as_str(), "delete_file");
    assert_eq!(subject.summary.as_str(), "delete build/cache");
    assert_eq!(subject.risk, RiskWord::Confirm);
    let operations: Vec<_> = subject.operations.iter().map(|word| word.as_str()).collect();
    assert_eq!(operations, ["delete"]);
    let rules: Vec<_> = subject.causes.iter().map(|cause| cause.rule.as_str()).collect();
    assert_eq!(rules, ["delete"]);
    assert_eq!(subject.resources.len(), 1);
    assert!(
        subject.resources[0].as_str().ends_with("/work/build/cache"),
        "{subject:?}"
    );

    let question = pending.question();
    assert_eq!(
        question.effects,
        [format!("delete {}", scene.work("build/cache").display())]
    );
    assert_eq!(question.deadline, portcullis_gate::Moment(1_060_000));
    drop(pending);
    let Event::Decided(Decided { subject: decided, .. }) = scene.ledger.events().remove(1) else {
        panic!("the decision is recorded second");
    };
    assert_eq!(decided.call.as_str(), "c1");
}

#[test]
fn a_command_is_not_quoted_in_the_record() {
    let scene = Scene::new();
    let call = scene.call(
        "run_command",
        json!({"command": "frobnicate --quietly --with marzipan"}),
    );
    let refusal = scene.decide(call, Behaviour::HangUp).unwrap_err();
    assert_eq!(refusal.kind(), RefusalKind::NoApprover);
    let records = format!("{:?}", scene.ledger.events());
    assert!(!records.contains("marzipan"), "{records}");
    assert!(records.contains("opaque command"), "{records}");
}

/// What stands where a secret would may be a command of its own: all that runs is shown, whatever is hidden beside it.
#[rstest]
#[case::password(
    "login --password \"$(rm -rf build)\"",
    "login --password \"$(rm -rf build)\""
)]
#[case::header(
    "curl -H \"Authorization: Bearer $(rm -rf build)\" h",
    "curl -H \"Authorization: ***$(rm -rf build)\" h"
)]
#[case::cookie("echo cookie: a; rm -rf build", "echo cookie: ***; rm -rf build")]
#[case::variable("TOKEN=`rm -rf build` true", "TOKEN=`rm -rf build` true")]
#[case::word("password is rm -rf build", "password is rm -rf build")]
fn a_question_shows_the_whole_command(#[case] command: &str, #[case] shown: &str) {
    let scene = Scene::new();
    scene.file("build/cache/o", "x");
    let call = scene.call("run_command", json!({"command": command}));
    let Step::Ask(pending) = scene.submit(call) else {
        panic!("a command asks");
    };
    let question = pending.question();
    assert_eq!(question.commands[0].text(), shown);
    let lines = question.lines();
    assert_eq!(lines[0], format!("execute {shown}"));
    assert_eq!(Path::new(lines[1].strip_prefix("in ").unwrap()), scene.work(""));
}

/// The text with its marks in brackets.
fn marked(scene: &Scene, command: &str) -> String {
    let call = scene.call("run_command", json!({"command": command}));
    let Step::Ask(pending) = scene.submit(call) else {
        panic!("a command asks");
    };
    let [command] = pending.question().commands.as_slice() else {
        panic!("one command");
    };
    let pieces = command.pieces();
    let piece = |(text, marked): &(&str, bool)| {
        if *marked {
            format!("[{text}]")
        } else {
            (*text).to_owned()
        }
    };
    pieces.iter().map(piece).collect()
}

/// The part that made the question is marked: the word where one is to blame, else the command, also behind a secret, in a
/// text within the text, and where the text cannot be read.
#[rstest]
#[case::a_command("ls && git push origin main", "ls && [git push origin main]")]
#[case::a_word("ls && rm -r build other", "ls && rm -r [build] [other]")]
#[case::a_redirection("echo x > ../out", "echo x > [../out]")]
#[case::two_commands("git push; ls; rm a", "[git push]; ls; rm [a]")]
#[case::behind_a_secret("TOKEN=abcdefgh ls; rm a", "[TOKEN=]*** ls; rm [a]")]
#[case::a_wrapper("nice rm a", "nice rm [a]")]
#[case::a_text_within("bash -c 'ls; rm a'", "bash -c ['ls; rm a']")]
#[case::a_substitution("echo \"$(rm a)\"", "echo \"$(rm [a])\"")]
#[case::not_known("ls; frobnicate a", "ls; [frobnicate a]")]
#[case::not_readable("ls; eval \"$X\"", "ls; [eval \"$X\"]")]
#[case::unfinished("ls; if", "ls; i[f]")]
#[case::hidden("ls; rm \u{61}\u{200b}", "ls; rm a[\\u{200b}]")]
#[case::private("cat a .env", "cat a [.env]")]
#[case::lines("ls\nrm a\n", "ls\\nrm [a]\\n")]
fn a_question_marks_what_made_it(#[case] command: &str, #[case] shown: &str) {
    let scene = Scene::new();
    scene.file("build/o", "x");
    scene.file("other/o", "x");
    scene.file("a", "x");
    scene.file(".env", "x");
    assert_eq!(marked(&scene, command), shown);
}

#[rstest]
#[case::unknown_tool("reed_file", json!({}), Behaviour::Panic,
    "not run: no tool named `reed_file` is registered (rule `tool.unknown`, built-in layer)")]
#[case::arguments("read_file", json!({}), Behaviour::Panic,
    "not run: the arguments do not fit the tool: member `path` is missing at $ (rule `arguments.bad`, built-in layer)")]
#[case::rule("run_command", json!({"command": "ls"}), Behaviour::Panic,
    "not run: the policy denies it: this user runs no commands (rule `no-commands`, user layer)")]
#[case::person("delete_file", json!({"path": "a"}), say(no("keep it")), "not run: a person said no: keep it")]
#[case::person_silent("delete_file", json!({"path": "a"}), say(Answer::Deny { reason: Some("  ".to_owned()) }),
    "not run: a person said no")]
#[case::reviewer("delete_file", json!({"path": "a"}), Behaviour::Review(no("risky")),
    "not run: a reviewer said no: risky")]
#[case::silence("delete_file", json!({"path": "a"}), Behaviour::Silence,
    "not run: it has to be approved and nobody answered in time")]
#[case::nobody("delete_file", json!({"path": "a"}), Behaviour::HangUp,
    "not run: it has to be approved and there is nobody to ask")]
#[case::cancelled("delete_file", json!({"path": "a"}), Behaviour::Cancelled, "not run: it was cancelled")]
#[case::garbage("delete_file", json!({"path": "a"}), Behaviour::Garbage,
    "not run: the gate itself failed: what came back was not an answer")]
#[case::another("delete_file", json!({"path": "a"}), Behaviour::AnswerAnother(Answer::AllowOnce),
    "not run: the gate itself failed: the answer was to another question")]
#[case::panic("delete_file", json!({"path": "a"}), Behaviour::Panic,
    "not run: the gate itself failed: the approver panicked")]
fn the_model_reads_one_true_sentence(
    #[case] tool: &str,
    #[case] args: Value,
    #[case] behaviour: Behaviour,
    #[case] text: &str,
) {
    let scene = with_a_deny_rule();
    scene.file("a", "x");
    let refusal = scene.decide(scene.call(tool, args), behaviour).unwrap_err();
    let result = refusal.into_tool_result();
    assert_eq!(result.text, text);
    assert!(result.is_error);
}

#[test]
fn a_file_that_is_not_there_is_not_blamed_on_the_policy() {
    let scene = Scene::new();
    let call = scene.call("read_file", json!({"path": "missing"}));
    let text = scene
        .decide(call, Behaviour::Panic)
        .unwrap_err()
        .into_tool_result()
        .text;
    assert!(
        text.starts_with("not run: ") && text.ends_with(" (rule `path.not-found`, built-in layer)"),
        "{text}"
    );
    assert!(!text.contains("policy"), "{text}");
}
