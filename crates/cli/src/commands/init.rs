use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use portcullis::config::PROJECT_POLICY;

use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::files;
use crate::scene::USER_POLICY;
use crate::surroundings::Surroundings;

/// What `init` writes for a user.
const USER_TEMPLATE: &str = include_str!("../../templates/user.toml");
/// What `init --project` writes.
const PROJECT_TEMPLATE: &str = include_str!("../../templates/project.toml");

const EXAMPLES: &str = "\
Examples:
  portcullis init
  portcullis init --project --workspace ~/app

A file that exists is never overwritten.";

/// Write a commented policy and print where
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Init {
    /// Your own policy, in your configuration directory (the default)
    #[arg(long, conflicts_with = "project")]
    user: bool,

    /// A project's policy, which can only tighten: .portcullis/policy.toml in the workspace
    #[arg(long)]
    project: bool,

    /// The project [default: the current directory]
    #[arg(long, value_name = "DIR", requires = "project")]
    workspace: Option<PathBuf>,
}

impl Init {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        let (path, template) = if self.project {
            let root = match &self.workspace {
                Some(root) => around.absolute(root)?,
                None => around.current()?.to_path_buf(),
            };
            (root.join(PROJECT_POLICY), PROJECT_TEMPLATE)
        } else {
            (around.config_directory()?.join(USER_POLICY), USER_TEMPLATE)
        };
        files::write_new(&path, template)?;
        let mut stdout = anstream::stdout().lock();
        writeln!(stdout, "{}", path.display())?;
        stdout.flush()?;
        Ok(DONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_template_is_a_policy_whose_examples_hold() {
        let config = portcullis::config::parse_user(USER_TEMPLATE, "user.toml").unwrap();
        assert!(!config.rules.rules.is_empty());
        assert!(!config.rules.zones.is_empty());
    }
}
