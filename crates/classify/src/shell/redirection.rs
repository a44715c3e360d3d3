//! Redirections.

use super::{Place, Word};

/// One redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redirection {
    /// What happens.
    pub operator: Operator,
    /// The descriptor written before the operator; without one the operator's own default holds.
    pub descriptor: Option<Descriptor>,
    /// The file, the descriptor to copy, the end mark of a here-document or the text of a here-string.
    pub operand: Word,
    /// The text of a here-document. Quotes in it mean nothing; a quoted end mark makes it literal.
    pub body: Option<Word>,
    /// Where it stands in the text.
    pub place: Place,
}

impl Redirection {
    /// The file that this opens, when it opens one. `2>&1` and here-documents open none.
    #[must_use]
    pub fn file(&self) -> Option<&Word> {
        match self.operator {
            Operator::Read
            | Operator::Write
            | Operator::Append
            | Operator::Clobber
            | Operator::ReadWrite
            | Operator::WriteBoth
            | Operator::AppendBoth => Some(&self.operand),
            Operator::CopyInput
            | Operator::CopyOutput
            | Operator::HereDocument
            | Operator::HereDocumentTabs
            | Operator::HereString => None,
        }
    }

    /// Whether it replaces standard input.
    #[must_use]
    pub fn is_input(&self) -> bool {
        match &self.descriptor {
            Some(Descriptor::Number(number)) => *number == 0,
            Some(Descriptor::Variable(_)) => false,
            None => matches!(
                self.operator,
                Operator::Read
                    | Operator::ReadWrite
                    | Operator::CopyInput
                    | Operator::HereDocument
                    | Operator::HereDocumentTabs
                    | Operator::HereString
            ),
        }
    }
}

/// The operators. Every one that can write says so in its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Operator {
    /// `<`
    Read,
    /// `>`: empties the file first, unless `noclobber` is set.
    Write,
    /// `>>`
    Append,
    /// `>|`: empties the file first, always.
    Clobber,
    /// `<>`: makes the file when there is none.
    ReadWrite,
    /// `&>`, and `>&` before a name: standard output and standard error, emptied first.
    WriteBoth,
    /// `&>>`: standard output and standard error, appended.
    AppendBoth,
    /// `<&`: copies, moves or closes a descriptor.
    CopyInput,
    /// `>&` before a number or `-`: copies, moves or closes a descriptor.
    CopyOutput,
    /// `<<`
    HereDocument,
    /// `<<-`: leading tabs are no part of the text.
    HereDocumentTabs,
    /// `<<<`
    HereString,
}

/// The descriptor that a redirection names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Descriptor {
    /// `2>`
    Number(u32),
    /// `{name}>`: a free descriptor, whose number the variable then holds.
    Variable(String),
}
