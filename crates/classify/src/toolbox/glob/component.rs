/// One component of a glob without braces.
#[derive(Clone, Copy)]
pub(super) struct Component<'a>(pub(super) &'a str);

impl Component<'_> {
    /// It holds a character that is not itself in some grammar.
    pub(super) fn is_wild(self) -> bool {
        self.0.contains(is_special)
    }

    /// It can stand for `..`.
    pub(super) fn may_be_parent(self) -> bool {
        if !self.is_wild() {
            return self.0 == "..";
        }
        // A wildcard at the beginning selects no name that begins with a dot, or only names a directory really has.
        if self.begins_with_wildcard() || self.certain().any(|c| c != '.') {
            return false;
        }
        match self.0.matches('.').count() {
            0 => false,
            1 => self.0.contains(['*', '?', '[', '(']),
            _ => true,
        }
    }

    /// It can stand for nothing at all.
    pub(super) fn may_be_empty(self) -> bool {
        !self.begins_with_wildcard() && self.certain().next().is_none()
    }

    /// It can begin with a `~`.
    pub(super) fn may_be_home(self) -> bool {
        self.0.trim_start_matches(is_special).starts_with('~')
    }

    fn begins_with_wildcard(self) -> bool {
        // A `!` in front turns the whole pattern around.
        let mut chars = self.0.trim_start_matches('!').chars();
        matches!(chars.next(), Some('*' | '?')) && chars.next() != Some('(')
    }

    /// Characters that every name it selects has: those before the first group and after the last.
    fn certain(self) -> impl Iterator<Item = char> {
        let (before, rest) = self.0.split_at(self.0.find(['[', '(']).unwrap_or(self.0.len()));
        let after = rest
            .rfind([']', ')'])
            .and_then(|end| rest.get(end..))
            .unwrap_or_default();
        before.chars().chain(after.chars()).filter(|c| !is_special(*c))
    }
}

/// Characters that are not themselves in some glob grammar.
pub(super) fn is_special(c: char) -> bool {
    matches!(
        c,
        '*' | '?' | '[' | ']' | '(' | ')' | '!' | '@' | '+' | '|' | '\\'
    )
}
