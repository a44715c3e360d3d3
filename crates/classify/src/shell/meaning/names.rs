//! Builtins that take names of variables. A name with a subscript is evaluated, whatever quotes stand around it, and a
//! variable that means something to others is an environment.

use super::super::{Reason, Word};
use super::{Findings, declares, is_harmless_setting, is_harmless_variable, is_name, marks};

/// Options of a builtin: letters alone, letters that take a text, letters that take a name.
struct Options {
    flags: &'static str,
    valued: &'static str,
    naming: &'static str,
}

const READ: Options = Options {
    flags: "ers",
    valued: "dinNptu",
    naming: "a",
};
const MAPFILE: Options = Options {
    flags: "t",
    valued: "dnsu",
    naming: "",
};
const WAIT: Options = Options {
    flags: "fn",
    valued: "",
    naming: "p",
};
const UNSET: Options = Options {
    flags: "v",
    valued: "",
    naming: "",
};
/// No `-i`, which evaluates values, and no `-n`, which makes a name stand for another one.
const DECLARE: Options = Options {
    flags: "aAFgflprtux",
    valued: "",
    naming: "",
};
const EXPORT: Options = Options {
    flags: "anp",
    valued: "",
    naming: "",
};
const PRINTF: Options = Options {
    flags: "",
    valued: "",
    naming: "v",
};
const NONE: Options = Options {
    flags: "",
    valued: "",
    naming: "",
};

impl Findings {
    pub(super) fn naming(&mut self, name: &str, arguments: &[Word]) {
        match name {
            "read" => self.names(&READ, arguments),
            "mapfile" | "readarray" => self.names(&MAPFILE, arguments),
            "unset" => self.names(&UNSET, arguments),
            name if marks(name) => self.names(&EXPORT, arguments),
            name if declares(name) => self.names(&DECLARE, arguments),
            // Behind the options stands a format, not names, unless it counts into one.
            "printf" => {
                let operands = self.options(&PRINTF, arguments);
                let format = operands.first().filter(|_| operands.len() > 1);
                if let Some(format) = format.filter(|format| !format.literal().is_some_and(is_plain_format)) {
                    self.add(Reason::EvaluatedWord, format);
                }
            }
            "wait" => {
                self.options(&WAIT, arguments);
            }
            "getopts" => {
                let operands = self.options(&NONE, arguments);
                self.name(operands.get(1));
            }
            _ => {}
        }
    }

    fn names(&mut self, options: &Options, arguments: &[Word]) {
        for operand in self.options(options, arguments) {
            self.name(Some(operand));
        }
    }

    /// `name` or `name=value`.
    fn name(&mut self, word: Option<&Word>) {
        let Some(word) = word else { return };
        let start = word.known_start();
        let (name, value) = match start.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (start, None),
        };
        let (name, assigned, appended) = match name.strip_suffix('+').filter(|_| value.is_some()) {
            Some(name) => (name, true, true),
            None => (name, value.is_some(), false),
        };
        // A list in quotes is read again: `declare -a 'x=($(date))'` runs what stands in it.
        let is_list = value.is_some_and(|value| value.starts_with('('));
        let value = value.filter(|_| !appended && !word.is_dynamic());
        if !is_name(name) || is_list || (word.is_dynamic() && !assigned) {
            self.add(Reason::EvaluatedWord, word);
        } else if !is_harmless_setting(name, value) {
            self.add(Reason::Environment, word);
        }
    }

    /// Reads the options and gives the operands behind them. An unknown one is a doubt.
    fn options<'a>(&mut self, options: &Options, arguments: &'a [Word]) -> &'a [Word] {
        let mut rest = arguments;
        while let Some((first, others)) = rest.split_first() {
            let start = first.known_start();
            let dashed = start.strip_prefix(['-', '+']);
            let Some(letters) = dashed.filter(|letters| !letters.is_empty()) else {
                // Something that moves may become an option.
                if start.is_empty() && first.is_dynamic() && !first.is_number() {
                    self.add(Reason::EvaluatedWord, first);
                }
                return rest;
            };
            rest = others;
            if first.literal() == Some("--") {
                return rest;
            }
            let mut chars = letters.chars();
            while let Some(letter) = chars.next() {
                if options.flags.contains(letter) && !first.is_dynamic() {
                    continue;
                }
                let attached = chars.as_str();
                let valued = options.valued.contains(letter);
                if !valued && !options.naming.contains(letter) {
                    self.add(Reason::EvaluatedWord, first);
                    return &[];
                }
                if attached.is_empty() && !first.is_dynamic() {
                    let Some((value, others)) = rest.split_first() else {
                        return &[];
                    };
                    rest = others;
                    // A value that may become several words shifts what follows.
                    if !value.is_single() {
                        self.add(Reason::EvaluatedWord, value);
                    }
                    if !valued {
                        self.name(Some(value));
                    }
                } else if !valued && !is_name(attached) || !first.is_single() {
                    self.add(Reason::EvaluatedWord, first);
                } else if !valued && !is_harmless_variable(attached) {
                    self.add(Reason::Environment, first);
                }
                break;
            }
        }
        rest
    }
}

/// Whether no `%n` stands in a format: it writes into the variable that an argument names.
fn is_plain_format(format: &str) -> bool {
    let conversions = format.split('%').skip(1);
    let modifiers = |char: char| !char.is_ascii_alphabetic() || "hlLjztqI".contains(char);
    conversions
        .map(|text| text.trim_start_matches(modifiers))
        .all(|text| !text.starts_with('n'))
}
