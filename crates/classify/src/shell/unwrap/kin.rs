//! Texts that mean to other shells of Bourne's kin what they mean to `sh`.

/// The shells.
const SHELLS: &[&str] = &["zsh", "ksh", "mksh"];
/// Letters of options that mean the same to all of them: a text, a login, and when it stops or what it prints.
pub(super) const LETTERS: &str = "cleuvx";
/// Words that make later ones mean something else, or something else in each shell.
const DIFFERENT: &[&str] = &[
    ".", "alias", "chdir", "eval", "exec", "hash", "popd", "pushd", "set", "source", "trap",
];

/// Whether the shell runs the same commands for this text: plain words, texts in single quotes, lists and pipes. Patterns,
/// expansions, assignments, redirections and comments differ from shell to shell, and so they are none of it.
pub(super) fn means_the_same(shell: &str, text: &str) -> bool {
    SHELLS.contains(&shell) && words(text).is_some_and(|commands| commands.iter().all(|words| is_same(words)))
}

fn is_same(words: &[String]) -> bool {
    let is_different = |word: &String| DIFFERENT.contains(&word.as_str());
    // With two words it is another directory to some.
    let goes_twice = words.first().is_some_and(|word| word == "cd") && words.len() > 2;
    !goes_twice && !words.iter().any(is_different)
}

/// The words between the signs that part commands; nothing where there is more than plain text.
fn words(text: &str) -> Option<Vec<Vec<String>>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut chars = text.chars().peekable();
    let mut sign = None;
    while let Some(c) = chars.next() {
        let parts = matches!(c, ' ' | '|' | '&' | ';' | '\n');
        if parts && let Some(word) = word.take() {
            commands.last_mut()?.push(word);
        }
        let before = sign.take();
        match c {
            ' ' => {}
            // `&&` and `||` are the same everywhere; what else two signs side by side mean is not.
            '|' | '&' | ';' => {
                if before.is_some_and(|before| before != c || c == ';') {
                    return None;
                }
                sign = Some(c);
                commands.push(Vec::new());
            }
            '\n' => commands.push(Vec::new()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c if c.is_control() => return None,
                        c => word.push(c),
                    }
                }
                // Two of them side by side are one to a shell that is told so.
                if chars.peek() == Some(&'\'') {
                    return None;
                }
            }
            '%' | '+' | '@' if word.is_none() => return None,
            c if c.is_ascii_alphanumeric() || "_-./:,@%+".contains(c) => word.get_or_insert_default().push(c),
            _ => return None,
        }
    }
    commands.last_mut()?.extend(word);
    Some(commands)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::means_the_same;

    #[rstest]
    #[case("gh run list")]
    #[case("cd sub && git status -s | grep -c 'a b*c'; ls")]
    #[case("true || ls\nrm -rf build")]
    #[case("")]
    fn plain_text_is_the_same(#[case] text: &str) {
        assert!(means_the_same("zsh", text));
        assert!(!means_the_same("fish", text) && !means_the_same("nu", text));
    }

    #[rstest]
    #[case("ls *")]
    #[case("=ls")]
    #[case("A=b ls")]
    #[case("ls ~")]
    #[case("echo $X")]
    #[case("echo \"a\"")]
    #[case("ls > a")]
    #[case("ls # a")]
    #[case("cd a b && ls")]
    #[case("cd +1")]
    #[case("alias -g a")]
    #[case("ls |& cat")]
    #[case("ls &| cat")]
    #[case("ls ;; ls")]
    #[case("echo 'it''s'")]
    #[case("echo 'a")]
    #[case("(ls)")]
    #[case("! ls")]
    #[case("%1")]
    #[case("set -o shwordsplit")]
    #[case("a\u{a0}b")]
    fn what_may_differ_is_not(#[case] text: &str) {
        assert!(!means_the_same("zsh", text), "{text}");
    }
}
