//! A text, cut into the words that a shell would see. It never fails and decides nothing: what it is used for is shown, not
//! run.

use std::ops::Range;

/// Deepest text within a text.
const DEPTH: usize = 8;

/// One character of a word, without its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter {
    pub(super) is: char,
    /// Where it stands in the text.
    pub(super) start: usize,
    pub(super) end: usize,
    /// It is part of what a shell would put something else for: that is code, and never hidden.
    pub(super) live: bool,
    /// It stands in quotes.
    pub(super) quoted: bool,
}

/// A word and what stands before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Word {
    pub(super) letters: Vec<Letter>,
    /// It is what a redirection names: `<<<` feeds it.
    pub(super) redirected: Option<Redirected>,
}

/// The operator before a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Redirected {
    HereString,
    Other,
}

impl Word {
    /// Its text, without quotes.
    pub(super) fn text(&self) -> String {
        self.letters.iter().map(|letter| letter.is).collect()
    }

    /// Where its letters from this one on stand, without what is live.
    pub(super) fn hide_from(&self, at: usize, hidden: &mut Vec<Range<usize>>) {
        self.hide(at..self.letters.len(), hidden);
    }

    pub(super) fn hide(&self, letters: Range<usize>, hidden: &mut Vec<Range<usize>>) {
        for letter in self.letters.get(letters).unwrap_or_default() {
            if !letter.live {
                hidden.push(letter.start..letter.end);
            }
        }
    }
}

/// A simple command, and whether a pipe feeds it from the one before.
#[derive(Debug, Default)]
pub(super) struct Line {
    pub(super) words: Vec<Word>,
    pub(super) is_fed: bool,
}

/// Every simple command of a text, the texts within it included: substitutions, and quoted words that hold blanks, which may
/// be code for another shell.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut open = vec![(Within::literal(0..text.len()), 0)];
    while let Some((within, depth)) = open.pop() {
        let mut cutter = Cutter::new(text, within);
        cutter.cut();
        lines.append(&mut cutter.lines);
        if depth < DEPTH {
            open.extend(cutter.within.into_iter().map(|within| (within, depth + 1)));
        }
    }
    lines
}

/// A text within the text.
struct Within {
    range: Range<usize>,
    /// It stands in double quotes: there a shell reads on between single ones.
    is_live: bool,
}

impl Within {
    fn literal(range: Range<usize>) -> Self {
        Self {
            range,
            is_live: false,
        }
    }
}

struct Cutter<'a> {
    text: &'a str,
    is_live: bool,
    /// Where it goes on, and where it ends.
    at: usize,
    end: usize,
    lines: Vec<Line>,
    line: Line,
    word: Option<Word>,
    next: Option<Redirected>,
    within: Vec<Within>,
}

