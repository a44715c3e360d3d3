use portcullis_classify::{Layer, Level, Levels, Profile, Toolbox};

use super::Lowering;
use crate::config::diagnostic::quoted;
use crate::config::document::{LevelWord, ProfileWord, Review};
use crate::config::suggest::nearest;

impl Lowering<'_> {
    pub(super) fn levels(&mut self, review: Review) -> Levels {
        let profile = self.set("review.profile", review.profile.as_ref());
        let toolbox = Toolbox::standard();
        let mut levels = Levels {
            profile: profile.map(|word| match word {
                ProfileWord::ByEffect => Profile::ByEffect,
                ProfileWord::Guardian => Profile::Guardian,
            }),
            ..Levels::default()
        };
        for (tool, parameters) in review.levels {
            if let Some((message, hint)) = unknown_tool(&toolbox, tool.get_ref()) {
                self.wrong(tool.span(), message, hint);
                continue;
            }
            for (member, word) in parameters {
                if let Some((message, hint)) = unknown_parameter(&toolbox, tool.get_ref(), member.get_ref()) {
                    self.wrong(member.span(), message, hint);
                    continue;
                }
                let name = format!("{}.{}", tool.get_ref(), member.get_ref());
                let level = level(*word.get_ref());
                if level == Level::Off && self.layer == Layer::Project {
                    self.wrong(
                        word.span(),
                        format!("a project may not turn off the review of {}", quoted(&name)),
                        "leave it out: a project can only strengthen what its users say",
                    );
                }
                self.origins.set(
                    format!("review.levels.{name}"),
                    self.source.position(word.span()).line,
                );
                let key = (tool.get_ref().clone(), member.into_inner());
                levels.named.insert(key, level);
            }
        }
        levels
    }
}

fn level(word: LevelWord) -> Level {
    match word {
        LevelWord::Off => Level::Off,
        LevelWord::PrivateOnly => Level::PrivateOnly,
        LevelWord::OutsideOrPrivate => Level::OutsideOrPrivate,
        LevelWord::ByEffect => Level::ByEffect,
        LevelWord::Always => Level::Always,
    }
}

/// A slip in a name would set a level of nothing, and leave the tool that was meant as it is. Hosts have tools of their own,
/// so a name that is like none that is known is one of these.
pub(in crate::config) fn unknown_tool(toolbox: &Toolbox, tool: &str) -> Option<(String, String)> {
    if tool == "*" || toolbox.get(tool).is_some() {
        return None;
    }
    if tool.is_empty() {
        let hint = "write the tool's exact name, or `\"*\"` for every tool";
        return Some(("the tool's name is empty".to_owned(), hint.to_owned()));
    }
    let known = nearest(tool, toolbox.names())?;
    Some((
        format!("unknown tool {}", quoted(tool)),
        format!("did you mean `{known}`?"),
    ))
}

/// A parameter that a known tool does not have.
pub(in crate::config) fn unknown_parameter(
    toolbox: &Toolbox,
    tool: &str,
    member: &str,
) -> Option<(String, String)> {
    let known = toolbox.get(tool)?;
    let mut members = known.operands().iter().map(|operand| operand.member.as_ref());
    if member == "path" || members.clone().any(|one| one == member) {
        return None;
    }
    let hint = match nearest(member, members.clone()) {
        Some(known) => format!("did you mean `{known}`?"),
        None => match members.next() {
            Some(first) => format!(
                "known here: {}",
                members.fold(first.to_owned(), |list, one| format!("{list}, {one}"))
            ),
            None => "it has no parameter that names something".to_owned(),
        },
    };
    Some((
        format!("the tool {} has no parameter {}", quoted(tool), quoted(member)),
        hint,
    ))
}
