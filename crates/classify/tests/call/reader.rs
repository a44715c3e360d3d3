//! What is not one well-formed call within the limits is an error with kind and place.

use portcullis_classify::{Call, CallErrorKind, Limits, Shape};
use proptest::prelude::*;
use rstest::rstest;

use crate::{own, with_args};

#[rstest]
#[case::empty("", CallErrorKind::Json, "line 1, column 0")]
#[case::blank(" \n ", CallErrorKind::Json, "line 2, column 1")]
#[case::truncated(r#"{"id":"1""#, CallErrorKind::Json, "line 1, column 9")]
#[case::trailing_comma(r#"{"id":"1",}"#, CallErrorKind::Json, "line 1, column 11")]
#[case::trailing_text(
    r#"{"id":"1","tool":"t","args":{}} x"#,
    CallErrorKind::Json,
    "line 1, column 33"
)]
#[case::two_values(
    r#"{"id":"1","tool":"t","args":{}}{}"#,
    CallErrorKind::Json,
    "line 1, column 32"
)]
#[case::byte_order_mark("\u{feff}{}", CallErrorKind::Json, "line 1, column 1")]
#[case::comment(r#"{/**/}"#, CallErrorKind::Json, "line 1, column 2")]
#[case::raw_control("{\"id\":\"a\nb\"}", CallErrorKind::Json, "line 2, column 0, in $[\"id\"]")]
#[case::not_a_number(r#"{"id":NaN}"#, CallErrorKind::Json, r#"line 1, column 7, in $["id"]"#)]
#[case::lone_high_surrogate(r#"{"id":"\ud800"}"#, CallErrorKind::Json, r#"line 1, column 14, in $["id"]"#)]
#[case::lone_surrogate_in_a_path(
    r#"{"id":"1","tool":"read_file","args":{"path":"src/b\ud800.txt"}}"#,
    CallErrorKind::Json,
    r#"line 1, column 57, in $["args"]["path"]"#
)]
#[case::lone_low_surrogate(r#"{"id":"\udc00"}"#, CallErrorKind::Json, r#"line 1, column 13, in $["id"]"#)]
#[case::lone_surrogate_in_a_name(r#"{"\udc00":1}"#, CallErrorKind::Json, "line 1, column 8")]
#[case::twice(
    r#"{"id":"1","id":"1"}"#,
    CallErrorKind::DuplicateMember,
    r#"line 1, column 14, in $["id"]"#
)]
#[case::twice_escaped(
    r#"{"id":"1","tool":"t","args":{"path":"a","p\u0061th":"b"}}"#,
    CallErrorKind::DuplicateMember,
    r#"line 1, column 51, in $["args"]["path"]"#
)]
#[case::twice_in_an_element(
    "{\"args\":[0,\n{\"a\":1,\"a\":1}]}",
    CallErrorKind::DuplicateMember,
    r#"line 2, column 10, in $["args"][1]["a"]"#
)]
#[case::integer(r#"{"id":9007199254740993}"#, CallErrorKind::Number, "line 1, column 7")]
#[case::overflow("{\n\"id\":-1e999}", CallErrorKind::Number, "line 2, column 6")]
fn is_refused(#[case] text: &str, #[case] kind: CallErrorKind, #[case] place: &str) {
    let error = own(text).unwrap_err();
    assert_eq!((error.kind(), error.place()), (kind, place), "{error}");
}

#[test]
fn bytes_that_are_not_utf8_are_named_by_their_offset() {
    let error = Call::read(b"{\"id\":\"a\xff\"}", Shape::Portcullis, &Limits::default()).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Json);
    assert_eq!(error.to_string(), "byte 8 is not UTF-8 at line 1, column 9");
}

#[test]
fn an_unpaired_surrogate_as_three_bytes_is_not_utf8() {
    let error = Call::read(
        b"{\"id\":\"\xed\xa0\x80\"}",
        Shape::Portcullis,
        &Limits::default(),
    )
    .unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Json);
}

