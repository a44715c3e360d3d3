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

/// How many families of a subject came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Every variant passed, stricter ones included.
    pub passed: usize,
    /// Of these: stricter somewhere than necessary.
    pub stricter: usize,
    /// Failed.
    pub failed: usize,
    /// Of these: of level should, which is shown and does not fail a subject.
    pub should: usize,
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
        self.passed + self.failed + self.known
    }

    fn add(&mut self, standing: Standing, scored: bool, should: bool) {
        if standing == Standing::Fail && scored && should {
            self.should += 1;
        }
        *match standing {
            _ if !scored => &mut self.not_scored,
            Standing::Pass => &mut self.passed,
            Standing::Stricter => {
                self.stricter += 1;
                &mut self.passed
            }
            Standing::Fail => &mut self.failed,
            Standing::Known => &mut self.known,
            Standing::Unsupported => &mut self.unsupported,
            Standing::NotRun => &mut self.not_scored,
            Standing::Error => &mut self.errors,
        } += 1;
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

    /// The results of a family.
    #[must_use]
    pub fn rows(&self, family: &str) -> Vec<&Row> {
        match self {
            Self::Ran(report) => report.rows.iter().filter(|row| row.family == family).collect(),
            Self::NotRun(_) => Vec::new(),
        }
    }

    /// What a family came to, and whether that counts.
    #[must_use]
    pub fn standing(&self, family: &str) -> (Standing, bool) {
        let rows = self.rows(family);
        (Standing::of(&rows), rows.iter().all(|row| row.scored))
    }

    /// What these families came to.
    pub fn tally<'a>(&self, families: impl IntoIterator<Item = &'a str>) -> Tally {
        let mut tally = Tally::default();
        for family in families {
            let (standing, scored) = self.standing(family);
            let should = self.rows(family).iter().any(|row| row.level == "should");
            tally.add(standing, scored, should);
        }
        tally
    }
}
