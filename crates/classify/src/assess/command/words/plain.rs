//! Whether a word says no more than it seems to.

use crate::commands::Value;

/// Whether a filter of jq says that it shows the environment.
pub(super) fn shows_environment(filter: &Value<'_>) -> bool {
    let text = filter.literal().unwrap_or_default();
    let mut words = text.split(|char: char| !char.is_ascii_alphanumeric() && !"_.".contains(char));
    words.any(|word| {
        matches!(
            word.split('.').next(),
            Some("env" | "ENV" | "strenv" | "envsubst")
        )
    })
}

/// Whether a filter of jq or yq says that it takes others, or other files, in.
pub(super) fn loads_others(filter: &Value<'_>) -> bool {
    const TAKES: &[&str] = &[
        "eval",
        "import",
        "include",
        "load",
        "load_base64",
        "load_props",
        "load_str",
        "load_xml",
        "loadstr",
        "strload",
        "system",
    ];
    let text = filter.literal().unwrap_or_default();
    let before = |at: usize| text.get(..at).and_then(|text| text.chars().next_back());
    // A member of that name is none.
    text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_')
        .any(|word| {
            let at = word.as_ptr().addr() - text.as_ptr().addr();
            TAKES.contains(&word) && before(at) != Some('.')
        })
}

/// Whether the name of a setting says that its value is a secret, or may have one in it.
pub(super) fn holds_a_secret(setting: &str) -> bool {
    const PARTS: &[&str] = &[
        "apikey",
        "auth",
        "cookie",
        "credential",
        "extraheader",
        "pass",
        "proxy",
        "secret",
        "token",
    ];
    let lower = setting.to_ascii_lowercase();
    PARTS.iter().any(|part| lower.contains(part)) && !lower.starts_with("author.")
}

/// Whether a text can be nothing but a name.
pub(super) fn is_name(text: &str) -> bool {
    text.chars()
        .all(|char| char.is_alphanumeric() || "_-.,=:".contains(char))
}

/// Whether opening a file by this text opens what is called so: no sign at either end makes a pipe of it, or another way.
pub(super) fn opens_itself(value: &Value<'_>) -> bool {
    let text = match value {
        Value::Literal(text) => text.as_ref(),
        Value::Pattern(text) => text.as_ref(),
        Value::Found(_) | Value::Unknown { .. } | Value::Fresh(_) => return false,
    };
    let begins = |char: char| char.is_alphanumeric() || "/._~".contains(char);
    text.starts_with(begins) && text.ends_with(|char: char| char.is_alphanumeric() || char == '_')
}

/// Whether a format of what is told of a container may show its environment: any but a chain of members that hold none.
pub(super) fn shows_settings(format: &str) -> bool {
    const SHOWN: &[&str] = &[
        ".Name",
        ".Id",
        ".Created",
        ".State",
        ".NetworkSettings",
        ".Image",
        ".RestartCount",
        ".Platform",
        ".RepoTags",
        ".RepoDigests",
        ".Os",
        ".Architecture",
        ".Size",
        ".Mountpoint",
        ".Driver",
    ];
    let mut rest = format;
    while let Some((_, behind)) = rest.split_once("{{") {
        let Some((inner, behind)) = behind.split_once("}}") else {
            return true;
        };
        let inner = inner.trim();
        let chain = inner.strip_prefix("json ").map_or(inner, str::trim);
        let first = chain
            .get(1..)
            .and_then(|rest| rest.find('.'))
            .map_or(chain.len(), |at| at + 1);
        let plain = chain
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || char == '.');
        if !plain || !chain.get(..first).is_some_and(|first| SHOWN.contains(&first)) {
            return true;
        }
        rest = behind;
    }
    format == "json" || rest.len() == format.len()
}

/// What stands before `/...`, which is everything below, or before `::`, which is one test in a file.
pub(super) fn place_of_tests(text: &str) -> Option<&str> {
    let below = text.strip_suffix("/...");
    let one = text.split_once("::").filter(|(_, test)| !test.contains('/'));
    below
        .or(one.map(|(file, _)| file))
        .filter(|place| !place.is_empty())
}

/// Whether it names the standard input.
pub(super) fn is_input(text: &str) -> bool {
    let clean = text.split('/').filter(|part| !matches!(*part, "" | "."));
    let parts: Vec<_> = clean.collect();
    matches!(
        parts.as_slice(),
        ["-"] | ["dev", "stdin"] | ["dev", "fd", _] | ["proc", _, "fd", _]
    )
}

/// Whether a word says nothing but names, numbers and paths.
pub(super) fn is_plain_text(text: &str) -> bool {
    text.chars()
        .all(|char| char.is_alphanumeric() || "_-./:,@%+".contains(char))
}
