use std::path::PathBuf;

use portcullis_paths::Touch;

use crate::commands::{self, Line, Programs};
use crate::{EffectKind, Risk};

/// What a rule is about; every member that is set must match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RuleSubject {
    /// The tool's exact name.
    pub tool: Option<String>,
    /// The kind of effect. `Execute` also matches what is opaque: a command that is not understood runs something.
    /// `Read` also matches a search, which tells what files hold.
    pub operation: Option<EffectKind>,
    /// A place, absolute or beginning with `~/`: the target is it, is below it, or takes a subtree that
    /// contains it (R4). It is compared by identity, never by spelling.
    pub under: Option<PathBuf>,
    /// The first words of a command. See [`Rule::matches_command`] for what is compared.
    pub command: Option<Vec<String>>,
    /// Beginnings of commands that the rule is not about: it is about every simple command that begins with none of them.
    /// These are compared word by word and nothing else counts as the same, because what is left out is let go. A shell that
    /// runs a text which can be read is no command of its own here: what it is told is.
    pub except: Option<Vec<Vec<String>>>,
}

/// One rule. It can only tighten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Unique id, reported as the cause.
    pub id: String,
    /// What it is about.
    pub subject: RuleSubject,
    /// `Confirm` or `Deny`.
    pub risk: Risk,
    /// Why, for the person who is asked.
    pub because: String,
}

/// What of an effect a rule looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) kind: EffectKind,
    /// The zones that its target touches.
    pub(crate) touches: &'a [Touch],
    /// The simple command that it is about.
    pub(crate) command: Option<Line<'a, 'a>>,
    /// The defaults that do not hold for the command whose effect it is.
    pub(crate) named: Named,
}

/// Which defaults do not hold, by their index. One whose index is too large for it holds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Named(u64);

impl Named {
    pub(super) fn with(self, index: usize) -> Self {
        let bit = u32::try_from(index)
            .ok()
            .and_then(|index| 1_u64.checked_shl(index));
        Self(self.0 | bit.unwrap_or(0))
    }

    pub(super) fn contains(self, index: usize) -> bool {
        let bit = u32::try_from(index)
            .ok()
            .and_then(|index| 1_u64.checked_shl(index));
        bit.is_some_and(|bit| self.0 & bit != 0)
    }
}

impl Rule {
    /// Whether this text runs a command that begins with the rule's words, or one that begins with none of those that it
    /// leaves out. False for a rule without either.
    ///
    /// The text is read as a shell does, and every simple command in it is compared: those in lists, substitutions and
    /// loops, those behind wrappers (`sudo`, `env A=1`, `bash -c '…'`), and what can be read of a text that is opaque. Words
    /// are compared whole and without their quotes, the program without its folders. Where the program is known, options
    /// match in any order, by any of their spellings, and global ones may stand before a sub-command.
    ///
    /// ```
    /// use portcullis_classify::{Risk, Rule, RuleSubject};
    ///
    /// let rule = Rule {
    ///     id: "publish-is-visible".to_owned(),
    ///     subject: RuleSubject {
    ///         command: Some(vec!["git".to_owned(), "push".to_owned()]),
    ///         ..RuleSubject::default()
    ///     },
    ///     risk: Risk::Deny,
    ///     because: "others will see it".to_owned(),
    /// };
    /// assert!(rule.matches_command("git push origin main"));
    /// assert!(rule.matches_command("CI=true git -C sub 'push'; ls"));
    /// assert!(!rule.matches_command("git pushd"));
    /// assert!(!rule.matches_command("echo git push"));
    /// ```
    #[must_use]
    pub fn matches_command(&self, command: &str) -> bool {
        self.matches_command_among(command, &Programs::default())
    }

    /// The same, where layers explain programs of their own.
    #[must_use]
    pub fn matches_command_among(&self, command: &str, programs: &Programs) -> bool {
        let RuleSubject {
            command: words,
            except,
            ..
        } = &self.subject;
        (words.is_some() || except.is_some())
            && commands::runs(command, programs.table(), |line| self.is_that_command(Some(line)))
    }

    /// Whether the rule is about the call as a whole: it names a tool and nothing about effects.
    pub(super) fn matches_call(&self, tool: &str) -> bool {
        !self.is_about_effects() && self.matches_tool(tool)
    }

    /// Whether the rule is about this effect.
    pub(super) fn matches_effect(&self, tool: &str, seen: Seen<'_>) -> bool {
        self.is_about_effects()
            && self.matches_tool(tool)
            && self.subject.operation.is_none_or(|kind| covers(kind, seen.kind))
            && (self.subject.under.is_none() || self.is_touched(seen.touches))
            && self.is_that_command(seen.command)
    }

    /// Whether the rule is about this command, whatever of it is looked at.
    pub(super) fn names_command(&self, tool: &str, line: Line<'_, '_>) -> bool {
        self.subject.command.is_some() && self.matches_tool(tool) && self.is_that_command(Some(line))
    }

