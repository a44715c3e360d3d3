//! Habits of the JSON library that would open the gate, pinned. When one of these goes red, a dependency switched
//! a feature on for the whole build.

use portcullis_classify::{Call, CallErrorKind, Limits, Shape};
use serde_json::Value;

use crate::{own, with_args};

/// Trap 1: the library's own map keeps the last of two equal names. The reader must not.
#[test]
fn the_library_keeps_the_last_duplicate_and_the_reader_refuses() {
    let text = r#"{"path":"a","path":"/etc/shadow"}"#;
    let lax: Value = serde_json::from_str(text).unwrap();
    assert_eq!(lax["path"], "/etc/shadow");
    assert_eq!(
        own(&with_args(text)).unwrap_err().kind(),
        CallErrorKind::DuplicateMember
    );
}

/// Trap 2: with `preserve_order` names keep the order of the text; with `arbitrary_precision` numbers are objects
/// inside; with `unbounded_depth` nothing bounds recursion.
#[test]
fn the_library_is_built_as_the_reader_expects() {
    let sorted: Value = serde_json::from_str(r#"{"b":1,"a":2}"#).unwrap();
    assert_eq!(sorted.to_string(), r#"{"a":2,"b":1}"#, "preserve_order is on");
    let call = own(&with_args(r#"{"b":1,"a":1.5}"#)).unwrap();
    assert_eq!(call.canonical_arguments(), br#"{"a":1.5,"b":1}"#);
    assert!(
        call.arguments()["a"].is_f64() && call.arguments()["b"].is_u64(),
        "arbitrary_precision is on"
    );
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    assert!(
        serde_json::from_str::<Value>(&deep).is_err(),
        "unbounded_depth is on"
    );
}

/// Trap 2: the parser's bound holds when ours is wider, and it is reported as the limit it is.
#[test]
fn the_parsers_own_depth_is_a_second_guard() {
    let limits = Limits {
        depth: usize::MAX,
        ..Limits::default()
    };
    let deep = with_args(&format!(
        "{{\"a\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    ));
    let error = Call::read(deep.as_bytes(), Shape::Portcullis, &limits).unwrap_err();
    assert_eq!(error.kind(), CallErrorKind::Limit);
    assert!(error.place().len() < 600, "{error}");
}

/// Trap 5: beyond 2^53 two integers have one canonical form.
#[test]
fn integers_that_share_a_canonical_form_are_refused() {
    let form = |number: u64| serde_json_canonicalizer::to_string(&(number as f64)).unwrap();
    assert_eq!(form(9_007_199_254_740_993), form(9_007_199_254_740_992));
    for number in [
        "9007199254740993",
        "-9007199254740993",
        "18446744073709551616",
        "9007199254740993.0",
    ] {
        let error = own(&with_args(&format!("{{\"n\":{number}}}"))).unwrap_err();
        assert_eq!(error.kind(), CallErrorKind::Number, "{number}");
    }
}

/// Doubles are read to the last bit (`float_roundtrip`), so that the host and the gate see one number.
#[test]
fn doubles_are_read_exactly() {
    for text in [
        "333333333.33333329",
        "51.24817837550540",
        "1.0715660391465826e-75",
        "8.41450101e-245",
        "7.2057594037927933e-16",
    ] {
        let call = own(&with_args(&format!("{{\"n\":{text}}}"))).unwrap();
        assert_eq!(call.arguments()["n"].as_f64(), text.parse().ok(), "{text}");
    }
}

/// Names that the library gives a meaning of its own inside are names like any other here.
#[test]
fn private_names_of_the_library_are_plain_members() {
    for name in ["$serde_json::private::Number", "$serde_json::private::RawValue"] {
        let args = format!("{{\"n\":{{\"{name}\":\"1\"}}}}");
        let call = own(&with_args(&args)).unwrap();
        assert_eq!(call.canonical_arguments(), args.as_bytes());
        assert_eq!(call.arguments()["n"][name], "1");
    }
}
