//! Words that set something for the time of one command, and words for debuggers.

/// Parts of names of what a build knows that may say what runs, what is loaded, or what is read and written where.
const TELLING: &[&str] = &[
    "agent",
    "archiver",
    "assembler",
    "command",
    "compiler",
    "config",
    "dir",
    "emulator",
    "exe",
    "ext",
    "file",
    "hook",
    "_include",
    "init",
    "install",
    "interpreter",
    "java",
    "jvm",
    "launcher",
    "linker",
    "load",
    "location",
    "module",
    "path",
    "plugin",
    "prefix",
    "program",
    "proxy",
    "python",
    "repo",
    "root",
    "rule",
    "script",
    "setting",
    "shell",
    "tool",
    "url",
    "wrapper",
];

/// `NAME=VALUE`, `NAME:TYPE=VALUE` or `NAME` alone.
pub(super) fn only_defines(text: &str) -> bool {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let lower = name.to_ascii_lowercase();
    let sign = |char: char| char.is_ascii_alphanumeric() || "_.:-".contains(char);
    let named = !name.is_empty() && name.chars().all(sign);
    let plain = |char: char| char.is_ascii_alphanumeric() || "_.,+:#*".contains(char) || char == '-';
    // A switch that is on or off, or a number, names nothing.
    let switch = matches!(
        value.to_ascii_lowercase().as_str(),
        "true" | "false" | "on" | "off" | "yes" | "no"
    ) || !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    if named && switch {
        return true;
    }
    named
        && !TELLING.iter().any(|part| lower.contains(part))
        && !value.starts_with('-')
        && value.chars().all(plain)
}

/// What the linker of Go is told: nothing but to leave something out, and texts.
pub(super) fn are_linker_flags(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let sets = |word: &str| {
        word.split_once('=').is_some_and(|(name, value)| {
            let name_sign = |char: char| char.is_ascii_alphanumeric() || "_./-".contains(char);
            !name.starts_with('-') && name.chars().all(name_sign) && !value.contains(['\'', '"'])
        })
    };
    while let Some(word) = words.next() {
        let fine = match word {
            "-s" | "-w" => true,
            "-X" => words.next().is_some_and(sets),
            _ => word.strip_prefix("-X=").is_some_and(sets),
        };
        if !fine {
            return false;
        }
    }
    true
}

/// A task that builds, tests or tells, and what it is about: `core/testOnly *ParserSpec`.
pub(super) fn only_builds(text: &str) -> bool {
    const TASKS: &[&str] = &[
        "about",
        "assembly",
        "checkFormat",
        "clean",
        "compile",
        "coverage",
        "coverageReport",
        "dependencyTree",
        "dependencyUpdates",
        "doc",
        "evicted",
        "headerCheck",
        "jar",
        "package",
        "plugins",
        "projects",
        "resolve",
        "scalafixAll",
        "scalafmt",
        "scalafmtAll",
        "scalafmtCheck",
        "scalafmtCheckAll",
        "scalafmtSbtCheck",
        "show",
        "tasks",
        "test",
        "testOnly",
        "testQuick",
        "update",
    ];
    let sign = |char: char| char.is_ascii_alphanumeric() || "*._/: $-".contains(char);
    let first = text.split(' ').next().unwrap_or_default();
    let task = first.rsplit(['/', '.', ':']).next().unwrap_or_default();
    TASKS.contains(&task) && text.chars().all(sign)
}

/// A setting of git that says how something is shown, or who commits.
pub(super) fn only_shows(text: &str) -> bool {
    const SECTIONS: &[&str] = &[
        "advice.",
        "branch.sort",
        "color.",
        "column.",
        "log.",
        "status.",
        "tag.sort",
    ];
    const NAMES: &[&str] = &[
        "blame.blankboundary",
        "blame.coloring",
        "blame.date",
        "blame.showemail",
        "blame.showroot",
        "commit.gpgsign",
        "core.abbrev",
        "core.autocrlf",
        "core.quotepath",
        "core.whitespace",
        "diff.algorithm",
        "diff.colormoved",
        "diff.context",
        "diff.mnemonicprefix",
        "diff.noprefix",
        "diff.relative",
        "diff.renamelimit",
        "diff.renames",
        "diff.submodule",
        "gc.auto",
        "grep.linenumber",
        "init.defaultbranch",
        "maintenance.auto",
        "merge.conflictstyle",
        "merge.renames",
        "pull.ff",
        "pull.rebase",
        "push.default",
        "rebase.autosquash",
        "rebase.autostash",
        "rerere.enabled",
        "tag.gpgsign",
        "user.email",
        "user.name",
        "versionsort.suffix",
    ];
    const NAMING: &[&str] = &["command", "dir", "file", "hook", "path", "program", "tool"];
    const QUIET: &[(&str, &[&str])] = &[
        ("core.editor", &["true", ":", "cat"]),
        ("core.hookspath", &["/dev/null"]),
        ("core.pager", &["cat", ""]),
        ("credential.helper", &[""]),
        ("pager.branch", &["false"]),
        ("pager.diff", &["false"]),
        ("pager.log", &["false"]),
        ("pager.show", &["false"]),
        ("sequence.editor", &["true", ":", "cat"]),
    ];
    let (name, value) = text.split_once('=').unwrap_or((text, "true"));
    let lower = name.to_ascii_lowercase();
    let sign = |char: char| char.is_ascii_alphanumeric() || "_.-".contains(char);
    if !lower.chars().all(sign) {
        return false;
    }
    // What names a file or a program is read or run, whatever section it stands in.
    let names = NAMING.iter().any(|part| lower.contains(part));
    let shows = !names && SECTIONS.iter().any(|section| lower.starts_with(section));
    let known = shows || NAMES.contains(&lower.as_str());
    known
        || QUIET
            .iter()
            .any(|(quiet, values)| *quiet == lower && values.contains(&value))
}

