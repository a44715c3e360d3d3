use portcullis_paths::{Dialect, Operation};

use super::Denial;
use super::findings::{Findings, Object};
use super::glob::{Bases, HERE, Reach};
use super::judge::{Judge, PathOperand, Refused};
use crate::policy::builtin::rules;
use crate::toolbox::{ArgumentFault, GlobReach, glob_reach};
use crate::{Cause, EffectKind, Operand, Risk, Role, show};

/// Most effects of one call. Each may hold descriptors, and nobody can look over more than this.
const EFFECT_LIMIT: usize = 128;

/// Inside the workspace: no such directory, so that a pattern selects nothing there.
const NOTHING_THERE: [&str; 2] = ["path.not-found", "path.not-a-directory"];

/// Collects what one call would do, operand by operand.
pub(super) struct Gather<'a> {
    judge: Judge<'a>,
    findings: Findings,
}

/// Why gathering ends early.
enum Stop {
    Arguments(ArgumentFault),
    TooMany,
}

impl From<ArgumentFault> for Stop {
    fn from(fault: ArgumentFault) -> Self {
        Self::Arguments(fault)
    }
}

impl<'a> Gather<'a> {
    pub(super) fn new(judge: Judge<'a>) -> Self {
        Self {
            judge,
            findings: Findings::default(),
        }
    }

    pub(super) fn run(mut self) -> Findings {
        for operand in self.judge.tool.operands() {
            match self.operand(operand) {
                Ok(()) => {}
                Err(Stop::Arguments(fault)) => {
                    let text = format!("the arguments do not fit the tool: {fault}");
                    return Findings::refused(Denial::BadArguments, rules::ARGUMENTS_BAD.because(&text));
                }
                Err(Stop::TooMany) => {
                    return Findings::refused(Denial::Policy, rules::TOO_MANY.cause());
                }
            }
        }
        for &kind in self.judge.tool.inherent() {
            if !self.findings.effects.iter().any(|effect| effect.kind == kind) {
                self.pathless(kind, "", "", None);
            }
        }
        if self.findings.effects.is_empty() {
            self.findings.causes.push(rules::NO_EFFECTS.cause());
        }
        self.findings
    }

