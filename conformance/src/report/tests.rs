//! Golden reports.

use std::time::Duration;

use super::{Header, Report, Row, Status, junit, page, read, table, write};
use crate::grade::{Check, Finding};
use crate::{Baseline, ErrorKind, Spec};

fn row(name: &str, status: Status) -> Row {
    let (family, variant) = name.split_once('#').unwrap();
    let failed = matches!(status, Status::Fail | Status::Error);
    Row {
        family: family.to_owned(),
        variant: variant.to_owned(),
        rules: vec!["PATHS-1".to_owned()],
        level: "must".to_owned(),
        status,
        findings: if failed {
            vec![
                Finding::new(Check::Decision, "deny", "allow"),
                Finding::new(Check::Audit, "1 records of the call", "<2> & \u{1b}[2J"),
            ]
        } else {
            Vec::new()
        },
        needs: if status == Status::Unsupported {
            vec!["tool.move".to_owned()]
        } else {
            Vec::new()
        },
        seen: None,
    }
}

fn report() -> Report {
    let header = Header {
        suite: "0.1.0".to_owned(),
        protocol: 1,
        seed: 41,
        time: 0,
        host: vec!["fs.symlink".to_owned()],
        subject: "toy".to_owned(),
        version: "1".to_owned(),
        kind: "executes".to_owned(),
        capabilities: vec!["audit".to_owned()],
    };
    let rows = vec![
        row("paths/a#one", Status::Pass),
        row("paths/b#one", Status::Pass),
        row("paths/b#two", Status::Fail),
        row("paths/c#one", Status::Error),
        row("tools/d#one", Status::Unsupported),
        row("tools/e#one", Status::Xfail),
        row("tools/f#one", Status::Xpass),
    ];
    Report::new(header, rows, None, Duration::from_millis(1500))
}

#[test]
fn the_table() {
    assert_eq!(table(&report()), include_str!("golden/table.txt"));
}

#[test]
fn what_was_graded_in_part_is_said() {
    let mut report = report();
    for row in &mut report.rows {
        if row.family == "paths/a" || row.family == "paths/b" {
            row.needs = vec!["audit".to_owned()];
        }
    }
    let counts = report.counts();
    assert_eq!((counts.families_passed, counts.families_in_part), (1, 1));
    let table = table(&report);
    assert!(
        table
            .contains("\n2 families were graded without audit\nof the families that passed, 1 did in part\n")
    );
    assert_eq!(read(&write(&report).unwrap()).unwrap(), report);
}

#[test]
fn junit_tells_failure_from_error() {
    assert_eq!(junit(&report()), include_str!("golden/junit.xml"));
}

#[test]
fn the_page_shows_rules_families_and_holes() {
    let spec = Spec::read("- **PATHS-1** MUST x.\n- **PATHS-2** MUST <y>.\n").unwrap();
    let page = page(&spec, &[report()]);
    let body = page.split_once("<body>\n").unwrap().1;
    assert_eq!(body, include_str!("golden/page.html"));
}

#[test]
fn lines_go_both_ways_and_need_their_footer() {
    let report = report();
    let text = write(&report).unwrap();
    assert_eq!(read(&text).unwrap(), report);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // Without the footer, without the header, without a variant, and with another verdict.
    let without = |index: usize| -> String {
        let left = lines.iter().enumerate().filter(|(at, _)| *at != index);
        left.map(|(_, line)| *line).collect()
    };
    assert!(
        read(&without(lines.len() - 1))
            .unwrap_err()
            .to_string()
            .contains("no footer")
    );
    assert!(read(&without(0)).is_err());
    assert!(read(&without(1)).is_err());
    assert!(read(&text.replacen("\"status\":\"fail\"", "\"status\":\"pass\"", 1)).is_err());
    assert!(read(&text.replacen("\"findings\"", "\"finding\"", 1)).is_err());
    assert!(read("").is_err());
}

fn with_baseline(entries: &str, whole: bool) -> (Report, Result<(), ErrorKind>) {
    let mut report = report();
    let done = Baseline::read(entries).unwrap().apply(&mut report, whole);
    (report, done.map_err(|error| error.kind()))
}

fn status(report: &Report, name: &str) -> Status {
    report.rows.iter().find(|row| row.name() == name).unwrap().status
}

#[test]
fn a_baseline_excuses_each_failed_check_or_nothing() {
    let both = "\"paths/b#two:decision\" = \"known, 7\"\n\"paths/b#two:audit\" = \"known, 7\"\n";
    let (report, done) = with_baseline(both, true);
    assert_eq!((status(&report, "paths/b#two"), done), (Status::Xfail, Ok(())));
    let (report, done) = with_baseline("\"paths/b#two:audit\" = \"known, 7\"\n", true);
    assert_eq!((status(&report, "paths/b#two"), done), (Status::Fail, Ok(())));
}

#[test]
fn a_stale_baseline_is_an_error() {
    let (report, done) = with_baseline("\"paths/a#one:audit\" = \"known, 7\"\n", true);
    assert_eq!(status(&report, "paths/a#one"), Status::Xpass);
    assert_eq!(done, Err(ErrorKind::StaleBaseline));
    assert_eq!(
        with_baseline("\"paths/none#x:audit\" = \"known, 7\"\n", true).1,
        Err(ErrorKind::StaleBaseline)
    );
    // A part of the suite says nothing about the rest.
    assert_eq!(
        with_baseline("\"paths/none#x:audit\" = \"known, 7\"\n", false).1,
        Ok(())
    );
    assert!(Baseline::read("\"paths/a#one:audit\" = \" \"\n").is_err());
    assert!(Baseline::read("\"paths/a#one\" = \"x\"\n").is_err());
    assert!(Baseline::read("\"paths/a:audit\" = \"x\"\n").is_err());
}

#[test]
fn containment_and_effect_cannot_be_excused() {
    for (check, word) in [(Check::Containment, "containment"), (Check::Effect, "effect")] {
        for (level, expected) in [("must", Err(ErrorKind::Fixture)), ("should", Ok(()))] {
            let mut report = report();
            for row in report.rows.iter_mut().filter(|row| row.variant == "two") {
                row.findings = vec![Finding::new(check, "a", "b")];
                row.level = level.to_owned();
            }
            let baseline = Baseline::read(&format!("\"paths/b#two:{word}\" = \"known, 7\"\n")).unwrap();
            let done = baseline.apply(&mut report, true).map_err(|error| error.kind());
            assert_eq!(done, expected);
        }
    }
}
