//! Arithmetic, as far as it is made of numbers.

use super::super::Reason;
use super::{Read, Reader};

/// Operators, blanks and decimal digits. No letter, `$` or quote: the value of a variable would be evaluated again.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_digit()
        || matches!(
            byte,
            b' ' | b'\t'
                | b'+'
                | b'-'
                | b'*'
                | b'/'
                | b'%'
                | b'<'
                | b'>'
                | b'='
                | b'!'
                | b'&'
                | b'|'
                | b'^'
                | b'~'
                | b'?'
                | b':'
                | b','
        )
}

impl Reader<'_> {
    /// The rest of `((…))` or `$((…))`, the closing parentheses included.
    pub(super) fn arithmetic(&mut self) -> Read<()> {
        self.expression(false)
    }

    /// The head of a counting loop: three expressions.
    pub(super) fn counting_head(&mut self) -> Read<()> {
        self.expression(true)
    }

    fn expression(&mut self, parts: bool) -> Read<()> {
        let mut open = 0_usize;
        let mut semicolons = 0;
        loop {
            match self.peek() {
                Some(b'(') => open += 1,
                Some(b')') if open > 0 => open -= 1,
                Some(b')') => {
                    // One parenthesis alone closes a subshell: then this was never arithmetic.
                    if self.peek_at(1) != Some(b')') || parts != (semicolons == 2) {
                        return self.stop(Reason::Arithmetic);
                    }
                    return self.advance(2);
                }
                Some(b';') if parts && open == 0 => semicolons += 1,
                Some(b'0') if matches!(self.peek_at(1), Some(b'x' | b'X')) => {
                    let digits = self.run(2, |byte| byte.is_ascii_hexdigit());
                    self.advance(1 + digits)?;
                }
                Some(byte) if is_plain(byte) => {}
                _ => return self.stop(Reason::Arithmetic),
            }
            self.advance(1)?;
        }
    }
}
