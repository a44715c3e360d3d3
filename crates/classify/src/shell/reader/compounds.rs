//! Compound commands.

use super::super::{GroupKind, Part, Place, Reason};
use super::cursor::is_meta;
use super::lists::Ending;
use super::{Read, Reader};

/// Words that mean something where a command could begin.
const RESERVED: &[&str] = &[
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}",
];
const LONGEST: usize = 8;

/// Whether a word means something where a command could begin.
pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

impl<'t> Reader<'t> {
    /// The word here as written, when it is at most `most` bytes long.
    pub(super) fn raw_word(&self, most: usize) -> Option<&'t str> {
        let bytes = self.rest().as_bytes().iter().take(most + 1);
        let length = bytes.take_while(|byte| !is_meta(**byte)).count();
        (length > 0 && length <= most)
            .then(|| self.rest().get(..length))
            .flatten()
    }

    /// The reserved word that stands here.
    pub(super) fn reserved(&self) -> Option<&'t str> {
        let word = self.raw_word(LONGEST)?;
        // `!(` may be a pattern, and `<(` goes on with the word.
        let next = (self.peek_at(word.len()), self.peek_at(word.len() + 1));
        let goes_on = matches!(next, (Some(b'<' | b'>'), Some(b'(')));
        (is_reserved(word) && !goes_on).then_some(word)
    }

    /// This reserved word, or the end of the reading.
    pub(super) fn keyword(&mut self, word: &str) -> Read<()> {
        if self.reserved() != Some(word) {
            return self.stop(Reason::Syntax);
        }
        self.advance(word.len())
    }

    /// A list between two reserved words; the first one has been read.
    pub(super) fn list_until(&mut self, word: &str) -> Read<()> {
        self.list(true)?;
        self.keyword(word)
    }

    /// A compound command with its redirections, when one begins here.
    pub(super) fn compound(&mut self) -> Read<Option<(Part, Ending)>> {
        let start = self.at;
        let place = Place {
            start,
            end: start + 1,
        };
        if self.peek() == Some(b'(') {
            let kind = if self.peek_at(1) == Some(b'(') {
                GroupKind::Arithmetic
            } else {
                GroupKind::Subshell
            };
            return self.compound_of(kind, place).map(Some);
        }
        let kind = match self.reserved() {
            None => return Ok(None),
            Some("{") => GroupKind::Braces,
            Some("if") => GroupKind::If,
            Some("while") => GroupKind::While,
            Some("until") => GroupKind::Until,
            Some("for") => GroupKind::For,
            Some("select") => GroupKind::Select,
            Some("case") => GroupKind::Case,
            Some("[[") => GroupKind::Test,
            Some("function") => GroupKind::Function,
            Some("coproc") => GroupKind::Coprocess,
            // `time` is a keyword only at the start of a pipeline.
            Some("time") => return Ok(None),
            Some(_) => return self.stop(Reason::Syntax),
        };
        self.compound_of(kind, place).map(Some)
    }

    fn compound_of(&mut self, kind: GroupKind, place: Place) -> Read<(Part, Ending)> {
        if matches!(
            kind,
            GroupKind::Arithmetic
                | GroupKind::Test
                | GroupKind::Select
                | GroupKind::Function
                | GroupKind::Coprocess
        ) {
            self.bash_only()?;
        }
        self.deeper(|reader| {
            let outer = reader.seat;
            let group = reader.open(kind, place);
            reader.body(kind, group)?;
            reader.close(group, outer);
            let part = Part::Group(group);
            let redirected = reader.redirections(part)?;
            let bracket = !matches!(
                kind,
                GroupKind::Test | GroupKind::Arithmetic | GroupKind::Function | GroupKind::Coprocess
            );
            let ending = if bracket && !redirected {
                Ending::Bracket
            } else {
                Ending::Word
            };
            Ok((part, ending))
        })
    }

    fn body(&mut self, kind: GroupKind, group: usize) -> Read<()> {
        match kind {
            GroupKind::Subshell => {
                self.expect("(")?;
                self.operator_ends()?;
                self.list(true)?;
                self.expect(")")
            }
            GroupKind::Arithmetic => {
                self.expect("((")?;
                self.arithmetic_command()
            }
            GroupKind::Braces => self.braces(),
            GroupKind::If => self.conditional(),
            GroupKind::While | GroupKind::Until => {
                self.advance(5)?;
                self.list_until("do")?;
                self.list_until("done")
            }
            GroupKind::For | GroupKind::Select => self.for_loop(kind, group),
            GroupKind::Case => self.case(group),
            GroupKind::Test => self.condition(group),
            GroupKind::Function => self.function(),
            GroupKind::Coprocess => self.coprocess(),
            _ => self.stop(Reason::Syntax),
        }
    }

    pub(super) fn braces(&mut self) -> Read<()> {
        self.keyword("{")?;
        self.list_until("}")
    }

    fn conditional(&mut self) -> Read<()> {
        self.keyword("if")?;
        loop {
            self.list_until("then")?;
            self.list(true)?;
            match self.reserved() {
                Some("elif") => self.advance(4)?,
                Some("else") => {
                    self.advance(4)?;
                    return self.list_until("fi");
                }
                _ => return self.keyword("fi"),
            }
        }
    }

    /// `function name { … }`. What the name means from here on is not followed, but the body is read.
    fn function(&mut self) -> Read<()> {
        let start = self.at;
        self.keyword("function")?;
        self.blanks()?;
        if self.name_length() == 0 {
            return self.stop(Reason::Syntax);
        }
        self.advance(self.run(0, |byte| !is_meta(byte)))?;
        self.doubt(Reason::Function, self.from(start));
        self.blanks()?;
        if self.eat("(")? {
            self.blanks()?;
            self.expect(")")?;
        }
        self.function_body()
    }

    /// The body of a function, after its name.
    pub(super) fn function_body(&mut self) -> Read<()> {
        self.gap()?;
        match self.compound()? {
            Some(_) => Ok(()),
            None => self.stop(Reason::Syntax),
        }
    }

    /// `coproc command` and `coproc NAME compound`.
    fn coprocess(&mut self) -> Read<()> {
        let start = self.at;
        self.keyword("coproc")?;
        self.doubt(Reason::Coprocess, self.from(start));
        self.blanks()?;
        if self.compound()?.is_some() {
            return Ok(());
        }
        let name = self.name_length();
        let before = self.at;
        if name > 0 {
            self.advance(name)?;
            self.blanks()?;
            if self.compound()?.is_some() {
                return Ok(());
            }
        }
        self.at = before;
        self.simple_command().map(|_| ())
    }
}
