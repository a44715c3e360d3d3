//! What the environment of one run says, in the variables of this gate.

use portcullis::config::{ConfigError, RunConfig, parse_run};

use super::policy::{self, Roots};
use super::session::{Unserved, unserved, write};
use super::wire::{Open, Otherwise};
use super::words;
use crate::files;
use crate::scene::USER_POLICY;

/// What it says, or why it means nothing.
pub(super) type Said = Result<RunConfig, ConfigError>;

/// Reads it. This gate has no variable for another policy or another log; what is tried here is what somebody would try.
pub(super) fn said(open: &Open) -> Result<Said, Unserved> {
    let mut said: Vec<(&str, String)> = Vec::new();
    if let Some(run) = &open.run {
        let otherwise = run.otherwise.map(|word| match word {
            Otherwise::Ask => "confirm",
            Otherwise::Deny => "deny",
        });
        said.extend(otherwise.map(|word| ("PORTCULLIS_OTHERWISE", word.to_owned())));
        if let Some(elsewhere) = &run.config {
            let roots = Roots::of(&elsewhere.policy, &open.workspace, files::is_directory);
            let text = policy::user(&elsewhere.policy, &roots, words::tool)
                .map_err(|policy::Untold| unserved("the policy cannot be told to this gate"))?;
            let file = elsewhere.at.join(USER_POLICY);
            if !open.resume {
                write(&file, &text)?;
            }
            said.push(("PORTCULLIS_POLICY", file.to_string_lossy().into_owned()));
        }
        let log = run.audit.iter().map(|log| log.to_string_lossy().into_owned());
        said.extend(log.map(|log| ("PORTCULLIS_AUDIT_PATH", log)));
    }
    Ok(parse_run(
        said.iter().map(|(name, value)| (*name, value.as_str())),
    ))
}
