//! The words of every refusal, and of the real way to each. A new kind does not compile here until it has both.

use portcullis_classify::{Layer, LayerRules, Risk, Rule, RuleSubject};
use portcullis_gate::{Answer, Behaviour, Refusal, RefusalKind, Step, effects};
use serde_json::{Value, json};

use crate::scene::Scene;

fn told(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::UnknownTool => {
            "not run: no tool named `frobnicate` is registered (rule `tool.unknown`, built-in layer)"
        }
        RefusalKind::BadArguments => {
            "not run: the arguments do not fit the tool: member `path` is missing at $ (rule `arguments.bad`, built-in layer)"
        }
        RefusalKind::Policy => {
            "not run: the policy denies it: nobody moves files here (rule `no-moves`, user layer)"
        }
        RefusalKind::DeniedByHuman => "not run: a person said no: use git rm",
        RefusalKind::DeniedByReviewer => "not run: a reviewer said no: nobody wanted that",
        RefusalKind::Timeout => "not run: it has to be approved and nobody answered in time",
        RefusalKind::NoApprover => "not run: it has to be approved and there is nobody to ask",
        RefusalKind::Cancelled => "not run: it was cancelled",
        RefusalKind::CircuitOpen => {
            "not run: it has to be approved and too many refusals in a row ended the asking"
        }
        RefusalKind::Changed => {
            "not run: what would run is no longer what was approved: the path is not what it was when it was judged"
        }
        RefusalKind::Fault => "not run: the gate itself failed: the audit log cannot be written",
    }
}

fn refused(step: Step) -> Refusal {
    match step {
        Step::Refused(refusal) => refusal,
        other => panic!("it is refused at once, not {other:?}"),
    }
}

/// The deletion of a file, which asks, and what is done with the question.
fn deleted(scene: &Scene, behaviour: Behaviour) -> Refusal {
    scene
        .decide(scene.call("delete_file", json!({"path": "a"})), behaviour)
        .unwrap_err()
}

fn no(reason: Option<&str>) -> Answer {
    Answer::Deny {
        reason: reason.map(str::to_owned),
    }
}

fn comes_about(scene: &Scene, kind: RefusalKind) -> Refusal {
    let submitted = |tool: &str, args: Value| refused(scene.submit(scene.call(tool, args)));
    match kind {
        RefusalKind::UnknownTool => submitted("frobnicate", json!({})),
        RefusalKind::BadArguments => submitted("read_file", json!({})),
        RefusalKind::Policy => submitted("move_file", json!({"from": "a", "to": "b"})),
        RefusalKind::DeniedByHuman => deleted(scene, Behaviour::Say(no(Some("use git rm")))),
        RefusalKind::DeniedByReviewer => deleted(scene, Behaviour::Review(no(Some("nobody wanted that")))),
        RefusalKind::Timeout => deleted(scene, Behaviour::AnswerLate(Answer::AllowOnce)),
        RefusalKind::NoApprover => deleted(scene, Behaviour::HangUp),
        RefusalKind::Cancelled => deleted(scene, Behaviour::CancelThenSay(Answer::AllowOnce)),
        RefusalKind::CircuitOpen => {
            for _ in 0..3 {
                deleted(scene, Behaviour::Say(no(None)));
            }
            deleted(scene, Behaviour::Say(Answer::AllowOnce))
        }
        RefusalKind::Changed => {
            let permit = scene.permit("delete_file", json!({"path": "a"}));
            std::fs::rename(scene.work("a"), scene.work("kept")).unwrap();
            std::fs::write(scene.work("a"), "another").unwrap();
            effects::perform(permit).unwrap_err()
        }
        RefusalKind::Fault => {
            scene.ledger.fail_next();
            deleted(scene, Behaviour::Say(Answer::AllowOnce))
        }
    }
}

#[test]
fn each_refusal_is_told_in_its_own_words() {
    for kind in RefusalKind::ALL {
        let rule = Rule {
            id: "no-moves".to_owned(),
            subject: RuleSubject {
                tool: Some("move_file".to_owned()),
                operation: None,
                under: None,
                command: None,
                except: None,
            },
            risk: Risk::Deny,
            because: "nobody moves files here".to_owned(),
        };
        let scene = Scene::with_rules(vec![LayerRules {
            rules: vec![rule],
            ..LayerRules::empty(Layer::User)
        }]);
        scene.file("a", "x");
        let refusal = comes_about(&scene, kind);
        assert_eq!(refusal.kind(), kind, "{refusal}");
        assert_eq!(refusal.to_string(), told(kind));
    }
}
