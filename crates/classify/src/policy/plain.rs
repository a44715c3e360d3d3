//! The only command texts that a command rule may match: those every shell reads as the words they show.

/// The words of a command that is *plain*, or nothing.
///
/// A text is plain when
/// - it holds letters and digits (of any script) and the characters `_ - . , / : + % @ =`, in words parted by
///   spaces or tabs (also before the first and after the last word), and nothing else: no line break, no quote, no
///   backslash, `$`, `` ` ``, `~`, `!`, `#`, no glob, brace, pipe, redirection, or separator of commands;
/// - its first word holds no `=`, which would make it an assignment instead of the program;
/// - there is at least one word.
pub(super) fn words(command: &str) -> Option<Vec<&str>> {
    let plain = command.chars().all(|c| is_blank(c) || is_word(c));
    if !plain {
        return None;
    }
    let words: Vec<&str> = command.split(is_blank).filter(|word| !word.is_empty()).collect();
    let program = words.first()?;
    (!program.contains('=')).then_some(words)
}

/// Whether the text is a single plain word.
pub(super) fn is_plain_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_word)
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ',' | '/' | ':' | '+' | '%' | '@' | '=')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("git push", &["git", "push"])]
    #[case("  git\t push  ", &["git", "push"])]
    #[case("touch grüße.txt", &["touch", "grüße.txt"])]
    #[case("cc -DX=1 a,b.c", &["cc", "-DX=1", "a,b.c"])]
    fn plain(#[case] command: &str, #[case] expected: &[&str]) {
        assert_eq!(words(command).unwrap(), expected);
    }

    #[rstest]
    fn not_plain(
        #[values(
            "",
            "   ",
            "git push; ls",
            "git push && ls",
            "git push | sh",
            "git push > x",
            "git push < x",
            "git push &",
            "git push\nls",
            "git push\r",
            "git 'push'",
            "git \"push\"",
            "git pu\\sh",
            "git $x",
            "git `x`",
            "git *",
            "git ?",
            "git [a]",
            "git {a,b}",
            "git ~",
            "git !!",
            "git #x",
            "git (x)",
            "A=1 git push",
            "=git push",
            "git\u{a0}push",
            "git\u{200b} push",
            "git\0push",
            "git\u{1b}push",
            "git ^x"
        )]
        command: &str,
    ) {
        assert_eq!(words(command), None);
    }

    proptest! {
        #[test]
        fn joining_the_words_gives_the_same_words(command in "[a-z./:@=, \t-]{0,40}") {
            if let Some(found) = words(&command) {
                prop_assert!(found.iter().all(|word| is_plain_word(word)));
                let joined = found.join(" ");
                prop_assert_eq!(words(&joined), Some(found));
            }
        }

        #[test]
        fn any_other_ascii_character_makes_it_not_plain(
            c in prop::char::range('!', '~').prop_filter("special", |c| !is_word(*c)), at in 0_usize..9
        ) {
            let mut command = "git push".to_owned();
            command.insert(at, c);
            prop_assert_eq!(words(&command), None);
        }
    }
}
