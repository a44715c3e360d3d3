use std::ops::Range;

use super::diagnostic::Position;

/// A configuration text with the name that diagnostics show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: text.to_owned(),
        }
    }

    /// Line and column (characters, from 1) of a span, with its text.
    pub(super) fn position(&self, span: Range<usize>) -> Position {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let text = self.text.get(span.clone()).unwrap_or_default().to_owned();
        Position {
            line,
            column,
            text,
            span,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case(0..1, 1, 1, "a")]
    #[case(3..5, 2, 1, "é")]
    #[case(5..6, 2, 2, "x")]
    #[case(6..6, 2, 3, "")]
    #[case(9..12, 2, 3, "")]
    fn counts_characters_from_one(
        #[case] span: Range<usize>,
        #[case] line: usize,
        #[case] column: usize,
        #[case] text: &str,
    ) {
        let position = Source::new("f", "ab\néx").position(span);
        assert_eq!(
            (position.line, position.column, position.text.as_str()),
            (line, column, text)
        );
    }
}
