//! The JSON form of OpenTelemetry's log records: names in lower camel case, 64-bit numbers as text.

use serde_json::{Value, json};

use super::known::Known;
use crate::Entry;

const INFO: u64 = 9;
const WARN: u64 = 13;
const ERROR: u64 = 17;

pub(super) fn message(records: Vec<Value>) -> Value {
    json!({
        "resourceLogs": [{
            "resource": { "attributes": [
                attribute("service.name", "portcullis"),
                attribute("service.version", env!("CARGO_PKG_VERSION")),
            ] },
            "scopeLogs": [{
                "scope": { "name": "portcullis.audit", "version": "1" },
                "logRecords": records,
            }],
        }],
    })
}

pub(super) fn record(entry: &Entry, known: &Known) -> Value {
    let kind = entry.text("kind").unwrap_or("unknown");
    let (severity, word) = match entry.word() {
        Some("failed") => (ERROR, "ERROR"),
        Some("refused" | "changed") => (WARN, "WARN"),
        _ => (INFO, "INFO"),
    };
    let mut attributes = Vec::new();
    for (member, name) in [
        ("gen_ai.tool.name", &known.tool),
        ("gen_ai.agent.name", &known.agent),
    ] {
        if let Some(text) = name {
            attributes.push(attribute(member, text));
        }
    }
    for (member, name) in NAMES {
        if let Some(value) = entry.value.get(member).and_then(any_value) {
            attributes.push(json!({ "key": name, "value": value }));
        }
    }
    let rules: Vec<Value> = entry.rules().map(|rule| json!({ "stringValue": rule })).collect();
    if !rules.is_empty() {
        attributes.push(json!({ "key": "portcullis.rules", "value": { "arrayValue": { "values": rules } } }));
    }
    // 0 stands for a time that is not known, and so for one that this form cannot say.
    let nanoseconds = entry
        .time_ms()
        .and_then(|time| u64::try_from(time).ok()?.checked_mul(1_000_000))
        .unwrap_or_default();
    json!({
        "timeUnixNano": nanoseconds.to_string(),
        "observedTimeUnixNano": nanoseconds.to_string(),
        "severityNumber": severity,
        "severityText": word,
        "eventName": format!("portcullis.{kind}"),
        "body": { "stringValue": entry.to_string() },
        "attributes": attributes,
    })
}

/// Members and the attributes they become; the names that the semantic conventions have are theirs.
const NAMES: [(&str, &str); 17] = [
    ("session", "session.id"),
    ("call", "gen_ai.tool.call.id"),
    ("seq", "portcullis.seq"),
    ("operations", "portcullis.operations"),
    ("resources", "portcullis.resources"),
    ("risk", "portcullis.risk"),
    ("decision", "portcullis.decision"),
    ("by", "portcullis.by"),
    ("refusal", "portcullis.refusal"),
    ("policy", "portcullis.policy"),
    ("args", "portcullis.args"),
    ("summary", "portcullis.summary"),
    ("deadline_ms", "portcullis.deadline_ms"),
    ("decision_seq", "portcullis.decision_seq"),
    ("outcome", "portcullis.outcome"),
    ("reason", "portcullis.reason"),
    ("hash", "portcullis.hash"),
];

fn attribute(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

fn any_value(value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => Some(json!({ "stringValue": text })),
        Value::Number(number) => Some(match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => json!({ "intValue": whole.to_string() }),
            // Numbers of this form are signed.
            (None, _) if number.is_u64() => json!({ "stringValue": number.to_string() }),
            (None, float) => json!({ "doubleValue": float }),
        }),
        Value::Bool(value) => Some(json!({ "boolValue": value })),
        Value::Array(items) if !items.is_empty() => {
            let values: Vec<Value> = items.iter().filter_map(any_value).collect();
            Some(json!({ "arrayValue": { "values": values } }))
        }
        _ => None,
    }
}
