//! What is mounted below a directory: whoever deletes that directory name by name deletes what is mounted there, too.

use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, read};

use crate::{Error, Place};

/// The field of a line that says where something is mounted.
const PLACE: usize = 4;
const CHUNK: usize = 16 * 1024;

/// Something is mounted below the place, as this thread sees it.
pub(crate) fn any_below(place: &Place) -> Result<bool, Error> {
    let lines = lines().map_err(Error::os)?;
    let below = |line: &[u8]| {
        let mounted = line.split(|byte| *byte == b' ').nth(PLACE).map(plain);
        let rest = mounted
            .as_deref()
            .and_then(|at| at.strip_prefix(place.as_bytes()));
        rest.is_some_and(|rest| rest.first() == Some(&b'/') || (place.as_bytes() == b"/" && !rest.is_empty()))
    };
    Ok(lines.split(|byte| *byte == b'\n').any(below))
}

fn lines() -> Result<Vec<u8>, Errno> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let table = open(c"/proc/thread-self/mountinfo", flags, Mode::empty())?;
    let mut lines = Vec::new();
    let mut chunk = vec![0; CHUNK];
    loop {
        match read(&table, chunk.as_mut_slice()) {
            Ok(0) => return Ok(lines),
            Ok(count) => lines.extend_from_slice(chunk.get(..count).unwrap_or_default()),
            Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
    }
}

/// The kernel writes blanks, line ends and backslashes as three octal digits.
fn plain(field: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, more)) = rest.split_first() {
        let octal = more.first_chunk::<3>().filter(|_| *first == b'\\');
        let number = octal.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = number.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(byte.unwrap_or(*first));
        rest = if byte.is_some() {
            more.get(3..).unwrap_or_default()
        } else {
            more
        };
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_escapes_is_put_back() {
        for (field, expected) in [
            (r"/a/b", "/a/b"),
            (r"/a\040b\134\011", "/a b\\\t"),
            (r"\", r"\"),
            (r"/a\9", r"/a\9"),
        ] {
            assert_eq!(plain(field.as_bytes()), expected.as_bytes(), "{field}");
        }
    }

    #[test]
    fn something_is_mounted_below_the_top_and_nothing_below_a_file() {
        let below = |place: &str| any_below(&Place::from_bytes(place.into())).unwrap();
        assert!(below("/"));
        assert!(!below("/proc/version") && !below("/pro"));
    }
}
