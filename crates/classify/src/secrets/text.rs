//! A text, cut into the words that a shell would see. It never fails and decides nothing: what it is used for is shown, not
//! run.

use std::collections::HashSet;
use std::ops::Range;

/// Deepest text within a text.
const DEPTH: usize = 8;

/// One character of a word, without its quotes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter {
    pub(super) is: char,
    /// Where it stands in the text, and how long it is with a backslash before it: texts are long, and this is their size.
    start: u32,
    length: u8,
    /// It is part of what a shell would put something else for: that is code, and never hidden.
    pub(super) live: bool,
    /// It stands in quotes.
    pub(super) quoted: bool,
}

impl Letter {
    /// Where it stands in the text.
    pub(super) fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + usize::from(self.length)
    }

    /// The same with the backslash before it.
    fn behind(self, backslash: Self) -> Self {
        Self {
            start: backslash.start,
            length: backslash.length + self.length,
            ..self
        }
    }
}

/// A word and what stands before it.
#[derive(Debug, Clone, Default)]
pub(super) struct Word {
    /// Its text, without quotes.
    pub(super) text: String,
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
    /// Where its letters from this one on stand, without what is live.
    pub(super) fn hide_from(&self, at: usize, hidden: &mut Vec<Range<usize>>) {
        self.hide(at..self.letters.len(), hidden);
    }

    pub(super) fn hide(&self, letters: Range<usize>, hidden: &mut Vec<Range<usize>>) {
        for letter in self.letters.get(letters).unwrap_or_default() {
            if !letter.live {
                hidden.push(letter.range());
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

/// Every simple command of a text, with the one whose output a pipe feeds it; the texts within it included: substitutions, and
/// quoted words that hold blanks, which may be code for another shell.
pub(super) fn each_line(text: &str, mut look: impl FnMut(&Line, Option<&Line>)) {
    let mut open = vec![(Within::literal(0..text.len()), 0)];
    // What stands in quotes and in what is substituted there is one text: looked at twice, it would be four times below that.
    let mut seen = HashSet::new();
    let mut spare = Vec::new();
    while let Some((within, depth)) = open.pop() {
        let mut cutter = Cutter::new(text, within, &mut look, &mut spare);
        cutter.cut();
        if depth < DEPTH {
            let new = cutter
                .within
                .into_iter()
                .filter(|within| seen.insert(within.clone()));
            open.extend(new.map(|within| (within, depth + 1)));
        }
    }
}

/// A text within the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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

struct Cutter<'a, 'w, F> {
    text: &'a str,
    is_live: bool,
    /// Where it goes on, and where it ends.
    at: usize,
    end: usize,
    look: F,
    line: Line,
    before: Line,
    word: Option<Word>,
    next: Option<Redirected>,
    within: Vec<Within>,
    /// Words that were looked at, whose room serves again.
    spare: &'w mut Vec<Word>,
}

impl<'a, 'w, F: FnMut(&Line, Option<&Line>)> Cutter<'a, 'w, F> {
    fn new(text: &'a str, Within { range, is_live }: Within, look: F, spare: &'w mut Vec<Word>) -> Self {
        Self {
            text,
            is_live,
            at: range.start,
            end: range.end,
            look,
            line: Line::default(),
            before: Line::default(),
            word: None,
            next: None,
            within: Vec::new(),
            spare,
        }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// The next character, behind which it goes on.
    fn take(&mut self) -> Option<Letter> {
        let is = self.rest().chars().next()?;
        let start = u32::try_from(self.at).ok()?;
        let length = is.len_utf8() as u8;
        self.at += is.len_utf8();
        Some(Letter {
            is,
            start,
            length,
            live: false,
            quoted: false,
        })
    }

    fn cut(&mut self) {
        loop {
            self.plain();
            let Some(letter) = self.take() else { break };
            match letter.is {
                ' ' | '\t' => self.end_word(),
                '\n' | ';' | '|' | '&' | '(' | ')' => self.end_line(letter.is == '|'),
                '<' | '>' => self.redirection(letter.is),
                '\\' => {
                    if let Some(next) = self.take() {
                        self.put(next.behind(letter));
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
        let word = self.word();
        word.text.push(letter.is);
        word.letters.push(letter);
    }

    /// The word that is being cut; a new one, where there is none.
    fn word(&mut self) -> &mut Word {
        let redirected = self.next;
        let spare = &mut *self.spare;
        self.word.get_or_insert_with(|| {
            let mut word = spare.pop().unwrap_or_else(|| Word {
                text: String::with_capacity(16),
                letters: Vec::with_capacity(16),
                redirected,
            });
            word.text.clear();
            word.letters.clear();
            word.redirected = redirected;
            word
        })
    }

    /// Letters that are nothing but letters, as far as they go: most of a text.
    fn plain(&mut self) {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./=:,+@%~".contains(byte);
        let rest = self.rest();
        let length = rest.bytes().take_while(plain).count();
        let (Some(text), Ok(start)) = (rest.get(..length), u32::try_from(self.at)) else {
            return;
        };
        if text.is_empty() {
            return;
        }
        self.at += length;
        let word = self.word();
        word.text.push_str(text);
        word.letters
            .extend((start..).zip(text.chars()).map(|(start, is)| Letter {
                is,
                start,
                length: 1,
                live: false,
                quoted: false,
            }));
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
            (self.look)(&line, line.is_fed.then_some(&self.before));
            let before = std::mem::replace(&mut self.before, line);
            self.spare.extend(before.words);
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
        self.word();
        let mut end = self.end;
        while let Some(letter) = self.take() {
            match letter.is {
                '"' => {
                    end = letter.range().start;
                    break;
                }
                '\\' => {
                    if let Some(next) = self.take() {
                        self.put_quoted(next.behind(letter));
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

    fn lines(text: &str) -> Vec<Line> {
        let mut lines = Vec::new();
        each_line(text, |line, _| {
            lines.push(Line {
                words: line.words.clone(),
                is_fed: line.is_fed,
            });
        });
        lines
    }

    fn cut(text: &str) -> Vec<Vec<String>> {
        lines(text)
            .iter()
            .map(|line| line.words.iter().map(|word| word.text.clone()).collect())
            .collect()
    }

    #[test]
    fn a_text_within_a_text_is_looked_at_once() {
        let mut seen = Vec::new();
        for depth in [4, 8, 16, 32] {
            let nested = format!("{}a b{}", "\"$( ".repeat(depth), " )\"".repeat(depth));
            let mut words = 0;
            each_line(&nested, |line, _| words += line.words.len());
            seen.push(words);
        }
        assert!(seen.iter().all(|words| *words < 64), "{seen:?}");
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
                    assert!(text.get(letter.range()).is_some(), "{text}");
                }
            }
        }
        let deep = "$(a ".repeat(10_000);
        assert!(lines(&deep).len() < 100);
    }
}
