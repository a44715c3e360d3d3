use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use super::args::{Adapt, Command, Program, Run};
use super::exit::Exit;
use super::folder::Folder;
use super::liars;
use super::{profile, render};
use crate::fixture::Family;
use crate::os::{disk, process};
use crate::report::{self, Column, Depth, Matrix, Report};
use crate::straw::{Lie, serve};
use crate::{Baseline, Error, ErrorKind, Manifest, Profile, Selection, mutate, random, run, scaffold, words};

/// Does what the command line says.
#[must_use]
pub fn main(program: Program) -> ExitCode {
    match obey(program) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            Exit::from(error.kind()).into()
        }
    }
}

fn obey(program: Program) -> Result<ExitCode, Error> {
    let folder = || Folder::read(&program.folder);
    match program.command {
        Command::Run(args) => run_families(&folder()?, &args).map(Into::into),
        Command::Lint => {
            let folder = folder()?;
            folder.own_mounts(|_| true);
            let faults = folder.lint(|_| true)?;
            for fault in &faults {
                eprintln!("{fault}");
            }
            for untried in folder.untried() {
                println!("not tried, for want of mounts: {untried}");
            }
            let variants: usize = folder
                .sources
                .iter()
                .map(|source| source.family.variants.len())
                .sum();
            println!(
                "{} families, {variants} variants, {} faults",
                folder.sources.len(),
                faults.len()
            );
            Ok(if faults.is_empty() {
                Exit::Conforms
            } else {
                Exit::Fault
            }
            .into())
        }
        Command::SelfTest {
            subject: Some(subject),
            seed,
            ..
        } => liars::wires(&folder()?, &subject, seed).map(Into::into),
        Command::SelfTest {
            write, whole, seed, ..
        } => liars::self_test(&folder()?, write, whole, seed).map(Into::into),
        Command::New { id } => {
            let file = program.folder.join("cases").join(format!("{id}.toml"));
            let text = scaffold::family(&id)?;
            if disk::is_there(&file) {
                return Err(Error::new(ErrorKind::Usage, "it exists").within(&file));
            }
            if let Some(parent) = file.parent() {
                disk::make_dirs(parent)?;
            }
            disk::write(&file, text)?;
            println!("{}", file.display());
            Ok(Exit::Conforms.into())
        }
        Command::Try { id } => liars::try_family(&folder()?, &id).map(Into::into),
        Command::List { rules, holes, lies } => {
            if lies {
                for lie in Lie::ALL {
                    println!("{:<20} {}", lie.name, lie.about);
                }
            } else {
                list(&folder()?, rules, holes);
            }
            Ok(Exit::Conforms.into())
        }
        Command::Manifest => {
            let folder = folder()?;
            disk::write(&folder.manifest(), Manifest::of(&folder.sources).write())?;
            profile::refresh_drafts(&folder)?;
            Ok(Exit::Conforms.into())
        }
        Command::Profile { name, write } => {
            profile::profile(&folder()?, name.as_deref(), write).map(Into::into)
        }
        Command::Report {
            results,
            html,
            findings,
            markdown,
            junit,
        } => {
            let depth = if findings { Depth::Findings } else { Depth::Checks };
            render::render(
                &folder()?,
                &results,
                html.as_deref(),
                depth,
                markdown.as_deref(),
                junit.as_deref(),
            )
            .map(Into::into)
        }
        Command::Score(args) => super::score::score(&program.folder, &args).map(Into::into),
        Command::Straw { lie, tell } => match Lie::named(&lie) {
            Some(lie) => Ok(serve(lie, tell)),
            None => Err(Error::new(
                ErrorKind::Usage,
                format!("`{lie}` is no lie; `list --lies` names them"),
            )),
        },
        Command::Adapt(Adapt::ClaudeCodeHook(args)) => super::adapt::claude_code_hook(args),
        Command::Adapt(Adapt::McpFilesystem {
            subject_version,
            command,
        }) => Ok(crate::adapt::mcp_filesystem(command, subject_version)),
        Command::Mutate { way, subject } => mutate::mutate(&way, &subject),
    }
}

