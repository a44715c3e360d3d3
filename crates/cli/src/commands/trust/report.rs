use std::io::Write as _;
use std::path::Path;

use portcullis::trust::{Choice, Outcome, Saved, Source};
use serde_json::json;

use crate::exit_codes::DONE;
use crate::failure::Failure;
use crate::files;

/// Prints the decision, where it came from, and what it is about.
pub(super) fn status(directory: &Path, outcome: &Outcome, json: bool) -> Result<u8, Failure> {
    let code = super::code(outcome);
    let is_trusted = code == DONE;
    let mut stdout = anstream::stdout().lock();
    if json {
        let found: Vec<_> = outcome
            .resources
            .found()
            .iter()
            .map(|resource| json!({"place": text(&resource.place), "profile": resource.profile}))
            .collect();
        let uncovered: Vec<_> = outcome
            .resources
            .uncovered()
            .iter()
            .map(|place| text(place))
            .collect();
        let line = json!({
            "directory": text(directory), "trusted": is_trusted, "step": step(&outcome.source),
            "because": outcome.source.to_string(), "saved": outcome.is_saved,
            "resources": found, "not_covered": uncovered,
        });
        writeln!(stdout, "{line}")?;
    } else {
        let word = if is_trusted { "trusted" } else { "not trusted" };
        let saved = if outcome.is_saved { " (saved)" } else { "" };
        writeln!(
            stdout,
            "{}: {word}: {}{saved}",
            files::shown(directory),
            because(&outcome.source)
        )?;
        for resource in outcome.resources.found() {
            writeln!(
                stdout,
                "  needs trust    {} ({})",
                files::shown(&resource.place),
                resource.profile
            )?;
        }
        for place in outcome.resources.uncovered() {
            writeln!(stdout, "  read anyway    {}", files::shown(place))?;
        }
    }
    stdout.flush()?;
    if let Some(next) = next_step(&outcome.source).filter(|_| !json) {
        anstream::eprintln!("hint: {next}");
    }
    Ok(code)
}

/// Where it came from, for people.
fn because(source: &Source) -> String {
    match source {
        Source::NoInterface => "nobody has decided about it yet".to_owned(),
        Source::Asked(Choice::TrustForSession | Choice::DoNotTrustForSession) => {
            "a person chose, for this once; nothing is saved".to_owned()
        }
        other => other.to_string(),
    }
}

/// What a person can do about it.
fn next_step(source: &Source) -> Option<&str> {
    match source {
        Source::NoInterface => Some(
            "look at these files, then `portcullis trust yes` trusts them as they are now, and `portcullis trust no` refuses them",
        ),
        Source::Changed(_) => {
            Some("look at what changed, then `portcullis trust yes` trusts it as it is now")
        }
        Source::StoreUnusable(error) => Some(error.hint()),
        _ => None,
    }
}

/// Says what was taken back, and what decides now.
pub(super) fn forgotten(directory: &Path, before: &Saved, now: &Saved, json: bool) -> Result<u8, Failure> {
    let was_saved = before.iter().any(|(saved, _)| saved == directory);
    let nearest = now.nearest(directory);
    let mut stdout = anstream::stdout().lock();
    if json {
        let decides = nearest
            .as_ref()
            .map(|nearest| json!({"directory": text(&nearest.at), "trusted": nearest.is_trusted}));
        let line = json!({"directory": text(directory), "forgotten": was_saved, "decides": decides});
        writeln!(stdout, "{line}")?;
    } else {
        let what = if was_saved {
            "forgotten"
        } else {
            "nothing was saved for it"
        };
        writeln!(stdout, "{}: {what}", files::shown(directory))?;
    }
    stdout.flush()?;
    if let Some(nearest) = nearest.filter(|_| !json) {
        let word = if nearest.is_trusted { "yes" } else { "no" };
        let at = files::shown(&nearest.at);
        anstream::eprintln!("note: `{word}` is saved for {at}, and decides about this directory");
    }
    Ok(DONE)
}

/// Prints every saved decision.
pub(super) fn list(saved: &Saved, json: bool) -> Result<u8, Failure> {
    let mut stdout = anstream::stdout().lock();
    for (directory, is_trusted) in saved.iter() {
        if json {
            writeln!(
                stdout,
                "{}",
                json!({"directory": text(directory), "trusted": is_trusted})
            )?;
        } else {
            let word = if is_trusted { "yes" } else { "no " };
            writeln!(stdout, "{word}  {}", files::shown(directory))?;
        }
    }
    stdout.flush()?;
    Ok(DONE)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The step of the order of decision, one word for programs.
fn step(source: &Source) -> &'static str {
    match source {
        Source::Override => "override",
        Source::NoResources => "no_resources",
        Source::Decider(_) => "decider",
        Source::DeciderFailed(_) => "decider_failed",
        Source::Saved(_) => "saved",
        Source::Changed(_) => "changed",
        Source::Session => "session",
        Source::Default => "default",
        Source::Asked(_) => "asked",
        Source::Closed => "closed",
        Source::NoInterface => "no_interface",
        Source::StoreUnusable(_) => "store_unusable",
        Source::NoSuchDirectory => "no_such_directory",
        _ => "other",
    }
}