    fn operand(&mut self, operand: &'a Operand) -> Result<(), Stop> {
        let arguments = self.judge.call.arguments();
        let texts = operand.texts(arguments)?;
        let member = operand.member.as_ref();
        self.keep_room_for(texts.len())?;
        match &operand.role {
            Role::Path {
                operation, dialect, ..
            } => {
                let operation = operand.operation(arguments).unwrap_or(*operation);
                let missing = texts.is_empty() && operand.cwd_when_missing();
                for text in texts.into_iter().chain(missing.then_some(HERE)) {
                    self.path(PathOperand {
                        member,
                        text,
                        dialect,
                        operation,
                    });
                }
            }
            Role::Edit { dialect } => {
                for text in texts {
                    self.edit(PathOperand {
                        member,
                        text,
                        dialect,
                        operation: Operation::Write,
                    });
                }
            }
            Role::Glob {
                operation,
                dialect,
                base,
            } => {
                let bases = Bases::of(self.judge.tool, arguments, base.as_deref())?;
                self.keep_room_for(texts.len().saturating_mul(bases.len()))?;
                for pattern in texts {
                    self.glob(
                        PathOperand {
                            member,
                            text: pattern,
                            dialect,
                            operation: *operation,
                        },
                        &bases,
                    )?;
                }
            }
            Role::Command { .. } => {
                for text in texts {
                    self.pathless(EffectKind::Opaque, member, text, Some(text));
                }
            }
            Role::Url => {
                for text in texts {
                    self.pathless(
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

    fn keep_room_for(&self, more: usize) -> Result<(), Stop> {
        if self.findings.effects.len().saturating_add(more) > EFFECT_LIMIT {
            return Err(Stop::TooMany);
        }
        Ok(())
    }

    fn pathless(&mut self, kind: EffectKind, member: &str, operand: &str, command: Option<&str>) {
        let causes = self.judge.pathless_causes(kind, command);
        self.findings
            .add(kind, member, operand, Object::default(), causes);
    }

    fn path(&mut self, operand: PathOperand<'_>) {
        let kind = EffectKind::of(operand.operation);
        let (object, causes) = self.judged(kind, operand);
        self.findings
            .add(kind, operand.member, operand.text, object, causes);
    }

    fn judged(&mut self, kind: EffectKind, operand: PathOperand<'_>) -> (Object, Vec<Cause>) {
        match self.judge.resolve(operand) {
            Ok(target) => {
                let causes = self.judge.target_causes(kind, &target);
                (target.into(), causes)
            }
            Err(Refused::Path { place, cause, .. }) => (place.into(), vec![cause]),
            Err(Refused::NoCwd) => (Object::default(), vec![self.no_cwd()]),
        }
    }

    /// An edit writes, and its answer tells what the file holds: whatever asks before reading asks here as well.
    fn edit(&mut self, operand: PathOperand<'_>) {
        let (object, mut causes) = self.judged(EffectKind::Write, operand);
        // What cannot be read cannot tell anything: a missing file may still be made.
        if let Ok(read) = self.judge.resolve(PathOperand {
            operation: Operation::Read,
            ..operand
        }) {
            let known = |cause: &Cause| causes.iter().any(|other| other.rule == cause.rule);
            let more = self.judge.target_causes(EffectKind::Read, &read);
            let more = more
                .into_iter()
                .filter(|cause| cause.risk > Risk::Allow && !known(cause));
            causes.extend(more.collect::<Vec<_>>());
        }
        self.findings
            .add(EffectKind::Write, operand.member, operand.text, object, causes);
    }

    fn glob(&mut self, pattern: PathOperand<'_>, bases: &Bases<'_>) -> Result<(), Stop> {
        let reached = bases.reached_by(pattern.text);
        if glob_reach(pattern.text) == GlobReach::Inside && !reached.contains(&Reach::Anywhere) {
            for text in bases.entered_by(pattern.text) {
                self.enter(PathOperand {
                    text: &text,
                    ..pattern
                })?;
            }
        }
        for reach in reached {
            match reach {
                Reach::Below(text) => self.path(PathOperand {
                    text: &text,
                    ..pattern
                }),
                Reach::Anywhere => self.pathless(EffectKind::Opaque, pattern.member, pattern.text, None),
            }
        }
        Ok(())
    }

    /// A directory that a pattern names on its way. Where it is what it seems, its base stands for it; where nothing
    /// is there, nothing is selected.
    fn enter(&mut self, operand: PathOperand<'_>) -> Result<(), Stop> {
        let kind = EffectKind::of(operand.operation);
        let (object, causes) = match self.judge.resolve(operand) {
            Ok(target) => {
                let causes = self.judge.target_causes(kind, &target);
                (target.into(), causes)
            }
            Err(Refused::Path { cause, .. }) if NOTHING_THERE.contains(&cause.rule.as_str()) => return Ok(()),
            Err(Refused::Path { place, cause, .. }) => (place.into(), vec![cause]),
            Err(Refused::NoCwd) => return Ok(()),
        };
        if causes.iter().all(|cause| cause.risk == Risk::Allow) {
            return Ok(());
        }
        self.keep_room_for(1)?;
        self.findings
            .add(kind, operand.member, operand.text, object, causes);
        Ok(())
    }

    /// A sub-agent starts. A directory other than the call's own, compared byte by byte because only the tool knows
    /// how it reads the text, asks even when it does not resolve; a protected one is denied.
    fn agent_cwd(&mut self, member: &str, texts: &[&str], dialect: &Dialect) {
        if texts.is_empty() {
            self.pathless(EffectKind::Spawn, member, "", None);
        }
        for &text in texts {
            if text.is_empty() || self.is_cwd(text) {
                self.pathless(EffectKind::Spawn, member, text, None);
                continue;
            }
            let operand = PathOperand {
                member,
                text,
                dialect,
                operation: Operation::WorkingDir,
            };
            let (object, mut causes) = match self.judge.resolve(operand) {
                Ok(target) => {
                    let causes = self.judge.target_causes(EffectKind::Spawn, &target);
                    (target.into(), causes)
                }
                Err(refused) => {
                    let mut causes = self.judge.pathless_causes(EffectKind::Spawn, None);
                    let place = match refused {
                        Refused::NoCwd => {
                            causes.push(self.no_cwd());
                            None
                        }
                        Refused::Path {
                            place,
                            cause,
                            is_protected,
                        } => {
                            causes.extend(is_protected.then_some(cause));
                            place
                        }
                    };
                    (place.into(), causes)
                }
            };
            causes.push(rules::AGENT_CWD.cause());
            self.findings.add(EffectKind::Spawn, member, text, object, causes);
        }
    }

    fn is_cwd(&self, text: &str) -> bool {
        let cwd = self.judge.call.cwd();
        cwd.is_some_and(|cwd| cwd.as_os_str().as_encoded_bytes() == text.as_bytes())
    }

    fn no_cwd(&mut self) -> Cause {
        self.findings.fault = Some(Denial::BadArguments);
        rules::CWD_MISSING.cause()
    }
}
