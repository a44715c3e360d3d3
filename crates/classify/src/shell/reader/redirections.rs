//! Redirections.

use super::super::{Descriptor, Operator, Part, Piece, Place, Reason, Redirection, Word};
use super::cursor::is_meta;
use super::{Read, Reader};

/// Longest first, so that none is taken for a shorter one.
const OPERATORS: &[(&str, Operator)] = &[
    ("<<<", Operator::HereString),
    ("<<-", Operator::HereDocumentTabs),
    ("<<", Operator::HereDocument),
    ("<&", Operator::CopyInput),
    ("<>", Operator::ReadWrite),
    ("<", Operator::Read),
    (">>", Operator::Append),
    (">&", Operator::CopyOutput),
    (">|", Operator::Clobber),
    (">", Operator::Write),
    ("&>>", Operator::AppendBoth),
    ("&>", Operator::WriteBoth),
];

impl Reader<'_> {
    /// The redirections after a compound command; whether there are any.
    pub(super) fn redirections(&mut self, part: Part) -> Read<bool> {
        let mut any = false;
        loop {
            self.blanks()?;
            if !self.redirection(part)? {
                return Ok(any);
            }
            any = true;
        }
    }

    /// One redirection, when one stands here.
    pub(super) fn redirection(&mut self, part: Part) -> Read<bool> {
        let start = self.at;
        let Some(length) = self.descriptor_length()? else {
            return Ok(false);
        };
        let descriptor = self.descriptor(length)?;
        let Some((text, operator)) = OPERATORS.iter().find(|(text, _)| self.rest().starts_with(text)) else {
            return self.stop(Reason::Syntax);
        };
        if matches!(
            operator,
            Operator::HereString | Operator::AppendBoth | Operator::WriteBoth
        ) || matches!(descriptor, Some(Descriptor::Variable(_)))
        {
            self.bash_only()?;
        }
        self.advance(text.len())?;
        let copies = matches!(operator, Operator::CopyInput | Operator::CopyOutput);
        if copies && self.peek() == Some(b'-') {
            return self.closing(part, *operator, descriptor, start);
        }
        self.operator_ends()?;
        self.blanks()?;
        if matches!(operator, Operator::HereDocument | Operator::HereDocumentTabs) {
            self.heredoc_mark(part, *operator, descriptor, start)?;
            return Ok(true);
        }
        if self.peek() == Some(b'#') {
            return self.stop(Reason::Syntax);
        }
        let operand = self.word()?.word;
        let number = operand.literal().is_some_and(is_number);
        if number && !copies && matches!(self.peek(), Some(b'<' | b'>')) {
            return self.stop(Reason::Syntax);
        }
        let operator = self.judged(*operator, &operand);
        let place = self.from(start);
        self.redirect(part, operator, descriptor, operand, place);
        Ok(true)
    }

    pub(super) fn redirect(
        &mut self,
        part: Part,
        operator: Operator,
        descriptor: Option<Descriptor>,
        operand: Word,
        place: Place,
    ) {
        let place = self.outward(place);
        if let Some(redirections) = self.redirections_of(part) {
            redirections.push(Redirection {
                operator,
                descriptor,
                operand,
                body: None,
                place,
            });
        }
    }

    /// Length of the descriptor before an operator that stands here; none when no redirection does.
    fn descriptor_length(&self) -> Read<Option<usize>> {
        if self.peek() == Some(b'&') {
            return Ok((self.peek_at(1) == Some(b'>')).then_some(0));
        }
        let length = match self.peek() {
            Some(b'<' | b'>') => 0,
            Some(b'0'..=b'9') => self.run(0, |byte| byte.is_ascii_digit()),
            Some(b'{') => self.run(0, |byte| byte != b'}' && !is_meta(byte)) + 1,
            _ => return Ok(None),
        };
        let operator = self.peek_at(length);
        let redirects = matches!(operator, Some(b'<' | b'>')) && self.peek_at(length + 1) != Some(b'(');
        if redirects && length > 0 && self.peek_at(length - 1) != Some(b'}') && self.peek() == Some(b'{') {
            return Ok(None);
        }
        Ok(redirects.then_some(length))
    }

    fn descriptor(&mut self, length: usize) -> Read<Option<Descriptor>> {
        let start = self.at;
        let text = self.slice(start, start + length);
        if let Some(name) = text.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            if !super::super::meaning::is_name(name) {
                return self.stop(Reason::Subscript);
            }
            self.advance(length)?;
            self.assigned(name, None, self.from(start));
            return Ok(Some(Descriptor::Variable(name.to_owned())));
        }
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse() {
            // Beyond that bash may take the number for a word.
            Ok(number) if length <= 4 => {
                self.advance(length)?;
                Ok(Some(Descriptor::Number(number)))
            }
            _ => self.stop(Reason::Syntax),
        }
    }

    /// `>&-` and `<&-` are one operator: a text directly after it is the next word, however much it looks like a file.
    fn closing(
        &mut self,
        part: Part,
        operator: Operator,
        descriptor: Option<Descriptor>,
        start: usize,
    ) -> Read<bool> {
        let dash = Place {
            start: self.at,
            end: self.at + 1,
        };
        self.advance(1)?;
        if self.peek().is_some_and(|byte| !is_meta(byte)) {
            return self.stop(Reason::TextAfterClosing);
        }
        // `>&-<(` goes on as well.
        if matches!(self.peek(), Some(b'<' | b'>')) && self.peek_at(1) == Some(b'(') {
            return self.stop(Reason::TextAfterClosing);
        }
        let operand = Word::of_literal("-".to_owned(), self.outward(dash));
        let place = self.from(start);
        self.redirect(part, operator, descriptor, operand, place);
        Ok(true)
    }

    /// What the operator does with this operand, and whether that is certain.
    fn judged(&mut self, operator: Operator, operand: &Word) -> Operator {
        let place = operand.place();
        let Some(text) = operand.literal() else {
            let process = matches!(operand.pieces(), [Piece::Substitution { quoted: false, group }]
                if self.script.groups().get(*group).is_some_and(|group| group.kind.is_process()));
            if operator != Operator::HereString && !process {
                self.doubt(Reason::DynamicRedirection, place);
            }
            return match operator {
                Operator::CopyOutput => Operator::WriteBoth,
                Operator::CopyInput => Operator::Read,
                other => other,
            };
        };
        let copied = is_number(text.strip_suffix('-').unwrap_or(text)) || text == "-";
        match operator {
            Operator::HereString => operator,
            Operator::CopyInput | Operator::CopyOutput if copied => operator,
            Operator::CopyInput => {
                self.doubt(Reason::DynamicRedirection, place);
                Operator::Read
            }
            _ => {
                if text.starts_with("/dev/tcp") || text.starts_with("/dev/udp") {
                    self.doubt(Reason::NetworkRedirection, place);
                }
                if operator == Operator::CopyOutput {
                    if self.portable {
                        self.doubt(Reason::OtherShell, place);
                    }
                    Operator::WriteBoth
                } else {
                    operator
                }
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
