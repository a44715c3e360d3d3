//! Programs of `awk`: the plainest only print.

/// Whether a program of awk only reads its input and prints.
pub(super) fn is_plain(program: &str) -> bool {
    const RUNS: &[&str] = &[
        "system", "getline", "|", "@", ">", "close", "ENVIRON", "ARGV", "strftime",
    ];
    let quiet = program.replace("||", " ").replace(">=", " ");
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
    fn awk_that_only_prints_is_plain(#[case] program: &str, #[case] expected: bool) {
        assert_eq!(is_plain(program), expected);
    }
}
