//! Paths as they are written, before anybody looks at the disk.

/// A path below a directory.
pub(crate) fn joined(directory: &str, text: &str) -> String {
    if text.starts_with('/') {
        text.to_owned()
    } else {
        format!("{directory}/{text}")
    }
}

/// A path without `.`, `..` and doubled slashes.
pub(crate) fn collapsed(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Whether a part of it is `..`.
pub(crate) fn climbs(text: &str) -> bool {
    text.split('/').any(|part| part == "..")
}
