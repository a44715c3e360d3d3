//! Reading the options of a wrapper, as the wrapper does.

use super::super::{Reason, Word};
use super::table::{Assigns, Wrapper};

/// What the options say.
#[derive(Debug, Default)]
pub(super) struct Options<'a> {
    /// The words behind options and leading operands.
    pub(super) rest: Vec<&'a Word>,
    /// Values of the options that are texts for a shell.
    pub(super) texts: Vec<Value<'a>>,
    /// Values of other options, with the option.
    pub(super) values: Vec<(String, Value<'a>)>,
    /// `NAME=VALUE` before the command.
    pub(super) assignments: Vec<&'a Word>,
    /// Nothing is run.
    pub(super) alone: bool,
}

/// The value of an option.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    /// It is a word of its own.
    Word(&'a Word),
    /// It is the end of a literal word.
    Attached(&'a str),
    /// It is the end of a word that is not literal, or is missing.
    Unknown,
}

impl<'a> Value<'a> {
    pub(super) fn literal(self) -> Option<&'a str> {
        match self {
            Self::Word(word) => word.literal(),
            Self::Attached(text) => Some(text),
            Self::Unknown => None,
        }
    }
}

/// Where the reading stopped, and why.
pub(super) type Stop<'a> = (Reason, &'a Word);

/// Reads options and leading operands.
pub(super) fn read<'a>(wrapper: &Wrapper, words: &'a [Word]) -> Result<Options<'a>, Stop<'a>> {
    let mut options = Options::default();
    let mut words = words.iter();
    let mut operands = Vec::new();
    while let Some(word) = words.next() {
        let start = word.known_start();
        if word.literal() == Some("--") {
            if wrapper.assigns == Assigns::Never {
                operands.extend(words);
            } else {
                operands.extend(after_assignments(&mut options, words)?);
            }
            break;
        }
        let dashed =
            start.starts_with('-') && (start.len() > 1 || word.is_dynamic() || knows(&wrapper.flags, start));
        if dashed && !(wrapper.number && is_number(start)) {
            options.option(wrapper, word, &mut words)?;
            continue;
        }
        if dashed {
            continue;
        }
        if word.may_be_option() {
            return Err((Reason::UnknownOption, word));
        }
        if wrapper.assigns != Assigns::Never && is_assignment(start) {
            if word.is_dynamic() && !word.is_single() {
                return Err((Reason::UnknownOption, word));
            }
            options.assignments.push(word);
            if wrapper.assigns == Assigns::First {
                operands.extend(after_assignments(&mut options, words)?);
                break;
            }
            continue;
        }
        operands.push(word);
        if !wrapper.permutes {
            operands.extend(words);
            break;
        }
    }
    let skipped = operands.len().min(wrapper.operands);
    if let Some(word) = operands.iter().take(skipped).find(|word| !word.is_single()) {
        return Err((Reason::UnknownOption, word));
    }
    options.rest = operands.split_off(skipped);
    Ok(options)
}

/// Behind the first assignment stand others, and then the command, whatever it looks like.
fn after_assignments<'a>(
    options: &mut Options<'a>,
    words: std::slice::Iter<'a, Word>,
) -> Result<Vec<&'a Word>, Stop<'a>> {
    let mut words = words.peekable();
    while let Some(word) = words.next_if(|word| is_assignment(word.known_start())) {
        if !word.is_single() {
            return Err((Reason::UnknownOption, word));
        }
        options.assignments.push(word);
    }
    Ok(words.collect())
}

impl<'a> Options<'a> {
    fn option(
        &mut self,
        wrapper: &Wrapper,
        word: &'a Word,
        words: &mut std::slice::Iter<'a, Word>,
    ) -> Result<(), Stop<'a>> {
        let unknown = Err((Reason::UnknownOption, word));
        let start = word.known_start();
        if word.is_dynamic() && !word.is_single() {
            return unknown;
        }
        if start == "-" && !word.is_dynamic() {
            return Ok(());
        }
        if start.starts_with("--") {
            let (name, attached) = match start.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None if word.is_dynamic() => return unknown,
                None => (start, None),
            };
            let attached = attached.map(|value| attached_of(word, value));
            if attached.is_none() && knows(&wrapper.flags, name) {
                return Ok(());
            }
            if attached.is_none() && knows(&wrapper.alone, name) {
                self.alone = true;
                return Ok(());
            }
            if knows(&wrapper.optional, name) {
                self.value(wrapper, name, attached.unwrap_or(Value::Attached("")));
                return Ok(());
            }
            return self.take(wrapper, word, name, attached, words);
        }
        let letters = start.get(1..).unwrap_or_default();
        for (at, letter) in letters.char_indices() {
            let name = format!("-{letter}");
            let attached = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            let last = attached.is_empty() && !word.is_dynamic();
            if knows(&wrapper.alone, &name) {
                self.alone = true;
            } else if knows(&wrapper.optional, &name) {
                let value = if last {
                    Value::Attached("")
                } else {
                    attached_of(word, attached)
                };
                self.value(wrapper, &name, value);
                return Ok(());
            } else if !knows(&wrapper.flags, &name) {
                let attached = (!last).then(|| attached_of(word, attached));
                return self.take(wrapper, word, &name, attached, words);
            }
        }
        // A word of flags whose end is not known may hold any other.
        if word.is_dynamic() { unknown } else { Ok(()) }
    }

    /// An option that takes a value: attached, or the next word.
    fn take(
        &mut self,
        wrapper: &Wrapper,
        word: &'a Word,
        name: &str,
        attached: Option<Value<'a>>,
        words: &mut std::slice::Iter<'a, Word>,
    ) -> Result<(), Stop<'a>> {
        if !knows(&wrapper.valued, name) && !knows(&wrapper.text, name) {
            return Err((Reason::UnknownOption, word));
        }
        let value = match attached {
            Some(value) => value,
            None => match words.next() {
                Some(next) if next.is_single() => Value::Word(next),
                Some(next) => return Err((Reason::UnknownOption, next)),
                None => Value::Unknown,
            },
        };
        self.value(wrapper, name, value);
        Ok(())
    }

    fn value(&mut self, wrapper: &Wrapper, name: &str, value: Value<'a>) {
        if knows(&wrapper.text, name) {
            self.texts.push(value);
        } else {
            self.values.push((name.to_owned(), value));
        }
    }
}

const fn attached_of<'a>(word: &Word, text: &'a str) -> Value<'a> {
    if word.is_dynamic() {
        Value::Unknown
    } else {
        Value::Attached(text)
    }
}

fn knows(options: &[String], name: &str) -> bool {
    options.iter().any(|option| option == name)
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches('-');
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `NAME=VALUE`, with whatever name: `env` takes any.
fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| !name.is_empty())
}
