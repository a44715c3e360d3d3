use std::fmt::Write as _;

/// A hostile text made safe to look at: at most `limit` characters, control and format characters (ANSI, bidi,
/// invisible ones) written as `\u{..}`, backquotes and backslashes escaped so that nobody can end the quotation
/// (invariant 11).
pub(crate) fn shown(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    for c in rest.by_ref().take(limit) {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' | '`' => {
                out.push('\\');
                out.push(c);
            }
            _ if is_invisible(c) => {
                // Writing to a `String` does not fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    let left = rest.count();
    if left > 0 {
        let _ = write!(out, "... ({left} more)");
    }
    out
}

/// Characters that change how the rest is shown, or that show as nothing.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}