impl<'a> Cutter<'a> {
    fn new(text: &'a str, Within { range, is_live }: Within) -> Self {
        Self {
            text,
            is_live,
            at: range.start,
            end: range.end,
            lines: Vec::new(),
            line: Line::default(),
            word: None,
            next: None,
            within: Vec::new(),
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// The next character, behind which it goes on.
    fn take(&mut self) -> Option<Letter> {
        let is = self.rest().chars().next()?;
        let start = self.at;
        self.at += is.len_utf8();
        Some(Letter {
            is,
            start,
            end: self.at,
            live: false,
            quoted: false,
        })
    }

    fn cut(&mut self) {
        while let Some(letter) = self.take() {
            match letter.is {
                ' ' | '\t' => self.end_word(),
                '\n' | ';' | '|' | '&' | '(' | ')' => self.end_line(letter.is == '|'),
                '<' | '>' => self.redirection(letter.is),
                '\\' => {
                    if let Some(next) = self.take() {
                        self.put(Letter {
                            start: letter.start,
                            ..next
                        });
                    }
                }
                '\'' => self.single(),
                '"' => self.double(),
                '$' | '`' if self.substitution(letter) => {}
                _ => self.put(letter),
            }
        }
        self.end_line(false);
    }

    fn put(&mut self, letter: Letter) {
        let next = self.next;
        let word = self.word.get_or_insert_with(|| Word {
            letters: Vec::with_capacity(16),
            redirected: next,
        });
        word.letters.push(letter);
    }

    fn put_quoted(&mut self, letter: Letter) {
        self.put(Letter {
            quoted: true,
            ..letter
        });
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            self.line.words.push(word);
            self.next = None;
        }
    }

    fn end_line(&mut self, feeds: bool) {
        self.end_word();
        self.next = None;
        let line = std::mem::take(&mut self.line);
        let is_empty = line.words.is_empty();
        // A second sign of `||` or `|&` ends nothing, and `||` feeds nobody.
        self.line.is_fed = feeds && !is_empty;
        if !is_empty {
            self.lines.push(line);
        }
    }

    fn redirection(&mut self, sign: char) {
        self.end_word();
        let mut count = 1;
        while self.rest().starts_with(sign) {
            self.at += 1;
            count += 1;
        }
        if self.rest().starts_with('&') {
            self.at += 1;
        }
        self.next = Some(match (sign, count) {
            ('<', 3) => Redirected::HereString,
            _ => Redirected::Other,
        });
    }

    fn single(&mut self) {
        let start = self.at;
        let length = self.rest().find('\'').unwrap_or(self.rest().len());
        while self.at < start + length {
            match self.take() {
                Some(letter)
                    if self.is_live && matches!(letter.is, '$' | '`') && self.substitution(letter) => {}
                Some(letter) => self.put_quoted(letter),
                None => break,
            }
        }
        self.at = self.at.max(start + length + 1).min(self.end);
        self.quoted(start..start + length, self.is_live);
    }

    fn double(&mut self) {
        let start = self.at;
        // An empty word is one.
        let next = self.next;
        self.word.get_or_insert_with(|| Word {
            letters: Vec::new(),
            redirected: next,
        });
        let mut end = self.end;
        while let Some(letter) = self.take() {
            match letter.is {
                '"' => {
                    end = letter.start;
                    break;
                }
                '\\' => {
                    if let Some(next) = self.take() {
                        self.put_quoted(Letter {
                            start: letter.start,
                            ..next
                        });
                    }
                }
                '$' | '`' if self.substitution(letter) => {}
                _ => self.put_quoted(letter),
            }
        }
        self.quoted(start..end, true);
    }

    /// Quoted text that holds blanks may be code for another shell.
    fn quoted(&mut self, range: Range<usize>, is_live: bool) {
        let inner = self.text.get(range.clone()).unwrap_or_default();
        if inner.contains([' ', '\n', '\t']) {
            self.within.push(Within { range, is_live });
        }
    }

    /// What a shell puts something else for; false when the sign is only a sign.
    fn substitution(&mut self, sign: Letter) -> bool {
        let rest = self.rest();
        let (length, inner) = match sign.is {
            '`' => {
                let inner = rest.find('`').unwrap_or(rest.len());
                ((inner + 1).min(rest.len()), 0..inner)
            }
            _ if rest.starts_with('(') => {
                let inner = closing(rest);
                ((inner + 1).min(rest.len()), 1..inner)
            }
            _ if rest.starts_with('{') => {
                let inner = rest.find('}').unwrap_or(rest.len());
                ((inner + 1).min(rest.len()), 0..0)
            }
            _ => {
                let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let length = rest.find(|c: char| !name(c)).unwrap_or(rest.len());
                (length, 0..0)
            }
        };
        if length == 0 {
            return false;
        }
        self.put(Letter { live: true, ..sign });
        let start = self.at;
        if !inner.is_empty() {
            let range = start + inner.start..start + inner.end;
            self.within.push(Within::literal(range));
        }
        while self.at < start + length {
            match self.take() {
                Some(letter) => self.put(Letter { live: true, ..letter }),
                None => break,
            }
        }
        true
    }
}

/// Where the parenthesis that the text begins with is closed, quotes or not; its end when it is not.
fn closing(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<Vec<String>> {
        lines(text)
            .iter()
            .map(|line| line.words.iter().map(Word::text).collect())
            .collect()
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(
            cut("a 'b c'\"d\"e\\ f;g|h"),
            [vec!["a", "b cde f"], vec!["g"], vec!["h"], vec!["b", "c"]]
        );
        assert_eq!(
            cut("a $(b c) `d`"),
            [vec!["a", "$(b c)", "`d`"], vec!["d"], vec!["b", "c"]]
        );
        assert_eq!(cut("cat <<< x > y"), [["cat", "x", "y"]]);
        assert!(lines("a | b")[1].is_fed);
        assert!(!lines("a || b")[1].is_fed);
        let words = &lines("cat <<< x")[0].words;
        assert_eq!(words[1].redirected, Some(Redirected::HereString));
    }

    #[test]
    fn nothing_is_too_broken_to_be_cut() {
        for text in [
            "'", "\"", "$(", "`", "\\", "${", "$", "a 'b", "é$(ü", "<<<", "((((", "))))", "\"$(\"`'",
        ] {
            for line in lines(text) {
                for letter in line.words.iter().flat_map(|word| &word.letters) {
                    assert!(text.get(letter.start..letter.end).is_some(), "{text}");
                }
            }
        }
        let deep = "$(a ".repeat(10_000);
        assert!(lines(&deep).len() < 100);
    }
}
