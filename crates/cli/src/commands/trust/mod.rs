mod menu;
mod report;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use portcullis::trust::{Choice, Error, ErrorKind, Inquiry, Outcome, Profile, Source};
use portcullis::{Decision, trust::Store};

use crate::exit_codes::{DONE, REFUSED};
use crate::failure::Failure;
use crate::surroundings::Surroundings;

const EXAMPLES: &str = "\
Examples:
  portcullis trust status
  portcullis trust yes ~/app
  portcullis trust status --profile pi --json

Trust says whether files that came with a project may change the agent. It is not a file
permission, and it does not remove prompt injection: what the agent reads as context is read in
any case.";

/// Decide whether a project's own files may change the agent
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Trust {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Say whether a project is trusted, by which step, and what in it needs trust; exit code 1 when it is not
    Status(About),
    /// Show what needs trust and ask on the terminal; exit code 1 when it is not trusted
    Ask(Ask),
    /// Trust a project from now on, as it is now
    Yes(Chosen),
    /// Do not trust a project, now and later
    No(Chosen),
    /// Take back what was decided
    Forget(Saved),
    /// Print every saved decision
    List {
        /// The same as data, one line for each
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
struct About {
    /// The project [default: the current directory]
    directory: Option<PathBuf>,

    /// Only the files of this agent; give it again for more [default: every agent that is known]
    #[arg(long, value_name = "NAME")]
    profile: Vec<String>,

    /// The same as data
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Ask {
    #[command(flatten)]
    about: About,

    /// Only for this session: nothing is saved, the answer is the output and the exit code
    #[arg(long)]
    session: bool,
}

#[derive(Debug, Args)]
struct Chosen {
    #[command(flatten)]
    saved: Saved,

    /// Only for this session: nothing is saved, the answer is the output and the exit code
    #[arg(long, conflicts_with = "parent")]
    session: bool,
}

#[derive(Debug, Args)]
struct Saved {
    #[command(flatten)]
    about: About,

    /// Decide for every project in the directory above
    #[arg(long)]
    parent: bool,
}

impl Trust {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        let store = around.trust_store()?;
        match self.action {
            Action::Status(about) => {
                let subject = Subject::of(&about, around)?;
                report::status(&subject.directory, &subject.inquiry(&store).look(), about.json)
            }
            Action::Ask(ask) => {
                let subject = Subject::of(&ask.about, around)?;
                menu::terminal()?;
                let mut menu = menu::Menu::of(if ask.session { &FOR_SESSION } else { &Choice::ALL });
                let outcome = subject.inquiry(&store).interface(&mut menu).decide();
                saveable(&outcome)?;
                report::status(&subject.directory, &outcome, ask.about.json)
            }
            Action::Yes(chosen) => {
                let choice = match (chosen.session, chosen.saved.parent) {
                    (true, _) => Choice::TrustForSession,
                    (false, true) => Choice::TrustParent,
                    (false, false) => Choice::Trust,
                };
                choose(&chosen.saved, choice, &store, around)
            }
            Action::No(chosen) => {
                let choice = if chosen.session {
                    Choice::DoNotTrustForSession
                } else {
                    Choice::DoNotTrust
                };
                choose(&chosen.saved, choice, &store, around)
            }
            Action::Forget(saved) => {
                let directory = saved.directory(around)?;
                let before = store.load().map_err(|error| unusable(&error))?;
                store.forget(&directory).map_err(|error| unusable(&error))?;
                let now = store.load().map_err(|error| unusable(&error))?;
                report::forgotten(&directory, &before, &now, saved.about.json)
            }
            Action::List { json } => {
                let saved = store.load().map_err(|error| unusable(&error))?;
                report::list(&saved, json)
            }
        }
    }
}

/// What can be chosen when nothing is to be saved.
const FOR_SESSION: [Choice; 2] = [Choice::TrustForSession, Choice::DoNotTrustForSession];

fn choose(saved: &Saved, choice: Choice, store: &Store, around: &Surroundings) -> Result<u8, Failure> {
    let mut subject = Subject::of(&saved.about, around)?;
    if saved.parent && choice == Choice::DoNotTrust {
        subject.directory = saved.directory(around)?;
    }
    let outcome = subject.inquiry(store).choose(choice);
    saveable(&outcome)?;
    report::status(&subject.directory, &outcome, saved.about.json).map(|_| DONE)
}

/// What a decision is about.
struct Subject {
    directory: PathBuf,
    home: PathBuf,
    profiles: Vec<Profile>,
}

impl Subject {
    fn of(about: &About, around: &Surroundings) -> Result<Self, Failure> {
        let names: Vec<&str> = match about.profile.as_slice() {
            [] => Profile::names().collect(),
            named => named.iter().map(String::as_str).collect(),
        };
        let profiles = names.into_iter().map(Profile::built_in).collect::<Result<_, _>>();
        Ok(Self {
            directory: about.directory(around)?,
            home: around.home()?.to_path_buf(),
            profiles: profiles.map_err(|error| Failure::usage(error.to_string(), "name one of these"))?,
        })
    }

    fn inquiry<'a>(&'a self, store: &'a Store) -> Inquiry<'a> {
        Inquiry::new(&self.directory, self.profiles.clone())
            .home(&self.home)
            .store(store)
    }
}

impl About {
    /// The canonical directory: what is decided holds for the place, not for a spelling of it.
    fn directory(&self, around: &Surroundings) -> Result<PathBuf, Failure> {
        let named = match &self.directory {
            Some(directory) => around.absolute(directory)?,
            None => around.current()?.to_path_buf(),
        };
        crate::files::canonical_directory(&named)
    }
}

impl Saved {
    fn directory(&self, around: &Surroundings) -> Result<PathBuf, Failure> {
        let directory = self.about.directory(around)?;
        match directory.parent() {
            Some(parent) if self.parent => Ok(parent.to_path_buf()),
            _ => Ok(directory),
        }
    }
}

/// A decision that cannot be looked up or saved is an error.
fn saveable(outcome: &Outcome) -> Result<(), Failure> {
    match &outcome.source {
        Source::StoreUnusable(error) => Err(unusable(error)),
        _ => Ok(()),
    }
}

/// Ours where the system fails; the user's where the store is not what it should be.
fn unusable(error: &Error) -> Failure {
    match error.kind() {
        ErrorKind::Io | ErrorKind::Locked => Failure::fault(error.to_string(), error.hint()),
        _ => Failure::input(error.to_string(), error.hint()),
    }
}

/// `status` and `ask` say it with their code too.
fn code(outcome: &Outcome) -> u8 {
    match outcome.decision {
        Decision::Trusted(_) => DONE,
        Decision::Untrusted => REFUSED,
    }
}
