//! The default of a layer: what becomes of all that none of its rules names.

use std::collections::BTreeMap;

use portcullis_paths::ZoneKind;

use super::builtin::rules;
use super::{LayerRules, PolicyError, PolicyErrorKind};
use crate::{Cause, EffectKind, Layer, Risk};

/// The default of one part of a layer, with the names of what stands beside it. Only these take something out of it: what
/// another layer says, or another project, can add to a verdict and not lift this.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Otherwise {
    pub(super) layer: Layer,
    pub(super) risk: Risk,
    /// Rules, and zones that ask: these with whether reading asks there.
    named: BTreeMap<String, Option<bool>>,
}

impl Otherwise {
    /// The default of a part, when it is stricter than the question that there is anyway.
    pub(super) fn of(part: &LayerRules) -> Result<Option<Self>, PolicyError> {
        let risk = match part.otherwise {
            None | Some(Risk::Confirm) => return Ok(None),
            Some(Risk::Deny) => Risk::Deny,
            Some(Risk::Allow) => {
                return Err(PolicyError::new(
                    PolicyErrorKind::Loosens,
                    rules::OTHERWISE.id,
                    "tries to allow",
                    "a default can only tighten: use `confirm` or `deny`, or leave it out",
                ));
            }
        };
        let ruled = part.rules.iter().map(|rule| (rule.id.clone(), None));
        let zoned = part.zones.iter().filter_map(|zone| match zone.kind {
            ZoneKind::ConfirmRead => Some((zone.id.clone(), Some(true))),
            ZoneKind::ConfirmWrite => Some((zone.id.clone(), Some(false))),
            _ => None,
        });
        Ok(Some(Self {
            layer: part.layer,
            risk,
            named: ruled.chain(zoned).collect(),
        }))
    }

    /// Whether the rule stands in the same part.
    pub(super) fn has(&self, rule: &str) -> bool {
        self.named.get(rule) == Some(&None)
    }

    /// Whether a zone of the same part asks about such an effect there.
    pub(super) fn asks_at(&self, zone: &str, kind: EffectKind) -> bool {
        let reads = matches!(kind, EffectKind::Read | EffectKind::List | EffectKind::Search);
        match self.named.get(zone) {
            Some(Some(reading_asks)) => *reading_asks == reads,
            _ => false,
        }
    }

    /// The ids of what takes something out of it, in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }

    pub(super) fn cause(&self) -> Cause {
        Cause {
            layer: self.layer,
            risk: self.risk,
            ..rules::OTHERWISE.cause()
        }
    }
}
