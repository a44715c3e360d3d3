use portcullis_audit::{
    Asked, CauseText, Decided, DecidedBy, Decision, ErrorKind, Event, Finished, KeyedDigest, Outcome, Reader,
    Redacted, RiskWord, Subject, verify,
};

use crate::common::{NOW, asked, decided, finished, open, permitted, place, subject};

/// Format version 1, byte for byte. A log written today must verify for ever: a change here needs a new version.
const GOLDEN: &str = include_str!("golden_v1.jsonl");

fn golden_events() -> Vec<(i64, Event)> {
    let mut full = subject("call-2");
    full.agent = Some(Redacted::text("reviewer/2"));
    full.operations = vec![Redacted::fixed("read"), Redacted::fixed("write")];
    full.resources = vec![
        Redacted::text("/w/a \"quoted\" \\ name"),
        Redacted::text("/w/größe"),
    ];
    full.causes.push(CauseText {
        rule: Redacted::text("own"),
        layer: Redacted::text("user"),
    });
    full.risk = RiskWord::Deny;
    full.summary = Redacted::text("token=abc\u{1b}[2J");
    let bare = Subject {
        session: None,
        call: Redacted::id("call-3"),
        agent: None,
        tool: Redacted::text("nothing"),
        operations: Vec::new(),
        resources: Vec::new(),
        risk: RiskWord::Allow,
        causes: Vec::new(),
        policy: Redacted::id(""),
        arguments: KeyedDigest::from_bytes([0; 32]),
        summary: Redacted::text(""),
    };
    let by = |subject: &Subject, decision, by| {
        Event::Decided(Decided {
            subject: subject.clone(),
            decision,
            by,
        })
    };
    vec![
        (NOW, asked("call-1")),
        (NOW + 1, permitted("call-1")),
        (NOW + 2, finished("call-1", 2, Outcome::Done)),
        (
            0,
            by(&full, Decision::Refused { code: "policy" }, DecidedBy::Policy),
        ),
        (-1, by(&bare, Decision::HandedToHost, DecidedBy::Reviewer)),
        (i64::MAX, by(&bare, Decision::Permitted, DecidedBy::Grant)),
        (
            i64::MIN,
            by(
                &bare,
                Decision::Refused { code: "no_approver" },
                DecidedBy::Nobody,
            ),
        ),
        (
            NOW,
            finished(
                "call-3",
                6,
                Outcome::Failed {
                    reason: Redacted::text("disk full"),
                },
            ),
        ),
        (NOW, finished("call-3", 6, Outcome::Changed)),
        (NOW, finished("call-3", 6, Outcome::Unused)),
    ]
}

