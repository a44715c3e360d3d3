//! Exports are what other programs' formats say, whatever a log holds.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a helper that fails is a test that fails"
)]

mod ocsf;
mod otel;

use portcullis_audit::{Decision, Entry, Export, Format, Outcome, Reader, Redacted};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{NOW, asked, decided, finished, open, permitted, place};

fn exported(entries: &[Entry], format: Format) -> Vec<Value> {
    let mut out = Vec::new();
    let mut export = Export::new(&mut out, format);
    for entry in entries {
        export.put(entry).unwrap();
    }
    export.end().unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// One record of every kind that a log writes.
fn every_kind() -> Vec<Entry> {
    let (_directory, path) = place();
    let log = open(&path).log;
    let reason = Redacted::text("no room");
    let events = [
        asked("a"),
        permitted("a"),
        finished("a", 2, Outcome::Done),
        permitted("b"),
        finished("b", 4, Outcome::Failed { reason }),
        permitted("c"),
        finished("c", 6, Outcome::Changed),
        permitted("d"),
        finished("d", 8, Outcome::Unused),
        decided("e", Decision::HandedToHost),
        decided("f", Decision::Refused { code: "policy" }),
    ];
    for event in &events {
        log.append(NOW, event).unwrap();
    }
    log.rotate(NOW).unwrap();
    log.append(i64::MAX, &permitted("g")).unwrap();
    log.append(i64::MIN, &finished("g", 13, Outcome::Done)).unwrap();
    Reader::open(&path).unwrap().map(Result::unwrap).collect()
}

/// Records as nobody of ours writes them: members missing, of other types, with numbers no format can say.
fn strange() -> impl Strategy<Value = Vec<Entry>> {
    let value = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        prop::sample::select(vec![
            "decided",
            "finished",
            "permitted",
            "refused",
            "done",
            "failed",
            "deny",
            "2026-11-30T10:00:00Z",
            "9999-12-31T00:00:00Z",
            "0000-01-01T00:00:00Z",
        ])
        .prop_map(Value::from),
        prop::collection::vec(any::<String>(), 0..3).prop_map(Value::from),
        Just(json!([{"rule": "r", "layer": 1}, 7, null])),
        Just(json!({"a": [1, 2.5, {"b": null}]})),
    ];
    let members = vec![
        "seq",
        "time",
        "kind",
        "session",
        "call",
        "agent",
        "tool",
        "operations",
        "resources",
        "risk",
        "causes",
        "decision",
        "by",
        "refusal",
        "policy",
        "args",
        "summary",
        "deadline_ms",
        "decision_seq",
        "outcome",
        "reason",
        "hash",
        "other",
    ];
    let entry = prop::collection::hash_map(prop::sample::select(members), value, 0..23);
    let entry = entry.prop_map(|members| Entry {
        line: 1,
        value: members
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect(),
    });
    prop::collection::vec(entry, 1..6)
}

#[test]
fn every_kind_of_record_fits_both_formats() {
    let entries = every_kind();
    assert_eq!(entries.len(), 14);
    for event in exported(&entries, Format::Ocsf) {
        ocsf::check(&event);
    }
    otel::check(&exported(&entries, Format::Otel), entries.len());
}

/// An outcome says which tool ended, as its decision did.
#[test]
fn an_outcome_is_told_with_the_tool_of_its_decision() {
    let entries = every_kind();
    let events = exported(&entries, Format::Ocsf);
    for (at, tool) in [
        (1, "delete_file"),
        (2, "delete_file"),
        (8, "delete_file"),
        (11, "continued"),
    ] {
        assert_eq!(events[at]["api"]["operation"], tool, "{at}");
    }
    assert_eq!(events[2]["activity_name"], "Delete");
    let sent = exported(&entries, Format::Otel);
    let record = &sent[0]["resourceLogs"][0]["scopeLogs"][0]["logRecords"][2];
    let tool = json!({"key": "gen_ai.tool.name", "value": {"stringValue": "delete_file"}});
    assert!(
        record["attributes"].as_array().unwrap().contains(&tool),
        "{record}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_record_makes_an_export_that_does_not_fit(entries in strange()) {
        for event in exported(&entries, Format::Ocsf) {
            ocsf::check(&event);
        }
        otel::check(&exported(&entries, Format::Otel), entries.len());
        let mut csv = Vec::new();
        let mut export = Export::new(&mut csv, Format::Csv);
        for entry in &entries {
            export.put(entry).unwrap();
        }
        export.end().unwrap();
        prop_assert!(String::from_utf8(csv).unwrap().starts_with("seq,time,kind,"));
    }
}
