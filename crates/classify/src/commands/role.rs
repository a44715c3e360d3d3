//! What a word means to the program that it is given to.

use portcullis_paths::Operation;

/// What one operand, or the value of an option, means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// Nothing happens where it says: a pattern, a number, a message, a name.
    Text,
    /// Plain text means nothing; any other is code.
    PlainText,
    /// What begins with a plus means nothing; anything else changes the machine.
    Plus,
    /// Rights of a file: nothing, unless it then runs with those of its owner.
    Mode,
    /// It may not be shown.
    Secret,
    /// A revision, which may also name a file, and with `REV:path` does.
    Revision,
    /// A revision to go to; a path of that name is put back to what is recorded.
    RevisionOrRestore,
    /// The name of a remote that the repository knows, or an address.
    Repository,
    /// Something is done to the path.
    Path(PathRole),
    /// `@file` is read; anything else is text.
    AtFile,
    /// A filter of jq, which may show the environment.
    Jq,
    /// The name of a setting: nothing, unless it says that the value is secret.
    Setting,
    /// The path of a file that is read; `@file` holds more options, which asks.
    Source,
    /// `HOST:PATH` is another machine's; anything else is a path.
    Remote(PathRole),
    /// `PATH:…` or `key=PATH,…`: what somebody else may then read and write.
    Mount,
    /// An address.
    Url,
    /// The name of a host, also `user@host` and `host:port`.
    Host,
    /// Code that is not read here.
    Code,
    /// A script of sed: the plainest do nothing but print.
    Sed,
    /// A program of awk: the plainest do nothing but print.
    Awk,
    /// A program of Python: the plainest do nothing but print.
    Python,
    /// This word and all behind it are a command that runs here.
    Command,
    /// This word and all behind it are a command that runs elsewhere.
    Elsewhere,
    /// A text that `sh` reads here; several words are joined.
    ShellText,
    /// A file that a pager shows; behind a plus stands a command for it.
    Shown,
    /// A script of perl: the plainest do nothing but replace and print.
    Perl,
    /// How what is known of a container is shown, its environment among it.
    Inspected,
    /// A name: nothing, when it is made of few characters and no place; any other is code.
    Name,
    /// A file that is opened by its text, in which signs at the ends mean a pipe or another way of opening.
    Opened(PathRole),
    /// `PARAMETERS:PATH` or a path, where files are put.
    Output,
    /// Statements of SQL, or what `sqlite3` is told with a dot: those that only read mean nothing.
    Sql,
    /// `NAME=VALUE`, which a build knows: nothing, unless the name says what else is run or where, or the value leads away.
    Define,
    /// Flags for a compiler, in one word.
    CompilerFlags,
    /// Flags for the linker of Go, in one word.
    LinkerFlags,
    /// `NAME=VALUE`, which git takes for a setting: nothing, when it is about how something is shown.
    GitSetting,
    /// What a debugger is told: nothing, when it only runs and looks.
    Debugger,
    /// `query=...`, which only asks; anything else may change what others see.
    GraphQl,
    /// A task of a build by its name, and what it is about: nothing, when it is known to build, test or tell.
    Task,
    /// The name of a sub-command.
    Sub,
}

/// What is done to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum PathRole {
    /// One operation of the file system.
    Of(Operation),
    /// A file is written there, under its own name when a directory stands there.
    Put,
    /// A name is moved there, into it when a directory stands there.
    MoveTo,
    /// A link is made there, in it when a directory stands there.
    LinkTo,
    /// A file is written over with what is recorded elsewhere: what was worked on in it is lost.
    Restore,
    /// Everything below changes its mode, owner or times.
    MetaTree,
    /// Some of what is below is removed, not the directory itself.
    DeleteBelow,
    /// Everything below is listed.
    ListTree,
    /// It becomes the working directory of what the program does.
    WorkingDir,
    /// The file is run.
    Execute,
}

