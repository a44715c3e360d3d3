use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

const TABLE: &str = include_str!("ocsf.txt");

/// One member of the schema.
struct Member {
    kind: &'static str,
    required: bool,
    /// Numbers that it may be; the caption, where the schema gives one.
    numbers: BTreeMap<i64, Option<String>>,
}

static MEMBERS: LazyLock<BTreeMap<&'static str, Member>> = LazyLock::new(members);

fn members() -> BTreeMap<&'static str, Member> {
    let lines = TABLE
        .lines()
        .filter(|line| !line.starts_with('#') && !line.contains(" one of "));
    lines
        .map(|line| {
            let mut words = line.split_whitespace();
            let (place, kind) = (words.next().unwrap(), words.next().unwrap());
            let mut member = Member {
                kind,
                required: false,
                numbers: BTreeMap::new(),
            };
            for word in words {
                match word.split_once('=') {
                    None if word == "required" => member.required = true,
                    None => drop(member.numbers.insert(word.parse().unwrap(), None)),
                    Some((number, caption)) => {
                        let caption = Some(caption.replace('_', " "));
                        member.numbers.insert(number.parse().unwrap(), caption);
                    }
                }
            }
            (place, member)
        })
        .collect()
}

/// Panics when the event is not one of the class.
pub(super) fn check(event: &Value) {
    object(event.as_object().unwrap(), "", &MEMBERS);
    let number = |name: &str| event[name].as_i64().unwrap();
    assert_eq!(
        number("type_uid"),
        number("class_uid") * 100 + number("activity_id")
    );
    assert_eq!(event["metadata"]["version"], "1.4.0");
    assert_eq!(
        event["metadata"]["profiles"],
        serde_json::json!(["security_control"])
    );
}

fn object(found: &Map<String, Value>, place: &str, members: &BTreeMap<&'static str, Member>) {
    let inside = |name: &str| match place {
        "" => name.to_owned(),
        place => format!("{place}.{name}"),
    };
    for (name, value) in found {
        let place = inside(name);
        let member = members
            .get(place.as_str())
            .unwrap_or_else(|| panic!("no member `{place}`"));
        fits(value, &place, member, members);
        let sibling = match name.strip_suffix("_id").or_else(|| name.strip_suffix("_uid")) {
            Some(stem) => found.get(stem).or_else(|| found.get(&format!("{stem}_name"))),
            None => None,
        };
        if let (Some(number), Some(caption)) = (value.as_i64(), sibling)
            && let Some(Some(known)) = member.numbers.get(&number)
        {
            assert_eq!(caption, known, "{place}");
        }
    }
    for (required, member) in members {
        let (before, name) = required.rsplit_once('.').unwrap_or(("", required));
        let is_there = !member.required || before != place || found.contains_key(name);
        assert!(is_there, "`{required}` is missing");
    }
    for line in TABLE.lines() {
        if let Some((of, names)) = line.split_once(" one of ")
            && of == place
        {
            assert!(names.split(' ').any(|name| found.contains_key(name)), "{line}");
        }
    }
}

fn fits(value: &Value, place: &str, member: &Member, members: &BTreeMap<&'static str, Member>) {
    let right = match member.kind {
        "string" => value.is_string(),
        "strings" => value
            .as_array()
            .is_some_and(|list| list.iter().all(Value::is_string)),
        "integer" => {
            let number = value.as_i64();
            let known = number.is_some_and(|number| member.numbers.contains_key(&number));
            (number.is_some() || value.is_u64()) && (member.numbers.is_empty() || known)
        }
        "object" => {
            object(value.as_object().unwrap(), place, members);
            true
        }
        "objects" => {
            for item in value.as_array().unwrap() {
                object(item.as_object().unwrap(), place, members);
            }
            true
        }
        kind => kind == "anything" && value.is_object(),
    };
    assert!(right, "`{place}` is {value}");
}
