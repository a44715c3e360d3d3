use std::fmt::Write as _;

use clap::builder::styling::{AnsiColor, Style};
use portcullis::{Risk, visible};

use super::Judged;

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
        let (place, written) = match &effect.target {
            Some(target) if target.shown == effect.operand => (target.shown.as_str(), String::new()),
            Some(target) => (target.shown.as_str(), format!("  (written `{}`)", effect.operand)),
            None => (effect.operand.as_str(), String::new()),
        };
        let _infallible = writeln!(
            block,
            "    {}: {} {place}{written}",
            effect.risk.word(),
            effect.kind
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
