//! Secrets in commands, for what is shown of them: in effects, causes, questions, refusals and logs (invariant 11).
//!
//! A command is shown so that somebody can decide about it. So only what stands in the place of a secret is hidden, and never
//! what a shell would make something else of: a substitution in the place of a password stays visible.

mod addresses;
mod named;
mod quoted;
mod shapes;
mod signs;
mod table;
mod text;
mod uses;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use crate::shell::MAX_BYTES;
use signs::Signs;
use uses::Uses;

/// What stands for a secret.
const MASK: &str = "***";

/// A command without its secrets, and where a part of it then stands.
#[derive(Debug)]
pub(crate) struct Masked<'a> {
    pub(crate) text: Cow<'a, str>,
    command: &'a str,
    hidden: Vec<Range<usize>>,
}

impl<'a> Masked<'a> {
    /// `more` is secret as well, wherever it stands.
    pub(crate) fn of(text: &'a str, more: &[String]) -> Self {
        let places = more.iter().flat_map(|secret| text.match_indices(secret.as_str()));
        let mut all: Vec<_> = places.map(|(at, secret)| at..at + secret.len()).collect();
        all.extend(hidden(text));
        let hidden = sorted_and_joined(all);
        Self {
            text: without_ranges(text, &hidden),
            command: text,
            hidden,
        }
    }

    /// Whether there is any secret in it.
    pub(crate) const fn hides(&self) -> bool {
        !self.hidden.is_empty()
    }

    /// The secrets themselves, so that they can be hidden where a part of the command is quoted. One of two letters is no
    /// secret, and would hide half of any sentence.
    pub(crate) fn pieces(&self) -> Vec<&'a str> {
        let pieces = self
            .hidden
            .iter()
            .filter_map(|range| self.command.get(range.clone()));
        pieces.filter(|piece| piece.len() > 2).collect()
    }

    /// Where a part of the text stands without the secrets. A secret that it cuts is in it whole, as its mask.
    pub(crate) fn place(&self, part: Range<usize>) -> Range<usize> {
        self.moved(part.start, false)..self.moved(part.end, true)
    }

    fn moved(&self, at: usize, is_end: bool) -> usize {
        let mut to = at;
        for secret in self.hidden.iter().take_while(|secret| secret.start < at) {
            let behind = secret.end.min(at);
            to = to.saturating_sub(behind - secret.start);
            if secret.end <= at || is_end {
                to += MASK.len();
            }
        }
        to.min(self.text.len())
    }
}

/// Whether the name of a variable says that its value is secret.
pub(crate) fn sounds_secret(name: &str) -> bool {
    table::table().sounds_secret(name)
}

/// A command, or a sentence that quotes one, without the secrets that stand in it. Linear in the text, and behind the longest
/// command that is read nothing is shown.
pub(crate) fn masked(text: &str) -> Cow<'_, str> {
    without_ranges(text, &hidden(text))
}

/// The same for text that no shell reads: a path, an address, a name, or a sentence that quotes one.
pub(crate) fn told(text: &str) -> Cow<'_, str> {
    let (mut hidden, signs) = hidden_with_signs(text);
    if signs.may_have(b'@') && signs.may_have(b':') {
        addresses::find_written_as_paths(looked_at(text), &mut hidden);
        hidden = sorted_and_joined(hidden);
    }
    without_ranges(text, &hidden)
}

fn without_ranges<'a>(text: &'a str, hidden: &[Range<usize>]) -> Cow<'a, str> {
    if hidden.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    // Neighbours are one secret, and its length is nobody's business.
    for secret in hidden {
        shown.push_str(text.get(at..secret.start).unwrap_or_default());
        shown.push_str(MASK);
        at = secret.end;
    }
    shown.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(shown)
}

/// A sentence about a command, without these secrets of it.
pub(crate) fn without(sentence: &mut String, pieces: &[&str]) {
    for piece in pieces {
        if sentence.contains(piece) {
            *sentence = sentence.replace(piece, MASK);
        }
    }
}

fn hidden(text: &str) -> Vec<Range<usize>> {
    hidden_with_signs(text).0
}