/// What a debugger is told: to run, and to look. An expression may call what is in the program, so none has parentheses.
/// Words behind `run` go through a shell, and those behind most others need no more than the signs of a place in a source.
pub(super) fn only_looks(text: &str) -> bool {
    const TOLD: &[&str] = &[
        "b",
        "backtrace",
        "break",
        "bt",
        "c",
        "continue",
        "delete",
        "disable",
        "disas",
        "disassemble",
        "down",
        "enable",
        "f",
        "finish",
        "frame",
        "i",
        "info",
        "kill",
        "l",
        "list",
        "n",
        "next",
        "ni",
        "p",
        "print",
        "ptype",
        "q",
        "quit",
        "register",
        "s",
        "si",
        "step",
        "t",
        "thread",
        "tbreak",
        "up",
        "watch",
        "whatis",
        "where",
        "x",
    ];
    const SET: &[&str] = &[
        "set pagination off",
        "set confirm off",
        "set print pretty on",
        "set height 0",
        "set width 0",
        "set debuginfod enabled off",
    ];
    let text = text.trim();
    let first = text.split([' ', '/']).next().unwrap_or_default();
    let starts = ["r", "run", "start", "starti"].contains(&text);
    let signs = match first {
        "p" | "print" | "x" | "ptype" | "whatis" => " _.,:*&[]$>-+/@#%",
        _ => " _.,:*$-+/",
    };
    let sign = |char: char| char.is_alphanumeric() || signs.contains(char);
    let thread = text.strip_prefix("thread apply all").map(str::trim);
    match thread {
        Some(told) => told != text && only_looks(told),
        None => SET.contains(&text) || starts || TOLD.contains(&first) && text.chars().all(sign),
    }
}

/// A field of a question that changes nothing.
pub(super) fn only_queries(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else {
        return false;
    };
    let word = value.trim_start();
    let changes = value
        .split(|char: char| !char.is_ascii_alphanumeric())
        .any(|word| matches!(word, "mutation" | "subscription"));
    match name {
        "query" => (word.starts_with('{') || word.starts_with("query")) && !changes,
        _ => !value.starts_with('@') && !name.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fine: fn(&str) -> bool, yes: &[&str], no: &[&str]) {
        for text in yes {
            assert!(fine(text), "{text}");
        }
        for text in no {
            assert!(!fine(text), "{text}");
        }
    }

    #[test]
    fn a_definition_is_about_the_build_alone() {
        told(
            only_defines,
            &[
                "ENABLE_ASAN=ON",
                "BUILD_TESTS:BOOL=OFF",
                "surefire.useFile=false",
                "skipTests",
                "revision=1.2.3",
                "groups=com.example.a",
            ],
            &[
                "CMAKE_C_COMPILER=evil",
                "CMAKE_C_COMPILER_LAUNCHER=x",
                "CMAKE_CROSSCOMPILING_EMULATOR=evil",
                "CMAKE_TOOLCHAIN_FILE=x",
                "X=/etc",
                "X=$(y)",
                "argLine=-javaagent:x.jar",
                "exec.executable=sh",
                "maven.ext.class.path=x",
                "=x",
                "",
            ],
        );
    }

    #[test]
    fn a_linker_only_sets_texts() {
        told(
            are_linker_flags,
            &["-s -w", "-X main.version=1.2.3 -s", "-X=main.v=x", ""],
            &[
                "-extld=evil",
                "-X main.v=1 -extldflags=x",
                "-linkmode external",
                "-X",
                "-X -extld=evil",
            ],
        );
    }

    #[test]
    fn a_task_only_builds() {
        told(
            only_builds,
            &[
                "test",
                "core/testOnly *ParserSpec",
                "core.test",
                "Test/compile",
                "show version",
            ],
            &[
                "publish",
                "test; publish",
                "set x := 1",
                "core/run",
                "!ls",
                "eval x",
                "",
                "~test",
            ],
        );
    }

    #[test]
    fn a_setting_of_git_runs_nothing() {
        told(
            only_shows,
            &[
                "color.ui=never",
                "core.pager=cat",
                "user.name=A B",
                "core.hooksPath=/dev/null",
                "core.editor=true",
            ],
            &[
                "alias.x=!sh",
                "blame.ignoreRevsFile=/etc/shadow",
                "log.x.file=x",
                "core.pager=sh",
                "core.editor=vi",
                "core.hooksPath=x",
                "core.sshCommand=x",
                "diff.external=x",
                "color.ui.x y=1",
                "value",
                "credential.helper=!x",
                "protocol.ext.allow=always",
            ],
        );
    }

    #[test]
    fn a_debugger_only_looks() {
        told(
            only_looks,
            &[
                "run",
                "bt full",
                "info locals",
                "thread apply all bt",
                "print x->y[0]",
                "x/4i $pc",
                "break a.c:12",
            ],
            &[
                "shell ls",
                "!ls",
                "print system(1)",
                "source x",
                "python x",
                "pipe p 1 | sh",
                "thread apply all shell x",
                "thread apply all run x",
                "run & rm -rf crates",
                "run > README.md",
                "run x",
                "r -v",
                "start x",
                "bt > x",
                "",
            ],
        );
    }

    #[test]
    fn a_question_changes_nothing() {
        told(
            only_queries,
            &[
                "query={ viewer { login } }",
                "query=query { x }",
                "owner=x",
                "number=5",
            ],
            &[
                "query=mutation { x }",
                "query=@file",
                "query=",
                "x=@y",
                "=1",
                "query",
            ],
        );
    }
}
