//! Scripts of `sed`: `e` runs, `w` writes, and both also hide behind `s///`. Only the plainest scripts are certain.

use super::super::Word;

/// The first word that may be a script and is not a plain one.
pub(super) fn hidden(arguments: &[Word]) -> Option<&Word> {
    let mut named = false;
    let mut scripts = Vec::new();
    let mut operands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.literal() else {
            operands.push(word);
            continue;
        };
        match text {
            "-e" | "--expression" => {
                named = true;
                scripts.extend(words.next());
            }
            "-n" | "-E" | "-r" | "-i" | "-s" | "-z" | "-u" | "-ne" | "-Ei" | "-ri" | "-iE" | "-nE"
            | "-nr" | "-i.bak" | "--quiet" | "--in-place" | "--regexp-extended" | "--null-data" => {
                if text == "-ne" {
                    named = true;
                    scripts.extend(words.next());
                }
            }
            _ if text.starts_with('-') && text.len() > 1 => return Some(word),
            _ => operands.push(word),
        }
    }
    if !named {
        scripts.extend(operands.first());
    }
    scripts
        .into_iter()
        .find(|word| !word.literal().is_some_and(is_plain))
}

/// Whether a script does nothing but print and replace.
pub(super) fn is_plain(text: &str) -> bool {
    is_substitution(text)
        || text
            .split(';')
            .all(|command| is_printing(command.trim_matches(' ')))
}

/// `5p`, `1,3d`, `$=`, `/text/d`, `/text/,/text/p`
fn is_printing(script: &str) -> bool {
    let Some(command) = script.chars().next_back() else {
        return false;
    };
    let address = script.strip_suffix(command).unwrap_or_default();
    let range = || {
        let commas = address.match_indices(',');
        let mut halves = commas.filter_map(|(at, _)| Some((address.get(..at)?, address.get(at + 1..)?)));
        halves.any(|(from, to)| is_address(from) && is_address(to))
    };
    matches!(command, 'p' | 'd' | 'q' | '=') && (is_address(address) || range())
}

fn is_address(text: &str) -> bool {
    let numbers = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'$'));
    let pattern = text
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'))
        .is_some_and(|text| !text.contains(['/', '\\', '\n', '[', ';', '{']));
    numbers || pattern
}

/// One `s` with a delimiter that stands there three times, and flags that neither run nor write.
fn is_substitution(script: &str) -> bool {
    let Some(rest) = script.strip_prefix('s') else {
        return false;
    };
    let Some(mark) = rest.chars().next().filter(char::is_ascii_punctuation) else {
        return false;
    };
    if mark == '\\' || rest.contains('\n') {
        return false;
    }
    let mut marks = 0;
    let mut escaped = false;
    let mut flags = String::new();
    for char in rest.chars() {
        if marks == 3 {
            flags.push(char);
        } else if escaped {
            escaped = false;
        } else if char == '\\' {
            escaped = true;
        } else if char == mark {
            marks += 1;
        }
    }
    // In brackets a delimiter is no delimiter, for some.
    let brackets = rest.contains('[') && rest.matches(mark).count() > 3;
    marks == 3
        && !brackets
        && flags
            .chars()
            .all(|flag| flag.is_ascii_digit() || "gpiIM".contains(flag))
}
