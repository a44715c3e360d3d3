//! The canonical form and what it is made of.

use std::path::Path;

use portcullis_classify::{Call, Limits, Shape};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;

use crate::{own, with_args};

/// The example of RFC 8785, section 3.2.2, and its published canonical form.
#[test]
fn the_published_example() {
    let args = r#"{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }"#;
    let canonical = concat!(
        r#"{"literals":[null,true,false],"#,
        r#""numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#,
        r#""string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
    let call = own(&with_args(args)).unwrap();
    assert_eq!(String::from_utf8(call.canonical_arguments()).unwrap(), canonical);
}

/// The sorting example of RFC 8785, section 3.2.3: by UTF-16 code units, not by bytes.
#[test]
fn the_published_order() {
    let args = r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
        "\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}"#;
    let canonical = String::from_utf8(own(&with_args(args)).unwrap().canonical_arguments()).unwrap();
    let values = ["Carriage", "One", "Control", "Latin", "Euro", "Emoji", "Hebrew"];
    let places: Vec<_> = values
        .iter()
        .map(|value| canonical.find(value).unwrap())
        .collect();
    assert!(places.is_sorted(), "{canonical}");
}

/// Numbers of RFC 8785, appendix B, that a call may hold.
#[rstest]
#[case("-0", "0")]
#[case("5e-324", "5e-324")]
#[case("-5e-324", "-5e-324")]
#[case("1.7976931348623157e308", "1.7976931348623157e+308")]
#[case("9007199254740992", "9007199254740992")]
#[case("-9007199254740992", "-9007199254740992")]
#[case("9.999999999999997e22", "9.999999999999997e+22")]
#[case("1e23", "1e+23")]
#[case("1e21", "1e+21")]
#[case("9.999999999999997e-7", "9.999999999999997e-7")]
#[case("0.000001", "0.000001")]
#[case("333333333.3333332", "333333333.3333332")]
#[case("333333333.33333325", "333333333.33333325")]
#[case("333333333.3333334", "333333333.3333334")]
#[case("-0.0000033333333333333333", "-0.0000033333333333333333")]
#[case("1424953923781206.2", "1424953923781206.2")]
fn the_published_numbers(#[case] number: &str, #[case] canonical: &str) {
    let call = own(&with_args(&format!("{{\"n\":{number}}}"))).unwrap();
    assert_eq!(
        String::from_utf8(call.canonical_arguments()).unwrap(),
        format!("{{\"n\":{canonical}}}")
    );
}

#[test]
fn the_whole_call_is_digested() {
    let base = own(r#"{"id":"1","tool":"t","args":{"a":1},"cwd":"/w","session":"s","agent":"g"}"#).unwrap();
    assert_eq!(
        base.canonical(),
        br#"{"agent":"g","args":{"a":1},"cwd":"/w","id":"1","session":"s","tool":"t"}"#
    );
    assert_eq!(
        base.digest().to_string(),
        "5da68c12c5849f531613a95f266601fca15f7a87c6e597d013204adb47e35606"
    );
    for changed in [
        r#"{"id":"2","tool":"t","args":{"a":1},"cwd":"/w","session":"s","agent":"g"}"#,
        r#"{"id":"1","tool":"u","args":{"a":1},"cwd":"/w","session":"s","agent":"g"}"#,
        r#"{"id":"1","tool":"t","args":{"a":2},"cwd":"/w","session":"s","agent":"g"}"#,
        r#"{"id":"1","tool":"t","args":{"a":1},"cwd":"/v","session":"s","agent":"g"}"#,
        r#"{"id":"1","tool":"t","args":{"a":1},"cwd":"/w","session":"r","agent":"g"}"#,
        r#"{"id":"1","tool":"t","args":{"a":1},"cwd":"/w","session":"s","agent":"f"}"#,
        r#"{"id":"1","tool":"t","args":{"a":1},"session":"s","agent":"g"}"#,
    ] {
        assert_ne!(own(changed).unwrap().digest(), base.digest(), "{changed}");
    }
}

#[test]
fn a_default_working_directory_is_digested_and_replaces_none() {
    let bare = own(r#"{"id":"1","tool":"t","args":{"a":1}}"#).unwrap();
    let named = own(r#"{"id":"1","tool":"t","args":{"a":1},"cwd":"/w"}"#).unwrap();
    let filled = bare.clone().with_default_cwd(Path::new("/w"));
    assert_eq!(filled.digest(), named.digest());
    assert_eq!(filled.cwd(), Some(Path::new("/w")));
    assert_eq!(filled.canonical_arguments(), br#"{"a":1}"#);
    let kept = named.clone().with_default_cwd(Path::new("/v"));
    assert_eq!((kept.digest(), kept.cwd()), (named.digest(), named.cwd()));
    assert_eq!(bare.with_default_cwd(Path::new("w")).cwd(), None);
}

#[test]
fn working_directories_that_are_not_utf8_are_kept_apart() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let bare = own(r#"{"id":"1","tool":"t","args":{}}"#).unwrap();
    let with = |bytes: &[u8]| bare.clone().with_default_cwd(Path::new(OsStr::from_bytes(bytes)));
    assert_ne!(with(b"/\xff").digest(), with(b"/\xfe").digest());
    assert_eq!(with(b"/\xff").cwd(), Some(Path::new(OsStr::from_bytes(b"/\xff"))));
    // The canonical form reads back as the same call: the built-in tools act on what they read from it.
    let call = with(b"/a\xff/b");
    let again = own(std::str::from_utf8(call.canonical()).unwrap()).unwrap();
    assert_eq!((again.digest(), again.cwd()), (call.digest(), call.cwd()));
}

#[test]
fn a_working_directory_in_hexadecimal_is_none_that_could_be_text() {
    for digits in ["2f61", "2fFF", "2ff", "ff2f", "2f00ff", "", "2fzz", "/a"] {
        let text = format!(r#"{{"id":"1","tool":"t","args":{{}},"cwd_hex":"{digits}"}}"#);
        assert!(own(&text).is_err(), "{digits}");
    }
    assert!(own(r#"{"id":"1","tool":"t","args":{},"cwd":"/a","cwd_hex":"2fff"}"#).is_err());
    assert!(own(r#"{"id":"1","tool":"t","args":{},"cwd_hex":"2fff"}"#).is_ok());
}

/// A JSON value the reader takes, with names and strings that need escaping.
fn value() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        (-9_007_199_254_740_992_i64..=9_007_199_254_740_992).prop_map(Value::from),
        prop::num::f64::NORMAL
            .prop_filter("would be an integer beyond 2^53", |n| !(9e15..1e21)
                .contains(&n.abs()))
            .prop_map(Value::from),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// The same value as text, with members in another order, white space, and escapes where none are needed.
fn respelled(value: &Value, turn: usize) -> String {
    let gap = match turn % 4 {
        0 => " ",
        1 => "\n\t",
        2 => "",
        _ => "\r\n",
    };
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            if !members.is_empty() {
                let by = turn % members.len();
                members.rotate_left(by);
            }
            let members: Vec<_> = members
                .into_iter()
                .map(|(name, value)| {
                    format!(
                        "{gap}{}{gap}:{gap}{}{gap}",
                        escaped(name),
                        respelled(value, turn / 2)
                    )
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(elements) => {
            let elements: Vec<_> = elements
                .iter()
                .map(|element| format!("{gap}{}{gap}", respelled(element, turn / 2)))
                .collect();
            format!("[{}]", elements.join(","))
        }
        Value::String(text) => escaped(text),
        other => other.to_string(),
    }
}

fn escaped(text: &str) -> String {
    let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
    format!("\"{units}\"")
}

proptest! {
    #[test]
    fn spelling_does_not_matter(
        members in prop::collection::vec((any::<String>(), value()), 0..5),
        id in "\\PC{1,20}",
        tool in any::<String>().prop_filter("bounded", |tool| (1..=256).contains(&tool.len())),
        turn in 0..64_usize,
    ) {
        let args = Value::Object(members.into_iter().collect());
        let value = serde_json::json!({"id": id, "tool": tool, "args": args});
        let plain = Call::read(value.to_string().as_bytes(), Shape::Portcullis, &Limits::default()).unwrap();
        let other = Call::read(respelled(&value, turn).as_bytes(), Shape::Portcullis, &Limits::default()).unwrap();
        let again = Call::read(plain.canonical(), Shape::Portcullis, &Limits::default()).unwrap();

        prop_assert_eq!(plain.arguments(), other.arguments());
        prop_assert_eq!(plain.digest(), other.digest());
        prop_assert_eq!(plain.digest(), again.digest());
        prop_assert_eq!(plain.canonical(), again.canonical());
        // An independent writer of the same form agrees on the whole.
        prop_assert_eq!(plain.canonical(), serde_json_canonicalizer::to_vec(&value).unwrap());
    }
}
