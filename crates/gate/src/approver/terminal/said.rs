//! What a typed line says.

use std::path::PathBuf;
use std::time::Duration;

use crate::{Answer, Offers, Scope};

/// The one line that allows once.
const ALLOW: &str = "a";
/// What a line begins with that allows for longer.
const AGAIN: &str = "g";
/// How long that is when nothing is said.
const HOUR: Duration = Duration::from_secs(3600);
/// How long one lasts that ends with its session, at the latest.
const DAY: Duration = Duration::from_secs(24 * 3600);

/// What a line means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// It is an answer.
    Answer(Answer),
    /// It asks for more than is offered, or cannot be understood in exactly one way: it is asked again.
    Again(&'static str),
}

/// Reads `a`, and `g [TIME] [session] [keep] [below DIR]`. Everything else is no.
pub(super) fn read(line: &str, offers: &Offers) -> Said {
    if line == ALLOW {
        return Said::Answer(Answer::AllowOnce);
    }
    let rest = match line.strip_prefix(AGAIN) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest,
        _ => return Said::Answer(Answer::Deny { reason: None }),
    };
    match scope(rest) {
        Some(scope) if offers.hold(&scope) => Said::Answer(Answer::AllowAlways(scope)),
        Some(_) => Said::Again("that is not offered here"),
        None => Said::Again("that is not understood"),
    }
}

fn scope(words: &str) -> Option<Scope> {
    let mut lasts = None;
    let mut scope = Scope::lasting(HOUR);
    let mut rest = words.trim_start();
    while !rest.is_empty() {
        let (word, behind) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = behind.trim_start();
        match word {
            "session" if !scope.this_session => scope.this_session = true,
            "keep" if !scope.is_kept => scope.is_kept = true,
            // A directory may have blanks in its name: it is all the rest.
            "below" if !rest.is_empty() => {
                scope.directory = Some(PathBuf::from(rest));
                rest = "";
            }
            _ if lasts.is_none() => lasts = Some(time(word)?),
            _ => return None,
        }
    }
    scope.lasts = lasts.unwrap_or(if scope.this_session { DAY } else { HOUR });
    Some(scope)
}

/// `30m`, `8h`, `7d`; at most what a grant may last.
fn time(word: &str) -> Option<Duration> {
    let (number, unit) = word.split_at_checked(word.len().checked_sub(1)?)?;
    let unit = match unit {
        "m" => 60,
        "h" => 3600,
        "d" => 24 * 3600,
        _ => return None,
    };
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let seconds = number.parse::<u64>().ok()?.checked_mul(unit)?;
    let lasts = Duration::from_secs(seconds);
    (seconds > 0 && lasts <= Scope::LONGEST).then_some(lasts)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn all() -> Offers {
        Offers {
            for_a_time: true,
            in_session: true,
            below: vec![PathBuf::from("/w/a b"), PathBuf::from("/w")],
            kept: true,
            because: None,
        }
    }

    fn lasting(seconds: u64) -> Scope {
        Scope::lasting(Duration::from_secs(seconds))
    }

    #[rstest]
    #[case("g", lasting(3600))]
    #[case("g 30m", lasting(1800))]
    #[case("g 8h", lasting(8 * 3600))]
    #[case("g 30d", lasting(30 * 24 * 3600))]
    #[case("g session", lasting(24 * 3600).in_this_session())]
    #[case("g session below /w", lasting(24 * 3600).in_this_session().below("/w"))]
    #[case("g 8h session", lasting(8 * 3600).in_this_session())]
    #[case("g session 8h", lasting(8 * 3600).in_this_session())]
    #[case("g 7d keep", lasting(7 * 24 * 3600).kept())]
    #[case("g below /w", lasting(3600).below("/w"))]
    #[case("g 30m keep below /w/a b", lasting(1800).kept().below("/w/a b"))]
    #[case("g  2h   below  /w", lasting(2 * 3600).below("/w"))]
    fn what_is_offered_can_be_said(#[case] line: &str, #[case] scope: Scope) {
        assert_eq!(read(line, &all()), Said::Answer(Answer::AllowAlways(scope)));
    }

    #[rstest]
    #[case::another_directory("g below /", "that is not offered here")]
    #[case::a_parent("g below /w/..", "that is not offered here")]
    #[case::a_directory_below("g below /w/a", "that is not offered here")]
    #[case::no_directory("g below", "that is not understood")]
    #[case::too_long("g 31d", "that is not understood")]
    #[case::no_time("g 0h", "that is not understood")]
    #[case::no_unit("g 8", "that is not understood")]
    #[case::a_sign("g +8h", "that is not understood")]
    #[case::two_times("g 8h 9h", "that is not understood")]
    #[case::too_large("g 99999999999999999999h", "that is not understood")]
    #[case::for_ever("g forever", "that is not understood")]
    #[case::twice("g keep keep", "that is not understood")]
    #[case::not_ascii("g 8\u{fc}", "that is not understood")]
    fn what_is_not_offered_is_asked_again(#[case] line: &str, #[case] why: &'static str) {
        assert_eq!(read(line, &all()), Said::Again(why));
    }

    #[rstest]
    #[case("a", Said::Answer(Answer::AllowOnce))]
    #[case("g", Said::Again("that is not offered here"))]
    #[case("g session", Said::Again("that is not offered here"))]
    #[case("", Said::Answer(Answer::Deny { reason: None }))]
    #[case("y", Said::Answer(Answer::Deny { reason: None }))]
    #[case("yes", Said::Answer(Answer::Deny { reason: None }))]
    #[case("A", Said::Answer(Answer::Deny { reason: None }))]
    #[case("a a", Said::Answer(Answer::Deny { reason: None }))]
    #[case("go", Said::Answer(Answer::Deny { reason: None }))]
    #[case("G", Said::Answer(Answer::Deny { reason: None }))]
    fn where_nothing_is_offered_there_is_yes_and_no(#[case] line: &str, #[case] said: Said) {
        assert_eq!(read(line, &Offers::default()), said);
    }
}
