//! `data/secrets.toml`: which names sound secret, what can only be a secret, and how programs are told one.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

const FILE: &str = include_str!("../../data/secrets.toml");
const FIRST_PROGRAM: &str = "[[program]]";

/// What the file says of names and shapes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    parts: Vec<String>,
    last: Vec<String>,
    which: Vec<String>,
    query: Vec<String>,
    harmless: Vec<String>,
    shapes: Vec<Shape>,
    /// Which letters the parts begin with, a bit each.
    #[serde(skip)]
    begins: u32,
    /// Which of the shapes begin with each letter, in the order of the letters.
    #[serde(skip)]
    by_letter: Vec<Vec<usize>>,
}

/// What it says of programs: most of it, and only commands need it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Programs {
    program: Vec<Program>,
    #[serde(skip)]
    by_name: HashMap<String, Vec<usize>>,
    /// How long the names are that begin with each letter, a bit for each length: nearly every word is no name.
    #[serde(skip)]
    lengths: Vec<u64>,
}

/// The beginning of what can only be a secret.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Shape {
    pub(super) begins: String,
    /// Letters of a token that come after that, at least.
    pub(super) more: usize,
    /// It is a word itself, so that a name may go on behind it: `npm_config_user_agent`.
    #[serde(default)]
    pub(super) word: bool,
    /// A token of it goes on over the signs of base64.
    #[serde(default)]
    pub(super) base64: bool,
}

/// How a program is told a secret.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Program {
    names: Vec<String>,
    /// Only with one of these words before.
    #[serde(default)]
    pub(super) within: Vec<String>,
    /// Options that have it behind them in the same word, and only there.
    #[serde(default)]
    pub(super) attached: Vec<String>,
    /// Options that have it in the same word or in the next.
    #[serde(default)]
    pub(super) both: Vec<String>,
    /// Options with `user:secret`.
    #[serde(default)]
    pub(super) pair: Vec<String>,
    /// The sign between the two.
    #[serde(default)]
    pub(super) parted: Option<char>,
    /// Plain words that a secret comes after.
    #[serde(default)]
    pub(super) words: Vec<String>,
    /// Options with a list of `name=value`, parted by commas.
    #[serde(default)]
    pub(super) listed: Vec<String>,
    /// With one of these, or always, what it reads is a secret.
    pub(super) fed: Option<Vec<String>>,
    /// With one of these, or always, its last word is a secret.
    #[serde(rename = "final")]
    pub(super) last: Option<Vec<String>>,
    /// Every operand after `within` is one.
    #[serde(default)]
    pub(super) operands: bool,
    /// Every `name=secret` after `within` has one.
    #[serde(default)]
    pub(super) assigned: bool,
    /// Beginnings of names of settings: the words behind one of them are secrets.
    #[serde(default)]
    pub(super) settings: Vec<String>,
    /// `user/secret@place` is among its words.
    #[serde(default)]
    pub(super) login: bool,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    // A file that cannot be read is found by a test; without it the names below still count.
    let mut table: Table = toml::from_str(halves().0).unwrap_or_default();
    table.begins = table
        .parts
        .iter()
        .map(|part| bit(part.bytes().next()))
        .fold(0, |all, bit| all | bit);
    table.by_letter = vec![Vec::new(); 128];
    for (at, shape) in table.shapes.iter().enumerate() {
        let first = shape.begins.bytes().next().map(usize::from);
        if let Some(found) = first.and_then(|first| table.by_letter.get_mut(first)) {
            found.push(at);
        }
    }
    table
});

static PROGRAMS: LazyLock<Programs> = LazyLock::new(|| {
    let mut programs: Programs = toml::from_str(halves().1).unwrap_or_default();
    programs.lengths = vec![0; 256];
    for (at, program) in programs.program.iter().enumerate() {
        for name in &program.names {
            programs.by_name.entry(name.clone()).or_default().push(at);
            let first = name.bytes().next().map_or(0, usize::from);
            if let Some(lengths) = programs.lengths.get_mut(first) {
                *lengths |= 1 << name.len().min(63);
            }
        }
    }
    programs
});

/// The file up to the programs, and the rest.
fn halves() -> (&'static str, &'static str) {
    let programs = FILE.find(FIRST_PROGRAM).unwrap_or(FILE.len());
    FILE.split_at_checked(programs).unwrap_or_default()
}