fn hidden_with_signs(text: &str) -> (Vec<Range<usize>>, Signs) {
    let mut hidden = Vec::new();
    let whole = text.len();
    let text = looked_at(text);
    let signs = Signs::of(text);
    // A word alone is told to nobody, and without a sign of another kind it names nothing.
    if !signs.are_of_a_word() {
        let uses = Uses::of(text);
        words::find(text, &uses, &mut hidden);
        named::find(text, signs, &uses, &mut hidden);
        quoted::find(text, &mut hidden);
    }
    shapes::find(text, &mut hidden);
    addresses::find(text, signs, &mut hidden);
    hidden.push(text.len()..whole);
    (sorted_and_joined(hidden), signs)
}

fn sorted_and_joined(mut hidden: Vec<Range<usize>>) -> Vec<Range<usize>> {
    hidden.sort_by_key(|range| range.start);
    joined(&hidden)
}

/// What is looked at of a text: whole words of as much as a command may be long. What is not looked at is not shown.
fn looked_at(text: &str) -> &str {
    if text.len() <= MAX_BYTES {
        return text;
    }
    let most = text.floor_char_boundary(MAX_BYTES);
    let fits = text.get(..most).unwrap_or_default();
    let end = fits.rfind(char::is_whitespace).unwrap_or_default();
    fits.get(..end).unwrap_or_default()
}

/// A command as it may be shown: without the secrets that it is told.
///
/// ```
/// assert_eq!(portcullis_classify::shown_command("curl -u me:word https://x.example"), "curl -u me:*** https://x.example");
/// ```
#[must_use]
pub fn shown_command(text: &str) -> String {
    masked(text).into_owned()
}

/// A part of a command as it may be shown: without the secrets that only the whole says are some.
///
/// ```
/// let whole = "echo word99 | docker login --password-stdin";
/// assert_eq!(portcullis_classify::shown_part(whole, "echo word99"), "echo ***");
/// ```
#[must_use]
pub fn shown_part(whole: &str, part: &str) -> String {
    let mut shown = shown_command(part);
    without(&mut shown, &Masked::of(whole, &[]).pieces());
    shown
}

/// A path, an address or a name as it may be shown: without the secrets that stand in it.
///
/// ```
/// assert_eq!(portcullis_classify::shown_text("/srv/token=word/x"), "/srv/token=***");
/// ```
#[must_use]
pub fn shown_text(text: &str) -> String {
    told(text).into_owned()
}

