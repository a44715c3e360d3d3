//! The commands behind wrappers: what `sudo`, `env`, `xargs`, `find -exec`, `bash -c` and their kin run.

mod code;
mod find;
mod kin;
mod options;
mod parallel;
mod sed;
mod shells;
mod table;
mod written;

use super::reader::{self, Inside};
use super::{
    Doubt, Group, GroupKind, MAX_DEPTH, Opaque, Piece, Reason, Script, Seat, SimpleCommand, Word, meaning,
};
use options::Value;
use table::{Empty, Entry, Runs, Wrapper};

use crate::commands::{self, Argument, Fact, Program, Role, Table};

/// Adds every command behind a wrapper to the list, and what those run.
pub(super) fn unwrap(script: Script) -> Result<Script, Opaque> {
    unwrap_with(script, None)
}

/// The same. What programs of the table run is told by the table, and none of them is a reason for doubt here: whoever
/// reads them by the table knows more.
pub(super) fn unwrap_with(script: Script, programs: Option<&Table>) -> Result<Script, Opaque> {
    let mut unwrapping = Unwrapping {
        depths: vec![0; script.commands().len()],
        script,
        doubts: Vec::new(),
        stop: None,
        programs,
    };
    let mut number = 0;
    while let Some(command) = unwrapping.script.commands().get(number) {
        let words = command.words.clone();
        unwrapping.look_behind(number, &words);
        number += 1;
    }
    written::doubt(&unwrapping.script, &mut unwrapping.doubts);
    Opaque::of(unwrapping.doubts, unwrapping.stop, unwrapping.script)
}

/// What a wrapper of this name does besides running what stands behind it; `None` for what is no wrapper.
pub(super) fn wrapper_facts(name: &str) -> Option<&'static [Fact]> {
    table::facts(name)
}

/// Whether a wrapper of this name may run its command in another directory.
pub(super) fn wrapper_moves(name: &str, words: &[Word]) -> bool {
    table::moves(name, words)
}

/// Whether a script of sed does nothing but print and replace.
pub(super) fn is_plain_sed(script: &str) -> bool {
    sed::is_plain(script)
}

struct Unwrapping<'t> {
    script: Script,
    /// The table of programs, for those who read it.
    programs: Option<&'t Table>,
    /// Through how many wrappers each command was found.
    depths: Vec<usize>,
    doubts: Vec<Doubt>,
    stop: Option<Doubt>,
}

