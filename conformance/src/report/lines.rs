//! The file: a header, one line a variant, an obligatory footer. Or one line that says why a subject was not run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Column, Counts, Header, NotRun, Report, Row};
use crate::{Error, hash};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Header(Header),
    Variant(Row),
    Footer(Footer),
    NotRun(NotRun),
}

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Footer {
    counts: Counts,
    /// Over the verdicts: equal for two runs that came to the same.
    digest: String,
    /// Over the bytes of the lines before.
    lines: String,
    farewell: Option<String>,
    milliseconds: u64,
}

/// The report as lines.
///
/// # Errors
/// None in practice: texts and numbers can always be written.
pub fn write(report: &Report) -> Result<String, Error> {
    let lines = std::iter::once(Line::Header(report.header.clone()))
        .chain(report.rows.iter().cloned().map(Line::Variant));
    let mut text = String::new();
    for line in lines {
        text.push_str(&written(&line)?);
    }
    let footer = Footer {
        counts: report.counts(),
        digest: report.digest(),
        lines: hash::hex(text.as_bytes()),
        farewell: report.farewell.clone(),
        milliseconds: u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX),
    };
    text.push_str(&written(&Line::Footer(footer))?);
    Ok(text)
}

fn written(line: &Line) -> Result<String, Error> {
    let line = serde_json::to_string(line).map_err(|error| Error::fixture(error.to_string()))?;
    Ok(line + "\n")
}

/// Reads lines back.
///
/// # Errors
/// No header, a line that is none, no footer, or a footer that does not fit the lines.
pub fn read(text: &str) -> Result<Column, Error> {
    let mut header = None;
    let mut rows = Vec::new();
    let mut footer = None;
    let mut bytes = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let read =
            serde_json::from_str(line).map_err(|error| Error::fixture(format!("line {number}: {error}")))?;
        match read {
            Line::NotRun(note) if number == 1 && line.len() == text.len() => return Ok(Column::NotRun(note)),
            Line::Header(read) if number == 1 => header = Some(read),
            Line::Variant(row) if header.is_some() && footer.is_none() => rows.push(row),
            Line::Footer(read) if footer.is_none() => {
                let before = text.as_bytes().get(..bytes).unwrap_or_default();
                footer = Some((read, hash::hex(before)));
            }
            _ => return Err(Error::fixture(format!("line {number} is out of order"))),
        }
        bytes += line.len();
    }
    let header = header.ok_or_else(|| Error::fixture("the results have no header"))?;
    let (footer, lines) =
        footer.ok_or_else(|| Error::fixture("the results have no footer: the run did not end"))?;
    let took = Duration::from_millis(footer.milliseconds);
    let report = Report::new(header, rows, footer.farewell, took);
    let fits = footer.counts == report.counts() && footer.digest == report.digest() && footer.lines == lines;
    if fits {
        Ok(Column::Ran(Box::new(report)))
    } else {
        Err(Error::fixture("the footer does not fit the lines"))
    }
}
