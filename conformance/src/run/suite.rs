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
    let mut farewell = None;
    let mut order = VecDeque::from(random::shuffle(chosen, options.seed, |(source, _)| {
        source.family.id.clone()
    }));
    let rows = if options.long_lived {
        let mut subject = Some(first);
        let mut rows = Vec::new();
        for (source, variants) in order {
            rows.extend(run_family(
                &mut subject,
                options,
                &source.family,
                &variants,
                &host,
            )?);
        }
        farewell = subject.and_then(|subject| subject.end().err());
        rows
    } else {
        if let Err(what) = first.end() {
            farewell = Some(what);
        }
        order.make_contiguous();
        side_by_side(options, order, &host)?
    };
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

/// A fresh process for each family, several at a time.
fn side_by_side(
    options: &Options,
    order: VecDeque<(&Source, Vec<&Variant>)>,
    host: &[String],
) -> Result<Vec<Row>, Error> {
    let open = Mutex::new(order);
    let done = Mutex::new(Ok(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let next = open.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
                    let Some((source, variants)) = next else { break };
                    let mut subject = None;
                    let rows = run_family(&mut subject, options, &source.family, &variants, host);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    match (&mut *done, rows) {
                        (Ok(all), Ok(rows)) => all.extend(rows),
                        (Ok(_), Err(error)) => *done = Err(error),
                        (Err(_), _) => break,
                    }
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}
