//! Looking programs up by name.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

use super::form::Entry;
use super::program::Program;

/// Programs by name. The entries of the built-in table are read when they are first asked for: a command names few of them,
/// and a hook judges one command in its life.
#[derive(Debug, Default)]
pub(crate) struct Table {
    slots: Vec<Slot>,
    names: HashMap<String, usize>,
    /// Where programs are looked up that stand not here.
    below: Option<&'static Table>,
    /// What is said of programs besides, by whoever may only tighten.
    besides: HashMap<String, Vec<usize>>,
}

/// One entry: its text, and what was read of it. One that cannot be read is no program that is known.
#[derive(Debug, Default)]
struct Slot {
    text: &'static str,
    program: OnceLock<Option<Program>>,
}

impl From<Program> for Slot {
    fn from(program: Program) -> Self {
        Self {
            text: "",
            program: Some(program).into(),
        }
    }
}

impl Slot {
    fn program(&self) -> Option<&Program> {
        self.program.get_or_init(|| one(self.text)).as_ref()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    program: Vec<Entry>,
}

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(include_str!(concat!("../../data/commands/", $name, ".toml"))),*]
    };
}

/// One file for each family. Every file of programs stands here.
const FILES: &[&str] = files![
    "admin",
    "archives",
    "build",
    "cargo",
    "checks",
    "cloud",
    "containers",
    "data",
    "files",
    "git",
    "jvm",
    "languages",
    "network",
    "node",
    "packages",
    "python",
    "runners",
    "search",
    "shell",
    "system",
    "text"
];

static BUILT_IN: LazyLock<Result<Table, String>> = LazyLock::new(|| {
    let mut table = Table::default();
    for text in FILES {
        for (names, text) in entries(text) {
            table.put(
                names,
                Slot {
                    text,
                    program: OnceLock::new(),
                },
            )?;
        }
    }
    Ok(table)
});

/// The line that an entry begins with.
const BEGINS: &str = "[[program]]\n";

/// The entries of a file and the names that each of them stands under, without reading more.
fn entries(file: &str) -> impl Iterator<Item = (Vec<&str>, &str)> {
    // What is indented or quoted begins nothing.
    let begins = move |at: &usize| *at == 0 || file.as_bytes().get(at - 1) == Some(&b'\n');
    let starts: Vec<usize> = file
        .match_indices(BEGINS)
        .map(|(at, _)| at)
        .filter(begins)
        .collect();
    let ends: Vec<usize> = starts.iter().copied().skip(1).chain([file.len()]).collect();
    starts.into_iter().zip(ends).filter_map(move |(start, end)| {
        let text = file.get(start..end)?;
        let (_, names) = text.split_once("names")?;
        let (names, _) = names.split_once('[')?.1.split_once(']')?;
        let names = names.split(',').map(|name| name.trim().trim_matches('"'));
        Some((names.filter(|name| !name.is_empty()).collect(), text))
    })
}

/// The only entry of a text.
fn entry(text: &str) -> Option<Entry> {
    let file: File = toml::from_str(text).ok()?;
    let [entry] = <[Entry; 1]>::try_from(file.program).ok()?;
    Some(entry)
}

fn one(text: &str) -> Option<Program> {
    Program::new(entry(text)?).ok()
}

