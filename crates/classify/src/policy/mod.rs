//! What is risky: built-in rules, presets, and the layers that tighten them.

pub(crate) mod builtin;
mod check;
mod error;
mod layers;
mod levels;
mod otherwise;
mod plain;
mod rule;
mod said;
mod version;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub use error::{PolicyError, PolicyErrorKind};
pub use layers::{LayerRules, Preset};
pub(crate) use levels::Parameter;
pub use levels::{Level, Levels, Profile};
use otherwise::Otherwise;
use portcullis_paths::{Relation, Touch, Zone, ZoneKind};
pub(crate) use rule::{Named, Seen};
pub use rule::{Rule, RuleSubject};

use crate::catalogue::{About, Catalogue};
use crate::commands::{Line, Programs};
use crate::{Cause, EffectKind, Layer, NameGroup, ProgramEntry, Risk};
use builtin::{Scene, rules};

/// All layers, joined.
///
/// ```
/// use portcullis_classify::{Layer, LayerRules, Policy, Preset};
///
/// let user = LayerRules { preset: Some(Preset::Careful), ..LayerRules::empty(Layer::User) };
/// let project = LayerRules { preset: Some(Preset::Everyday), ..LayerRules::empty(Layer::Project) };
/// let policy = Policy::join(vec![user, project])?;
/// assert_eq!(policy.preset(), Preset::Careful, "a project cannot loosen");
/// # Ok::<(), portcullis_classify::PolicyError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Policy {
    preset: Preset,
    otherwise: Vec<Otherwise>,
    rules: Vec<Placed<Rule>>,
    zones: Vec<Placed<Zone>>,
    reasons: BTreeMap<String, String>,
    off: BTreeSet<String>,
    catalogue: Cow<'static, Catalogue>,
    removed: Vec<NameGroup>,
    said_of_programs: Vec<Placed<ProgramEntry>>,
    programs: Programs,
    levels: Vec<Placed<Levels>>,
    broken: Vec<(Layer, String)>,
    version: String,
    common: String,
}

/// Something together with the layer it stands in.
#[derive(Debug, Clone)]
struct Placed<T> {
    layer: Layer,
    item: T,
}

