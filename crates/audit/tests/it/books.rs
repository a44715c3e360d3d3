//! Decisions and outcomes reconcile, and records that contradict each other are named.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its scene fails")]

use portcullis_audit::{
    Decision, Entry, Event, Export, Filter, Format, Outcome, Reader, Stats, reconcile, verify,
};
use rstest::rstest;

use crate::common::{NOW, asked, decided, finished, open, permitted, place};

fn refused(call: &str) -> Event {
    decided(call, Decision::Refused { code: "timeout" })
}

/// A log with these records, and its path.
fn log_of(events: &[Event]) -> (tempfile::TempDir, std::path::PathBuf) {
    let (directory, path) = place();
    let log = open(&path).log;
    for (at, event) in events.iter().enumerate() {
        log.append(NOW + i64::try_from(at).unwrap(), event).unwrap();
    }
    (directory, path)
}

#[test]
fn every_call_ends_in_exactly_one_way() {
    let (_directory, path) = log_of(&[
        asked("a"),
        permitted("a"),
        finished("a", 2, Outcome::Done),
        permitted("b"),
        asked("c"),
        refused("c"),
        decided("d", Decision::HandedToHost),
        asked("e"),
        permitted("f"),
        finished("f", 9, Outcome::Unused),
        // The same id again is another call.
        asked("a"),
        refused("a"),
    ]);
    let books = reconcile(&path).unwrap();
    assert_eq!(books.violations, Vec::<String>::new());
    assert_eq!(books.submitted, 7);
    assert_eq!(
        (books.finished.done, books.finished.unused, books.finished.sum()),
        (1, 1, 2)
    );
    assert_eq!(books.unfinished, [4]);
    assert_eq!((books.refused, books.handed_to_host), (2, 1));
    assert_eq!(books.undecided, [8]);
    let ways = books.finished.sum()
        + books.unfinished.len() as u64
        + books.handed_to_host
        + books.refused
        + books.undecided.len() as u64;
    assert_eq!(ways, books.submitted);
}

#[rstest]
#[case::twice(&[permitted("a"), finished("a", 1, Outcome::Done), finished("a", 1, Outcome::Unused)], "record 3 ends decision 1 a second time")]
#[case::of_a_refusal(&[refused("a"), finished("a", 1, Outcome::Done)], "record 2 ends decision 1, which permitted nothing")]
#[case::of_nothing(&[finished("a", 7, Outcome::Done)], "record 1 ends decision 7, which permitted nothing")]
#[case::of_what_comes(&[finished("a", 2, Outcome::Done), permitted("a")], "record 1 ends decision 2, which permitted nothing")]
#[case::of_another(&[permitted("a"), finished("b", 1, Outcome::Done)], "record 2 ends decision 1 for another call")]
#[case::of_the_host(&[decided("a", Decision::HandedToHost), finished("a", 1, Outcome::Done)], "record 2 ends decision 1, which permitted nothing")]
fn what_cannot_be_is_named(#[case] events: &[Event], #[case] violation: &str) {
    let (_directory, path) = log_of(events);
    assert_eq!(
        verify(&path).unwrap().fault,
        None,
        "the chain is whole all the same"
    );
    assert_eq!(reconcile(&path).unwrap().violations, [violation]);
}

#[test]
fn a_log_that_is_not_whole_does_not_reconcile() {
    let (_directory, path) = log_of(&[permitted("a"), permitted("b")]);
    let text = std::fs::read_to_string(&path).unwrap().replacen("s-1", "s-2", 1);
    std::fs::write(&path, text).unwrap();
    let books = reconcile(&path).unwrap();
    assert!(
        books.violations[0].starts_with("the log is not whole: line 1"),
        "{books:?}"
    );
}

fn entries(path: &std::path::Path) -> Vec<Entry> {
    Reader::open(path).unwrap().map(Result::unwrap).collect()
}