const WORDS: &[(&str, Role)] = &[
    ("text", Role::Text),
    ("plain", Role::PlainText),
    ("plus", Role::Plus),
    ("mode", Role::Mode),
    ("secret", Role::Secret),
    ("rev", Role::Revision),
    ("rev-or-restore", Role::RevisionOrRestore),
    ("restore", Role::Path(PathRole::Restore)),
    ("remote", Role::Repository),
    ("read", of(Operation::Read)),
    ("list", of(Operation::List)),
    ("list-tree", Role::Path(PathRole::ListTree)),
    ("search", of(Operation::Search)),
    ("stat", of(Operation::Stat)),
    ("lstat", of(Operation::Lstat)),
    ("read-link", of(Operation::ReadLink)),
    ("copy-from", of(Operation::CopyFrom)),
    ("write", of(Operation::Write)),
    ("put", Role::Path(PathRole::Put)),
    ("make-dir", of(Operation::MakeDir)),
    ("meta", of(Operation::SetMeta)),
    ("meta-tree", Role::Path(PathRole::MetaTree)),
    ("delete", of(Operation::Delete)),
    ("delete-tree", of(Operation::DeleteTree)),
    ("delete-below", Role::Path(PathRole::DeleteBelow)),
    ("move-from", of(Operation::MoveFrom)),
    ("move-to", Role::Path(PathRole::MoveTo)),
    ("link-to", Role::Path(PathRole::LinkTo)),
    ("hard-link-from", of(Operation::HardLinkFrom)),
    ("working-dir", Role::Path(PathRole::WorkingDir)),
    ("execute", Role::Path(PathRole::Execute)),
    ("at-file", Role::AtFile),
    ("source", Role::Source),
    ("jq", Role::Jq),
    ("setting", Role::Setting),
    ("remote-read", Role::Remote(PathRole::Of(Operation::CopyFrom))),
    ("remote-write", Role::Remote(PathRole::Put)),
    ("mount", Role::Mount),
    ("url", Role::Url),
    ("host", Role::Host),
    ("code", Role::Code),
    ("sed", Role::Sed),
    ("awk", Role::Awk),
    ("perl", Role::Perl),
    ("shown", Role::Shown),
    ("inspected", Role::Inspected),
    ("python", Role::Python),
    ("command", Role::Command),
    ("elsewhere", Role::Elsewhere),
    ("shell-text", Role::ShellText),
    ("name", Role::Name),
    ("opened-read", Role::Opened(PathRole::Of(Operation::Read))),
    ("opened-write", Role::Opened(PathRole::Of(Operation::Write))),
    ("output", Role::Output),
    ("sql", Role::Sql),
    ("define", Role::Define),
    ("compiler-flags", Role::CompilerFlags),
    ("linker-flags", Role::LinkerFlags),
    ("git-setting", Role::GitSetting),
    ("debugger", Role::Debugger),
    ("graphql", Role::GraphQl),
    ("task", Role::Task),
    ("sub", Role::Sub),
];

const fn of(operation: Operation) -> Role {
    Role::Path(PathRole::Of(operation))
}

impl Role {
    /// The role that tables write so.
    pub(crate) fn by_word(word: &str) -> Option<Self> {
        WORDS
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, role)| *role)
    }

    /// Every word that tables may use.
    pub(crate) fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// What is done to the path that the word is, as a whole or in part.
    pub(crate) fn path(self) -> Option<PathRole> {
        match self {
            Self::Path(role) | Self::Remote(role) | Self::Opened(role) => Some(role),
            Self::Output => Some(PathRole::Put),
            _ => None,
        }
    }

    /// Whether a command stands there that runs here, as words or as a text.
    pub(crate) const fn runs(self) -> bool {
        matches!(self, Self::Command | Self::ShellText)
    }

    /// Whether a wrong guess about which word has it does no more than tell something of a place in the same directory.
    pub(super) fn is_tame(self) -> bool {
        match self {
            Self::Text
            | Self::Secret
            | Self::Revision
            | Self::AtFile
            | Self::Source
            | Self::Jq
            | Self::Setting => true,
            Self::Path(role) => role.is_tame(),
            _ => false,
        }
    }
}

impl PathRole {
    fn is_tame(self) -> bool {
        match self {
            Self::Of(operation) => matches!(
                operation,
                Operation::Read
                    | Operation::List
                    | Operation::Search
                    | Operation::Stat
                    | Operation::Lstat
                    | Operation::ReadLink
                    | Operation::CopyFrom
            ),
            Self::ListTree => true,
            _ => false,
        }
    }
}

#[cfg(test)]
impl Role {
    /// The word that tables use for it.
    pub(super) fn word(self) -> &'static str {
        WORDS.iter().find(|(_, role)| *role == self).unwrap().0
    }
}