impl Policy {
    /// Joins layers; the built-in one is always there. The order in which they are given means nothing, and a layer
    /// may be given in several parts.
    ///
    /// # Errors
    /// A rule or a default with risk `Allow`; a rule without a subject or that can never match; an id that is unusable, built in or used
    /// twice; a path that is neither absolute nor begins with `~/`; a group that is turned off by a project, or that
    /// the catalogue does not have.
    pub fn join(layers: Vec<LayerRules>) -> Result<Self, PolicyError> {
        let mut ids = check::Ids::default();
        let mut policy = Self {
            preset: Preset::default(),
            otherwise: Vec::new(),
            rules: Vec::new(),
            zones: Vec::new(),
            reasons: BTreeMap::new(),
            off: BTreeSet::new(),
            catalogue: Cow::Borrowed(Catalogue::built_in()),
            removed: Vec::new(),
            said_of_programs: Vec::new(),
            programs: Programs::default(),
            levels: Vec::new(),
            broken: Vec::new(),
            version: String::new(),
            common: String::new(),
        };
        for part in layers {
            policy.otherwise.extend(Otherwise::of(&part)?);
            let LayerRules {
                layer,
                preset,
                otherwise: _,
                rules,
                zones,
                reasons,
                off,
                names,
                removed,
                programs,
                levels,
                broken,
            } = part;
            policy.preset = policy.preset.max(preset.unwrap_or_default());
            for item in rules {
                check::rule(&item)?;
                ids.take(&item.id, layer)?;
                policy.rules.push(Placed { layer, item });
            }
            for item in zones {
                check::zone(&item)?;
                ids.take(&item.id, layer)?;
                if let Some(reason) = reasons.get(&item.id) {
                    policy.reasons.insert(item.id.clone(), reason.clone());
                }
                policy.zones.push(Placed { layer, item });
            }
            for group in off {
                check::off(&group, layer)?;
                policy.off.insert(group);
            }
            for group in removed {
                check::removal(&group, layer)?;
                policy.remove(group)?;
            }
            for group in names {
                check::names(&group)?;
                ids.take(group.id(), layer)?;
                policy.catalogue.to_mut().add(layer, group);
            }
            policy
                .said_of_programs
                .extend(programs.into_iter().map(|item| Placed { layer, item }));
            if !levels.is_empty() {
                check::levels(&levels, layer)?;
                policy.levels.push(Placed { layer, item: levels });
            }
            policy.broken.extend(broken.map(|reason| (layer, reason)));
        }
        policy.explain()?;
        policy
            .rules
            .sort_by(|a, b| (a.layer, &a.item.id).cmp(&(b.layer, &b.item.id)));
        policy
            .zones
            .sort_by(|a, b| (a.layer, &a.item.id).cmp(&(b.layer, &b.item.id)));
        policy.otherwise.sort();
        policy.levels.sort_by(|a, b| {
            (a.layer, a.item.profile, &a.item.named).cmp(&(b.layer, b.item.profile, &b.item.named))
        });
        policy.broken.sort();
        policy.version = version::of(&policy);
        policy.common = version::of_common(&policy);
        Ok(policy)
    }
    /// Zones to open the resolver with: those of the layers and one `Named` zone for each rule with `under`.
    #[must_use]
    pub fn zones(&self) -> Vec<Zone> {
        let named = self.rules.iter().filter_map(|Placed { item, .. }| {
            item.subject.under.clone().map(|path| Zone {
                id: item.id.clone(),
                kind: ZoneKind::Named,
                path,
            })
        });
        self.zones
            .iter()
            .map(|zone| zone.item.clone())
            .chain(named)
            .collect()
    }
    /// SHA-256 over everything that decides, in hexadecimal: the policy's version. Equal layers have equal versions,
    /// in whatever order they come; sentences for people do not count.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }
    /// The same over all that every call is judged by: everything but rules, zones and defaults, of which a verdict names
    /// those that it rests on.
    #[must_use]
    pub fn common_version(&self) -> &str {
        &self.common
    }
    /// The same over what the rules and zones with this id say that stand in this layer. What is built in says nothing
    /// here: it is in common.
    #[must_use]
    pub fn rule_version(&self, layer: Layer, id: &str) -> String {
        version::of_rule(self, layer, id)
    }
    /// The strictest preset of all layers.
    #[must_use]
    pub fn preset(&self) -> Preset {
        self.preset
    }

    /// What becomes of an effect that the built-in defaults ask about and no rule names, and the layers that make it
    /// stricter than the question: the strictest of all.
    #[must_use]
    pub fn otherwise(&self) -> (Risk, Option<Layer>) {
        let strictest = self
            .otherwise
            .iter()
            .max_by_key(|one| (one.risk, std::cmp::Reverse(one.layer)));
        strictest.map_or((Risk::Confirm, None), |one| (one.risk, Some(one.layer)))
    }

    /// Every rule of the layers with the layer that it stands in, in the order of layers and ids.
    pub fn rules(&self) -> impl Iterator<Item = (Layer, &Rule)> {
        self.rules.iter().map(|placed| (placed.layer, &placed.item))
    }
    /// Every zone of the layers with the layer that it stands in, in the order of layers and ids.
    pub fn placed_zones(&self) -> impl Iterator<Item = (Layer, &Zone)> {
        self.zones.iter().map(|placed| (placed.layer, &placed.item))
    }
    /// The groups of the catalogue that do not ask.
    pub fn off(&self) -> impl Iterator<Item = &str> {
        self.off.iter().map(String::as_str)
    }
    /// The layers that could not be read, and why.
    pub fn broken(&self) -> impl Iterator<Item = (Layer, &str)> {
        self.broken.iter().map(|(layer, why)| (*layer, why.as_str()))
    }

    /// The layer that a zone stands in. A zone that no layer knows was opened by the host for this run.
    pub(crate) fn zone_layer(&self, zone: &str) -> Layer {
        let placed = self.zones.iter().find(|placed| placed.item.id == zone);
        placed.map_or(Layer::Run, |placed| placed.layer)
    }

