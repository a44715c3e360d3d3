//! Bytes that hide something.

use portcullis_classify::shell::{self, Reason};
use rstest::rstest;

use super::check;

#[rstest]
#[case::nul("echo a\0; rm b")]
#[case::carriage_return("echo a\r\nrm b\r\n")]
#[case::vertical_tab("rm\u{b}x")]
#[case::form_feed("rm\u{c}x")]
#[case::escape("echo \u{1b}[0m")]
#[case::delete("echo \u{7f}")]
#[case::c1("rm\u{85}x")]
fn control_characters(#[case] text: &str) {
    check(Reason::ControlCharacter, &[text], &["echo\ta\nls"]);
}

#[rstest]
#[case::line_separator("ls\u{2028}y")]
#[case::paragraph_separator("ls\u{2029}y")]
#[case::override_("rm \u{202e}cod.x")]
#[case::isolate("rm \u{2066}x")]
#[case::mark("rm \u{200f}x")]
#[case::zero_width_space("rm\u{200b} x")]
#[case::joiner("rm a\u{200d}")]
#[case::byte_order_mark("\u{feff}rm x")]
#[case::soft_hyphen("rm a\u{ad}b")]
#[case::made_by_an_escape("echo $'\\xe2\\x80\\xae'")]
fn hidden_characters(#[case] text: &str) {
    check(
        Reason::HiddenCharacter,
        &[text],
        &["echo grüße 日本", "echo 'no\u{a0}break'"],
    );
}

#[test]
fn bytes_that_are_no_text() {
    let opaque = shell::read(b"echo \xff").unwrap_err();
    assert_eq!(opaque.reason(), Reason::NotText);
    assert_eq!(opaque.place(), shell::Place { start: 5, end: 6 });
    check(Reason::NotText, &["echo $'\\xff'"], &["echo $'\\xc3\\xbc'"]);
}
