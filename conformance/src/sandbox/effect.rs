//! Holds the declared effect against the seen one.

use super::Sandbox;
use super::snapshot::{Change, Shape, Snapshot, What};
use crate::Error;
use crate::fixture::EffectDecl;

/// One declared change, with places and contents as bytes.
#[derive(Debug, Clone)]
pub(crate) enum Declared {
    Create { name: Vec<u8>, content: Option<Vec<u8>> },
    Change { name: Vec<u8>, content: Vec<u8> },
    Delete { name: Vec<u8>, below: bool },
    Move { from: Vec<u8>, to: Vec<u8> },
    Ran { witness: String },
}

/// Fills in the placeholders of declared effects.
pub(crate) fn declared(sandbox: &Sandbox, effects: &[EffectDecl]) -> Result<Vec<Declared>, Error> {
    let name = |text: &str| {
        use std::os::unix::ffi::OsStrExt;
        let place = sandbox.place(text)?;
        let relative = place.strip_prefix(&sandbox.root).unwrap_or(&place);
        Ok::<_, Error>(relative.as_os_str().as_bytes().to_vec())
    };
    let bytes = |text: &str| Ok::<_, Error>(sandbox.expand(text)?.into_bytes());
    effects
        .iter()
        .map(|effect| {
            Ok(match effect {
                EffectDecl::Create {
                    create,
                    content: None,
                } => Declared::Create {
                    name: name(create)?,
                    content: None,
                },
                EffectDecl::Create {
                    create,
                    content: Some(text),
                } => Declared::Create {
                    name: name(create)?,
                    content: Some(bytes(text)?),
                },
                EffectDecl::Change {
                    change,
                    content: text,
                } => Declared::Change {
                    name: name(change)?,
                    content: bytes(text)?,
                },
                EffectDecl::Delete { delete } => Declared::Delete {
                    name: name(delete)?,
                    below: delete.ends_with('/'),
                },
                EffectDecl::Move { from, to } => Declared::Move {
                    from: name(from)?,
                    to: name(to)?,
                },
                EffectDecl::Ran { ran } => Declared::Ran { witness: ran.clone() },
            })
        })
        .collect()
}

/// What is declared and not seen, and what is seen and not declared, one sentence each.
pub(crate) fn differences(
    declared: &[Declared],
    before: &Snapshot,
    seen: &[Change],
    ran: &[String],
) -> Vec<String> {
    let mut left: Vec<&Change> = seen.iter().collect();
    let mut ran: Vec<&String> = ran.iter().collect();
    let mut faults = Vec::new();
    for one in declared {
        let met = match one {
            Declared::Create { name, content } => take(&mut left, |change| {
                change.name == *name
                    && matches!(&change.what, What::New(new) if match (content, &new.shape) {
                        (None, Shape::Dir) => true,
                        (Some(content), Shape::File { content: seen }) => content == seen,
                        _ => false,
                    })
            }),
            Declared::Change { name, content } => {
                take(&mut left, |change| {
                    change.name == *name
                        && matches!(&change.what, What::Other(old, new) if old.mode == new.mode
                        && matches!(&old.shape, Shape::File { .. })
                        && matches!(&new.shape, Shape::File { content: seen } if seen == content))
                }) || (stood(before, name, content) && !left.iter().any(|change| change.name == *name))
            }
            Declared::Delete { name, below } => {
                let met = take(&mut left, |change| change.name == *name && is_gone(change));
                if *below {
                    while take(&mut left, |change| {
                        is_below(&change.name, name) && is_gone(change)
                    }) {}
                }
                met
            }
            Declared::Move { from, to } => moved(&mut left, before, from, to),
            Declared::Ran { witness } => match ran.iter().position(|name| *name == witness) {
                Some(at) => {
                    ran.remove(at);
                    true
                }
                None => false,
            },
        };
        if !met {
            faults.push(format!("missing: {}", shown(one)));
        }
    }
    faults.extend(left.iter().map(|change| format!("not declared: {change}")));
    faults.extend(
        ran.iter()
            .map(|name| format!("not declared: witness `{name}` ran")),
    );
    faults
}

/// Whether nothing had to change: a rewrite with the same content may be one in place, which leaves no trace.
pub(crate) fn was_there(declared: &[Declared], before: &Snapshot) -> bool {
    let same =
        |one: &Declared| matches!(one, Declared::Change { name, content } if stood(before, name, content));
    !declared.is_empty() && declared.iter().all(same)
}

fn stood(before: &Snapshot, name: &[u8], content: &[u8]) -> bool {
    let entry = before.0.get(name);
    entry.is_some_and(|entry| matches!(&entry.shape, Shape::File { content: old } if old == content))
}

fn take(left: &mut Vec<&Change>, is: impl Fn(&Change) -> bool) -> bool {
    match left.iter().position(|change| is(change)) {
        Some(at) => {
            left.remove(at);
            true
        }
        None => false,
    }
}

fn is_gone(change: &Change) -> bool {
    matches!(change.what, What::Gone(_))
}

fn is_below(name: &[u8], folder: &[u8]) -> bool {
    name.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with(b"/"))
}

/// A move takes the object itself and everything below it along.
fn moved(left: &mut Vec<&Change>, before: &Snapshot, from: &[u8], to: &[u8]) -> bool {
    let mut all = true;
    for (name, old) in &before.0 {
        if name != from && !is_below(name, from) {
            continue;
        }
        let mut target = to.to_vec();
        target.extend_from_slice(name.get(from.len()..).unwrap_or_default());
        all &= take(left, |change| change.name == *name && is_gone(change));
        all &= take(left, |change| {
            let new = match &change.what {
                What::New(new) | What::Other(_, new) => new,
                What::Gone(_) => return false,
            };
            change.name == target && new.identity == old.identity && new.shape == old.shape
        });
    }
    all && before.0.contains_key(from)
}

fn shown(declared: &Declared) -> String {
    let name = |name: &[u8]| String::from_utf8_lossy(name).escape_debug().to_string();
    match declared {
        Declared::Create {
            name: at,
            content: None,
        } => format!("create directory `{}`", name(at)),
        Declared::Create { name: at, .. } => format!("create file `{}` with the declared content", name(at)),
        Declared::Change { name: at, .. } => format!("change file `{}` to the declared content", name(at)),
        Declared::Delete { name: at, .. } => format!("delete `{}`", name(at)),
        Declared::Move { from, to } => format!("move `{}` to `{}`", name(from), name(to)),
        Declared::Ran { witness } => format!("run of witness `{witness}`"),
    }
}
