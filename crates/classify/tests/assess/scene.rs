//! A small tree with a workspace in it, and calls to judge there.

use std::fs;
use std::path::PathBuf;

use portcullis_classify::{
    Assessment, Call, Classifier, Layer, LayerRules, Limits, Policy, Preset, Risk, Rule, RuleSubject, Shape,
    Toolbox,
};
use portcullis_paths::{Ambient, Zone, ZoneKind};
use serde_json::{Value, json};
use tempfile::TempDir;

/// ```text
/// T/home/.ssh/key
/// T/ws/src/main.rs            the workspace root is T/ws
/// T/ws/notes.txt
/// T/ws/build/cache/item
/// T/ws/locked/inner/file
/// T/ws/twin = T/ws/twin2      two names of one file
/// T/ws/out -> ../outside
/// T/ws/near -> src
/// T/outside/data.txt
/// ```
pub(crate) struct Scene {
    dir: TempDir,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let scene = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        for name in [
            "home/.ssh",
            "ws/src",
            "ws/build/cache",
            "ws/locked/inner",
            "outside",
        ] {
            fs::create_dir_all(scene.path(name)).unwrap();
        }
        for name in [
            "home/.ssh/key",
            "ws/src/main.rs",
            "ws/notes.txt",
            "ws/build/cache/item",
            "ws/locked/inner/file",
            "ws/twin",
            "outside/data.txt",
        ] {
            fs::write(scene.path(name), "content").unwrap();
        }
        fs::hard_link(scene.path("ws/twin"), scene.path("ws/twin2")).unwrap();
        std::os::unix::fs::symlink("../outside", scene.path("ws/out")).unwrap();
        std::os::unix::fs::symlink("src", scene.path("ws/near")).unwrap();
        scene
    }

    /// The absolute path of a name in the tree.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    /// The text with every `{T}` replaced by the tree's own path.
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace("{T}", self.path("").to_str().unwrap().trim_end_matches('/'))
    }

    pub(crate) fn zone(&self, id: &str, kind: ZoneKind, path: &str) -> Zone {
        Zone {
            id: id.to_owned(),
            kind,
            path: PathBuf::from(self.fill(path)),
        }
    }

    pub(crate) fn classifier(&self, layers: Vec<LayerRules>) -> Classifier {
        self.classifier_of(Toolbox::standard(), layers)
    }

    pub(crate) fn classifier_of(&self, toolbox: Toolbox, layers: Vec<LayerRules>) -> Classifier {
        let ambient = Ambient::empty().with_home(self.path("home"));
        Classifier::open(toolbox, Policy::join(layers).unwrap(), [self.path("ws")], ambient).unwrap()
    }

    /// A call in the workspace; `{T}` in any string of the arguments is filled in.
    pub(crate) fn call(&self, tool: &str, args: &Value) -> Call {
        self.call_from(Some("{T}/ws"), tool, args)
    }

    pub(crate) fn call_from(&self, cwd: Option<&str>, tool: &str, args: &Value) -> Call {
        let mut call = json!({"id": "1", "tool": tool, "args": args});
        if let Some(cwd) = cwd {
            call.as_object_mut().unwrap().insert("cwd".to_owned(), json!(cwd));
        }
        let text = self.fill(&call.to_string());
        Call::read(text.as_bytes(), Shape::Portcullis, &Limits::default()).unwrap()
    }

    pub(crate) fn judge(&self, layers: Vec<LayerRules>, tool: &str, args: &Value) -> Assessment {
        self.classifier(layers).assess(self.call(tool, args))
    }
}

/// How a command is judged in a scene of its own that is trusted; `{T}` in it is filled in.
pub(crate) fn judge(text: &str) -> Risk {
    let scene = Scene::new();
    let classifier = scene.classifier(Vec::new()).with_trusted([0]);
    let call = scene.call("run_command", &json!({"command": scene.fill(text)}));
    classifier.assess(call).verdict.risk()
}

pub(crate) fn preset(preset: Preset) -> Vec<LayerRules> {
    vec![LayerRules {
        preset: Some(preset),
        ..LayerRules::empty(Layer::User)
    }]
}

pub(crate) fn with_rules(layer: Layer, rules: Vec<Rule>) -> LayerRules {
    LayerRules {
        rules,
        ..LayerRules::empty(layer)
    }
}

pub(crate) fn with_zones(layer: Layer, zones: Vec<Zone>) -> LayerRules {
    LayerRules {
        zones,
        ..LayerRules::empty(layer)
    }
}

pub(crate) fn rule(id: &str, risk: Risk, subject: RuleSubject) -> Rule {
    Rule {
        id: id.to_owned(),
        subject,
        risk,
        because: format!("the reason of {id}"),
    }
}

/// The ids of the causes, strictest first.
pub(crate) fn ids(assessment: &Assessment) -> Vec<&str> {
    assessment
        .verdict
        .causes()
        .iter()
        .map(|cause| cause.rule.as_str())
        .collect()
}

/// What must be true of every assessment, whatever the call.
pub(crate) fn assert_sound(assessment: &Assessment) {
    let verdict = &assessment.verdict;
    assert!(!verdict.causes().is_empty());
    assert_eq!(
        verdict.risk(),
        Risk::join_all(verdict.causes().iter().map(|cause| cause.risk))
    );
    assert_eq!(assessment.denial.is_some(), verdict.risk() == Risk::Deny);
    for (index, effect) in assessment.effects.iter().enumerate() {
        let own = verdict
            .causes()
            .iter()
            .filter(|cause| cause.effect == Some(index));
        assert_eq!(
            effect.risk,
            Risk::join_all(own.map(|cause| cause.risk)),
            "{effect:?}"
        );
        assert!(effect.risk <= verdict.risk());
        if let Some(target) = &effect.target {
            assert_eq!(effect.place.as_ref(), Some(target.place()));
        }
        assert!(effect.operand.chars().count() <= 200);
    }
}

/// An assessment as data, to compare two.
pub(crate) fn summary(assessment: &Assessment) -> String {
    let effects: Vec<_> = assessment
        .effects
        .iter()
        .map(|effect| {
            let identity = effect.target.as_ref().and_then(|target| target.identity());
            (
                effect.kind,
                &effect.member,
                &effect.operand,
                &effect.place,
                effect.risk,
                identity,
            )
        })
        .collect();
    format!(
        "{effects:?} {:?} {:?} {}",
        assessment.verdict, assessment.denial, assessment.policy
    )
}
