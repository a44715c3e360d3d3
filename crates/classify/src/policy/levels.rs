//! Review levels: how much of what a tool's parameter says is asked about.
//!
//! A level is about questions alone. What is denied stays denied, and what a layer's own rules, zones and names ask stays
//! asked; so does whatever cannot be understood.

use std::collections::BTreeMap;

use portcullis_paths::Operation;

use super::Policy;
use super::builtin::Matter;
use crate::{Layer, Operand, Role, ToolSpec};

/// How much of one parameter is asked about, mildest first: each level asks all that those before it ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Level {
    /// Only what cannot be understood.
    Off,
    /// Also what is private to read or sensitive to change.
    PrivateOnly,
    /// Also what is outside the workspace, or leaves the machine.
    OutsideOrPrivate,
    /// All that the preset asks about, by what the call would do.
    #[default]
    ByEffect,
    /// Every call.
    Always,
}

impl Level {
    /// All levels, mildest first.
    pub const ALL: [Self; 5] = [
        Self::Off,
        Self::PrivateOnly,
        Self::OutsideOrPrivate,
        Self::ByEffect,
        Self::Always,
    ];

    /// `off`, `private-only`, `outside-or-private`, `by-effect`, `always`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::PrivateOnly => "private-only",
            Self::OutsideOrPrivate => "outside-or-private",
            Self::ByEffect => "by-effect",
            Self::Always => "always",
        }
    }
    /// The level that [`Level::word`] writes so; letter case matters.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }

    /// Whether a question about such a matter is put.
    pub(crate) fn asks(self, matter: Matter) -> bool {
        match matter {
            Matter::Doubt => true,
            Matter::Private => self >= Self::PrivateOnly,
            Matter::Outside => self >= Self::OutsideOrPrivate,
            Matter::Deed => self >= Self::ByEffect,
        }
    }
}

/// Levels for all parameters at once, for those that are not named one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// Everything by its effects.
    #[default]
    ByEffect,
    /// Every command is reviewed; reading and listing for private data alone; searching, writing and editing outside the
    /// workspace, for private data, and where a change is sensitive.
    Guardian,
}

impl Profile {
    /// All profiles.
    pub const ALL: [Self; 2] = [Self::ByEffect, Self::Guardian];

    /// `by-effect`, `guardian`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::ByEffect => "by-effect",
            Self::Guardian => "guardian",
        }
    }
    /// The profile that [`Profile::word`] writes so; letter case matters.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.word() == word)
    }

    /// The level that it gives to a parameter of a tool.
    #[must_use]
    pub fn level(self, tool: &ToolSpec, member: &str) -> Level {
        let operand = tool.operands().iter().find(|operand| operand.member == member);
        match (self, operand.map(|operand| &operand.role)) {
            (Self::ByEffect, _) => Level::ByEffect,
            (Self::Guardian, Some(Role::Command { .. })) => Level::Always,
            (Self::Guardian, Some(Role::Edit { .. })) => Level::OutsideOrPrivate,
            // A tool that cannot do without a pattern of names tells names alone, as a listing does.
            (Self::Guardian, Some(Role::Path { .. } | Role::Glob { .. })) if finds_names(tool) => {
                Level::PrivateOnly
            }
            (Self::Guardian, Some(Role::Path { operation, .. } | Role::Glob { operation, .. })) => {
                guarded(*operation)
            }
            (Self::Guardian, None) if member == "path" => Level::PrivateOnly,
            (Self::Guardian, _) => Level::ByEffect,
        }
    }
}

fn finds_names(tool: &ToolSpec) -> bool {
    let is_name = |operand: &Operand| operand.required && matches!(operand.role, Role::Glob { .. });
    tool.operands().iter().any(is_name)
}

/// What changes more than one file's content keeps its questions.
fn guarded(operation: Operation) -> Level {
    match operation {
        Operation::Read
        | Operation::List
        | Operation::Stat
        | Operation::Lstat
        | Operation::ReadLink
        | Operation::WorkingDir => Level::PrivateOnly,
        Operation::Search | Operation::Write => Level::OutsideOrPrivate,
        _ => Level::ByEffect,
    }
}

