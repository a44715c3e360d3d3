use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::Options;
use super::family::run_family;
use super::subject::Subject;
use crate::fixture::{Source, Variant};
use crate::host;
use crate::os::clock;
use crate::report::{Header, Report, Row};
use crate::select::Selection;
use crate::wire::{Kind, VERSION};
use crate::{Error, ErrorKind, random};

/// What a run brought.
pub type Outcome = Report;

/// Runs the selected families against the subject.
///
/// # Errors
/// Nothing was selected, the subject does not start, or this machine fails. What a subject does wrong is in the report.
pub fn run(options: &Options, sources: &[Source], selection: &Selection) -> Result<Outcome, Error> {
    let chosen: Vec<(&Source, Vec<&Variant>)> = sources
        .iter()
        .map(|source| (source, selection.variants(&source.family)))
        .filter(|(_, variants)| !variants.is_empty())
        .collect();
    if chosen.is_empty() {
        return Err(Error::new(ErrorKind::Nothing, "no family is selected"));
    }
    let host = host::features()?;
    let started = clock::now();
    let first = Subject::start(options)?;
    let hello = first.hello.clone();
    let mut order = VecDeque::from(random::shuffle(chosen, options.seed, |(source, _)| {
        source.family.id.clone()
    }));
    order.make_contiguous();
    let (first, farewell) = if options.long_lived {
        (Some(first), None)
    } else {
        (None, first.end().err())
    };
    let Done { rows, farewells } = side_by_side(options, order, &host, first)?;
    let farewell = farewell.or(farewells.into_iter().next());
    let header = Header {
        suite: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: VERSION,
        seed: options.seed,
        time: clock::seconds(),
        host,
        subject: hello.subject.name,
        version: hello.subject.version,
        kind: match hello.kind {
            Kind::Executes => "executes".to_owned(),
            Kind::Decides => "decides".to_owned(),
        },
        capabilities: hello.capabilities,
        policy: options.policy_note.clone(),
        profile: None,
    };
    let mut rows = rows;
    rows.sort_by(|a, b| (&a.family, &a.variant).cmp(&(&b.family, &b.variant)));
    let took = clock::now().duration_since(started);
    Ok(Report::new(header, rows, farewell, took))
}

/// What the threads of a run have brought so far.
#[derive(Default)]
struct Done {
    rows: Vec<Row>,
    farewells: Vec<String>,
}

/// Several families at a time: with a fresh process for each, or each thread with one that lives on.
fn side_by_side(
    options: &Options,
    order: VecDeque<(&Source, Vec<&Variant>)>,
    host: &[String],
    first: Option<Subject>,
) -> Result<Done, Error> {
    let open = Mutex::new(order);
    let first = Mutex::new(first);
    let done = Mutex::new(Ok(Done::default()));
    let add = |result: Result<Done, Error>| {
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        match (&mut *done, result) {
            (Ok(all), Ok(new)) => {
                all.rows.extend(new.rows);
                all.farewells.extend(new.farewells);
            }
            (Ok(_), Err(error)) => *done = Err(error),
            (Err(_), _) => {}
        }
        done.is_ok()
    };
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                let mut subject = first.lock().unwrap_or_else(PoisonError::into_inner).take();
                loop {
                    let next = open.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some((source, variants)) = next else { break };
                    if !options.long_lived {
                        subject = None;
                    }
                    let rows = run_family(&mut subject, options, &source.family, &variants, host);
                    let farewells = Vec::new();
                    if !add(rows.map(|rows| Done { rows, farewells })) {
                        break;
                    }
                }
                let farewell = subject
                    .filter(|_| options.long_lived)
                    .and_then(|subject| subject.end().err());
                add(Ok(Done {
                    rows: Vec::new(),
                    farewells: farewell.into_iter().collect(),
                }));
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
