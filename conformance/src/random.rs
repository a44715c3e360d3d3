//! Names that nobody can guess, and an order that can be repeated.

use crate::{Error, ErrorKind, hash};

/// Sixteen fresh random bytes in hexadecimal.
pub(crate) fn token() -> Result<String, Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| Error::new(ErrorKind::Host, error.to_string()))?;
    Ok(hash::digits(&bytes))
}

/// A fresh seed, small enough to be typed.
pub(crate) fn seed() -> Result<u64, Error> {
    let mut bytes = [0_u8; 4];
    getrandom::fill(&mut bytes).map_err(|error| Error::new(ErrorKind::Host, error.to_string()))?;
    Ok(u64::from(u32::from_le_bytes(bytes)))
}

/// Puts items into an order that depends on the seed alone.
pub(crate) fn shuffle<T>(items: Vec<T>, seed: u64, name: impl Fn(&T) -> String) -> Vec<T> {
    let mut keyed: Vec<(String, T)> = items
        .into_iter()
        .map(|item| (hash::hex(format!("{seed} {}", name(&item)).as_bytes()), item))
        .collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    keyed.into_iter().map(|(_, item)| item).collect()
}
