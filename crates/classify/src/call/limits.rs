/// Bounds of the reader; a bound reached is an error, never a cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the whole text.
    pub bytes: usize,
    /// Containers within containers; the call's own object counts as one. Above 127 the JSON parser's own bound
    /// is the one that is met.
    pub depth: usize,
    /// Members and elements in total.
    pub members: usize,
    /// Bytes of one string or member name, escapes decoded.
    pub string: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 16 << 20,
            depth: 64,
            members: 100_000,
            string: 8 << 20,
        }
    }
}
