//! What layers say of a program besides what is known of it.

use super::Text;
use crate::assess::gather::Stop;
use crate::commands::flow::{Directories, Flow};
use crate::commands::{Act, Fact, Line, Role, Table, base_name, read, spelled};

impl<'s> Text<'_, '_, 's> {
    /// What projects say that the program does, besides what is judged anyway.
    pub(super) fn besides(
        &mut self,
        number: usize,
        line: Line<'_, 's>,
        directories: &Directories,
    ) -> Result<(), Stop> {
        let table = self.table;
        for program in table.besides(base_name(line.name)) {
            let reading = read(table, program, line.arguments);
            self.read(number, line, &reading, directories)?;
            // Read as commands, its words could change what is known of those behind it.
            let runs_words = |act: &Act<'_, '_>| matches!(act.role, Role::Command | Role::ShellText);
            if reading.acts.iter().any(runs_words) {
                self.deeds(number, line, &[Fact::Opaque])?;
            }
        }
        Ok(())
    }
}

/// The words that are secret by what layers say of programs. One of two letters is no secret, and would hide half of any
/// sentence.
pub(super) fn secrets(flow: &Flow<'_>, table: &Table) -> Vec<String> {
    let mut found = Vec::new();
    if !table.is_layered() {
        return found;
    }
    for (number, command) in flow.script().commands().iter().enumerate() {
        let Some((name, arguments)) = spelled(flow, number, command) else {
            continue;
        };
        let name = base_name(name);
        let added = table.get(name).filter(|_| table.is_added(name));
        for program in added.into_iter().chain(table.besides(name)) {
            let reading = read(table, program, &arguments);
            let secret = reading.acts.iter().filter(|act| act.role == Role::Secret);
            let texts = secret.filter_map(|act| act.argument.text());
            found.extend(texts.filter(|text| text.len() > 2).map(str::to_owned));
        }
    }
    found
}
