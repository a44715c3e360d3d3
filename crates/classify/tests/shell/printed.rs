//! Commands of a grammar: printed, and read back.

use proptest::prelude::*;

use crate::plain::Plain;

/// A part of a text, and what it must be read as.
#[derive(Debug, Clone)]
pub(crate) struct Printed {
    pub(crate) text: String,
    pub(crate) commands: Vec<Plain>,
}

/// Any readable list of commands.
pub(crate) fn list() -> impl Strategy<Value = Printed> {
    simple().prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), joint(), inner.clone()).prop_map(|(one, joint, other)| joined(one, joint, other)),
            (inner.clone(), 0..WRAPS.len()).prop_map(|(inner, at)| wrapped(inner, at)),
            (simple(), inner).prop_map(|(mut command, inner)| {
                // A substitution makes one more word that nobody knows.
                command.text = format!("{} \"$( {}\n)\"", command.text, inner.text);
                if let Some(first) = command.commands.first_mut() {
                    first.argv.push(None);
                }
                command.commands.extend(inner.commands);
                command
            }),
        ]
    })
}

/// Ways to put a list into something else that runs it, none of which is a command itself.
pub(crate) const WRAPS: &[(&str, &str)] = &[
    ("( ", "\n)"),
    ("{ ", "\n}"),
    ("if ", "\nthen :; fi"),
    ("if :; then ", "\nfi"),
    ("while ", "\ndo :; done"),
    ("for x in a b; do ", "\ndone"),
    ("case a in b) ", "\n;; esac"),
    ("! { ", "\n}"),
    ("time ( ", "\n)"),
    ("x=$( ", "\n)"),
    ("x=\"a$( ", "\n)b\""),
    ("[[ -n $( ", "\n) ]]"),
    ("x=${y:-$( ", "\n)}"),
    ("{ ", "\n} 2>&1"),
    ("cat <<EOF\n$( ", "\n)\nEOF\n"),
];

fn wrapped(inner: Printed, at: usize) -> Printed {
    // In a here-document a backslash at the end of a line is a doubt, whatever stands around it.
    let at = if inner.text.contains("\\\n") { 0 } else { at };
    let (before, after) = WRAPS.get(at).copied().unwrap_or_default();
    // A here-document ends at its mark, so that one inside must have another.
    let mark = format!("EOF{}", inner.text.len());
    let (before, after) = (before.replace("EOF", &mark), after.replace("EOF", &mark));
    let mut commands = inner.commands;
    let bare = |argv: &[&str], opens: &[(&str, Option<&str>)]| Plain {
        argv: argv.iter().map(|word| Some((*word).to_owned())).collect(),
        opens: opens
            .iter()
            .map(|(sign, operand)| ((*sign).to_owned(), operand.map(str::to_owned)))
            .collect(),
    };
    if before.contains(" :;") || after.contains(" :;") {
        commands.push(bare(&[":"], &[]));
    }
    if after.contains("2>&1") {
        commands.push(bare(&[], &[("2>&", Some("1"))]));
    }
    if before.starts_with("cat") {
        commands.push(bare(&["cat"], &[("<<", None)]));
    }
    Printed {
        text: format!("{before}{}{after}", inner.text),
        commands,
    }
}

fn joined(one: Printed, joint: &str, other: Printed) -> Printed {
    Printed {
        // A list as one side of an operator stands in braces, so that the operator joins what it should.
        text: format!("{{ {}\n}}{joint}{{ {}\n}}", one.text, other.text),
        commands: one.commands.into_iter().chain(other.commands).collect(),
    }
}

fn joint() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        " && ",
        "||",
        " | ",
        "; ",
        " & ",
        "\n",
        " |& ",
        "&&\n",
        "; # a comment\n",
    ])
}

/// One command.
pub(crate) fn simple() -> impl Strategy<Value = Printed> {
    let name = "[a-z][a-z0-9-]{0,6}".prop_filter("means something to the shell", |name| {
        !crate::properties::MEANS_SOMETHING.contains(&name.as_str())
    });
    let words = prop::collection::vec(spelled(), 0..4);
    let redirection = prop::option::of(prop::sample::select(vec![
        (" >out", ">", "out"),
        (" 2>>'a b'", "2>>", "a b"),
        (" <in", "<", "in"),
        (" 2>&1", "2>&", "1"),
        (" &>x", "&>", "x"),
    ]));
    (spelled_as(name), words, redirection).prop_map(|(name, words, redirection)| {
        let mut text = name.1;
        let mut argv = vec![Some(name.0)];
        for (word, spelling) in words {
            text = format!("{text} {spelling}");
            argv.push(Some(word));
        }
        let mut opens = Vec::new();
        if let Some((written, sign, operand)) = redirection {
            text.push_str(written);
            opens.push((sign.to_owned(), Some(operand.to_owned())));
        }
        Printed {
            text,
            commands: vec![Plain { argv, opens }],
        }
    })
}

/// A word and a way to write it.
fn spelled() -> impl Strategy<Value = (String, String)> {
    spelled_as("[ -~]{0,8}|[a-z./-]{1,8}|[\\n\\t ü'\"$`\\\\]{0,4}")
}

/// Each character in any of the ways to quote it.
pub(crate) fn spelled_as(word: impl Strategy<Value = String>) -> impl Strategy<Value = (String, String)> {
    (word, any::<u64>()).prop_map(|(word, seed)| {
        let spelling = spell(&word, seed);
        (word, spelling)
    })
}

fn spell(word: &str, seed: u64) -> String {
    let mut ways = seed;
    let mut text = String::new();
    for char in word.chars() {
        let way = ways % 5;
        ways = ways.rotate_right(3) ^ u64::from(u32::from(char));
        match way {
            0 | 1 if char.is_ascii_alphanumeric() => text.push(char),
            2 if char != '\n' => {
                text.push('\\');
                text.push(char);
            }
            3 if !matches!(char, '"' | '$' | '`' | '\\') => text.push_str(&format!("\"{char}\"")),
            4 if char.is_ascii_graphic() => text.push_str(&format!("$'\\x{:02x}'", u32::from(char))),
            _ if char == '\'' => text.push_str("\\'"),
            _ => text.push_str(&format!("'{char}'")),
        }
    }
    if text.is_empty() { "''".to_owned() } else { text }
}
