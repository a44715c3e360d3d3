//! Programs of Python that only print what stands in them.

/// Whether a text does nothing but print numbers and texts that are written there. Whatever has a name besides `print` may
/// do anything, so that nothing else is read.
pub(super) fn is_plain(text: &str) -> bool {
    // Three in a row begin a text that goes on over lines.
    if text.contains("'''") || text.contains("\"\"\"") {
        return false;
    }
    text.split('\n').all(|line| {
        // Indentation means something to Python, so nothing stands behind any.
        !line.starts_with([' ', '\t'])
            && statements(line).is_some_and(|all| all.iter().all(|one| is_harmless(one)))
    })
}

/// The statements of a line without its comment; nothing where a text in it does not end, or has a character that may mean
/// something else.
fn statements(line: &str) -> Option<Vec<String>> {
    let mut all = vec![String::new()];
    let mut quote = None;
    for (at, c) in line.char_indices() {
        if c.is_control() && c != '\t' || matches!(c, '\\' | '\u{2028}' | '\u{2029}') {
            return None;
        }
        match (quote, c) {
            (None, '#') => {
                // It could say in which encoding the rest is read.
                return (!line.get(at..)?.contains("coding")).then_some(all);
            }
            (None, ';') => {
                all.push(String::new());
                continue;
            }
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            _ => {}
        }
        // What is quoted is told apart from what is not.
        let is_quoted = quote.is_some() && !matches!(c, '\'' | '"');
        all.last_mut()?.push(if is_quoted { '.' } else { c });
    }
    quote.is_none().then_some(all)
}

fn is_harmless(statement: &str) -> bool {
    let statement = statement.trim();
    if matches!(statement, "" | "pass") {
        return true;
    }
    let Some(rest) = statement.strip_prefix("print") else {
        return false;
    };
    let Some(arguments) = rest
        .trim_start()
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'))
    else {
        return false;
    };
    let without_names = arguments.replace("end=", "").replace("sep=", "");
    // A letter before a quote makes another text of it, one in which code can stand.
    let is_plain = |c: char| c.is_ascii_digit() || matches!(c, '\'' | '"' | '.' | ',' | ' ' | '+' | '-');
    without_names.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::is_plain;

    #[rstest]
    #[case("print(1)")]
    #[case("\n# note\nprint(1)\n")]
    #[case("print('a; b # c', 1 + 2)")]
    #[case("print(\"it's\", end='')  # done")]
    #[case("pass; print()")]
    #[case("")]
    fn it_only_prints(#[case] text: &str) {
        assert!(is_plain(text), "{text}");
    }

    #[rstest]
    #[case("print(x)")]
    #[case("print(open('a'))")]
    #[case("print(f'{open(1)}')")]
    #[case("print('' f'{open(1)}')")]
    #[case("import os")]
    #[case("print(1); import os")]
    #[case("print('a')\nos.remove('b')")]
    #[case("print(1) or exit()")]
    #[case("print('a\\'); import os #')")]
    #[case("print('''\nimport os''')")]
    #[case("print('a\nimport os")]
    #[case("# coding: utf-7\nprint(1)")]
    #[case("print(10 ** 10)")]
    #[case("print(1).x")]
    #[case("print[1]")]
    #[case("printer(1)")]
    #[case("print=1")]
    #[case("print('a'); \u{c}import os")]
    #[case("if 1:\n print(1)")]
    #[case("print(1)if(1)else(2)")]
    #[case("print(__import__)")]
    #[case("print(1,file=2)")]
    fn it_may_do_more(#[case] text: &str) {
        assert!(!is_plain(text), "{text}");
    }
}