#[test]
fn version_1_is_written_exactly_so() {
    let (_directory, path) = place();
    let log = open(&path).log;
    for (time, event) in golden_events() {
        log.append(time, &event).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    for (number, (written, golden)) in written.lines().zip(GOLDEN.lines()).enumerate() {
        assert_eq!(written, golden, "line {}", number + 1);
    }
    assert_eq!(written, GOLDEN);
}

#[test]
fn a_log_of_version_1_still_verifies_and_goes_on() {
    let (_directory, path) = place();
    std::fs::write(&path, GOLDEN).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let found = verify(&path).unwrap();
    assert_eq!((found.good, found.fault, found.torn), (10, None, false));
    assert_eq!(found.open_decisions, Vec::<u64>::new());
    assert_eq!(open(&path).log.append(NOW, &asked("next")).unwrap().sequence, 11);
}

#[test]
fn a_person_reads_one_line_per_record() {
    let (_directory, path) = place();
    std::fs::write(&path, GOLDEN).unwrap();
    let lines: Vec<_> = Reader::open(&path)
        .unwrap()
        .map(|entry| entry.unwrap().to_string())
        .collect();
    assert_eq!(
        lines,
        [
            "2026-11-30T10:00:00.123Z     1 asked          delete_file delete /w/build/cache (call call-1)",
            "2026-11-30T10:00:00.124Z     2 permitted      delete_file delete /w/build/cache by human (call call-1)",
            "2026-11-30T10:00:00.125Z     3 done           after 2 (call call-1)",
            "1970-01-01T00:00:00.000Z     4 refused        delete_file read,write /w/a \"quoted\" \\ name /w/größe by policy because policy (call call-2)",
            "1969-12-31T23:59:59.999Z     5 handed_to_host nothing by reviewer (call call-3)",
            "9999-12-30T22:00:00.999Z     6 permitted      nothing by grant (call call-3)",
            "0000-01-01T00:00:00.000Z     7 refused        nothing by nobody because no_approver (call call-3)",
            "2026-11-30T10:00:00.123Z     8 failed         after 6 because disk full (call call-3)",
            "2026-11-30T10:00:00.123Z     9 changed        after 6 (call call-3)",
            "2026-11-30T10:00:00.123Z    10 unused         after 6 (call call-3)",
        ]
    );
}

/// A text that tries everything at once: escapes, quotes, line feeds, bidi, a record of its own, a secret.
const HOSTILE: &str = "\"},\n{\"v\":1,\"seq\":99}\r\n\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\u{200b}\0\\\" password=hunter2 '`$(x)`' \u{2028}";

#[test]
fn hostile_text_in_every_field_stays_text() {
    let (_directory, path) = place();
    let log = open(&path).log;
    let text = || Redacted::text(HOSTILE);
    let hostile = || Subject {
        session: Some(Redacted::id(HOSTILE)),
        call: Redacted::id(HOSTILE),
        agent: Some(text()),
        tool: text(),
        operations: vec![text(), text()],
        resources: vec![
            Redacted::bytes(HOSTILE.as_bytes()),
            Redacted::bytes(b"\xff\xfe\n"),
            text(),
            text(),
            text(),
        ],
        risk: RiskWord::Deny,
        causes: vec![CauseText {
            rule: text(),
            layer: text(),
        }],
        policy: Redacted::id(HOSTILE),
        arguments: log.digest(HOSTILE.as_bytes()),
        summary: text(),
    };
    log.append(
        NOW,
        &Event::Asked(Asked {
            subject: hostile(),
            deadline_ms: 1,
        }),
    )
    .unwrap();
    let decision = Decision::Refused { code: HOSTILE };
    log.append(
        NOW,
        &Event::Decided(Decided {
            subject: hostile(),
            decision,
            by: DecidedBy::Nobody,
        }),
    )
    .unwrap();
    let outcome = Outcome::Failed { reason: text() };
    let session = Some(text());
    log.append(
        NOW,
        &Event::Finished(Finished {
            session,
            call: text(),
            decision: 2,
            outcome,
        }),
    )
    .unwrap();

    let written = std::fs::read_to_string(&path).unwrap();
    assert_eq!(written.lines().count(), 3);
    assert!(!written.contains("hunter2"));
    let unsafe_to_see =
        |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{200b}' | '\u{2028}');
    assert!(!written.contains(unsafe_to_see));
    assert_eq!(verify(&path).unwrap().good, 3);
    for entry in Reader::open(&path).unwrap() {
        let line = entry.unwrap().to_string();
        assert!(
            !line.contains(unsafe_to_see) && !line.contains('\n') && !line.contains("hunter2"),
            "{line}"
        );
    }
}

#[test]
fn a_foreign_log_is_shown_safely() {
    let entry = portcullis_audit::Entry {
        line: 1,
        value: serde_json::json!({
            "seq": 1, "kind": "decided", "decision": "\u{1b}[2J", "time": "\u{202e}", "tool": "\n", "by": "\0",
            "operations": ["\u{7}"], "resources": ["\u{9b}"], "refusal": "\u{200b}", "call": "\u{85}", "reason": "\r",
        }),
    };
    let line = entry.to_string();
    assert!(
        !line.contains(|c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{200b}')),
        "{line:?}"
    );
}

#[test]
fn a_record_that_is_too_large_is_refused_whole() {
    let (_directory, path) = place();
    let log = open(&path).log;
    log.append(NOW, &asked("a")).unwrap();
    let mut huge = subject("b");
    huge.resources = vec![Redacted::text(&"dir/".repeat(120)); 140];
    let event = Event::Decided(Decided {
        subject: huge,
        decision: Decision::Permitted,
        by: DecidedBy::Policy,
    });
    let error = log.append(NOW, &event).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooLarge, "{error}");
    assert_eq!(
        log.append(NOW, &decided("c", Decision::Permitted))
            .unwrap()
            .sequence,
        2
    );
    assert_eq!(verify(&path).unwrap().good, 2);
}

#[test]
fn digests_are_keyed_by_the_log() {
    let ((_one, first), (_two, second)) = (place(), place());
    let (log, other) = (open(&first).log, open(&second).log);
    assert_eq!(log.digest(b"x"), open(&first).log.digest(b"x"));
    assert_ne!(log.digest(b"x"), log.digest(b"y"));
    assert_ne!(log.digest(b"x"), other.digest(b"x"));
    let key = std::fs::read(first.with_extension("jsonl.key")).unwrap();
    assert_eq!(key.len(), 32);
    assert!(!format!("{log:?}").contains(&format!("{key:?}")));
}
