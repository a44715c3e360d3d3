//! What a job counts.

use std::fmt;
use std::ops::AddAssign;

/// Checks that passed, failed and were skipped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) passed: u32,
    pub(crate) failed: u32,
    pub(crate) skipped: u32,
}

impl Tally {
    pub(crate) const PASSED: Self = Self {
        passed: 1,
        failed: 0,
        skipped: 0,
    };
    pub(crate) const FAILED: Self = Self {
        passed: 0,
        failed: 1,
        skipped: 0,
    };
    pub(crate) const SKIPPED: Self = Self {
        passed: 0,
        failed: 0,
        skipped: 1,
    };

    /// One check.
    pub(crate) fn of(passed: bool) -> Self {
        if passed { Self::PASSED } else { Self::FAILED }
    }

    /// The word for the table. A job that checked nothing has not passed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self { failed: 1.., .. } => "FAILED",
            Self { passed: 1.., .. } => "passed",
            Self { skipped: 1.., .. } => "skipped",
            Self { .. } => "EMPTY",
        }
    }

    /// Reads what [`Display`](fmt::Display) wrote.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut tally = Self::default();
        for part in line.split(", ") {
            let (number, word) = part.split_once(' ')?;
            let counted = match word {
                "passed" => &mut tally.passed,
                "failed" => &mut tally.failed,
                "skipped" => &mut tally.skipped,
                _ => return None,
            };
            *counted = number.parse().ok()?;
        }
        Some(tally)
    }

    /// Whether nothing failed and something was checked or knowingly skipped.
    pub(crate) fn is_good(self) -> bool {
        self.failed == 0 && self.passed + self.skipped > 0
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn a_job_that_checked_nothing_is_not_good() {
        assert!(!Tally::default().is_good());
        assert_eq!(Tally::default().word(), "EMPTY");
    }

    #[test]
    fn one_failure_outweighs_every_pass() {
        let mut tally = Tally {
            passed: 100,
            ..Tally::default()
        };
        tally += Tally::FAILED;
        assert!(!tally.is_good());
        assert_eq!(tally.to_string(), "100 passed, 1 failed");
    }

    #[test]
    fn a_skip_is_said() {
        assert_eq!(Tally::SKIPPED.to_string(), "0 passed, 0 failed, 1 skipped");
    }

    #[test]
    fn what_it_writes_it_reads() {
        let all = Tally {
            passed: 3,
            failed: 2,
            skipped: 1,
        };
        for tally in [all, Tally::PASSED, Tally::FAILED, Tally::default()] {
            assert_eq!(Tally::read(&tally.to_string()), Some(tally));
        }
        assert_eq!(Tally::read("3 passed, 2 lost"), None);
        assert_eq!(Tally::read(""), None);
    }
}
