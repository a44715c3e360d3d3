//! The commands in a Markdown text that are to be run: those in fenced blocks marked `run`.
//!
//! ~~~text
//! ```sh run
//! cargo run -- check examples/session.jsonl
//! ```
//! ~~~

/// A command and the line it stands in, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// Reads the commands, one a line; a trailing `\` joins lines, and `#` begins a comment line.
pub(crate) fn commands(text: &str) -> Vec<Command> {
    let mut commands = Vec::new();
    let mut fence: Option<bool> = None;
    let mut open: Option<Command> = None;
    for (number, line) in (1..).zip(text.lines()) {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            fence = match fence {
                Some(_) => None,
                None => Some(info.split_whitespace().any(|word| word == "run")),
            };
            commands.extend(open.take());
            continue;
        }
        if fence != Some(true) || line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let mut command = open.take().unwrap_or(Command {
            line: number,
            text: String::new(),
        });
        match line.strip_suffix('\\') {
            Some(part) => {
                command.text.push_str(part);
                open = Some(command);
            }
            None => {
                command.text.push_str(line);
                commands.push(command);
            }
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn takes_only_marked_blocks() {
        let text = "```sh run\none\n# note\n\ntwo \\\n  more\n```\n\n```sh\nthree\n```\nfour\n```text\n```\n";
        let found: Vec<_> = commands(text)
            .into_iter()
            .map(|command| (command.line, command.text))
            .collect();
        assert_eq!(found, [(2, "one".to_owned()), (5, "two   more".to_owned())]);
    }
}
