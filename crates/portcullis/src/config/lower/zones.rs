use std::collections::BTreeMap;

use portcullis_paths::{Zone, ZoneKind};
use toml::Spanned;

use super::Lowering;
use crate::config::document::{ZoneEntry, ZoneLists};

/// Reasons by zone id.
type Reasons = BTreeMap<String, String>;

impl Lowering<'_> {
    pub(super) fn zones(&mut self, lists: ZoneLists) -> (Vec<Zone>, Reasons) {
        let lists = [
            ("deny_read", ZoneKind::DenyRead, lists.deny_read),
            ("deny_write", ZoneKind::DenyWrite, lists.deny_write),
            ("confirm_read", ZoneKind::ConfirmRead, lists.confirm_read),
            ("confirm_write", ZoneKind::ConfirmWrite, lists.confirm_write),
        ];
        let (mut zones, mut reasons) = (Vec::new(), Reasons::new());
        for (key, kind, entries) in lists {
            for entry in entries {
                zones.extend(self.zone(key, kind, entry, &mut reasons));
            }
        }
        (zones, reasons)
    }

    fn zone(
        &mut self,
        key: &str,
        kind: ZoneKind,
        entry: Spanned<ZoneEntry>,
        reasons: &mut Reasons,
    ) -> Option<Zone> {
        let span = entry.span();
        let entry = entry.into_inner();
        let path = self.place(&entry.path, span.clone());
        let id = match entry.id {
            Some(id) => {
                self.id(id.get_ref(), id.span());
                id.into_inner()
            }
            None => {
                let id = format!("{}.{key}:{}", self.layer.word(), path.as_ref()?.display());
                self.once(&id, span);
                id
            }
        };
        if let Some(because) = entry.because {
            self.because(&because);
            reasons.insert(id.clone(), because.into_inner());
        }
        Some(Zone {
            id,
            kind,
            path: path?,
        })
    }
}