impl Table {
    /// The table that this crate brings along. One that could not be read would be empty: then no program is known.
    pub(crate) fn built_in() -> &'static Self {
        static EMPTY: LazyLock<Table> = LazyLock::new(Table::default);
        BUILT_IN.as_ref().unwrap_or_else(|_| &EMPTY)
    }

    /// What is known of the program of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Program> {
        match self.names.get(name) {
            Some(at) => self.slots.get(*at)?.program(),
            None => self.below?.get(name),
        }
    }

    /// Whether layers say anything of programs.
    pub(crate) fn is_layered(&self) -> bool {
        self.below.is_some()
    }

    /// Whether a user explains the program of this name.
    pub(crate) fn is_added(&self, name: &str) -> bool {
        self.below.is_some() && self.names.contains_key(name)
    }

    /// What else is said of the program of this name. It counts only towards the stricter.
    pub(crate) fn besides(&self, name: &str) -> impl Iterator<Item = &Program> {
        let slots = self.besides.get(name).into_iter().flatten();
        slots.filter_map(|at| self.slots.get(*at)?.program())
    }

    /// The built-in table with nothing said yet.
    pub(super) fn over_built_in() -> Self {
        Self {
            below: Some(Self::built_in()),
            ..Self::default()
        }
    }

    /// Explains programs in place of what is known of them. An entry that only names sub-commands leaves the rest as it is
    /// known.
    ///
    /// # Errors
    /// What is wrong with it, in one sentence.
    pub(super) fn explain(&mut self, entry: &Entry) -> Result<(), String> {
        let merged = |name: &String| {
            let known = self.below?.written(name).filter(|_| entry.is_only_subs())?;
            let mut known = Entry {
                names: vec![name.clone()],
                ..known
            };
            known.overlay(entry);
            Some(known)
        };
        let parts: Vec<Entry> = match entry.names.iter().map(merged).collect::<Option<Vec<_>>>() {
            Some(merged) if !merged.is_empty() => merged,
            _ => vec![entry.clone()],
        };
        for part in parts {
            let program = Program::new(part)?;
            let names = program.names.clone();
            self.put(names.iter().map(String::as_str), program.into())?;
        }
        Ok(())
    }

    /// Says something of programs besides.
    ///
    /// # Errors
    /// As `explain`.
    pub(super) fn say_besides(&mut self, entry: &Entry) -> Result<(), String> {
        let program = Program::new(entry.clone())?;
        let at = self.slots.len();
        for name in &program.names {
            self.besides.entry(name.clone()).or_default().push(at);
        }
        self.slots.push(program.into());
        Ok(())
    }

    /// The entry of a name as it is written.
    fn written(&self, name: &str) -> Option<Entry> {
        entry(self.slots.get(*self.names.get(name)?)?.text)
    }

    fn put<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, slot: Slot) -> Result<(), String> {
        let at = self.slots.len();
        for name in names {
            if self.names.insert(name.to_owned(), at).is_some() {
                return Err(format!("`{name}` stands there twice"));
            }
        }
        self.slots.push(slot);
        Ok(())
    }

    /// Adds the programs of a text. A name that is there already, or an entry that says nothing clear, is an error.
    #[cfg(test)]
    pub(super) fn add(&mut self, text: &str) -> Result<(), String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        for entry in file.program {
            let program = Program::new(entry)?;
            let names = program.names.clone();
            self.put(names.iter().map(String::as_str), program.into())?;
        }
        Ok(())
    }

    /// Every program.
    #[cfg(test)]
    pub(super) fn programs(&self) -> Vec<&Program> {
        self.slots.iter().filter_map(Slot::program).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Role;
    use super::*;

    #[test]
    fn every_file_can_be_read() {
        let table = BUILT_IN.as_ref().unwrap();
        assert!(!table.names.is_empty());
        for program in table.programs() {
            let other = program.program.as_deref();
            assert!(other.is_none_or(|name| table.get(name).is_some()), "{other:?}");
        }
    }

    /// Looking an entry up by its names alone finds what reading the whole file finds.
    #[test]
    fn entries_are_found_under_their_names() {
        let table = BUILT_IN.as_ref().unwrap();
        for text in FILES {
            let file: File = toml::from_str(text).unwrap();
            let names: Vec<_> = entries(text).map(|(names, _)| names).collect();
            let read: Vec<_> = file.program.iter().map(|entry| entry.names.clone()).collect();
            assert_eq!(names, read);
            for entry in file.program {
                let program = Program::new(entry).unwrap();
                for name in &program.names {
                    let found = table.get(name).unwrap();
                    assert_eq!(found.names, program.names, "{name}");
                }
            }
        }
    }

    #[test]
    fn the_everyday_programs_are_known() {
        let table = BUILT_IN.as_ref().unwrap();
        assert!(table.programs().len() > 300, "{}", table.programs().len());
        for name in
            "ls cp git rg jq tar curl docker kubectl cargo go npm python3 make psql systemctl".split(' ')
        {
            assert!(table.get(name).is_some(), "{name}");
        }
    }

    /// The second of two sub-commands of one name would never be read.
    #[test]
    fn no_name_stands_twice_among_its_kin() {
        fn look(entry: &Entry) {
            let mut names: Vec<_> = entry.sub.iter().flat_map(|sub| &sub.names).collect();
            names.sort_unstable();
            let twice = names
                .iter()
                .zip(names.iter().skip(1))
                .find(|(one, next)| one == next);
            assert!(twice.is_none(), "{:?}: {twice:?}", entry.names);
            entry.sub.iter().for_each(look);
        }
        for text in FILES {
            let file: File = toml::from_str(text).unwrap();
            file.program.iter().for_each(look);
        }
    }

    /// What the documentation shows can be written, and every role is explained there.
    #[test]
    fn the_page_shows_what_can_be_written() {
        let page = include_str!("../../data/commands/README.md");
        let blocks: Vec<_> = page.split("```toml\n").skip(1).collect();
        let ours = blocks.iter().filter_map(|block| block.split("```").next());
        let ours: Vec<_> = ours.filter(|block| block.contains("[[program]]")).collect();
        assert!(ours.len() > 2);
        for block in ours {
            Table::default().add(block).unwrap();
        }
        for word in Role::words() {
            assert!(
                page.contains(&format!("`{word}`")),
                "role {word} is not explained"
            );
        }
    }

    #[test]
    fn what_is_not_clear_is_an_error() {
        for text in [
            "[[program]]\nnames = []",
            "[[program]]\nnames = ['a']\nflags = ['-x']\nvalued = ['-x']",
            "[[program]]\nnames = ['a']\nflags = ['-xy']",
            "[[program]]\nnames = ['a']\noperands = ['rede...']",
            "[[program]]\nnames = ['a']\noperands = ['read...', 'write...']",
            "[[program]]\nnames = ['a']\nwhen = [{ options = ['-r'] }]",
            "[[program]]\nnames = ['a']\nflag = ['-r']",
            "[[program]]\nnames = ['a']\n[[program]]\nnames = ['a']",
        ] {
            assert!(Table::default().add(text).is_err(), "{text}");
        }
    }
}
