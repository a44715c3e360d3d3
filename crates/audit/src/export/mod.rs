//! The log in forms that other programs read.

mod csv;
mod known;
mod ocsf;
mod otel;

use std::io::{self, Write};

use serde_json::Value;

use crate::Entry;

/// A form that a log can be exported to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// One JSON array of the records as they are.
    Json,
    /// Comma-separated values as in RFC 4180, with a line of names first. A cell that a spreadsheet could take for a
    /// formula begins with an apostrophe.
    Csv,
    /// Log records of OpenTelemetry, in the JSON form of its protocol: one `resourceLogs` message a line.
    Otel,
    /// Events of the Open Cybersecurity Schema Framework 1.4, class API Activity (6003) with the profile for security
    /// controls: one JSON object a line. 1.4 is the first version whose class says what a control did with a call; later
    /// ones take the same events.
    Ocsf,
}

/// Writes records in one form. [`Export::end`] has to be called: some forms have an end.
#[derive(Debug)]
pub struct Export<W> {
    out: W,
    format: Format,
    begun: bool,
    batch: Vec<Value>,
    open: known::Open,
}

/// Records in one message.
const BATCH: usize = 256;

impl<W: Write> Export<W> {
    /// An export that has written nothing yet.
    pub fn new(out: W, format: Format) -> Self {
        Self {
            out,
            format,
            begun: false,
            batch: Vec::new(),
            open: known::Open::default(),
        }
    }

    /// Writes one record. Records have to come in the order of the log: an outcome tells of the tool that its decision
    /// named.
    ///
    /// # Errors
    /// What the writer says.
    pub fn put(&mut self, entry: &Entry) -> io::Result<()> {
        let known = self.open.about(entry);
        match self.format {
            Format::Json => {
                let before: &[u8] = if self.begun { b",\n" } else { b"[\n" };
                self.out.write_all(before)?;
                serde_json::to_writer(&mut self.out, &entry.value)?;
            }
            Format::Csv => {
                if !self.begun {
                    csv::head(&mut self.out)?;
                }
                csv::row(&mut self.out, entry)?;
            }
            Format::Otel => {
                self.batch.push(otel::record(entry, &known));
                if self.batch.len() >= BATCH {
                    self.send()?;
                }
            }
            Format::Ocsf => {
                serde_json::to_writer(&mut self.out, &ocsf::event(entry, &known))?;
                self.out.write_all(b"\n")?;
            }
        }
        self.begun = true;
        Ok(())
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// What the writer says.
    pub fn end(mut self) -> io::Result<()> {
        match (self.format, self.begun) {
            (Format::Json, true) => self.out.write_all(b"\n]\n")?,
            (Format::Json, false) => self.out.write_all(b"[]\n")?,
            (Format::Csv, false) => csv::head(&mut self.out)?,
            (Format::Otel, _) => self.send()?,
            _ => {}
        }
        self.out.flush()
    }

    fn send(&mut self) -> io::Result<()> {
        if self.batch.is_empty() {
            return Ok(());
        }
        let message = otel::message(std::mem::take(&mut self.batch));
        serde_json::to_writer(&mut self.out, &message)?;
        self.out.write_all(b"\n")
    }
}
