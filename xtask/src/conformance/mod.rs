//! `cargo xtask conformance`: the door of the suite in `conformance/`. What knows gates by name is here; the suite itself
//! knows commands only. Without `--subject`, `run` takes our own gate, through the same protocol as any other.

mod check;
mod ci;
mod fetch;
mod flat;
mod place;
mod results;
mod score;
mod subject;

pub(crate) use ci::job;
use place::Lacking;
pub(crate) use score::{command as score, job as score_job};
use subject::Subject;

use crate::job::Context;
use crate::process::Run;
use crate::tree;

/// The name of our gate among the subjects.
const OURS: &str = "portcullis";
/// What a subject's folder may hold: failures that are known.
const BASELINE: &str = "baseline.toml";
/// The exit code for a subject that cannot be run here; the suite's own, for one that does not start.
const NOT_RUN: u8 = 5;

/// Does what the words say, and gives the exit code: each means something (`conformance/README.md`).
pub(crate) fn command(context: &Context, words: &[&str]) -> Result<u8, String> {
    match words {
        ["fetch", name] => fetch::fetch(context, &Subject::named(&context.root, name)?),
        ["fetch", ..] => Err(format!(
            "`fetch` takes the name of one subject: {}",
            subject::names(&context.root)?.join(", ")
        )),
        ["check", name] => check::check(context, &Subject::named(&context.root, name)?),
        ["check", ..] => Err(format!(
            "`check` takes the name of one subject: {}",
            subject::names(&context.root)?.join(", ")
        )),
        ["results"] => results::all(context),
        ["results", word, ..] => Err(format!("`results` takes no `{word}`")),
        ["run", words @ ..] => run(context, words),
        words => suite(context).args(words).code(),
    }
}

fn run(context: &Context, words: &[&str]) -> Result<u8, String> {
    let (adapter, words) = adapter(words)?;
    let is_told = |option: &str| {
        let joined = format!("{option}=");
        words
            .iter()
            .any(|word| *word == option || word.starts_with(&joined))
    };
    if is_told("--help") || is_told("-h") {
        return suite(context).arg("run").args(&words).code();
    }
    let name = match (adapter, is_told("--subject")) {
        (Some(_), true) => {
            return Err("`--adapter` and `--subject` name two subjects; leave one out".to_owned());
        }
        (None, true) => return suite(context).arg("run").args(&words).code(),
        (adapter, false) => adapter.unwrap_or(OURS),
    };
    let subject = Subject::named(&context.root, name)?;
    match place::command(context, &subject)? {
        Ok(command) => {
            let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            words.extend(subject.options(is_told).cloned());
            if !is_told("--baseline") {
                words.extend(baseline(&subject));
            }
            if !is_told("--policy-note") {
                words.extend(["--policy-note".to_owned(), subject.policy.clone()]);
            }
            runner(context, &command)?.args(words).code()
        }
        Err(Lacking(why)) => Ok(not_run(name, &why)),
    }
}

/// Takes `--adapter NAME` or `--adapter=NAME` out of the words.
fn adapter<'a>(words: &[&'a str]) -> Result<(Option<&'a str>, Vec<&'a str>), String> {
    let mut name = None;
    let mut others = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let told = match word.strip_prefix("--adapter") {
            Some("") => words.next().ok_or("`--adapter` takes a name")?,
            Some(joined) if joined.starts_with('=') => joined.trim_start_matches('='),
            _ => {
                others.push(word);
                continue;
            }
        };
        if name.replace(told).is_some() {
            return Err("`--adapter` stands twice".to_owned());
        }
    }
    Ok((name, others))
}

/// The words that hand over what a subject is known to fail.
fn baseline(subject: &Subject) -> Vec<String> {
    let file = subject.here.join(BASELINE);
    if tree::stands(&file) {
        vec!["--baseline".to_owned(), file.display().to_string()]
    } else {
        Vec::new()
    }
}

/// The suite's runner on a command.
fn runner(context: &Context, command: &[String]) -> Result<Run, String> {
    Ok(suite(context).args(["run", "--subject", &joined(command)?]))
}

/// A command as the suite's `--subject` reads it.
fn joined(command: &[String]) -> Result<String, String> {
    let words: Vec<String> = command
        .iter()
        .map(|word| quoted(word))
        .collect::<Result<_, _>>()?;
    Ok(words.join(" "))
}

/// A word as the suite's `--subject` reads it.
fn quoted(word: &str) -> Result<String, String> {
    match (word.contains('\''), word.contains('"')) {
        (false, _) => Ok(format!("'{word}'")),
        (true, false) => Ok(format!("\"{word}\"")),
        (true, true) => Err(format!("`{word}` holds both kinds of quotes")),
    }
}

/// Says by name that a subject was not run: that is not passed, and not failed.
fn not_run(name: &str, why: &str) -> u8 {
    eprintln!("not run: {name}: {why}");
    NOT_RUN
}

fn suite(context: &Context) -> Run {
    let args = [
        "run",
        "--quiet",
        "--locked",
        "--package",
        "portcullis-conformance",
        "--",
    ];
    context.cargo().args(args)
}

#[cfg(test)]
mod tests {
    use super::{adapter, quoted};

    #[test]
    fn an_adapter_is_taken_out_of_the_words() {
        let words = ["--only", "paths", "--adapter", "toy", "--keep"];
        let (name, others) = adapter(&words).unwrap();
        assert_eq!((name, others), (Some("toy"), vec!["--only", "paths", "--keep"]));
        assert_eq!(adapter(&["--adapter=toy"]).unwrap().0, Some("toy"));
        assert_eq!(adapter(&["--adapters"]).unwrap(), (None, vec!["--adapters"]));
        assert!(adapter(&["--adapter"]).is_err());
        assert!(adapter(&["--adapter", "a", "--adapter=b"]).is_err());
    }

    #[test]
    fn words_survive_the_way_to_the_runner() {
        assert_eq!(quoted("a b").unwrap(), "'a b'");
        assert_eq!(quoted("a'b").unwrap(), "\"a'b\"");
        assert!(quoted("a'\"b").is_err());
    }
}
