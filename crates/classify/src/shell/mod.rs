//! The strict reader of commands: text in, the complete list of simple commands out, or no answer at all.
//!
//! A gate that misreads a command has judged another one. So this reader accepts the part of bash that it is sure of,
//! refuses the rest, and never recovers: [`read`] returns either every simple command that the text can run, or
//! [`Opaque`] with a reason and a place. Nothing else in this crate is needed to use it.
//!
//! ```
//! use portcullis_classify::shell;
//!
//! let script = shell::read(b"cd sub && make 2>&1 | tee \"log of $USER\"")?;
//! let names: Vec<_> = script.commands().iter().filter_map(|command| command.name()).collect();
//! assert_eq!(names, ["cd", "make", "tee"]);
//!
//! let tee = &script.commands()[2];
//! assert_eq!(tee.words[1].literal(), None); // nobody knows its value before it runs
//! assert_eq!(script.input(2), shell::Input::Pipe(shell::Part::Command(1)));
//! # Ok::<(), shell::Opaque>(())
//! ```
//!
//! What is opaque is not unknown. Everything that was read before the doubt arose is still there, and may count
//! against a command, never for it:
//!
//! ```
//! use portcullis_classify::shell::{self, Reason};
//!
//! let opaque = shell::read(b"rm -rf /\nif").unwrap_err();
//! assert_eq!(opaque.reason(), Reason::Unterminated); // bash has run the first line by then
//! assert_eq!(opaque.seen().commands()[0].name(), Some("rm"));
//! ```
//!
//! # What is in the list
//!
//! Simple commands stand in the order in which they begin in the text, those of substitutions after the command that
//! holds them. Each has its assignments, its [`Word`]s, its [`Redirection`]s and its [`Seat`]: the [`Group`] it stands
//! in, who feeds it, whether it runs in the background. A substitution is a group that a word's [`Piece`] points to.
//! `[[ … ]]`, `(( … ))`, `time` and `!` are no commands, but what stands inside them is in the list. A redirection of a
//! loop, a group or a condition belongs to its [`Group`].
//!
//! A word is a literal, quotes removed, or it is dynamic: globs, braces, `~`, variables, substitutions and `$"…"` keep
//! their known shape.
//!
//! # What is always opaque
//!
//! Every [`Reason`] says when it is given. In short: bytes that hide something, whatever is not plain syntax, a command
//! word that is not a literal, whatever changes how the rest of the text is read or what a name runs, words that bash
//! evaluates although they are quoted, assignments to anything but names known as harmless, and redirections to places
//! that are not literal.
//!
//! # What this does not protect against
//!
//! - **Another shell.** The reading is that of bash 5 in its default mode. `sh` may be dash, which reads some of the same
//!   text differently; zsh and fish read much of it differently.
//! - **A shell with a history.** Aliases, functions and options that exist before the text begins are not known here:
//!   `ls` is the word `ls`.
//! - **What a program does with its words.** To [`read`], `sudo`, `xargs`, `sh -c` and `python3 -c` are simple commands
//!   like any other. [`unwrap`] adds what the ones it knows run; no table knows every program.
//!
//! # Bounds
//!
//! Text of at most [`MAX_BYTES`] bytes, nested at most [`MAX_DEPTH`] deep. Work is counted in steps, never in time, and
//! grows with the length of the text; the same text always has the same answer.

mod change;
mod command;
mod group;
mod meaning;
mod opaque;
mod reader;
mod reason;
mod redirection;
mod script;
mod unwrap;
mod word;

pub use change::Change;
pub use command::{Assignment, Link, Seat, SimpleCommand};
pub use group::{Group, GroupKind};
pub use opaque::{Doubt, Opaque, Place};
pub use reader::{MAX_BYTES, MAX_DEPTH};
pub use reason::Reason;
pub use redirection::{Descriptor, Operator, Redirection};
pub use script::{Input, Part, Script};
pub use word::{Piece, Word};

use crate::commands::{Fact, Table};

/// Reads one command text as bash would, completely or not at all.
///
/// # Errors
///
/// [`Opaque`] when there is any doubt about what would run. It holds what was read so far.
pub fn read(text: &[u8]) -> Result<Script, Opaque> {
    reader::read(text)
}

