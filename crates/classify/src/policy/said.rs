//! What layers say in the form of the built-in data: names of the catalogue, and programs.

use super::{Policy, PolicyError, PolicyErrorKind};
use crate::commands::{Programs, Table};
use crate::{Layer, NameGroup, ProgramEntry};

impl Policy {
    /// Names that layers add to the catalogue.
    pub fn added_names(&self) -> impl Iterator<Item = (Layer, &NameGroup)> {
        self.catalogue.added()
    }
    /// Names that are taken out of the catalogue's groups of the same ids.
    pub fn removed(&self) -> impl Iterator<Item = &NameGroup> {
        self.removed.iter()
    }
    /// What layers say of programs, in the order of layers and names.
    pub fn program_entries(&self) -> impl Iterator<Item = (Layer, &ProgramEntry)> {
        self.said_of_programs.iter().map(|said| (said.layer, &said.item))
    }
    /// What is known of programs.
    #[must_use]
    pub fn programs(&self) -> &Programs {
        &self.programs
    }
    pub(crate) fn table(&self) -> &Table {
        self.programs.table()
    }

    pub(super) fn remove(&mut self, group: NameGroup) -> Result<(), PolicyError> {
        self.catalogue.to_mut().remove(group.clone()).map_err(|fault| {
            PolicyError::about(
                PolicyErrorKind::Subject,
                "group",
                group.id(),
                &fault,
                "name what `portcullis config catalogue` shows of the group, in the member where it stands",
            )
        })?;
        self.removed.push(group);
        Ok(())
    }

    /// Puts what the layers say of programs over the built-in tables.
    pub(super) fn explain(&mut self) -> Result<(), PolicyError> {
        self.said_of_programs
            .sort_by(|a, b| (a.layer, a.item.names()).cmp(&(b.layer, b.item.names())));
        let entries = self.said_of_programs.iter().map(|said| (said.layer, &said.item));
        self.programs = Programs::of(entries).map_err(|(at, fault)| {
            let said = self.said_of_programs.get(at);
            let name = said.and_then(|said| said.item.names().first());
            PolicyError::about(
                PolicyErrorKind::Program,
                "program",
                name.map_or("", String::as_str),
                &format!("is not explained clearly: {fault}"),
                "every member is explained in `data/commands/README.md` of portcullis-classify",
            )
        })?;
        Ok(())
    }
}