fn run_families(folder: &Folder, args: &Run) -> Result<Exit, Error> {
    let profile = args.profile.as_deref();
    let profile = profile
        .map(|name| Profile::named(&folder.profiles, name))
        .transpose()?;
    let selection = Selection::new(profile.map_or_else(|| args.only.clone(), Profile::families));
    folder.own_mounts(|family| !selection.variants(family).is_empty());
    let faults = folder.lint(|family| !selection.variants(family).is_empty())?;
    if !faults.is_empty() {
        for fault in &faults {
            eprintln!("{fault}");
        }
        return Err(Error::fixture("the families are not sound; nothing was run"));
    }
    let families: Vec<&Family> = folder.sources.iter().map(|source| &source.family).collect();
    if let Some(idle) = selection.idle(&families).first() {
        return Err(Error::new(
            ErrorKind::Nothing,
            format!("`{idle}` selects nothing"),
        ));
    }
    let seed = args.seed.map_or_else(random::seed, Ok)?;
    let mut options = run::Options::new(split(&args.subject)?, seed);
    options.deadline = Duration::from_millis(args.deadline_ms);
    options.jobs = args.jobs;
    options.long_lived = args.long_lived;
    options.keep = args.keep;
    options.logs.clone_from(&args.logs);
    options.policy_note.clone_from(&args.policy_note);
    let mut report = run::run(&options, &folder.sources, &selection)?;
    if process::is_set("CI") {
        let missing = words::HOST
            .iter()
            .find(|word| !report.header.host.iter().any(|there| there == *word));
        if let Some(missing) = missing {
            return Err(Error::new(
                ErrorKind::Host,
                format!("this machine lacks {missing}"),
            ));
        }
    }
    let stale = match &args.baseline {
        Some(file) => {
            let baseline = Baseline::read(&disk::text(file)?).map_err(|error| error.within(file))?;
            baseline.apply(&mut report, args.only.is_empty() && profile.is_none())
        }
        None => Ok(()),
    };
    let conforms = profile.is_none_or(|profile| profile.claim(&mut report));
    if let Some(file) = &args.results {
        disk::write(file, report::write(&report)?)?;
    }
    if let Some(file) = &args.junit {
        disk::write(file, report::junit(&report))?;
    }
    if let Some(file) = &args.html {
        let columns = [Column::Ran(Box::new(report.clone()))];
        let matrix = Matrix::new(&folder.spec, &folder.sources, &columns);
        disk::write(file, report::page(&matrix, Depth::Findings))?;
    }
    print!("{}", report::table(&report));
    stale?;
    Ok(match verdict(&report) {
        Exit::Conforms if !conforms => Exit::Fails,
        exit => exit,
    })
}

pub(super) fn verdict(report: &Report) -> Exit {
    let counts = report.counts();
    if counts.error > 0 {
        Exit::Fault
    } else if counts.fail > 0 || report.farewell.is_some() {
        Exit::Fails
    } else if counts.xpass > 0 {
        Exit::StaleBaseline
    } else if counts.pass + counts.xfail + counts.fail_should == 0 {
        // Everything unsupported: nothing ran.
        Exit::Nothing
    } else {
        Exit::Conforms
    }
}

fn list(folder: &Folder, rules: bool, holes: bool) {
    if rules || holes {
        for rule in folder.spec.rules() {
            let families: Vec<&str> = folder
                .sources
                .iter()
                .filter(|source| source.family.rules.contains(&rule.id))
                .map(|source| source.family.id.as_str())
                .collect();
            if holes && !families.is_empty() {
                continue;
            }
            let families = if families.is_empty() {
                "-".to_owned()
            } else {
                families.join(" ")
            };
            println!("{:<14} {families}", rule.id);
        }
        return;
    }
    for source in &folder.sources {
        let family = &source.family;
        println!("{:<40} {:>3}  {}", family.id, family.variants.len(), family.title);
    }
}

/// Splits a command at blanks. Quotes group words; a word with a slash that names a file here is made absolute,
/// because the subject is started elsewhere.
pub(super) fn split(command: &str) -> Result<Vec<OsString>, Error> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for char in command.chars() {
        match (quote, char) {
            (Some(open), char) if open == char => quote = None,
            (None, '\'' | '"') => {
                quote = Some(char);
                word.get_or_insert_default();
            }
            (None, char) if char.is_whitespace() => words.extend(word.take()),
            (_, char) => word.get_or_insert_default().push(char),
        }
    }
    words.extend(word);
    if quote.is_some() || words.is_empty() {
        return Err(Error::new(ErrorKind::Usage, format!("`{command}` is no command")));
    }
    let here = disk::here()?;
    Ok(words
        .into_iter()
        .map(|word| {
            let place = here.join(&word);
            let is_file = word.contains('/') && Path::new(&word).is_relative() && disk::is_there(&place);
            if is_file {
                place.into_os_string()
            } else {
                word.into()
            }
        })
        .collect())
}
