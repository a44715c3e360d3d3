//! What a rule or zone must be before it may join.

use std::collections::BTreeMap;
use std::path::Path;

use portcullis_paths::{Zone, ZoneKind};

use crate::catalogue::Catalogue;

use super::{Level, Levels, PolicyError, PolicyErrorKind, Rule, RuleSubject, builtin, plain};
use crate::{EffectKind, Layer, NameGroup, Risk};
use portcullis_paths::visible;

/// Most characters of an id.
const ID_LIMIT: usize = 200;

/// The ids taken so far, and by whom.
#[derive(Debug, Default)]
pub(super) struct Ids(BTreeMap<String, Layer>);

impl Ids {
    pub(super) fn take(&mut self, id: &str, layer: Layer) -> Result<(), PolicyError> {
        let error = |text: &str, hint| Err(PolicyError::new(PolicyErrorKind::Id, id, text, hint));
        if id.is_empty() || visible(id, ID_LIMIT) != id {
            return error(
                "has an id that cannot be shown",
                "give it a short id of visible characters, for example `no-secrets`",
            );
        }
        if builtin::is_reserved(id) {
            return error(
                "has the id of a built-in rule",
                "choose another id; built-in rules cannot be replaced",
            );
        }
        if let Some(other) = self.0.insert(id.to_owned(), layer) {
            let (one, two) = (other.word(), layer.word());
            return error(
                &format!("has an id that is used twice (layers {one} and {two})"),
                "give each rule and zone of all layers an id of its own",
            );
        }
        Ok(())
    }
}

/// A group of the catalogue that is to be turned off.
pub(super) fn off(group: &str, layer: Layer) -> Result<(), PolicyError> {
    let error = |kind, text, hint| Err(PolicyError::new(kind, group, text, hint));
    if layer == Layer::Project {
        return error(
            PolicyErrorKind::Loosens,
            "is turned off by a project",
            "a project can only tighten: leave it out",
        );
    }
    if !Catalogue::built_in().ids().any(|id| id == group) {
        return error(
            PolicyErrorKind::Subject,
            "is no group of private or sensitive names",
            "`portcullis check` names the group that asked, for example `private.environment`",
        );
    }
    Ok(())
}

/// Names that a layer adds to the catalogue.
pub(super) fn names(group: &NameGroup) -> Result<(), PolicyError> {
    group.fault().map_or(Ok(()), |fault| {
        Err(PolicyError::about(
            PolicyErrorKind::Subject,
            "group",
            group.id(),
            fault,
            "write it as the groups of the catalogue are written: `id`, `why`, `asks` and names",
        ))
    })
}

/// Names that a layer takes out of the catalogue.
pub(super) fn removal(group: &NameGroup, layer: Layer) -> Result<(), PolicyError> {
    if matches!(layer, Layer::BuiltIn | Layer::User) {
        return Ok(());
    }
    Err(PolicyError::about(
        PolicyErrorKind::Loosens,
        "group",
        group.id(),
        &format!("loses names by what a {} says", layer.word()),
        "only the user can take names out of the catalogue: leave it out",
    ))
}

/// Levels that a layer may set.
pub(super) fn levels(levels: &Levels, layer: Layer) -> Result<(), PolicyError> {
    let is_bound = !matches!(layer, Layer::BuiltIn | Layer::User);
    let off = levels.named.iter().find(|(_, level)| **level == Level::Off);
    match off.filter(|_| is_bound) {
        None => Ok(()),
        Some(((tool, member), _)) => Err(PolicyError::about(
            PolicyErrorKind::Loosens,
            "review level of",
            &format!("{tool}.{member}"),
            &format!("is turned off by a {}", layer.word()),
            "only the user can turn a review off: leave it out",
        )),
    }
}

pub(super) fn rule(rule: &Rule) -> Result<(), PolicyError> {
    let error = |kind, text, hint| Err(PolicyError::new(kind, &rule.id, text, hint));
    let subject = |text, hint| error(PolicyErrorKind::Subject, text, hint);
    if rule.risk == Risk::Allow {
        return error(
            PolicyErrorKind::Loosens,
            "tries to allow",
            "a rule can only tighten: use `confirm` or `deny`, or leave the rule out",
        );
    }
    let RuleSubject {
        tool,
        operation,
        under,
        command,
        except,
    } = &rule.subject;
    if tool.is_none() && operation.is_none() && under.is_none() && command.is_none() && except.is_none() {
        return subject(
            "says nothing about what it is about",
            "set at least one of tool, operation, under, command and except",
        );
    }
    for words in command.iter().chain(except.iter().flatten()) {
        if words.is_empty() || !words.iter().all(|word| plain::is_plain_word(word)) {
            return subject(
                "has command words that no plain command can have",
                "write one word per element, without quotes, blanks or shell characters",
            );
        }
        if words.first().is_some_and(|program| program.contains('=')) {
            return subject(
                "begins its command with an assignment",
                "begin with the program's name",
            );
        }
        if under.is_some() {
            return subject(
                "joins a command with a place, which matches nothing",
                "write two rules, one with command and one with under",
            );
        }
        if !matches!(operation, None | Some(EffectKind::Execute | EffectKind::Opaque)) {
            return subject(
                "joins a command with an operation that commands do not have",
                "leave the operation out, or use `execute`",
            );
        }
    }
    under.as_deref().map_or(Ok(()), |path| place(&rule.id, path))
}

pub(super) fn zone(zone: &Zone) -> Result<(), PolicyError> {
    if zone.kind == ZoneKind::Named {
        return Err(PolicyError::new(
            PolicyErrorKind::Subject,
            &zone.id,
            "is a zone without a meaning",
            "use deny_read, deny_write, confirm_read or confirm_write, or a rule with `under`",
        ));
    }
    place(&zone.id, &zone.path)
}

fn place(id: &str, path: &Path) -> Result<(), PolicyError> {
    if path.is_absolute() || path.starts_with("~") {
        return Ok(());
    }
    Err(PolicyError::new(
        PolicyErrorKind::Place,
        id,
        "has a path that depends on where it is read",
        "begin it with `/` or `~/`",
    ))
}
