use std::path::PathBuf;

use portcullis_paths::Touch;

use super::plain;
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
    /// The first words of a command, exactly. See [`Rule::matches_command`] for which texts are looked at.
    pub command: Option<Vec<String>>,
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
    /// The whole text of a command operand.
    pub(crate) command: Option<&'a str>,
}

impl Rule {
    /// Whether the rule's command words begin this command. False for a rule without command words.
    ///
    /// Only a plain text can match: letters, digits and `_ - . , / : + % @ =` in words parted by spaces or tabs, on
    /// one line, and no `=` in the first word. Any quote, expansion, separator, redirection or line break makes it
    /// not plain; such a command is opaque and asks, whatever this rule says.
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
    /// assert!(!rule.matches_command("git pushd"));
    /// assert!(!rule.matches_command("git 'push'"));
    /// ```
    #[must_use]
    pub fn matches_command(&self, command: &str) -> bool {
        let Some(prefix) = &self.subject.command else {
            return false;
        };
        plain::words(command).is_some_and(|words| {
            !prefix.is_empty()
                && words.len() >= prefix.len()
                && prefix.iter().zip(words).all(|(expected, word)| expected == word)
        })
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
            && (self.subject.command.is_none() || seen.command.is_some_and(|text| self.matches_command(text)))
    }

    fn is_about_effects(&self) -> bool {
        let RuleSubject {
            tool: _,
            operation,
            under,
            command,
        } = &self.subject;
        operation.is_some() || under.is_some() || command.is_some()
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
    #[case("git", false)]
    #[case("git pushd", false)]
    #[case("git -C sub push", false)]
    #[case("/usr/bin/git push", false)]
    #[case("git push; true", false)]
    #[case("git push\n", false)]
    #[case("GIT push", false)]
    fn the_first_words_are_compared_exactly(#[case] command: &str, #[case] matches: bool) {
        assert_eq!(rule(&["git", "push"]).matches_command(command), matches);
    }

    #[test]
    fn no_words_match_nothing() {
        assert!(!rule(&[]).matches_command("git push"));
    }
}
