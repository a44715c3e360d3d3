//! A project, a home and a store of the test's own.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use portcullis_trust::{
    Choice, Decider, Decision, Inquiry, Interface, Outcome, Profile, Prompt, Resources, Say, Source, Store,
};
use tempfile::TempDir;

pub(crate) struct Scene {
    _tree: TempDir,
    base: PathBuf,
    pub(crate) store: Store,
}

impl Scene {
    /// A project `home/work/app` with nothing in it, and no store yet.
    pub(crate) fn empty() -> Self {
        let tree = tempfile::tempdir().unwrap();
        let base = tree.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("home/work/app")).unwrap();
        let store = Store::new(base.join("home/own/trust.json"))
            .with_contents(base.join("home/own/trust-contents.json"));
        Self {
            _tree: tree,
            base,
            store,
        }
    }

    /// The same with a resource that needs trust.
    pub(crate) fn with_settings() -> Self {
        let scene = Self::empty();
        scene.write("app/.pi/settings.json", "{}");
        scene
    }

    pub(crate) fn path(&self, below_work: &str) -> PathBuf {
        self.base.join("home/work").join(below_work)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("app")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.base.join("home")
    }

    pub(crate) fn write(&self, below_work: &str, text: &str) {
        let path = self.path(below_work);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Puts these bytes in the store's place.
    pub(crate) fn stored(&self, bytes: &[u8]) {
        std::fs::create_dir_all(self.store.path().parent().unwrap()).unwrap();
        std::fs::write(self.store.path(), bytes).unwrap();
        let mode = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(self.store.path(), mode).unwrap();
    }

    pub(crate) fn saved(&self) -> String {
        std::fs::read_to_string(self.store.path()).unwrap_or_default()
    }

    /// Decides on a directory with the store alone.
    pub(crate) fn decide(&self, project: &Path) -> Outcome {
        Inquiry::new(project, profiles())
            .home(&self.home())
            .store(&self.store)
            .decide()
    }

    /// A person says no, over what was saved.
    pub(crate) fn refuse(&self, project: &Path) -> Outcome {
        Inquiry::new(project, profiles())
            .home(&self.home())
            .store(&self.store)
            .choose(Choice::DoNotTrust)
    }

    /// Lets a person choose.
    pub(crate) fn ask(&self, project: &Path, choice: Choice) -> Outcome {
        let mut person = Person::says(Some(choice));
        Inquiry::new(project, profiles())
            .home(&self.home())
            .store(&self.store)
            .interface(&mut person)
            .decide()
    }
}

pub(crate) fn profiles() -> Vec<Profile> {
    Profile::names()
        .map(|name| Profile::built_in(name).unwrap())
        .collect()
}

pub(crate) fn is_trusted(outcome: &Outcome) -> bool {
    matches!(outcome.decision, Decision::Trusted(_))
}

/// The source without what differs from run to run.
pub(crate) fn source(outcome: &Outcome) -> &'static str {
    match &outcome.source {
        Source::Override => "override",
        Source::NoResources => "no resources",
        Source::Decider(_) => "decider",
        Source::DeciderFailed(_) => "decider failed",
        Source::Saved(_) => "saved",
        Source::Changed(_) => "changed",
        Source::Session => "session",
        Source::Default => "default",
        Source::Asked(_) => "asked",
        Source::Closed => "closed",
        Source::NoInterface => "no interface",
        Source::StoreUnusable(_) => "store unusable",
        Source::NoSuchDirectory => "no directory",
        _ => "another",
    }
}

pub(crate) struct Person {
    choice: Option<Choice>,
    pub(crate) asked: usize,
    pub(crate) saw_a_change: bool,
}

impl Person {
    pub(crate) fn says(choice: Option<Choice>) -> Self {
        Self {
            choice,
            asked: 0,
            saw_a_change: false,
        }
    }
}

impl Interface for Person {
    fn choose(&mut self, prompt: &Prompt<'_>) -> Option<Choice> {
        self.asked += 1;
        self.saw_a_change = prompt.has_changed;
        self.choice
    }
}

/// What a decider of the test does.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Does {
    Says(Say),
    Fails,
    Panics,
}

impl Decider for Does {
    fn name(&self) -> &str {
        "test"
    }
    fn decide(
        &mut self,
        _: &Path,
        resources: &Resources,
    ) -> Result<Say, Box<dyn std::error::Error + Send + Sync>> {
        assert!(!resources.is_empty(), "it is asked only about what needs trust");
        match self {
            Self::Says(say) => Ok(*say),
            Self::Fails => Err("out of order".into()),
            Self::Panics => panic!("on purpose"),
        }
    }
}
