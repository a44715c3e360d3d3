//! What programs are told in their words: `-pX` of `mysql`, `--token X`, `config set key X`, what a pipe feeds to a log-in.

use std::ops::Range;

use super::table::{Program, programs, table};
use super::text::{Line, Redirected, Word, each_line};
use super::uses::Uses;

/// Words behind which a name that sounds secret has its value in the next word.
const SETS: [&str; 6] = ["set", "config", "config:set", "add", "setx", "put"];
/// Words behind which the name of a variable has its value in the next word.
const SETS_VARIABLES: [&str; 4] = ["setenv", "set-environment", "setx", "set"];
/// Most programs of one line that are looked at.
const MOST_PROGRAMS: usize = 8;
/// Programs that say what they are told.
const SAYS: [&str; 3] = ["echo", "printf", "print"];

pub(super) fn find(text: &str, uses: &Uses<'_>, hidden: &mut Vec<Range<usize>>) {
    each_line(text, |line, before| of_line(line, before, uses, hidden));
}

/// A program that was named in the line, and whether a word stood there that it wants before.
struct Named {
    program: &'static Program,
    is_within: bool,
}

fn of_line(line: &Line, before: Option<&Line>, uses: &Uses<'_>, hidden: &mut Vec<Range<usize>>) {
    let words = &line.words;
    of_format(words, hidden);
    let mut programs: Vec<Named> = Vec::new();
    let mut previous = None;
    for (at, letters) in words.iter().enumerate() {
        let word = letters.text.as_str();
        let next = words.get(at + 1);
        of_name(word, letters, next, uses, hidden);
        of_setting(word, previous, next, hidden);
        // Options between are none of the words that set.
        previous = Some(word).filter(|word| !word.starts_with('-')).or(previous);
        of_settings(&programs, word, words.get(at + 1..).unwrap_or_default(), hidden);
        for Named { program, is_within } in &mut programs {
            if *is_within {
                of_program(program, word, letters, next, hidden);
            }
            *is_within |= program.within.iter().any(|one| one == word);
        }
        // More than one wrapper and one program are seldom in a line.
        let room = MOST_PROGRAMS.saturating_sub(programs.len());
        programs.extend(named_by(word, letters).take(room).map(|program| Named {
            program,
            is_within: program.within.is_empty(),
        }));
    }
    for Named { program, .. } in programs.iter().filter(|named| named.is_within) {
        let is_marked = |marks: &Option<Vec<String>>| {
            let marked = marks.as_ref();
            marked
                .is_some_and(|marks| marks.is_empty() || words.iter().any(|word| marks.contains(&word.text)))
        };
        if is_marked(&program.fed) {
            fed(line, before, hidden);
        }
        if let (true, Some(word), 3..) = (is_marked(&program.last), words.last(), words.len()) {
            word.hide_from(0, hidden);
        }
    }
}

/// The programs that a word may call. One that is made when it runs calls what it speaks of.
fn named_by(word: &str, letters: &Word) -> impl Iterator<Item = &'static Program> {
    let is_made = letters.letters.iter().any(|letter| letter.live);
    let spoken = is_made.then(|| word.to_lowercase());
    let found: Vec<_> = match &spoken {
        // `$'mysql'` is `mysql`.
        None => programs(word.strip_prefix('$').unwrap_or(word)).collect(),
        Some(spoken) => spoken
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .flat_map(programs)
            .take(MOST_PROGRAMS)
            .collect(),
    };
    found.into_iter()
}

/// `NAME=secret`, `--name=secret` and `--name secret`.
fn of_name(word: &str, letters: &Word, next: Option<&Word>, uses: &Uses<'_>, hidden: &mut Vec<Range<usize>>) {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    if let Some((name, value)) = word.split_once('=') {
        let name = name.trim_end_matches('+');
        // In quotes, and with blanks behind, it may be code for another shell: that is a line of its own.
        let is_code =
            value.contains([' ', '\n']) && letters.letters.first().is_some_and(|letter| letter.quoted);
        if !is_code && name.chars().all(is_name) && table().sounds_secret(name) && !uses.has(name) {
            letters.hide_from(word.chars().take_while(|c| *c != '=').count() + 1, hidden);
        }
        return;
    }
    if word.len() > 2
        && word.starts_with('-')
        && word.chars().all(is_name)
        && table().sounds_secret(word)
        && let Some(next) = next
    {
        next.hide_from(0, hidden);
    }
}

/// `config set registry.auth_token secret`: a name of more than one part behind a word that sets.
fn of_setting(word: &str, previous: Option<&str>, next: Option<&Word>, hidden: &mut Vec<Range<usize>>) {
    let (Some(previous), Some(next)) = (previous, next) else {
        return;
    };
    let is_humped = word.starts_with(char::is_lowercase) && word.contains(char::is_uppercase);
    let has_parts = (word.contains(['.', '_', '-', ':', '/']) || is_humped)
        && !word.starts_with('-')
        && !word.starts_with("alias.");
    let is_variable = word
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let is_set = has_parts && SETS.contains(&previous) || is_variable && SETS_VARIABLES.contains(&previous);
    if is_set && table().sounds_secret(word) {
        next.hide_from(0, hidden);
    }
}

