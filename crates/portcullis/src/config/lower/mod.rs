//! Document to layer: what the words mean, and whether they may be said here.

mod catalogue;
mod programs;
mod review;
mod rules;
mod zones;

pub(super) use review::{unknown_parameter, unknown_tool};

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portcullis_classify::{Layer, LayerRules, Policy, Preset, Risk};
use toml::Spanned;

use super::diagnostic::{ConfigError, ConfigErrorKind, Diagnostic, quoted};
use super::document::{AllowWord, ApproverWord, Document, OtherwiseWord, PresetWord};
use super::origin::Origins;
use super::settings::{HookAllow, UserSettings, WhoIsAsked};
use super::source::Source;
use super::{ProjectConfig, UserConfig};

/// A day: longest wait for an answer.
pub(super) const LONGEST_DEADLINE_SECONDS: u64 = 86_400;

/// How the ids of the zones over the gate's own files begin.
const RESERVED: &str = "own.";

/// Turns a user's document into what it says.
pub(super) fn user(document: Document, source: &Source) -> Result<UserConfig, ConfigError> {
    let mut lowering = Lowering::new(source, None);
    let settings = lowering.settings(&document);
    let rules = lowering.layer(document);
    let origins = lowering.finish(&rules)?;
    Ok(UserConfig {
        rules,
        settings,
        origins,
    })
}

/// Turns a project's document into what it says; relative places are below `root`.
pub(super) fn project(
    document: Document,
    source: &Source,
    root: &Path,
) -> Result<ProjectConfig, ConfigError> {
    let mut lowering = Lowering::new(source, Some(root));
    lowering.refuse_user_settings(&document);
    let rules = lowering.layer(document);
    let origins = lowering.finish(&rules)?;
    Ok(ProjectConfig { rules, origins })
}

/// Collects everything that is wrong, so that a person repairs a file once.
struct Lowering<'a> {
    source: &'a Source,
    layer: Layer,
    root: Option<&'a Path>,
    ids: HashMap<String, Range<usize>>,
    origins: Origins,
    found: Vec<Diagnostic>,
    kind: Option<ConfigErrorKind>,
}

impl<'a> Lowering<'a> {
    fn new(source: &'a Source, root: Option<&'a Path>) -> Self {
        Self {
            source,
            layer: match root {
                None => Layer::User,
                Some(_) => Layer::Project,
            },
            root,
            ids: HashMap::new(),
            origins: Origins::of(&source.name),
            found: Vec::new(),
            kind: None,
        }
    }

    /// The policy has the last word on every rule, so that a file which loads also joins.
    fn finish(mut self, rules: &LayerRules) -> Result<Origins, ConfigError> {
        if self.kind.is_none()
            && let Err(error) = Policy::join(vec![rules.clone()])
        {
            let span = self.ids.get(error.rule()).cloned().unwrap_or(0..0);
            self.wrong(span, error.to_string(), error.hint());
        }
        match self.kind {
            None => {
                for (id, span) in self.ids {
                    self.origins.set(id, self.source.position(span).line);
                }
                Ok(self.origins)
            }
            Some(kind) => {
                self.found
                    .sort_by_key(|one| one.position.as_ref().map(|at| at.span.start));
                Err(ConfigError::many(kind, self.source.clone(), self.found))
            }
        }
    }

    /// Where an example stands under its member.
    fn example(&self, span: &Range<usize>, member: &str, example: &str) -> Range<usize> {
        let rest = self.source.text.get(span.start..).unwrap_or_default();
        let at = rest.find(member).map_or(span.start, |at| span.start + at);
        match self.within(&(at..span.end), example) {
            found if found.start == at => span.clone(),
            found => found,
        }
    }

    /// Where a text stands behind the beginning of a span, quoted; the span itself where it does not.
    fn within(&self, span: &Range<usize>, text: &str) -> Range<usize> {
        let rest = self.source.text.get(span.start..).unwrap_or_default();
        let quoted = [format!("\"{text}\""), format!("'{text}'")];
        let found = quoted
            .iter()
            .filter_map(|quoted| Some((rest.find(quoted.as_str())?, quoted.len())));
        found.min().map_or(span.clone(), |(at, length)| {
            span.start + at..span.start + at + length
        })
    }

    fn wrong(&mut self, span: Range<usize>, message: impl Into<String>, hint: impl Into<String>) {
        self.report(ConfigErrorKind::Meaning, span, message, hint);
    }

    fn report(
        &mut self,
        kind: ConfigErrorKind,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.kind.get_or_insert(kind);
        self.found.push(Diagnostic {
            message: message.into(),
            position: Some(self.source.position(span)),
            hint: Some(hint.into()),
        });
    }

    /// Remembers where a setting stands.
    fn set<T: Copy>(&mut self, name: &str, value: Option<&Spanned<T>>) -> Option<T> {
        let value = value?;
        self.origins.set(name, self.source.position(value.span()).line);
        Some(*value.get_ref())
    }

    fn layer(&mut self, document: Document) -> LayerRules {
        let preset = self.set("preset", document.preset.as_ref());
        let otherwise = self.set("otherwise", document.otherwise.as_ref());
        let (zones, reasons) = self.zones(document.zones);
        let catalogue = self.catalogue(document.catalogue);
        let levels = self.levels(document.review);
        let (programs, known) = self.programs(document.program);
        LayerRules {
            layer: self.layer,
            otherwise: otherwise.map(|word| match word {
                OtherwiseWord::Confirm => Risk::Confirm,
                OtherwiseWord::Deny => Risk::Deny,
            }),
            preset: preset.map(|word| match word {
                PresetWord::Everyday => Preset::Everyday,
                PresetWord::Careful => Preset::Careful,
            }),
            zones,
            reasons,
            off: catalogue.off,
            names: catalogue.added,
            removed: catalogue.removed,
            levels,
            programs,
            rules: self.rules(document.rule, &known),
            broken: None,
        }
    }

