//! What the subject's owners know of: failures, `"family#variant:check" = "reason, issue"`, and what it does not promise,
//! `[undeclared]` `"capability" = "reason, issue"`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::grade::Check;
use crate::report::{Report, Status};
use crate::{Error, ErrorKind, words};

/// Known failures, and capabilities that are known not to be declared.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Baseline {
    #[serde(default)]
    undeclared: BTreeMap<String, String>,
    #[serde(flatten)]
    failures: BTreeMap<String, String>,
}

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// Not TOML, an entry without a reason, or one that does not name a family, variant and check, or a capability.
    pub fn read(text: &str) -> Result<Self, Error> {
        let read: Self =
            toml::from_str(text).map_err(|error| Error::fixture(error.to_string().trim_end()))?;
        for name in read.failures.keys() {
            let check = name.rsplit_once(':').map(|(_, check)| check);
            let known = Check::ALL.iter().any(|known| check == Some(known.word()));
            if !known || !name.contains('#') {
                return Err(Error::fixture(format!("`{name}` is not `family#variant:check`")));
            }
        }
        if let Some(name) = read.undeclared.keys().find(|name| !words::is_capability(name)) {
            return Err(Error::fixture(format!("`{name}` is no capability")));
        }
        for (name, reason) in read.failures.iter().chain(&read.undeclared) {
            if reason.trim().is_empty() {
                return Err(Error::fixture(format!("`{name}` has no reason")));
            }
        }
        Ok(read)
    }

    /// Turns known failures into XFAIL. `whole`: everything was run.
    ///
    /// # Errors
    /// An entry about a variant that was run and does not fail this check, or about one that does not exist; an entry
    /// for containment or effect at level must; a capability that is neither declared nor listed, or both.
    pub fn apply(&self, report: &mut Report, whole: bool) -> Result<(), Error> {
        let mut stale = self.promises(report);
        for name in self.failures.keys() {
            let (variant, check) = name.rsplit_once(':').unwrap_or((name, ""));
            let row = report.rows.iter().find(|row| row.name() == variant);
            match row {
                None if !whole => {}
                Some(row) if row.checks().iter().any(|failed| failed.word() == check) => {
                    if row.level == "must" && matches!(check, "containment" | "effect") {
                        return Err(Error::fixture(format!(
                            "`{name}`: {check} at level must cannot be put into a baseline"
                        )));
                    }
                }
                _ => stale.push(name.clone()),
            }
        }
        for row in &mut report.rows {
            let known = |check: &Check| self.failures.contains_key(&format!("{}:{check}", row.name()));
            if row.status == Status::Fail && row.checks().iter().all(known) {
                row.status = Status::Xfail;
            }
            let prefix = format!("{}:", row.name());
            if row.status == Status::Pass && self.failures.keys().any(|name| name.starts_with(&prefix)) {
                row.status = Status::Xpass;
            }
        }
        if stale.is_empty() {
            Ok(())
        } else {
            Err(Error::new(
                ErrorKind::StaleBaseline,
                format!("stale in the baseline: {}", stale.join(", ")),
            ))
        }
    }

    /// A gate that stops promising something must not become green by that.
    fn promises(&self, report: &Report) -> Vec<String> {
        // Some words promise less with them than without.
        let lacks = |word: &str| {
            let declares = report.header.capabilities.iter().any(|there| there == word);
            declares == words::ADMISSIONS.contains(&word)
        };
        // Only what leaves the performing to its host can leave the asking to it.
        let possible = |word: &str| word != "approver.host" || report.header.kind == "decides";
        let silent = words::capabilities()
            .into_iter()
            .filter(|word| possible(word) && lacks(word) && !self.undeclared.contains_key(word));
        let kept = self
            .undeclared
            .keys()
            .filter(|word| !(possible(word) && lacks(word)));
        silent
            .map(|word| format!("`{word}` (not promised, and not listed)"))
            .chain(kept.map(|word| format!("`{word}` (listed, and promised)")))
            .collect()
    }
}
