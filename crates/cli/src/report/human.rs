use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use portcullis::{Risk, visible};

use super::{CauseLine, EffectLine, Judged};

const LONGEST_NAME: usize = 100;

/// A block for people: the verdict first, then what the call would do, then why. It says the same without colour.
pub(crate) fn human(judged: &Judged) -> String {
    let mut block = String::new();
    let style = style(judged.verdict);
    let call = shown(judged.call.as_deref().unwrap_or("no id"));
    let tool = judged
        .tool
        .as_deref()
        .map_or_else(|| "not a call".to_owned(), shown);
    let code = judged
        .refusal
        .map(|kind| format!(" ({})", kind.code()))
        .unwrap_or_default();
    let _infallible = writeln!(
        block,
        "{style}{}{style:#}{code}  {tool}  [{call}]",
        judged.verdict.word()
    );
    if !judged.commands.is_empty() {
        commands(&mut block, judged);
        return block;
    }
    for effect in &judged.effects {
        let _infallible = writeln!(
            block,
            "    {}: {}{}",
            effect.risk.word(),
            effect.kind,
            subject(effect)
        );
    }
    for cause in &judged.causes {
        because(&mut block, "    ", cause);
    }
    block
}

fn because(block: &mut String, indent: &str, cause: &CauseLine) {
    let _infallible = writeln!(
        block,
        "{indent}because {}  [{}, {}]",
        cause.text,
        shown(&cause.rule),
        cause.layer
    );
}

/// Each simple command with its effects, each effect with its causes; what is about no single command comes last.
fn commands(block: &mut String, judged: &Judged) {
    let lines = judged.commands.iter().map(Some).chain([None]);
    for (number, line) in (1..).zip(lines) {
        let mut indent = "    ".to_owned();
        if let Some(line) = line {
            let how = line
                .how
                .as_ref()
                .map(|how| format!("  ({how})"))
                .unwrap_or_default();
            indent.push_str(&"  ".repeat(line.depth.min(20)));
            let _infallible = writeln!(block, "{indent}{number}. {}{how}", line.text);
        }
        let of = line.map(|_| number);
        let effects = judged.effects.iter().enumerate();
        for (index, effect) in effects.filter(|(_, effect)| effect.command == of) {
            let _infallible = writeln!(
                block,
                "{indent}     {}: {}{}",
                effect.risk.word(),
                effect.kind,
                subject(effect)
            );
            let causes = judged.causes.iter().filter(|cause| cause.effect == Some(index));
            for cause in causes {
                because(block, &format!("{indent}       "), cause);
            }
        }
    }
    for cause in judged.causes.iter().filter(|cause| cause.effect.is_none()) {
        because(block, "    ", cause);
    }
}

/// The resolved place, and how it was written where that differs.
fn subject(effect: &EffectLine) -> String {
    match &effect.target {
        Some(target) if target.shown == effect.operand => format!(" {}", target.shown),
        Some(target) => format!(" {}  (written `{}`)", target.shown, effect.operand),
        None if effect.operand.is_empty() => String::new(),
        None => format!(" {}", effect.operand),
    }
}

fn shown(text: &str) -> String {
    visible(text, LONGEST_NAME)
}

fn style(risk: Risk) -> Style {
    let colour = match risk {
        Risk::Allow => AnsiColor::Green,
        Risk::Confirm => AnsiColor::Yellow,
        Risk::Deny => AnsiColor::Red,
    };
    colour.on_default().bold()
}
