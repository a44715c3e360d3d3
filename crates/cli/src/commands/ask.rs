use std::io::Write as _;
use std::time::Duration;

use clap::{Args, Subcommand};
use portcullis::desk::wire::{Answered, Asked, FromPerson, Nothing, Offered, Said, ToPerson};

use crate::approver::Place;
use crate::desk::{self, Person};
use crate::exit_codes::{DONE, REFUSED};
use crate::failure::Failure;
use crate::surroundings::Surroundings;

const EXAMPLES: &str = r#"Examples:
  portcullis ask list
  portcullis ask allow 5f0c3a9e1b7d42868d2f0a4c6e8b1357
  portcullis ask allow 5f0c3a9e1b7d42868d2f0a4c6e8b1357 --for 3600 --below /work/app/build
  portcullis ask deny 5f0c3a9e1b7d42868d2f0a4c6e8b1357 --reason "use git rm"

The exit code is 1 when the answer went nowhere: no such question is open, it was answered before,
its time is over, the gate does not wait any more, or it says more than the question offers."#;

/// How long a lasting allow lasts when nothing is said.
const HOUR_S: u64 = 3600;
/// Columns of a command.
const COLUMNS: usize = 96;

/// Answer questions of the desk from a script
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Ask {
    #[command(subcommand)]
    what: What,

    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the open questions, oldest first
    List {
        /// One line of JSON for each question
        #[arg(long)]
        json: bool,
    },
    /// Say yes to one question
    Allow {
        /// The question
        id: String,
        /// And to exactly the same again, for so many seconds [default with the flags below: 3600]
        #[arg(long = "for", value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=2_592_000))]
        lasts_s: Option<u64>,
        /// And to exactly the same again, in this session only
        #[arg(long)]
        this_session: bool,
        /// And to the same below this directory, which is one of those offered
        #[arg(long, value_name = "DIR")]
        below: Option<String>,
        /// And also after a restart of the gate
        #[arg(long)]
        keep: bool,
    },
    /// Say no to one question
    Deny {
        /// The question
        id: String,
        /// Words for the agent
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
    },
}

impl Ask {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        let mut person = Person::meet(&self.place.find(around)?)?;
        match self.what {
            What::List { json } => list(&mut person, json),
            What::Allow {
                id,
                lasts_s: None,
                this_session: false,
                below: None,
                keep: false,
            } => answer(&mut person, id, Said::AllowOnce {}),
            What::Allow {
                id,
                lasts_s,
                this_session,
                below,
                keep,
            } => {
                let said = Said::AllowAlways {
                    lasts_s: lasts_s.unwrap_or(HOUR_S),
                    this_session,
                    below,
                    kept: keep,
                };
                answer(&mut person, id, said)
            }
            What::Deny { id, reason } => answer(&mut person, id, Said::Deny { reason }),
        }
    }
}

fn list(person: &mut Person, json: bool) -> Result<u8, Failure> {
    let ToPerson::Questions(questions) = person.say(&FromPerson::List(Nothing {}))? else {
        return Err(desk::not_understood());
    };
    let mut stdout = anstream::stdout().lock();
    // Whoever said it: it is shown here.
    for asked in questions.into_iter().map(Asked::safe) {
        if json {
            let line = serde_json::to_string(&asked).map_err(std::io::Error::from)?;
            writeln!(stdout, "{line}")?;
        } else {
            write!(stdout, "{}", shown(&asked))?;
        }
    }
    stdout.flush()?;
    Ok(DONE)
}

fn shown(asked: &Asked) -> String {
    let left = desk::span(Duration::from_millis(asked.remaining_ms));
    let mut text = format!("{}  {} ({left} left)\n", asked.id, desk::heading(asked));
    for row in desk::commands(asked, COLUMNS) {
        text.push_str(&format!("    {row}\n"));
    }
    for effect in &asked.effects {
        text.push_str(&format!("    {effect}\n"));
    }
    for cause in desk::causes(asked) {
        text.push_str(&format!("  because {cause}\n"));
    }
    text.push_str(&format!("  call {}, from {}\n", asked.call, asked.from));
    text.push_str(&offered(&asked.offers));
    text
}

/// What can be said besides once.
fn offered(offers: &Offered) -> String {
    let mut flags = Vec::new();
    if offers.for_a_time {
        flags.push("--for SECONDS".to_owned());
    }
    if offers.in_session {
        flags.push("--this-session".to_owned());
    }
    if offers.kept {
        flags.push("--keep".to_owned());
    }
    if offers.for_a_time {
        flags.extend(
            offers
                .below
                .iter()
                .map(|directory| format!("--below {directory}")),
        );
    }
    let mut text = match flags.is_empty() {
        true => "  once only\n".to_owned(),
        false => format!("  once, or with {}\n", flags.join(", ")),
    };
    if let Some(because) = &offers.because {
        text.push_str(&format!("  {because}\n"));
    }
    text
}

fn answer(person: &mut Person, id: String, answer: Said) -> Result<u8, Failure> {
    match person.say(&FromPerson::Answer(Answered { id, answer }))? {
        ToPerson::Taken(_) => Ok(DONE),
        ToPerson::NotTaken(not) => {
            anstream::eprintln!("error: the answer was not taken: {}", desk::not_taken(not.why));
            anstream::eprintln!("hint: `portcullis ask list` shows the open questions");
            Ok(REFUSED)
        }
        _ => Err(desk::not_understood()),
    }
}
