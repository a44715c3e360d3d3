//! The order of decision.

mod decider;
mod interface;
mod outcome;
mod session;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

pub use decider::{Decider, Say};
pub use interface::{Choice, Fallback, Interface, Prompt};
pub use outcome::{Outcome, Source};
use session::Known;
pub use session::Session;

use crate::project::{Covers, Decision, Override, TrustedProject};
use crate::store::Save;
use crate::{Error, ErrorKind, Fingerprint, Profile, Resources, Store, disk};

/// The question whether one project is trusted, with all that may answer it. What is not given does not answer, and
/// without any answer the project is untrusted.
///
/// The first that applies decides:
///
/// 1. an override for this run; the store is then not read;
/// 2. nothing in the project needs trust: the nearest saved decision, else trusted, for nothing;
/// 3. the deciders in order: the first yes or no; one that fails says no;
/// 4. what was chosen for this session, else the nearest saved decision: if what was trusted is still the same;
/// 5. the user's default;
/// 6. a person.
pub struct Inquiry<'a> {
    project: &'a Path,
    home: Option<&'a Path>,
    profiles: Vec<Profile>,
    choice: Option<Override>,
    deciders: Vec<&'a mut dyn Decider>,
    store: Option<&'a Store>,
    fallback: Fallback,
    interface: Option<&'a mut dyn Interface>,
    session: Option<&'a mut Session>,
    /// Nothing is written.
    looks: bool,
}

impl<'a> Inquiry<'a> {
    /// The question about a project's directory.
    #[must_use]
    pub fn new(project: &'a Path, profiles: Vec<Profile>) -> Self {
        Self {
            project,
            home: None,
            profiles,
            choice: None,
            deciders: Vec::new(),
            store: None,
            fallback: Fallback::Ask,
            interface: None,
            session: None,
            looks: false,
        }
    }

    /// The user's home, whose own resources are not a project's.
    #[must_use]
    pub fn home(mut self, home: &'a Path) -> Self {
        self.home = Some(home);
        self
    }

    /// A flag or an API call for this run.
    #[must_use]
    pub fn choice(mut self, choice: Override) -> Self {
        self.choice = Some(choice);
        self
    }

    /// One more decider, behind those that were given before.
    #[must_use]
    pub fn decider(mut self, decider: &'a mut dyn Decider) -> Self {
        self.deciders.push(decider);
        self
    }

    /// Where decisions are saved. It must lie outside the project.
    #[must_use]
    pub fn store(mut self, store: &'a Store) -> Self {
        self.store = Some(store);
        self
    }

    /// The default of the user's own settings; `Ask` when it is not given. A project must never set it.
    #[must_use]
    pub fn fallback(mut self, fallback: Fallback) -> Self {
        self.fallback = fallback;
        self
    }

    /// Where a person can be asked.
    #[must_use]
    pub fn interface(mut self, interface: &'a mut dyn Interface) -> Self {
        self.interface = Some(interface);
        self
    }

    /// What was chosen for this session, and where such a choice is kept.
    #[must_use]
    pub fn session(mut self, session: &'a mut Session) -> Self {
        self.session = Some(session);
        self
    }

    /// What would be decided now without asking anybody; nothing is written.
    pub fn look(mut self) -> Outcome {
        self.interface = None;
        self.looks = true;
        self.decide()
    }

    /// A person chose before anything was asked: the choice is saved as it says, over what was saved before. Neither
    /// deciders nor the default are heard.
    pub fn choose(mut self, choice: Choice) -> Outcome {
        let Ok(root) = disk::canonical(self.project) else {
            return Outcome::untrusted(Resources::default(), Source::NoSuchDirectory);
        };
        let resources = Resources::find(&self.profiles, &root, self.home);
        match self.load(&root) {
            Ok(_) => self.chosen(choice, root, resources),
            Err(error) => Outcome::untrusted(resources, Source::StoreUnusable(error)),
        }
    }

    /// Decides. It never fails: what goes wrong is untrusted, and the outcome says what it was.
    pub fn decide(mut self) -> Outcome {
        let Ok(root) = disk::canonical(self.project) else {
            return Outcome::untrusted(Resources::default(), Source::NoSuchDirectory);
        };
        let resources = Resources::find(&self.profiles, &root, self.home);
        if let Some(choice) = self.choice {
            return match choice {
                Override::Yes => trusted(root, Covers::Everything, resources, Source::Override),
                Override::No => Outcome::untrusted(resources, Source::Override),
            };
        }
        let nearest = match self.load(&root) {
            Ok(saved) => saved,
            Err(error) => return Outcome::untrusted(resources, Source::StoreUnusable(error)),
        };
        if resources.is_empty() {
            return match nearest {
                Some(nearest) if nearest.is_trusted => {
                    trusted(root, Covers::nothing(), resources, Source::Saved(nearest.at))
                }
                Some(nearest) => Outcome::untrusted(resources, Source::Saved(nearest.at)),
                None => trusted(root, Covers::nothing(), resources, Source::NoResources),
            };
        }
        let covers = Covers::these(&resources);
        for decider in &mut self.deciders {
            let name = decider.name().to_owned();
            let said = catch_unwind(AssertUnwindSafe(|| decider.decide(&root, &resources)));
            match said {
                Ok(Ok(Say::Undecided)) => {}
                Ok(Ok(Say::Yes)) => return trusted(root, covers, resources, Source::Decider(name)),
                Ok(Ok(Say::No)) => return Outcome::untrusted(resources, Source::Decider(name)),
                Ok(Err(_)) | Err(_) => {
                    return Outcome::untrusted(resources, Source::DeciderFailed(name));
                }
            }
        }
        let mut changed = None;
        let in_session = match &self.session {
            Some(session) => session.knows(&root, &held(&resources)),
            None => None,
        };
        match in_session {
            Some(Known::Trusted) => return trusted(root, covers, resources, Source::Session),
            Some(Known::Untrusted) => return Outcome::untrusted(resources, Source::Session),
            Some(Known::Changed) => changed = Some(root.clone()),
            None => {}
        }
        if let Some(nearest) = nearest.filter(|_| changed.is_none()) {
            if !nearest.is_trusted {
                return Outcome::untrusted(resources, Source::Saved(nearest.at));
            }
            match self.is_as_it_was(&root, &resources) {
                Ok(true) => return trusted(root, covers, resources, Source::Saved(nearest.at)),
                Ok(false) => changed = Some(nearest.at),
                Err(error) => return Outcome::untrusted(resources, Source::StoreUnusable(error)),
            }
        }
        match (&changed, self.fallback) {
            (None, Fallback::Always) => trusted(root, covers, resources, Source::Default),
            (None, Fallback::Never) => Outcome::untrusted(resources, Source::Default),
            _ => self.ask(root, resources, changed),
        }
    }

