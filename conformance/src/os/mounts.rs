//! Mounts of this program's own: nobody else sees them, and they end with it.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_bind, mount_change, unmount};
use rustix::thread::UnshareFlags;

use crate::{Error, ErrorKind};

/// Set for a program that started itself again.
const AGAIN: &str = "PORTCULLIS_CONFORMANCE_OWN_MOUNTS";

/// The mount name spaces that were made here.
static OWN: Mutex<Vec<(u64, u64)>> = Mutex::new(Vec::new());

/// Gives this thread, and all that it starts later, mounts of its own.
pub(crate) fn own() -> Result<(), Error> {
    #[expect(
        deprecated,
        reason = "the mount table alone is taken apart, never the descriptors"
    )]
    rustix::thread::unshare(UnshareFlags::NEWNS | UnshareFlags::FS).map_err(|error| host(&error.into()))?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .map_err(|error| host(&error.into()))?;
    let made = name_space().map_err(|error| host(&error))?;
    OWN.lock().unwrap_or_else(PoisonError::into_inner).push(made);
    Ok(())
}

/// Becomes this program anew, with the same words, in a user name space where it may mount. Comes back when it cannot.
pub(crate) fn start_again() {
    let unshared = || {
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "--mount", "--"]);
        command
    };
    if std::env::var_os(AGAIN).is_some()
        || !unshared()
            .arg("true")
            .output()
            .is_ok_and(|done| done.status.success())
    {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        // It only comes back with an error, and without mounts some families are not run, which the report says.
        let _error = unshared()
            .arg(program)
            .args(std::env::args_os().skip(1))
            .env(AGAIN, "1")
            .exec();
    }
}

/// Whether the mounts that this thread sees are its program's own.
pub(crate) fn are_own() -> bool {
    name_space().is_ok_and(|here| OWN.lock().unwrap_or_else(PoisonError::into_inner).contains(&here))
}

/// Whether a directory can be mounted, tried out in an empty place.
///
/// # Errors
/// It was mounted and cannot be taken away.
pub(crate) fn can_bind(place: &Path) -> Result<bool, Error> {
    let [from, to] = ["bound", "there"].map(|name| place.join(name));
    let made = fs::create_dir(&from).is_ok() && fs::create_dir(&to).is_ok();
    if !made || bind(&from, &to).is_err() {
        return Ok(false);
    }
    clear(&[place]).map(|()| true)
}

/// Mounts what stands at `from` at `to` as well.
pub(crate) fn bind(from: &Path, to: &Path) -> Result<(), Error> {
    if !are_own() {
        let what = "mounts would be seen by the whole machine";
        return Err(Error::new(ErrorKind::Host, what).within(to));
    }
    mount_bind(from, to).map_err(|error| host(&error.into()).within(to))
}

/// Takes away every mount at or below these places, wherever it was put since.
///
/// # Errors
/// One is left.
pub(crate) fn clear(places: &[&Path]) -> Result<(), Error> {
    // What was mounted later may stand on what was mounted before.
    for point in below(places)?.iter().rev() {
        unmount(point, UnmountFlags::DETACH | UnmountFlags::NOFOLLOW)
            .map_err(|error| host(&error.into()).within(point))?;
    }
    match below(places)?.first() {
        Some(point) => Err(Error::new(ErrorKind::Host, "it is mounted again").within(point)),
        None => Ok(()),
    }
}

/// The mount points at or below these places, in the order of mounting.
pub(crate) fn below(places: &[&Path]) -> Result<Vec<PathBuf>, Error> {
    let table = fs::read("/proc/thread-self/mountinfo").map_err(|error| host(&error))?;
    let points = table.split(|byte| *byte == b'\n').filter_map(point_in);
    Ok(points
        .filter(|point| places.iter().any(|place| point.starts_with(place)))
        .collect())
}

/// The mount point is the fifth field of a line.
fn point_in(line: &[u8]) -> Option<PathBuf> {
    let field = line.split(|byte| *byte == b' ').nth(4)?;
    let mut bytes = Vec::new();
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        // Blanks, line ends and backslashes are written as three octal digits.
        let escaped = (*first == b'\\').then(|| after.split_at_checked(3)).flatten();
        let code = escaped.and_then(|(digits, left)| {
            let digits = std::str::from_utf8(digits).ok()?;
            Some((u8::from_str_radix(digits, 8).ok()?, left))
        });
        let (byte, left) = code.unwrap_or((*first, after));
        bytes.push(byte);
        rest = left;
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

fn name_space() -> io::Result<(u64, u64)> {
    let seen = fs::metadata("/proc/thread-self/ns/mnt")?;
    Ok((seen.dev(), seen.ino()))
}

fn host(error: &io::Error) -> Error {
    Error::new(ErrorKind::Host, error.to_string())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{are_own, bind, point_in};

    #[test]
    fn the_fifth_field_is_read_back() {
        let line = br"36 35 98:0 /a /mnt/with\040blank\134x rw - ext4 /dev/root rw";
        assert_eq!(point_in(line).unwrap(), Path::new(r"/mnt/with blank\x"));
        assert_eq!(point_in(b""), None);
    }

    #[test]
    fn nothing_is_mounted_for_the_whole_machine() {
        let place = tempfile::tempdir().unwrap();
        let there = place.path().join("there");
        std::fs::create_dir(&there).unwrap();
        assert!(!are_own());
        assert!(bind(place.path(), &there).is_err());
    }
}
