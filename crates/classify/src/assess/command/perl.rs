//! Scripts of `perl`: the plainest only replace and print.

/// Whether a script does nothing but `s///`, `tr///` and `print if //`, in which nothing is computed.
pub(super) fn is_plain(script: &str) -> bool {
    let mut rest = script.trim();
    loop {
        let Some(left) = statement(rest) else { return false };
        let left = left.trim_start();
        rest = match left.strip_prefix(';') {
            Some(left) => left.trim_start(),
            None => return left.is_empty(),
        };
        if rest.is_empty() {
            return true;
        }
    }
}

/// What is left behind the first statement; `None` when it may do more.
fn statement(text: &str) -> Option<&str> {
    if text.contains('\n') {
        return None;
    }
    for word in ["print if ", "print unless "] {
        if let Some(rest) = text.strip_prefix(word) {
            return match_of(rest.strip_prefix('/')?, 1, "imsx", '/');
        }
    }
    for (word, flags) in [("tr", "cdsr"), ("y", "cdsr"), ("s", "gimsx")] {
        if let Some(rest) = text.strip_prefix(word) {
            let mark = rest.chars().next().filter(|mark| "/|#,!~%:".contains(*mark))?;
            return match_of(rest.get(mark.len_utf8()..)?, 2, flags, mark);
        }
    }
    None
}

/// So many texts, each up to the mark, and then these flags.
fn match_of<'a>(text: &'a str, texts: usize, flags: &str, mark: char) -> Option<&'a str> {
    let mut rest = text;
    for _ in 0..texts {
        let end = end_of(rest, mark)?;
        let (segment, behind) = (rest.get(..end)?, rest.get(end + mark.len_utf8()..)?);
        if !is_quiet(segment) {
            return None;
        }
        rest = behind;
    }
    Some(rest.trim_start_matches(|char| flags.contains(char)))
}

fn end_of(text: &str, mark: char) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(at, char)| {
        let ends = char == mark && !escaped;
        escaped = char == '\\' && !escaped;
        ends.then_some(at)
    })
}

/// Whether nothing in it is computed: no variable but a group that was found, and no code in a pattern.
fn is_quiet(segment: &str) -> bool {
    let dollars = segment.match_indices('$').all(|(at, _)| {
        let behind = segment.get(at + 1..).unwrap_or_default();
        let digits =
            |text: &str| text.len() - text.trim_start_matches(|char: char| char.is_ascii_digit()).len();
        let end = match behind.chars().next() {
            None => return true,
            Some(')' | '|' | '&') => 1,
            Some('{') => {
                let inner = behind.get(1..).unwrap_or_default();
                let count = digits(inner);
                if count == 0 || !inner.get(count..).is_some_and(|rest| rest.starts_with('}')) {
                    return false;
                }
                count + 2
            }
            Some(_) => match digits(behind) {
                0 => return false,
                count => count,
            },
        };
        // A subscript is computed.
        !behind
            .get(end..)
            .is_some_and(|rest| rest.starts_with(['[', '{', '-']))
    });
    dollars
        && !["@", "(?{", "(??{", "(*"]
            .iter()
            .any(|code| segment.contains(code))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_plain;

    #[rstest]
    fn what_only_replaces_is_plain(
        #[values(
            "s/foo/bar/g",
            "s|a|b|; s/c$/d/i;",
            "s/(a)(b)/$2${1}/",
            "tr/a-z/A-Z/",
            "print if /x|y/i",
            "s/a\\/b/c/"
        )]
        script: &str,
    ) {
        assert!(is_plain(script), "{script}");
    }

    #[rstest]
    fn what_computes_is_not(
        #[values(
            "",
            "system('x')",
            "s/a/b/e",
            "s/a/b/ee",
            "s/a/@{[system 1]}/",
            "s/a/${\\system 1}/",
            "s/$x/b/",
            "s/(?{system 1})//",
            "s/(??{1})//",
            "s/a/$1[system 1]/",
            "s/a/$&{system 1}/",
            "s/a/${1}[system 1]/",
            "s/a/$1->[system 1]/",
            "s/(*{system 1})//",
            "s/a/b/;system 1",
            "s/a/b/ and system 1",
            "print if `x`",
            "s/a/b",
            "s{a}{b}",
            "unlink"
        )]
        script: &str,
    ) {
        assert!(!is_plain(script), "{script}");
    }
}
