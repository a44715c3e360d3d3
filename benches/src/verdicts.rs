//! A classifier for commands, and calls to judge: from bytes to a verdict.

use std::path::PathBuf;

use portcullis_classify::{Call, Classifier, Layer, LayerRules, Limits, Policy, Risk, Shape, Toolbox};
use portcullis_paths::Ambient;
use serde_json::json;
use tempfile::TempDir;

/// Everything that judges a command: the default policy, in a trusted project.
#[derive(Debug)]
pub struct Verdicts {
    _tree: TempDir,
    root: PathBuf,
    classifier: Classifier,
}

impl Verdicts {
    /// A classifier of an empty workspace.
    #[must_use]
    pub fn build() -> Self {
        let tree = tempfile::tempdir().expect("a temporary directory");
        let root = tree.path().to_owned();
        let policy = Policy::join(vec![LayerRules::empty(Layer::User)]).expect("nothing is a policy");
        let classifier = Classifier::open(Toolbox::standard(), policy, [root.clone()], Ambient::empty());
        Self {
            classifier: classifier.expect("the root opens").with_trusted([0]),
            root,
            _tree: tree,
        }
    }

    /// The bytes of a call that runs a command.
    #[must_use]
    pub fn call(command: &str) -> Vec<u8> {
        let call = json!({"id": "1", "tool": "run_command", "args": {"command": command}});
        call.to_string().into_bytes()
    }

    /// From bytes to a verdict, of a call that does not say where it runs. Every operand is understood and judged by the
    /// rules, and none that is relative can be looked up: this is a verdict without the file system.
    #[must_use]
    pub fn nowhere(&self, call: &[u8]) -> Option<Risk> {
        let call = Call::read(call, Shape::Portcullis, &Limits::default()).ok()?;
        Some(self.classifier.assess(call).verdict.risk())
    }

    /// The same of a call that runs in the workspace, where every operand is looked up.
    #[must_use]
    pub fn in_workspace(&self, call: &[u8]) -> Option<Risk> {
        let call = Call::read(call, Shape::Portcullis, &Limits::default()).ok()?;
        let call = call.with_default_cwd(&self.root);
        Some(self.classifier.assess(call).verdict.risk())
    }
}
