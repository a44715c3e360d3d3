//! Who is asked: whoever sits here, or whoever sits at the desk.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use portcullis::SystemClock;
use portcullis::config::{UserConfig, WhoIsAsked};
use portcullis::desk::Desk;

use crate::failure::Failure;
use crate::scene::Scene;
use crate::surroundings::Surroundings;

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Who {
    /// Whoever sits where the call is made
    Here,
    /// Whoever sits at `portcullis desk`; without a desk the call does not run
    Desk,
}

/// Flags that say who is asked.
#[derive(Debug, Clone, Args)]
pub(crate) struct ApproverArgs {
    /// Who answers [default: your policy's `approval.approver`, else here]
    #[arg(long, value_enum, value_name = "WHO")]
    approver: Option<Who>,

    #[command(flatten)]
    place: Place,
}

/// Where the desk is.
#[derive(Debug, Clone, Args)]
pub(crate) struct Place {
    /// The desk's own directory [default: portcullis in XDG_RUNTIME_DIR, else desk in your state directory]
    #[arg(long = "desk", value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Place {
    pub(crate) fn find(&self, around: &Surroundings) -> Result<PathBuf, Failure> {
        match &self.directory {
            Some(directory) => around.absolute(directory),
            None => around.desk_directory(),
        }
    }
}

impl ApproverArgs {
    /// The scene with another desk's place protected as well, and the desk, when it is the one to be asked.
    pub(crate) fn choose(
        &self,
        mut scene: Scene,
        around: &Surroundings,
        clock: &SystemClock,
    ) -> Result<(Scene, Option<Desk>), Failure> {
        let place = self.place.find(around)?;
        if self.place.directory.is_some() {
            scene.builder = scene.builder.desk(&place);
        }
        let desk = self.is_desk(scene.user.as_ref()).then(|| {
            let desk = Desk::at(place, clock.clone());
            desk.working_at(scene.cwd.to_string_lossy())
        });
        Ok((scene, desk))
    }

    fn is_desk(&self, user: Option<&UserConfig>) -> bool {
        match self.approver {
            Some(who) => who == Who::Desk,
            None => user.and_then(|user| user.settings.approver) == Some(WhoIsAsked::Desk),
        }
    }
}
