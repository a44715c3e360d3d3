use std::path::Path;

use portcullis_paths::{
    Concern, Dialect, Error, ErrorKind, FileKind, GlobReach, Listings, Operation, Place, Request, Resolver,
    Standing, State, Target, Touch,
};

use crate::commands::Line;
use crate::policy::builtin::{Scene, rules};
use crate::policy::{Named, Seen};
use crate::private::{self, Cache, Reach};
use crate::{Call, Cause, EffectKind, Layer, Policy, Risk, ToolSpec, show};

/// What one call's effects are judged with.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub(super) call: &'a Call,
    pub(super) tool: &'a ToolSpec,
    pub(super) policy: &'a Policy,
    pub(super) resolver: &'a Resolver,
    /// The workspace roots whose own code may run, by their index.
    pub(super) trusted: &'a [usize],
    /// What searches found a moment ago.
    pub(super) searched: &'a Cache,
    /// What patterns of this call looked at.
    pub(super) listings: &'a Listings,
    /// The defaults that do not hold for the command that is judged.
    pub(super) named: Named,
}

/// A path operand of the call.
#[derive(Clone, Copy)]
pub(super) struct PathOperand<'a> {
    pub(super) member: &'a str,
    pub(super) text: &'a str,
    pub(super) dialect: &'a Dialect,
    pub(super) operation: Operation,
    /// Where a relative path begins, when that is not the call's own directory.
    pub(super) cwd: Option<&'a Path>,
}

impl<'a> PathOperand<'a> {
    /// A word of a command that runs in this directory.
    pub(super) fn of_command(
        member: &'a str,
        text: &'a str,
        operation: Operation,
        directory: &'a str,
    ) -> Self {
        Self {
            member,
            text,
            dialect: &Dialect::SHELL_WORD,
            operation,
            cwd: Some(directory.as_ref()),
        }
    }
}

/// A path that did not become a target.
pub(super) enum Refused {
    /// The call names no working directory, so that its paths mean nothing.
    NoCwd,
    /// The resolver says no.
    Path {
        /// Where it is, as far as that is known.
        place: Option<Place>,
        touches: Vec<Touch>,
        cause: Cause,
        kind: ErrorKind,
    },
    /// It is outside, and nothing there can be held. What is there must not be told, so it is asked about like what can.
    Outside {
        /// Where it is, as far as that is known.
        place: Option<Place>,
        touches: Vec<Touch>,
        /// What is the matter, for people.
        cause: Cause,
    },
}

/// Whether what is mounted below a directory is read or moved with it.
pub(super) fn takes_along(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Search | Operation::CopyFrom | Operation::MoveFrom
    )
}

