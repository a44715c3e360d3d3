//! One file, readable on a phone and without scripts: rules and families against subjects.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::date::day;
use super::junit::escape;
use super::matrix::judged_commands;
use super::{Column, Matrix, Report, Row, Standing, Status};
use crate::Rule;
use crate::grade::Reading;

const STYLE: &str = include_str!("page.css");

/// How much a page tells about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a page is for its subject's owners, or for everybody"
)]
pub enum Depth {
    /// Which checks failed, and how often: for a page that others read.
    Checks,
    /// The variants, with what was expected and seen: for those who mend it.
    Findings,
}

/// The page. The first lines say what counts; a rule without a family shows as a hole.
#[must_use]
pub fn page(matrix: &Matrix<'_>, depth: Depth) -> String {
    let mut page = Page {
        text: String::new(),
        matrix,
        depth,
    };
    page.head();
    page.subjects();
    page.commands();
    page.areas();
    page.line("</main></body></html>");
    page.text
}

struct Page<'a> {
    text: String,
    matrix: &'a Matrix<'a>,
    depth: Depth,
}

impl Page<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn head(&mut self) {
        self.line(&format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width,initial-scale=1\"><title>Conformance</title><style>\n{STYLE}</style></head>\n\
             <body><main>\n<h1>Conformance</h1>"
        ));
    }

    /// What counts, subject by subject.
    fn subjects(&mut self) {
        self.line("<ul class=\"subjects\">");
        for column in self.matrix.columns {
            let line = match column {
                Column::NotRun(note) => format!(
                    "<li><strong>{}</strong>: <b class=\"not-run\">not run</b>: {}</li>",
                    escape(&note.subject),
                    escape(&note.why)
                ),
                Column::Ran(report) => {
                    let tally = self.matrix.tally(column);
                    format!(
                        "<li><strong>{} {}</strong>: {} scored, {} passed{}, {} failed{}, {} unsupported, {} not scored{}\
                         <br><small>{}</small></li>",
                        escape(&report.header.subject),
                        escape(&report.header.version),
                        tally.scored(),
                        tally.passed,
                        some(
                            " (",
                            &[
                                (tally.stricter, "stricter than necessary"),
                                (tally.in_part, "in part")
                            ],
                            ")"
                        ),
                        tally.failed,
                        some(" (", &[(tally.should, "of level should")], ")")
                            + &some(
                                ", ",
                                &[(tally.differing, "differing"), (tally.known, "known")],
                                ""
                            ),
                        tally.unsupported,
                        tally.not_scored,
                        some(", ", &[(tally.errors, "errors of the runner")], ""),
                        escape(&about(report)),
                    )
                }
            };
            self.line(&line);
        }
        self.line(
            "</ul>\n<p>Numbers are families; one passes when every variant of it does. <b class=\"stricter\">stricter</b>: it \
             passed, and asked or denied where less is accepted too. <b class=\"differs\">differs</b>: another verdict, under the \
             subject's own policy in place of the family's. <b class=\"known\">known</b>: it fails, and the subject's \
             own baseline says so. <b class=\"unsupported\">unsupported</b>: the subject does not declare what the family needs; \
             that is not passed. In part: graded without something that the subject does not have. Not scored: not run, or new since the profile.</p>",
        );
        self.line("<nav>");
        for area in self.matrix.areas() {
            self.line(&format!("<a href=\"#{area}\">{area}</a>"));
        }
        self.line("</nav>");
    }

    /// How the verdicts on judged commands differ.
    fn commands(&mut self) {
        let matrix = self.matrix;
        let judged: Vec<_> = matrix
            .columns
            .iter()
            .filter_map(|column| Some((column, judged_commands(column)?)))
            .collect();
        if judged.is_empty() {
            return;
        }
        self.line("<h2 id=\"judged\">Judged commands</h2>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">Subject</th>");
        for reading in Reading::ALL {
            self.line(&format!("<th scope=\"col\">{}</th>", reading.words()));
        }
        self.line("</tr></thead><tbody>");
        for (column, counts) in judged {
            self.line(&format!(
                "<tr><th scope=\"row\">{}</th>",
                escape(column.subject())
            ));
            for reading in Reading::ALL {
                let count = counts.get(&reading).copied().unwrap_or_default();
                self.line(&format!("<td>{count}</td>"));
            }
            self.line("</tr>");
        }
        self.line("</tbody></table></div>");
    }

    fn areas(&mut self) {
        let matrix = self.matrix;
        for area in matrix.areas() {
            self.line(&format!(
                "<h2 id=\"{area}\">{area}</h2>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">Rule and family</th>"
            ));
            for column in matrix.columns {
                self.line(&format!("<th scope=\"col\">{}</th>", heading(column)));
            }
            self.line("</tr></thead><tbody>");
            let mut shown = Vec::new();
            for rule in matrix.rules_of(area) {
                let families = matrix.of_rule(rule);
                self.rule(rule, &families);
                for family in &families {
                    self.family(family);
                }
                shown.extend(families);
            }
            let rest: Vec<&str> = matrix
                .of_area(area)
                .into_iter()
                .filter(|id| !shown.contains(id))
                .collect();
            for family in rest {
                self.family(family);
            }
            self.line("</tbody></table></div>");
        }
    }

    fn rule(&mut self, rule: &Rule, families: &[&str]) {
        self.line(&format!(
            "<tr class=\"rule\" id=\"{0}\"><th scope=\"row\"><a href=\"#{0}\">{0}</a> {1}</th>",
            rule.id,
            escape(&rule.text)
        ));
        for column in self.matrix.columns {
            let name = escape(column.subject());
            let cell = match column {
                _ if families.is_empty() => "<b class=\"hole\">no family</b>".to_owned(),
                Column::NotRun(_) => "<b class=\"not-run\">not run</b>".to_owned(),
                Column::Ran(_) => {
                    let tally = column.tally(families.iter().copied());
                    format!("{} of {} pass", tally.passed, families.len())
                }
            };
            self.line(&format!("<td><small>{name}</small> {cell}</td>"));
        }
        self.line("</tr>");
        if families.is_empty() {
            self.line(&format!(
                "<tr class=\"family\"><th scope=\"row\">a hole: nothing checks this rule</th><td colspan=\"{}\"></td></tr>",
                self.matrix.columns.len()
            ));
        }
    }

    fn family(&mut self, id: &str) {
        let Some(entry) = self.matrix.families.get(id) else {
            return;
        };
        let should = if entry.should { " (should)" } else { "" };
        self.line(&format!(
            "<tr class=\"family\"><th scope=\"row\">{}{should} <code>{}</code></th>",
            escape(entry.title),
            escape(id)
        ));
        for column in self.matrix.columns {
            let cell = cell(column, id, self.depth);
            self.line(&format!("<td>{cell}</td>"));
        }
        self.line("</tr>");
    }
}

