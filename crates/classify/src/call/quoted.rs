use portcullis_paths::visible;

/// A hostile name for use between quotation marks or backquotes: visible, bounded to about `limit` characters, and
/// unable to end the quotation.
pub(crate) fn quoted(name: &str, limit: usize) -> String {
    visible(name, limit)
        .replace('`', "\\u{60}")
        .replace('"', "\\u{22}")
}