impl Judge<'_> {
    pub(super) fn resolve(&self, operand: PathOperand<'_>) -> Result<Target, Refused> {
        // The host's word for it, never the process's own.
        let cwd = operand.cwd.or(self.call.cwd()).ok_or(Refused::NoCwd)?;
        let request = Request {
            text: operand.text.as_bytes(),
            dialect: operand.dialect,
            operation: operand.operation,
            cwd,
        };
        let target = self
            .resolver
            .resolve(&request)
            .map_err(|error| self.refused(&error))?;
        if target.concerns().contains(&Concern::Climbs) {
            return Err(self.refused(&Error::undisclosed(request.text)));
        }
        Ok(target)
    }

    /// Where a pattern leads that the tool expands itself.
    pub(super) fn reach(&self, pattern: PathOperand<'_>) -> Result<GlobReach, Refused> {
        let cwd = pattern.cwd.or(self.call.cwd()).ok_or(Refused::NoCwd)?;
        let request = Request {
            text: pattern.text.as_bytes(),
            dialect: pattern.dialect,
            operation: pattern.operation,
            cwd,
        };
        self.resolver
            .glob_with(&request, self.listings)
            .map_err(|error| self.refused(&error))
    }

    /// The sentence and the code are those of the error, which say the same of everything that must not be told
    /// apart (R15). A protected place is refused in the name of the zone's rule.
    fn refused(&self, error: &Error) -> Refused {
        if error.may_be_asked() {
            let text = format!("no object can be held there: it {}", error.truth());
            return Refused::Outside {
                place: error.place().cloned(),
                touches: error.touches().to_vec(),
                cause: rules::OUTSIDE_UNHELD.because(&text),
            };
        }
        let text = show::sentence(&error.to_string());
        let is_protected = error.kind() == ErrorKind::Protected;
        let cause = match error.rule().filter(|_| is_protected) {
            Some(zone) => Cause::new(zone, self.policy.zone_layer(zone), Risk::Deny, &text),
            None => Cause::new(error.code(), Layer::BuiltIn, Risk::Deny, &text),
        };
        // A missing place outside has the code of a protected one, and so must not have the id of another rule.
        let cause = if error.code() == "path.protected" {
            cause.reticent()
        } else {
            cause
        };
        Refused::Path {
            place: error.place().cloned(),
            touches: error.touches().to_vec(),
            cause,
            kind: error.kind(),
        }
    }

    /// The causes of an effect on a target, at least one.
    pub(super) fn target_causes(&self, kind: EffectKind, target: &Target) -> Vec<Cause> {
        let mut causes = self.stat_causes(kind, target);
        causes.extend(self.name_causes(kind, target));
        causes
    }

    /// The same without what the names of a target say of what is in it.
    pub(super) fn stat_causes(&self, kind: EffectKind, target: &Target) -> Vec<Cause> {
        let scene = match target.standing() {
            Standing::Inside { .. } | Standing::Exactly { .. } => Scene::Inside,
            // Also any standing that is not known yet.
            _ => Scene::Outside,
        };
        let mut causes = self.place_causes(kind, target.touches(), scene);
        causes.extend(self.concern_causes(target.concerns()));
        causes
    }

    /// The causes that the names of a target give.
    pub(super) fn name_causes(&self, kind: EffectKind, target: &Target) -> Vec<Cause> {
        let places = [target.place()].into_iter().chain(target.links());
        let home = self.resolver.ambient().home();
        self.policy.name_causes(kind, places.map(Place::as_bytes), home)
    }

    /// What is private below the start of a search in the workspace, as far as the search reaches.
    pub(super) fn below(
        &self,
        kind: EffectKind,
        target: &Target,
        reach: impl FnOnce() -> Reach,
    ) -> Option<Cause> {
        if kind != EffectKind::Search || target.standing() == Standing::Outside {
            return None;
        }
        let reach = reach();
        let home = self.resolver.ambient().home();
        let look = || private::below(target, &reach, self.policy, home);
        self.searched.get(target.place().as_bytes(), &reach, look).cause()
    }

    /// The causes that the layers' own rules give for an effect on a place; often none.
    pub(super) fn ruled_causes(&self, kind: EffectKind, touches: &[Touch]) -> Vec<Cause> {
        let seen = Seen {
            kind,
            touches,
            command: None,
            named: self.named,
        };
        self.policy.ruled(self.tool.name(), seen).collect()
    }

    /// Causes that were found elsewhere, with what the layers say of an effect on no path.
    pub(super) fn with_rules(
        &self,
        causes: Vec<Cause>,
        kind: EffectKind,
        line: Option<Line<'_, '_>>,
    ) -> Vec<Cause> {
        let seen = Seen {
            kind,
            touches: &[],
            command: line,
            named: self.named,
        };
        self.policy.with_rules(causes, self.tool.name(), seen)
    }

    /// The workspace root that a target lies in.
    pub(super) fn root_of(&self, target: &Target) -> Option<usize> {
        match target.standing() {
            Standing::Inside { root } => Some(root),
            _ => None,
        }
    }

    /// Why going through a directory of the workspace name by name asks: it leads to what is mounted there.
    pub(super) fn mount_below(&self, target: &Target) -> Option<Cause> {
        self.root_of(target)
            .filter(|_| target.state() == State::Existing(FileKind::Dir))?;
        match target.holds_mount() {
            Ok(false) => None,
            Ok(true) => Some(rules::MOUNT_BELOW.cause()),
            Err(_) => Some(rules::MOUNT_BELOW.because("whether a mount lies below could not be told")),
        }
    }

    /// Whether the project in this root is trusted to run its own code.
    pub(super) fn is_trusted(&self, root: usize) -> bool {
        self.trusted.contains(&root)
    }

    /// Whether a directory that holds the call's own is a root, or above one: taking it away is no matter of the
    /// workspace.
    pub(super) fn is_above_workspace(&self, path: &str) -> bool {
        let operand = PathOperand {
            member: "",
            text: path,
            dialect: &Dialect::SHELL_WORD,
            operation: Operation::DeleteTree,
            cwd: None,
        };
        !matches!(self.resolve(operand), Ok(target) if target.standing() != Standing::Outside)
    }

    /// The causes of an effect on a place, whatever is there; at least one.
    pub(super) fn place_causes(&self, kind: EffectKind, touches: &[Touch], scene: Scene) -> Vec<Cause> {
        let seen = Seen {
            kind,
            touches,
            command: None,
            named: self.named,
        };
        self.policy.effect_causes(self.tool.name(), seen, scene)
    }

    /// The causes of what a pattern selects, at least one.
    pub(super) fn reach_causes(&self, kind: EffectKind, reach: &GlobReach) -> Vec<Cause> {
        let scene = match reach.outside() {
            Some(_) => Scene::Outside,
            None => Scene::Inside,
        };
        let mut causes = self.place_causes(kind, reach.touches(), scene);
        causes.extend(self.concern_causes(reach.concerns()));
        causes
    }

    fn concern_causes(&self, concerns: &[Concern]) -> impl Iterator<Item = Cause> {
        concerns.iter().map(|concern| self.concern_cause(concern))
    }

    /// The causes of an effect on no path, at least one.
    pub(super) fn pathless_causes(&self, kind: EffectKind) -> Vec<Cause> {
        self.place_causes(kind, &[], Scene::Nowhere)
    }

    fn concern_cause(&self, concern: &Concern) -> Cause {
        match concern {
            Concern::ConfirmRead { zone } => {
                self.policy
                    .zone_cause(zone, Risk::Confirm, "reading here asks first")
            }
            Concern::ConfirmWrite { zone } => {
                self.policy
                    .zone_cause(zone, Risk::Confirm, "changing this asks first")
            }
            Concern::HardLinked { names } => {
                let text = format!("the file has {names} names, and all of them would change");
                rules::HARD_LINKED.because(&text)
            }
            Concern::NamesUntold { zone, names } => {
                let text = format!(
                    "the file has {names} names, and whether one of them lies where rule `{zone}` says could not be told"
                );
                rules::NAMES_UNTOLD.because(&text)
            }
            Concern::WeakIdentity => rules::WEAK_IDENTITY.cause(),
            Concern::UnusualName => rules::UNUSUAL_NAME.cause(),
            _ => rules::CONCERN_UNKNOWN.cause(),
        }
    }
}