impl Unwrapping<'_> {
    /// Adds what one command runs.
    fn look_behind(&mut self, number: usize, words: &[Word]) {
        let Some((first, arguments)) = words.split_first() else {
            return;
        };
        let Some(path) = first.literal() else { return };
        let name = path.rsplit('/').next().unwrap_or_default();
        let program = self.programs.and_then(|table| table.get(name));
        if let Some(program) = program.filter(|program| program.runs) {
            self.by_table(program, number, first, arguments);
        }
        self.later(path, number, arguments);
        if name == "parallel" {
            self.parallel(number, first, arguments);
        }
        match table::find(name) {
            Err(()) => self.doubt(Reason::UnknownOption, first),
            Ok(None) => {}
            Ok(Some(Entry::Code(_))) if program.is_some() => {}
            Ok(Some(Entry::Code(code))) => {
                let script = if code.script { sed::hidden(arguments) } else { None };
                if let Some(word) = script.or_else(|| code::hidden(code, first, arguments)) {
                    self.doubt(Reason::HiddenWork, word);
                }
            }
            Ok(Some(Entry::Wrapper(wrapper))) => {
                if self.depths.get(number).is_none_or(|depth| *depth >= MAX_DEPTH) {
                    return self.doubt(Reason::TooDeep, first);
                }
                self.wrapper(wrapper, name, number, first, arguments);
            }
        }
    }

    /// What `trap` and `alias` keep for later. They stay a doubt, but what stands in their texts counts.
    fn later(&mut self, name: &str, number: usize, arguments: &[Word]) {
        if self.depths.get(number).is_none_or(|depth| *depth >= MAX_DEPTH) {
            return;
        }
        let arguments = match arguments.split_first() {
            Some((first, rest)) if first.literal() == Some("--") => rest,
            _ => arguments,
        };
        let texts: Vec<(Word, String)> = match (name, arguments) {
            ("trap", [text, _, ..]) => text
                .literal()
                .filter(|literal| !literal.starts_with('-'))
                .map(|literal| (text.clone(), literal.to_owned()))
                .into_iter()
                .collect(),
            ("alias", all) => all
                .iter()
                .filter_map(|word| Some((word.clone(), word.literal()?.split_once('=')?.1.to_owned())))
                .collect(),
            _ => return,
        };
        for (at, text) in texts {
            self.script_text(number, &at, &text, false);
        }
    }

    /// What a program of the table runs.
    fn by_table(&mut self, program: &Program, number: usize, first: &Word, arguments: &[Word]) {
        let Some(table) = self.programs else { return };
        let arguments: Vec<_> = arguments.iter().map(Argument::of_word).collect();
        let reading = commands::read(table, program, &arguments);
        for act in &reading.acts {
            let words = || [&act.argument].into_iter().chain(&act.rest);
            if !act.role.runs() {
                continue;
            }
            if self.depths.get(number).is_none_or(|depth| *depth >= MAX_DEPTH) {
                return self.doubt(Reason::TooDeep, first);
            }
            match act.role {
                Role::Command => {
                    let words = words().map(|argument| argument.to_word(first.place())).collect();
                    self.words(&Wrapper::without_options(Empty::Nothing), number, first, words);
                }
                _ => {
                    let texts: Option<Vec<_>> = words().map(Argument::text).collect();
                    match texts {
                        Some(texts) => self.script_text(number, first, &texts.join(" "), true),
                        None => self.doubt(Reason::Eval, first),
                    }
                }
            }
        }
    }

    fn wrapper(&mut self, wrapper: &Wrapper, name: &str, number: usize, first: &Word, arguments: &[Word]) {
        match wrapper.runs {
            Runs::Shell => return self.shell(name, number, first, arguments),
            Runs::Find => return self.find(number, arguments),
            _ => {}
        }
        let split;
        let arguments = if wrapper.runs == Runs::Env {
            match split_string(arguments) {
                Err(word) => return self.doubt(Reason::UnknownOption, word),
                Ok(words) => {
                    split = words;
                    split.as_slice()
                }
            }
        } else {
            arguments
        };
        let options = match options::read(wrapper, arguments) {
            Ok(options) => options,
            Err((reason, word)) => return self.doubt(reason, word),
        };
        for word in &options.assignments {
            let start = word.known_start();
            let (variable, value) = start.split_once('=').unwrap_or_default();
            if !meaning::is_harmless_setting(variable, Some(value).filter(|_| !word.is_dynamic())) {
                self.doubt(Reason::Environment, word);
            }
        }
        if options.alone {
            return;
        }
        if wrapper.runs == Runs::Option && options.texts.is_empty() {
            // A shell for a person.
            return self.doubt(Reason::ShellInput, first);
        }
        for text in &options.texts {
            self.text(number, first, *text);
        }
        let rest: Vec<Word> = options.rest.iter().map(|word| (*word).clone()).collect();
        match wrapper.runs {
            Runs::Words | Runs::Env => self.words(wrapper, number, first, rest),
            Runs::Xargs => {
                let filled = xargs(&options, rest);
                self.words(wrapper, number, first, filled);
            }
            Runs::Flock => match rest.first().map(Word::known_start) {
                Some(start) if start.starts_with('-') => match rest.as_slice() {
                    [option, text] if matches!(option.literal(), Some("-c" | "--command")) => {
                        self.text(number, first, Value::Word(text));
                    }
                    _ => self.doubt(Reason::UnknownOption, first),
                },
                _ => self.words(wrapper, number, first, rest),
            },
            Runs::Joined => {
                let texts: Option<Vec<_>> = rest.iter().map(Word::literal).collect();
                match texts.map(|texts| texts.join(" ")) {
                    Some(text) if !text.is_empty() => self.text(number, first, Value::Attached(&text)),
                    _ => {
                        self.doubt(Reason::Eval, first);
                        // What stands there plainly still counts.
                        if rest.iter().all(Word::is_single) {
                            self.words(&Wrapper::without_options(Empty::Nothing), number, first, rest);
                        }
                    }
                }
            }
            Runs::Option | Runs::Shell | Runs::Find => {}
        }
    }

    /// A command that stands there as words.
    fn words(&mut self, wrapper: &Wrapper, number: usize, first: &Word, mut words: Vec<Word>) {
        if words.iter().all(is_filled) {
            match wrapper.empty {
                Empty::Nothing => return,
                Empty::Opaque => return self.doubt(Reason::ShellInput, first),
                Empty::Echo => words.insert(0, Word::of_literal("echo".to_owned(), first.place())),
            }
        }
        match words.first().map(Word::literal) {
            Some(Some(name)) if !name.is_empty() && name.bytes().all(|byte| matches!(byte, b' '..=b'~')) => {}
            _ => self.doubt(Reason::DynamicName, first),
        }
        let Some(outer) = self.script.commands().get(number) else {
            return;
        };
        let (seat, place) = (outer.seat, outer.place);
        let mut group = Group::new(GroupKind::Behind(number), seat, place);
        group.is_of_words = true;
        let group = self.script.add_group(group);
        let mut command = SimpleCommand::new(Seat::within(Some(group)), place);
        command.words = words;
        self.script.add_command(command);
        self.deepen(number);
    }

    /// A text for `sh`.
    fn text(&mut self, number: usize, first: &Word, text: Value<'_>) {
        let at = match text {
            Value::Word(word) => word,
            Value::Attached(_) | Value::Unknown => first,
        };
        match text.literal() {
            Some(text) => self.script_text(number, at, text, true),
            None => self.doubt(Reason::Eval, first),
        }
    }

    /// A text that a shell reads, written in this word. A plain one is not certain to be bash.
    fn script_text(&mut self, number: usize, at: &Word, text: &str, portable: bool) {
        let Some(outer) = self.script.commands().get(number) else {
            return;
        };
        let inside = Inside {
            kind: GroupKind::Behind(number),
            place: at.place(),
            seat: outer.seat,
            portable,
        };
        let stop = reader::read_inside(text, inside, &mut self.script, &mut self.doubts);
        self.stop = self.stop.or(stop);
        self.deepen(number);
    }

    /// What was added since belongs one level deeper than this command.
    fn deepen(&mut self, number: usize) {
        let depth = self.depths.get(number).map_or(0, |depth| depth + 1);
        self.depths.resize(self.script.commands().len(), depth);
    }

    fn doubt(&mut self, reason: Reason, word: &Word) {
        if self.doubts.len() < 64 {
            self.doubts.push(Doubt::new(reason, word.place()));
        }
    }
}

