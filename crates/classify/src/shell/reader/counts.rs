//! Substitutions whose output is a number, whatever happens: `$(date +%s)`, `$(… | wc -l)`.

use super::super::{Descriptor, GroupKind, Link, Operator, Part, Redirection, Script, SimpleCommand, Word};

/// Formats of `date` that are digits alone.
const TIMES: &[&str] = &[
    "+%s", "+%s%N", "+%s%3N", "+%N", "+%Y", "+%m", "+%d", "+%j", "+%H", "+%M", "+%S", "+%u", "+%V",
    "+%Y%m%d", "+%H%M%S",
];

/// Whether a substitution puts nothing but digits, a sign and blanks into a word.
pub(in super::super) fn is_count(script: &Script, group: usize) -> bool {
    let kind = script.groups().get(group).map(|one| one.kind);
    if !matches!(kind, Some(GroupKind::Command | GroupKind::Backquotes)) {
        return false;
    }
    let stands_there = |part: &&Part| {
        let within = script.seat(**part).is_some_and(|seat| seat.group == Some(group));
        let supplies_a_word = matches!(part, Part::Group(number)
            if script.groups().get(*number).is_some_and(|one| one.kind.is_substitution()));
        within && !supplies_a_word
    };
    let mut before: Option<Part> = None;
    let mut last: Option<&SimpleCommand> = None;
    for part in script.parts().iter().filter(stands_there) {
        let Some(seat) = script.seat(*part) else {
            return false;
        };
        let Part::Command(number) = part else {
            // It can only feed the next one.
            if seat.fed_by != before {
                return false;
            }
            before = Some(*part);
            last = None;
            continue;
        };
        let Some(command) = script.commands().get(*number) else {
            return false;
        };
        if seat.fed_by.is_none() && before.is_some() {
            // What is said when it failed.
            if seat.link != Link::Failure || !last.is_some_and(counts) || !says_a_number(command) {
                return false;
            }
            continue;
        }
        if seat.fed_by != before {
            return false;
        }
        before = Some(*part);
        last = Some(command);
    }
    last.is_some_and(counts)
}

/// Whether a command prints a number, and nothing else.
fn counts(command: &SimpleCommand) -> bool {
    // A complaint may hold any text, and must not get into the word.
    let quiet = |one: &Redirection| {
        let named = matches!(one.descriptor, Some(Descriptor::Variable(_)));
        !named && (one.operator == Operator::Read || goes_nowhere(one))
    };
    if !command.redirections.iter().all(quiet) {
        return false;
    }
    let words: Option<Vec<&str>> = command.words.iter().map(Word::literal).collect();
    match words.as_deref() {
        Some(["date", format] | ["date", "-u", format]) => TIMES.contains(format),
        Some(["wc", "-l" | "-c" | "-w" | "-m"] | ["nproc"] | ["id", "-u" | "-g"]) => true,
        Some(
            [
                "grep",
                "-c" | "-ci" | "-cE" | "-cF" | "-cv" | "-cw",
                pattern,
                rest @ ..,
            ],
        ) => !pattern.starts_with('-') && rest.len() < 2 && rest.iter().all(|file| !file.starts_with('-')),
        Some(["stat", "-c", "%s" | "%Y" | "%h", file]) => !file.starts_with('-'),
        Some(["seq", numbers @ ..]) => !numbers.is_empty() && numbers.iter().all(|one| is_digits(one)),
        _ => false,
    }
}

/// Whether a redirection throws complaints away.
fn goes_nowhere(one: &Redirection) -> bool {
    one.operator == Operator::Write && one.operand.literal() == Some("/dev/null")
}

fn says_a_number(command: &SimpleCommand) -> bool {
    let words: Option<Vec<&str>> = command.words.iter().map(Word::literal).collect();
    let silent = command.redirections.is_empty();
    silent
        && match words.as_deref() {
            Some(["true" | ":"]) => true,
            Some(["echo", number]) => is_digits(number),
            _ => false,
        }
}

fn is_digits(text: &str) -> bool {
    (1..18).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}
