//! What is known when a command of a script runs: its working directory, and the values of its words.

mod braces;
mod directories;
mod expand;
mod finds;
mod found;
mod guesses;
mod lists;
mod moves;
mod paths;
mod revisions;
mod searches;
mod tree;
mod variables;

pub(crate) use directories::{Directories, Directory};
pub(crate) use found::Found;
use tree::Tree;
use variables::Variables;

use crate::commands::{Argument, Table};
use crate::shell::{Part, Piece, Redirection, Script, Word};

/// A script with what is known at each of its commands.
#[derive(Debug)]
pub(crate) struct Flow<'s> {
    script: &'s Script,
    /// The programs that are known.
    table: &'s Table,
    tree: Tree,
    home: Option<&'s str>,
    /// The directory that is known to be the root of a repository.
    repository: Option<&'s str>,
    variables: Variables<'s>,
    directories: directories::Table,
}

impl<'s> Flow<'s> {
    /// Follows a script that begins in `start`; `None`: nobody knows where. `repository` is the root of one, where that is
    /// known.
    pub(crate) fn new(
        script: &'s Script,
        table: &'s Table,
        start: Option<&str>,
        home: Option<&'s str>,
        repository: Option<&'s str>,
    ) -> Self {
        let tree = Tree::of(script);
        let variables = Variables::of(script);
        let mut flow = Self {
            script,
            table,
            tree,
            home,
            repository,
            variables,
            directories: directories::Table::default(),
        };
        flow.directories = directories::follow(&flow, start);
        flow
    }

    /// The script.
    pub(crate) const fn script(&self) -> &'s Script {
        self.script
    }

    /// Where a command or a group starts.
    pub(crate) fn directories(&self, at: Part) -> &Directories {
        self.directories.of(at)
    }

    /// What a word of this command, or of this group, becomes.
    pub(crate) fn argument<'w>(&self, at: Part, word: &'w Word) -> Argument<'w>
    where
        's: 'w,
    {
        match word.literal() {
            Some(_) => Argument::of_word(word),
            None if self.names_a_commit(at, word) => {
                Argument::of_values(word, self.values(at, word)).without_option()
            }
            None => Argument::of_values(word, self.values(at, word)),
        }
    }

    /// Whether nothing in the text sets a variable, so that it has what it had before.
    pub(crate) fn is_of_the_environment(&self, name: &str) -> bool {
        !self.variables.names(name)
    }

    /// Whether the shell looks for names of files to put in place of a word.
    pub(crate) fn selects(&self, word: &Word) -> bool {
        word.pieces().iter().any(|piece| match piece {
            Piece::Glob(_) => true,
            Piece::Variable { name, quoted, .. } => !quoted && self.variables.holds_a_pattern(name, 2),
            _ => false,
        })
    }

    /// Every redirection, with what it belongs to.
    pub(crate) fn redirections(&self) -> impl Iterator<Item = (Part, &'s Redirection)> + '_ {
        let script = self.script;
        script.parts().iter().flat_map(move |part| {
            let all: &'s [Redirection] = match part {
                Part::Command(number) => script
                    .commands()
                    .get(*number)
                    .map_or(&[], |one| &one.redirections),
                Part::Group(number) => script.groups().get(*number).map_or(&[], |one| &one.redirections),
            };
            all.iter().map(move |one| (*part, one))
        })
    }
}

#[cfg(test)]
mod tests;
