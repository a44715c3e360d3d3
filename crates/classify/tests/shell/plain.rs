//! A script in a plain form that can be compared: argument lists with `None` for what moves, and redirections.

use portcullis_classify::shell::{Descriptor, Operator, Redirection, Script, Word};

/// One command, or the redirections of one group.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Plain {
    pub(crate) argv: Vec<Option<String>>,
    /// Operator with its descriptor, and the operand when it is a literal file or descriptor.
    pub(crate) opens: Vec<(String, Option<String>)>,
}

/// Every command with words or redirections, and every group with redirections, in any order.
pub(crate) fn plain(script: &Script) -> Vec<Plain> {
    let commands = script.commands().iter().map(|command| Plain {
        argv: command.words.iter().map(text).collect(),
        opens: command.redirections.iter().map(opens).collect(),
    });
    let groups = script.groups().iter().map(|group| Plain {
        argv: Vec::new(),
        opens: group.redirections.iter().map(opens).collect(),
    });
    let mut all: Vec<_> = commands
        .chain(groups)
        .filter(|one| !(one.argv.is_empty() && one.opens.is_empty()))
        .collect();
    all.sort();
    all
}

fn text(word: &Word) -> Option<String> {
    word.literal().map(str::to_owned)
}

fn opens(redirection: &Redirection) -> (String, Option<String>) {
    let both = redirection.operator == Operator::WriteBoth;
    let sign = match redirection.operator {
        Operator::Read => "<",
        Operator::Write => ">",
        Operator::Append => ">>",
        Operator::Clobber => ">|",
        Operator::ReadWrite => "<>",
        Operator::AppendBoth => "&>>",
        Operator::CopyInput => "<&",
        Operator::CopyOutput => ">&",
        Operator::HereDocument => "<<",
        Operator::HereDocumentTabs => "<<-",
        Operator::HereString => "<<<",
        _ if both => "&>",
        _ => "?",
    };
    let descriptor = match &redirection.descriptor {
        None => String::new(),
        Some(Descriptor::Number(number)) => number.to_string(),
        Some(Descriptor::Variable(name)) => format!("{{{name}}}"),
        Some(_) => "?".to_owned(),
    };
    let text_follows = matches!(
        redirection.operator,
        Operator::HereDocument | Operator::HereDocumentTabs | Operator::HereString
    );
    let operand = if text_follows {
        None
    } else {
        text(&redirection.operand)
    };
    (format!("{descriptor}{sign}"), operand)
}
