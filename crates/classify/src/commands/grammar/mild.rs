//! Options that no table names, of programs that run the project's own code anyway.

/// Parts of names that may say what else is run, read, written or reached, and by whose word.
const TELLING: &[&str] = &[
    "agent",
    "apply",
    "auth",
    "base",
    "bin",
    "bind",
    "browser",
    "cache",
    "cd",
    "chdir",
    "class",
    "clean",
    "cmd",
    "code",
    "command",
    "compiler",
    "conf",
    "connect",
    "custom",
    "cwd",
    "define",
    "delete",
    "deploy",
    "destroy",
    "dir",
    "drop",
    "dump",
    "editor",
    "entry",
    "env",
    "eval",
    "exec",
    "ext",
    "file",
    "fix",
    "flags",
    "folder",
    "force",
    "formatter",
    "global",
    "home",
    "hook",
    "host",
    "import",
    "include",
    "index",
    "init",
    "input",
    "inspect",
    "install",
    "interactive",
    "interpreter",
    "java",
    "jvm",
    "key",
    "launcher",
    "lib",
    "link",
    "listen",
    "load",
    "logger",
    "module",
    "node",
    "open",
    "option",
    "out",
    "package",
    "pager",
    "parser",
    "pass",
    "path",
    "plugin",
    "post",
    "pre",
    "print",
    "process",
    "program",
    "property",
    "proxy",
    "prune",
    "publish",
    "push",
    "python",
    "registry",
    "release",
    "remote",
    "remove",
    "repl",
    "repo",
    "report",
    "require",
    "reset",
    "resolver",
    "root",
    "rule",
    "run",
    "save",
    "script",
    "secret",
    "send",
    "serve",
    "setting",
    "setup",
    "shell",
    "source",
    "src",
    "system",
    "template",
    "token",
    "tool",
    "transform",
    "update",
    "upgrade",
    "upload",
    "uri",
    "url",
    "user",
    "watch",
    "web",
    "wrapper",
    "write",
    "yes",
];

/// Names that hold one of these parts and say no more than how much is done.
const HARMLESS: &[&str] = &["pretty", "profile", "runinband"];

/// Whether an option does no more than say how much is tested and how it is shown: a long one whose name speaks of nothing
/// else, with a value, if one is attached, that names no place outside. One that turns something off does no more either.
pub(super) fn is_mild(text: &str) -> bool {
    let Some(text) = text.strip_prefix("--") else {
        return false;
    };
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (text, None),
    };
    let signs = |char: char| char.is_ascii_alphanumeric() || "-_.:".contains(char);
    if name.is_empty()
        || !name.starts_with(|char: char| char.is_ascii_alphabetic())
        || !name.chars().all(signs)
    {
        return false;
    }
    let lower = name.to_ascii_lowercase();
    let off = lower.starts_with("no-") && value.is_none() || value == Some("false");
    // What has `out` in it, and says nothing of where something goes.
    let spoken = lower
        .replace("timeout", "")
        .replace("without", "")
        .replace("layout", "");
    let tells = TELLING.iter().any(|part| spoken.contains(part)) && !HARMLESS.contains(&lower.as_str());
    value.is_none_or(is_plain) && (off || !tells)
}

/// Whether a value is a number, a name or a list of them, or something below the project.
fn is_plain(value: &str) -> bool {
    let signs = |char: char| char.is_ascii_alphanumeric() || "_-.,:/@+%*|^ ".contains(char);
    let leaves = value.starts_with(['/', '-', '@']) || value.contains("://") || value.contains("..");
    !leaves && value.chars().all(signs)
}

#[cfg(test)]
mod tests {
    use super::is_mild;

    #[test]
    fn only_what_says_how_much_is_mild() {
        for text in [
            "--verbose",
            "--coverage.enabled=false",
            "--since=main",
            "--maxfail=1",
            "--timeout-method=thread",
            "--test=src/api",
            "--no-config",
            "--no-color",
            "--watch=false",
            "--shard=1/4",
            "--test-name=a b",
        ] {
            assert!(is_mild(text), "{text}");
        }
        for text in [
            "-v",
            "--",
            "--=x",
            "--exec=sh",
            "--config=x",
            "--no-config=/tmp/x",
            "--reporter=./evil.js",
            "--require=x",
            "--plugin",
            "--outDir=x",
            "--x=/etc/passwd",
            "--x=../y",
            "--x=@args",
            "--x=https://h/x",
            "--x=$(y)",
            "--x=a;b",
            "--x y",
            "--upload-traces",
            "--watch",
            "--apply",
            "--fix",
            "--force",
            "--web",
            "--yes",
        ] {
            assert!(!is_mild(text), "{text}");
        }
    }
}