    fn settings(&mut self, document: &Document) -> UserSettings {
        let approval = document.approval.as_ref().map(Spanned::get_ref);
        let deadline = approval.and_then(|approval| approval.deadline_seconds.as_ref());
        let approver = approval.and_then(|approval| approval.approver.as_ref());
        let approver = self.set("approval.approver", approver);
        let audit = document
            .audit
            .as_ref()
            .and_then(|audit| audit.get_ref().path.as_ref());
        let allow = document
            .hook
            .as_ref()
            .and_then(|hook| hook.get_ref().claude_code.as_ref())
            .and_then(|hook| hook.allow.as_ref());
        let allow = self.set("hook.claude-code.allow", allow);
        self.set("approval.deadline_seconds", deadline);
        if let Some(path) = audit {
            self.origins
                .set("audit.path", self.source.position(path.span()).line);
        }
        UserSettings {
            deadline: deadline.and_then(|seconds| self.deadline(seconds)),
            approver: approver.map(|word| match word {
                ApproverWord::Here => WhoIsAsked::Here,
                ApproverWord::Desk => WhoIsAsked::Desk,
            }),
            claude_code_allow: match allow {
                Some(AllowWord::Allow) => HookAllow::Allow,
                Some(AllowWord::Silent) | None => HookAllow::Silent,
            },
            audit: audit.and_then(|path| self.place(path.get_ref(), path.span())),
        }
    }

    fn deadline(&mut self, seconds: &Spanned<i64>) -> Option<Duration> {
        let chosen = u64::try_from(*seconds.get_ref()).ok();
        let within = chosen.filter(|seconds| (1..=LONGEST_DEADLINE_SECONDS).contains(seconds));
        if within.is_none() {
            self.wrong(
                seconds.span(),
                format!("a deadline of {} seconds cannot be kept", seconds.get_ref()),
                format!("choose 1 to {LONGEST_DEADLINE_SECONDS} seconds"),
            );
        }
        within.map(Duration::from_secs)
    }

    /// A project must not choose where its own deeds are recorded, how long it is waited for, or what a host is
    /// told.
    fn refuse_user_settings(&mut self, document: &Document) {
        let catalogue = document.catalogue.as_ref().map(Spanned::get_ref);
        let off = catalogue.and_then(|table| table.off.first());
        let removed = catalogue.and_then(|table| table.remove.first());
        let spans = [
            ("approval", document.approval.as_ref().map(Spanned::span)),
            ("catalogue.off", off.map(Spanned::span)),
            ("catalogue.remove", removed.map(Spanned::span)),
            ("hook", document.hook.as_ref().map(Spanned::span)),
            ("audit", document.audit.as_ref().map(Spanned::span)),
        ];
        for (key, span) in spans {
            if let Some(span) = span {
                self.wrong(
                    span,
                    format!("a project may not set `{key}`"),
                    "move it to your own policy file: a project can only tighten",
                );
            }
        }
    }

    /// A place: absolute, below `~/`, or (in a project) below its root.
    fn place(&mut self, text: &str, span: Range<usize>) -> Option<PathBuf> {
        let steps_back = text.split('/').any(|name| name == "..");
        let anchored = text.starts_with('/') || text == "~" || text.starts_with("~/");
        if text.is_empty() || text.contains('\0') || steps_back {
            self.wrong(
                span,
                format!("{} does not name one place", quoted(text)),
                "write a path without `..`, absolute or beginning with `~/`",
            );
            return None;
        }
        match (anchored, self.root) {
            (true, _) => Some(PathBuf::from(text)),
            (false, Some(root)) if !text.starts_with('~') => Some(root.join(text)),
            (false, _) => {
                self.wrong(
                    span,
                    format!("{} is not an absolute place", quoted(text)),
                    "write an absolute path, or one that begins with `~/`",
                );
                None
            }
        }
    }

    /// Takes an id that a person wrote: well-formed, and used once in a file.
    fn id(&mut self, id: &str, span: Range<usize>) {
        const LONGEST: usize = 64;
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if id.is_empty() || id.len() > LONGEST || !id.chars().all(plain) {
            self.wrong(
                span,
                format!("{} cannot be an id", quoted(id)),
                "use 1 to 64 letters, digits, `-`, `_` and `.`",
            );
            return;
        }
        if id.starts_with(RESERVED) {
            self.wrong(
                span,
                format!("the id {} belongs to the gate's own files", quoted(id)),
                format!("choose one that does not begin with `{RESERVED}`"),
            );
            return;
        }
        self.once(id, span);
    }

    fn once(&mut self, id: &str, span: Range<usize>) {
        if let Some(first) = self.ids.insert(id.to_owned(), span.clone()) {
            let line = self.source.position(first).line;
            self.wrong(
                span,
                format!("the id {} is used twice", quoted(id)),
                format!("it stands in line {line} already: choose another"),
            );
        }
    }

    fn because(&mut self, text: &Spanned<String>) {
        if text.get_ref().trim().is_empty() {
            self.wrong(
                text.span(),
                "the reason is empty",
                "say in `because` what the person who is asked should know",
            );
        }
    }
}
