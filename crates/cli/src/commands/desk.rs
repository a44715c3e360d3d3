use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use clap::Args;
use portcullis::SystemClock;
use portcullis::desk::wire::{FromPerson, Link, Nothing, ToPerson};
use portcullis::desk::{Held, Occupied, Room};

use crate::approver::Place;
use crate::desk::{self, Hall, Person};
use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::files;
use crate::surroundings::Surroundings;

const EXAMPLES: &str = r#"Examples:
  portcullis desk               a screen with everybody's questions
  portcullis desk --web         the same, and a page in the browser
  portcullis desk --no-screen   in the background; answer with `portcullis ask`

Gates ask here when your policy says `approver = "desk"` under [approval], or with
`--approver desk`. Whatever goes wrong with the desk, the call does not run. Closing it refuses what is open.

A desk tells users apart, not programs: whoever runs as you can answer as you."#;

/// One place where you answer for all agents
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Desk {
    /// Show no screen; answer on the page or with `portcullis ask`
    #[arg(long)]
    no_screen: bool,

    /// Show a page in the browser as well, on this machine only
    #[arg(long)]
    web: bool,

    /// The page's port [default: any that is free]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        requires = "web",
        hide_default_value = true
    )]
    port: u16,

    /// How long an opened page can be used, in seconds [default: 43200, half a day]
    #[arg(long, value_name = "SECONDS", requires = "web", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    page_seconds: Option<u64>,

    /// Print a link that opens the page of the desk that runs, once, and end
    #[arg(long, conflicts_with_all = ["no_screen", "web", "port", "page_seconds"])]
    link: bool,

    #[command(flatten)]
    place: Place,
}

impl Desk {
    pub(crate) fn run(self, around: &Surroundings) -> Result<u8, Failure> {
        let place = self.place.find(around)?;
        if self.link {
            return link(&place);
        }
        let held = move_in(&place)?;
        let clock = SystemClock::new();
        let hall = Arc::new(Hall::new(clock.clone()));
        let page = match self.web {
            true => Some(bind(self.port, self.page_seconds)?),
            false => None,
        };
        let doors = page.as_ref().map(|(_, doors)| Arc::clone(doors));
        desk::listen(&held, &hall, doors.as_ref(), &clock).map_err(|occupied| failure(occupied, &place))?;
        if let Some((listener, doors)) = page {
            desk::serve_page(listener, &doors, &hall, &clock);
        }
        let ended = match self.no_screen {
            true => stay(&place, &hall, doors.as_deref()),
            false => desk::show(&hall, doors.as_deref()).map_err(|error| {
                Failure::usage(
                    format!("there is no terminal for the screen: {}", files::reason(&error)),
                    "start it in a terminal, or with `--no-screen`",
                )
            }),
        };
        held.clear();
        ended.map(|()| DONE)
    }
}

/// The directory, made when it is missing, and held.
fn move_in(place: &Path) -> Result<Held, Failure> {
    files::make_private_directory(place)?;
    let room = Room::open(place).map_err(|_| failure(Occupied::Unsafe, place))?;
    room.hold().map_err(|occupied| failure(occupied, place))
}

fn failure(occupied: Occupied, place: &Path) -> Failure {
    let text = format!("{occupied} ({})", files::shown(place));
    match occupied {
        Occupied::Running => Failure::usage(text, "`portcullis ask list` shows its questions"),
        Occupied::Unsafe => Failure::fault(text, "it has to be yours with mode 0700, and no link"),
        _ => Failure::fault(text, "name another directory with `--desk`"),
    }
}

fn bind(port: u16, seconds: Option<u64>) -> Result<(std::net::TcpListener, Arc<desk::Doors>), Failure> {
    let lasts = seconds.map_or(desk::VISIT, Duration::from_secs);
    desk::bind_page(port, lasts).map_err(|error| {
        Failure::fault(
            format!("the page's port cannot be had: {}", files::reason(&error)),
            "choose another one with `--port`",
        )
    })
}

/// Says where it is, and stays until it is ended.
fn stay(place: &Path, hall: &Hall, doors: Option<&desk::Doors>) -> Result<(), Failure> {
    let mut stdout = anstream::stdout();
    writeln!(
        stdout,
        "desk {}",
        portcullis::visible(&place.to_string_lossy(), 1000)
    )?;
    if let Some(url) = doors.and_then(|doors| doors.link(hall.moment())) {
        writeln!(stdout, "page {url}")?;
    }
    stdout.flush()?;
    loop {
        thread::park();
    }
}

fn link(place: &Path) -> Result<u8, Failure> {
    match Person::meet(place)?.say(&FromPerson::Link(Nothing {}))? {
        ToPerson::Link(Link { url: Some(url) }) => {
            writeln!(anstream::stdout(), "{}", portcullis::visible(&url, 500))?;
            Ok(DONE)
        }
        ToPerson::Link(Link { url: None }) => Err(Failure::usage(
            "the desk that runs shows no page",
            "close it and start it with `--web`",
        )),
        _ => Err(desk::not_understood()),
    }
}
