//! Simple commands.

use super::super::{GroupKind, Part, Place, Reason, SimpleCommand, meaning};
use super::compounds::is_reserved;
use super::lists::Ending;
use super::{Read, Reader};

impl Reader<'_> {
    pub(super) fn simple_command(&mut self) -> Read<(Part, Ending)> {
        let start = self.at;
        let place = self.outward(self.from(start));
        let number = self.script.add_command(SimpleCommand::new(self.seat, place));
        let part = Part::Command(number);
        loop {
            self.blanks()?;
            let Some(byte) = self.peek() else { break };
            match byte {
                b'\n' | b';' | b'|' | b')' => break,
                b'&' if self.peek_at(1) != Some(b'>') => break,
                b'#' => {
                    self.comment()?;
                    break;
                }
                b'(' => return self.function_after_name(number, start),
                _ => {}
            }
            if self.redirection(part)? {
                continue;
            }
            let first = self.words_of(number) == 0;
            if first && let Some(assignment) = self.assignment()? {
                if let Some(command) = self.script.command_mut(number) {
                    command.assignments.push(assignment);
                }
                continue;
            }
            self.argument(number, first)?;
        }
        if self.at == start {
            self.script.drop_last_command();
            return self.stop(Reason::Syntax);
        }
        let end = self.outward(self.from(start));
        if let Some(command) = self.script.command_mut(number) {
            command.place = end;
        }
        self.examine(number)?;
        Ok((part, Ending::Word))
    }

    fn words_of(&self, number: usize) -> usize {
        self.script
            .commands()
            .get(number)
            .map_or(0, |one| one.words.len())
    }

    fn argument(&mut self, number: usize, first: bool) -> Read<()> {
        let start = self.at;
        let lexed = self.word()?;
        if lexed.continued {
            // Joined lines may make a reserved word, an assignment or a descriptor.
            let text = lexed.word.literal().unwrap_or("=");
            let special = first && (is_reserved(text) || text.contains('='));
            if special || matches!(self.peek(), Some(b'<' | b'>')) {
                return self.stop_from(start, Reason::Continuation);
            }
        }
        if let Some(command) = self.script.command_mut(number) {
            command.words.push(lexed.word);
        }
        Ok(())
    }

    /// `name () …`: what was read is no command, but what it names is defined.
    fn function_after_name(&mut self, number: usize, start: usize) -> Read<(Part, Ending)> {
        let last = number + 1 == self.script.commands().len();
        let plain = self.script.commands().get(number).is_some_and(|one| {
            one.words.len() == 1
                && one.assignments.is_empty()
                && one.redirections.is_empty()
                && one.name().is_some()
        });
        if !(last && plain) {
            return self.stop(Reason::Syntax);
        }
        self.script.drop_last_command();
        self.doubt(Reason::Function, self.from(start));
        self.expect("(")?;
        self.blanks()?;
        self.expect(")")?;
        let place = self.from(start);
        let group = self.inside(GroupKind::Function, place, Self::function_body)?;
        Ok((Part::Group(group), Ending::Word))
    }

    /// What the command means for the rest of the text.
    fn examine(&mut self, number: usize) -> Read<()> {
        let Some(command) = self.script.commands().get(number) else {
            return Ok(());
        };
        let findings = meaning::examine(command);
        let place = command.place;
        for doubt in findings.doubts {
            self.keep(doubt);
        }
        for (name, doubt) in findings.numbers {
            self.used_as_number(&name, doubt.reason, doubt.place);
        }
        match findings.evaluated {
            Some(text) => self.evaluate(number, &text, place),
            None => Ok(()),
        }
    }

    /// A variable gets a value; `None`: nobody knows which.
    pub(super) fn assigned(&mut self, name: &str, value: Option<&str>, place: Place) {
        if !meaning::is_harmless_setting(name, value) {
            self.doubt(Reason::Environment, place);
        }
    }
}
