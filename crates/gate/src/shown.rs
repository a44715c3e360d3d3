//! Text of a call as people and models see it: safe to look at, bounded, and without secrets. Commands are not for here:
//! `classify` has shown them already, with all that is code.

use portcullis_audit::Redacted;
use portcullis_classify::shown_text;
use portcullis_paths::{Place, visible};

/// A name, an address, or words of a person, who may quote a command.
///
/// What looks random and has no name stays: the ids that programs give are of that kind.
pub(crate) fn text(text: &str, limit: usize) -> String {
    visible(Redacted::id(&shown_text(text)).as_str(), limit)
}

/// Longer than any path, in characters as they are spelt out.
const WHOLE: usize = 4 * 4096;

/// A place, name by name: what is below a folder stays to be seen, whatever the folder is called.
pub(crate) fn place(place: &Place, limit: usize) -> String {
    names(&place.to_string(), limit)
}

/// The same of a path that is no longer held.
pub(crate) fn path(path: &[u8], limit: usize) -> String {
    names(&visible(&String::from_utf8_lossy(path), WHOLE), limit)
}

/// Whether there is something in a path that is not shown.
pub(crate) fn is_masked(path: &[u8]) -> bool {
    self::path(path, WHOLE) != visible(&String::from_utf8_lossy(path), WHOLE)
}

fn names(shown: &str, limit: usize) -> String {
    let names: Vec<String> = shown.split('/').map(name).collect();
    visible(&names.join("/"), limit)
}

/// The same at any length that a path may have.
pub(crate) fn whole_place(place: &Place) -> String {
    self::place(place, WHOLE)
}

fn name(name: &str) -> String {
    let name = shown_text(name);
    // A name that is longer once it is spelt out loses its middle below, and only there.
    match name.len() <= Redacted::LONGEST {
        true => Redacted::id(&name).to_string(),
        false => name,
    }
}
