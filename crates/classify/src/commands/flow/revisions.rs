//! Substitutions that git answers: a commit, as in `$(git merge-base HEAD main)`, which is no option whatever it is, or the
//! root of the repository.

use super::Flow;
use crate::shell::{GroupKind, Input, Link, Part, Piece, Word};

impl Flow<'_> {
    /// Whether a word is made of texts and names of commits alone, and begins with no dash.
    pub(super) fn names_a_commit(&self, at: Part, word: &Word) -> bool {
        let pieces = word.pieces();
        let dashed = word.known_start().starts_with('-');
        let plain = |piece: &Piece| match piece {
            Piece::Literal(_) => true,
            Piece::Substitution { group, .. } => self.prints_a_commit(*group),
            Piece::Variable {
                name, plain: true, ..
            } => self.holds_a_commit(at, name),
            _ => false,
        };
        !pieces.is_empty() && !dashed && pieces.iter().all(plain)
    }

    /// Whether a command asks git for the root of the repository, and nothing in the text tells it of another.
    pub(super) fn asks_for_the_root(&self, name: &str, rest: &[&str]) -> bool {
        let untouched = |name| self.variables.is_untouched(name);
        name == "git"
            && rest == ["rev-parse", "--show-toplevel"]
            && untouched("GIT_DIR")
            && untouched("GIT_WORK_TREE")
    }

    /// Whether a word is the root of the repository in which one is there, and that is its root.
    pub(super) fn is_the_root(&self, word: &Word, here: &str) -> bool {
        let group = match word.pieces() {
            [Piece::Substitution { group, .. }] => group,
            [
                Piece::Variable {
                    name, plain: true, ..
                },
            ] => match self.kept_before_moving(name) {
                Some(group) => group,
                None => return false,
            },
            _ => return false,
        };
        let [Part::Command(number)] = self.tree.children(Some(*group)) else {
            return false;
        };
        let words = self
            .script
            .commands()
            .get(*number)
            .map(|one| one.words.as_slice());
        let words: Option<Vec<&str>> = words.unwrap_or_default().iter().map(Word::literal).collect();
        match words.as_deref() {
            Some([name, rest @ ..]) => self.repository == Some(here) && self.asks_for_the_root(name, rest),
            _ => false,
        }
    }

    /// What a variable is set to once, at the top of the text and before it goes anywhere.
    fn kept_before_moving(&self, name: &str) -> Option<&usize> {
        let [setting] = self.variables.plain(name)? else {
            return None;
        };
        let Part::Command(number) = setting.by else {
            return None;
        };
        let commands = self.script.commands();
        let mut before = commands.iter().take(number);
        let moves = before.any(|one| {
            one.name()
                .is_none_or(|name| matches!(name, "cd" | "pushd" | "popd" | "eval" | "." | "source"))
                && !one.words.is_empty()
        });
        let seat = commands.get(number)?.seat;
        let top = seat.group.is_none() && seat.link == Link::Always;
        match setting.words.as_ref() {
            [word] if top && !moves => match word.pieces() {
                [Piece::Substitution { group, .. }] => Some(group),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a variable is nothing but the hashes that git prints: one after the other in a loop, or read line by line, or
    /// kept.
    fn holds_a_commit(&self, at: Part, name: &str) -> bool {
        if let Some([number]) = self.variables.reads(name) {
            let before = self.tree.position(Part::Command(*number)) < self.tree.position(self.context(at));
            let Input::Pipe(Part::Command(feeder)) = self.script.input(*number) else {
                return false;
            };
            if !before {
                return false;
            }
            let words = self.script.commands().get(feeder).map(|one| one.words.as_slice());
            let words: Option<Vec<&str>> = words.unwrap_or_default().iter().map(Word::literal).collect();
            return words.is_some_and(|words| is_about_commits(&words));
        }
        let settings = self.variables.plain(name);
        settings.is_some_and(|settings| {
            settings
                .iter()
                .flat_map(|setting| setting.words.iter())
                .all(|word| match word.pieces() {
                    [Piece::Substitution { group, .. }] => self.prints_a_commit(*group),
                    _ => false,
                })
        })
    }

    fn prints_a_commit(&self, group: usize) -> bool {
        let kind = self.script.groups().get(group).map(|one| one.kind);
        let [Part::Command(number)] = self.tree.children(Some(group)) else {
            return false;
        };
        let Some(command) = self.script.commands().get(*number) else {
            return false;
        };
        let words: Option<Vec<&str>> = command.words.iter().map(Word::literal).collect();
        let substitutes = matches!(kind, Some(GroupKind::Command | GroupKind::Backquotes));
        substitutes && words.is_some_and(|words| is_about_commits(&words))
    }
}

/// Whether a command prints nothing but hashes, or a word of its own that is no option. Names of branches and tags are not
/// among them: who made them is not known.
fn is_about_commits(words: &[&str]) -> bool {
    const HASHES: &[&str] = &[
        "--format=%H",
        "--format=%h",
        "--pretty=%H",
        "--pretty=%h",
        "--pretty=format:%H",
    ];
    let only = |words: &[&str], flags: &[&str]| {
        let plain = |word: &&str| !word.is_empty() && !word.contains(char::is_whitespace);
        words.iter().all(|word| {
            flags.contains(word)
                || flags.contains(&"-n") && is_count(word)
                || !word.starts_with('-') && plain(word)
        })
    };
    match words {
        ["git", "merge-base", rest @ ..] => only(rest, &["--fork-point", "--octopus"]),
        // What it does not know it hands on: that must not be the name of a file.
        ["git", "rev-parse", rest @ ..] => {
            let commit = |word: &&str| {
                let named = ["HEAD", "@", "origin/", "upstream/"]
                    .iter()
                    .any(|start| word.starts_with(start));
                word.starts_with('-') || named && !word.contains(['.', ':'])
            };
            rest.iter().all(commit) && only(rest, &["--short", "--verify", "-q", "--quiet"])
        }
        ["git", "rev-list", rest @ ..] => only(
            rest,
            &[
                "-1",
                "--max-parents=0",
                "--count",
                "--first-parent",
                "--reverse",
                "--no-merges",
                "--all",
                "-n",
            ],
        ),
        ["git", "log", rest @ ..] => {
            const FLAGS: &[&str] = &[
                "--reverse",
                "--no-merges",
                "--merges",
                "--first-parent",
                "--all",
                "--follow",
                "-n",
                "--",
            ];
            rest.iter().any(|word| HASHES.contains(word)) && only(rest, &[FLAGS, HASHES].concat())
        }
        _ => false,
    }
}

/// `-5` and `-n5`
fn is_count(word: &str) -> bool {
    let digits = word
        .strip_prefix("-n")
        .or_else(|| word.strip_prefix('-'))
        .unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_about_commits;

    #[rstest]
    #[case("git rev-parse HEAD", true)]
    #[case("git rev-parse --short @~2", true)]
    #[case("git rev-parse --verify origin/main", true)]
    #[case("git merge-base HEAD main", true)]
    #[case("git rev-list -1 main", true)]
    #[case("git log -1 --format=%H", true)]
    // The name of a file is printed as it is, and so is what stands behind `HEAD` in one.
    #[case("git rev-parse a", false)]
    #[case("git rev-parse -- a", false)]
    #[case("git rev-parse HEAD.txt", false)]
    #[case("git rev-parse HEAD:a", false)]
    #[case("git rev-parse --abbrev-ref HEAD", false)]
    #[case("git rev-parse --sq-quote HEAD", false)]
    #[case("git log -5 --reverse --format=%H", true)]
    #[case("git rev-list -n 3 HEAD", true)]
    #[case("git rev-parse -5", false)]
    #[case("git log -1 --format=%s", false)]
    #[case("git log -1", false)]
    #[case("git branch --show-current", false)]
    fn hashes_are_told_from_names(#[case] text: &str, #[case] expected: bool) {
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(is_about_commits(&words), expected, "{text}");
    }
}
