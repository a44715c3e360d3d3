//! How far a search reaches: which names it looks into.

use super::Names;
use crate::commands::base_name;

/// How far one search reaches below its start.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Reach {
    /// Names that begin with a dot.
    pub(crate) hidden: bool,
    /// Only files with one of these names; without any, all.
    names: Vec<Names>,
    /// No file that can be private.
    nothing: bool,
}

/// Programs and tools that leave out names with a dot, and what is ignored, unless they are told otherwise; of `git` its
/// `grep`, which looks into what is recorded.
const VISIBLE: [&str; 6] = ["rg", "ripgrep", "ag", "git", "Grep", "fd"];
/// Tools that tell names and never what is in them.
const NAMES_ALONE: [&str; 2] = ["Glob", "find"];
/// Programs that look into code alone, or tell nothing of what they read but a number.
const CODE_ALONE: [&str; 18] = [
    "gofmt",
    "goimports",
    "ruff",
    "black",
    "isort",
    "mypy",
    "flake8",
    "pylint",
    "eslint",
    "prettier",
    "rustfmt",
    "shellcheck",
    "tsc",
    "cloc",
    "tokei",
    "scc",
    "wc",
    "du",
];
/// Words that take that back.
const HIDDEN: [&str; 9] = [
    "--hidden",
    "--unrestricted",
    "-uu",
    "-uuu",
    "-.",
    "--search-binary",
    "--no-index",
    "--untracked",
    "--no-exclude-standard",
];
/// Options with a pattern of names, in the next word or behind `=`.
const SELECTING: [&str; 4] = ["-g", "--glob", "--iglob", "--include"];
/// Options with a type of files.
const TYPED: [&str; 2] = ["-t", "--type"];
/// Types of files whose names are never those of secrets.
const CODE: [&str; 30] = [
    "c", "cpp", "cs", "csharp", "css", "dart", "elixir", "go", "haskell", "html", "java", "js", "julia",
    "kotlin", "lua", "markdown", "md", "ocaml", "perl", "php", "py", "python", "r", "ruby", "rust", "scala",
    "svelte", "swift", "ts", "zig",
];

impl Default for Reach {
    /// Everything.
    fn default() -> Self {
        Self {
            hidden: true,
            names: Vec::new(),
            nothing: false,
        }
    }
}

impl Reach {
    /// Of a tool, by its name, with its patterns of names and its type of files.
    pub(crate) fn of_tool<'a>(
        tool: &str,
        patterns: impl IntoIterator<Item = &'a str>,
        kind: Option<&str>,
    ) -> Self {
        let mut reach = Self {
            hidden: !VISIBLE.contains(&tool),
            nothing: NAMES_ALONE.contains(&tool),
            ..Self::default()
        };
        for pattern in patterns {
            reach.select(pattern);
        }
        reach.nothing |= kind.is_some_and(|kind| CODE.contains(&kind));
        reach
    }

    /// Of a program, by its name and its words as far as they are known; `None` is a word that is not.
    pub(crate) fn of_program<'a>(program: &str, words: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let program = base_name(program);
        let mut reach = Self {
            hidden: !VISIBLE.contains(&program),
            ..Self::default()
        };
        let mut unknown = false;
        let mut types = Vec::new();
        let mut before = None;
        for word in words {
            let Some(word) = word else {
                unknown = true;
                before = None;
                continue;
            };
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            reach.hidden |= HIDDEN.contains(&word) || is_short_with(word, '.');
            match before {
                Some(option) if SELECTING.contains(&option) => reach.select(word),
                Some(option) if TYPED.contains(&option) => types.push(word),
                _ => {}
            }
            if SELECTING.contains(&name) && !value.is_empty() {
                reach.select(value);
            }
            if name == "--type" && !value.is_empty() {
                types.push(value);
            }
            // `-trust` and `-g*.ts`.
            if let (Some(value), false) = (word.strip_prefix("-t"), word.len() == 2) {
                types.push(value);
            }
            if let (Some(value), false) = (word.strip_prefix("-g"), word.len() == 2) {
                reach.select(value);
            }
            before = Some(word);
        }
        if CODE_ALONE.contains(&program) {
            reach.nothing = true;
            return reach;
        }
        if unknown {
            return Self::default();
        }
        reach.nothing = !types.is_empty() && types.iter().all(|kind| CODE.contains(kind));
        reach
    }

    fn select(&mut self, pattern: &str) {
        self.names.extend(Names::of(pattern));
        // A pattern that names a dot reaches what has one.
        self.hidden |= pattern
            .rsplit('/')
            .next()
            .is_some_and(|last| last.starts_with('.'));
    }

    /// Whether no private file can be among what it looks into.
    pub(crate) fn is_nothing(&self) -> bool {
        self.nothing
    }

    /// Whether it looks into a file of this name.
    pub(crate) fn selects(&self, name: &[u8]) -> bool {
        if self.names.is_empty() {
            return true;
        }
        let name = String::from_utf8_lossy(name).to_lowercase();
        self.names.iter().any(|names| names.selects(&name))
    }
}

/// A word of joined short options that has this one.
fn is_short_with(word: &str, option: char) -> bool {
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    letters.is_some_and(|letters| {
        letters.contains(option) && letters.chars().all(|c| c.is_alphabetic() || c == option)
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("grep -rn x .", true, false)]
    #[case("rg x", false, false)]
    #[case("/usr/bin/rg x", false, false)]
    #[case("rg --hidden x", true, true)]
    #[case("rg -uu x", true, true)]
    #[case("rg -n. x", true, true)]
    #[case("rg -n x --type rust", false, false)]
    #[case("rg -trust x", false, false)]
    #[case("rg -g .env x", true, true)]
    #[case("rg -g *.ts x", false, false)]
    #[case("rg -g !*.ts x", false, false)]
    #[case("grep -r --include=*.ts x .", true, false)]
    #[case("grep -r --include=.* x .", true, true)]
    #[case("git grep x", false, false)]
    fn programs_reach(#[case] command: &str, #[case] hidden: bool, #[case] finds_env: bool) {
        let mut words = command.split(' ');
        let program = words.next().unwrap();
        let reach = Reach::of_program(program, words.map(Some));
        assert_eq!(reach.hidden, hidden);
        let finds = !reach.is_nothing() && reach.hidden && reach.selects(b".env");
        let all = command == "grep -rn x .";
        assert_eq!(finds, finds_env || all, "{reach:?}");
    }

    #[test]
    fn a_word_that_is_not_known_reaches_everything() {
        let reach = Reach::of_program("rg", [Some("-g"), Some("*.ts"), None]);
        assert_eq!(reach, Reach::default());
        let reach = Reach::of_program("rg", [Some("-t"), Some("json"), Some("x")]);
        assert!(!reach.is_nothing());
    }

    #[test]
    fn tools_reach_what_their_programs_do() {
        assert!(!Reach::of_tool("Grep", [], None).hidden);
        assert!(Reach::of_tool("grep", [], None).hidden);
        assert!(Reach::of_tool("Grep", [], Some("rust")).is_nothing());
        assert!(Reach::of_tool("Glob", ["**/*.ts"], None).is_nothing());
        assert!(Reach::of_tool("Grep", ["**/.env*"], None).hidden);
    }
}
