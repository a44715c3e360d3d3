use portcullis_paths::{
    Concern, Dialect, Error, ErrorKind, Operation, Place, Request, Resolver, Standing, Target,
};

use super::Denial;
use super::findings::{Findings, Object};
use super::glob::{Bases, HERE, Reach};
use crate::policy::Seen;
use crate::policy::builtin::{Scene, rules};
use crate::toolbox::ArgumentFault;
use crate::{Call, Cause, EffectKind, Layer, Operand, Policy, Risk, Role, ToolSpec, show};

/// Collects what one call would do, operand by operand.
pub(super) struct Gather<'a> {
    call: &'a Call,
    tool: &'a ToolSpec,
    policy: &'a Policy,
    resolver: &'a Resolver,
    findings: Findings,
}

/// A path that did not become a target, and why.
struct Refused {
    place: Option<Place>,
    cause: Cause,
    is_protected: bool,
}

/// A path operand of the call.
#[derive(Clone, Copy)]
struct PathOperand<'a> {
    member: &'a str,
    text: &'a str,
    dialect: &'a Dialect,
    operation: Operation,
}

impl<'a> Gather<'a> {
    pub(super) fn new(
        call: &'a Call,
        tool: &'a ToolSpec,
        policy: &'a Policy,
        resolver: &'a Resolver,
    ) -> Self {
        Self {
            call,
            tool,
            policy,
            resolver,
            findings: Findings::default(),
        }
    }

    pub(super) fn run(mut self) -> Findings {
        for operand in self.tool.operands() {
            if let Err(fault) = self.operand(operand) {
                let text = format!("the arguments do not fit the tool: {fault}");
                return Findings::refused(Denial::BadArguments, rules::ARGUMENTS_BAD.because(&text));
            }
        }
        for &kind in self.tool.inherent() {
            if !self.findings.effects.iter().any(|effect| effect.kind == kind) {
                self.plain(kind, "", "", None);
            }
        }
        if self.findings.effects.is_empty() {
            self.findings.causes.push(rules::NO_EFFECTS.cause());
        }
        self.findings
    }

    fn operand(&mut self, operand: &'a Operand) -> Result<(), ArgumentFault> {
        let arguments = self.call.arguments();
        let texts = operand.texts(arguments)?;
        let member = operand.member.as_ref();
        match &operand.role {
            Role::Path {
                operation, dialect, ..
            } => {
                let missing = texts.is_empty() && operand.cwd_when_missing();
                for text in texts.into_iter().chain(missing.then_some(HERE)) {
                    self.path(PathOperand {
                        member,
                        text,
                        dialect,
                        operation: operand.operation(arguments).unwrap_or(*operation),
                    });
                }
            }
            Role::Glob {
                operation,
                dialect,
                base,
            } => {
                let bases = Bases::of(self.tool, arguments, base.as_deref())?;
                for pattern in texts {
                    for reach in bases.reached_by(pattern) {
                        match reach {
                            Reach::Below(text) => self.path(PathOperand {
                                member,
                                text: &text,
                                dialect,
                                operation: *operation,
                            }),
                            Reach::Anywhere => self.plain(EffectKind::Opaque, member, pattern, None),
                        }
                    }
                }
            }
            Role::Command { .. } => {
                for text in texts {
                    self.plain(EffectKind::Opaque, member, text, Some(text));
                }
            }
            Role::Url => {
                for text in texts {
                    self.plain(
                        EffectKind::Connect,
                        member,
                        &show::without_credentials(text),
                        None,
                    );
                }
            }
            Role::AgentCwd { dialect } => self.agent_cwd(member, &texts, dialect),
        }
        Ok(())
    }

    /// An effect on no path.
    fn plain(&mut self, kind: EffectKind, member: &str, operand: &str, command: Option<&str>) {
        let causes = self.pathless_causes(kind, command);
        self.findings
            .add(kind, member, operand, Object::default(), causes);
    }

    fn pathless_causes(&self, kind: EffectKind, command: Option<&str>) -> Vec<Cause> {
        let seen = Seen {
            kind,
            target: None,
            command,
        };
        self.policy.effect_causes(self.tool.name(), seen, Scene::Nowhere)
    }

