//! Golden reports. `GOLDEN=write` takes what is made now for right; the difference is then to be read.

use std::path::Path;
use std::time::Duration;

use super::{
    Column, Depth, Header, Matrix, NotRun, Report, Row, Status, junit, markdown, page, read, table, write,
};
use crate::fixture::{Source, read_family};
use crate::grade::{Check, Finding, Verdict};
use crate::os::{disk, process};
use crate::{Baseline, ErrorKind, Spec, words};

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
        verdicts: Vec::new(),
        scored: true,
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
        policy: None,
        profile: None,
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

fn judged(accepted: &[&str], seen: &str) -> Verdict {
    Verdict {
        judged: true,
        accepted: accepted.iter().map(|word| (*word).to_owned()).collect(),
        seen: seen.to_owned(),
    }
}

/// Another subject, stricter and with a family that is new in its profile; and one that was not run.
fn columns() -> [Column; 3] {
    let mut other = report();
    other.header.subject = "hook <x>".to_owned();
    other.header.kind = "decides".to_owned();
    other.header.time = 1_796_040_480;
    other.header.policy = Some("its own | defaults".to_owned());
    other.header.profile = Some("conforms to core-1".to_owned());
    other.rows = vec![
        row("commands/g#one", Status::Pass),
        row("commands/g#two", Status::Fail),
        row("commands/h#one", Status::Pass),
        row("paths/a#one", Status::Pass),
        row("paths/b#one", Status::Fail),
        row("paths/b#two", Status::Fail),
    ];
    other.rows[0].verdicts = vec![judged(&["ask", "deny"], "deny"), judged(&["allow"], "allow")];
    other.rows[1].verdicts = vec![judged(&["ask", "deny"], "allow"), judged(&["allow"], "ask")];
    other.rows[2].verdicts = vec![judged(&["allow", "ask"], "ask")];
    other.rows[2].needs = vec!["audit".to_owned()];
    other.rows[3].scored = false;
    other.rows[5].level = "should".to_owned();
    other.rows[1].needs = vec!["policy.path".to_owned()];
    let note = NotRun {
        subject: "absent".to_owned(),
        why: "`rg` is not there".to_owned(),
    };
    [
        Column::Ran(Box::new(report())),
        Column::Ran(Box::new(other)),
        Column::NotRun(note),
    ]
}

/// A family of the suite that no subject ran: its title stands there all the same.
fn family() -> Source {
    let text = crate::scaffold::family("paths/z").unwrap();
    Source {
        file: "cases/paths/z.toml".into(),
        hash: crate::hash::hex(text.as_bytes()),
        family: read_family(&text).unwrap(),
        text,
    }
}

fn spec() -> Spec {
    let text =
        "- **PATHS-1** MUST x.\n- **PATHS-2** MUST <y>.\n- **PATHS-3** MUST z.\n- **TOOLS-1** SHOULD t.\n";
    Spec::read(text).unwrap()
}

fn golden(name: &str, made: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src/report/golden")
        .join(name);
    if process::is_set("GOLDEN") {
        disk::write(&file, made).unwrap();
    }
    assert_eq!(made, disk::text(&file).unwrap(), "{name}");
}

#[test]
fn the_table() {
    golden("table.txt", &table(&report()));
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
    let text = write(&report).unwrap();
    assert_eq!(read(&text).unwrap(), Column::Ran(Box::new(report)));
}

#[test]
fn junit_tells_failure_from_error() {
    golden("junit.xml", &junit(&report()));
}

#[test]
fn the_page_shows_rules_families_and_holes() {
    let (spec, sources, columns) = (spec(), [family()], columns());
    let matrix = Matrix::new(&spec, &sources, &columns);
    for (depth, name) in [(Depth::Checks, "page.html"), (Depth::Findings, "findings.html")] {
        let page = page(&matrix, depth);
        let (head, body) = page.split_once("<main>\n").unwrap();
        golden(name, body);
        assert!(
            head.contains("width=device-width") && !page.contains("<script"),
            "{name}"
        );
    }
}

