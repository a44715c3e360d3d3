//! Texts looked at as a whole, several bytes at a time: for any path of usual length that is quicker than to stop early.

/// So many bytes are looked at side by side.
const SIDE: usize = 16;

/// Some byte is odd: for that one, the answer is not zero.
#[inline]
pub(crate) fn any(text: &[u8], odd: impl Fn(u8) -> u8) -> bool {
    any_pair(text, text, |byte, _| odd(byte))
}

/// Some byte of the first and the one at the same place in the second, which is as long, are odd together.
#[inline]
pub(crate) fn any_pair(first: &[u8], second: &[u8], odd: impl Fn(u8, u8) -> u8) -> bool {
    let (Some(first_end), Some(second_end)) = (first.last_chunk::<SIDE>(), second.last_chunk::<SIDE>())
    else {
        let pairs = first.iter().zip(second);
        return pairs.fold(0, |any, (first, second)| any | odd(*first, *second)) != 0;
    };
    // The bytes at the end are looked at in any case.
    let mut found = side_by_side([0; SIDE], first_end, second_end, &odd);
    for (first, second) in first.as_chunks().0.iter().zip(second.as_chunks().0) {
        found = side_by_side(found, first, second, &odd);
    }
    found != [0; SIDE]
}

#[inline]
fn side_by_side(
    mut found: [u8; SIDE],
    first: &[u8; SIDE],
    second: &[u8; SIDE],
    odd: impl Fn(u8, u8) -> u8,
) -> [u8; SIDE] {
    for (found, (first, second)) in found.iter_mut().zip(first.iter().zip(second)) {
        *found |= odd(*first, *second);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_byte_is_found_wherever_it_stands() {
        for length in 0..50 {
            let mut text = vec![b'a'; length];
            assert!(!any(&text, |byte| u8::from(byte == b'/')), "{length}");
            for at in 0..length {
                text[at] = b'/';
                assert!(any(&text, |byte| u8::from(byte == b'/')), "{at} of {length}");
                text[at] = b'a';
            }
        }
    }

    #[test]
    fn a_pair_is_found_at_its_place_alone() {
        let both = |a, b| u8::from(a == b'x' && b == b'y');
        for length in 1..50 {
            for at in 0..length {
                let (mut first, mut second) = (vec![b'a'; length], vec![b'a'; length]);
                (first[at], second[at]) = (b'x', b'y');
                assert!(any_pair(&first, &second, both), "{at} of {length}");
                second.rotate_right(1);
                assert_eq!(any_pair(&first, &second, both), length == 1, "{at} of {length}");
            }
        }
    }
}
