use portcullis_paths::{Dialect, ErrorKind, Operation};

use super::Denial;
use super::findings::{Findings, Object};
use super::glob::{Bases, HERE, Reach};
use super::judge::{Judge, PathOperand, Refused, takes_along};
use crate::policy::builtin::{Scene, rules};
use crate::toolbox::{ArgumentFault, Language};
use crate::{Cause, EffectKind, Operand, Risk, Role, show};

/// Most effects of one call. Each may hold descriptors, and nobody can look over more than this.
const EFFECT_LIMIT: usize = 128;

/// Collects what one call would do, operand by operand.
pub(super) struct Gather<'a> {
    pub(super) judge: Judge<'a>,
    pub(super) findings: Findings,
}

/// Why gathering ends early.
pub(super) enum Stop {
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
        match self.operands() {
            Ok(()) => {}
            Err(Stop::Arguments(fault)) => {
                let text = format!("the arguments do not fit the tool: {fault}");
                return Findings::refused(Denial::BadArguments, rules::ARGUMENTS_BAD.because(&text));
            }
            Err(Stop::TooMany) => return Findings::refused(Denial::Policy, rules::TOO_MANY.cause()),
        }
        for &kind in self.judge.tool.inherent() {
            if !self.findings.effects.iter().any(|effect| effect.kind == kind) {
                self.pathless(kind, "", "");
            }
        }
        if self.findings.effects.is_empty() {
            self.findings.causes.push(rules::NO_EFFECTS.cause());
        }
        self.findings
    }

    fn operands(&mut self) -> Result<(), Stop> {
        for operand in self.judge.tool.operands() {
            self.operand(operand)?;
        }
        self.unexplained_path()
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
                        cwd: None,
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
                        cwd: None,
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
                            cwd: None,
                        },
                        &bases,
                    )?;
                }
            }
            Role::Command {
                language: Language::Shell,
            } => {
                for text in texts {
                    self.shell(member, text)?;
                }
            }
            Role::Command { .. } => {
                for text in texts {
                    self.pathless(EffectKind::Opaque, member, text);
                }
            }
            Role::Url => {
                for text in texts {
                    self.pathless(EffectKind::Connect, member, &show::without_credentials(text));
                }
            }
            Role::AgentCwd { dialect } => self.agent_cwd(member, &texts, dialect),
        }
        Ok(())
    }

    pub(super) fn keep_room_for(&self, more: usize) -> Result<(), Stop> {
        if self.findings.effects.len().saturating_add(more) > EFFECT_LIMIT {
            return Err(Stop::TooMany);
        }
        Ok(())
    }

    fn pathless(&mut self, kind: EffectKind, member: &str, operand: &str) {
        let causes = self.judge.pathless_causes(kind);
        self.findings
            .add(kind, member, operand, Object::default(), causes);
    }

    fn path(&mut self, operand: PathOperand<'_>) {
        let kind = EffectKind::of(operand.operation);
        let (object, causes) = self.judged(kind, operand);
        self.findings
            .add(kind, operand.member, operand.text, object, causes);
    }

    /// How far the tool searches, by its name, its patterns of names and its type of files.
    fn search_reach(&self) -> crate::private::Reach {
        let arguments = self.judge.call.arguments();
        let patterns = self
            .judge
            .tool
            .operands()
            .iter()
            .filter_map(|operand| match operand.role {
                Role::Glob { .. } => arguments.get(operand.member.as_ref())?.as_str(),
                _ => None,
            });
        let kind = arguments.get("type").and_then(serde_json::Value::as_str);
        crate::private::Reach::of_tool(self.judge.tool.name(), patterns, kind)
    }

    fn judged(&mut self, kind: EffectKind, operand: PathOperand<'_>) -> (Object, Vec<Cause>) {
        match self.judge.resolve(operand) {
            Ok(target) => {
                let mut causes = self.judge.target_causes(kind, &target);
                causes.extend(self.judge.below(kind, &target, || self.search_reach()));
                if takes_along(operand.operation) {
                    causes.extend(self.judge.mount_below(&target));
                }
                (target.into(), causes)
            }
            Err(refused) => self.refused(kind, refused),
        }
    }

    /// What cannot be held has causes all the same.
    pub(super) fn refused(&mut self, kind: EffectKind, refused: Refused) -> (Object, Vec<Cause>) {
        match refused {
            Refused::NoCwd => (Object::default(), vec![self.no_cwd()]),
            Refused::Path { place, cause, .. } => (place.into(), vec![cause]),
            Refused::Outside {
                place,
                touches,
                cause,
            } => {
                let mut causes = self.judge.place_causes(kind, &touches, Scene::Outside);
                causes.push(cause);
                (place.into(), causes)
            }
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
        // Only a search does to its base what it does to what it selects.
        let selection_alone = bases.stand_for_nothing(pattern.text) && pattern.operation != Operation::Search;
        for text in bases.patterns(pattern.text) {
            let operand = PathOperand {
                text: &text,
                ..pattern
            };
            self.selected(operand, selection_alone)?;
        }
        let reached = bases.reached_by(pattern.text);
        for reach in reached.into_iter().filter(|_| !selection_alone) {
            match reach {
                Reach::Below(text) => self.path(PathOperand {
                    text: &text,
                    ..pattern
                }),
                Reach::Anywhere => self.pathless(EffectKind::Opaque, pattern.member, pattern.text),
            }
        }
        Ok(())
    }

    /// What a pattern selects now, and what of the policy's places it may select by name. Where all of it may run,
    /// another effect stands for it, unless it is alone.
    fn selected(&mut self, pattern: PathOperand<'_>, alone: bool) -> Result<(), Stop> {
        let kind = EffectKind::of(pattern.operation);
        let (object, causes) = match self.judge.reach(pattern) {
            Ok(reach) => {
                let mut causes = self.judge.reach_causes(kind, &reach);
                // Searching the base was judged as well, and that is everything below it; no other operation was.
                if !reach.is_complete() && kind != EffectKind::Search {
                    causes.push(rules::GLOB_UNTOLD.cause());
                }
                (reach.outside().cloned().into(), causes)
            }
            Err(Refused::Path {
                kind: ErrorKind::Ambiguous,
                ..
            }) => {
                self.pathless(EffectKind::Opaque, pattern.member, pattern.text);
                return Ok(());
            }
            Err(refused) => self.refused(kind, refused),
        };
        if !alone && causes.iter().all(|cause| cause.risk == Risk::Allow) {
            return Ok(());
        }
        self.keep_room_for(1)?;
        self.findings
            .add(kind, pattern.member, pattern.text, object, causes);
        Ok(())
    }

    /// A sub-agent starts. A directory other than the call's own, compared byte by byte because only the tool knows
    /// how it reads the text, asks even when it does not resolve; a protected one is denied.
    fn agent_cwd(&mut self, member: &str, texts: &[&str], dialect: &Dialect) {
        if texts.is_empty() {
            self.pathless(EffectKind::Spawn, member, "");
        }
        for &text in texts {
            if text.is_empty() || self.is_cwd(text) {
                self.pathless(EffectKind::Spawn, member, text);
                continue;
            }
            let operand = PathOperand {
                member,
                text,
                dialect,
                operation: Operation::WorkingDir,
                cwd: None,
            };
            let (object, mut causes) = match self.judge.resolve(operand) {
                Ok(target) => {
                    let causes = self.judge.target_causes(EffectKind::Spawn, &target);
                    (target.into(), causes)
                }
                Err(refused) => {
                    let mut causes = self.judge.pathless_causes(EffectKind::Spawn);
                    let place = match refused {
                        Refused::NoCwd => {
                            causes.push(self.no_cwd());
                            None
                        }
                        Refused::Path {
                            place, cause, kind, ..
                        } => {
                            causes.extend((kind == ErrorKind::Protected).then_some(cause));
                            place
                        }
                        Refused::Outside { place, touches, .. } => {
                            let seen = self
                                .judge
                                .place_causes(EffectKind::Spawn, &touches, Scene::Outside);
                            causes.extend(seen);
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
