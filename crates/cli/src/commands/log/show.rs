use std::collections::{BTreeMap, VecDeque};
use std::io::{BufWriter, Write};

use clap::{Args, ValueEnum};
use portcullis::audit::{self, Entry};
use portcullis::visible;
use serde_json::{Value, json};

use super::Named;
use super::select::Select;
use crate::failure::Failure;
use crate::surroundings::Surroundings;

#[derive(Debug, Args)]
pub(super) struct Show {
    #[command(flatten)]
    named: Named,

    /// The same as data, one record a line
    #[arg(long)]
    json: bool,

    /// Only so many, the last ones
    #[arg(long, value_name = "NUMBER")]
    last: Option<usize>,

    #[command(flatten)]
    select: Select,
}

#[derive(Debug, Args)]
pub(super) struct Export {
    #[command(flatten)]
    named: Named,

    /// The form
    #[arg(long, value_enum)]
    format: Form,

    #[command(flatten)]
    select: Select,
}

#[derive(Debug, Args)]
pub(super) struct Stats {
    #[command(flatten)]
    named: Named,

    /// The same as data
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    select: Select,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One JSON array
    Json,
    /// Comma-separated values
    Csv,
    /// OpenTelemetry log records
    Otel,
    /// Open Cybersecurity Schema Framework
    Ocsf,
}

impl Show {
    pub(super) fn run(&self, around: &Surroundings) -> Result<u8, Failure> {
        let mut stdout = BufWriter::new(anstream::stdout().lock());
        let mut kept = VecDeque::new();
        let place = self.named.place(around)?;
        let code = self.select.each(&place, around, |entry| {
            match self.last {
                None => self.print(&mut stdout, &entry)?,
                Some(most) => {
                    kept.push_back(entry);
                    if kept.len() > most {
                        kept.pop_front();
                    }
                }
            }
            Ok(())
        })?;
        for entry in kept {
            self.print(&mut stdout, &entry)?;
        }
        stdout.flush()?;
        Ok(code)
    }

    fn print(&self, out: &mut impl Write, entry: &Entry) -> Result<(), Failure> {
        match self.json {
            true => writeln!(out, "{}", entry.value)?,
            false => writeln!(out, "{}", line(&entry.value))?,
        }
        Ok(())
    }
}

impl Export {
    pub(super) fn run(&self, around: &Surroundings) -> Result<u8, Failure> {
        let format = match self.format {
            Form::Json => audit::Format::Json,
            Form::Csv => audit::Format::Csv,
            Form::Otel => audit::Format::Otel,
            Form::Ocsf => audit::Format::Ocsf,
        };
        let stdout = BufWriter::new(anstream::stdout().lock());
        let mut export = audit::Export::new(stdout, format);
        let place = self.named.place(around)?;
        let code = self
            .select
            .each(&place, around, |entry| Ok(export.put(&entry)?))?;
        export.end()?;
        Ok(code)
    }
}

impl Stats {
    pub(super) fn run(&self, around: &Surroundings) -> Result<u8, Failure> {
        let mut stats = audit::Stats::default();
        let place = self.named.place(around)?;
        let code = self.select.each(&place, around, |entry| {
            stats.add(&entry);
            Ok(())
        })?;
        let mut stdout = anstream::stdout().lock();
        match self.json {
            true => writeln!(stdout, "{}", data(&stats))?,
            false => write!(stdout, "{}", sentences(&stats))?,
        }
        stdout.flush()?;
        Ok(code)
    }
}

fn data(stats: &audit::Stats) -> Value {
    let times = stats.times.as_ref();
    json!({
        "records": stats.records,
        "sessions": stats.sessions(),
        "first_time": times.map(|(first, _)| first),
        "last_time": times.map(|(_, last)| last),
        "asked": stats.asked,
        "decisions": stats.decisions,
        "by": stats.deciders,
        "refusals": stats.refusals,
        "outcomes": stats.outcomes,
        "tools": stats.tools,
        "risks": stats.risks,
        "rules": stats.rules,
    })
}

fn sentences(stats: &audit::Stats) -> String {
    let mut text = format!(
        "{} records of {} sessions, {} questions\n",
        stats.records,
        stats.sessions(),
        stats.asked
    );
    if let Some((first, last)) = &stats.times {
        text.push_str(&format!(
            "from {} to {}\n",
            visible(first, 100),
            visible(last, 100)
        ));
    }
    for (title, numbers) in [
        ("decisions", &stats.decisions),
        ("by", &stats.deciders),
        ("refusals", &stats.refusals),
        ("outcomes", &stats.outcomes),
        ("risks", &stats.risks),
        ("tools", &stats.tools),
        ("rules", &stats.rules),
    ] {
        list(&mut text, title, numbers);
    }
    text
}

/// The most frequent ones first.
fn list(text: &mut String, title: &str, numbers: &BTreeMap<String, u64>) {
    const MOST: usize = 20;
    if numbers.is_empty() {
        return;
    }
    text.push_str(&format!("{title}:\n"));
    let mut sorted: Vec<_> = numbers.iter().collect();
    sorted.sort_by_key(|(name, number)| (std::cmp::Reverse(**number), name.as_str()));
    for (name, number) in sorted.iter().take(MOST) {
        text.push_str(&format!("  {number:>7}  {}\n", visible(name, 100)));
    }
    if let Some(more @ 1..) = sorted.len().checked_sub(MOST) {
        text.push_str(&format!("  and {more} more (all with --json)\n"));
    }
}

/// One record on one line: when, what, who, about which call. Every text of a record is escaped already.
fn line(record: &Value) -> String {
    let text = |member: &str| {
        record
            .get(member)
            .and_then(Value::as_str)
            .map(|text| visible(text, 200))
    };
    let number = |member: &str| record.get(member).and_then(Value::as_u64);
    let what = match text("kind").as_deref() {
        Some("decided") => text("decision"),
        Some("finished") => text("outcome"),
        other => other.map(str::to_owned),
    };
    let parts = [
        number("seq").map(|seq| format!("{seq:>6}")),
        text("time"),
        what.map(|what| format!("{what:<14}")),
        text("by").map(|by| format!("by {by}")),
        text("refusal").map(|code| format!("({code})")),
        text("summary"),
        number("decision_seq").map(|seq| format!("of {seq}")),
        text("reason").map(|reason| format!(": {reason}")),
        text("call").map(|call| format!("[{call}]")),
    ];
    let line = parts.into_iter().flatten().collect::<Vec<_>>().join("  ");
    line.trim_end().to_owned()
}
