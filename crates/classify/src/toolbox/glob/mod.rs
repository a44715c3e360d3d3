/// Where a glob can lead, seen from its base directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GlobReach<'a> {
    /// It selects only names below the base directory, so the base's own operand covers it.
    Inside,
    /// It selects names below this directory: the pattern's literal head, as written, to be decoded by the
    /// operand's dialect against the base directory.
    Below(&'a str),
    /// It may lead anywhere: a `..` behind a wildcard, or alternatives that begin elsewhere. Treat it as
    /// [`EffectKind::Opaque`](crate::EffectKind::Opaque).
    Anywhere,
}

/// Says where a glob can lead. It reads the union of the common glob grammars (`*`, `?`, `[..]`, `{..}`,
/// `(..)`, `!`, `@`, `+`, `\`), so it may answer [`GlobReach::Anywhere`] for a harmless pattern and never
/// [`GlobReach::Inside`] for one that leads out.
#[must_use]
pub fn glob_reach(pattern: &str) -> GlobReach<'_> {
    let special = pattern.find(is_special).unwrap_or(pattern.len());
    let (literal, magic) = pattern.split_at(special);
    // The component in which the first wildcard stands belongs to the wildcards; without one, the last name.
    let cut = literal.rfind('/').map_or(0, |slash| slash + 1);
    let (head, name) = literal.split_at(cut);

    let climbs_late = magic.split('/').enumerate().any(|(index, component)| {
        let first = if index == 0 { name } else { "" };
        hides_parent(first, component)
    });
    let starts_elsewhere = head.is_empty() && name.is_empty() && alternatives_leave(magic);
    if climbs_late || starts_elsewhere {
        return GlobReach::Anywhere;
    }
    if magic.is_empty() && name == ".." {
        return GlobReach::Below(pattern);
    }
    let leaves = literal.starts_with(['/', '~'])
        || has_scheme(literal)
        || head.split('/').any(|component| component == "..");
    if !leaves {
        return GlobReach::Inside;
    }
    if head.is_empty() {
        // `~*` or `~user`: no directory to name.
        return GlobReach::Anywhere;
    }
    GlobReach::Below(head)
}

fn is_special(c: char) -> bool {
    matches!(
        c,
        '*' | '?' | '[' | ']' | '{' | '}' | '(' | ')' | '!' | '@' | '+' | '\\' | '|' | ','
    )
}

fn has_scheme(literal: &str) -> bool {
    literal
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case("file:"))
}

/// Whether a component that holds wildcards can stand for `..`, for example `.{.,x}`, `[.][.]` or `\.\.`.
fn hides_parent(literal: &str, component: &str) -> bool {
    let bare: String = literal
        .chars()
        .chain(component.chars())
        .filter(|c| !is_special(*c))
        .collect();
    let plain = literal.is_empty() && !component.contains(is_special);
    if plain {
        component == ".."
    } else {
        bare.contains("..")
    }
}

/// Whether a pattern that begins with a wildcard has an alternative that begins at the root or at a home:
/// `{/etc,src}/x`, `@(/etc)`, `\/etc`, `[/]etc`.
fn alternatives_leave(magic: &str) -> bool {
    let mut before_is_opening = true;
    magic.chars().any(|c| {
        let leaves = before_is_opening && matches!(c, '/' | '~');
        before_is_opening = is_special(c) && !matches!(c, '*' | '?' | ']' | '}' | ')');
        leaves
    })
}
