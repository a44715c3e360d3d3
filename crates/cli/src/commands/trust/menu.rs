//! The question on the terminal. No choice is the default: what is no number of the menu closes it.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use portcullis::trust::{Choice, Interface, Prompt};
use rustix::termios::{QueueSelector, tcflush};

use crate::failure::Failure;
use crate::files;

const TERMINAL: &str = "/dev/tty";
/// An answer is a digit; whoever sends more is no person.
const LONGEST: u64 = 64;

/// Asks on the terminal.
pub(super) struct Menu {
    choices: &'static [Choice],
}

impl Menu {
    /// A menu of these choices.
    pub(super) fn of(choices: &'static [Choice]) -> Self {
        Self { choices }
    }
}

/// Whether there is a terminal to ask on.
pub(super) fn terminal() -> Result<(), Failure> {
    match files::read_write(TERMINAL.as_ref()) {
        Ok(_) => Ok(()),
        Err(_) => Err(Failure::usage(
            "there is no terminal to ask on",
            "say it in the command: `portcullis trust yes` or `portcullis trust no`",
        )),
    }
}

impl Interface for Menu {
    fn choose(&mut self, prompt: &Prompt<'_>) -> Option<Choice> {
        let mut terminal = files::read_write(TERMINAL.as_ref()).ok()?;
        // What was typed before the question is no answer to it.
        tcflush(&terminal, QueueSelector::IFlush).ok()?;
        terminal
            .write_all(question(prompt, self.choices).as_bytes())
            .ok()?;
        answer(&terminal, self.choices)
    }
}

fn answer(terminal: &File, choices: &[Choice]) -> Option<Choice> {
    let mut line = String::new();
    BufReader::new(terminal.take(LONGEST)).read_line(&mut line).ok()?;
    by_number(&line, choices)
}

fn by_number(line: &str, choices: &[Choice]) -> Option<Choice> {
    let at: usize = line.trim().parse().ok()?;
    choices.get(at.checked_sub(1)?).copied()
}

fn question(prompt: &Prompt<'_>, choices: &[Choice]) -> String {
    let mut text = format!("Project {}\n", files::shown(prompt.project));
    if prompt.has_changed {
        text.push_str("It was trusted before, and holds something else now.\n");
    }
    text.push_str("These files of it would change the agent:\n");
    for resource in prompt.resources.found() {
        text.push_str(&format!(
            "  {} ({})\n",
            files::shown(&resource.place),
            resource.profile
        ));
    }
    let parent = prompt
        .parent
        .map_or("the directory above".to_owned(), files::shown);
    for (at, choice) in choices.iter().enumerate() {
        let what = match choice {
            Choice::Trust => "trust it".to_owned(),
            Choice::TrustParent => format!("trust every project in {parent}"),
            Choice::TrustForSession => "trust it this time".to_owned(),
            Choice::DoNotTrust => "do not trust it".to_owned(),
            Choice::DoNotTrustForSession => "do not trust it this time".to_owned(),
        };
        text.push_str(&format!("  {}  {what}\n", at + 1));
    }
    text.push_str("A number, or anything else to leave it untrusted: ");
    text
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1\n", Some(Choice::Trust))]
    #[case(" 5 \n", Some(Choice::DoNotTrustForSession))]
    #[case("0\n", None)]
    #[case("6\n", None)]
    #[case("\n", None)]
    #[case("", None)]
    #[case("yes\n", None)]
    #[case("1 1\n", None)]
    #[case("-1\n", None)]
    fn only_a_number_of_the_menu_chooses(#[case] line: &str, #[case] expected: Option<Choice>) {
        assert_eq!(by_number(line, &Choice::ALL), expected);
    }
}
