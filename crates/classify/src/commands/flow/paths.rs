//! Parts of values: what an expansion, `basename` or `dirname` makes of them.

use std::borrow::Cow;

use crate::commands::Value;
use crate::shell::{Change, Piece};

/// What becomes of each of these values; `None` when that cannot be told of one, or when nothing is left of it.
pub(super) fn all_changed<'s>(values: &[Value<'s>], change: &Change) -> Option<Vec<Value<'s>>> {
    let changed = values.iter().map(|value| match value {
        Value::Literal(text) => literal(change.of_text(text)?),
        Value::Pattern(pattern) => change.of_pattern(pattern).map(of_pattern),
        _ => None,
    });
    changed.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

/// The last name of each of these paths, or the directory that it is in.
pub(super) fn all_parts<'s>(
    values: &[Value<'s>],
    name: bool,
    suffix: Option<&str>,
) -> Option<Vec<Value<'s>>> {
    let parts = values.iter().map(|value| match value {
        // A blank at the end of a line is lost, and slashes at the end do not count.
        Value::Literal(text) if text.is_empty() || text.contains('\n') || text.ends_with('/') => None,
        Value::Literal(text) => {
            let (folder, last) = text.rsplit_once('/').unwrap_or((".", text));
            let kept = suffix
                .and_then(|suffix| last.strip_suffix(suffix))
                .filter(|rest| !rest.is_empty());
            literal(match (name, folder) {
                (true, _) => kept.unwrap_or(last).to_owned(),
                (false, "") => "/".to_owned(),
                (false, folder) => folder.trim_end_matches('/').to_owned(),
            })
        }
        Value::Pattern(pattern) if pattern.ends_with('/') => None,
        Value::Pattern(pattern) => {
            let (folder, last) = pattern.rsplit_once('/').unwrap_or((".", pattern));
            match (name, folder) {
                (true, _) => {
                    let end = suffix.and_then(|suffix| last.strip_suffix(suffix));
                    let fixed = suffix.is_none_or(|suffix| {
                        suffix.starts_with('.') && !suffix.contains(['*', '?', '[', ']', '\\'])
                    });
                    let rest = end.filter(|rest| !rest.is_empty() && fixed);
                    (fixed && (rest.is_some() || suffix.is_none()))
                        .then(|| of_pattern(rest.unwrap_or(last).to_owned()))
                }
                (false, "") => None,
                (false, folder) => Some(of_pattern(folder.to_owned())),
            }
        }
        _ => None,
    });
    parts.collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

/// Whether a piece may be a name without the directory in which it was found.
pub(super) fn is_cut_loose(piece: &Piece) -> bool {
    match piece {
        Piece::Variable {
            change: Some(change), ..
        } => !matches!(change, Change::End { .. } | Change::Text { .. }),
        Piece::Substitution { .. } => true,
        _ => false,
    }
}

/// Forgets a value that may begin with a dash.
pub(super) fn forget_beginning(value: &mut Value<'_>) {
    if matches!(value, Value::Pattern(text) if text.starts_with(['*', '?', '['])) {
        *value = Value::Unknown {
            start: Cow::Borrowed(""),
            single: true,
        };
    }
}

fn literal<'s>(text: String) -> Option<Value<'s>> {
    (!text.is_empty()).then_some(Value::Literal(Cow::Owned(text)))
}

/// What has no wildcard in it any more is one name.
fn of_pattern<'s>(pattern: String) -> Value<'s> {
    match pattern.contains(['*', '?', '[', '\\', '{', '(']) {
        true => Value::Pattern(pattern),
        false => Value::Literal(Cow::Owned(pattern)),
    }
}
