use super::Denial;
use super::findings::Findings;
use super::judge::Judge;
use crate::policy::builtin::rules;
use crate::subagents::{self, Finding};
use crate::{Cause, EffectKind, Operand, Role};

/// Most places that one question names.
const NAMED: usize = 16;

impl Findings {
    /// The working-directory guard: a call that may start a sub-agent names another directory, or cannot be looked
    /// through.
    pub(super) fn guarded(mut self, judge: Judge<'_>) -> Self {
        if !may_start(judge) {
            return self;
        }
        let cwd = judge.call.cwd().map(|cwd| cwd.as_os_str().as_encoded_bytes());
        match subagents::scan(judge.call.arguments(), cwd) {
            Ok(found) => {
                let found: Vec<Finding> = found
                    .into_iter()
                    .filter(|finding| !is_operand(judge, finding))
                    .collect();
                self.causes.extend(causes(&found));
                self
            }
            Err(unscannable) => {
                let text = format!("whether it starts a sub-agent elsewhere cannot be told: {unscannable}");
                Self::refused(Denial::Policy, rules::AGENT_UNSCANNABLE.because(&text))
            }
        }
    }
}

fn may_start(judge: Judge<'_>) -> bool {
    subagents::may_start(judge.tool.name())
        || judge.tool.inherent().contains(&EffectKind::Spawn)
        || judge.tool.operands().iter().any(is_agent_cwd)
}

/// Already a cause of its own, with a target.
fn is_operand(judge: Judge<'_>, finding: &Finding) -> bool {
    let operands = judge.tool.operands().iter();
    operands
        .filter(|operand| is_agent_cwd(operand))
        .any(|operand| finding.place == subagents::member(&operand.member))
}

fn is_agent_cwd(operand: &Operand) -> bool {
    matches!(operand.role, Role::AgentCwd { .. })
}

fn causes(found: &[Finding]) -> impl Iterator<Item = Cause> {
    let more = found.len().saturating_sub(NAMED);
    let named = found.iter().take(NAMED).map(|finding| {
        format!(
            "the sub-agent would work in another directory: {} is {}",
            finding.place, finding.seen
        )
    });
    let rest = (more > 0).then(|| format!("and in {more} more places of the arguments"));
    named.chain(rest).map(|text| rules::AGENT_CWD.because(&text))
}
