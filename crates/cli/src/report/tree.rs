use portcullis::shell::{self, GroupKind, Link, Piece, SimpleCommand, Word};
use portcullis::{shown_part, visible};

/// Most characters of a command in the tree.
const LONGEST: usize = 300;

/// One simple command of a text.
#[derive(Debug)]
pub(crate) struct CommandLine {
    /// Its words, as far as they are known; what is not is a `…`.
    pub(crate) text: String,
    /// How deep it stands in others.
    pub(crate) depth: usize,
    /// How it comes to run, where it does not simply follow what stands before it.
    pub(crate) how: Option<String>,
}

/// Every simple command that a text may run, in the order in which verdicts count them.
pub(super) fn of(text: &str) -> Vec<CommandLine> {
    let script = shell::understand(text).script;
    let commands = script.commands().iter();
    commands
        .map(|command| {
            let mut around = command.seat.group;
            let mut depth = 0;
            let mut how = None;
            for _ in 0..script.groups().len() {
                let Some(group) = around.and_then(|number| script.groups().get(number)) else {
                    break;
                };
                depth += 1;
                how = how.or_else(|| reason(group.kind));
                around = group.seat.group;
            }
            let by_link = match command.seat.link {
                Link::Success => Some("if what stands before it succeeds".to_owned()),
                Link::Failure => Some("if what stands before it fails".to_owned()),
                _ => None,
            };
            CommandLine {
                text: visible(&shown_part(text, &words(command)), LONGEST),
                depth,
                how: by_link.or(how),
            }
        })
        .collect()
}

fn reason(kind: GroupKind) -> Option<String> {
    let text = match kind {
        GroupKind::Behind(by) => return Some(format!("run by {}", by + 1)),
        GroupKind::Eval(by) => return Some(format!("evaluated by {}", by + 1)),
        GroupKind::Command | GroupKind::Backquotes => "in a substitution",
        GroupKind::ProcessInput | GroupKind::ProcessOutput => "at the end of a pipe",
        GroupKind::Subshell => "in a subshell",
        GroupKind::If | GroupKind::Case => "in a branch",
        GroupKind::While | GroupKind::Until | GroupKind::For | GroupKind::Select => "in a loop",
        GroupKind::Function => "in a function",
        _ => return None,
    };
    Some(text.to_owned())
}

fn words(command: &SimpleCommand) -> String {
    let assigned = command.assignments.iter().map(|one| {
        let values: Vec<String> = one.values.iter().map(word).collect();
        format!("{}={}", one.name, values.join(" "))
    });
    let words = command.words.iter().map(word);
    let files = command
        .redirections
        .iter()
        .filter_map(|one| Some(format!("(file {})", word(one.file()?))));
    let all: Vec<String> = assigned.chain(words).chain(files).collect();
    all.join(" ")
}

fn word(word: &Word) -> String {
    match word.literal() {
        Some("") => "''".to_owned(),
        Some(text) if text.contains(char::is_whitespace) => format!("'{text}'"),
        Some(text) => text.to_owned(),
        None => word.pieces().iter().map(piece).collect(),
    }
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Literal(text) | Piece::Translated(text) => text.clone(),
        Piece::Glob(char) | Piece::Brace(char) => char.to_string(),
        Piece::Tilde => "~".to_owned(),
        Piece::Variable { name, .. } => format!("${{{name}}}"),
        Piece::Substitution { .. } => "$(…)".to_owned(),
        _ => "…".to_owned(),
    }
}
