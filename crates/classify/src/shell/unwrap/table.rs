//! The tables of programs, which are data: `data/commands`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::super::Word;
use crate::commands::Fact;

const FILES: &[&str] = &[
    include_str!("../../../data/commands/code.toml"),
    include_str!("../../../data/commands/shells.toml"),
    include_str!("../../../data/commands/users.toml"),
    include_str!("../../../data/commands/wrappers.toml"),
];

/// A program that runs another one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wrapper {
    names: Vec<String>,
    #[serde(default)]
    pub(super) flags: Vec<String>,
    #[serde(default)]
    pub(super) valued: Vec<String>,
    #[serde(default)]
    pub(super) optional: Vec<String>,
    #[serde(default)]
    pub(super) text: Vec<String>,
    #[serde(default)]
    pub(super) alone: Vec<String>,
    #[serde(default)]
    pub(super) operands: usize,
    #[serde(default)]
    pub(super) number: bool,
    #[serde(default)]
    pub(super) assigns: Assigns,
    #[serde(default)]
    pub(super) permutes: bool,
    pub(super) runs: Runs,
    #[serde(default)]
    pub(super) empty: Empty,
    #[serde(default)]
    moves: Moves,
    /// What it does besides, for those who judge it.
    #[serde(default)]
    does: Vec<Fact>,
}

impl Wrapper {
    /// A wrapper whose words all belong to the command.
    pub(super) const fn without_options(empty: Empty) -> Self {
        Self {
            names: Vec::new(),
            flags: Vec::new(),
            valued: Vec::new(),
            optional: Vec::new(),
            text: Vec::new(),
            alone: Vec::new(),
            operands: 0,
            number: false,
            assigns: Assigns::Never,
            permutes: false,
            runs: Runs::Words,
            empty,
            moves: Moves::Always(false),
            does: Vec::new(),
        }
    }

    /// Whether what it runs may begin in another directory, with these words behind its name.
    fn moves(&self, words: &[Word]) -> bool {
        let options = match &self.moves {
            Moves::Always(moves) => return *moves,
            Moves::With(options) => options,
        };
        let says = |word: &Word, option: &String| {
            let start = word.known_start();
            match option.strip_prefix('-') {
                // A letter may stand among others.
                Some(letter) if letter.len() == 1 => start
                    .strip_prefix('-')
                    .is_some_and(|letters| !letters.starts_with('-') && letters.contains(letter)),
                _ => start.starts_with(option),
            }
        };
        words
            .iter()
            .any(|word| options.iter().any(|option| says(word, option)))
    }
}

/// When what a wrapper runs may begin in another directory than the wrapper itself.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Moves {
    Always(bool),
    /// With one of these words.
    With(Vec<String>),
}

impl Default for Moves {
    fn default() -> Self {
        Self::Always(false)
    }
}

/// Whether a wrapper of this name, with these words behind it, may run its command in another directory. What is not known
/// does not count here: nothing behind it is known either.
pub(super) fn moves(name: &str, words: &[Word]) -> bool {
    matches!(find(name), Ok(Some(Entry::Wrapper(wrapper))) if wrapper.moves(words))
}

/// What a wrapper of this name does besides running what stands behind it; `None` for what is no wrapper.
pub(super) fn facts(name: &str) -> Option<&'static [Fact]> {
    match find(name).ok()?? {
        Entry::Wrapper(wrapper) => Some(&wrapper.does),
        Entry::Code(_) => None,
    }
}

/// Whether `NAME=VALUE` may stand before the command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Assigns {
    #[default]
    Never,
    /// Behind the first one there are no options any more.
    First,
    Anywhere,
}

/// What stands behind the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Runs {
    Words,
    Joined,
    Option,
    Shell,
    Env,
    Xargs,
    Find,
    Flock,
}

/// What happens when no command is there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Empty {
    #[default]
    Opaque,
    Nothing,
    Echo,
}

