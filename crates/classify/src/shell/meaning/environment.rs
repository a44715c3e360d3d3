//! Which variables may be set without a doubt. Everything else may name a program, a library, a file of settings or a
//! place where programs are looked for; no list of those would be complete, so this one says what is harmless.

/// Names that tell programs how to look, how much to say, and how fast to be.
const HARMLESS: &[&str] = &[
    "AWS_DEFAULT_REGION",
    "AWS_REGION",
    "CARGO_BUILD_JOBS",
    "CARGO_INCREMENTAL",
    "CARGO_NET_OFFLINE",
    "CARGO_TERM_COLOR",
    "CGO_ENABLED",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "CUDA_VISIBLE_DEVICES",
    "DEBIAN_FRONTEND",
    "DEBUG",
    "DISPLAY",
    "DO_NOT_TRACK",
    "FLASK_DEBUG",
    "FLASK_ENV",
    "FORCE_COLOR",
    "GH_PROMPT_DISABLED",
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "GOARCH",
    "GOARM",
    "GOOS",
    "LANG",
    "LC_ALL",
    "LC_COLLATE",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LC_NUMERIC",
    "LC_TIME",
    "LINES",
    "MIX_ENV",
    "MPLBACKEND",
    "NAME",
    "NEXT_TELEMETRY_DISABLED",
    "NODE_ENV",
    "NODE_NO_WARNINGS",
    "NO_COLOR",
    "OLDPWD",
    "OMP_NUM_THREADS",
    "PWD",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "RACK_ENV",
    "RAILS_ENV",
    "REPLY",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "RUST_MIN_STACK",
    "RUST_TEST_THREADS",
    "TERM",
    "TF_IN_AUTOMATION",
    "TF_LOG",
    "TOKENIZERS_PARALLELISM",
    "TZ",
    "VERBOSE",
    "VERSION",
];

/// Programs that show a long text, and editors: these values only let it through.
const SHOWS: &[&str] = &[
    "AWS_PAGER",
    "BAT_PAGER",
    "GH_PAGER",
    "GIT_PAGER",
    "MANPAGER",
    "PAGER",
    "PSQL_PAGER",
    "SYSTEMD_PAGER",
];
const SHOWN_BY: &[&str] = &["", "cat"];
const EDITS: &[&str] = &["EDITOR", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "VISUAL"];
const EDITED_BY: &[&str] = &[":", "cat", "true"];

