use std::io::Write as _;

use clap::{Args, Subcommand};
use portcullis::audit::rfc3339;
use portcullis::{Clock as _, GrantError, GrantId, GrantStore, KeptGrant, SystemClock, visible};
use serde_json::{Value, json};

use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::surroundings::Surroundings;

const EXAMPLES: &str = "\
Examples:
  portcullis grants list
  portcullis grants show 0123456789abcdef
  portcullis grants revoke 0123456789abcdef

A grant lets the same tool do the same to the same places, or below a directory that you named, until
it ends, or your policy says something new about the call. A command is covered as a whole, with what
the files hold that say what it runs. Nothing that is denied is covered, no private data, and no
command that is not understood. Gates look anew before every question: what is taken back here is
gone at once. While the clock shows less than it did before, nothing that is kept here is granted:
setting it back lengthens no grant. Where it was ahead by mistake, take back what is left and run
`prune`: an empty store begins anew with the time of now. Grants that were not asked to survive a
restart live in their gate alone, and are not listed here.";

/// Print what was allowed for longer, or take it back
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Grants {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print every grant that is kept
    List {
        /// The same as data, one line for each
        #[arg(long)]
        json: bool,
    },
    /// Print all about one grant
    Show {
        /// Its id
        id: String,

        /// The same as data
        #[arg(long)]
        json: bool,
    },
    /// Take a grant back
    Revoke {
        /// Its id
        id: String,
    },
    /// Remove what has ended
    Prune,
}

impl Grants {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        let store = GrantStore::new(around.grants_file()?);
        let now = SystemClock::new().wall_ms();
        let mut stdout = anstream::stdout().lock();
        match self.action {
            Action::List { json } => {
                for kept in store.list().map_err(unusable)? {
                    match json {
                        true => writeln!(stdout, "{}", data(&kept, now))?,
                        false => writeln!(stdout, "{}", line(&kept, now))?,
                    }
                }
            }
            Action::Show { id, json } => {
                let id = read(&id)?;
                let all = store.list().map_err(unusable)?;
                let kept = all
                    .iter()
                    .find(|kept| kept.grant.id == id)
                    .ok_or_else(|| none(id))?;
                match json {
                    true => writeln!(stdout, "{}", data(kept, now))?,
                    false => write!(stdout, "{}", sentences(kept, now))?,
                }
            }
            Action::Revoke { id } => {
                let id = read(&id)?;
                if !store.revoke(id).map_err(unusable)? {
                    return Err(none(id));
                }
            }
            Action::Prune => {
                let gone = store.prune(now).map_err(unusable)?;
                writeln!(stdout, "{gone} removed")?;
            }
        }
        stdout.flush()?;
        Ok(DONE)
    }
}

fn read(id: &str) -> Result<GrantId, Failure> {
    GrantId::read(id).ok_or_else(|| {
        Failure::usage(
            format!("`{}` is not the id of a grant", visible(id, 100)),
            "`portcullis grants list` prints them",
        )
    })
}

fn none(id: GrantId) -> Failure {
    Failure::usage(
        format!("there is no grant {id}"),
        "`portcullis grants list` prints those that are kept",
    )
}

fn unusable(error: GrantError) -> Failure {
    Failure::fault(error.to_string(), error.hint())
}

fn state(kept: &KeptGrant, now: i64) -> &'static str {
    match (kept.has_ended(now), kept.is_in_force(now)) {
        (true, _) => "ended",
        (false, true) => "in force",
        // The clock is behind a time that it showed before.
        (false, false) => "not yet",
    }
}

fn line(kept: &KeptGrant, now: i64) -> String {
    let grant = &kept.grant;
    let resources: Vec<String> = grant
        .resources
        .iter()
        .map(|(kind, place)| format!("{} {place}", kind.word()))
        .collect();
    let below = grant.directory.as_ref().map_or_else(String::new, |directory| {
        format!(", and the same below {directory}")
    });
    format!(
        "{}  {:<8}  until {}  {}: {}{below}",
        grant.id,
        state(kept, now),
        rfc3339(kept.expires_ms),
        visible(&grant.tool, 100),
        resources.join(", ")
    )
}

fn sentences(kept: &KeptGrant, now: i64) -> String {
    let grant = &kept.grant;
    let mut text = format!("{}\n", line(kept, now));
    let rules: Vec<String> = kept.rules.iter().map(|rule| visible(rule, 100)).collect();
    for (what, said) in [
        ("given", rfc3339(kept.given_ms)),
        ("user", visible(&grant.user, 100)),
        ("policy", visible(&grant.policy, 100)),
        ("rules that asked", rules.join(", ")),
        (
            "session",
            grant
                .session
                .as_deref()
                .map_or_else(|| "any".to_owned(), |session| visible(session, 100)),
        ),
    ] {
        text.push_str(&format!("  {what}: {said}\n"));
    }
    text
}

fn data(kept: &KeptGrant, now: i64) -> Value {
    let grant = &kept.grant;
    let resources: Vec<Value> = grant
        .resources
        .iter()
        .map(|(kind, place)| json!({"kind": kind.word(), "place": place}))
        .collect();
    json!({
        "id": grant.id.to_string(),
        "state": state(kept, now),
        "tool": grant.tool,
        "resources": resources,
        "directory": grant.directory,
        "session": grant.session,
        "user": grant.user,
        "policy": grant.policy,
        "rules": kept.rules,
        "given": rfc3339(kept.given_ms),
        "expires": rfc3339(kept.expires_ms),
    })
}
