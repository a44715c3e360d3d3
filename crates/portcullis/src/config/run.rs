//! What the environment and the flags of one run say. The environment may have been set by anybody, a project too: it can
//! tighten, and it can neither name another policy nor another log.

use std::time::Duration;

use portcullis_classify::{Layer, LayerRules, Level, Levels, Preset, Profile, Risk, Toolbox};

use super::diagnostic::{ConfigError, ConfigErrorKind, Diagnostic, quoted};
use super::lower::{LONGEST_DEADLINE_SECONDS, unknown_parameter, unknown_tool};
use super::origin::Origins;
use super::source::Source;
use super::suggest::nearest;

/// What diagnostics call this layer.
const NAME: &str = "environment and flags";
/// How the variables begin that belong to the gate.
const PREFIX: &str = "PORTCULLIS_";
const KNOWN: [&str; 4] = ["PRESET", "OTHERWISE", "DEADLINE_SECONDS", "REVIEW"];

/// What one run says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunConfig {
    /// What tightens.
    pub rules: LayerRules,
    /// How long a question stays open in this run; it goes over the user's setting.
    pub deadline: Option<Duration>,
    /// Where each of it was said.
    pub origins: Origins,
}

/// Reads what a run says: names and values, the strongest last. Names are those of the environment
/// (`PORTCULLIS_PRESET`, `PORTCULLIS_OTHERWISE`, `PORTCULLIS_REVIEW`, `PORTCULLIS_DEADLINE_SECONDS`) or of flags
/// (`--preset`, `--otherwise`, `--review`, `--deadline-seconds`); names that begin like neither are nobody's business here. What decides risk joins to the
/// strictest, of the deadlines the last one counts.
///
/// # Errors
/// A name that begins with `PORTCULLIS_` and is not known, or a word that means nothing there.
pub fn parse_run<'a>(said: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<RunConfig, ConfigError> {
    let said: Vec<(&str, &str)> = said
        .into_iter()
        .filter(|(name, _)| name.starts_with(PREFIX) || name.starts_with("--"))
        .collect();
    let lines: Vec<String> = said
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let source = Source::new(NAME, &lines.join("\n"));
    let mut run = RunConfig {
        rules: LayerRules::empty(Layer::Run),
        deadline: None,
        origins: Origins::of(NAME),
    };
    let mut start = 0;
    for (at, ((name, value), line)) in said.iter().zip(&lines).enumerate() {
        let span = start..start + line.len();
        start = span.end + 1;
        let wrong = |message: String, hint: String| {
            let diagnostic = Diagnostic {
                message,
                position: Some(source.position(span)),
                hint: Some(hint),
            };
            ConfigError::one(ConfigErrorKind::Meaning, source.clone(), diagnostic)
        };
        let key = match name.strip_prefix("--") {
            Some(flag) => flag.to_uppercase().replace('-', "_"),
            None => name.strip_prefix(PREFIX).unwrap_or(name).to_owned(),
        };
        let setting = match key.as_str() {
            "PRESET" => {
                let word = Preset::by_word(value);
                let Some(preset) = word else {
                    return Err(wrong(
                        no_word(name, value),
                        words(value, &["everyday", "careful"]),
                    ));
                };
                run.rules.preset = run.rules.preset.max(Some(preset));
                "preset"
            }
            "OTHERWISE" => {
                let word = Risk::by_word(value).filter(|risk| *risk != Risk::Allow);
                let Some(risk) = word else {
                    return Err(wrong(no_word(name, value), words(value, &["confirm", "deny"])));
                };
                run.rules.otherwise = run.rules.otherwise.max(Some(risk));
                "otherwise"
            }
            "REVIEW" => {
                let mut parts = value.split(',').map(str::trim);
                parts
                    .try_for_each(|part| review(&mut run.rules.levels, part))
                    .map_err(|(message, hint)| wrong(format!("{}: {message}", quoted(name)), hint))?;
                "review"
            }
            "DEADLINE_SECONDS" => {
                let seconds = value.parse::<u64>().ok();
                let within = seconds.filter(|seconds| (1..=LONGEST_DEADLINE_SECONDS).contains(seconds));
                let Some(seconds) = within else {
                    let hint = format!("choose 1 to {LONGEST_DEADLINE_SECONDS} seconds");
                    return Err(wrong(no_word(name, value), hint));
                };
                run.deadline = Some(Duration::from_secs(seconds));
                "approval.deadline_seconds"
            }
            unknown => {
                let hint = match nearest(unknown, KNOWN) {
                    Some(known) => format!("did you mean `{PREFIX}{known}`?"),
                    None => format!(
                        "known are {}",
                        KNOWN.map(|known| format!("`{PREFIX}{known}`")).join(", ")
                    ),
                };
                return Err(wrong(format!("unknown name {}", quoted(name)), hint));
            }
        };
        run.origins.set(setting, at + 1);
    }
    run.origins
        .name(said.iter().map(|(name, _)| (*name).to_owned()).collect());
    Ok(run)
}

