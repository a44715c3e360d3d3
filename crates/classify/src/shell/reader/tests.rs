//! Work grows with the length of the text, for every kind of text.

use rstest::rstest;

use super::{MAX_BYTES, Reader};

/// Steps for a unit repeated until the text is `bytes` long.
fn steps(before: &str, unit: &str, after: &str, bytes: usize) -> usize {
    let room = bytes - before.len() - after.len();
    let text = format!("{before}{}{after}", unit.repeat(room / unit.len()));
    let mut reader = Reader::new(&text);
    reader.whole().ok();
    reader.budget.spent()
}

#[rstest]
#[case::words("", "word ", "")]
#[case::commands("", "a; ", "")]
#[case::background("", "a & ", "")]
#[case::pipes("", "a | ", "a")]
#[case::quotes("", "'a' \"b\" ", "")]
#[case::one_word("", "a", "")]
#[case::variables("echo ", "$x", "")]
#[case::substitutions("", "$(a) ", "")]
#[case::backquotes("echo ", "`a` ", "")]
#[case::groups("", "{ a; }; ", "")]
#[case::assignments("", "x=1 ", "")]
#[case::names("", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa ", "")]
#[case::digits("echo ", "1", "")]
#[case::braces("echo ", "{", "")]
#[case::brackets("echo ", "[", "")]
#[case::redirections("a ", "<b ", "")]
#[case::heredocs("", "cat <<A\nx\nA\n", "")]
#[case::one_heredoc("cat <<A\n", "$(a) ", "\nA\n")]
#[case::heredoc_lines("cat <<A\n", "A \n", "A\n")]
#[case::comments("", "# a\n", "")]
#[case::continued("a ", "\\\n", "")]
#[case::clauses("case x in ", "a) b;; ", "esac")]
#[case::open_quotes("", "\" ' ", "")]
#[case::open_substitutions("", "\"$(", "")]
#[case::parentheses("", "(", "")]
#[case::arithmetic("echo $((", "1+", "1))")]
#[case::evaluated("", "eval 'a b'; ", "")]
fn work_is_linear(#[case] before: &str, #[case] unit: &str, #[case] after: &str) {
    let mut bytes = MAX_BYTES / 16;
    let mut last = steps(before, unit, after, bytes);
    while bytes < MAX_BYTES {
        bytes *= 2;
        let now = steps(before, unit, after, bytes);
        assert!(
            now <= 2 * last + 256,
            "{now} steps for {bytes} bytes, {last} for half of them"
        );
        assert!(now <= 8 * bytes, "{now} steps for {bytes} bytes");
        last = now;
    }
}