    fn load(&self, root: &Path) -> Result<Option<crate::Nearest>, Error> {
        let Some(store) = self.store else { return Ok(None) };
        if !store.is_outside(root) {
            let what = "lies in the project that it decides about";
            return Err(Error::new(ErrorKind::Place, store.path(), what));
        }
        Ok(store.load()?.nearest(root))
    }

    /// Whether the project holds what it held when it was trusted. What was never remembered is from now on.
    fn is_as_it_was(&self, root: &Path, resources: &Resources) -> Result<bool, Error> {
        let Some(store) = self.store.filter(|store| store.remembers()) else {
            return Ok(true);
        };
        let then = store.contents(root)?;
        if then.is_empty() && store.is_known_elsewhere(root)? {
            return Ok(false);
        }
        let now = held(resources);
        let is_same = now
            .iter()
            .all(|(profile, content)| match (then.get(*profile), content) {
                (Some(then), Some(now)) => then == now.as_str(),
                (None, Some(_)) => true,
                (_, None) => false,
            });
        let is_new = now.iter().any(|(profile, _)| !then.contains_key(*profile));
        if is_same && is_new && !self.looks {
            store.remember(root, &now)?;
        }
        Ok(is_same)
    }

    fn ask(mut self, root: PathBuf, resources: Resources, changed: Option<PathBuf>) -> Outcome {
        let Some(interface) = self.interface.take() else {
            let source = changed.map_or(Source::NoInterface, Source::Changed);
            return Outcome::untrusted(resources, source);
        };
        let prompt = Prompt {
            project: &root,
            parent: root.parent(),
            resources: &resources,
            has_changed: changed.is_some(),
            can_save: self.store.is_some(),
        };
        let chosen = catch_unwind(AssertUnwindSafe(|| interface.choose(&prompt)));
        let Ok(Some(choice)) = chosen else {
            return Outcome::untrusted(resources, Source::Closed);
        };
        self.chosen(choice, root, resources)
    }

    fn chosen(&mut self, choice: Choice, root: PathBuf, resources: Resources) -> Outcome {
        if let Some(session) = &mut self.session {
            match choice {
                Choice::TrustForSession | Choice::DoNotTrustForSession => {
                    session.keep(&root, choice.is_trusted(), &held(&resources));
                }
                Choice::Trust | Choice::TrustParent | Choice::DoNotTrust => session.forget(&root),
            }
        }
        match self.keep(choice, &root, &resources) {
            Ok(saved) => {
                let outcome = if choice.is_trusted() {
                    let covers = Covers::these(&resources);
                    trusted(root, covers, resources, Source::Asked(choice))
                } else {
                    Outcome::untrusted(resources, Source::Asked(choice))
                };
                outcome.saved(saved)
            }
            Err(error) => Outcome::untrusted(resources, Source::StoreUnusable(error)),
        }
    }

    /// Saves what was chosen; whether anything was.
    fn keep(&self, choice: Choice, root: &Path, resources: &Resources) -> Result<bool, Error> {
        let Some(store) = self.store else { return Ok(false) };
        let parent = root.parent();
        let changes: &[(&Path, Save)] = match (choice, parent) {
            (Choice::Trust, _) | (Choice::TrustParent, None) => &[(root, Save::Yes)],
            (Choice::TrustParent, Some(parent)) => &[(parent, Save::Yes), (root, Save::Forget)],
            (Choice::DoNotTrust, _) => &[(root, Save::No)],
            (Choice::TrustForSession | Choice::DoNotTrustForSession, _) => return Ok(false),
        };
        // First what was trusted, then that it is: the other way round, an end between both would trust anything.
        if choice.is_trusted() {
            store.remember(root, &held(resources))?;
        }
        store.save(changes)?;
        Ok(true)
    }
}

/// What each profile holds now.
fn held(resources: &Resources) -> Vec<(&str, Option<Fingerprint>)> {
    let profiles = resources.profiles();
    profiles
        .map(|profile| (profile, resources.fingerprint(profile)))
        .collect()
}

fn trusted(root: PathBuf, covers: Covers, resources: Resources, source: Source) -> Outcome {
    let project = TrustedProject::of(root, covers);
    Outcome::new(Decision::Trusted(project), resources, source)
}
