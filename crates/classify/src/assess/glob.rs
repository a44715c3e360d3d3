use std::borrow::Cow;

use serde_json::Value;

use crate::toolbox::{ArgumentFault, GlobReach, glob_reach, literal_heads};
use crate::{Role, ToolSpec};

/// The name of the working directory, in every dialect.
pub(super) const HERE: &str = ".";

/// The directories that a glob of this call starts from.
pub(super) struct Bases<'a> {
    texts: Vec<&'a str>,
    /// Whether another operand already stands for everything below the bases.
    are_covered: bool,
}

/// Where a glob leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reach<'a> {
    /// To this path and what is below it.
    Below(Cow<'a, str>),
    /// Nobody can tell.
    Anywhere,
}

impl<'a> Bases<'a> {
    pub(super) fn of(
        tool: &ToolSpec,
        arguments: &'a Value,
        base: Option<&str>,
    ) -> Result<Self, ArgumentFault> {
        let operand = base.and_then(|base| tool.operands().iter().find(|operand| operand.member == base));
        let mut texts = operand.map_or(Ok(Vec::new()), |operand| operand.texts(arguments))?;
        let are_covered = operand.is_some_and(|operand| {
            matches!(operand.role, Role::Path { .. }) && (!texts.is_empty() || operand.cwd_when_missing())
        });
        if texts.is_empty() {
            texts.push(HERE);
        }
        // Where nothing is left of a text when its sugar is off, a slash behind it would begin at `/`.
        for text in &mut texts {
            if matches!(*text, "" | "@") {
                *text = HERE;
            }
        }
        Ok(Self { texts, are_covered })
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Where the pattern leads beyond what other operands cover, one answer for each base it matters for.
    pub(super) fn reached_by<'p>(&self, pattern: &'p str) -> Vec<Reach<'p>>
    where
        'a: 'p,
    {
        let is_plain = |base: &&str| !is_url(base);
        match glob_reach(pattern) {
            GlobReach::Inside if !literal_heads(pattern).is_empty() && !self.texts.iter().all(is_plain) => {
                vec![Reach::Anywhere]
            }
            GlobReach::Inside if self.are_covered => Vec::new(),
            GlobReach::Inside => self
                .texts
                .iter()
                .map(|&base| Reach::Below(Cow::Borrowed(base)))
                .collect(),
            GlobReach::Below(head) if stands_alone(head) => vec![Reach::Below(Cow::Borrowed(head))],
            GlobReach::Below(_) if !self.texts.iter().all(is_plain) => vec![Reach::Anywhere],
            // One text for the tool's own dialect: whether `..` is collapsed before a link in the base is followed
            // is for the dialect to say.
            GlobReach::Below(head) => self
                .texts
                .iter()
                .map(|base| Reach::Below(Cow::Owned(format!("{base}/{head}"))))
                .collect(),
            GlobReach::Anywhere => vec![Reach::Anywhere],
        }
    }

    /// No effect but that of what the pattern selects would be about it: it stays inside, and no operand is about the base.
    pub(super) fn stand_for_nothing(&self, pattern: &str) -> bool {
        !self.are_covered
            && glob_reach(pattern) == GlobReach::Inside
            && (literal_heads(pattern).is_empty() || !self.texts.iter().any(|base| is_url(base)))
    }

    /// The pattern as it selects from each base, one text for the tool's own dialect. A name alone may be looked for at
    /// any depth: some tools do.
    pub(super) fn patterns(&self, pattern: &str) -> Vec<String> {
        if stands_alone(pattern) {
            return vec![pattern.to_owned()];
        }
        // What excludes selects everything else.
        let pattern = if pattern.starts_with('!') { "**" } else { pattern };
        let plain = self.texts.iter().filter(|base| !is_url(base));
        let below = |base: &'a str| {
            // Alternatives may begin elsewhere, so nothing stands in front of them that need not.
            let base = if base == HERE {
                String::new()
            } else {
                format!("{base}/")
            };
            let deeper = (!pattern.contains('/')).then(|| format!("{base}**/{pattern}"));
            [Some(format!("{base}{pattern}")), deeper]
        };
        let mut patterns: Vec<String> = plain.flat_map(|&base| below(base)).flatten().collect();
        // An alternative that begins elsewhere has no base.
        if glob_reach(pattern) == GlobReach::Anywhere {
            patterns.push(pattern.to_owned());
        }
        patterns
    }
}

/// Whether what is written behind this text is not read as names below it: a query may begin in a URL.
fn is_url(base: &str) -> bool {
    base.to_ascii_lowercase().contains("file:")
}

/// Whether the head of a pattern means the same below every base.
fn stands_alone(head: &str) -> bool {
    head.starts_with(['/', '~'])
        || head
            .get(..5)
            .is_some_and(|start| start.eq_ignore_ascii_case("file:"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::Toolbox;

    #[rstest]
    #[case::inside("**/*.rs", json!({}), &[])]
    #[case::inside_base("*.rs", json!({"path": "src"}), &[])]
    #[case::absolute("/etc/**", json!({"path": "src"}), &[Some("/etc/")])]
    #[case::home("~/.ssh/*", json!({}), &[Some("~/.ssh/")])]
    #[case::up("../../*", json!({}), &[Some("./../../")])]
    #[case::up_from_base("../*", json!({"path": "src"}), &[Some("src/../")])]
    #[case::late("*/../../x", json!({}), &[None])]
    fn what_a_pattern_reaches(
        #[case] pattern: &str,
        #[case] mut arguments: Value,
        #[case] expected: &[Option<&str>],
    ) {
        arguments["pattern"] = json!(pattern);
        let tools = Toolbox::standard();
        let bases = Bases::of(tools.get("Glob").unwrap(), &arguments, Some("path")).unwrap();
        let reached: Vec<_> = bases
            .reached_by(pattern)
            .into_iter()
            .map(|reach| match reach {
                Reach::Below(text) => Some(text.into_owned()),
                Reach::Anywhere => None,
            })
            .collect();
        let expected: Vec<_> = expected.iter().map(|text| text.map(str::to_owned)).collect();
        assert_eq!(reached, expected);
    }

    #[test]
    fn a_base_that_nobody_covers_is_reached_by_every_pattern() {
        let tools = Toolbox::standard();
        let arguments = json!({});
        let bases = Bases::of(tools.get("Glob").unwrap(), &arguments, None).unwrap();
        assert_eq!(bases.reached_by("*.rs"), [Reach::Below(Cow::Borrowed("."))]);
    }
}
