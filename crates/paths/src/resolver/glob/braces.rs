//! Alternatives in braces, as a shell and most glob libraries read them.

/// More alternatives than this are not looked at.
const MOST: usize = 64;
/// Longer patterns are not read.
const LONGEST: usize = 4096;

/// Every text that the pattern stands for; `None` where braces do not match or stand for too many. A range
/// (`{1..3}`) becomes a wildcard, a single word in braces (`{a}`) stands for itself with and without them.
pub(super) fn expand(pattern: &[u8]) -> Option<Vec<Vec<u8>>> {
    if pattern.len() > LONGEST {
        return None;
    }
    let mut done = Vec::new();
    let mut left = vec![pattern.to_vec()];
    while let Some(text) = left.pop() {
        if done.len() + left.len() >= MOST {
            return None;
        }
        let Some(open) = text.iter().position(|byte| matches!(byte, b'{' | b'}')) else {
            done.push(text);
            continue;
        };
        let (before, rest) = text.split_at_checked(open)?;
        let (words, behind) = group(rest)?;
        let join = |word: &[u8]| [before, word, behind].concat();
        match words.as_slice() {
            [range] if range.windows(2).any(|pair| pair == b"..") => left.push(join(b"*")),
            // Without an alternative the braces may be part of the name: `?` stands for each.
            [word] => left.extend([join(word), join(&[b"?", *word, b"?"].concat())]),
            words => left.extend(words.iter().map(|word| join(word))),
        }
    }
    Some(done)
}

/// The words between the brace that the text begins with and the one that closes it, and what is behind.
fn group(text: &[u8]) -> Option<(Vec<&[u8]>, &[u8])> {
    let (mut depth, mut start, mut words) = (0_u32, 1, Vec::new());
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                words.push(text.get(start..at)?);
                start = at + 1;
            }
            b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    words.push(text.get(start..at)?);
                    return Some((words, text.get(at + 1..)?));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(pattern: &str) -> Option<Vec<String>> {
        let mut texts: Vec<String> = expand(pattern.as_bytes())?
            .into_iter()
            .map(|text| String::from_utf8(text).unwrap())
            .collect();
        texts.sort();
        Some(texts)
    }

    #[test]
    fn alternatives_are_told_apart() {
        for (pattern, expected) in [
            ("a", Some(vec!["a"])),
            ("{a,b}/c", Some(vec!["a/c", "b/c"])),
            ("x{a,{b,c}d}", Some(vec!["xa", "xbd", "xcd"])),
            ("{a,}b", Some(vec!["ab", "b"])),
            ("f{1..3}", Some(vec!["f*"])),
            ("{..,a}/k", Some(vec!["../k", "a/k"])),
            ("{a}", Some(vec!["?a?", "a"])),
            ("{a,b", None),
            ("a}", None),
            ("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", None),
        ] {
            let expected = expected.map(|texts| texts.into_iter().map(str::to_owned).collect());
            assert_eq!(expanded(pattern), expected, "{pattern}");
        }
    }
}
