use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use portcullis::{Risk, visible};

use super::{EffectLine, Judged};

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
        let _infallible = writeln!(
            block,
            "    because {}  [{}, {}]",
            cause.text,
            shown(&cause.rule),
            cause.layer
        );
    }
    block
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
