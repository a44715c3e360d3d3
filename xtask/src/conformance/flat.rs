//! Reads the part of TOML that `subject.toml` uses: names with a text or a list of texts. Written here because the tasks
//! depend on nothing.

use std::iter::Peekable;
use std::str::Chars;

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    List(Vec<String>),
}

/// Every name with its value and its line, in the order of the file. An error begins with the line.
pub(super) fn read(text: &str) -> Result<Vec<(String, Value, usize)>, String> {
    let mut reader = Reader {
        rest: text.chars().peekable(),
        line: 1,
    };
    let mut found: Vec<(String, Value, usize)> = Vec::new();
    while reader.next_item() {
        let line = reader.line;
        let name = reader.name()?;
        if let Some((_, _, first)) = found.iter().find(|(known, ..)| *known == name) {
            return Err(format!("line {line}: `{name}` stands in line {first} already"));
        }
        reader.blanks();
        if !reader.takes('=') {
            return Err(reader.lost(&format!("`=` after `{name}`")));
        }
        reader.blanks();
        let value = reader.value()?;
        reader.end_of_line()?;
        found.push((name, value, line));
    }
    Ok(found)
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    line: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.rest.next();
        self.line += usize::from(next == Some('\n'));
        next
    }

    fn takes(&mut self, wanted: char) -> bool {
        let there = self.rest.peek() == Some(&wanted);
        if there {
            self.next();
        }
        there
    }

    fn blanks(&mut self) {
        while self.takes(' ') || self.takes('\t') {}
    }

    fn comment(&mut self) {
        if self.rest.peek() == Some(&'#') {
            while self.rest.peek().is_some_and(|char| *char != '\n') {
                self.next();
            }
        }
    }

    /// Goes to what follows blanks, comments and line ends. Whether anything does.
    fn next_item(&mut self) -> bool {
        loop {
            self.blanks();
            self.comment();
            if !self.takes('\n') && !self.takes('\r') {
                return self.rest.peek().is_some();
            }
        }
    }

    fn name(&mut self) -> Result<String, String> {
        let mut name = String::new();
        while let Some(char) = self.rest.peek() {
            if !(char.is_ascii_alphanumeric() || matches!(char, '-' | '_')) {
                break;
            }
            name.extend(self.next());
        }
        if name.is_empty() {
            return Err(self.lost("a name; this file has no tables"));
        }
        Ok(name)
    }

    fn value(&mut self) -> Result<Value, String> {
        if !self.takes('[') {
            return self.text().map(Value::Text);
        }
        let mut list = Vec::new();
        loop {
            self.next_item();
            if self.takes(']') {
                return Ok(Value::List(list));
            }
            list.push(self.text()?);
            self.next_item();
            if !self.takes(',') && self.rest.peek() != Some(&']') {
                return Err(self.lost("`,` or `]` after an entry"));
            }
        }
    }

    fn text(&mut self) -> Result<String, String> {
        if self.takes('\'') {
            return self.until('\'', false);
        }
        if self.takes('"') {
            return self.until('"', true);
        }
        Err(self.lost("a text in quotes, or a list of them"))
    }

    fn until(&mut self, quote: char, escapes: bool) -> Result<String, String> {
        let line = self.line;
        let mut text = String::new();
        loop {
            match self.next() {
                Some(char) if char == quote => return Ok(text),
                Some('\\') if escapes => match self.next() {
                    Some(char @ ('"' | '\\')) => text.push(char),
                    _ => return Err(format!("line {line}: only `\\\"` and `\\\\` are known here")),
                },
                None | Some('\n') => return Err(format!("line {line}: the text does not end in its line")),
                Some(char) => text.push(char),
            }
        }
    }

    fn end_of_line(&mut self) -> Result<(), String> {
        self.blanks();
        self.comment();
        self.takes('\r');
        if self.rest.peek().is_some_and(|char| *char != '\n') {
            return Err(self.lost("the end of the line"));
        }
        Ok(())
    }

    fn lost(&mut self, wanted: &str) -> String {
        format!("line {}: {wanted} is expected", self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::{Value, read};

    #[test]
    fn reads_texts_and_lists_between_comments() {
        let text = "# a\n\nabout = \"a \\\"b\\\" # c\" # d\nneeds = [ 'x\\y', # e\n \"z\",\n]\r\nnone=[]";
        let list = |texts: &[&str]| Value::List(texts.iter().map(|&text| text.to_owned()).collect());
        let wanted = [
            ("about".to_owned(), Value::Text("a \"b\" # c".to_owned()), 3),
            ("needs".to_owned(), list(&["x\\y", "z"]), 4),
            ("none".to_owned(), list(&[]), 7),
        ];
        assert_eq!(read(text).unwrap(), wanted);
    }

    #[test]
    fn says_where_it_is_lost() {
        for (text, wanted) in [
            ("\n[table]", "line 2: a name; this file has no tables is expected"),
            ("a \"b\"", "line 1: `=` after `a` is expected"),
            ("a = 1", "line 1: a text in quotes, or a list of them is expected"),
            ("a = \"b", "line 1: the text does not end in its line"),
            ("a = \"b\nc\"", "line 1: the text does not end in its line"),
            ("a = \"\\n\"", "line 1: only `\\\"` and `\\\\` are known here"),
            (
                "a = [\"b\" \"c\"]",
                "line 1: `,` or `]` after an entry is expected",
            ),
            ("a = [\"b\"", "line 1: `,` or `]` after an entry is expected"),
            ("a = \"b\" c = \"d\"", "line 1: the end of the line is expected"),
            ("a = \"b\"\na = \"c\"", "line 2: `a` stands in line 1 already"),
        ] {
            assert_eq!(read(text).unwrap_err(), wanted, "{text}");
        }
    }
}
