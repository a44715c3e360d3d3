//! What layers say of a program besides what is known of it.

use super::Text;
use crate::assess::gather::Stop;
use crate::commands::flow::Directories;
use crate::commands::{Act, Fact, Line, Reading, Role, base_name, read};

impl<'s> Text<'_, '_, 's> {
    /// What projects say that the program does, besides what is judged anyway.
    pub(super) fn besides(
        &mut self,
        number: usize,
        line: Line<'_, 's>,
        directories: &Directories,
    ) -> Result<(), Stop> {
        let table = self.table;
        let known = line.reading.filter(|_| table.is_added(base_name(line.name)));
        self.secrets.extend(known.into_iter().flat_map(secrets));
        for program in table.besides(base_name(line.name)) {
            let reading = read(table, program, line.arguments);
            self.secrets.extend(secrets(&reading));
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

/// The words that a reading says are secret.
fn secrets(reading: &Reading<'_, '_>) -> Vec<String> {
    let acts = reading.acts.iter().filter(|act| act.role == Role::Secret);
    let texts = acts.filter_map(|act| act.argument.text());
    texts.filter(|text| text.len() > 2).map(str::to_owned).collect()
}
