//! What is never run, however it came about. The texts run as nobody where that is possible; this holds without it.

/// Whether a text can do nothing but call the programs of its cell and write into its folder.
///
/// Without `/`, `.` and names of variables that exist no other folder can be named; without `k` nothing can be killed;
/// without functions nothing calls itself.
pub(crate) fn is_harmless(text: &str) -> bool {
    let allowed = |char: char| {
        matches!(char, 'a'..='j' | 'l'..='z' | 'E' | '0'..='9' | ' ' | '\t' | '\n')
            || (char.is_ascii_punctuation() && !matches!(char, '/' | '.' | '_'))
            // The dots of a sequence in braces.
            || char == '.'
    };
    let squeezed: String = text
        .chars()
        .filter(|char| !char.is_whitespace() && *char != '\\')
        .collect();
    let dots = text.replace("{1..2}", "").contains('.');
    // An escape can spell any character.
    let joined = text.replace("\\\n", "");
    let spells = joined.split("$'").skip(1).any(|rest| {
        let quoted = rest.split('\'').next().unwrap_or_default();
        quoted.contains('\\')
    });
    // The home of somebody else, or the folder before this one.
    let homes = squeezed.char_indices().any(|(at, char)| {
        let next = squeezed.get(at + 1..).and_then(|rest| rest.chars().next());
        char == '~' && next.is_some_and(|next| next.is_ascii_alphanumeric() || "+-\"'$`{".contains(next))
    });
    let functions = squeezed.contains("()") || squeezed.contains("function") || squeezed.contains("coproc");
    text.chars().all(allowed) && !dots && !spells && !homes && !functions
}