/// One part of what a run says of levels: `guardian`, or `TOOL.PARAMETER=LEVEL`.
fn review(levels: &mut Levels, part: &str) -> Result<(), (String, String)> {
    let known: Vec<&str> = Level::ALL
        .iter()
        .map(|level| level.word())
        .filter(|word| *word != "off")
        .collect();
    let Some((name, word)) = part.rsplit_once('=') else {
        let profile = Profile::by_word(part).ok_or_else(|| {
            let hint = "write `guardian`, or for one parameter `bash.command=always`".to_owned();
            (format!("{} is no profile", quoted(part)), hint)
        })?;
        levels.profile = levels.profile.max(Some(profile));
        return Ok(());
    };
    let level = Level::by_word(word).filter(|level| *level != Level::Off);
    let Some(level) = level else {
        let hint = match nearest(word, known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        return Err((format!("{} cannot be a level here", quoted(word)), hint));
    };
    let Some((tool, member)) = name.rsplit_once('.') else {
        let hint = "write the tool and its parameter, as in `bash.command`".to_owned();
        return Err((format!("{} names no parameter of a tool", quoted(name)), hint));
    };
    let toolbox = Toolbox::standard();
    if let Some(fault) = unknown_tool(&toolbox, tool).or_else(|| unknown_parameter(&toolbox, tool, member)) {
        return Err(fault);
    }
    let standing = levels
        .named
        .entry((tool.to_owned(), member.to_owned()))
        .or_insert(level);
    *standing = level.max(*standing);
    Ok(())
}

fn no_word(name: &str, value: &str) -> String {
    format!("{} cannot be {}", quoted(name), quoted(value))
}

fn words(value: &str, known: &[&'static str]) -> String {
    match nearest(value, known.iter().copied()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("known here: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn the_strictest_word_and_the_last_deadline_count() {
        let run = parse_run([
            ("PATH", "/bin"),
            ("PORTCULLIS_PRESET", "careful"),
            ("PORTCULLIS_DEADLINE_SECONDS", "90"),
            ("--preset", "everyday"),
            ("--otherwise", "deny"),
            ("--deadline-seconds", "7"),
        ])
        .unwrap();
        assert_eq!(run.rules.preset, Some(Preset::Careful));
        assert_eq!(run.rules.otherwise, Some(Risk::Deny));
        assert_eq!(run.deadline, Some(Duration::from_secs(7)));
        assert_eq!(run.rules.layer, Layer::Run);
        assert_eq!(run.origins.shown("otherwise").unwrap(), "--otherwise");
    }

    #[rstest]
    #[case("PORTCULLIS_PRESSET", "careful", "did you mean `PORTCULLIS_PRESET`?")]
    #[case("PORTCULLIS_POLICY", "/w/policy.toml", "known are `PORTCULLIS_PRESET`")]
    #[case("PORTCULLIS_PRESET", "carful", "did you mean `careful`?")]
    #[case("PORTCULLIS_PRESET", "", "known here: everyday, careful")]
    #[case("PORTCULLIS_OTHERWISE", "allow", "known here: confirm, deny")]
    #[case("PORTCULLIS_OTHERWISE", "DENY", "known here: confirm, deny")]
    #[case("PORTCULLIS_DEADLINE_SECONDS", "0", "choose 1 to 86400 seconds")]
    #[case("PORTCULLIS_DEADLINE_SECONDS", "1e3", "choose 1 to 86400 seconds")]
    fn what_means_nothing_is_an_error(#[case] name: &str, #[case] value: &str, #[case] hint: &str) {
        let error = parse_run([("PORTCULLIS_PRESET", "careful"), (name, value)]).unwrap_err();
        let [diagnostic] = error.diagnostics() else {
            panic!("one mistake");
        };
        assert_eq!(diagnostic.position.as_ref().unwrap().line, 2);
        assert!(diagnostic.hint.as_ref().unwrap().contains(hint), "{diagnostic:?}");
    }
}