/// The bit of a letter; other signs share one.
fn bit(letter: Option<u8>) -> u32 {
    match letter {
        Some(letter @ b'a'..=b'z') => 1 << (letter - b'a'),
        Some(_) => 1 << 31,
        None => 0,
    }
}

pub(super) fn table() -> &'static Table {
    &TABLE
}

/// What is known of the program that a word calls, by its name without folders.
pub(super) fn programs(word: &str) -> impl Iterator<Item = &'static Program> {
    let name = word.rsplit('/').next().unwrap_or(word);
    let first = name.bytes().next().map_or(0, usize::from);
    let lengths = PROGRAMS.lengths.get(first).copied().unwrap_or_default();
    let found = Some(name).filter(|name| lengths & 1 << name.len().min(63) != 0);
    let found = found.and_then(|name| PROGRAMS.by_name.get(name));
    let found = found.map_or(&[][..], Vec::as_slice);
    found.iter().filter_map(|at| PROGRAMS.program.get(*at))
}

impl Table {
    /// The shape that a text begins with.
    pub(super) fn shape_of(&self, text: &str) -> Option<&Shape> {
        let found = self.by_letter.get(usize::from(text.bytes().next()?))?;
        let mut shapes = found.iter().filter_map(|at| self.shapes.get(*at));
        shapes.find(|shape| text.starts_with(&shape.begins))
    }

    /// Whether a name says that its value is secret: `DB_PASSWORD`, `--api-key`, `x-auth-token`.
    pub(super) fn sounds_secret(&self, name: &str) -> bool {
        let (mut last, mut before) = (String::new(), String::new());
        let mut folded = String::with_capacity(name.len());
        let mut was_small = false;
        for c in name.chars() {
            let parts = !c.is_alphanumeric() || (was_small && c.is_uppercase());
            if parts && !last.is_empty() {
                before = std::mem::take(&mut last);
            }
            was_small = c.is_lowercase();
            if c.is_alphanumeric() {
                folded.extend(c.to_lowercase());
                last.extend(c.to_lowercase());
            }
        }
        let ends_secret = || self.parts.iter().any(|part| folded.ends_with(part.as_str()));
        if folded.len() < 2 || self.harmless.contains(&last) && !ends_secret() {
            return false;
        }
        let last = match self.which.contains(&last) {
            true => before.as_str(),
            false => last.trim_end_matches(|c: char| c.is_ascii_digit()),
        };
        // `DB_PASS_2` ends in a word of digits alone.
        let last = if last.is_empty() { before.as_str() } else { last };
        self.last.iter().any(|known| known == last) || self.holds_part(&folded)
    }

    /// Whether a parameter of an address is secret, which need not be one elsewhere.
    pub(super) fn is_secret_query(&self, name: &str) -> bool {
        self.query.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Whether one of the parts stands somewhere in a folded name.
    fn holds_part(&self, folded: &str) -> bool {
        let may_begin = |at: &usize| self.begins & bit(folded.as_bytes().get(*at).copied()) != 0;
        let places = (0..folded.len()).filter(may_begin);
        let mut rests = places.filter_map(|at| folded.get(at..));
        rests.any(|rest| self.parts.iter().any(|part| rest.starts_with(part.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn the_file_can_be_read() {
        let (table, rest) = halves();
        toml::from_str::<Table>(table).unwrap();
        toml::from_str::<Programs>(rest).unwrap();
        assert!(programs("/usr/bin/mysql").next().is_some());
    }

    #[rstest]
    #[case("PASSWORD", true)]
    #[case("DB_PASS", true)]
    #[case("dbPass", true)]
    #[case("--api-key", true)]
    #[case("X-Api-Key", true)]
    #[case("AWS_SECRET_ACCESS_KEY", true)]
    #[case("_authToken", true)]
    #[case("PGPASSWORD", true)]
    #[case("MYSQL_PWD", true)]
    #[case("GITHUB_TOKEN", true)]
    #[case("session_id", true)]
    #[case("X-Amz-Signature", true)]
    #[case("key", false)]
    #[case("KEY_PATH", false)]
    #[case("--password-file", false)]
    #[case("token_limit", false)]
    #[case("credential.helper", false)]
    #[case("compass", false)]
    #[case("author", false)]
    #[case("max-tokens", false)]
    #[case("secretName", false)]
    #[case("bypass", false)]
    #[case("", false)]
    fn names(#[case] name: &str, #[case] secret: bool) {
        assert_eq!(table().sounds_secret(name), secret);
    }
}
