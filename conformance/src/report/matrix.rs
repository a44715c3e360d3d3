//! Rules and families against subjects.

use std::collections::BTreeMap;

use super::{Column, Tally};
use crate::fixture::{AREAS, Level, Source};
use crate::grade::Reading;
use crate::{Rule, Spec};

/// What a page is made from.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Matrix<'a> {
    /// The rules.
    pub spec: &'a Spec,
    /// The families, by id: those of the suite, and those that only the results know.
    pub families: BTreeMap<&'a str, Entry<'a>>,
    /// The subjects.
    pub columns: &'a [Column],
}

/// What is shown of a family.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Entry<'a> {
    /// Its title.
    pub title: &'a str,
    /// Its rules.
    pub rules: Vec<&'a str>,
    /// Whether it is of level should.
    pub should: bool,
}

impl<'a> Matrix<'a> {
    /// The matrix of these subjects.
    #[must_use]
    pub fn new(spec: &'a Spec, sources: &'a [Source], columns: &'a [Column]) -> Self {
        let mut families = BTreeMap::new();
        for column in columns {
            let Column::Ran(report) = column else { continue };
            for row in &report.rows {
                families.entry(row.family.as_str()).or_insert_with(|| Entry {
                    title: &row.family,
                    rules: row.rules.iter().map(String::as_str).collect(),
                    should: row.level == "should",
                });
            }
        }
        for Source { family, .. } in sources {
            let entry = Entry {
                title: &family.title,
                rules: family.rules.iter().map(String::as_str).collect(),
                should: family.level == Level::Should,
            };
            families.insert(&family.id, entry);
        }
        Self {
            spec,
            families,
            columns,
        }
    }

    /// The families that check a rule.
    #[must_use]
    pub fn of_rule(&self, rule: &Rule) -> Vec<&'a str> {
        let checks = |entry: &Entry<'_>| entry.rules.iter().any(|id| *id == rule.id);
        let families = self.families.iter().filter(|(_, entry)| checks(entry));
        families.map(|(id, _)| *id).collect()
    }

    /// The families of an area.
    #[must_use]
    pub fn of_area(&self, area: &str) -> Vec<&'a str> {
        let ids = self.families.keys().copied();
        ids.filter(|id| id.split('/').next() == Some(area)).collect()
    }

    /// The areas that have a rule or a family, in the order of SPEC.md.
    #[must_use]
    pub fn areas(&self) -> Vec<&'static str> {
        let has = |area: &&str| !self.rules_of(area).is_empty() || !self.of_area(area).is_empty();
        AREAS.into_iter().filter(has).collect()
    }

    /// The rules of an area.
    #[must_use]
    pub fn rules_of(&self, area: &str) -> Vec<&'a Rule> {
        let of = |rule: &&Rule| {
            rule.id
                .rsplit_once('-')
                .is_some_and(|(of, _)| of.eq_ignore_ascii_case(area))
        };
        self.spec.rules().iter().filter(of).collect()
    }

    /// What all families came to for a subject.
    #[must_use]
    pub fn tally(&self, column: &Column) -> Tally {
        column.tally(self.families.keys().copied())
    }
}

/// How the verdicts on judged commands stand to what is accepted; none when no command was judged.
#[must_use]
pub fn judged_commands(column: &Column) -> Option<BTreeMap<Reading, usize>> {
    let Column::Ran(report) = column else { return None };
    let rows = report
        .rows
        .iter()
        .filter(|row| row.family.starts_with("commands/"));
    let mut found = BTreeMap::new();
    for verdict in rows
        .flat_map(|row| &row.verdicts)
        .filter(|verdict| verdict.judged)
    {
        *found.entry(verdict.reading()).or_default() += 1;
    }
    (!found.is_empty()).then_some(found)
}
