//! The terminal's table: words carry the meaning, colour is never needed.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Report, Status};

/// One row an area, then each failure with a line to repeat it.
#[must_use]
pub fn table(report: &Report) -> String {
    let mut areas: BTreeMap<&str, [usize; 6]> = BTreeMap::new();
    for row in &report.rows {
        let area = row.family.split('/').next().unwrap_or_default();
        let cells = areas.entry(area).or_default();
        let [pass, fail, xfail, xpass, unsupported, error] = cells;
        *match row.status {
            Status::Pass => pass,
            Status::Fail => fail,
            Status::Xfail => xfail,
            Status::Xpass => xpass,
            Status::Unsupported => unsupported,
            Status::Error => error,
        } += 1;
    }
    let mut text = String::new();
    let header = &report.header;
    let mut line = |line: std::fmt::Arguments<'_>| {
        let _infallible = text.write_fmt(line);
        text.push('\n');
    };
    line(format_args!(
        "subject {} {} ({}), suite {}, seed {}",
        header.subject, header.version, header.kind, header.suite, header.seed
    ));
    line(format_args!(""));
    line(format_args!(
        "{:<12}{:>6}{:>6}{:>7}{:>7}{:>13}{:>7}",
        "area", "pass", "fail", "xfail", "xpass", "unsupported", "error"
    ));
    for (area, [pass, fail, xfail, xpass, unsupported, error]) in &areas {
        line(format_args!(
            "{area:<12}{pass:>6}{fail:>6}{xfail:>7}{xpass:>7}{unsupported:>13}{error:>7}"
        ));
    }
    for row in report.rows.iter().filter(|row| !row.findings.is_empty()) {
        line(format_args!(""));
        line(format_args!(
            "{} {} ({})",
            row.status,
            row.name(),
            row.rules.join(", ")
        ));
        for finding in &row.findings {
            line(format_args!(
                "  {:<12} expected {}; seen: {}",
                finding.check.word(),
                shown(&finding.expected),
                shown(&finding.seen)
            ));
        }
        line(format_args!(
            "  cargo xtask conformance run --only '{}' --seed {} --keep",
            row.name(),
            header.seed
        ));
    }
    let counts = report.counts();
    line(format_args!(""));
    if let Some(what) = &report.farewell {
        line(format_args!("at the end: {what}"));
    }
    let mut without: BTreeMap<&str, usize> = BTreeMap::new();
    for need in report.in_part().into_values().flatten() {
        *without.entry(need).or_default() += 1;
    }
    for (need, families) in without {
        line(format_args!("{families} families were graded without {need}"));
    }
    if counts.families_in_part > 0 {
        line(format_args!(
            "of the families that passed, {} did in part",
            counts.families_in_part
        ));
    }
    if let Some(claim) = &header.profile {
        line(format_args!("{claim}"));
    }
    line(format_args!(
        "families: {} passed of {}; variants: {} passed, {} failed, {} failed (should), {} xfail, {} xpass, {} unsupported, {} errors; {:.1} s",
        counts.families_passed,
        counts.families,
        counts.pass,
        counts.fail,
        counts.fail_should,
        counts.xfail,
        counts.xpass,
        counts.unsupported,
        counts.error,
        report.took.as_secs_f64()
    ));
    text
}

/// What a subject wrote cannot move the reader's cursor.
fn shown(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        if char.is_control() {
            safe.extend(char.escape_unicode());
        } else {
            safe.push(char);
        }
    }
    safe
}
