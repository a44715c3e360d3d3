use std::borrow::Cow;

use portcullis_paths::{Dialect, Operation};
use serde_json::{Map, Value, json};

use super::{ArgumentFault, Language, Operand, Role, When};
use crate::EffectKind;

/// One built-in tool: its members, typed, and what they mean. The published JSON Schema is made from it.
#[derive(Debug)]
pub(super) struct Builtin {
    pub(super) name: &'static str,
    pub(super) members: &'static [Member],
    pub(super) unknown: Unknown,
    pub(super) inherent: &'static [EffectKind],
}

/// One member of an arguments object.
#[derive(Debug)]
pub(super) struct Member {
    name: &'static str,
    kind: Kind,
    required: bool,
    meaning: Option<Meaning>,
}

/// [`Role`] in the form that a static table can hold.
#[derive(Debug, Clone, Copy)]
enum Meaning {
    Path(Operation, &'static Dialect, Option<(&'static str, Operation)>),
    PathOrCwd(Operation, &'static Dialect),
    Edit(&'static Dialect),
    GlobBelowPath(Operation, &'static Dialect),
    Command(Language),
    Url,
}

impl Meaning {
    fn role(self) -> Role {
        match self {
            Self::Path(operation, dialect, when) => Role::Path {
                operation,
                when: when.map(|(flag, operation)| When {
                    flag: Cow::Borrowed(flag),
                    operation,
                }),
                dialect,
                cwd_when_missing: false,
            },
            Self::PathOrCwd(operation, dialect) => Role::Path {
                operation,
                when: None,
                dialect,
                cwd_when_missing: true,
            },
            Self::Edit(dialect) => Role::Edit { dialect },
            Self::GlobBelowPath(operation, dialect) => Role::Glob {
                operation,
                dialect,
                base: Some(Cow::Borrowed("path")),
            },
            Self::Command(language) => Role::Command { language },
            Self::Url => Role::Url,
        }
    }
}

/// What stands in a member. Nothing is converted: `"5"` is not a number and null is not a missing member.
#[derive(Debug)]
pub(super) enum Kind {
    Text,
    Flag,
    Number,
    List(&'static Kind),
    /// An object of known members; others are tolerated.
    Record(&'static [Member]),
    Object,
    Any,
}

/// Members that the table does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unknown {
    /// Our own tools: a misspelt member is an error.
    Forbidden,
    /// Tools of a host, whose versions drift.
    Tolerated,
}

impl Builtin {
    pub(super) fn operands(&self) -> Vec<Operand> {
        self.members
            .iter()
            .filter_map(|member| {
                Some(Operand {
                    member: Cow::Borrowed(member.name),
                    role: member.meaning?.role(),
                    required: member.required,
                })
            })
            .collect()
    }

    pub(super) fn check(&self, arguments: &Value) -> Result<(), ArgumentFault> {
        check_members(self.members, self.unknown, arguments)
    }

    pub(super) fn schema(&self) -> Value {
        schema_of_members(self.members, self.unknown)
    }
}

impl Kind {
    fn check(&self, value: &Value) -> Result<(), ArgumentFault> {
        let fits = match self {
            Self::Text => value.is_string(),
            Self::Flag => value.is_boolean(),
            Self::Number => value.is_number(),
            Self::Object => value.is_object(),
            Self::Any => true,
            Self::Record(members) => return check_members(members, Unknown::Tolerated, value),
            Self::List(kind) => {
                let items = value
                    .as_array()
                    .ok_or_else(|| ArgumentFault::wrong_type("an array", value))?;
                return items
                    .iter()
                    .enumerate()
                    .try_for_each(|(index, item)| kind.check(item).map_err(|fault| fault.within(index)));
            }
        };
        if fits {
            return Ok(());
        }
        Err(ArgumentFault::wrong_type(self.wanted(), value))
    }

    fn wanted(&self) -> &'static str {
        match self {
            Self::Text => "a string",
            Self::Flag => "a boolean",
            Self::Number => "a number",
            Self::List(_) => "an array",
            Self::Record(_) | Self::Object => "an object",
            Self::Any => "a value",
        }
    }

    fn schema(&self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Number => json!({"type": "number"}),
            Self::List(kind) => json!({"type": "array", "items": kind.schema()}),
            Self::Record(members) => schema_of_members(members, Unknown::Tolerated),
            Self::Object => json!({"type": "object"}),
            Self::Any => json!({}),
        }
    }
}

fn check_members(members: &[Member], unknown: Unknown, value: &Value) -> Result<(), ArgumentFault> {
    let object = value
        .as_object()
        .ok_or_else(|| ArgumentFault::wrong_type("an object", value))?;
    for member in members {
        match object.get(member.name) {
            Some(value) => member
                .kind
                .check(value)
                .map_err(|fault| fault.within_member(member.name))?,
            None if member.required => return Err(ArgumentFault::missing(member.name)),
            None => {}
        }
    }
    if unknown == Unknown::Forbidden
        && let Some(name) = object
            .keys()
            .find(|name| !members.iter().any(|member| member.name == name.as_str()))
    {
        return Err(ArgumentFault::new("the tool has no such member").within_member(name));
    }
    Ok(())
}

fn schema_of_members(members: &[Member], unknown: Unknown) -> Value {
    let properties: Map<String, Value> = members
        .iter()
        .map(|member| (member.name.to_owned(), member.kind.schema()))
        .collect();
    let required: Vec<&str> = members
        .iter()
        .filter(|member| member.required)
        .map(|member| member.name)
        .collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if let Some(object) = schema.as_object_mut() {
        if !required.is_empty() {
            object.insert("required".to_owned(), json!(required));
        }
        if unknown == Unknown::Forbidden {
            object.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    }
    schema
}

const fn member(name: &'static str, kind: Kind, required: bool, meaning: Option<Meaning>) -> Member {
    Member {
        name,
        kind,
        required,
        meaning,
    }
}

/// A required member without a role.
pub(super) const fn needs(name: &'static str, kind: Kind) -> Member {
    member(name, kind, true, None)
}

/// An optional member without a role.
pub(super) const fn may(name: &'static str, kind: Kind) -> Member {
    member(name, kind, false, None)
}

/// A required path.
pub(super) const fn path(name: &'static str, operation: Operation, dialect: &'static Dialect) -> Member {
    let meaning = Meaning::Path(operation, dialect, None);
    member(name, Kind::Text, true, Some(meaning))
}

/// A required path of a file that is rewritten from what it holds.
pub(super) const fn edited(name: &'static str, dialect: &'static Dialect) -> Member {
    member(name, Kind::Text, true, Some(Meaning::Edit(dialect)))
}

/// A required path at which `operation` becomes `then` when `flag` is true.
pub(super) const fn path_unless(
    name: &'static str,
    operation: Operation,
    dialect: &'static Dialect,
    flag: &'static str,
    then: Operation,
) -> Member {
    let meaning = Meaning::Path(operation, dialect, Some((flag, then)));
    member(name, Kind::Text, true, Some(meaning))
}

/// An optional path whose absence means the working directory.
pub(super) const fn path_or_cwd(
    name: &'static str,
    operation: Operation,
    dialect: &'static Dialect,
) -> Member {
    let meaning = Meaning::PathOrCwd(operation, dialect);
    member(name, Kind::Text, false, Some(meaning))
}

/// An optional path whose absence means no path.
pub(super) const fn may_path(name: &'static str, operation: Operation, dialect: &'static Dialect) -> Member {
    let meaning = Meaning::Path(operation, dialect, None);
    member(name, Kind::Text, false, Some(meaning))
}

/// A glob below the directory that member `path` names.
pub(super) const fn glob(
    name: &'static str,
    required: bool,
    operation: Operation,
    dialect: &'static Dialect,
) -> Member {
    let meaning = Meaning::GlobBelowPath(operation, dialect);
    member(name, Kind::Text, required, Some(meaning))
}

/// A command.
pub(super) const fn command(name: &'static str, required: bool, language: Language) -> Member {
    member(name, Kind::Text, required, Some(Meaning::Command(language)))
}

/// A required URL.
pub(super) const fn url(name: &'static str) -> Member {
    member(name, Kind::Text, true, Some(Meaning::Url))
}