#[test]
fn names_that_only_look_equal_are_two_members() {
    assert!(own(&with_args("{\"\u{e9}\":1,\"e\u{301}\":2}")).is_ok());
}

/// Each limit holds exactly: what reaches it passes, one more does not.
#[rstest]
#[case::bytes(Limits { bytes: 36, ..Limits::default() }, with_args("{\"a\":1}"), with_args("{\"a\":1 }"))]
#[case::depth(Limits { depth: 3, ..Limits::default() }, with_args("{\"a\":[]}"), with_args("{\"a\":[[]]}"))]
#[case::members(Limits { members: 5, ..Limits::default() }, with_args("{\"a\":[0]}"), with_args("{\"a\":[0,1]}"))]
#[case::string(Limits { string: 4, ..Limits::default() }, with_args("{\"a\":\"\\u00e9\\u00e9\"}"), with_args("{\"a\":\"\\u00e9\\u00e9a\"}"))]
#[case::name(Limits { string: 4, ..Limits::default() }, with_args("{\"abcd\":1}"), with_args("{\"abcde\":1}"))]
fn a_limit_holds_exactly(#[case] limits: Limits, #[case] fits: String, #[case] exceeds: String) {
    Call::read(fits.as_bytes(), Shape::Portcullis, &limits).unwrap();
    let error = Call::read(exceeds.as_bytes(), Shape::Portcullis, &limits).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Limit, "{error}");
}

#[test]
fn a_limit_error_names_the_member() {
    let limits = Limits {
        string: 4,
        ..Limits::default()
    };
    let error = Call::read(
        with_args("{\"a\":[\"12345\"]}").as_bytes(),
        Shape::Portcullis,
        &limits,
    )
    .unwrap_err();
    assert!(error.place().ends_with(r#"in $["args"]["a"][0]"#), "{error}");
}

#[test]
fn an_error_repeats_no_value_and_escapes_names() {
    let error = own(&with_args(
        "{\"\\u001b[2J\u{202e}`\":{\"a\":\"hunter2\",\"a\":\"hunter2\"}}",
    ))
    .unwrap_err();
    let text = error.to_string();
    assert!(!text.contains("hunter2"), "{text}");
    assert!(text.contains(r#"["\u{1b}[2J\u{202e}\u{60}"]["a"]"#), "{text}");
    assert!(error.hint().is_some());
}

#[test]
fn debug_shows_no_arguments() {
    let call = own(&with_args(r#"{"token":"hunter2"}"#)).unwrap();
    let text = format!("{call:?}");
    assert!(!text.contains("hunter2") && !text.contains("token"), "{text}");
    assert!(text.contains(&call.digest().to_string()), "{text}");
}

const VALID: &str = r#"{"id":"call_1","tool":"edit_file","args":{"path":"a\u00e9\ud83d\ude00","n":[1,-0,2.5e3,null,true]},"cwd":"/w"}"#;

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for shape in [Shape::Portcullis, Shape::ClaudeCode, Shape::Pi] {
            drop(Call::read(&bytes, shape, &Limits::default()));
        }
    }

    #[test]
    fn a_mutated_call_never_panics_and_what_is_read_is_canonical(
        edits in prop::collection::vec((0..VALID.len(), prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\",:\\0e-\xc3".to_vec())], 0..3_u8), 1..6),
    ) {
        let mut bytes = VALID.as_bytes().to_vec();
        for (at, byte, how) in edits {
            let at = at.min(bytes.len().saturating_sub(1));
            match how {
                0 => if let Some(there) = bytes.get_mut(at) { *there = byte },
                1 => bytes.insert(at, byte),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(call) = Call::read(&bytes, Shape::Portcullis, &Limits::default()) {
            let again = Call::read(call.canonical(), Shape::Portcullis, &Limits::default());
            prop_assert_eq!(again.map(|again| again.digest()), Ok(call.digest()));
        }
    }
}
