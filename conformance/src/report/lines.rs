//! The file: a header, one line a variant, an obligatory footer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Counts, Header, Report, Row};
use crate::Error;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Header(Header),
    Variant(Row),
    Footer(Footer),
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Footer {
    counts: Counts,
    digest: String,
    farewell: Option<String>,
    milliseconds: u64,
}

/// The report as lines.
///
/// # Errors
/// None in practice: texts and numbers can always be written.
pub fn write(report: &Report) -> Result<String, Error> {
    let footer = Footer {
        counts: report.counts(),
        digest: report.digest(),
        farewell: report.farewell.clone(),
        milliseconds: u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX),
    };
    let lines = std::iter::once(Line::Header(report.header.clone()))
        .chain(report.rows.iter().cloned().map(Line::Variant))
        .chain([Line::Footer(footer)]);
    let mut text = String::new();
    for line in lines {
        let line = serde_json::to_string(&line).map_err(|error| Error::fixture(error.to_string()))?;
        text.push_str(&line);
        text.push('\n');
    }
    Ok(text)
}

/// Reads lines back.
///
/// # Errors
/// No header, a line that is none, no footer, or a footer that does not fit the lines.
pub fn read(text: &str) -> Result<Report, Error> {
    let mut header = None;
    let mut rows = Vec::new();
    let mut footer = None;
    for (number, line) in (1..).zip(text.lines()) {
        let line =
            serde_json::from_str(line).map_err(|error| Error::fixture(format!("line {number}: {error}")))?;
        match line {
            Line::Header(line) if number == 1 => header = Some(line),
            Line::Variant(row) if header.is_some() && footer.is_none() => rows.push(row),
            Line::Footer(line) if footer.is_none() => footer = Some(line),
            _ => return Err(Error::fixture(format!("line {number} is out of order"))),
        }
    }
    let header = header.ok_or_else(|| Error::fixture("the results have no header"))?;
    let footer = footer.ok_or_else(|| Error::fixture("the results have no footer: the run did not end"))?;
    let took = Duration::from_millis(footer.milliseconds);
    let report = Report::new(header, rows, footer.farewell, took);
    if footer.counts == report.counts() && footer.digest == report.digest() {
        Ok(report)
    } else {
        Err(Error::fixture("the footer does not fit the lines"))
    }
}