/// Variables that hold options, and the options that neither name a program nor a file. With a `*` at its end an option
/// stands for all that begin so and go on with letters, digits and `_-.,+`, and with a number sign for those that go on with a size.
const OPTIONS: &[(&[&str], &[&str])] = &[
    (
        &["NODE_OPTIONS"],
        &[
            "--max-old-space-size=#",
            "--max_old_space_size=#",
            "--stack-trace-limit=#",
            "--no-warnings",
            "--no-deprecation",
            "--trace-warnings",
            "--trace-deprecation",
            "--enable-source-maps",
            "--experimental-vm-modules",
            "--openssl-legacy-provider",
            "--unhandled-rejections=*",
            "--dns-result-order=*",
        ],
    ),
    (
        &["RUSTFLAGS", "RUSTDOCFLAGS"],
        &[
            "-D",
            "-W",
            "-A",
            "-Dwarnings",
            "warnings",
            "unused",
            "dead_code",
            "deprecated",
            "rustdoc::*",
            "clippy::*",
            "--cap-lints=*",
            "-C",
            "-Ctarget-cpu=native",
            "target-cpu=native",
            "-Copt-level=#",
            "opt-level=#",
            "-Cdebuginfo=#",
            "debuginfo=#",
            "--cfg",
            "--cfg=*",
            "tokio_unstable",
        ],
    ),
    (
        &["GOFLAGS"],
        &[
            "-mod=mod",
            "-mod=vendor",
            "-mod=readonly",
            "-count=#",
            "-race",
            "-v",
            "-trimpath",
            "-buildvcs=false",
            "-tags=*",
        ],
    ),
    (
        &[
            "MAVEN_OPTS",
            "GRADLE_OPTS",
            "JAVA_OPTS",
            "JAVA_TOOL_OPTIONS",
            "SBT_OPTS",
        ],
        &[
            "-Xmx#",
            "-Xms#",
            "-Xss#",
            "-XX:MaxMetaspaceSize=#",
            "-Dfile.encoding=*",
            "-Djava.awt.headless=true",
            "-Dorg.gradle.daemon=false",
        ],
    ),
    (&["MAKEFLAGS"], &["-j", "-j#", "-s", "-k", "--no-print-directory"]),
    (
        &["PYTEST_ADDOPTS"],
        &[
            "-v",
            "-vv",
            "-q",
            "-x",
            "-s",
            "--tb=*",
            "--color=*",
            "--maxfail=#",
            "--no-header",
        ],
    ),
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

/// Whether a variable may be set to this value without changing what runs; `None`: to a value that is not known.
pub(in super::super) fn is_harmless_setting(name: &str, value: Option<&str>) -> bool {
    is_harmless(name)
        || value.is_some_and(|value| {
            // Bash evaluates what these get: a number is what it is.
            let digits = (1..10).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
            if digits && matches!(name, "SECONDS" | "RANDOM" | "OPTIND") {
                return true;
            }
            const FLAGS: &[&str] = &["CFLAGS", "CXXFLAGS", "CPPFLAGS"];
            SHOWS.contains(&name) && SHOWN_BY.contains(&value)
                || EDITS.contains(&name) && EDITED_BY.contains(&value)
                || FLAGS.contains(&name) && super::flags::are_plain(value)
                || OPTIONS.iter().any(|(names, options)| {
                    let known = |word: &str| options.iter().any(|option| is_option(word, option));
                    names.contains(&name) && value.split_ascii_whitespace().all(known)
                })
        })
}

fn is_option(word: &str, option: &str) -> bool {
    let plain = |char: char| char.is_ascii_alphanumeric() || "_-.,+".contains(char);
    let size = |char: char| char.is_ascii_digit() || "kKmMgG".contains(char);
    if let Some(start) = option.strip_suffix('*') {
        return word
            .strip_prefix(start)
            .is_some_and(|rest| rest.chars().all(plain));
    }
    match option.strip_suffix('#') {
        Some(start) => word
            .strip_prefix(start)
            .is_some_and(|rest| rest.chars().all(size)),
        None => word == option,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn the_names_are_in_order() {
        assert!(HARMLESS.is_sorted());
    }

    #[rstest]
    #[case("PAGER", "cat", true)]
    #[case("PAGER", "sh -c x", false)]
    #[case("GIT_EDITOR", "true", true)]
    #[case("GIT_EDITOR", "./x", false)]
    #[case("NODE_OPTIONS", "--max-old-space-size=4096 --no-warnings", true)]
    #[case("NODE_OPTIONS", "--max-old-space-size=4096 --require ./x", false)]
    #[case("NODE_OPTIONS", "--import=data:x", false)]
    #[case("RUSTFLAGS", "-D warnings -C target-cpu=native", true)]
    #[case("RUSTFLAGS", "-C linker=./x", false)]
    #[case("RUSTFLAGS", "-Clinker=x", false)]
    #[case("CFLAGS", "-O2 -Wall", true)]
    #[case("CFLAGS", "-fplugin=x", false)]
    #[case("CFLAGS", "-B.", false)]
    #[case("MAKEFLAGS", "-j8", true)]
    #[case("MAKEFLAGS", "--eval=x", false)]
    #[case("GOFLAGS", "-toolexec=x", false)]
    #[case("MAVEN_OPTS", "-Xmx2g", true)]
    #[case("MAVEN_OPTS", "-javaagent:x", false)]
    #[case("SECONDS", "0", true)]
    #[case("SECONDS", "a[$(x)]", false)]
    #[case("OPTIND", "x", false)]
    #[case("UID", "0", false)]
    #[case("LD_PRELOAD", "", false)]
    fn a_value_can_be_harmless(#[case] name: &str, #[case] value: &str, #[case] harmless: bool) {
        assert_eq!(is_harmless_setting(name, Some(value)), harmless);
        assert!(!is_harmless_setting(name, None));
    }
}
