//! One file, readable on a phone and without scripts: rules and families against subjects.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::junit::escape;
use super::{Report, Row, Status};
use crate::spec::Spec;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:72rem;padding:0 1rem}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;\
border-bottom:1px solid #8885}thead th{position:sticky;top:0;background:Canvas}.wide{overflow-x:auto}\
.rule th{padding-top:1.2rem}.family th{font-weight:400;padding-left:1.5rem}details{max-width:40rem}\
code{overflow-wrap:anywhere}:root{color-scheme:light dark}";

/// The page. The first lines say what counts; a rule without a family shows as a hole.
#[must_use]
pub fn page(spec: &Spec, reports: &[Report]) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>Conformance</title><style>{STYLE}</style></head><body>\n\
         <h1>Conformance</h1>\n<ul>\n"
    );
    let mut out = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    for report in reports {
        let counts = report.counts();
        let unsupported = report.rows.iter().filter(|row| row.status == Status::Unsupported);
        let unsupported: BTreeSet<&str> = unsupported.map(|row| row.family.as_str()).collect();
        out(format!(
            "<li><strong>{} {}</strong> ({}): {} families run, {} passed, {} not supported, {} not passed</li>",
            escape(&report.header.subject),
            escape(&report.header.version),
            escape(&report.header.kind),
            counts.families,
            counts.families_passed,
            unsupported.len(),
            counts.families - counts.families_passed - unsupported.len(),
        ));
    }
    out("</ul>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">Rule and family</th>".to_owned());
    for report in reports {
        out(format!(
            "<th scope=\"col\">{}</th>",
            escape(&report.header.subject)
        ));
    }
    out("</tr></thead><tbody>".to_owned());
    let by_rule = families_by_rule(reports);
    for rule in spec.rules() {
        out(format!(
            "<tr class=\"rule\"><th scope=\"row\" colspan=\"{}\"><strong>{}</strong> {}</th></tr>",
            reports.len() + 1,
            rule.id,
            escape(&rule.text)
        ));
        let Some(families) = by_rule.get(rule.id.as_str()) else {
            out(format!(
                "<tr class=\"family\"><th scope=\"row\">no family</th><td colspan=\"{}\">not checked</td></tr>",
                reports.len()
            ));
            continue;
        };
        for family in families {
            out(format!(
                "<tr class=\"family\"><th scope=\"row\"><code>{}</code></th>",
                escape(family)
            ));
            for report in reports {
                out(format!("<td>{}</td>", cell(report, family)));
            }
            out("</tr>".to_owned());
        }
    }
    out("</tbody></table></div></body></html>".to_owned());
    text
}

fn families_by_rule(reports: &[Report]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for row in reports.iter().flat_map(|report| &report.rows) {
        for rule in &row.rules {
            found.entry(rule).or_default().insert(&row.family);
        }
    }
    found
}

fn cell(report: &Report, family: &str) -> String {
    let rows: Vec<&Row> = report.rows.iter().filter(|row| row.family == family).collect();
    let worst = [
        Status::Error,
        Status::Fail,
        Status::Xpass,
        Status::Xfail,
        Status::Unsupported,
    ]
    .into_iter()
    .find(|status| rows.iter().any(|row| row.status == *status));
    let word = match (worst, rows.is_empty()) {
        (_, true) => return "not run".to_owned(),
        (None, false) => return "passed".to_owned(),
        (Some(Status::Unsupported), _) => "not supported",
        (Some(Status::Fail | Status::Xpass), _) => "failed",
        (Some(Status::Xfail), _) => "failed, known",
        (Some(_), _) => "error of the runner",
    };
    let mut text = format!("<details><summary>{word}</summary>");
    for row in rows.iter().filter(|row| row.status != Status::Pass) {
        let _infallible = write!(text, "<p><code>{}</code> {}", escape(&row.variant), row.status);
        if !row.needs.is_empty() {
            let _infallible = write!(text, ": needs {}", escape(&row.needs.join(", ")));
        }
        for finding in &row.findings {
            let _infallible = write!(
                text,
                "<br>{}: expected {}; seen: {}",
                finding.check,
                escape(&finding.expected),
                escape(&finding.seen)
            );
        }
        text.push_str("</p>");
    }
    text.push_str("</details>");
    text
}