#[test]
fn a_filter_takes_a_decision_with_its_outcome() {
    let (_directory, path) = log_of(&[
        asked("a"),
        permitted("a"),
        permitted("b"),
        finished("b", 3, Outcome::Done),
        finished("a", 2, Outcome::Done),
        refused("c"),
    ]);
    let chosen = |filter: Filter| -> Vec<u64> {
        let mut selection = filter.select();
        let taken = entries(&path).into_iter().filter(|entry| selection.takes(entry));
        taken.filter_map(|entry| entry.sequence()).collect()
    };
    let mut filter = Filter::all();
    assert_eq!(chosen(filter.clone()), [1, 2, 3, 4, 5, 6]);
    filter.call = Some("a".to_owned());
    assert_eq!(chosen(filter.clone()), [1, 2, 5]);
    filter.decision = Some("permitted".to_owned());
    assert_eq!(chosen(filter), [2, 5]);
    let mut filter = Filter::all();
    filter.resource = Some("/w/build/".to_owned());
    assert_eq!(chosen(filter.clone()), [1, 2, 3, 4, 5, 6]);
    filter.resource = Some("/w/bui".to_owned());
    assert_eq!(chosen(filter), Vec::<u64>::new());
    let mut filter = Filter::all();
    filter.since_ms = Some(NOW + 2);
    filter.until_ms = Some(NOW + 5);
    // The outcome of what was decided before is not taken.
    assert_eq!(chosen(filter), [3, 4]);
}

#[test]
fn numbers_add_up() {
    let (_directory, path) = log_of(&[
        asked("a"),
        permitted("a"),
        finished("a", 2, Outcome::Done),
        refused("b"),
    ]);
    let mut stats = Stats::default();
    entries(&path).iter().for_each(|entry| stats.add(entry));
    assert_eq!((stats.records, stats.asked, stats.sessions()), (4, 1, 1));
    assert_eq!(stats.decisions.values().sum::<u64>(), 2);
    assert_eq!(stats.refusals.get("timeout"), Some(&1));
    assert_eq!(stats.rules.get("delete-asks"), Some(&2));
}

fn exported(path: &std::path::Path, format: Format) -> String {
    let mut out = Vec::new();
    let mut export = Export::new(&mut out, format);
    for entry in entries(path) {
        export.put(&entry).unwrap();
    }
    export.end().unwrap();
    String::from_utf8(out).unwrap()
}

/// The members that readers of the two formats require, and what they have to be.
#[test]
fn other_programs_get_what_their_formats_require() {
    let (_directory, path) = log_of(&[permitted("a"), finished("a", 1, Outcome::Done), refused("b")]);
    let otel: serde_json::Value = serde_json::from_str(exported(&path, Format::Otel).trim()).unwrap();
    let records = &otel["resourceLogs"][0]["scopeLogs"][0]["logRecords"];
    assert_eq!(records[0]["timeUnixNano"], format!("{NOW}000000"));
    assert_eq!(records[2]["severityNumber"], 13);
    let attributes = records[0]["attributes"].as_array().unwrap();
    let attribute = |key: &str| &attributes.iter().find(|found| found["key"] == key).unwrap()["value"];
    assert_eq!(attribute("portcullis.seq")["intValue"], "1");
    assert_eq!(attribute("gen_ai.tool.name")["stringValue"], "delete_file");
    assert_eq!(
        attribute("portcullis.resources")["arrayValue"]["values"][0]["stringValue"],
        "/w/build/cache"
    );

    let ocsf = exported(&path, Format::Ocsf);
    let events: Vec<serde_json::Value> = ocsf
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for event in &events {
        for required in [
            "activity_id",
            "category_uid",
            "class_uid",
            "type_uid",
            "severity_id",
            "time",
            "metadata",
            "actor",
            "api",
            "src_endpoint",
        ] {
            assert!(!event[required].is_null(), "{required} of {event}");
        }
        assert!(event["metadata"]["version"].is_string() && event["metadata"]["product"]["name"].is_string());
        assert!(event["api"]["operation"].is_string());
    }
    assert_eq!(
        (&events[0]["activity_id"], &events[0]["disposition_id"]),
        (&4.into(), &1.into())
    );
    assert_eq!(
        (&events[2]["action_id"], &events[2]["status_detail"]),
        (&2.into(), &"timeout".into())
    );

    let csv = exported(&path, Format::Csv);
    assert_eq!(csv.lines().count(), 4);
    assert!(
        csv.lines()
            .nth(1)
            .unwrap()
            .starts_with("1,2026-11-30T10:00:00.123Z,decided,s-1,a,,delete_file,delete,")
    );
    let json: serde_json::Value = serde_json::from_str(&exported(&path, Format::Json)).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 3);
}
