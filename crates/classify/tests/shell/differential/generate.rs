//! Texts: commands made by a grammar that is near what the reader accepts, and then most of them damaged.

use super::cell::PROGRAMS;
use super::random::Random;

const CHARS: &[&str] = &[
    " ", " ", "\t", "\n", ";", ";", "&", "|", "(", ")", "<", ">", "{", "}", "[", "]", "!", "#", "$", "`",
    "'", "\"", "\\", "\\\n", "*", "?", "~", "=", "+", "-", ",", ":", "@", "%", "^", "0", "1", "2", "a", "b",
    "s", "t", "x", "E",
];
const TOKENS: &[&str] = &[
    "&&", "||", ";;", ";&", "|&", ">>", "<<", "<<<", "<<-", ">&", "<&", "&>", "<>", ">|", "$(", "${", "$((",
    "))", "((", "[[", "]]", "<(", ">(", "$'", "$\"", "if ", "then ", "else ", "fi", "do ", "done", "for ",
    "in ", "case ", "esac", "while ", "until ", "time ", "{ ", "; }", "! ", "2>", "{a}>", "<<E\n", "\nE\n",
    "x=", "x+=", "x=(", "a[1]=", "${x:-", "${x#", "\\\n", "s", "t", "eval ", "{a,b}", "{1..2}", "$x", "$((i",
    "((i", "i=", "\"$x\"", "&-", " # ", "#",
];

/// One text.
pub(crate) fn text(random: &mut Random) -> String {
    let mut maker = Maker {
        random,
        heredocs: Vec::new(),
    };
    let counts = !maker.random.once_in(5);
    let mut text = if counts { "i=0; " } else { "" }.to_owned();
    text.push_str(&maker.list(3));
    text.push_str(&maker.bodies());
    if random.once_in(3) {
        return text;
    }
    for _ in 0..=random.below(3) {
        damage(&mut text, random);
    }
    text
}

fn damage(text: &mut String, random: &mut Random) {
    let mut chars: Vec<char> = text.chars().collect();
    let at = random.below(chars.len() + 1);
    let insert = match random.below(8) {
        0 | 1 => random.pick(CHARS),
        2 | 3 => random.pick(TOKENS),
        4 if at < chars.len() => {
            chars.remove(at);
            ""
        }
        5 if at + 1 < chars.len() => {
            chars.swap(at, at + 1);
            ""
        }
        6 if at < chars.len() => {
            let end = (at + 1 + random.below(6)).min(chars.len());
            let copy: Vec<char> = chars.get(at..end).unwrap_or_default().to_vec();
            let to = random.below(chars.len());
            chars.splice(to..to, copy);
            ""
        }
        _ if at < chars.len() => {
            let end = (at + random.below(8)).min(chars.len());
            chars.drain(at..end);
            ""
        }
        _ => "",
    };
    let at = at.min(chars.len());
    chars.splice(at..at, insert.chars());
    *text = chars.into_iter().collect();
}

struct Maker<'r> {
    random: &'r mut Random,
    /// Here-documents whose text comes after the next line break.
    heredocs: Vec<(&'static str, bool)>,
}

