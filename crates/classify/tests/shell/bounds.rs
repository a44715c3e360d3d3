//! Hostile sizes: the answer is opaque, and comes without much work.

use portcullis_classify::shell::{self, MAX_BYTES, MAX_DEPTH, Reason};
use rstest::rstest;

fn reason(text: &str) -> Option<Reason> {
    shell::read(text.as_bytes()).err().map(|opaque| opaque.reason())
}

#[rstest]
#[case::megabyte("a ".repeat(500_000))]
#[case::words("w ".repeat(100_000))]
#[case::parentheses("(".repeat(10_000))]
#[case::closed_parentheses("(".repeat(10_000) + "a" + &")".repeat(10_000))]
#[case::spaced_parentheses("( ".repeat(10_000))]
#[case::substitutions("$(".repeat(10_000))]
#[case::quoted_substitutions("\"$(".repeat(10_000))]
#[case::parameters("${x:-".repeat(10_000))]
#[case::braces("{ ".repeat(10_000))]
#[case::conditions("if ".repeat(10_000))]
#[case::loops("while ".repeat(10_000))]
#[case::cases("case x in x) ".repeat(4_000))]
#[case::tests("[[ ".to_owned() + &"( ".repeat(10_000))]
#[case::backquotes("`".repeat(10_001))]
#[case::heredocs("<<A ".repeat(10_000))]
#[case::heredocs_within("<<A\n$(".repeat(5_000))]
#[case::processes("<(".repeat(10_000))]
#[case::functions("f() ".repeat(10_000))]
#[case::coprocesses("coproc ".repeat(8_000))]
#[case::evals("eval ".repeat(10_000) + "$x")]
#[case::arrays("a=(".repeat(10_000))]
#[case::quotes("'".repeat(60_001))]
#[case::backslashes("\\".repeat(60_001))]
#[case::dollars("$".repeat(60_000))]
#[case::bangs("! ".repeat(30_000))]
#[case::redirections("> ".repeat(30_000))]
#[case::arithmetic("((".repeat(30_000))]
fn never_reads(#[case] text: String) {
    assert_ne!(reason(&text), None);
}

#[test]
fn evals_within_evals() {
    let mut text = "a".to_owned();
    for _ in 0..10 {
        text = format!("eval '{}'", text.replace('\'', "'\\''"));
    }
    // Each level doubles the quotes: the text is too long long before it is too deep.
    assert!(text.len() > 2 * 1024);
    assert_eq!(reason(&format!("{}a", "eval ".repeat(10))), None);
    assert_eq!(
        reason(&format!("{}a", "eval ".repeat(MAX_DEPTH + 1))),
        Some(Reason::TooDeep)
    );
}

#[test]
fn the_longest_text_is_read() {
    let words = "a ".repeat(MAX_BYTES / 2);
    assert_eq!(reason(&words), None);
    assert_eq!(reason(&format!("{words}a")), Some(Reason::TooLong));
    assert_eq!(reason(&"a;".repeat(MAX_BYTES / 2)), None);
}

#[test]
fn the_deepest_text_is_read() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}a{}", open.repeat(depth), close.repeat(depth));
    for (open, close) in [
        ("( ", ")"),
        ("{ ", "; }"),
        ("echo $(", ")"),
        ("if a; then ", "; fi"),
        ("echo \"$(", ")\""),
    ] {
        assert_eq!(reason(&nested(open, close, MAX_DEPTH)), None, "{open}");
        assert_eq!(
            reason(&nested(open, close, MAX_DEPTH + 1)),
            Some(Reason::TooDeep),
            "{open}"
        );
    }
}

#[test]
fn doubts_do_not_pile_up() {
    let opaque = shell::read("$x;".repeat(MAX_BYTES / 3).as_bytes()).unwrap_err();
    assert!(opaque.doubts().count() <= 64);
    assert!(opaque.is_read_to_the_end());
}
