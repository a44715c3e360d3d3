use portcullis_paths::{Zone, ZoneKind};
use toml::Spanned;

use super::Lowering;
use crate::config::document::{ZoneEntry, ZoneLists};

impl Lowering<'_> {
    pub(super) fn zones(&mut self, lists: ZoneLists) -> Vec<Zone> {
        let lists = [
            ("deny_read", ZoneKind::DenyRead, lists.deny_read),
            ("deny_write", ZoneKind::DenyWrite, lists.deny_write),
            ("confirm_read", ZoneKind::ConfirmRead, lists.confirm_read),
            ("confirm_write", ZoneKind::ConfirmWrite, lists.confirm_write),
        ];
        let mut zones = Vec::new();
        for (key, kind, entries) in lists {
            zones.extend(
                entries
                    .into_iter()
                    .filter_map(|entry| self.zone(key, kind, entry)),
            );
        }
        zones
    }

    fn zone(&mut self, key: &str, kind: ZoneKind, entry: Spanned<ZoneEntry>) -> Option<Zone> {
        let span = entry.span();
        let entry = entry.into_inner();
        if let Some(id) = &entry.id {
            self.id(id.get_ref(), id.span());
        }
        if let Some(because) = &entry.because {
            self.because(because);
        }
        let path = self.place(&entry.path, span)?;
        let id = match entry.id {
            Some(id) => id.into_inner(),
            None => format!("{key}:{}", entry.path),
        };
        Some(Zone { id, kind, path })
    }
}
