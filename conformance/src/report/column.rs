//! One subject's column: what was run, or why it was not.

use serde::{Deserialize, Serialize};

use super::{Report, Row, Status};

/// A subject that was not run. Never counted as passed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NotRun {
    /// Its name.
    pub subject: String,
    /// Why.
    pub why: String,
}

/// One subject.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::exhaustive_enums, reason = "run or not: there is no third")]
pub enum Column {
    /// What a run brought.
    Ran(Box<Report>),
    /// It was not run.
    NotRun(NotRun),
}

/// What a family came to, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the words of the report are a closed list"
)]
pub enum Standing {
    /// Every variant passed, with the mildest verdicts that are accepted.
    Pass,
    /// Every variant passed; somewhere the subject was stricter than it had to be.
    Stricter,
    /// A variant failed.
    Fail,
    /// A variant ended otherwise, under a policy of the subject's own in place of the family's.
    Differs,
    /// What failed is known: it stands in the subject's baseline.
    Known,
    /// The subject, or the machine, cannot do what the family needs.
    Unsupported,
    /// It was not run.
    NotRun,
    /// The runner is at fault.
    Error,
}

impl Standing {
    /// The word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Stricter => "stricter",
            Self::Fail => "fail",
            Self::Differs => "differs",
            Self::Known => "known",
            Self::Unsupported => "unsupported",
            Self::NotRun => "not run",
            Self::Error => "error",
        }
    }

    fn of(rows: &[&Row]) -> Self {
        let any = |is: &[Status]| rows.iter().any(|row| is.contains(&row.status));
        if rows.is_empty() {
            Self::NotRun
        } else if any(&[Status::Error]) {
            Self::Error
        } else if any(&[Status::Fail]) && rows.iter().any(|row| has_its_own_policy(row)) {
            Self::Differs
        } else if any(&[Status::Fail]) {
            Self::Fail
        } else if any(&[Status::Xfail, Status::Xpass]) {
            Self::Known
        } else if any(&[Status::Unsupported]) {
            Self::Unsupported
        } else if rows.iter().any(|row| row.is_stricter()) {
            Self::Stricter
        } else {
            Self::Pass
        }
    }
}

/// Whether the family's policy could not be told.
fn has_its_own_policy(row: &Row) -> bool {
    row.needs
        .iter()
        .any(|need| need.starts_with("policy.") || need == "otherwise.deny")
}

/// How many families of a subject came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Every variant passed, stricter ones included.
    pub passed: usize,
    /// Of these: stricter somewhere than necessary.
    pub stricter: usize,
    /// Of these: graded without something that the subject does not have.
    pub in_part: usize,
    /// Failed.
    pub failed: usize,
    /// Of these: of level should, which is shown and does not fail a subject.
    pub should: usize,
    /// Ended otherwise, under the subject's own policy.
    pub differing: usize,
    /// Failed as the subject's baseline says.
    pub known: usize,
    /// Not supported.
    pub unsupported: usize,
    /// Not run, or new in a released profile.
    pub not_scored: usize,
    /// The runner's own faults.
    pub errors: usize,
}

impl Tally {
    /// Families with a result that counts.
    #[must_use]
    pub fn scored(self) -> usize {
        self.passed + self.failed + self.differing + self.known
    }

    fn add(&mut self, family: &Family<'_>) {
        let standing = family.standing;
        if family.scored {
            let passed = matches!(standing, Standing::Pass | Standing::Stricter);
            self.should += usize::from(standing == Standing::Fail && family.is_should());
            self.in_part += usize::from(passed && !family.lacks.is_empty());
        }
        *match standing {
            _ if !family.scored => &mut self.not_scored,
            Standing::Pass => &mut self.passed,
            Standing::Stricter => {
                self.stricter += 1;
                &mut self.passed
            }
            Standing::Fail => &mut self.failed,
            Standing::Differs => &mut self.differing,
            Standing::Known => &mut self.known,
            Standing::Unsupported => &mut self.unsupported,
            Standing::NotRun => &mut self.not_scored,
            Standing::Error => &mut self.errors,
        } += 1;
    }
}

/// A family's results for one subject.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Family<'a> {
    /// In one word.
    pub standing: Standing,
    /// Whether it counts.
    pub scored: bool,
    /// What the subject does not have: why the family is unsupported, or without what it was graded.
    pub lacks: &'a [String],
    /// Variant by variant.
    pub rows: Vec<&'a Row>,
}

impl Family<'_> {
    /// Whether it is of level should.
    #[must_use]
    pub fn is_should(&self) -> bool {
        self.rows.iter().any(|row| row.level == "should")
    }

    /// What has to be said beside the word.
    #[must_use]
    pub fn aside(&self) -> &'static str {
        let in_part = !self.lacks.is_empty() && self.standing != Standing::Unsupported;
        match (in_part, self.scored) {
            (false, true) => "",
            (true, true) => " in part",
            (false, false) => " (not scored)",
            (true, false) => " in part (not scored)",
        }
    }
}

impl Column {
    /// The subject's name.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::Ran(report) => &report.header.subject,
            Self::NotRun(note) => &note.subject,
        }
    }

    /// What a family came to.
    #[must_use]
    pub fn family(&self, family: &str) -> Family<'_> {
        let rows = match self {
            Self::Ran(report) => report.rows.iter().filter(|row| row.family == family).collect(),
            Self::NotRun(_) => Vec::new(),
        };
        let standing = Standing::of(&rows);
        let lacks = rows.first().map(|row| row.needs.as_slice()).unwrap_or_default();
        Family {
            standing,
            scored: rows.iter().all(|row| row.scored),
            lacks,
            rows,
        }
    }

    /// What these families came to.
    pub fn tally<'a>(&self, families: impl IntoIterator<Item = &'a str>) -> Tally {
        let mut tally = Tally::default();
        for family in families {
            tally.add(&self.family(family));
        }
        tally
    }
}
