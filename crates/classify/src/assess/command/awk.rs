//! Programs of `awk`: the plainest only print.

/// Whether a program of awk only reads its input and prints.
pub(super) fn is_plain(program: &str) -> bool {
    const RUNS: &[&str] = &[
        "system", "getline", "|", "@", ">", "close", "ENVIRON", "ARGV", "strftime",
    ];
    let unquoted = without_its_pattern(program);
    let quiet = without_comparisons(unquoted)
        .replace("||", " ")
        .replace(">=", " ");
    // A comparison stands outside of braces, where nothing is printed.
    let bare = match quiet.split_once('{') {
        Some((condition, rest)) if !condition.contains('"') => {
            format!("{}{{{rest}", condition.replace('>', " "))
        }
        None => quiet.replace('>', " "),
        Some(_) => quiet,
    };
    !RUNS.iter().any(|word| bare.contains(word))
}

/// The program without the signs `>` between parentheses, where they compare. Where a slash stands, which may begin a pattern
/// with parentheses of its own, everything stays.
fn without_comparisons(program: &str) -> String {
    let mut depth = 0_usize;
    let mut quoted = false;
    let mut chars = program.chars();
    let mut bare = String::with_capacity(program.len());
    if program.contains('/') {
        return program.to_owned();
    }
    while let Some(char) = chars.next() {
        match char {
            '\\' if quoted => {
                bare.push(char);
                bare.extend(chars.next());
                continue;
            }
            '"' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            '>' if !quoted && depth > 0 => {
                bare.push(' ');
                continue;
            }
            _ => {}
        }
        bare.push(char);
    }
    bare
}

/// The program without a pattern between slashes at its beginning: letters, digits, blanks and signs that mean nothing but
/// in a pattern. A slash there, or a backslash before one, could end it somewhere else.
fn without_its_pattern(program: &str) -> &str {
    let plain = |text: &str| {
        text.chars()
            .all(|char| char.is_ascii_alphanumeric() || " _-.:,|^$*+?()<>=#!\"'".contains(char))
    };
    let split = program
        .trim_start()
        .strip_prefix('/')
        .and_then(|rest| rest.split_once('/'));
    match split {
        Some((pattern, rest)) if plain(pattern) && !rest.trim_start().starts_with('/') => rest,
        _ => program,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("{print $1}", true)]
    #[case("NR>5", true)]
    #[case("$1 > 5 || $2 >= 3 {print}", true)]
    #[case("{print > \"f\"}", false)]
    #[case("BEGIN{system(\"x\")}", false)]
    #[case("{print | \"sh\"}", false)]
    #[case("{\"x\" | getline}", false)]
    #[case("@load \"x\"", false)]
    #[case("/shutdown|reboot/ {print FILENAME\": \"$0}", true)]
    #[case("{ for (i=NF; i>0; i--) printf \"%s \", $i }", true)]
    #[case("{ if ($1 > 5) print }", true)]
    #[case("{ print \"(\" > \"f\" }", false)]
    #[case("{ print (1) > \"f\" }", false)]
    #[case("{ print \"\\\"(\" > \"f\" }", false)]
    #[case("{ x = /(/; print > \"f\" }", false)]
    #[case("/a > b/", true)]
    #[case("/a|b/ {print | \"sh\"}", false)]
    #[case("/a/ {print > \"f\"}", false)]
    #[case("/[/]|x/ {print}", false)]
    #[case("/a\\/|b/ {print}", false)]
    #[case("//{print | \"sh\"}", false)]
    fn awk_that_only_prints_is_plain(#[case] program: &str, #[case] expected: bool) {
        assert_eq!(is_plain(program), expected);
    }
}
