/// HMAC-SHA-256 under the log's own key: equal inputs are equal, short secrets cannot be guessed from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyedDigest(pub(crate) [u8; 32]);

/// SHA-256 of a record's line, the link of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordHash(pub(crate) [u8; 32]);
