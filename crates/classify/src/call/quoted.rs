use portcullis_paths::visible;

use crate::secrets;

/// A hostile name for use between quotation marks or backquotes: visible, without secrets, bounded to about `limit`
/// characters, and unable to end the quotation.
pub(crate) fn quoted(name: &str, limit: usize) -> String {
    visible(&secrets::told(name), limit)
        .replace('`', "\\u{60}")
        .replace('"', "\\u{22}")
}
