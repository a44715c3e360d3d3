//! The file as it is written, before it means anything.

use std::collections::BTreeMap;
use std::fmt;

use portcullis_classify::{NameGroup, ProgramEntry};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// Read first and alone, so that a file of a later version is called that and not a file with unknown keys.
#[derive(Debug, Deserialize)]
pub(super) struct Head {
    pub(super) version: Option<Spanned<i64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    #[serde(rename = "version")]
    _version: i64,
    pub(super) preset: Option<Spanned<PresetWord>>,
    pub(super) otherwise: Option<Spanned<OtherwiseWord>>,
    pub(super) approval: Option<Spanned<Approval>>,
    #[serde(default)]
    pub(super) zones: ZoneLists,
    #[serde(default)]
    pub(super) rule: Vec<RuleEntry>,
    pub(super) catalogue: Option<Spanned<CatalogueTable>>,
    #[serde(default)]
    pub(super) review: Review,
    #[serde(default)]
    pub(super) program: Vec<Spanned<ProgramEntry>>,
    pub(super) hook: Option<Spanned<Hooks>>,
    pub(super) audit: Option<Spanned<Audit>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PresetWord {
    Everyday,
    Careful,
}

/// What becomes of what no rule names.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OtherwiseWord {
    Confirm,
    Deny,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Approval {
    pub(super) deadline_seconds: Option<Spanned<i64>>,
    pub(super) approver: Option<Spanned<ApproverWord>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ApproverWord {
    Here,
    Desk,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CatalogueTable {
    #[serde(default)]
    pub(super) off: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) add: Vec<Spanned<NameGroup>>,
    #[serde(default)]
    pub(super) remove: Vec<Spanned<NameGroup>>,
}

/// Levels by parameter.
pub(super) type Parameters = BTreeMap<Spanned<String>, Spanned<LevelWord>>;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {
    pub(super) profile: Option<Spanned<ProfileWord>>,
    #[serde(default)]
    pub(super) levels: BTreeMap<Spanned<String>, Parameters>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ProfileWord {
    ByEffect,
    Guardian,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum LevelWord {
    Off,
    PrivateOnly,
    OutsideOrPrivate,
    ByEffect,
    Always,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ZoneLists {
    #[serde(default)]
    pub(super) deny_read: Vec<Spanned<ZoneEntry>>,
    #[serde(default)]
    pub(super) deny_write: Vec<Spanned<ZoneEntry>>,
    #[serde(default)]
    pub(super) confirm_read: Vec<Spanned<ZoneEntry>>,
    #[serde(default)]
    pub(super) confirm_write: Vec<Spanned<ZoneEntry>>,
}

/// A path alone, or a table with more to say.
#[derive(Debug)]
pub(super) struct ZoneEntry {
    pub(super) path: String,
    pub(super) id: Option<Spanned<String>>,
    pub(super) because: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ZoneTable {
    path: String,
    id: Option<Spanned<String>>,
    because: Option<Spanned<String>>,
}

impl<'de> Deserialize<'de> for ZoneEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ZoneVisitor)
    }
}

struct ZoneVisitor;

impl<'de> Visitor<'de> for ZoneVisitor {
    type Value = ZoneEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path, or a table with `path`, `id` and `because`")
    }

    fn visit_str<E>(self, path: &str) -> Result<ZoneEntry, E> {
        Ok(ZoneEntry {
            path: path.to_owned(),
            id: None,
            because: None,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ZoneEntry, A::Error> {
        let table = ZoneTable::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ZoneEntry {
            path: table.path,
            id: table.id,
            because: table.because,
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleEntry {
    pub(super) id: Spanned<String>,
    pub(super) tool: Option<Spanned<String>>,
    pub(super) operation: Option<OperationWord>,
    pub(super) under: Option<Spanned<String>>,
    pub(super) command: Option<Spanned<Vec<String>>>,
    pub(super) except: Option<Vec<Spanned<Vec<String>>>>,
    pub(super) risk: Spanned<RiskWord>,
    pub(super) because: Spanned<String>,
    #[serde(default)]
    pub(super) matches: Vec<Spanned<String>>,
    #[serde(default)]
    pub(super) spares: Vec<Spanned<String>>,
}

/// The words of the effects.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OperationWord {
    Read,
    List,
    Search,
    Write,
    Delete,
    Move,
    Link,
    Execute,
    Spawn,
    Connect,
    Opaque,
}

/// `allow` is read so that it can be refused with a reason.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RiskWord {
    Allow,
    Confirm,
    Deny,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Hooks {
    #[serde(rename = "claude-code")]
    pub(super) claude_code: Option<ClaudeCodeHook>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaudeCodeHook {
    pub(super) allow: Option<Spanned<AllowWord>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum AllowWord {
    Silent,
    Allow,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Audit {
    pub(super) path: Option<Spanned<String>>,
}
