//! The home of the tree that is measured in.
#![expect(clippy::disallowed_methods, reason = "benches build their own trees")]

use std::fs;
use std::path::PathBuf;

use portcullis_classify::{Call, Classifier, Layer, LayerRules, Limits, Policy, Risk, Shape, Toolbox};
use portcullis_gate::{Cancel, Gate, Settings, Step};
use portcullis_paths::{Ambient, Dialect, Request, Resolver, Zone, ZoneKind, Zones};
use tempfile::TempDir;

use crate::ledger::{Null, Still};
use crate::{Case, Floor};

/// A workspace with a file so many components below its root, and everything that decides on it.
#[derive(Debug)]
pub struct Scene {
    case: Case,
    _tree: TempDir,
    root: PathBuf,
    path: String,
    call: Vec<u8>,
    resolver: Resolver,
    classifier: Classifier,
    gate: Gate,
}

impl Scene {
    /// Builds the tree: `path` has `depth` components below the root.
    #[must_use]
    pub fn build(case: Case, depth: usize) -> Self {
        let tree = tempfile::tempdir().expect("a temporary directory");
        let root = tree.path().canonicalize().expect("its canonical place");
        let deep = vec!["folder"; depth.saturating_sub(2)].join("/");
        for folder in ["plain", "secret"] {
            let folder = root.join(&deep).join(folder);
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("file"), "text").expect("a file");
        }
        let zone = Zone {
            id: "secret".to_owned(),
            kind: ZoneKind::DenyRead,
            path: root.join(&deep).join("secret"),
        };
        let mut rules = LayerRules::empty(Layer::User);
        rules.zones.push(zone.clone());
        let policy = Policy::join(vec![rules]).expect("one zone is a policy");
        let zones = Zones::builder().root(&root).zone(zone);
        let zones = zones.open(&Ambient::empty()).expect("the root opens");
        let classifier = || {
            Classifier::open(
                Toolbox::standard(),
                policy.clone(),
                [root.clone()],
                Ambient::empty(),
            )
            .expect("the root opens")
        };
        let path = PathBuf::from(deep).join(case.tail());
        let path = path.to_str().expect("plain names").to_owned();
        let gate = Gate::new(classifier(), Null::default(), Still, Settings::for_user("bench"));
        let scene = Self {
            case,
            call: case.call(&path).into_bytes(),
            resolver: Resolver::new(zones, Ambient::empty()),
            classifier: classifier(),
            gate,
            path,
            root,
            _tree: tree,
        };
        scene.is_as_told();
        scene
    }

    /// What the kernel and others do with the same path.
    #[must_use]
    pub fn floor(&self) -> Floor {
        Floor::open(&self.root, &self.path)
    }

    /// The path alone: the text becomes a held target or is refused. Says whether it became one.
    pub fn resolve(&self) -> bool {
        let request = Request {
            text: self.path.as_bytes(),
            dialect: &Dialect::AGENT,
            operation: self.case.operation(),
            cwd: &self.root,
        };
        self.resolver.resolve(&request).is_ok()
    }

    /// From bytes to a verdict.
    #[must_use]
    pub fn judge(&self) -> Risk {
        self.classifier.assess(self.read()).verdict.risk()
    }

    /// From bytes to a permit or a refusal, with a ledger that keeps nothing.
    #[must_use]
    pub fn submit(&self) -> Step {
        self.gate.submit(self.read(), &Cancel::new())
    }

    fn read(&self) -> Call {
        let call = Call::read(&self.call, Shape::Portcullis, &Limits::default()).expect("a call");
        call.with_default_cwd(&self.root)
    }

    /// A number of the wrong decision would be worth nothing.
    fn is_as_told(&self) {
        let denied = self.case == Case::Denied;
        assert_eq!(self.resolve(), !denied);
        assert_eq!(self.judge(), if denied { Risk::Deny } else { Risk::Allow });
        match self.submit() {
            Step::Permitted(_) => assert!(!denied),
            Step::Refused(_) => assert!(denied),
            Step::Ask(_) => unasked(),
        }
    }
}

#[expect(clippy::panic, reason = "a bench that measures the wrong thing has to stop")]
fn unasked() {
    panic!("nothing here asks");
}
