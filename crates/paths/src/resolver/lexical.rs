//! Paths as text: what Node's `path.resolve` and Python's `normpath` make of them (R2).

/// The absolute text with `.`, `..` and empty components collapsed and no trailing slash.
pub(super) fn collapse(cwd: &[u8], path: &[u8]) -> Vec<u8> {
    let mut whole: Vec<u8> = Vec::with_capacity(cwd.len() + path.len() + 1);
    let base = if path.first() == Some(&b'/') {
        &b""[..]
    } else {
        cwd
    };
    for component in base
        .split(|byte| *byte == b'/')
        .chain(path.split(|byte| *byte == b'/'))
    {
        match component {
            b"" | b"." => {}
            b".." => {
                let parent = whole.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
                whole.truncate(parent);
            }
            name => {
                whole.push(b'/');
                whole.extend_from_slice(name);
            }
        }
    }
    if whole.is_empty() {
        whole.push(b'/');
    }
    whole
}

/// No component of the text is read differently by the kernel: no `..`, and no end that asks for a directory.
pub(super) fn models_agree(path: &[u8]) -> bool {
    let mut components = path.split(|byte| *byte == b'/');
    !matches!(components.next_back(), Some(b"" | b"." | b".."))
        && !components.any(|component| component == b"..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_collapsed_as_node_does() {
        for (path, expected) in [
            ("a/b", "/w/a/b"),
            (".", "/w"),
            ("", "/w"),
            ("..", "/"),
            ("../../..", "/"),
            ("a/../b/", "/w/b"),
            ("/x//y/./z/", "/x/y/z"),
            ("/..", "/"),
            ("..a/...", "/w/..a/..."),
        ] {
            assert_eq!(collapse(b"/w", path.as_bytes()), expected.as_bytes(), "{path:?}");
        }
    }

    #[test]
    fn models_differ_only_over_dots_and_ends() {
        for agreed in ["a/b", "/a/b", "./a", "..a/b", "a//b"] {
            assert!(models_agree(agreed.as_bytes()), "{agreed:?}");
        }
        for differing in ["a/../b", "..", "a/", "a/.", "../a", ".", "/"] {
            assert!(!models_agree(differing.as_bytes()), "{differing:?}");
        }
    }
}