/// What one layer says about levels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Levels {
    /// For all parameters that `named` does not name.
    pub profile: Option<Profile>,
    /// By tool and parameter; `*` is every tool.
    pub named: BTreeMap<(String, String), Level>,
}

impl Levels {
    /// Whether nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.profile.is_none() && self.named.is_empty()
    }

    fn level(&self, tool: &ToolSpec, parameter: Parameter<'_>) -> Option<Level> {
        let named = |tool: &str, member: &str| {
            let key = (tool.to_owned(), member.to_owned());
            self.named.get(&key).copied()
        };
        let own = named(tool.name(), parameter.member);
        let base = || named(tool.name(), parameter.base?);
        let any = || named("*", parameter.member).or_else(|| named("*", parameter.base?));
        let profile = || Some(self.profile?.level(tool, parameter.member));
        own.or_else(base).or_else(any).or_else(profile)
    }
}

/// A parameter of a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Parameter<'a> {
    pub(crate) member: &'a str,
    /// The parameter that says from where a pattern selects: its level is that of the pattern too.
    base: Option<&'a str>,
    /// Whether the tool says what it is. What is no operand asks about nothing by itself.
    is_operand: bool,
}

impl<'a> Parameter<'a> {
    pub(crate) fn of(tool: &'a ToolSpec, member: &'a str) -> Self {
        let operand = tool.operands().iter().find(|operand| operand.member == member);
        let base = operand.and_then(|operand| match &operand.role {
            Role::Glob { base, .. } => base.as_deref(),
            _ => None,
        });
        Self {
            member,
            base,
            is_operand: operand.is_some(),
        }
    }
}

impl Policy {
    /// How much of a tool's parameter is asked about, and the layer that makes it so much. What the user says holds as it
    /// is; projects and runs can only strengthen it.
    #[must_use]
    pub fn level(&self, tool: &ToolSpec, member: &str) -> (Level, Layer) {
        self.said_level(tool, Parameter::of(tool, member))
            .unwrap_or_default()
    }

    /// The same; nothing where no layer says anything.
    pub(crate) fn said_level(&self, tool: &ToolSpec, parameter: Parameter<'_>) -> Option<(Level, Layer)> {
        let said = |is_ours: bool| {
            let parts = self.levels.iter();
            let parts =
                parts.filter(move |part| matches!(part.layer, Layer::BuiltIn | Layer::User) == is_ours);
            parts.filter_map(move |part| Some((part.item.level(tool, parameter)?, part.layer)))
        };
        let ours = said(true).max_by_key(|(level, _)| *level);
        let unsaid = if parameter.is_operand {
            Level::ByEffect
        } else {
            Level::Off
        };
        said(false).fold(ours, |strictest, (level, layer)| {
            let standing = strictest.map_or(unsaid, |(level, _)| level);
            if level > standing {
                Some((level, layer))
            } else {
                strictest
            }
        })
    }

