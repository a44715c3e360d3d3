//! Names of variables that only a project's own code looks for.

use crate::shell::is_harmless_setting;

/// What bash itself looks at or sets, beside the names whose beginnings are told below: with one of these it reads the
/// rest in another way, finds other files or programs, or evaluates the value.
const SHELL: &[&str] = &[
    "CHILD_MAX",
    "COLUMNS",
    "COMPREPLY",
    "COMP_CWORD",
    "COMP_KEY",
    "COMP_LINE",
    "COMP_POINT",
    "COMP_TYPE",
    "COMP_WORDBREAKS",
    "COMP_WORDS",
    "COPROC",
    "COPROC_PID",
    "DIRSTACK",
    "EMACS",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "EUID",
    "EXECIGNORE",
    "FCEDIT",
    "FIGNORE",
    "FUNCNAME",
    "FUNCNEST",
    "GLOBIGNORE",
    "GLOBSORT",
    "GROUPS",
    "IGNOREEOF",
    "INPUTRC",
    "INSIDE_EMACS",
    "LINENO",
    "LINES",
    "MAIL",
    "MAILCHECK",
    "MAPFILE",
    "OPTARG",
    "OPTERR",
    "OPTIND",
    "PIPESTATUS",
    "POSIXLY_CORRECT",
    "PPID",
    "RANDOM",
    "READLINE_ARGUMENT",
    "READLINE_LINE",
    "READLINE_MARK",
    "READLINE_POINT",
    "REPLY",
    "SECONDS",
    "SRANDOM",
    "TIMEFORMAT",
    "TMOUT",
    "UID",
];

/// Whether a name is of no matter to what a text runs: known as harmless, or of the project's own form.
pub(super) fn is_own(name: &str) -> bool {
    is_harmless_setting(name, None) || is_only_the_projects(name)
}

/// Whether a variable is set to places in the project, or to a name of its own, for an interpreter that runs the project.
pub(super) fn names_the_project(name: &str, value: &str) -> bool {
    const PLACES: &[&str] = &[
        "CARGO_TARGET_DIR",
        "MYPYPATH",
        "NODE_PATH",
        "PERL5LIB",
        "PYTHONPATH",
        "RUBYLIB",
    ];
    const NAMES: &[&str] = &["DJANGO_SETTINGS_MODULE", "FLASK_APP"];
    let plain = |text: &str| {
        let char = |char: char| char.is_ascii_alphanumeric() || "_-./".contains(char);
        let climbs = text.split('/').any(|part| part == "..");
        !text.is_empty() && !text.starts_with(['/', '-']) && !climbs && text.chars().all(char)
    };
    PLACES.contains(&name) && value.split(':').all(plain) || NAMES.contains(&name) && plain(value)
}