    fn is_that_command(&self, line: Option<Line<'_, '_>>) -> bool {
        let RuleSubject { command, except, .. } = &self.subject;
        let begins = |words: &Vec<String>| line.is_some_and(|line| line.begins_with(words));
        let is_left_out = |words: &Vec<String>| line.is_some_and(|line| line.begins_exactly_with(words));
        // What a shell is told is judged command by command, so that it is none of the others itself.
        let judged = |line: Line<'_, '_>| !line.hands_on;
        command.as_ref().is_none_or(begins)
            && except
                .as_ref()
                .is_none_or(|others| line.is_some_and(judged) && !others.iter().any(is_left_out))
    }

    fn is_about_effects(&self) -> bool {
        let RuleSubject {
            tool: _,
            operation,
            under,
            command,
            except,
        } = &self.subject;
        operation.is_some() || under.is_some() || command.is_some() || except.is_some()
    }

    fn matches_tool(&self, tool: &str) -> bool {
        self.subject.tool.as_deref().is_none_or(|name| name == tool)
    }

    /// Both relations count: a zone below the target is only reported when the operation takes the subtree.
    fn is_touched(&self, touches: &[Touch]) -> bool {
        touches.iter().any(|touch| touch.zone == self.id)
    }
}

fn covers(rule: EffectKind, effect: EffectKind) -> bool {
    let reaches_further = matches!(
        (rule, effect),
        (EffectKind::Execute, EffectKind::Opaque) | (EffectKind::Read, EffectKind::Search)
    );
    rule == effect || reaches_further
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn rule(words: &[&str]) -> Rule {
        Rule {
            id: "r".to_owned(),
            subject: RuleSubject {
                command: Some(words.iter().map(|&word| word.to_owned()).collect()),
                ..RuleSubject::default()
            },
            risk: Risk::Deny,
            because: "x".to_owned(),
        }
    }

    #[rstest]
    #[case("git push", true)]
    #[case(" git \t push  origin ", true)]
    #[case("git push --force-with-lease=a", true)]
    #[case("git -C sub push", true)]
    #[case("git --no-pager push", true)]
    #[case("/usr/bin/git push", true)]
    #[case("git push; true", true)]
    #[case("git 'push'", true)]
    #[case("CI=true git push", true)]
    #[case("echo \"$(git push)\"", true)]
    #[case("sudo -u x nice git push", true)]
    #[case("bash -c 'git push'", true)]
    #[case("cat > out <<'X'\nx\nX\ngit push", true)]
    #[case("if git push", true)]
    #[case("git", false)]
    #[case("git pushd", false)]
    #[case("GIT push", false)]
    #[case("echo git push", false)]
    #[case("cat <<'X'\ngit push\nX", false)]
    #[case("# git push\nls", false)]
    #[case("git log push", false)]
    fn every_simple_command_is_compared(#[case] command: &str, #[case] matches: bool) {
        assert_eq!(rule(&["git", "push"]).matches_command(command), matches);
    }

    #[rstest]
    #[case(&["git", "push", "--force"], "git push origin -f", true)]
    #[case(&["git", "push", "--force"], "git push --force-with-lease", false)]
    #[case(&["git", "push", "origin", "--force"], "git push --force origin x", true)]
    #[case(&["rm", "-rf"], "rm -v --force -R x", true)]
    #[case(&["rm", "-rf"], "rm -f x", false)]
    #[case(&["git", "stash"], "git stash push -u -m wip", true)]
    #[case(&["npm", "install"], "npm i x", true)]
    #[case(&["curl", "-o", "x"], "curl -sox u", true)]
    #[case(&["curl", "-o", "x"], "curl -o y u", false)]
    #[case(&["./gradlew"], "./gradlew test", true)]
    #[case(&["tool", "--a", "b"], "tool b --a", false)]
    fn the_order_of_options_does_not_count(
        #[case] words: &[&str],
        #[case] command: &str,
        #[case] matches: bool,
    ) {
        assert_eq!(rule(words).matches_command(command), matches);
    }

    #[test]
    fn no_words_match_nothing() {
        assert!(!rule(&[]).matches_command("git push"));
    }

    #[rstest]
    #[case("ls -la", false)]
    #[case("git 'status' -s", false)]
    #[case("ls; git status", false)]
    #[case("git -C / status", true)]
    #[case("/tmp/ls", true)]
    #[case("git push", true)]
    #[case("ls && rm x", true)]
    #[case("ls $(rm x)", true)]
    #[case("timeout 5 ls", true)]
    #[case("lsof", true)]
    fn everything_but_what_is_left_out(#[case] command: &str, #[case] matches: bool) {
        let left_out = [&["ls"][..], &["git", "status"]];
        let rule = Rule {
            subject: RuleSubject {
                except: Some(
                    left_out
                        .iter()
                        .map(|words| words.iter().map(|&word| word.to_owned()).collect())
                        .collect(),
                ),
                ..RuleSubject::default()
            },
            ..rule(&[])
        };
        assert_eq!(rule.matches_command(command), matches);
    }
}
