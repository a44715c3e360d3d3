//! Sessions: many calls in one text.

use portcullis_classify::{CallErrorKind, Limits, Session, Shape};
use rstest::rstest;

fn outcomes(text: &str) -> Vec<String> {
    Session::read(text.as_bytes(), Shape::Portcullis, &Limits::default())
        .map(|call| match call {
            Ok(call) => call.id().to_owned(),
            Err(error) => format!("{:?} {}", error.kind(), error.place()),
        })
        .collect()
}

#[rstest]
#[case::nothing("", &[])]
#[case::blank("\n \n\r\n", &[])]
#[case::one(r#"{"id":"1","tool":"t","args":{}}"#, &["1"])]
#[case::two_with_blanks_and_returns("{\"id\":\"1\",\"tool\":\"t\",\"args\":{}}\r\n\r\n{\"id\":\"2\",\"tool\":\"t\",\"args\":{}}\n", &["1", "2"])]
#[case::over_several_lines("\n{\n \"id\": \"1\",\n \"tool\": \"t\",\n \"args\": {}\n}\n", &["1"])]
#[case::over_several_lines_of_another_shape("{\n \"id\": \"1\"\n}\n", &["Shape $[\"tool\"]"])]
#[case::a_broken_line_spoils_no_other("{\"id\":\"1\",\"tool\":\"t\",\"args\":{}}\n{\"id\"\n{\"id\":\"3\",\"tool\":\"t\",\"args\":{}}", &["1", "Json line 2, column 5, in $[\"id\"]", "3"])]
#[case::a_broken_first_line("{\"id\"\n{\"id\":\"2\",\"tool\":\"t\",\"args\":{}}", &["Json line 1, column 5, in $[\"id\"]", "2"])]
#[case::wrong_shape_has_its_line("{\"id\":\"1\",\"tool\":\"t\",\"args\":{}}\n{\"id\":\"2\",\"tool\":\"t\"}", &["1", "Shape line 2, $[\"args\"]"])]
#[case::two_calls_on_a_line("{\"id\":\"1\",\"tool\":\"t\",\"args\":{}}{\"id\":\"2\",\"tool\":\"t\",\"args\":{}}", &["Json line 1, column 32"])]
fn a_session(#[case] text: &str, #[case] expected: &[&str]) {
    assert_eq!(outcomes(text), expected);
}

#[test]
fn limits_hold_for_each_call() {
    let limits = Limits {
        bytes: 40,
        ..Limits::default()
    };
    let line = r#"{"id":"1","tool":"t","args":{}}"#;
    let long = r#"{"id":"1","tool":"t","args":{"aaaaaaaaaa":1}}"#;
    let text = format!("{line}\n{long}\n{line}\n");
    let kinds: Vec<_> = Session::read(text.as_bytes(), Shape::Portcullis, &limits)
        .map(|call| call.map_err(|error| error.kind()).err())
        .collect();
    assert_eq!(kinds, [None, Some(CallErrorKind::Limit), None]);
}
