//! What a command finds in its environment: an allow-list, because almost any other name can change what runs.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// Names whose values say where things are or who somebody is, and of which no program makes code.
const HARMLESS: [&str; 17] = [
    "CARGO_HOME",
    "CI",
    "GOPATH",
    "HOME",
    "JAVA_HOME",
    "LOGNAME",
    "NO_COLOR",
    "PATH",
    "RUSTUP_HOME",
    "TMPDIR",
    "TZ",
    "USER",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];

/// What commands are looked for in when nobody says.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Set whatever anybody says. The locale is one in which the text's bytes are read as the UTF-8 that they were judged
/// as: in some others the second byte of a letter is a separator.
const FIXED: [(&str, &str); 2] = [("LC_ALL", "C.UTF-8"), ("TERM", "dumb")];

/// What of these variables a command gets, and what it gets in any case.
pub(super) fn clean(given: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    let mut kept: Vec<(OsString, OsString)> = given
        .iter()
        .filter(|(name, _)| HARMLESS.iter().any(|harmless| name == harmless))
        .map(|(name, value)| match name == "PATH" {
            true => (name.clone(), absolute(value)),
            false => (name.clone(), value.clone()),
        })
        .filter(|(_, value)| !value.is_empty())
        .collect();
    if !kept.iter().any(|(name, _)| name == "PATH") {
        kept.push(("PATH".into(), PATH.into()));
    }
    kept.extend(FIXED.map(|(name, value)| (name.into(), value.into())));
    kept
}

/// A path without what is relative or empty: that would be looked for in the working directory.
fn absolute(path: &OsStr) -> OsString {
    let folders: Vec<&[u8]> = path
        .as_bytes()
        .split(|byte| *byte == b':')
        .filter(|folder| folder.starts_with(b"/"))
        .collect();
    OsString::from_vec(folders.join(&b':'))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn cleaned(name: &str, value: &str) -> Option<String> {
        clean(&[(name.into(), value.into())])
            .into_iter()
            .find(|(kept, _)| kept == name)
            .map(|(_, value)| value.into_string().unwrap())
    }

    #[rstest]
    #[case("BASH_ENV")]
    #[case("ENV")]
    #[case("BASH_FUNC_ls%%")]
    #[case("SHELLOPTS")]
    #[case("BASHOPTS")]
    #[case("LD_PRELOAD")]
    #[case("LD_LIBRARY_PATH")]
    #[case("PROMPT_COMMAND")]
    #[case("PS4")]
    #[case("IFS")]
    #[case("CDPATH")]
    #[case("GLOBIGNORE")]
    #[case("POSIXLY_CORRECT")]
    #[case("GIT_SSH_COMMAND")]
    #[case("NODE_OPTIONS")]
    #[case("PYTHONPATH")]
    #[case("RUSTC_WRAPPER")]
    #[case("AWS_SECRET_ACCESS_KEY")]
    #[case("SSH_AUTH_SOCK")]
    #[case("LC_CTYPE")]
    #[case("path")]
    #[case("PATH=x")]
    fn what_can_change_what_runs_is_not_there(#[case] name: &str) {
        assert_eq!(cleaned(name, "/x"), None);
    }

    #[rstest]
    #[case("/a:/b", Some("/a:/b"))]
    #[case(".:/a::bin:/b:", Some("/a:/b"))]
    #[case(".", None)]
    #[case("", None)]
    fn commands_are_looked_for_at_absolute_places(#[case] path: &str, #[case] kept: Option<&str>) {
        assert_eq!(cleaned("PATH", path).as_deref(), Some(kept.unwrap_or(PATH)));
    }

    #[test]
    fn the_locale_is_that_of_the_judgement() {
        assert_eq!(cleaned("LC_ALL", "zh_CN.GB18030").as_deref(), Some("C.UTF-8"));
        assert_eq!(cleaned("HOME", "/home/ann").as_deref(), Some("/home/ann"));
    }
}
