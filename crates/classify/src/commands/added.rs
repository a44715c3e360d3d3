//! Programs that layers explain, in the form of the built-in tables.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::form::Entry;
use super::{Argument, Fact, Table, base_name, read, read_named, runs};
use crate::Layer;

/// What a program does with its words, as `data/commands/*.toml` and `[[program]]` in a policy write it; the page beside
/// those files explains every member.
///
/// ```
/// use portcullis_classify::{Layer, ProgramEntry, Programs};
///
/// let entry: ProgramEntry = toml::from_str(r#"
/// names = ["sheettool"]
/// [[sub]]
/// names = ["set"]
/// options = { "--value" = "text" }
/// operands = ["write", "text"]
/// "#)?;
/// let programs = Programs::of([(Layer::User, &entry)]).map_err(|(_, fault)| fault)?;
/// assert!(programs.understand(&entry, "sheettool set data.xlsx /Sheet1/B1 --value 95"));
/// assert!(!programs.understand(&entry, "sheettool drop data.xlsx"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct ProgramEntry(Entry);

impl ProgramEntry {
    /// How the program is called, without folders.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0.names
    }
    /// Commands that it says are understood by it.
    pub fn examples(&self) -> impl Iterator<Item = &str> {
        let all = self.0.all().into_iter();
        all.flat_map(|entry| &entry.matches).map(String::as_str)
    }
    /// Commands that it says are not.
    pub fn counterexamples(&self) -> impl Iterator<Item = &str> {
        let all = self.0.all().into_iter();
        all.flat_map(|entry| &entry.spares).map(String::as_str)
    }
    /// The words that a role may be.
    pub fn roles() -> impl Iterator<Item = &'static str> {
        super::Role::words()
    }
}

/// What is known of programs: the built-in tables, and what layers say.
#[derive(Debug, Clone, Default)]
pub struct Programs(Option<Arc<Table>>);

impl Programs {
    /// The built-in tables with entries of layers. The user's explain; those of projects and runs only add to what a command
    /// does anyway.
    ///
    /// # Errors
    /// The index of an entry that says nothing clear, or whose name another one of the user's has, and what is wrong in one
    /// sentence.
    pub fn of<'e>(
        entries: impl IntoIterator<Item = (Layer, &'e ProgramEntry)>,
    ) -> Result<Self, (usize, String)> {
        let mut table: Option<Table> = None;
        for (at, (layer, entry)) in entries.into_iter().enumerate() {
            let table = table.get_or_insert_with(Table::over_built_in);
            let said = match layer {
                Layer::BuiltIn | Layer::User => table.explain(&entry.0),
                Layer::Project | Layer::Run => table.say_besides(&entry.0),
            };
            said.map_err(|fault| (at, fault))?;
        }
        Ok(Self(table.map(Arc::new)))
    }

    /// Whether a text runs a program of the entry, every word of which is understood by it.
    #[must_use]
    pub fn understand(&self, entry: &ProgramEntry, text: &str) -> bool {
        let table = self.table();
        runs(text, table, |line| {
            let name = base_name(line.name);
            let others = table
                .besides(name)
                .map(|program| read(table, program, line.arguments));
            let reads: Vec<bool> = others.map(|reading| reading.misread.is_none()).collect();
            let is_read = match reads.as_slice() {
                [] => line.reading.is_some_and(|reading| reading.misread.is_none()),
                reads => reads.contains(&true),
            };
            entry.0.names.iter().any(|one| one == name) && is_read
        })
    }

    /// Whether a command of these words runs what is read here: its program is known, and it is not one that runs what
    /// nobody can read.
    #[must_use]
    pub fn explain(&self, words: &[String]) -> bool {
        let Some((name, rest)) = words.split_first() else {
            return false;
        };
        let table = self.table();
        let arguments: Vec<_> = rest.iter().map(|word| Argument::literal(word)).collect();
        let reading = read_named(table, name, &arguments);
        reading.is_some_and(|reading| !reading.facts.contains(&Fact::Opaque))
    }

    pub(crate) fn table(&self) -> &Table {
        self.0.as_deref().unwrap_or_else(|| Table::built_in())
    }
}