fn joined(sorted: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in sorted.iter().filter(|range| !range.is_empty()) {
        match joined.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => joined.push(range.clone()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("ls -la", "ls -la")]
    #[case("mysql -phunter2 -u root shop", "mysql -p*** -u root shop")]
    #[case("mysql -p shop", "mysql -p shop")]
    #[case("sudo mysql -p'hun ter2' x", "sudo mysql -p'***' x")]
    #[case("mkdir -p src/new", "mkdir -p src/new")]
    #[case("TOKEN=abc ls; echo abc", "TOKEN=*** ls; echo abc")]
    #[case("curl -u ann:hunter2 x.example", "curl -u ann:*** x.example")]
    #[case("curl https://ann:hunter2@x.example/a", "curl https://***@x.example/a")]
    #[case("curl -H 'Authorization: Bearer hunter2' x", "curl -H 'Authorization: ***' x")]
    #[case("curl -H 'Cookie: a=1; b=2' x", "curl -H 'Cookie: ***' x")]
    #[case("echo cookie: a; rm -rf x", "echo cookie: ***; rm -rf x")]
    #[case("sh -c 'cookie: a && rm -rf x'", "sh -c 'cookie: ***&& rm -rf x'")]
    #[case("mysql -p$(rm -rf ~) x", "mysql -p$(rm -rf ~) x")]
    #[case("mysql -p$PASS x", "mysql -p$PASS x")]
    #[case("TOKEN=\"$(rm -rf ~)x\" ls", "TOKEN=\"$(rm -rf ~)***\" ls")]
    #[case("sh -c \"TOKEN='$(rm -rf ~)' ls\"", "sh -c \"TOKEN='$(rm -rf ~)' ls\"")]
    #[case(
        "git config credential.helper '!rm -rf ~'",
        "git config credential.helper '!rm -rf ~'"
    )]
    #[case("ssh-keygen -p -f key", "ssh-keygen -p -f key")]
    #[case("rg password src", "rg password src")]
    #[case("git log --author=ann", "git log --author=ann")]
    #[case("TOKEN='rm -rf ~'; $TOKEN", "TOKEN='rm -rf ~'; $TOKEN")]
    #[case(
        "P_TOKEN='rm -rf ~'; sh -c \"$P_TOKEN\"",
        "P_TOKEN='rm -rf ~'; sh -c \"$P_TOKEN\""
    )]
    fn only_what_is_secret_is_hidden(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(masked(text), shown);
    }

    #[rstest]
    #[case::behind("TOKEN=abcdef rm x", "rm x", "rm x")]
    #[case::before("rm x; TOKEN=abcdef ls", "rm x", "rm x")]
    #[case::around("rm x; TOKEN=abcdef ls; rm y", "TOKEN=abcdef ls", "TOKEN=*** ls")]
    #[case::is_the_secret("curl -u ann:hunter2 x.example", "ann:hunter2", "ann:***")]
    #[case::begins_within("TOKEN=abcdef ls", "def ls", "*** ls")]
    #[case::ends_within("TOKEN=abcdef ls", "TOKEN=abc", "TOKEN=***")]
    #[case::two_secrets("A_TOKEN=abcdef B_TOKEN=abcdef rm x", "rm x", "rm x")]
    fn a_part_is_found_again_without_the_secrets(
        #[case] text: &str,
        #[case] part: &str,
        #[case] shown: &str,
    ) {
        let masked = Masked::of(text, &[]);
        let start = text.find(part).unwrap();
        let place = masked.place(start..start + part.len());
        assert_eq!(masked.text.get(place), Some(shown), "{}", masked.text);
    }

    proptest! {
        #[test]
        fn any_part_of_any_text_is_found_again(
            text in "(TOKEN=|mysql -p|-u a:|[-a-zA-Z='\"$(){};|&<>\\\\ \n:@/é*]{0,6}){0,10}",
            from in 0_usize..80, length in 0_usize..40,
        ) {
            let start = text.floor_char_boundary(from.min(text.len()));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            let masked = Masked::of(&text, &[]);
            let place = masked.place(start..end);
            let shown = masked.text.get(place.clone());
            prop_assert!(shown.is_some(), "{place:?} of {}", masked.text);
            let shown = shown.unwrap();
            prop_assert!(shown.contains(MASK) || text.get(start..end) == Some(shown), "{shown:?}");
        }

        #[test]
        fn any_text_can_be_masked_and_nothing_is_added_but_masks(text in "[-a-zA-Z='\"$(){}`;|&<>\\\\ \n:@/é*]{0,80}") {
            let shown = masked(&text);
            prop_assert!(shown.len() <= text.len() + MASK.len() * text.len());
            for part in shown.split(MASK) {
                prop_assert!(text.contains(part), "{part:?}");
            }
        }

        /// Code is never hidden, wherever it stands.
        #[test]
        fn a_substitution_stays_visible(
            before in "(mysql -p|curl -u a:|TOKEN=|--token |sh -c 'mysql -p|\"password\": \"|https://ann:)",
            quote in "['\"]?",
        ) {
            let text = format!("{before}{quote}$(reboot)x");
            let runs = !(before.contains('\'') || quote == "'");
            let shown = masked(&text);
            prop_assert!(!runs || shown.contains("$(reboot)"), "{shown}");
        }
    }

    #[rstest]
    #[case::words("ls a ")]
    #[case::a_secret_where_it_ends("mysql -phunter2 ")]
    #[case::one_word("ghp_0123456789abcdefghijklmnopqrstuvwxyz")]
    #[case::of_two_bytes("é ")]
    #[case::nested("\"$( ")]
    fn behind_the_longest_command_nothing_is_shown(#[case] text: &str) {
        let long = text.repeat(500_000 / text.len());
        for shown in [masked(&long), told(&long)] {
            assert!(shown.len() <= MAX_BYTES + MASK.len() && shown.ends_with(MASK));
            assert!(
                !shown.contains("hunter") && !shown.contains("ghp_"),
                "{}",
                shown.len()
            );
        }
    }

    #[test]
    fn much_text_takes_little_time() {
        let text = "TOKEN='a b' \"x=$(mysql -ppw)\" ".repeat(20_000);
        assert!(!masked(&text).contains("ppw"));
        for hostile in [
            "token%3D",
            "a:b@",
            "hooks.slack.com/services/",
            "%3A%2F%2Fa:",
            "1111111111:",
            "</",
            "%ab:",
            "by '",
        ] {
            assert!(told(&hostile.repeat(20_000)).len() < 500_000);
        }
        let quotes = "\"' ".repeat(20_000);
        assert_eq!(masked(&quotes).len(), quotes.len());
    }
}
