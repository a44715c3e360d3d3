//! Scripts of `sed`: `e` runs, `w` writes, `r` reads, and the first two also hide behind `s///`. A script in which none of
//! them can stand is plain.

use super::super::Word;

/// The first word that may be a script and is not a plain one.
pub(super) fn hidden(arguments: &[Word]) -> Option<&Word> {
    let mut named = false;
    let mut scripts = Vec::new();
    let mut operands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.literal() else {
            operands.push(word);
            continue;
        };
        match text {
            "-e" | "--expression" => {
                named = true;
                scripts.extend(words.next());
            }
            "-n" | "-E" | "-r" | "-i" | "-s" | "-z" | "-u" | "-ne" | "-Ei" | "-ri" | "-iE" | "-nE"
            | "-nr" | "-i.bak" | "--quiet" | "--in-place" | "--regexp-extended" | "--null-data" => {
                if text == "-ne" {
                    named = true;
                    scripts.extend(words.next());
                }
            }
            _ if text.starts_with('-') && text.len() > 1 => return Some(word),
            _ => operands.push(word),
        }
    }
    if !named {
        scripts.extend(operands.first());
    }
    scripts
        .into_iter()
        .find(|word| !word.literal().is_some_and(is_plain))
}

/// Whether a script does nothing but print and change the text that flows through.
pub(super) fn is_plain(text: &str) -> bool {
    Script { rest: text }.read().is_some()
}

/// What is left of a script. Every step gives `None` where the script is not a plain one.
struct Script<'a> {
    rest: &'a str,
}

impl Script<'_> {
    fn read(mut self) -> Option<()> {
        let mut depth = 0_u32;
        let mut commands = 0_u32;
        loop {
            self.skip(" \t\n;");
            let Some(first) = self.peek() else {
                return (depth == 0 && commands > 0).then_some(());
            };
            commands += 1;
            if first == '#' {
                self.line();
                continue;
            }
            if first == '}' {
                self.next();
                depth = depth.checked_sub(1)?;
                continue;
            }
            self.addresses()?;
            match self.next()? {
                '{' => {
                    depth += 1;
                    continue;
                }
                '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => {}
                'l' | 'q' | 'Q' => {
                    self.skip(" \t");
                    self.number();
                }
                ':' | 'b' | 't' | 'T' => self.label(),
                'a' | 'i' | 'c' => {
                    self.text();
                    continue;
                }
                'y' => {
                    let mark = self.next().filter(|mark| !matches!(mark, '\\' | '\n'))?;
                    self.segment(mark, false)?;
                    self.segment(mark, false)?;
                }
                's' => {
                    let mark = self.next().filter(|mark| !matches!(mark, '\\' | '\n'))?;
                    self.segment(mark, true)?;
                    self.segment(mark, false)?;
                    self.skip("0123456789gpiImM");
                }
                _ => return None,
            }
            self.skip(" \t");
            if !matches!(self.peek(), None | Some(';' | '\n' | '}' | '#')) {
                return None;
            }
        }
    }

    /// Which lines: `5`, `$`, `/text/`, `2~3`, two of them, `!`.
    fn addresses(&mut self) -> Option<()> {
        if self.address(false)? {
            self.skip(" \t");
            if self.eat(',') {
                self.skip(" \t");
                self.address(true)?.then_some(())?;
            }
        }
        self.skip(" \t!");
        Some(())
    }

    fn address(&mut self, second: bool) -> Option<bool> {
        match self.peek() {
            Some('$') => {
                self.next();
            }
            Some('+' | '~') if second => {
                self.next();
                self.number().then_some(())?;
            }
            Some(char) if char.is_ascii_digit() => {
                self.number();
                if self.eat('~') {
                    self.number().then_some(())?;
                }
            }
            Some('/') => {
                self.next();
                self.segment('/', true)?;
                self.skip("IM");
            }
            Some('\\') => {
                self.next();
                let mark = self.next().filter(|mark| !matches!(mark, '\\' | '\n'))?;
                self.segment(mark, true)?;
                self.skip("IM");
            }
            _ => return Some(false),
        }
        Some(true)
    }

    /// What stands up to the mark. In brackets a mark is no mark, for some: then nobody knows.
    fn segment(&mut self, mark: char, is_pattern: bool) -> Option<()> {
        let mut inside = Brackets::Outside;
        loop {
            match self.next()? {
                '\n' => return None,
                '\\' => {
                    inside = inside.escaped();
                    self.next()?;
                }
                char if char == mark => return (inside == Brackets::Outside).then_some(()),
                char if is_pattern => inside = inside.then(char, self.peek()),
                _ => {}
            }
        }
    }

    fn label(&mut self) {
        self.skip(" \t");
        let name = |char: char| char.is_ascii_alphanumeric() || char == '_';
        self.rest = self.rest.trim_start_matches(name);
    }

    /// The text of `a`, `i` and `c`: to the end of a line without a backslash.
    fn text(&mut self) {
        while let Some(char) = self.next() {
            match char {
                '\\' => drop(self.next()),
                '\n' => return,
                _ => {}
            }
        }
    }

    fn line(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
    }

    fn number(&mut self) -> bool {
        let before = self.rest.len();
        self.skip("0123456789");
        self.rest.len() < before
    }

    fn skip(&mut self, chars: &str) {
        self.rest = self.rest.trim_start_matches(|char| chars.contains(char));
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let char = chars.next()?;
        self.rest = chars.as_str();
        Some(char)
    }

    fn eat(&mut self, char: char) -> bool {
        match self.rest.strip_prefix(char) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

/// Where in a pattern a character stands, as to brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brackets {
    Outside,
    /// Right behind the opening one, where a closing one is a member.
    Begun,
    /// The same behind a `^`.
    Negated,
    Inside,
    /// Before the sign that opens a class within brackets, such as `[:alpha:]`.
    Opening(char),
    /// In that class.
    Class(char),
}

