use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

/// Directories and what is kept for them; an entry without a value says nothing, and stays.
pub(super) type Map<T> = BTreeMap<String, Option<T>>;

/// What can be kept for a directory.
pub(super) trait Kept: Serialize + DeserializeOwned + 'static {
    /// For the sentence about a value of another kind.
    const NAME: &'static str;
}

impl Kept for bool {
    const NAME: &'static str = "true, false or null";
}

/// What each profile held, by its name.
impl Kept for BTreeMap<String, String> {
    const NAME: &'static str = "what was trusted there";
}

/// Reads an object in which no directory stands twice. A byte-order mark in front is none of it.
pub(super) fn parse<T: Kept>(bytes: &[u8]) -> Result<Map<T>, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let strict: Strict<T> =
        serde_json::from_slice(bytes).map_err(|error| format!("does not hold decisions: {error}"))?;
    Ok(strict.0)
}

/// Two blanks for each step and a line feed at the end, as Pi writes it.
pub(super) fn write<T: Kept>(map: &Map<T>) -> String {
    let text = serde_json::to_string_pretty(map);
    // Texts and truth values have a form of their own in JSON always.
    text.map(|text| text + "\n").unwrap_or_default()
}

struct Strict<T>(Map<T>);

impl<'de, T: Kept> Deserialize<'de> for Strict<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members(PhantomData))
    }
}

struct Members<T>(PhantomData<T>);

impl<'de, T: Kept> Visitor<'de> for Members<T> {
    type Value = Strict<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "one object of directories and {}", T::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self::Value, A::Error> {
        let mut map = Map::new();
        while let Some((name, value)) = members.next_entry::<String, Option<T>>()? {
            if map.insert(name, value).is_some() {
                return Err(serde::de::Error::custom("a directory stands there twice"));
            }
        }
        Ok(Strict(map))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[test]
    fn a_file_that_pi_wrote_is_understood_and_written_back_as_it_was() {
        let text =
            "{\n  \"/home/ada/app\": true,\n  \"/home/ada/off\": false,\n  \"/home/ada/old\": null\n}\n";
        let map: Map<bool> = parse(text.as_bytes()).unwrap();
        assert_eq!(map.get("/home/ada/app"), Some(&Some(true)));
        assert_eq!(map.get("/home/ada/old"), Some(&None));
        assert_eq!(write(&map), text);
        assert_eq!(parse::<bool>(format!("\u{feff}{text}").as_bytes()), Ok(map));
    }

    #[test]
    fn an_empty_object_is_written_as_pi_does() {
        assert_eq!(write(&Map::<bool>::new()), "{}\n");
    }

    #[rstest]
    #[case::nothing("")]
    #[case::blanks(" \n")]
    #[case::only_a_mark("\u{feff}")]
    #[case::array("[]")]
    #[case::null("null")]
    #[case::truth("true")]
    #[case::number_for_a_value("{\"/w\": 1}")]
    #[case::text_for_a_value("{\"/w\": \"true\"}")]
    #[case::object_for_a_value("{\"/w\": {}}")]
    #[case::twice("{\"/w\": true, \"/w\": true}")]
    #[case::twice_with_an_escape("{\"/w\": false, \"\\u002fw\": true}")]
    #[case::cut("{\"/w\": tr")]
    #[case::more_behind("{} {}")]
    #[case::comment("{} // x")]
    #[case::two_marks("\u{feff}\u{feff}{}")]
    fn anything_else_is_an_error(#[case] text: &str) {
        assert!(parse::<bool>(text.as_bytes()).is_err());
    }

    #[test]
    fn bytes_that_are_no_text_are_an_error() {
        assert!(parse::<bool>(b"{\"/\xff\": true}").is_err());
        assert!(parse::<bool>(&b"[".repeat(100_000)).is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(map in prop::collection::btree_map(".{0,12}", any::<Option<bool>>(), 0..12)) {
            prop_assert_eq!(parse(write(&map).as_bytes()), Ok(map));
        }
    }
}
