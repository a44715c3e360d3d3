//! Which variables may be set without a doubt. Everything else may name a program, a library, a file of settings or a
//! place where programs are looked for; no list of those would be complete, so this one says what is harmless.

/// Names that tell programs how to look, how much to say, and how fast to be.
const HARMLESS: &[&str] = &[
    "CARGO_TERM_COLOR",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "DEBUG",
    "FORCE_COLOR",
    "LANG",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "LINES",
    "NAME",
    "NODE_ENV",
    "NO_COLOR",
    "OLDPWD",
    "PWD",
    "PYTHONUNBUFFERED",
    "REPLY",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "TERM",
    "TZ",
    "VERBOSE",
    "VERSION",
];

/// Names in small letters that mean something to a shell or to many programs.
const SMALL_BUT_READ: &[&str] = &[
    "auto_resume",
    "histchars",
    "cdpath",
    "fpath",
    "manpath",
    "path",
    "precmd",
];

/// Whether a variable may be set without changing what runs.
///
/// By custom names in small letters are a script's own. A single letter is, too.
pub(in super::super) fn is_harmless(name: &str) -> bool {
    let small = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if small {
        return !(SMALL_BUT_READ.contains(&name)
            || name.starts_with("npm_")
            || name.starts_with("pnpm_")
            || name.ends_with("_proxy"));
    }
    name.len() == 1 || HARMLESS.binary_search(&name).is_ok()
}