/// A program that can run more than its words say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Code {
    names: Vec<String>,
    #[serde(default)]
    pub(super) options: Vec<String>,
    #[serde(default)]
    pub(super) leading: Vec<String>,
    #[serde(default)]
    pub(super) within: HashMap<String, Vec<String>>,
    #[serde(default)]
    pub(super) valued: Vec<String>,
    #[serde(default)]
    pub(super) bundled: bool,
    #[serde(default)]
    pub(super) words: Vec<String>,
    #[serde(default)]
    pub(super) contains: Vec<String>,
    #[serde(default)]
    pub(super) literal: bool,
    #[serde(default)]
    pub(super) script: bool,
    #[serde(default)]
    pub(super) always: bool,
    #[serde(default)]
    pub(super) input: bool,
}

/// What is known of a program.
#[derive(Debug)]
pub(super) enum Entry {
    Wrapper(Wrapper),
    Code(Code),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    wrapper: Vec<Wrapper>,
    #[serde(default)]
    code: Vec<Code>,
}

/// Every entry, by each name.
struct Table {
    entries: Vec<Entry>,
    names: HashMap<String, usize>,
}

static TABLE: LazyLock<Result<Table, String>> = LazyLock::new(read);

/// What is known of the program of this name.
///
/// # Errors
///
/// The tables cannot be read: then nothing is known of anything, and nothing may pass for an ordinary program.
pub(super) fn find(name: &str) -> Result<Option<&'static Entry>, ()> {
    let table = TABLE.as_ref().map_err(|_| ())?;
    Ok(table.names.get(name).and_then(|at| table.entries.get(*at)))
}

fn read() -> Result<Table, String> {
    let mut table = Table {
        entries: Vec::new(),
        names: HashMap::new(),
    };
    for text in FILES {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let wrappers = file.wrapper.into_iter().map(Entry::Wrapper);
        let code = file.code.into_iter().map(Entry::Code);
        for entry in wrappers.chain(code) {
            let at = table.entries.len();
            let names = match &entry {
                Entry::Wrapper(wrapper) => &wrapper.names,
                Entry::Code(code) => &code.names,
            };
            for name in names {
                if table.names.insert(name.clone(), at).is_some() {
                    return Err(format!("`{name}` stands there twice"));
                }
            }
            table.entries.push(entry);
        }
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::{Entry, File, Runs, TABLE};

    /// What the documentation shows can be written.
    #[test]
    fn the_documented_entries_can_be_read() {
        let text = include_str!("../../../data/commands/README.md");
        let blocks = text.split("```toml\n").skip(1);
        let blocks = blocks.filter_map(|block| block.split("```").next());
        let blocks: Vec<_> = blocks.filter(|block| !block.contains("[[program]]")).collect();
        assert_eq!(blocks.len(), 2);
        for block in blocks {
            let file: File = toml::from_str(block).unwrap();
            assert_eq!(file.wrapper.len() + file.code.len(), 1);
        }
    }

    #[test]
    fn every_file_can_be_read() {
        let table = TABLE.as_ref().unwrap();
        assert!(table.names.len() > 100);
    }

    #[test]
    fn an_option_is_one_kind_of_option() {
        for entry in &TABLE.as_ref().unwrap().entries {
            let Entry::Wrapper(wrapper) = entry else { continue };
            let kinds = [
                &wrapper.flags,
                &wrapper.valued,
                &wrapper.optional,
                &wrapper.text,
                &wrapper.alone,
            ];
            let mut all: Vec<_> = kinds.into_iter().flatten().collect();
            let count = all.len();
            all.sort();
            all.dedup();
            assert_eq!(all.len(), count, "{:?}", wrapper.names);
            for option in all {
                let long = option.starts_with("--") && option.len() > 3;
                assert!(
                    long || option == "-" || (option.len() == 2 && option.starts_with('-')),
                    "{option}"
                );
            }
            assert_eq!(wrapper.runs == Runs::Option, !wrapper.text.is_empty());
        }
    }
}