/// `config http-basic.host user secret`.
fn of_settings(programs: &[Named], word: &str, behind: &[Word], hidden: &mut Vec<Range<usize>>) {
    let mut all = programs.iter().flat_map(|named| &named.program.settings);
    if all.any(|start| word.starts_with(start.as_str())) {
        behind.iter().for_each(|word| word.hide_from(0, hidden));
    }
}

/// What is printed by a format of names: `printf 'TOKEN=%s' secret`.
fn of_format(words: &[Word], hidden: &mut Vec<Range<usize>>) {
    let [name, format, values @ ..] = words else {
        return;
    };
    let is_secret = |text: &str| {
        let names = text.split(['=', ':']).rev().skip(1);
        let last = |text: &str| {
            text.rsplit(|c: char| !c.is_alphanumeric() && !"_-.".contains(c))
                .next()
                .map(str::to_owned)
        };
        names.filter_map(last).any(|name| table().sounds_secret(&name))
    };
    if name.text == "printf" && format.text.contains("%s") && is_secret(&format.text) {
        let values = values.iter().filter(|word| word.redirected.is_none());
        values.for_each(|word| word.hide_from(0, hidden));
    }
}

fn of_program(
    program: &Program,
    word: &str,
    letters: &Word,
    next: Option<&Word>,
    hidden: &mut Vec<Range<usize>>,
) {
    let is_attached = |option: &&String| word.len() > option.len() && word.starts_with(option.as_str());
    for option in program.attached.iter().chain(&program.both).filter(is_attached) {
        // A long option that begins alike is another one.
        if !word.starts_with("--") || word.get(option.len()..).is_some_and(|rest| rest.starts_with('=')) {
            letters.hide_from(option.chars().count(), hidden);
        }
    }
    if let Some(next) = next {
        if program
            .both
            .iter()
            .chain(&program.words)
            .any(|option| option == word)
        {
            next.hide_from(0, hidden);
        }
        if program.pair.iter().any(|option| option == word) {
            pair(program, next, 0, hidden);
        }
        if program.listed.iter().any(|option| option == word) {
            listed(next, hidden);
        }
    }
    if let Some(option) = program.pair.iter().find(is_attached) {
        pair(program, letters, option.chars().count(), hidden);
    }
    if program.assigned && !word.starts_with('-') {
        let name = word.chars().take_while(|c| *c != '=').count();
        letters.hide_from(name + 1, hidden);
    }
    if program.operands && !word.starts_with('-') {
        letters.hide_from(0, hidden);
    }
    if program.login
        && let (Some(slash), Some(_)) = (word.find('/'), word.find(|c: char| c.is_alphanumeric()))
    {
        let start = word.get(..slash).map_or(0, |user| user.chars().count()) + 1;
        let end = word
            .rfind('@')
            .and_then(|at| word.get(..at))
            .map_or(letters.letters.len(), |rest| rest.chars().count());
        letters.hide(start..end.max(start), hidden);
    }
}

/// `user:secret` from a letter on; all of it where nothing parts it.
fn pair(program: &Program, word: &Word, from: usize, hidden: &mut Vec<Range<usize>>) {
    let sign = program.parted.unwrap_or(':');
    let parted = word
        .letters
        .iter()
        .skip(from)
        .position(|letter| letter.is == sign);
    if let Some(at) = parted {
        word.hide_from(from + at + 1, hidden);
    }
}

/// The values of names that sound secret in `a=b,c=d`.
fn listed(word: &Word, hidden: &mut Vec<Range<usize>>) {
    let mut at = 0;
    for part in word.text.split(',') {
        let length = part.chars().count();
        if let Some((name, _)) = part
            .split_once('=')
            .filter(|(name, _)| table().sounds_secret(name))
        {
            word.hide(at + name.chars().count() + 1..at + length, hidden);
        }
        at += length + 1;
    }
}

/// What it reads: a text in its own line, and what an `echo` before the pipe says.
fn fed(line: &Line, before: Option<&Line>, hidden: &mut Vec<Range<usize>>) {
    for word in &line.words {
        if word.redirected == Some(Redirected::HereString) {
            word.hide_from(0, hidden);
        }
    }
    let says = before.filter(|line| {
        line.words
            .first()
            .is_some_and(|word| SAYS.contains(&word.text.as_str()))
    });
    for word in says.iter().flat_map(|line| line.words.iter().skip(1)) {
        let text = &word.text;
        if word.redirected.is_none() && !text.starts_with('-') && !text.starts_with('%') {
            word.hide_from(0, hidden);
        }
    }
}