    /// What the layers say about levels, in the order of layers.
    pub fn levels(&self) -> impl Iterator<Item = (Layer, &Levels)> {
        self.levels.iter().map(|part| (part.layer, &part.item))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::{LayerRules, Toolbox};

    fn policy(parts: &[(Layer, Levels)]) -> Policy {
        let parts = parts.iter().map(|(layer, levels)| LayerRules {
            levels: levels.clone(),
            ..LayerRules::empty(*layer)
        });
        Policy::join(parts.collect()).unwrap()
    }

    fn named(tool: &str, member: &str, level: Level) -> Levels {
        Levels {
            profile: None,
            named: BTreeMap::from([((tool.to_owned(), member.to_owned()), level)]),
        }
    }

    fn guardian() -> Levels {
        Levels {
            profile: Some(Profile::Guardian),
            ..Levels::default()
        }
    }

    /// The table of the guardian's defaults.
    #[rstest]
    #[case("bash", "command", Level::Always)]
    #[case("Bash", "command", Level::Always)]
    #[case("run_command", "command", Level::Always)]
    #[case("grep", "path", Level::OutsideOrPrivate)]
    #[case("grep", "glob", Level::OutsideOrPrivate)]
    #[case("find", "path", Level::PrivateOnly)]
    #[case("Glob", "pattern", Level::PrivateOnly)]
    #[case("read", "path", Level::PrivateOnly)]
    #[case("Read", "file_path", Level::PrivateOnly)]
    #[case("ls", "path", Level::PrivateOnly)]
    #[case("list_dir", "path", Level::PrivateOnly)]
    #[case("write", "path", Level::OutsideOrPrivate)]
    #[case("edit", "path", Level::OutsideOrPrivate)]
    #[case("Edit", "file_path", Level::OutsideOrPrivate)]
    #[case("WebSearch", "path", Level::PrivateOnly)]
    #[case("delete_file", "path", Level::ByEffect)]
    #[case("move_file", "to", Level::ByEffect)]
    fn the_guardian_reviews(#[case] tool: &str, #[case] member: &str, #[case] expected: Level) {
        let toolbox = Toolbox::standard();
        let tool = toolbox.get(tool).unwrap();
        let policy = policy(&[(Layer::User, guardian())]);
        assert_eq!(policy.level(tool, member), (expected, Layer::User));
    }

    #[test]
    fn what_nobody_names_goes_by_its_effects() {
        let toolbox = Toolbox::standard();
        for name in toolbox.names() {
            let tool = toolbox.get(name).unwrap();
            for operand in tool.operands() {
                let level = policy(&[]).level(tool, &operand.member);
                assert_eq!(level, (Level::ByEffect, Layer::BuiltIn));
            }
        }
    }

    #[rstest]
    #[case::alone(Some(Level::Off), None, Level::Off, Layer::User)]
    #[case::a_project_cannot_loosen(
        Some(Level::Always),
        Some(Level::PrivateOnly),
        Level::Always,
        Layer::User
    )]
    #[case::a_project_strengthens(
        Some(Level::Off),
        Some(Level::PrivateOnly),
        Level::PrivateOnly,
        Layer::Project
    )]
    #[case::nor_what_is_built_in(None, Some(Level::PrivateOnly), Level::ByEffect, Layer::BuiltIn)]
    #[case::built_in_strengthened(None, Some(Level::Always), Level::Always, Layer::Project)]
    fn layers_join(
        #[case] user: Option<Level>,
        #[case] project: Option<Level>,
        #[case] level: Level,
        #[case] layer: Layer,
    ) {
        let toolbox = Toolbox::standard();
        let part = |layer, level: Option<Level>| level.map(|level| (layer, named("read", "path", level)));
        let parts: Vec<_> = [part(Layer::User, user), part(Layer::Project, project)]
            .into_iter()
            .flatten()
            .collect();
        let read = toolbox.get("read").unwrap();
        assert_eq!(policy(&parts).level(read, "path"), (level, layer));
        let write = toolbox.get("write").unwrap();
        assert_eq!(policy(&parts).level(write, "path").0, Level::ByEffect);
    }

    #[test]
    fn a_name_goes_over_every_tool_and_that_over_the_profile() {
        let toolbox = Toolbox::standard();
        let mut said = guardian();
        said.named.insert(("*".to_owned(), "path".to_owned()), Level::Off);
        said.named
            .insert(("grep".to_owned(), "path".to_owned()), Level::Always);
        let policy = policy(&[(Layer::User, said)]);
        let level = |tool: &str, member: &str| policy.level(toolbox.get(tool).unwrap(), member).0;
        assert_eq!(level("grep", "path"), Level::Always);
        assert_eq!(level("grep", "glob"), Level::Always, "it selects below the path");
        assert_eq!(level("read", "path"), Level::Off);
        assert_eq!(level("bash", "command"), Level::Always);
    }

    #[test]
    fn words_lead_back_and_each_level_asks_more() {
        for level in Level::ALL {
            assert_eq!(Level::by_word(level.word()), Some(level));
        }
        for profile in Profile::ALL {
            assert_eq!(Profile::by_word(profile.word()), Some(profile));
        }
        for (milder, stricter) in Level::ALL.iter().zip(Level::ALL.iter().skip(1)) {
            assert!(milder < stricter);
            for matter in [Matter::Doubt, Matter::Private, Matter::Outside, Matter::Deed] {
                assert!(stricter.asks(matter) >= milder.asks(matter));
            }
        }
    }
}