    fn path(&mut self, operand: PathOperand<'_>) {
        let kind = EffectKind::of(operand.operation);
        let (object, causes) = match self.resolve(operand) {
            Ok(target) => {
                let causes = self.target_causes(kind, &target);
                (target.into(), causes)
            }
            Err(refused) => (refused.place.into(), vec![refused.cause]),
        };
        self.findings
            .add(kind, operand.member, operand.text, object, causes);
    }

    fn resolve(&mut self, operand: PathOperand<'_>) -> Result<Target, Refused> {
        // The host's word for it, never the process's own.
        let cwd = self.call.cwd().ok_or_else(|| {
            self.findings.fault = Some(Denial::BadArguments);
            Refused {
                place: None,
                cause: rules::CWD_MISSING.cause(),
                is_protected: false,
            }
        })?;
        let request = Request {
            text: operand.text.as_bytes(),
            dialect: operand.dialect,
            operation: operand.operation,
            cwd,
        };
        self.resolver
            .resolve(&request)
            .map_err(|error| self.refused(&error))
    }

    /// The sentence and the code are those of the error, which say the same of everything that must not be told
    /// apart (R15). A protected place is refused in the name of the zone's rule.
    fn refused(&self, error: &Error) -> Refused {
        let text = error.to_string();
        let is_protected = error.kind() == ErrorKind::Protected;
        let cause = match error.rule().filter(|_| is_protected) {
            Some(zone) => self.policy.zone_cause(zone, Risk::Deny, &text),
            None => Cause::new(error.code(), Layer::BuiltIn, Risk::Deny, &text),
        };
        Refused {
            place: error.place().cloned(),
            cause,
            is_protected,
        }
    }

    fn target_causes(&self, kind: EffectKind, target: &Target) -> Vec<Cause> {
        let scene = match target.standing() {
            Standing::Inside { .. } => Scene::Inside,
            // Also any standing that is not known yet.
            _ => Scene::Outside,
        };
        let seen = Seen {
            kind,
            target: Some(target),
            command: None,
        };
        let mut causes = self.policy.effect_causes(self.tool.name(), seen, scene);
        causes.extend(
            target
                .concerns()
                .iter()
                .map(|concern| self.concern_cause(concern)),
        );
        causes
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
            Concern::WeakIdentity => rules::WEAK_IDENTITY.cause(),
            Concern::UnusualName => rules::UNUSUAL_NAME.cause(),
            _ => rules::CONCERN_UNKNOWN.cause(),
        }
    }

    /// A sub-agent starts. A directory other than the call's own, compared byte by byte because only the tool knows
    /// how it reads the text, asks even when it does not resolve; a protected one is denied.
    fn agent_cwd(&mut self, member: &str, texts: &[&str], dialect: &Dialect) {
        if texts.is_empty() {
            self.plain(EffectKind::Spawn, member, "", None);
        }
        for &text in texts {
            if text.is_empty() || self.is_cwd(text) {
                self.plain(EffectKind::Spawn, member, text, None);
                continue;
            }
            let operand = PathOperand {
                member,
                text,
                dialect,
                operation: Operation::WorkingDir,
            };
            let (object, mut causes) = match self.resolve(operand) {
                Ok(target) => {
                    let causes = self.target_causes(EffectKind::Spawn, &target);
                    (target.into(), causes)
                }
                Err(refused) => {
                    let is_final = refused.is_protected || self.findings.fault.is_some();
                    let mut causes = self.pathless_causes(EffectKind::Spawn, None);
                    causes.extend(is_final.then_some(refused.cause));
                    (refused.place.into(), causes)
                }
            };
            causes.push(rules::AGENT_CWD.cause());
            self.findings.add(EffectKind::Spawn, member, text, object, causes);
        }
    }

    fn is_cwd(&self, text: &str) -> bool {
        self.call
            .cwd()
            .is_some_and(|cwd| cwd.as_os_str().as_encoded_bytes() == text.as_bytes())
    }
}
