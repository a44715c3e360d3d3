//! JUnit: suite = area, case = `family#variant`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Report, Row, Status};

/// The report as JUnit XML. `failure` is nonconformance, `error` is the runner's own fault.
#[must_use]
pub fn junit(report: &Report) -> String {
    let mut areas: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in &report.rows {
        let area = row.family.split('/').next().unwrap_or_default();
        areas.entry(area).or_default().push(row);
    }
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for (area, rows) in areas {
        let count = |is: &[Status]| rows.iter().filter(|row| is.contains(&row.status)).count();
        let _infallible = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">",
            escape(area),
            rows.len(),
            count(&[Status::Fail, Status::Xpass]),
            count(&[Status::Error]),
            count(&[Status::Unsupported, Status::Xfail]),
        );
        for row in &rows {
            case(&mut text, row);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn case(text: &mut String, row: &Row) {
    let inner = match row.status {
        Status::Pass => None,
        Status::Fail => Some(with_findings("failure", row)),
        Status::Error => Some(with_findings("error", row)),
        Status::Xpass => {
            Some("<failure message=\"passes, and the baseline says that it fails\"/>".to_owned())
        }
        Status::Xfail => Some("<skipped message=\"fails, as the baseline says\"/>".to_owned()),
        Status::Unsupported => Some(format!(
            "<skipped message=\"needs {}\"/>",
            escape(&row.needs.join(", "))
        )),
    };
    let name = escape(&row.name());
    let area = escape(row.family.split('/').next().unwrap_or_default());
    let _infallible = match inner {
        None => writeln!(text, "    <testcase classname=\"{area}\" name=\"{name}\"/>"),
        Some(inner) => writeln!(
            text,
            "    <testcase classname=\"{area}\" name=\"{name}\">{inner}</testcase>"
        ),
    };
}

fn with_findings(element: &str, row: &Row) -> String {
    let first = row.findings.first().map_or("", |finding| finding.check.word());
    let lines: Vec<String> = row
        .findings
        .iter()
        .map(|finding| {
            format!(
                "{}: expected {}; seen: {}",
                finding.check, finding.expected, finding.seen
            )
        })
        .collect();
    format!(
        "<{element} message=\"{}\">{}</{element}>",
        escape(first),
        escape(&lines.join("\n"))
    )
}

/// Text for XML and HTML. Characters that XML cannot hold are shown escaped.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        match char {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push('\n'),
            char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => {
                safe.extend(char.escape_unicode());
            }
            char => safe.push(char),
        }
    }
    safe
}