/// The numbers that are not zero, with what they count.
fn some(before: &str, numbers: &[(usize, &str)], after: &str) -> String {
    let there = numbers.iter().filter(|(number, _)| *number > 0);
    let words: Vec<String> = there.map(|(number, what)| format!("{number} {what}")).collect();
    if words.is_empty() {
        String::new()
    } else {
        format!("{before}{}{after}", words.join(", "))
    }
}

/// Kind, day, policy and profile of a run, in one line.
fn about(report: &Report) -> String {
    let header = &report.header;
    let mut text = format!(
        "{}, {}, suite {}, policy: {}",
        header.kind,
        day(header.time),
        header.suite,
        header.policy.as_deref().unwrap_or(super::NO_NOTE)
    );
    if let Some(profile) = &header.profile {
        let _infallible = write!(text, ", {profile}");
    }
    text
}

fn heading(column: &Column) -> String {
    match column {
        Column::NotRun(note) => format!(
            "{}<small>not run: {}</small>",
            escape(&note.subject),
            escape(&note.why)
        ),
        Column::Ran(report) => format!(
            "{} {}<small>{}</small><small>policy: {}</small>",
            escape(&report.header.subject),
            escape(&report.header.version),
            day(report.header.time),
            escape(report.header.policy.as_deref().unwrap_or(super::NO_NOTE)),
        ),
    }
}

fn cell(column: &Column, family: &str, depth: Depth) -> String {
    let family = column.family(family);
    let (standing, rows) = (family.standing, &family.rows);
    let class = standing.word().replace(' ', "-");
    let word = format!("<b class=\"{class}\">{}</b>{}", standing.word(), family.aside());
    let mut inner = match (standing, depth) {
        (Standing::Pass | Standing::NotRun | Standing::Unsupported, _) => String::new(),
        (Standing::Stricter, _) => {
            let count = rows.iter().filter(|row| row.is_stricter()).count();
            format!("<p>in {count} of {} variants</p>", rows.len())
        }
        (_, Depth::Checks) => checks(rows),
        (_, Depth::Findings) => findings(rows),
    };
    if !family.lacks.is_empty() {
        let lacks = escape(&family.lacks.join(", "));
        let _infallible = write!(inner, "<p>without {lacks}</p>");
    }
    if inner.is_empty() {
        return word;
    }
    format!("<details><summary>{word}</summary>{inner}</details>")
}

/// Which checks failed in how many variants.
fn checks(rows: &[&Row]) -> String {
    let not_passed: Vec<_> = rows.iter().filter(|row| row.status != Status::Pass).collect();
    let mut counts = BTreeMap::new();
    for check in not_passed.iter().flat_map(|row| row.checks()) {
        *counts.entry(check).or_insert(0) += 1;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(check, count)| format!("{check} {count}"))
        .collect();
    let of = format!("{} of {} variants", not_passed.len(), rows.len());
    if counts.is_empty() {
        format!("<p>{of}</p>")
    } else {
        format!("<p>{of}: {}</p>", counts.join(", "))
    }
}

fn findings(rows: &[&Row]) -> String {
    let mut text = String::new();
    for row in rows.iter().filter(|row| row.status != Status::Pass) {
        let _infallible = write!(text, "<p><code>{}</code> {}", escape(&row.variant), row.status);
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
    text
}
