//! Failures that the subject's owners know of: `"family#variant:check" = "reason, issue"`.

use std::collections::BTreeMap;

use crate::grade::Check;
use crate::report::{Report, Status};
use crate::{Error, ErrorKind};

/// The known failures.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<String, String>);

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// Not TOML, an entry without a reason, or one that does not name a family, variant and check.
    pub fn read(text: &str) -> Result<Self, Error> {
        let entries: BTreeMap<String, String> =
            toml::from_str(text).map_err(|error| Error::fixture(error.to_string().trim_end()))?;
        for (name, reason) in &entries {
            let check = name.rsplit_once(':').map(|(_, check)| check);
            let known = Check::ALL.iter().any(|known| check == Some(known.word()));
            if !known || !name.contains('#') {
                return Err(Error::fixture(format!("`{name}` is not `family#variant:check`")));
            }
            if reason.trim().is_empty() {
                return Err(Error::fixture(format!("`{name}` has no reason")));
            }
        }
        Ok(Self(entries))
    }

    /// Turns known failures into XFAIL.
    ///
    /// # Errors
    /// An entry about a variant that was run and does not fail this check, or about one that does not exist; an entry
    /// for containment or effect at level must.
    pub fn apply(&self, report: &mut Report, whole: bool) -> Result<(), Error> {
        let mut stale = Vec::new();
        for name in self.0.keys() {
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
                _ => stale.push(name.as_str()),
            }
        }
        for row in &mut report.rows {
            let known = |check: &Check| self.0.contains_key(&format!("{}:{check}", row.name()));
            if row.status == Status::Fail && row.checks().iter().all(known) {
                row.status = Status::Xfail;
            }
            let prefix = format!("{}:", row.name());
            if row.status == Status::Pass && self.0.keys().any(|name| name.starts_with(&prefix)) {
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
}