impl Maker<'_> {
    fn list(&mut self, depth: usize) -> String {
        let mut text = self.pipeline(depth);
        for _ in 0..self.random.below(3) {
            let joint = self.random.pick(&[
                "; ", ";", " && ", "&&", " || ", " & ", "&", "\n", " | ", "|", "|&", " &&\n",
            ]);
            text.push_str(joint);
            if joint.ends_with('\n') {
                text.push_str(self.bodies().strip_prefix('\n').unwrap_or_default());
            }
            text.push_str(&self.pipeline(depth));
        }
        text
    }

    fn pipeline(&mut self, depth: usize) -> String {
        let prefix = if self.random.once_in(12) {
            self.random.pick(&["! ", "time ", "time -p ", "! ! "])
        } else {
            ""
        };
        format!("{prefix}{}", self.command(depth))
    }

    /// A line break and the texts of the here-documents that wait for it.
    fn bodies(&mut self) -> String {
        let mut text = String::new();
        for (mark, tabs) in std::mem::take(&mut self.heredocs) {
            text.push('\n');
            for _ in 0..self.random.below(3) {
                let line = match self.random.below(6) {
                    0 => "$(s 1)".to_owned(),
                    1 => "`t 2` ${x:-$(v)}".to_owned(),
                    2 => "'$(w a)' \"b\"".to_owned(),
                    3 => "\\$(s) \\`t\\`".to_owned(),
                    4 => " E".to_owned(),
                    _ => self.word(1),
                };
                text.push_str(if tabs { "\t" } else { "" });
                text.push_str(&line.replace('\n', " "));
                text.push('\n');
            }
            text.push_str(mark);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    fn command(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) > 0 {
            return self.simple(depth);
        }
        let depth = depth - 1;
        let heredocs = std::mem::take(&mut self.heredocs);
        let mut text = match self.random.below(13) {
            11 => self.counted(depth),
            12 => format!("i=0; {}", self.counted(depth)),
            0 => format!("({})", self.closed(depth)),
            1 | 2 => format!("{{ {}; }}", self.closed(depth)),
            3 => format!("if {}; then {}; fi", self.closed(depth), self.closed(depth)),
            4 => format!(
                "if {}\nthen {}\nelse {}\nfi",
                self.closed(depth),
                self.closed(depth),
                self.closed(depth)
            ),
            5 => format!(
                "while {}; do {}; break; done",
                self.closed(depth),
                self.closed(depth)
            ),
            6 => format!("for x in {} a; do {}; done", self.word(depth), self.closed(depth)),
            7 => format!(
                "case {} in {}) {};; *) {};; esac",
                self.word(depth),
                self.word(0),
                self.closed(depth),
                self.closed(depth)
            ),
            8 => format!("[[ {} == {} ]]", self.word(depth), self.word(depth)),
            9 => format!("[[ -n {} && ! ( -f {} ) ]]", self.word(depth), self.word(depth)),
            _ => format!("for x in {}\ndo {}\ndone", self.word(depth), self.closed(depth)),
        };
        self.heredocs = heredocs;
        if self.random.once_in(4) {
            text.push_str(&self.redirection(depth));
        }
        text
    }

    /// Arithmetic with variables. What `i` has from outside would run something.
    fn counted(&mut self, depth: usize) -> String {
        let body = self.closed(depth);
        match self.random.below(8) {
            0 => format!("for ((i=0;i<2;i++)); do {body}; done"),
            1 => format!("while ((i<2)); do {body}; i=$((i+1)); done"),
            2 => format!("while [ $i -lt 2 ]; do {body}; ((i++)); done"),
            3 => format!("if [[ $i -lt 2 ]]; then {body}; fi"),
            4 => format!("for i in 1 {}; do {body}; s $((i)); done", self.word(depth)),
            5 => format!("((i=0)); {body}; t $(( $i * 2 ))"),
            6 => format!("{body}; ((i++ < 1, i=0)); s $((i))"),
            _ => format!("{{ i=1; {body}; }}; t $((i))"),
        }
    }

    /// A list that owes nothing to the line after it.
    fn closed(&mut self, depth: usize) -> String {
        let outer = std::mem::take(&mut self.heredocs);
        let mut text = self.list(depth);
        let bodies = self.bodies();
        if !bodies.is_empty() {
            text.push_str(&bodies);
            text.push(':');
        }
        self.heredocs = outer;
        text
    }

    fn simple(&mut self, depth: usize) -> String {
        let mut parts = Vec::new();
        if self.random.once_in(8) {
            parts.push(format!("x={}", self.word(depth)));
        }
        if self.random.once_in(12) {
            let value = self
                .random
                .pick(&["0", "1", "$((i+1))", "$x", "'a[$(t)]'", "$(s)", "-1"]);
            let ends = self.random.pick(&["; ", "; ", " && ", " | ", " & ", " || ", " "]);
            parts.push(format!("i={value}{ends}"));
        }
        let name = self.random.pick(PROGRAMS);
        parts.push(match self.random.below(14) {
            0 => format!("\"{name}\""),
            1 => format!("\\{name}"),
            2 => format!("'{name}'"),
            3 => format!("eval '{name} a; t b'"),
            4 => format!("command {name}"),
            _ => name.to_owned(),
        });
        for _ in 0..self.random.below(4) {
            parts.push(self.word(depth));
        }
        let mut text = parts.join(self.random.pick(&[" ", " ", " ", "  ", "\t", " \\\n"]));
        if self.random.once_in(4) {
            text.push_str(&self.redirection(depth));
        }
        text
    }

    fn redirection(&mut self, depth: usize) -> String {
        match self.random.below(9) {
            0 => {
                self.heredocs.push(("E", false));
                " <<E".to_owned()
            }
            1 => {
                self.heredocs.push(("E", false));
                " <<'E'".to_owned()
            }
            2 => {
                self.heredocs.push(("E", true));
                "<<-E".to_owned()
            }
            3 => format!(" <<<{}", self.word(depth)),
            4 => format!("> >({})", self.closed(0)),
            _ => self
                .random
                .pick(&[
                    " >f", ">f ", " 2>&1", " 2>f", ">>f", " <f", " &>f", " >&2", " <&-", " {a}>g", " >|f",
                    " <>f", " 2>&-",
                ])
                .to_owned(),
        }
    }

    fn word(&mut self, depth: usize) -> String {
        let mut text = self.atom(depth);
        while self.random.once_in(3) {
            text.push_str(&self.atom(depth));
        }
        text
    }

    fn atom(&mut self, depth: usize) -> String {
        if depth > 0 && self.random.once_in(4) {
            let inner = self.closed(depth - 1);
            return match self.random.below(7) {
                0 => format!("$({inner})"),
                1 => format!("\"$({inner})\""),
                2 => format!("`{inner}`"),
                3 => format!("\"${{x:-$({inner})}}\""),
                4 => format!("${{x:-$({inner})}}"),
                5 => format!("<({inner})"),
                _ => format!("\"a`{inner}`\""),
            };
        }
        self.random
            .pick(&[
                "a",
                "b",
                "1",
                "x=1",
                "-c",
                "'a b'",
                "\"a  b\"",
                "''",
                "\"\"",
                "\\;",
                "\\ ",
                "$x",
                "\"$x\"",
                "${x:-a}",
                "\"${x:+b}\"",
                "*",
                "?",
                "{a,b}",
                "{1..2}",
                "{}",
                "~",
                "$((1+2))",
                "$((i+1))",
                "\"$i\"",
                "${x}{a,b}",
                "$x-{a,b}",
                "{a,$x}",
                "{a,\"$x\"}b",
                "{~,b}",
                "$'a'",
                "$\"a\"",
                "a#b",
                "=",
                "'\"'",
                "\"'\"",
                "'$(s)'",
                "\"\\$(s)\"",
                "${x:-'$(s)'}",
                "${x:-\"$(t)\"}",
                "$#",
                "$?",
                "{",
                "}",
                "if",
                "done",
                "!",
                "[a]",
                "a\\\nb",
                "\"a\nb\"",
                "'\n'",
                "^",
                "%",
                "@",
                "[[",
                "$",
            ])
            .to_owned()
    }
}
