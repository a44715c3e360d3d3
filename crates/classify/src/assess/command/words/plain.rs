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

/// Whether a mode leaves a file to run with the rights of whoever starts it. One that is not known may do anything.
pub(super) fn keeps_rights(mode: &Value<'_>) -> bool {
    let Some(mode) = mode.literal() else { return false };
    let digits = mode.trim_start_matches(['+', '-', '=']);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let takes = mode.starts_with('-');
        return takes || u32::from_str_radix(digits, 8).is_ok_and(|bits| bits & 0o6000 == 0);
    }
    // Each clause names whom, and then any number of times what is given, taken or set.
    mode.split(',').all(|clause| {
        let mut gives = false;
        clause.chars().all(|char| {
            gives = match char {
                '+' | '=' => true,
                '-' => false,
                _ => gives,
            };
            !gives || char != 's'
        })
    })
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

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn a_mode_gives_the_rights_of_an_owner_in_any_clause() {
        let keeps = |mode: &'static str| keeps_rights(&Value::Literal(Cow::Borrowed(mode)));
        for mode in [
            "755",
            "0644",
            "1777",
            "+x",
            "u+rwx,go-w",
            "a=r",
            "-s",
            "u-s,g-s",
            "u=rw,o=",
            "-6000",
        ] {
            assert!(keeps(mode), "{mode}");
        }
        for mode in [
            "4755",
            "02755",
            "00006755",
            "+4000",
            "=2755",
            "u+s",
            "g=rxs",
            "o-w,u+xs",
            "u-x+s",
            "+st",
            "99999999999",
        ] {
            assert!(!keeps(mode), "{mode}");
        }
    }
}