/// `env -S 'a b'` stands for the words of its value, options among them. Only plain words are split here.
fn split_string(words: &[Word]) -> Result<Vec<Word>, &Word> {
    let Some((first, rest)) = words.split_first() else {
        return Ok(Vec::new());
    };
    let start = first.known_start();
    let (text, rest) = match start
        .strip_prefix("-S")
        .or_else(|| start.strip_prefix("--split-string="))
    {
        None if start.starts_with("--split") || start.starts_with("-vS") => return Err(first),
        None => return Ok(words.to_vec()),
        Some("") => match rest.split_first() {
            Some((text, rest)) if !first.is_dynamic() => (text.literal(), rest),
            _ => return Err(first),
        },
        Some(text) => ((!first.is_dynamic()).then_some(text), rest),
    };
    let plain = |char: char| char.is_ascii_alphanumeric() || " _-./=+:,@%".contains(char);
    let Some(text) = text.filter(|text| text.chars().all(plain)) else {
        return Err(first);
    };
    let words = text.split(' ').filter(|word| !word.is_empty());
    let words = words.map(|word| Word::of_literal(word.to_owned(), first.place()));
    Ok(words.chain(rest.iter().cloned()).collect())
}

/// The words that `xargs` runs: with the lines read in place of a mark, or behind the others.
fn xargs(options: &options::Options<'_>, mut words: Vec<Word>) -> Vec<Word> {
    let mut mark = None;
    let mut follows = true;
    for (name, value) in &options.values {
        match name.as_str() {
            "-I" => (mark, follows) = (Some(value.literal()), false),
            "-i" | "--replace" => {
                let given = match value {
                    Value::Attached("") => Some("{}"),
                    given => given.literal(),
                };
                (mark, follows) = (Some(given), false);
            }
            // Behind a mark these end it, in some versions: then lines may do both.
            "-n" | "--max-args" | "-L" | "-l" | "--max-lines" => follows = true,
            _ => {}
        }
    }
    if let Some(mark) = mark {
        words = words.iter().map(|word| filled(word, mark)).collect();
    }
    if follows {
        let place = words.last().map(Word::place).unwrap_or_default();
        words.push(Word::of_pieces(
            vec![Piece::Filled {
                many: true,
                alone: true,
            }],
            place,
        ));
    }
    words
}

/// A word in which a wrapper puts something in place of a mark; of a mark that is not known, anywhere.
fn filled(word: &Word, mark: Option<&str>) -> Word {
    let hit = match (word.literal(), mark) {
        (Some(text), Some(mark)) => text.contains(mark),
        // A home and the names of files hold no mark, for all that is known; a value may.
        (None, Some(mark)) => word.pieces().iter().any(|piece| match piece {
            Piece::Literal(text) => text.contains(mark),
            Piece::Tilde => false,
            _ => true,
        }),
        _ => true,
    };
    if let (true, Some(text), Some(mark)) = (hit, word.literal(), mark)
        && text != mark
        && !mark.is_empty()
    {
        // What stands around the mark is known all the same.
        let filled = Piece::Filled {
            many: false,
            alone: false,
        };
        let mut pieces = Vec::new();
        for (at, part) in text.split(mark).enumerate() {
            pieces.extend((at > 0).then(|| filled.clone()));
            pieces.extend((!part.is_empty()).then(|| Piece::Literal(part.to_owned())));
        }
        return Word::of_pieces(pieces, word.place());
    }
    if hit {
        Word::of_pieces(
            vec![Piece::Filled {
                many: word.is_dynamic(),
                alone: mark.is_some() && word.literal() == mark,
            }],
            word.place(),
        )
    } else {
        word.clone()
    }
}

fn is_filled(word: &Word) -> bool {
    matches!(word.pieces(), [Piece::Filled { many: true, .. }])
}
