//! A word while it is being read.

use super::super::{Piece, Place, Reason, Word};

/// Collects text and pieces. `*`, `[`, `{` and their kin are kept apart from other text until it is certain whether
/// they mean something.
#[derive(Debug, Default)]
pub(super) struct WordBuilder {
    pieces: Vec<Piece>,
    text: String,
    /// A line was continued within the word.
    pub(super) continued: bool,
    /// The value of an assignment is being read, where `~` also counts after each colon.
    value: bool,
    bracket: Span,
    brace: Span,
    /// The name of a variable stands last, with nothing to end it.
    open_name: bool,
    /// A brace follows such a name.
    runs_on: bool,
}

/// How far `[ … ]` or `{ … , … }` has been seen.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Span {
    #[default]
    None,
    Open,
    /// A comma or two dots have been seen after the brace.
    Parted,
    Closed,
}

impl WordBuilder {
    /// For the value of an assignment.
    pub(super) fn of_value() -> Self {
        Self {
            value: true,
            ..Self::default()
        }
    }

    /// Text that stands for itself.
    pub(super) fn push(&mut self, text: &str) {
        if self.bracket == Span::Open && text.contains(']') {
            self.bracket = Span::Closed;
        }
        self.open_name = false;
        self.text.push_str(text);
    }

    /// Text without quotes, in which two dots may part a brace expansion.
    pub(super) fn push_plain(&mut self, text: &str) {
        // Where a line is continued the dots may have been cut apart.
        if self.brace == Span::Open && (text.contains("..") || self.continued) {
            self.brace = Span::Parted;
        }
        self.push(text);
    }

    /// A moving part.
    pub(super) fn push_piece(&mut self, piece: Piece) {
        self.open_name = false;
        self.flush();
        self.pieces.push(piece);
    }

    /// `$name` without quotes, which goes on as long as the text does.
    pub(super) fn push_open_variable(&mut self, name: String) {
        self.push_piece(Piece::Variable {
            name,
            quoted: false,
            plain: true,
            kept: true,
            change: None,
        });
        self.open_name = true;
    }

    /// An unquoted character that may make the word a pattern.
    pub(super) fn push_glob(&mut self, char: char) {
        if char == '[' && self.bracket == Span::None {
            self.bracket = Span::Open;
        }
        self.push_piece(Piece::Glob(char));
    }

    /// An unquoted character that may belong to a brace expansion.
    pub(super) fn push_brace(&mut self, char: char) {
        self.runs_on |= self.open_name;
        self.brace = match (char, self.brace) {
            ('{', Span::None) => Span::Open,
            (',', Span::Open) => Span::Parted,
            ('}', Span::Parted) => Span::Closed,
            (_, span) => span,
        };
        if self.brace == Span::None {
            return self.text.push(char);
        }
        self.push_piece(Piece::Brace(char));
    }

    /// Whether a `~` means a home here; `before` is the byte before it, none at the start of the word.
    pub(super) fn tilde_counts(&self, before: Option<u8>) -> bool {
        let assigns = self.value || self.text.contains('=') || !self.pieces.is_empty();
        match before {
            None => true,
            Some(b'=' | b':') => assigns,
            // Each alternative becomes a word.
            Some(b'{' | b',') => self.brace != Span::None,
            Some(_) => self.continued,
        }
    }

    /// Adds what another builder holds, as one part of this word.
    pub(super) fn append(&mut self, other: Self) {
        self.continued |= other.continued;
        if other.pieces.is_empty() {
            self.push_piece(Piece::Translated(other.text));
        } else {
            self.push_piece(Piece::Translated(String::new()));
            for piece in other.finish_pieces() {
                self.push_piece(piece);
            }
        }
    }

    /// Adds the moving parts of another builder: what is fixed in there is not known to become part of the word.
    pub(super) fn append_moving(&mut self, other: Self) {
        let moving = |piece: &Piece| !matches!(piece, Piece::Literal(_) | Piece::Glob(_) | Piece::Brace(_));
        for piece in other.pieces.into_iter().filter(moving) {
            self.push_piece(piece);
        }
    }

    /// Everything that was read, as it stands.
    pub(super) fn into_pieces(mut self) -> Vec<Piece> {
        self.flush();
        self.pieces
    }

    /// The word.
    pub(super) fn finish(mut self, place: Place) -> Result<Word, Reason> {
        if self.pieces.is_empty() {
            return Ok(Word::of_literal(self.text, place));
        }
        let dynamic = self
            .pieces
            .iter()
            .any(|piece| !matches!(piece, Piece::Literal(_) | Piece::Glob(_) | Piece::Brace(_)));
        if dynamic && self.brace == Span::Closed && !self.is_cut_as_written() {
            return Err(Reason::BraceExpansion);
        }
        if dynamic && self.bracket == Span::Open {
            // The value may bring the closing bracket along.
            self.bracket = Span::Closed;
        }
        let pieces = self.finish_pieces();
        let literal = match pieces.as_slice() {
            [] => Some(String::new()),
            [Piece::Literal(text)] => Some(text.clone()),
            _ => None,
        };
        Ok(match literal {
            Some(text) => Word::of_literal(text, place),
            None => Word::of_pieces(pieces, place),
        })
    }

    /// Whether braces are expanded as they look here: nothing moves but plain variables and homes, which bash reads after the
    /// braces, and no name of a variable goes on with what the braces bring along.
    fn is_cut_as_written(&self) -> bool {
        !self.runs_on
            && self.pieces.iter().all(|piece| match piece {
                Piece::Literal(_) | Piece::Glob(_) | Piece::Brace(_) | Piece::Tilde => true,
                Piece::Variable { plain, .. } => *plain,
                _ => false,
            })
    }

    /// The pieces, with characters that turned out to mean nothing joined to the text around them.
    fn finish_pieces(mut self) -> Vec<Piece> {
        self.flush();
        let mut pieces: Vec<Piece> = Vec::with_capacity(self.pieces.len());
        for piece in self.pieces {
            let text = match piece {
                Piece::Glob('[') if self.bracket != Span::Closed => "[".to_owned(),
                Piece::Brace(char) if self.brace != Span::Closed => char.to_string(),
                Piece::Literal(text) => text,
                other => {
                    pieces.push(other);
                    continue;
                }
            };
            match pieces.last_mut() {
                Some(Piece::Literal(before)) => before.push_str(&text),
                _ => pieces.push(Piece::Literal(text)),
            }
        }
        pieces
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.pieces.push(Piece::Literal(std::mem::take(&mut self.text)));
        }
    }
}
