//! What holds for every text.

use portcullis_classify::shell;
use proptest::prelude::*;

use crate::plain::{Plain, plain};
use crate::printed::{WRAPS, list, simple, spelled_as};

/// Names that a generated command must not have by chance.
pub(crate) const MEANS_SOMETHING: &[&str] = &[
    "alias", "bind", "builtin", "case", "command", "compgen", "complete", "compopt", "coproc", "declare",
    "do", "done", "elif", "else", "enable", "esac", "eval", "export", "fc", "fi", "for", "getopts", "hash",
    "history", "if", "in", "jobs", "let", "local", "mapfile", "printf", "read", "select", "set", "shopt",
    "source", "test", "then", "time", "trap", "typeset", "unalias", "unset", "until", "wait", "while",
];

/// Texts near to what is read: tokens of the syntax in any order.
fn near() -> impl Strategy<Value = String> {
    let tokens = vec![
        "a",
        "rm x",
        " ",
        "\n",
        ";",
        "&",
        "|",
        "&&",
        "(",
        ")",
        "$(",
        "${x:-",
        "}",
        "{",
        "'",
        "\"",
        "`",
        "\\",
        "<<E\n",
        "\nE\n",
        "<",
        ">",
        ">&",
        "-",
        "2>",
        "if ",
        "then ",
        "fi",
        "for x in ",
        "do ",
        "done",
        "case ",
        "in ",
        "esac",
        ";;",
        "[[ ",
        " ]]",
        "((",
        "))",
        "$((",
        "1",
        "x=",
        "=(",
        "#",
        "!",
        "time ",
        "f() ",
        "eval ",
        "*",
        "~",
        "{a,b}",
        "$x",
        "$'",
        "ü",
        "\0",
        "\r",
    ];
    prop::collection::vec(prop::sample::select(tokens), 0..24).prop_map(|tokens| tokens.concat())
}

fn seen(text: &str) -> Result<Vec<Plain>, Vec<Plain>> {
    match shell::read(text.as_bytes()) {
        Ok(script) => Ok(plain(&script)),
        Err(opaque) => Err(plain(opaque.seen())),
    }
}

/// Whether all of `inner` is in `outer`, each as often as it should be.
fn contains(outer: &[Plain], inner: &[Plain]) -> bool {
    let mut left = outer.to_vec();
    inner.iter().all(|one| {
        let at = left.iter().position(|other| other == one);
        at.map(|at| left.swap_remove(at)).is_some()
    })
}

/// Wrappers that stand before a command and run it as it is.
const PREFIXES: &[&str] = &[
    "sudo -nu root ",
    "sudo -- ",
    "env -u X A=1 ",
    "nice -n 5 ",
    "timeout -k 1 5 ",
    "nohup ",
    "exec -a x ",
    "command ",
    "setsid -w ",
    "doas ",
    "flock -n lock ",
    "busybox ",
    "env -S 'nice -n 1' ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_is_printed_is_read_back(printed in list()) {
        let mut expected = printed.commands.clone();
        expected.sort();
        let read = seen(&printed.text);
        // In a substitution a here-document must be the last thing.
        if read.is_err() && printed.text.contains("<<EOF") {
            return Ok(());
        }
        prop_assert_eq!(read, Ok(expected), "{}", printed.text);
    }

    #[test]
    fn quotes_never_change_the_reading((word, spelling) in spelled_as("[ -~üß\\n]{0,12}")) {
        let script = shell::read(format!("a {spelling} b").as_bytes());
        let script = script.map_err(|opaque| TestCaseError::fail(format!("{spelling}: {opaque}")))?;
        prop_assert_eq!(script.commands()[0].words[1].literal(), Some(word.as_str()));
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        shell::read(&bytes).ok();
    }

    #[test]
    fn no_damage_panics(printed in list(), at in any::<prop::sample::Index>(), insert in near(), remove in 0_usize..6) {
        let mut chars: Vec<char> = printed.text.chars().collect();
        let at = at.index(chars.len());
        let end = (at + remove).min(chars.len());
        chars.splice(at..end, insert.chars());
        let text: String = chars.into_iter().collect();
        shell::read(text.as_bytes()).ok();
    }

    #[test]
    fn more_text_never_hides_a_command(first in near(), second in near(), joint in prop::sample::select(vec!["\n", " ; ", " && ", " | ", " & "])) {
        let Ok(inner) = seen(&first) else { return Ok(()) };
        if let Ok(outer) = seen(&format!("{first}{joint}{second}")) {
            prop_assert!(contains(&outer, &inner), "{outer:?} lacks some of {inner:?}");
        }
    }

    #[test]
    fn a_wrap_never_hides_a_command(first in near(), at in 0..WRAPS.len()) {
        let Ok(inner) = seen(&first) else { return Ok(()) };
        let (before, after) = WRAPS[at];
        if let Ok(outer) = seen(&format!("{before}{first}{after}")) {
            prop_assert!(contains(&outer, &inner), "{outer:?} lacks some of {inner:?}");
        }
    }

    #[test]
    fn a_wrapper_never_hides_a_command(printed in simple(), prefixes in prop::collection::vec(prop::sample::select(PREFIXES), 0..4)) {
        let text = format!("{}{}", prefixes.concat(), printed.text);
        let known = match shell::read(text.as_bytes()).and_then(shell::unwrap) {
            Ok(script) => plain(&script),
            // Where a program is known for doing more, or a word could be an end or an option, there is a doubt.
            Err(_) => return Ok(()),
        };
        let argv = &printed.commands[0].argv;
        prop_assert!(known.iter().any(|one| one.argv == *argv), "{text}: {known:?}");
    }

    #[test]
    fn a_text_for_a_shell_hides_no_command(printed in list(), shell in prop::sample::select(vec!["bash -c", "bash -ec", "sudo bash -lc", "eval"])) {
        let text = format!("{shell} '{}'", printed.text.replace('\'', "'\\''"));
        let read = shell::read(text.as_bytes()).and_then(shell::unwrap);
        if read.is_err() && text.contains("<<EOF") {
            return Ok(());
        }
        let known = match &read {
            Ok(script) => plain(script),
            Err(opaque) => plain(opaque.seen()),
        };
        prop_assert!(contains(&known, &printed.commands), "{text}: {known:?}");
    }

    #[test]
    fn the_answer_is_always_the_same(text in near()) {
        prop_assert_eq!(shell::read(text.as_bytes()), shell::read(text.as_bytes()));
    }
}