/// Adds to the list what wrappers run: `sudo`, `env`, `nice`, `timeout`, `xargs`, `find -exec`, `bash -c` and the rest of
/// the tables in `data/commands`.
///
/// A wrapper stays in the list. What it runs stands behind all others, in a [`GroupKind::Behind`] group, and is unwrapped
/// itself. A word that a wrapper fills in becomes a [`Piece::Filled`]. A text for `sh` is read when it has no syntax that
/// only bash knows.
///
/// ```
/// use portcullis_classify::shell;
///
/// let script = shell::unwrap(shell::read(b"sudo nice -n 5 bash -c 'cd /srv && rm -rf old'")?)?;
/// let names: Vec<_> = script.commands().iter().filter_map(|command| command.name()).collect();
/// assert_eq!(names, ["sudo", "nice", "bash", "cd", "rm"]);
/// # Ok::<(), shell::Opaque>(())
/// ```
///
/// # Errors
///
/// [`Opaque`] when it is not certain what a wrapper runs, when a shell reads its commands from somewhere else, and when a
/// program that is known for it is told to run more than its words say.
pub fn unwrap(script: Script) -> Result<Script, Opaque> {
    unwrap::unwrap(script)
}

/// What a verdict is about: everything that a text may run as far as it can be read, and every doubt about that.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Understood {
    /// Every simple command that was read, those behind wrappers and behind the programs of the tables included.
    pub script: Script,
    /// Every doubt. With one of them the text is never allowed.
    pub doubts: Vec<Doubt>,
}

/// Reads a text as verdicts do: it never fails, because what is read of an opaque text still counts against it.
///
/// ```
/// use portcullis_classify::shell;
///
/// let understood = shell::understand("git submodule foreach 'rm -rf build' | $pager");
/// let names: Vec<_> = understood.script.commands().iter().map(|one| one.name()).collect();
/// assert_eq!(names, [Some("git"), None, Some("rm")]);
/// assert_eq!(understood.doubts[0].reason, shell::Reason::DynamicName);
/// ```
#[must_use]
pub fn understand(text: &str) -> Understood {
    let (script, doubts) = crate::commands::understand(text, Table::built_in());
    Understood { script, doubts }
}

/// The same, where whoever asks reads the programs of the table by it.
pub(crate) fn unwrap_with(script: Script, programs: &Table) -> Result<Script, Opaque> {
    unwrap::unwrap_with(script, Some(programs))
}

/// What a wrapper of this name does besides running what stands behind it; `None` for what is no wrapper.
pub(crate) fn wrapper_facts(name: &str) -> Option<&'static [Fact]> {
    unwrap::wrapper_facts(name)
}

/// Whether a wrapper of this name, with these words behind it, may run its command in another directory than its own.
pub(crate) fn wrapper_moves(name: &str, words: &[Word]) -> bool {
    unwrap::wrapper_moves(name, words)
}

/// Whether a builtin of this name may set the variables that its words name.
pub(crate) fn sets_variables(name: &str) -> bool {
    meaning::sets_variables(name)
}

/// Whether a builtin of this name sets the variables of its words `name=value`, and makes them those of a function unless it
/// is told otherwise.
pub(crate) fn declares(name: &str) -> bool {
    meaning::declares(name)
}

/// Whether a builtin of this name marks variables, and sets those of its words `name=value`.
pub(crate) fn marks(name: &str) -> bool {
    meaning::marks(name)
}

/// Whether a substitution puts nothing but digits, a sign and blanks into a word.
pub(crate) fn prints_a_number(script: &Script, group: usize) -> bool {
    reader::is_count(script, group)
}

/// Whether a text is a plain name, without a subscript.
pub(crate) fn is_name(text: &str) -> bool {
    meaning::is_name(text)
}

/// Whether a script of sed is one of the plainest, which only print.
pub(crate) fn is_plain_sed(script: &str) -> bool {
    unwrap::is_plain_sed(script)
}

/// Whether these are flags for a compiler that neither name a program, a plugin nor a file.
pub(crate) fn are_plain_flags(flags: &str) -> bool {
    meaning::are_plain_flags(flags)
}

/// Whether a variable may be set without changing what runs.
pub(crate) fn is_harmless_setting(name: &str, value: Option<&str>) -> bool {
    meaning::is_harmless_setting(name, value)
}
