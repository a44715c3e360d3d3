use std::path::Path;
use std::sync::PoisonError;

use super::Options;
use super::applies::applies;
use super::observe::SessionSeen;
use super::session::Session;
use super::subject::Subject;
use crate::fixture::{Family, Level, Variant};
use crate::grade::{Check, Finding, grade, verdicts};
use crate::os::disk;
use crate::report::{Row, Status};
use crate::sandbox::Sandbox;
use crate::straw::consulted;
use crate::{Error, ErrorKind};

/// Runs these variants of a family in one process.
pub(crate) fn run_family(
    subject: &mut Option<Subject>,
    options: &Options,
    family: &Family,
    variants: &[&Variant],
    host: &[String],
) -> Result<Vec<Row>, Error> {
    let mut rows = Vec::new();
    for variant in variants {
        let row = run_variant(subject, options, family, variant, host)?;
        let over = options.give_up && row.status != Status::Pass;
        rows.push(row);
        if over {
            break;
        }
    }
    Ok(rows)
}

fn run_variant(
    subject: &mut Option<Subject>,
    options: &Options,
    family: &Family,
    variant: &Variant,
    host: &[String],
) -> Result<Row, Error> {
    let row = |status, findings| Row {
        family: family.id.clone(),
        variant: variant.name.clone(),
        rules: family.rules.clone(),
        level: match family.level {
            Level::Must => "must".to_owned(),
            Level::Should => "should".to_owned(),
        },
        status,
        findings,
        needs: Vec::new(),
        seen: None,
        verdicts: Vec::new(),
        scored: true,
    };
    if subject.as_ref().is_none_or(|subject| subject.gone) {
        match Subject::start(options) {
            Ok(started) => *subject = Some(started),
            Err(error) if error.kind() == ErrorKind::SubjectStart => {
                let finding = Finding::new(Check::Protocol, "a subject that starts", error.to_string());
                return Ok(row(Status::Fail, vec![finding]));
            }
            Err(error) => return Err(error),
        }
    }
    let Some(subject) = subject else {
        return Err(Error::new(ErrorKind::Host, "no subject".to_owned()));
    };
    let applies = applies(family, &subject.hello.capabilities, host);
    if !applies.missing.is_empty() {
        return Ok(Row {
            needs: applies.missing,
            ..row(Status::Unsupported, Vec::new())
        });
    }
    let kind = subject.hello.kind;
    let done = Session::open(subject, options, family, variant).and_then(Session::run);
    let (seen, mut sandbox) = match done {
        Ok(done) => done,
        Err(error) => {
            let finding = Finding::new(Check::Protocol, "a runner without fault", error.to_string());
            return Ok(row(Status::Error, vec![finding]));
        }
    };
    if let Some(told) = &options.told {
        let names = disk::text(&sandbox.control.join(consulted::FILE))?;
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        for lie in names.lines() {
            let variants = told.entry(lie.to_owned()).or_default();
            variants.insert(format!("{}#{}", family.id, variant.name));
        }
    }
    let findings = match grade(variant, &seen, &sandbox, kind) {
        Ok(findings) => findings,
        Err(error) => {
            let finding = Finding::new(Check::Protocol, "a family without fault", error.to_string());
            return Ok(row(Status::Error, vec![finding]));
        }
    };
    if let Some(folder) = &options.logs {
        let name = format!("{}-{}.jsonl", family.id, variant.name).replace('/', "-");
        keep_log(&folder.join(name), &sandbox, &seen)?;
    }
    if options.keep {
        sandbox.keep();
        eprintln!(
            "kept {}#{}: {} and {}",
            family.id,
            variant.name,
            sandbox.root.display(),
            sandbox.control.display()
        );
    }
    let status = if findings.is_empty() {
        Status::Pass
    } else {
        Status::Fail
    };
    Ok(Row {
        needs: applies.without,
        seen: Some(seen.summary()),
        verdicts: verdicts(variant, &seen),
        ..row(status, findings)
    })
}

/// Copies the log that a variant left. One that the runner itself damaged says nothing about the subject.
fn keep_log(copy: &Path, sandbox: &Sandbox, seen: &SessionSeen) -> Result<(), Error> {
    let log = sandbox.audit();
    if seen.tampered || seen.forged || !disk::is_there(&log) || disk::is_directory(&log) {
        return Ok(());
    }
    copy.parent().map_or(Ok(()), disk::make_dirs)?;
    disk::write(copy, disk::bytes(&log)?)
}
