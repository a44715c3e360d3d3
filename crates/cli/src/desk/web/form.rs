/// What the form of a question brings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) word: String,
    pub(crate) answer: String,
    pub(crate) reason: String,
    /// The directory that was named.
    pub(crate) below: String,
    /// Also after a restart.
    pub(crate) keep: String,
}

impl Form {
    /// Reads `application/x-www-form-urlencoded`; `None` for a field that is not the form's own, or stands there twice.
    pub(crate) fn read(body: &[u8]) -> Option<Self> {
        let (mut word, mut answer, mut reason) = (None, None, None);
        let (mut below, mut keep) = (None, None);
        for pair in std::str::from_utf8(body).ok()?.split('&') {
            let (name, value) = pair.split_once('=')?;
            let field = match name {
                "word" => &mut word,
                "answer" => &mut answer,
                "reason" => &mut reason,
                "below" => &mut below,
                "keep" => &mut keep,
                _ => return None,
            };
            if field.replace(decode(value)?).is_some() {
                return None;
            }
        }
        Some(Self {
            word: word?,
            answer: answer?,
            reason: reason.unwrap_or_default(),
            below: below.unwrap_or_default(),
            keep: keep.unwrap_or_default(),
        })
    }
}

/// Undoes the percent encoding.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => digit(rest.next()?)? << 4 | digit(rest.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    let value = char::from(byte).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn a_form_is_read() {
        let form = Form::read(b"word=w&answer=deny&reason=use+git%20rm%0A%C3%A9").unwrap();
        assert_eq!((form.word.as_str(), form.answer.as_str()), ("w", "deny"));
        assert_eq!(form.reason, "use git rm\n\u{e9}");
    }

    #[rstest]
    #[case::nothing("")]
    #[case::no_answer("word=w")]
    #[case::no_word("answer=deny")]
    #[case::two_answers("word=w&answer=deny&answer=allow_once")]
    #[case::another_field("word=w&answer=deny&x=1")]
    #[case::cut_off("word=w&answer=deny&reason=%4")]
    #[case::not_hexadecimal("word=w&answer=deny&reason=%+1")]
    #[case::not_utf8("word=w&answer=deny&reason=%ff")]
    fn what_is_not_the_form_is_not_read(#[case] body: &str) {
        assert_eq!(Form::read(body.as_bytes()), None);
    }
}