#[test]
fn the_page_for_everybody_tells_no_inputs() {
    let (spec, sources, columns) = (spec(), [family()], columns());
    let matrix = Matrix::new(&spec, &sources, &columns);
    for made in [page(&matrix, Depth::Checks), markdown(&matrix)] {
        // Neither a variant's name nor what was expected or seen.
        assert!(!made.contains("<code>two") && !made.contains("records of the call"));
    }
}

#[test]
fn results_in_markdown() {
    let (spec, sources, columns) = (spec(), [family()], columns());
    golden("results.md", &markdown(&Matrix::new(&spec, &sources, &columns)));
}

#[test]
fn a_subject_that_was_not_run_is_one_line_and_passes_nothing() {
    let line = "{\"not_run\":{\"subject\":\"x\",\"why\":\"no node\"}}\n";
    let column = read(line).unwrap();
    assert_eq!(column.subject(), "x");
    let tally = column.tally(["paths/a"]);
    assert_eq!((tally.passed, tally.scored(), tally.not_scored), (0, 0, 1));
    assert!(read(&format!("{line}{line}")).is_err());
    let results = write(&report()).unwrap();
    assert!(read(&format!("{line}{results}")).is_err());
    assert!(read(&format!("{results}{line}")).is_err());
    assert!(read(&line.replace("why", "because")).is_err());
}

#[test]
fn lines_go_both_ways_and_need_their_footer() {
    let report = report();
    let text = write(&report).unwrap();
    assert_eq!(read(&text).unwrap(), Column::Ran(Box::new(report)));
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
    // What no verdict depends on is pinned too.
    assert!(read(&text.replacen("\"expected\":\"deny\"", "\"expected\":\"ask\"", 1)).is_err());
    assert!(read(&text.replacen("\"seed\":41", "\"seed\":42", 1)).is_err());
    assert!(read(&text.replacen("\"findings\"", "\"finding\"", 1)).is_err());
    assert!(read("").is_err());
}

/// A baseline that lists all that the subject does not promise.
fn baseline(entries: &str) -> Baseline {
    let promised = report().header.capabilities;
    let quiet: Vec<String> = words::capabilities()
        .into_iter()
        .filter(|word| !promised.contains(word) && word != "approver.host")
        .filter(|word| !words::ADMISSIONS.contains(&word.as_str()))
        .map(|word| format!("\"{word}\" = \"known, 7\"\n"))
        .collect();
    Baseline::read(&format!("{entries}[undeclared]\n{}", quiet.concat())).unwrap()
}

fn with_baseline(entries: &str, whole: bool) -> (Report, Result<(), ErrorKind>) {
    let mut report = report();
    let done = baseline(entries).apply(&mut report, whole);
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
            let baseline = baseline(&format!("\"paths/b#two:{word}\" = \"known, 7\"\n"));
            let done = baseline.apply(&mut report, true).map_err(|error| error.kind());
            assert_eq!(done, expected);
        }
    }
}

#[test]
fn what_is_not_promised_is_listed_and_nothing_else() {
    let apply = |capabilities: &[&str]| {
        let mut report = report();
        report
            .header
            .capabilities
            .extend(capabilities.iter().map(|&word| word.to_owned()));
        let done = baseline("").apply(&mut report, true);
        done.map_err(|error| error.to_string())
    };
    assert_eq!(apply(&[]), Ok(()));
    assert!(apply(&["trust"]).is_err_and(|what| what.contains("`trust` (listed, and promised)")));
    // A word that takes promises back is one to list.
    assert!(
        apply(&["policy.own"])
            .is_err_and(|what| what.contains("`policy.own` (not promised, and not listed)"))
    );
    let mut report = report();
    report.header.capabilities.clear();
    let what = baseline("").apply(&mut report, true).unwrap_err().to_string();
    assert!(what.contains("`audit` (not promised, and not listed)"), "{what}");
    assert!(Baseline::read("[undeclared]\n\"tool.spawn\" = \"x\"\n").is_err());
    assert!(Baseline::read("[undeclared]\n\"trust\" = \" \"\n").is_err());
}