/// Whether a name is not of a form that programs, loaders and shells look for.
pub(super) fn is_only_the_projects(name: &str) -> bool {
    const STARTS: &[&str] = &[
        "LD_",
        "DYLD_",
        "GIT_",
        "SSH_",
        "PYTHON",
        "NODE_",
        "NPM_",
        "YARN_",
        "PNPM_",
        "BUN_",
        "DENO_",
        "BASH",
        "ZSH",
        "PERL",
        "RUBY",
        "GEM_",
        "BUNDLE_",
        "JAVA",
        "JDK_",
        "MAVEN_",
        "GRADLE_",
        "CARGO",
        "RUST",
        "GO",
        "PIP_",
        "UV_",
        "POETRY_",
        "VIRTUAL_ENV",
        "CONDA",
        "DOCKER_",
        "KUBE",
        "XDG_",
        "LUA",
        "PHP",
        "MAKE",
        "CMAKE",
        "CMD",
        "SHELL",
        "PROMPT",
        "PS",
        "HIST",
        "GLIBC_",
        "MALLOC_",
        "HTTP_",
        "HTTPS_",
        "ALL_PROXY",
        "NO_PROXY",
        "CURL_",
        "SSL_",
        "WGET",
        "AWS_",
        "LESS",
        "TMP",
        "TEMP",
        "HOME",
        "USER",
        "PATH",
        "IFS",
        "ENV",
        "CDPATH",
        "FPATH",
        "MANPATH",
        "OPENSSL_",
        "GCONV_",
        "LOC",
        "NLS",
        "TERMINFO",
        "GTK_",
        "QT_",
        "DBUS_",
        "SYSTEMD_",
        "SUDO_",
        "EDITOR",
        "VISUAL",
        "PAGER",
        "BROWSER",
    ];
    const ENDS: &[&str] = &[
        "PATH", "_OPTS", "_OPTIONS", "FLAGS", "_ARGS", "_WRAPPER", "_COMMAND", "_CMD", "EDITOR", "PAGER",
        "SHELL", "_EXEC", "_BIN", "_HOME", "_DIR", "_ROOT", "_CONFIG", "_RC", "RC", "_PRELOAD", "_PROXY",
        "_HOOK", "_PLUGIN", "_PLUGINS", "_MODULE", "_MODULES", "_INIT", "_STARTUP", "_LIB", "_LIBRARY",
    ];
    const WHOLE: &[&str] = &[
        "CC",
        "CXX",
        "CPP",
        "LD",
        "AR",
        "AS",
        "NM",
        "FC",
        "RANLIB",
        "STRIP",
        "OBJCOPY",
        "PKG_CONFIG",
    ];
    // Words that scripts name their own places by.
    const NOUNS: &[&str] = &[
        "APP", "BACKUP", "BASE", "BUILD", "CURRENT", "DATA", "DEST", "DIST", "DOCS", "DST", "LOG", "NEW",
        "OLD", "OUT", "OUTPUT", "PROJECT", "REPO", "RESULT", "RESULTS", "ROOT", "SCRIPT", "SOURCE", "SRC",
        "SUB", "TARGET", "TEST", "TESTS", "WORK",
    ];
    let place = name.strip_suffix("_DIR").or_else(|| name.strip_suffix("_ROOT"));
    // What a temporary place is called, beside the variable that says where they are.
    if matches!(
        name,
        "TMP" | "TEMP" | "TMPFILE" | "TMP_DIR" | "TMP_FILE" | "TEMP_DIR" | "TEMP_FILE"
    ) {
        return true;
    }
    if name.ends_with("SRC") && name.len() < 9 || place.is_some_and(|noun| NOUNS.contains(&noun)) {
        return true;
    }
    !STARTS.iter().any(|start| name.starts_with(start))
        && !ENDS.iter().any(|end| name.ends_with(end))
        && !WHOLE.contains(&name)
        && !SHELL.contains(&name)
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::{SHELL, is_only_the_projects, names_the_project};

    #[test]
    fn only_places_in_the_project_are_the_projects() {
        for value in [".", "src", "src:tests/unit", "./lib"] {
            assert!(names_the_project("PYTHONPATH", value), "{value}");
            assert!(!names_the_project("PATH", value), "{value}");
        }
        for value in ["", "/tmp", "..", "src:../x", "src:", "~/x", "$HOME", "-x"] {
            assert!(!names_the_project("PYTHONPATH", value), "{value}");
        }
    }

    #[test]
    fn names_that_others_read_are_not_the_projects() {
        for name in [
            "FOO",
            "PORT",
            "API_URL",
            "DATABASE_URL",
            "LOG_LEVEL",
            "FEATURE_X",
            "APP_MODE",
            "SRC",
            "BUILD_DIR",
            "REPO_ROOT",
        ] {
            assert!(is_only_the_projects(name), "{name}");
        }
        for name in [
            "PATH",
            "LD_PRELOAD",
            "NODE_OPTIONS",
            "PYTHONPATH",
            "GIT_SSH_COMMAND",
            "BASH_ENV",
            "RUSTC_WRAPPER",
            "CC",
            "CFLAGS",
            "npm_config_x",
            "PROMPT_COMMAND",
            "EDITOR",
            "MAKEFLAGS",
            "TMPDIR",
            "X_PLUGINS",
            "PS4",
            "RANDOM",
            "OPTIND",
            "GLOBIGNORE",
            "GIT_DIR",
            "JAVA_HOME",
            "NVM_DIR",
            "PYENV_ROOT",
            "INPUTRC",
            "POSIXLY_CORRECT",
        ] {
            assert!(!is_only_the_projects(name), "{name}");
        }
        assert!(SHELL.is_sorted());
    }
}
