//! Substitutions that git answers: a commit, as in `$(git merge-base HEAD main)`, which is no option whatever it is, or the
//! root of the repository.

use super::Flow;
use crate::shell::{GroupKind, Part, Piece, Word};

impl Flow<'_> {
    /// Whether a word is made of texts and names of commits alone, and begins with no dash.
    pub(super) fn names_a_commit(&self, word: &Word) -> bool {
        let pieces = word.pieces();
        let dashed = word.known_start().starts_with('-');
        let plain = |piece: &Piece| match piece {
            Piece::Literal(_) => true,
            Piece::Substitution { group, .. } => self.prints_a_commit(*group),
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
        let [Piece::Substitution { group, .. }] = word.pieces() else {
            return false;
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
        words
            .iter()
            .all(|word| flags.contains(word) || !word.starts_with('-') && plain(word))
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
        ["git", "rev-list", rest @ ..] => only(rest, &["-1", "--max-parents=0", "--count", "--first-parent"]),
        ["git", "log", rest @ ..] => {
            rest.iter().any(|word| HASHES.contains(word)) && only(rest, &[&["-1", "-n1"], HASHES].concat())
        }
        _ => false,
    }
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
    #[case("git log -1 --format=%s", false)]
    #[case("git log -1", false)]
    #[case("git branch --show-current", false)]
    fn hashes_are_told_from_names(#[case] text: &str, #[case] expected: bool) {
        let words: Vec<&str> = text.split(' ').collect();
        assert_eq!(is_about_commits(&words), expected, "{text}");
    }
}
