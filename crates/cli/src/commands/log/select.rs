//! Which records are meant.

use std::path::Path;

use clap::Args;
use portcullis::audit::{Entry, Filter, Reader, Selection};
use portcullis::{Clock as _, RefusalKind, SystemClock};

use super::unreadable;
use crate::exit_codes::{DONE, REFUSED};
use crate::failure::Failure;
use crate::surroundings::Surroundings;

/// Flags that choose records; every one that is given has to fit.
#[derive(Debug, Args)]
#[command(next_help_heading = "Which records")]
pub(super) struct Select {
    /// Of this session
    #[arg(long, value_name = "ID")]
    session: Option<String>,

    /// Of this call
    #[arg(long, value_name = "ID")]
    call: Option<String>,

    /// Of this tool
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,

    /// `asked`, `permitted`, `refused`, `handed_to_host`, or why it was refused, such as `policy` or `timeout`
    #[arg(long, value_name = "WORD")]
    decision: Option<String>,

    /// About this path or anything below it
    #[arg(long, value_name = "PATH")]
    resource: Option<std::path::PathBuf>,

    /// From this time on: 2026-11-30, 2026-11-30T10:00:00Z, or 30m, 12h, 7d ago
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Before this time
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

impl Select {
    fn begin(&self, around: &Surroundings) -> Result<Selection, Failure> {
        let now = SystemClock::new().wall_ms();
        let moment = |text: &Option<String>| match text {
            None => Ok(None),
            Some(text) => Filter::moment(text, now).map(Some).ok_or_else(|| {
                Failure::usage(
                    format!("`{}` is not a time", portcullis::visible(text, 100)),
                    "write 2026-11-30, 2026-11-30T10:00:00Z, or 30m, 12h, 7d for a time before now",
                )
            }),
        };
        let mut filter = Filter::all();
        filter.session.clone_from(&self.session);
        filter.call.clone_from(&self.call);
        filter.tool.clone_from(&self.tool);
        filter.decision.clone_from(&self.decision);
        filter.since_ms = moment(&self.since)?;
        filter.until_ms = moment(&self.until)?;
        if let (Some(since), Some(until)) = (filter.since_ms, filter.until_ms)
            && since >= until
        {
            return Err(Failure::usage(
                "nothing is from `--since` on and before `--until`",
                "name an earlier time first, and a later one then",
            ));
        }
        if let Some(word) = self.decision.as_deref().filter(|word| !is_decision(word)) {
            let codes: Vec<&str> = RefusalKind::ALL.map(RefusalKind::code).into();
            return Err(Failure::usage(
                format!("`{}` is no decision", portcullis::visible(word, 100)),
                format!("one of {}, {}", DECISIONS.join(", "), codes.join(", ")),
            ));
        }
        filter.resource = match &self.resource {
            None => None,
            Some(path) => Some(around.absolute(path)?.to_string_lossy().into_owned()),
        };
        Ok(filter.select())
    }

    /// Hands out the chosen records in order. The code says whether the log was whole as far as it was read.
    pub(super) fn each(
        &self,
        place: &Path,
        around: &Surroundings,
        mut take: impl FnMut(Entry) -> Result<(), Failure>,
    ) -> Result<u8, Failure> {
        let mut selection = self.begin(around)?;
        let reader = Reader::open(place).map_err(|error| unreadable(&error))?;
        let mut taken = 0_u64;
        for entry in reader {
            match entry {
                Ok(entry) if selection.takes(&entry) => {
                    taken += 1;
                    take(entry)?;
                }
                Ok(_) => {}
                Err(fault) => {
                    anstream::eprintln!("error: the log is not whole: {fault}");
                    return Ok(REFUSED);
                }
            }
        }
        if taken == 0 {
            anstream::eprintln!("note: the log has no such record");
        }
        Ok(DONE)
    }
}

/// What a decision may be, beside the reasons of refusals.
const DECISIONS: [&str; 4] = ["asked", "permitted", "refused", "handed_to_host"];

fn is_decision(word: &str) -> bool {
    DECISIONS.contains(&word) || RefusalKind::ALL.iter().any(|kind| kind.code() == word)
}