    /// The causes that are about the call as a whole: rules by tool alone, and broken layers.
    pub(crate) fn call_causes(&self, tool: &str) -> Vec<Cause> {
        let broken = self.broken.iter().map(|(layer, reason)| Cause {
            layer: *layer,
            ..rules::LAYER_BROKEN.because(reason)
        });
        let ruled = self.rules.iter().filter(|rule| rule.item.matches_call(tool));
        broken.chain(ruled.map(Placed::cause)).collect()
    }

    /// The causes that are about one effect; at least one.
    pub(crate) fn effect_causes(&self, tool: &str, seen: Seen<'_>, scene: Scene) -> Vec<Cause> {
        let causes = builtin::causes(self.preset, seen.kind, scene);
        self.with_rules(causes, tool, seen)
    }

    /// The same for causes that were found elsewhere: the layers' own rules, and their defaults.
    pub(crate) fn with_rules(&self, mut causes: Vec<Cause>, tool: &str, seen: Seen<'_>) -> Vec<Cause> {
        if causes.iter().any(|cause| cause.risk >= Risk::Confirm) {
            let defaults = self.otherwise.iter().enumerate();
            let unnamed =
                defaults.filter(|(at, one)| !seen.named.contains(*at) && !self.names(one, tool, seen));
            let unnamed: Vec<Cause> = unnamed.map(|(_, one)| one.cause()).collect();
            causes.extend(unnamed);
        }
        causes.extend(self.ruled(tool, seen));
        causes
    }

    /// The causes that the layers' own rules give for one effect.
    pub(crate) fn ruled<'a>(&'a self, tool: &'a str, seen: Seen<'a>) -> impl Iterator<Item = Cause> + 'a {
        let ruled = self.rules.iter();
        ruled
            .filter(move |rule| rule.item.matches_effect(tool, seen))
            .map(Placed::cause)
    }

    /// The defaults that do not hold for what this command does, because a rule beside them names the command.
    pub(crate) fn naming(&self, tool: &str, line: Line<'_, '_>) -> Named {
        let names = |one: &Otherwise| {
            let mut beside = self.rules.iter().filter(|rule| one.has(&rule.item.id));
            beside.any(|rule| rule.item.names_command(tool, line))
        };
        let defaults = self.otherwise.iter().enumerate();
        defaults
            .filter(|(_, one)| names(one))
            .fold(Named::default(), |named, (at, _)| named.with(at))
    }

    /// Whether the part of a layer that has this default says something of its own about the effect.
    fn names(&self, one: &Otherwise, tool: &str, seen: Seen<'_>) -> bool {
        // A place that is only part of what the operation takes does not speak for the rest.
        let within: Vec<Touch> = seen
            .touches
            .iter()
            .filter(|touch| touch.relation == Relation::Within)
            .cloned()
            .collect();
        let seen = Seen {
            touches: &within,
            ..seen
        };
        let by_rule = self
            .rules
            .iter()
            .filter(|rule| one.has(&rule.item.id))
            .any(|rule| rule.item.matches_call(tool) || rule.item.matches_effect(tool, seen));
        let by_zone = || {
            seen.touches
                .iter()
                .any(|touch| one.asks_at(&touch.zone, seen.kind))
        };
        by_rule || by_zone()
    }

    /// The causes that names give: where the path really leads, and the links that it crosses.
    pub(crate) fn name_causes<'a>(
        &self,
        kind: EffectKind,
        places: impl IntoIterator<Item = &'a [u8]>,
        home: Option<&Path>,
    ) -> Vec<Cause> {
        let about = About {
            preset: self.preset,
            home,
            off: &self.off,
        };
        self.catalogue.causes(kind, places, &about)
    }

    /// A cause in the name of a zone, with the zone's own reason when there is one.
    pub(crate) fn zone_cause(&self, zone: &str, risk: Risk, text: &str) -> Cause {
        let layer = self.zone_layer(zone);
        match self.reasons.get(zone) {
            Some(reason) => Cause::new(zone, layer, risk, &format!("{text}: {reason}")),
            None => Cause::new(zone, layer, risk, text),
        }
    }
}

impl Placed<Rule> {
    fn cause(&self) -> Cause {
        let Rule {
            id, risk, because, ..
        } = &self.item;
        Cause::new(id, self.layer, *risk, because)
    }
}

#[cfg(test)]
mod tests;
