use portcullis_classify::{EffectKind, Programs, Risk, Rule, RuleSubject};
use toml::Spanned;

use super::Lowering;
use crate::config::diagnostic::{ConfigErrorKind, quoted};
use crate::config::document::{OperationWord, RiskWord, RuleEntry};
use crate::config::examples::{self, Unfit};

impl Lowering<'_> {
    pub(super) fn rules(&mut self, entries: Vec<RuleEntry>, programs: &Programs) -> Vec<Rule> {
        let entries = entries.into_iter();
        entries.filter_map(|entry| self.rule(entry, programs)).collect()
    }

    fn rule(&mut self, entry: RuleEntry, programs: &Programs) -> Option<Rule> {
        self.id(entry.id.get_ref(), entry.id.span());
        self.because(&entry.because);
        let risk = self.risk(&entry.risk);
        let subject = self.subject(&entry);
        let rule = Rule {
            id: entry.id.into_inner(),
            subject: subject?,
            risk: risk?,
            because: entry.because.into_inner(),
        };
        self.examples(&rule, &entry.matches, true, programs);
        self.examples(&rule, &entry.spares, false, programs);
        Some(rule)
    }

    fn risk(&mut self, risk: &Spanned<RiskWord>) -> Option<Risk> {
        match risk.get_ref() {
            RiskWord::Confirm => Some(Risk::Confirm),
            RiskWord::Deny => Some(Risk::Deny),
            RiskWord::Allow => {
                self.wrong(
                    risk.span(),
                    "a rule can only tighten: `allow` is no risk that a rule may ask for",
                    "write `confirm` or `deny`, or remove the rule",
                );
                None
            }
        }
    }

    fn subject(&mut self, entry: &RuleEntry) -> Option<RuleSubject> {
        let (tool, under, command) = (&entry.tool, &entry.under, &entry.command);
        let is_about_commands = command.is_some() || entry.except.is_some();
        if tool.is_none() && under.is_none() && !is_about_commands && entry.operation.is_none() {
            self.wrong(
                entry.id.span(),
                format!("the rule {} is about nothing", quoted(entry.id.get_ref())),
                "name at least one of `tool`, `operation`, `under`, `command`, `except`",
            );
            return None;
        }
        if let Some(tool) = tool.as_ref().filter(|tool| tool.get_ref().is_empty()) {
            self.wrong(
                tool.span(),
                "the tool's name is empty",
                "write the tool's exact name",
            );
        }
        let hollow = |words: &Vec<String>| words.is_empty() || words.iter().any(String::is_empty);
        let others = entry.except.iter().flatten();
        for command in command
            .iter()
            .chain(others)
            .filter(|words| hollow(words.get_ref()))
        {
            self.wrong(
                command.span(),
                "a command needs words, none of them empty",
                "write its first words, for example `[\"git\", \"push\"]`",
            );
        }
        let under = match under {
            Some(under) => Some(self.place(under.get_ref(), under.span())?),
            None => None,
        };
        Some(RuleSubject {
            tool: tool.as_ref().map(|tool| tool.get_ref().clone()),
            operation: entry.operation.map(kind),
            under,
            command: command.as_ref().map(|command| command.get_ref().clone()),
            except: entry
                .except
                .as_ref()
                .map(|others| others.iter().map(|words| words.get_ref().clone()).collect()),
        })
    }

    fn examples(&mut self, rule: &Rule, examples: &[Spanned<String>], expected: bool, programs: &Programs) {
        for example in examples {
            let text = example.get_ref();
            match examples::applies(rule, text, self.root, programs) {
                Ok(applies) if applies == expected => {}
                Ok(_) => self.report(
                    ConfigErrorKind::Example,
                    example.span(),
                    match expected {
                        true => format!("the rule {} does not match {}", quoted(&rule.id), quoted(text)),
                        false => format!("the rule {} matches {}", quoted(&rule.id), quoted(text)),
                    },
                    match expected {
                        true => "it says so under `matches`: change the rule or the example",
                        false => "it stands under `spares`: change the rule or the example",
                    },
                ),
                Err(Unfit) => self.report(
                    ConfigErrorKind::Example,
                    example.span(),
                    format!("the rule {} cannot be tried on an example", quoted(&rule.id)),
                    "examples are command lines for rules with `command` or `except`, or paths for rules with `under`; \
                     a rule with neither or both takes none",
                ),
            }
        }
    }
}

fn kind(word: OperationWord) -> EffectKind {
    match word {
        OperationWord::Read => EffectKind::Read,
        OperationWord::List => EffectKind::List,
        OperationWord::Search => EffectKind::Search,
        OperationWord::Write => EffectKind::Write,
        OperationWord::Delete => EffectKind::Delete,
        OperationWord::Move => EffectKind::Move,
        OperationWord::Link => EffectKind::Link,
        OperationWord::Execute => EffectKind::Execute,
        OperationWord::Spawn => EffectKind::Spawn,
        OperationWord::Connect => EffectKind::Connect,
        OperationWord::Opaque => EffectKind::Opaque,
    }
}
