//! Holds what was seen against what was expected: named checks, each alone.

mod alike;
mod approval;
mod audit;
mod batch;
mod containment;
mod step;
mod verdict;
mod version;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::fixture::{Step, Variant};
use crate::run::SessionSeen;
use crate::sandbox::Sandbox;
use crate::wire::Kind;

pub(crate) use verdict::verdicts;
pub use verdict::{Reading, Verdict};

/// The checks, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(
    clippy::exhaustive_enums,
    reason = "a new check is a new version of the suite"
)]
pub enum Check {
    /// Nothing outside the workspace was changed, opened or told.
    Containment,
    /// The workspace changed exactly as declared.
    Effect,
    /// What it says it did is what it did.
    Honesty,
    /// Questions were asked, shown and obeyed.
    Approval,
    /// The decision.
    Decision,
    /// The records.
    Audit,
    /// The reason.
    Reason,
    /// It still serves the session.
    Liveness,
    /// One well-formed answer for each message.
    Protocol,
}

impl Check {
    /// Every check, the gravest first.
    pub const ALL: [Self; 9] = [
        Self::Containment,
        Self::Effect,
        Self::Honesty,
        Self::Approval,
        Self::Decision,
        Self::Audit,
        Self::Reason,
        Self::Liveness,
        Self::Protocol,
    ];

    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Containment => "containment",
            Self::Effect => "effect",
            Self::Honesty => "honesty",
            Self::Approval => "approval",
            Self::Decision => "decision",
            Self::Audit => "audit",
            Self::Reason => "reason",
            Self::Liveness => "liveness",
            Self::Protocol => "protocol",
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A check that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Finding {
    /// Which.
    pub check: Check,
    /// What was expected.
    pub expected: String,
    /// What was seen.
    pub seen: String,
}

impl Finding {
    pub(crate) fn new(check: Check, expected: impl Into<String>, seen: impl Into<String>) -> Self {
        Self {
            check,
            expected: expected.into(),
            seen: seen.into(),
        }
    }
}

/// Grades a variant. The gravest finding comes first; none is a pass.
pub(crate) fn grade(
    variant: &Variant,
    seen: &SessionSeen,
    sandbox: &Sandbox,
    kind: Kind,
) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for fault in &seen.faults {
        findings.push(Finding::new(
            Check::Protocol,
            "the messages of the protocol",
            fault,
        ));
    }
    for (expected, is) in &seen.desk {
        findings.push(Finding::new(Check::Approval, expected, is));
    }
    let mut rest = seen.steps.as_slice();
    let mut before = None;
    let steps = variant.steps.iter().filter(|step| step.answers() > 0);
    for (number, step) in (1..).zip(steps) {
        let Some((own, later)) = rest.split_at_checked(step.answers()) else {
            findings.push(Finding::new(
                Check::Protocol,
                format!("an answer in step {number}"),
                "nothing",
            ));
            continue;
        };
        rest = later;
        let from = findings.len();
        match (step, own) {
            (Step::Call { expect, .. }, [own]) => {
                findings.extend(step::grade_call(own, expect, sandbox, kind)?);
                findings.extend(approval::grade(own, expect, kind, &sandbox.root));
                findings.extend(audit::grade(own, expect, seen, sandbox, kind)?);
                findings.extend(version::grade(before, own, expect, seen));
                findings.extend(containment::grade(own, &expect.output, sandbox));
                if let (true, Some(before)) = (expect.alike, before) {
                    findings.extend(alike::grade(before, own));
                }
            }
            (Step::Judge { expect, .. }, [own]) => {
                findings.extend(step::grade_judge(own, expect));
                findings.extend(containment::grade(own, &[], sandbox));
            }
            (Step::Batch(batch), own) => findings.extend(batch::grade(batch, own, seen, sandbox, kind)?),
            _ => {}
        }
        before = own.last();
        if seen.steps.len() > step.answers() {
            for finding in findings.iter_mut().skip(from) {
                finding.seen = format!("step {number}: {}", finding.seen);
            }
        }
    }
    findings.extend(containment::leaks(seen));
    findings.sort_by_key(|finding| finding.check);
    Ok(findings)
}

#[cfg(test)]
mod tests;
