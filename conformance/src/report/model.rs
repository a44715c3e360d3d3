use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::grade::{Check, Finding, Reading, Verdict};
use crate::hash;

/// What was run, where, on what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Header {
    /// The suite's version.
    pub suite: String,
    /// The protocol's version.
    pub protocol: u32,
    /// What the order depended on.
    pub seed: u64,
    /// Seconds since 1970.
    pub time: u64,
    /// What the host can do.
    pub host: Vec<String>,
    /// The subject's name.
    pub subject: String,
    /// Its version.
    pub version: String,
    /// `executes` or `decides`.
    pub kind: String,
    /// What it promises.
    pub capabilities: Vec<String>,
    /// One line about the policy that it had; none when it was told the families' policies alone.
    pub policy: Option<String>,
    /// The profile that was run, and what may be claimed by it.
    pub profile: Option<String>,
}

/// What became of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(
    clippy::exhaustive_enums,
    reason = "a new status is a new version of the suite"
)]
pub enum Status {
    /// As expected.
    Pass,
    /// Not as expected.
    Fail,
    /// The runner or the family is at fault.
    Error,
    /// The subject or the host cannot do what it needs.
    Unsupported,
    /// Fails, and the baseline says so.
    Xfail,
    /// Passes, and the baseline says that it fails.
    Xpass,
}

impl Status {
    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Error => "ERROR",
            Self::Unsupported => "UNSUPPORTED",
            Self::Xfail => "XFAIL",
            Self::Xpass => "XPASS",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// One variant's result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Row {
    /// The family.
    pub family: String,
    /// The variant.
    pub variant: String,
    /// The rules of the family.
    pub rules: Vec<String>,
    /// `must` or `should`.
    pub level: String,
    /// What became of it.
    pub status: Status,
    /// Why, the gravest first.
    pub findings: Vec<Finding>,
    /// What it needs and is not there. Where it was run all the same, it was graded without this.
    pub needs: Vec<String>,
    /// The decisions that were seen, step by step.
    pub seen: Option<String>,
    /// What it did with each call by itself, beside what is accepted.
    pub verdicts: Vec<Verdict>,
    /// Whether it counts; a family that is new in a released profile does not.
    pub scored: bool,
}

impl Row {
    /// `family#variant`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}#{}", self.family, self.variant)
    }

    /// Whether it passed and was stricter somewhere than it had to be.
    #[must_use]
    pub fn is_stricter(&self) -> bool {
        let stricter = |verdict: &Verdict| verdict.reading() == Reading::Stricter;
        self.status == Status::Pass && self.verdicts.iter().any(stricter)
    }

    /// The checks that failed, each once, the gravest first.
    #[must_use]
    pub fn checks(&self) -> Vec<Check> {
        let mut checks: Vec<Check> = self.findings.iter().map(|finding| finding.check).collect();
        checks.sort_unstable();
        checks.dedup();
        checks
    }
}

/// How many variants became what, and how many families.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Counts {
    /// Variants that passed.
    pub pass: usize,
    /// Of these: stricter somewhere than they had to be.
    pub stricter: usize,
    /// Variants that failed, level must.
    pub fail: usize,
    /// Variants that failed, level should.
    pub fail_should: usize,
    /// Faults of the runner.
    pub error: usize,
    /// Not supported.
    pub unsupported: usize,
    /// Failed as the baseline says.
    pub xfail: usize,
    /// Passed against the baseline.
    pub xpass: usize,
    /// Variants that do not count; they are in no other number.
    pub not_scored: usize,
    /// Families that count.
    pub families: usize,
    /// Families of which every variant passed.
    pub families_passed: usize,
    /// Of these: graded without something that the subject does not have.
    pub families_in_part: usize,
}

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// What was run.
    pub header: Header,
    /// Sorted by family and variant.
    pub rows: Vec<Row>,
    /// What was wrong at the end, outside of any variant.
    pub farewell: Option<String>,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    pub(crate) fn new(header: Header, rows: Vec<Row>, farewell: Option<String>, took: Duration) -> Self {
        Self {
            header,
            rows,
            farewell,
            took,
        }
    }

    /// Of the families that count: whether every variant passed.
    #[must_use]
    pub fn families(&self) -> BTreeMap<&str, bool> {
        let mut families = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.scored) {
            *families.entry(row.family.as_str()).or_insert(true) &= row.status == Status::Pass;
        }
        families
    }

    /// Families that were graded without something, and without what.
    #[must_use]
    pub fn in_part(&self) -> BTreeMap<&str, &[String]> {
        let in_part = |row: &&Row| row.status != Status::Unsupported && !row.needs.is_empty();
        let rows = self.rows.iter().filter(in_part);
        rows.map(|row| (row.family.as_str(), row.needs.as_slice()))
            .collect()
    }

    /// The sums.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let families = self.families();
        let in_part = self.in_part();
        let partly = |(family, passed): &(&&str, &bool)| **passed && in_part.contains_key(**family);
        let mut counts = Counts {
            families: families.len(),
            families_in_part: families.iter().filter(partly).count(),
            families_passed: families.values().filter(|passed| **passed).count(),
            ..Counts::default()
        };
        for row in &self.rows {
            if !row.scored {
                counts.not_scored += 1;
                continue;
            }
            counts.stricter += usize::from(row.is_stricter());
            *match row.status {
                Status::Pass => &mut counts.pass,
                Status::Fail if row.level == "should" => &mut counts.fail_should,
                Status::Fail => &mut counts.fail,
                Status::Error => &mut counts.error,
                Status::Unsupported => &mut counts.unsupported,
                Status::Xfail => &mut counts.xfail,
                Status::Xpass => &mut counts.xpass,
            } += 1;
        }
        counts
    }

    /// SHA-256 over what was decided: equal for two runs with the same verdicts.
    #[must_use]
    pub fn digest(&self) -> String {
        let verdicts: Vec<String> = self
            .rows
            .iter()
            .map(|row| format!("{} {} {:?}", row.name(), row.status, row.checks()))
            .collect();
        hash::hex(verdicts.join("\n").as_bytes())
    }
}
