//! The loader of a host: files of the project that change the agent. It loads with trust alone, and through the gate
//! like any other tool.
//!
//! What a person decided about the workspace stands in a trust store of the session's own, and each call looks there
//! anew. Without trust a rule denies the loader, so that the decision is on record like every other one.

use std::path::{Path, PathBuf};

use portcullis::trust::{Choice, Inquiry, Profile, Save, Store};
use portcullis::{
    Call as ToolCall, Decision, Dialect, Operand, Operation, Permit, Refusal, Risk, Role, Rule, RuleSubject,
    ToolResult, ToolSpec, Toolbox,
};
use serde_json::json;

use super::session::{Unserved, unserved};
use super::wire::{Open, TrustWord};
use crate::files;

/// What the loader is called here.
pub(super) const TOOL: &str = "load_resource";
/// The member that names the file.
const PATH: &str = "path";
/// Largest file that is loaded, in bytes.
const LARGEST: u64 = 8 << 20;

/// The files that the runner's agent would load.
const PROFILE: &str =
    "name = \"runner\"\nhere = [\".agent\", \".mcp.json\"]\nupward = [\".agents/skills\"]\n";

/// What was decided about the workspace, and where it is kept.
pub(super) struct Loader {
    workspace: PathBuf,
    home: PathBuf,
    store: Store,
    profile: Profile,
}

impl Loader {
    /// Brings the store into the state that the runner tells; a session that goes on finds it as it was left.
    pub(super) fn open(open: &Open) -> Result<Self, Unserved> {
        let contents = open.state.join("trust-contents.json");
        let loader = Self {
            workspace: files::canonical_directory(&open.workspace)
                .map_err(|failure| unserved(failure.sentence()))?,
            home: open.home.clone(),
            store: Store::new(open.state.join("trust.json")).with_contents(&contents),
            profile: Profile::read(PROFILE).map_err(unserved)?,
        };
        if !open.resume {
            loader.told(open.trust.workspace, &contents)?;
        }
        Ok(loader)
    }

    fn told(&self, word: TrustWord, contents: &Path) -> Result<(), Unserved> {
        match word {
            TrustWord::Undecided => Ok(()),
            TrustWord::Trusted => self.choose(Choice::Trust),
            TrustWord::Untrusted => self.choose(Choice::DoNotTrust),
            TrustWord::Revoked => {
                self.choose(Choice::Trust)?;
                self.choose(Choice::DoNotTrust)
            }
            TrustWord::Tampered => {
                // What was trusted is remembered as something else than what is there.
                let other = json!({ (self.workspace.to_string_lossy()): {"runner": "something else"} });
                files::write_new(contents, &other.to_string())
                    .map_err(|failure| unserved(failure.sentence()))?;
                self.store.save(&[(&self.workspace, Save::Yes)]).map_err(unserved)
            }
        }
    }

    fn choose(&self, choice: Choice) -> Result<(), Unserved> {
        let outcome = self.inquiry().choose(choice);
        if outcome.is_saved {
            Ok(())
        } else {
            Err(unserved(outcome.source))
        }
    }

    /// Whether the file that the call names was there when the workspace was trusted, and is as it was.
    pub(super) fn may_load(&self, call: &ToolCall) -> bool {
        let named = call.arguments().get(PATH).and_then(serde_json::Value::as_str);
        let (Some(named), Some(cwd)) = (named, call.cwd()) else {
            return false;
        };
        match self.inquiry().decide().decision {
            Decision::Trusted(project) => project.covers(&cwd.join(named)),
            Decision::Untrusted => false,
        }
    }

    fn inquiry(&self) -> Inquiry<'_> {
        Inquiry::new(&self.workspace, vec![self.profile.clone()])
            .home(&self.home)
            .store(&self.store)
    }
}

/// The tools that the gate performs, and the loader.
pub(super) fn toolbox() -> Result<Toolbox, Unserved> {
    let schema = json!({
        "type": "object", "properties": {(PATH): {"type": "string"}}, "required": [PATH], "additionalProperties": false,
    });
    let operand = Operand {
        member: PATH.into(),
        role: Role::Path {
            operation: Operation::Read,
            when: None,
            dialect: &Dialect::AGENT,
            cwd_when_missing: false,
        },
        required: true,
    };
    let mut toolbox = Toolbox::performed();
    let spec = ToolSpec::new(TOOL, schema, vec![operand]).map_err(unserved)?;
    toolbox.register(spec).map_err(unserved)?;
    Ok(toolbox)
}

/// Nothing of the project is loaded.
pub(super) fn rule() -> Rule {
    Rule {
        id: "project-not-trusted".to_owned(),
        subject: RuleSubject {
            tool: Some(TOOL.to_owned()),
            ..RuleSubject::default()
        },
        risk: Risk::Deny,
        because: "the project is not trusted with this file as it is".to_owned(),
    }
}

/// Reads the permitted file through its held target.
pub(super) fn perform(permit: Permit) -> Result<ToolResult, Refusal> {
    let call = permit.call().clone();
    let mut running = permit.redeem(&call)?;
    let target = running
        .take_effects()
        .into_iter()
        .find_map(|effect| effect.target);
    let text = match target.as_ref().map(|target| target.read(LARGEST)) {
        Some(Ok(bytes)) => String::from_utf8(bytes).map_err(|_| "it is not text in UTF-8".to_owned()),
        Some(Err(error)) => Err(error.to_string()),
        None => Err("it has no target".to_owned()),
    };
    match text {
        Ok(text) => running.done().map(|()| ToolResult::done(text)),
        Err(reason) => running.failed(&reason).map(|()| ToolResult::error(reason)),
    }
}
