//! What the messages `LogsData`, `ResourceLogs`, `ScopeLogs`, `LogRecord`, `KeyValue` and `AnyValue` of OpenTelemetry's
//! protocol 1.9 are in JSON: names in lower camel case, 64-bit numbers as text, enumerations as numbers.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// Panics when the messages are not what the protocol says, or hold another number of records.
pub(super) fn check(messages: &[Value], records: usize) {
    let mut found = 0;
    for message in messages {
        for logs in list(only(message, &["resourceLogs"]), "resourceLogs") {
            let logs = only(logs, &["resource", "scopeLogs", "schemaUrl"]);
            attributes(only(&logs["resource"], &["attributes", "droppedAttributesCount"]));
            for scope in list(logs, "scopeLogs") {
                let scope = only(scope, &["scope", "logRecords", "schemaUrl"]);
                let named = only(&scope["scope"], &["name", "version", "attributes"]);
                assert!(named["name"].is_string() && named["version"].is_string());
                for entry in list(scope, "logRecords") {
                    record(entry);
                    found += 1;
                }
            }
        }
    }
    assert_eq!(found, records);
}

fn only<'a>(value: &'a Value, names: &[&str]) -> &'a Map<String, Value> {
    let members = value.as_object().unwrap();
    for name in members.keys() {
        assert!(names.contains(&name.as_str()), "no member `{name}` in {value}");
    }
    members
}

fn list<'a>(members: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    members[name].as_array().unwrap()
}

fn record(value: &Value) {
    let record = only(
        value,
        &[
            "timeUnixNano",
            "observedTimeUnixNano",
            "severityNumber",
            "severityText",
            "body",
            "attributes",
            "eventName",
        ],
    );
    for time in ["timeUnixNano", "observedTimeUnixNano"] {
        record[time].as_str().unwrap().parse::<u64>().unwrap();
    }
    // The lowest of four numbers each, by their short names.
    let named = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"].iter();
    let (_, name) = named
        .enumerate()
        .find(|(at, _)| record["severityNumber"] == at * 4 + 1)
        .unwrap();
    assert_eq!(record["severityText"], *name);
    assert!(record["eventName"].is_string());
    any_value(&record["body"]);
    attributes(record);
}

/// Keys are given once.
fn attributes(holder: &Map<String, Value>) {
    let mut keys = BTreeSet::new();
    for attribute in list(holder, "attributes") {
        let attribute = only(attribute, &["key", "value"]);
        let key = attribute["key"].as_str().unwrap();
        assert!(!key.is_empty() && keys.insert(key), "{key}");
        any_value(&attribute["value"]);
    }
}

fn any_value(value: &Value) {
    let members = value.as_object().unwrap();
    assert_eq!(members.len(), 1, "{value}");
    for (kind, inside) in members {
        match kind.as_str() {
            "stringValue" => assert!(inside.is_string(), "{value}"),
            "boolValue" => assert!(inside.is_boolean(), "{value}"),
            "intValue" => drop(inside.as_str().unwrap().parse::<i64>().unwrap()),
            "doubleValue" => assert!(inside.is_f64() || inside.is_i64(), "{value}"),
            "arrayValue" => {
                let items = only(inside, &["values"]);
                list(items, "values").iter().for_each(any_value);
            }
            _ => panic!("no kind `{kind}` in {value}"),
        }
    }
}
