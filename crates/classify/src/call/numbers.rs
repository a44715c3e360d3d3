//! Numbers that would not survive the way through a double. They are judged as spelled, before parsing: a parser
//! turns an integer of twenty digits into a double without a word.

/// 2^53: the largest magnitude up to which every integer has a double of its own.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// From here on RFC 8785 writes an exponent, so that the canonical form is no integer either.
const EXPONENT: f64 = 1e21;

/// A number that is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unfit {
    /// Where its text begins.
    pub(super) offset: usize,
    pub(super) text: &'static str,
}

/// Looks at every number of a JSON text. What is not JSON is left to the parser.
pub(super) fn check(text: &str) -> Result<(), Unfit> {
    let bytes = text.as_bytes();
    let mut offset = 0;
    let mut in_string = false;
    while let Some(byte) = bytes.get(offset) {
        match byte {
            b'\\' if in_string => offset += 1,
            b'"' => in_string = !in_string,
            b'-' | b'0'..=b'9' if !in_string => {
                let length = bytes
                    .iter()
                    .skip(offset)
                    .take_while(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'))
                    .count();
                let token = text.get(offset..offset + length).unwrap_or_default();
                judge(token).map_err(|text| Unfit { offset, text })?;
                offset += length;
                continue;
            }
            _ => {}
        }
        offset += 1;
    }
    Ok(())
}

fn judge(token: &str) -> Result<(), &'static str> {
    let Ok(number) = token.parse::<f64>() else {
        return Ok(());
    };
    let magnitude = number.abs();
    let (mantissa, is_integer) = match token.find(['.', 'e', 'E']) {
        None => (token, true),
        Some(_) => (token.split(['e', 'E']).next().unwrap_or(token), false),
    };
    if !magnitude.is_finite() {
        return Err("a number is too large for a double");
    }
    // 2^53 + 1 rounds to 2^53, so for integers the text decides, and a fraction that rounds there is refused.
    let is_past_exact = if is_integer {
        token
            .trim_start_matches('-')
            .parse::<u64>()
            .map_or(true, |integer| integer > EXACT as u64)
    } else {
        (EXACT..EXPONENT).contains(&magnitude)
    };
    if is_past_exact {
        return Err("an integer is beyond 2^53, where two integers become one double");
    }
    if magnitude == 0.0 && mantissa.bytes().any(|byte| matches!(byte, b'1'..=b'9')) {
        return Err("a number is too small for a double");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::check;

    #[rstest]
    #[case::zero("0")]
    #[case::minus_zero("-0")]
    #[case::exact("9007199254740992")]
    #[case::exact_negative("-9007199254740992")]
    #[case::thousand("1e3")]
    #[case::above_the_exponent_bound("1e21")]
    #[case::largest("1.7976931348623157e308")]
    #[case::smallest("5e-324")]
    #[case::zero_with_exponent("0e999999999")]
    #[case::in_a_string(r#""9007199254740993""#)]
    #[case::behind_an_escaped_quote(r#""\"9007199254740993""#)]
    #[case::not_json_is_left_to_the_parser("1-2")]
    fn fit(#[case] text: &str) {
        assert_eq!(check(text), Ok(()));
    }

    #[rstest]
    #[case::past_exact("9007199254740993")]
    #[case::past_exact_negative("-9007199254740993")]
    #[case::past_exact_as_a_fraction("9007199254740993.0")]
    #[case::past_exact_as_an_exponent("1e20")]
    #[case::past_u64("18446744073709551616")]
    #[case::past_the_exponent_bound_as_an_integer("1000000000000000000000")]
    #[case::overflow("1e309")]
    #[case::overflow_negative("-1e309")]
    #[case::underflow("1e-400")]
    #[case::after_a_string(r#"{"a\\": 9007199254740993}"#)]
    fn unfit(#[case] text: &str) {
        assert!(check(text).is_err());
    }
}
