//! Passwords that well-known programs take as an option without a telling name.

use std::ops::Range;

use super::value;
use super::view::{View, is_blank};

/// How the value stands to its option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// `-pVALUE` only.
    Glued,
    /// `-p VALUE` or `-pVALUE`.
    Either,
    /// `-u NAME:VALUE`.
    AfterColon,
}

const OPTIONS: [(&str, &str, Place); 14] = [
    ("sshpass", "-p", Place::Either),
    ("mysql", "-p", Place::Glued),
    ("mysqldump", "-p", Place::Glued),
    ("mysqladmin", "-p", Place::Glued),
    ("mariadb", "-p", Place::Glued),
    ("7z", "-p", Place::Glued),
    ("unzip", "-P", Place::Either),
    ("zip", "-P", Place::Either),
    ("redis-cli", "-a", Place::Either),
    ("ldapsearch", "-w", Place::Either),
    ("curl", "-u", Place::AfterColon),
    ("curl", "--user", Place::AfterColon),
    ("curl", "-U", Place::AfterColon),
    ("curl", "--proxy-user", Place::AfterColon),
];

pub(super) fn find(view: &View, found: &mut Vec<Range<usize>>) {
    let mut seen = [false; OPTIONS.len()];
    let mut place = 0;
    while place < view.len() {
        let start = view.past(place, |c| !is_word(c));
        let end = view.past(start, is_word);
        for (seen, (tool, option, how)) in seen.iter_mut().zip(OPTIONS) {
            if end - start == tool.len() && view.part(start..end).iter().copied().eq(tool.chars()) {
                *seen = true;
            } else if *seen
                && is_blank(view.before(start))
                && view
                    .part(start..start + option.len())
                    .iter()
                    .copied()
                    .eq(option.chars())
            {
                found.extend(value_of(view, start + option.len(), how));
            }
        }
        place = end.max(place + 1);
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_')
}

fn value_of(view: &View, after: usize, how: Place) -> Option<Range<usize>> {
    let start = if view.at(after) == '=' {
        after + 1
    } else {
        view.past(after, is_blank)
    };
    match how {
        Place::Glued if start != after => None,
        Place::Glued | Place::Either => value::word(view, start),
        Place::AfterColon => {
            let value = value::word(view, start)?;
            let colon = value.clone().find(|at| view.at(*at) == ':')?;
            (colon + 1 < value.end).then_some(colon + 1..value.end)
        }
    }
}
