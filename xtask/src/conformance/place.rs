//! Where the programs and packages of a subject are, and what of it lacks.

use std::path::PathBuf;

use super::subject::Subject;
use crate::job::Context;
use crate::process::{self, Run};
use crate::tree;

/// Places that an adapter of the suite fills in: they are other ones in each session.
const OF_A_SESSION: [&str; 5] = ["workspace", "home", "config", "state", "audit"];

/// Why a subject cannot be run here. That is no verdict about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lacking(pub(super) String);

/// The folder that holds what is fetched for subjects, and what came of them.
pub(super) fn folder(context: &Context) -> PathBuf {
    context.target.join("conformance")
}

/// Where the packages of a subject are.
pub(super) fn fetched(context: &Context, subject: &Subject) -> PathBuf {
    folder(context).join("subjects").join(&subject.packages)
}

/// The command of a subject with every place filled in; our own programs are built when it names them.
pub(super) fn command(context: &Context, subject: &Subject) -> Result<Result<Vec<String>, Lacking>, String> {
    if subject.fetch && !super::fetch::is_done(context, subject)? {
        let hint = format!(
            "not fetched; try `cargo xtask conformance fetch {}`",
            subject.name
        );
        return Ok(Err(Lacking(hint)));
    }
    if let Some(missing) = subject.needs.iter().find(|program| on_path(program).is_none()) {
        return Ok(Err(Lacking(format!("`{missing}` is not on the path"))));
    }
    let mut words = Vec::new();
    for word in &subject.command {
        let mut filled = String::new();
        let mut rest = word.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after
                .split_once('}')
                .ok_or_else(|| format!("`{word}`: a `{{` without `}}`"))?;
            filled.push_str(before);
            match place(context, subject, name)? {
                Ok(place) => filled.push_str(&place),
                Err(lacking) => return Ok(Err(lacking)),
            }
            rest = after;
        }
        filled.push_str(rest);
        words.push(filled);
    }
    Ok(Ok(words))
}

fn place(context: &Context, subject: &Subject, name: &str) -> Result<Result<String, Lacking>, String> {
    let place = match name {
        "here" => subject.here.clone(),
        "fetched" => fetched(context, subject),
        "node" => match node(context, subject) {
            Some(node) => node,
            None => return Ok(Err(Lacking("`node` is not on the path".to_owned()))),
        },
        "gate" => built(context, "portcullis-cli", "portcullis")?,
        "suite" => built(context, "portcullis-conformance", "portcullis-conformance")?,
        later if OF_A_SESSION.contains(&later) => return Ok(Ok(format!("{{{later}}}"))),
        other => {
            return Err(format!(
                "`{{{other}}}` is no place; known are {{here}}, {{fetched}}, {{node}}, {{gate}} and {{suite}}, and of a session {{{}}}",
                OF_A_SESSION.join("}, {")
            ));
        }
    };
    let shown = place.to_str().map(str::to_owned);
    shown
        .map(Ok)
        .ok_or_else(|| format!("`{}` is not UTF-8", place.display()))
}

/// The Node that the subject pins as a package for this platform, or the one on the path.
pub(super) fn node(context: &Context, subject: &Subject) -> Option<PathBuf> {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let modules = fetched(context, subject).join("node_modules");
    let pinned = [format!("node-{system}-{machine}"), "node".to_owned()];
    pinned
        .iter()
        .map(|package| modules.join(package).join("bin/node"))
        .find(|program| tree::stands(program))
        .or_else(|| on_path("node"))
}

/// A program of that name in a folder of the path.
pub(super) fn on_path(program: &str) -> Option<PathBuf> {
    let path = process::variable("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(program))
        .find(|place| tree::stands(place))
}

/// A program of ours, built as it is now.
pub(super) fn built(context: &Context, package: &str, program: &str) -> Result<PathBuf, String> {
    let build = context
        .cargo()
        .args(["build", "--quiet", "--locked", "--package", package]);
    if build.code()? != 0 {
        return Err(format!("`{package}` cannot be built"));
    }
    Ok(context.target.join("debug").join(program))
}

/// `npm` in a folder, writing nowhere but below the shared folder.
pub(super) fn npm(context: &Context, within: &std::path::Path) -> Option<Run> {
    let npm = on_path("npm")?;
    let cache = folder(context).join("npm-cache");
    let run = Run::new(npm)
        .within(within)
        .env("npm_config_cache", cache)
        .env("npm_config_update_notifier", "false");
    Some(run)
}

#[cfg(test)]
mod tests {
    use super::super::subject::Subject;
    use super::{Lacking, command};
    use crate::job::Context;

    fn subject(words: &[&str], needs: &[&str]) -> Subject {
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Subject {
            name: "nobody".to_owned(),
            here: "/here".into(),
            about: "x".to_owned(),
            version: "1".to_owned(),
            policy: "x".to_owned(),
            command: owned(words),
            fetch: false,
            packages: "nobody".to_owned(),
            needs: owned(needs),
            options: Vec::new(),
        }
    }

    #[test]
    fn places_are_filled_in() {
        let context = Context::find().unwrap();
        let words = command(
            &context,
            &subject(&["sh", "-c={here}/a{here}", "x}{config}"], &["sh"]),
        );
        assert_eq!(words.unwrap().unwrap(), ["sh", "-c=/here/a/here", "x}{config}"]);
        for (word, wanted) in [("{there}", "is no place"), ("a{here", "without")] {
            let said = command(&context, &subject(&[word], &[])).unwrap_err();
            assert!(said.contains(wanted), "{said}");
        }
    }

    #[test]
    fn what_lacks_is_named() {
        let context = Context::find().unwrap();
        let lacking = command(&context, &subject(&["{gate}"], &["sh", "no-such-program"])).unwrap();
        let wanted = Lacking("`no-such-program` is not on the path".to_owned());
        assert_eq!(lacking, Err(wanted));
        let fetched = Subject {
            fetch: true,
            ..subject(&["{gate}"], &[])
        };
        let Lacking(why) = command(&context, &fetched).unwrap().unwrap_err();
        assert!(why.contains("conformance fetch nobody"), "{why}");
    }
}
