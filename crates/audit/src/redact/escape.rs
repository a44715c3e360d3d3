use super::unit::units;

/// Makes every character visible and keeps everything: for text that was redacted before, and for paths in errors.
pub(crate) fn escape(raw: &[u8]) -> String {
    let mut shown = String::with_capacity(raw.len());
    for unit in units(raw) {
        unit.write(&mut shown);
    }
    shown
}