impl Brackets {
    fn then(self, char: char, next: Option<char>) -> Self {
        match (self, char) {
            (Self::Outside, '[') => Self::Begun,
            (Self::Begun, '^') => Self::Negated,
            (Self::Begun | Self::Negated | Self::Inside, '[') => match next {
                Some(kind @ (':' | '.' | '=')) => Self::Opening(kind),
                _ => Self::Inside,
            },
            (Self::Begun | Self::Negated, _) => Self::Inside,
            (Self::Opening(kind), _) => Self::Class(kind),
            (Self::Inside, ']') => Self::Outside,
            (Self::Class(kind), char) if char == kind && next == Some(']') => Self::Begun,
            (before, _) => before,
        }
    }

    fn escaped(self) -> Self {
        match self {
            Self::Begun | Self::Negated => Self::Inside,
            before => before,
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_plain;

    #[rstest]
    fn scripts_that_only_change_the_text_are_plain(
        #[values(
            "5p",
            "1,80p",
            "$=",
            "1d;$d",
            "/a/,/b/p",
            "/a/,+3d",
            "0~4p",
            "s/a/b/",
            "s|a|b|g;s/c/d/2",
            "s/[^/]*$//; p",
            "/x/s/a/b/gI",
            "/x/!d",
            "\\%x%d",
            "5i\\\nw text",
            "$a text; w no file",
            "/a/{n;s/b/c/;}",
            ":a;N;$!ba;s/\\n/ /g",
            "y/abc/xyz/",
            "# w f\np",
            "s/[[:space:]]*$//",
            "s/[]/]/x/p"
        )]
        script: &str,
    ) {
        // A mark in brackets is one for some: such a script asks.
        let doubtful = script.contains("[^/]") || script.contains("[]/]");
        assert_eq!(is_plain(script), !doubtful, "{script}");
    }

    #[rstest]
    fn scripts_that_run_write_or_read_are_not(
        #[values(
            "",
            "e",
            "1e rm x",
            "w f",
            "r f",
            "R f",
            "W f",
            "s/a/b/e",
            "s/a/b/w f",
            "s/a/b/gew",
            "5p;w f",
            "/x/w f",
            "{p;w f}",
            "a x\nw f",
            "s/a/b",
            "s/a/b\n/",
            "{p",
            "p}",
            "s\na\nb\n",
            "y/a/b/e",
            "1,e",
            "p w",
            "s/[/]w f\n/x/"
        )]
        script: &str,
    ) {
        assert!(!is_plain(script), "{script}");
    }
}
