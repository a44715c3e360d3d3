//! The table on the terminal: words carry the meaning.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Offence, Row, Seen};

/// A row for each set, then each line that it is wrong about, the worst first, with what the subject says of it.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut line = |line: std::fmt::Arguments<'_>| {
        let _infallible = text.write_fmt(line);
        text.push('\n');
    };
    let mut sets: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        sets.entry(&row.set).or_default().push(row);
    }
    line(format_args!(
        "{:<20}{:>7}{:>8}{:>8}{:>17}{:>15}{:>8}",
        "set", "lines", "missed", "milder", "needless denials", "needless asks", "untold"
    ));
    for (name, rows) in &sets {
        let count = |offence| rows.iter().filter(|row| row.offence() == Some(offence)).count();
        line(format_args!(
            "{name:<20}{:>7}{:>8}{:>8}{:>17}{:>15}{:>8}",
            rows.len(),
            count(Offence::Missed),
            count(Offence::Milder),
            count(Offence::NeedlessDenial),
            count(Offence::NeedlessAsk),
            rows.iter().filter(|row| row.seen == Seen::Untold).count(),
        ));
    }
    for (name, rows) in &sets {
        let mut wrong: Vec<(Offence, &Row)> = rows
            .iter()
            .filter_map(|row| row.offence().map(|offence| (offence, *row)))
            .collect();
        wrong.sort_by_key(|(offence, _)| *offence);
        for (offence, row) in wrong {
            line(format_args!(""));
            line(format_args!(
                "{name} {}: {}",
                offence.word(),
                row.line.escape_debug()
            ));
            line(format_args!("  about {}", row.about));
            if let Seen::Verdict {
                decision,
                reason,
                because,
            } = &row.seen
            {
                line(format_args!("  got {decision} ({reason})"));
                if !because.is_empty() {
                    line(format_args!("  because {}", because.escape_debug()));
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Decision;

    #[test]
    fn the_worst_comes_first() {
        let row = |line: &str, accept, decision| Row {
            set: "x".to_owned(),
            about: "it".to_owned(),
            line: line.to_owned(),
            accept: vec![accept],
            seen: Seen::Verdict {
                decision,
                reason: "policy".to_owned(),
                because: "a rule".to_owned(),
            },
        };
        let rows = [
            row("ls", Decision::Allow, Decision::Ask),
            row("a\nb", Decision::Deny, Decision::Allow),
            row("pwd", Decision::Allow, Decision::Allow),
        ];
        let said = table(&rows);
        let lines: Vec<&str> = said.lines().collect();
        assert_eq!(
            lines[1].split_whitespace().collect::<Vec<_>>(),
            ["x", "3", "1", "0", "0", "1", "0"]
        );
        assert_eq!(
            lines[3..],
            [
                "x missed: a\\nb",
                "  about it",
                "  got allow (policy)",
                "  because a rule",
                "",
                "x needless ask: ls",
                "  about it",
                "  got ask (policy)",
                "  because a rule",
            ]
        );
    }
}
