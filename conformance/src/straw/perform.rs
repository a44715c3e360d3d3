//! Performs an allowed call on what was judged, through what is held.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, fstat, ftruncate, mkdirat, openat, renameat_with,
    unlinkat,
};
use rustix::io::Errno;
use serde_json::Value;

use super::Lie;
use super::place::{Held, Place};
use crate::os::process;

/// Why nothing, or not all, was done.
pub(super) enum Stop {
    /// It is no longer what was judged.
    Changed,
    /// The tool's own failure.
    Failed(String),
}

impl From<Errno> for Stop {
    fn from(error: Errno) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

pub(super) fn perform(
    tool: &str,
    args: &Value,
    places: &[Place],
    cwd: &Path,
    lie: Lie,
) -> Result<String, Stop> {
    if !places.iter().all(Place::is_unchanged) {
        return Err(Stop::Changed);
    }
    let text = |name: &str| args.get(name).and_then(Value::as_str).unwrap_or_default();
    let first = || places.first().ok_or(Stop::Changed);
    match tool {
        "read" | "load" => read(first()?),
        "write" => write(first()?, text("content")),
        "edit" => {
            let place = first()?;
            let old = read(place)?;
            let from = text("old");
            let count = if from.is_empty() {
                0
            } else {
                old.matches(from).count()
            };
            if count != 1 && !(count > 1 && lie.is("edit-first")) {
                return Err(Stop::Failed(
                    "the text does not stand there exactly once".to_owned(),
                ));
            }
            write(place, &old.replacen(from, text("new"), 1))
        }
        "delete" => delete(first()?, args.get("recursive") == Some(&Value::Bool(true)), lie),
        "move" => {
            let [from, to] = places else {
                return Err(Stop::Changed);
            };
            let (parent, name) = end(from)?;
            let (new_parent, new_name) = end(to)?;
            if to.names.len() > 1 || to.leaf.is_some() {
                return Err(Stop::Failed("the new name cannot be taken".to_owned()));
            }
            renameat_with(
                &*parent.fd,
                name,
                &*new_parent.fd,
                new_name,
                RenameFlags::NOREPLACE,
            )?;
            done()
        }
        "make_dir" => {
            let place = first()?;
            if place.leaf.is_none() {
                directories(place, &place.names)?;
            }
            done()
        }
        "list" => list(first()?),
        "run" => {
            let words = ["/bin/sh", "-c", text("command")].map(OsString::from);
            process::output(&words, cwd, Duration::from_secs(5))
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .map_err(|error| Stop::Failed(error.to_string()))
        }
        _ => Err(Stop::Failed("no such tool".to_owned())),
    }
}

fn done() -> Result<String, Stop> {
    Ok("done".to_owned())
}

fn end(place: &Place) -> Result<(&Held, &OsString), Stop> {
    match (place.chain.last(), place.names.first()) {
        (Some(parent), Some(name)) => Ok((parent, name)),
        _ => Err(Stop::Changed),
    }
}

/// Opens the judged object, and no other that has its name now.
fn open_same(place: &Place, flags: OFlags) -> Result<OwnedFd, Stop> {
    let (parent, name) = end(place)?;
    let leaf = place
        .leaf
        .as_ref()
        .ok_or_else(|| Stop::Failed("no such file".to_owned()))?;
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = openat(&*parent.fd, name, flags, Mode::empty())?;
    let seen = fstat(&fd)?;
    if (seen.st_dev, seen.st_ino) == leaf.identity {
        Ok(fd)
    } else {
        Err(Stop::Changed)
    }
}

fn read(place: &Place) -> Result<String, Stop> {
    let mut bytes = Vec::new();
    File::from(open_same(place, OFlags::RDONLY)?).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write(place: &Place, content: &str) -> Result<String, Stop> {
    let fd = if place.leaf.is_some() {
        let fd = open_same(place, OFlags::WRONLY)?;
        let judged_alone = place.leaf.as_ref().is_some_and(|leaf| !leaf.shared);
        if judged_alone && fstat(&fd)?.st_nlink > 1 {
            return Err(Stop::Changed);
        }
        ftruncate(&fd, 0)?;
        fd
    } else {
        let (name, parents) = place.names.split_last().ok_or(Stop::Changed)?;
        let made = directories(place, parents)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o644);
        match &made {
            Some(parent) => openat(parent, name, flags, mode)?,
            None => openat(&*end(place)?.0.fd, name, flags, mode)?,
        }
    };
    File::from(fd).write_all(content.as_bytes())?;
    done()
}

/// Makes missing directories below the held parent; the last of them, opened.
fn directories(place: &Place, names: &[OsString]) -> Result<Option<OwnedFd>, Stop> {
    let (parent, _) = end(place)?;
    let mut last: Option<OwnedFd> = None;
    for name in names {
        let here = last.as_ref().map_or_else(|| parent.fd.as_fd(), AsFd::as_fd);
        mkdirat(here, name, Mode::from_raw_mode(0o755))?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        last = Some(openat(here, name, flags, Mode::empty())?);
    }
    Ok(last)
}

fn delete(place: &Place, recursive: bool, lie: Lie) -> Result<String, Stop> {
    let (parent, name) = end(place)?;
    let leaf = place
        .leaf
        .as_ref()
        .ok_or_else(|| Stop::Failed("no such file".to_owned()))?;
    if place.identity_now() != Some(leaf.identity) {
        return Err(Stop::Changed);
    }
    match (leaf.kind, recursive) {
        (FileType::Directory, true) => remove_tree(parent.fd.as_fd(), name, lie)?,
        (FileType::Directory, false) => return Err(Stop::Failed("it is a directory".to_owned())),
        _ => unlinkat(&*parent.fd, name, AtFlags::empty())?,
    }
    done()
}

fn remove_tree(parent: impl AsFd, name: &OsStr, lie: Lie) -> Result<(), Stop> {
    let follow = if lie.is("follow-delete") {
        OFlags::empty()
    } else {
        OFlags::NOFOLLOW
    };
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | follow;
    let fd = openat(&parent, name, flags, Mode::empty())?;
    for entry in entries(&fd)? {
        match remove_tree(&fd, &entry, lie) {
            Ok(()) => {}
            // A file, or a link that was not followed.
            Err(Stop::Failed(_)) => unlinkat(&fd, &entry, AtFlags::empty())?,
            Err(stop) => return Err(stop),
        }
    }
    match unlinkat(&parent, name, AtFlags::REMOVEDIR) {
        Err(Errno::NOTDIR) => Ok(unlinkat(&parent, name, AtFlags::empty())?),
        result => Ok(result?),
    }
}

fn entries(fd: impl AsFd) -> Result<Vec<OsString>, Stop> {
    let mut names = Vec::new();
    for entry in Dir::read_from(fd)? {
        let name = OsStr::from_bytes(entry?.file_name().to_bytes()).to_owned();
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn list(place: &Place) -> Result<String, Stop> {
    let names = entries(open_same(place, OFlags::RDONLY | OFlags::DIRECTORY)?)?;
    let names: Vec<_> = names.iter().map(|name| name.to_string_lossy()).collect();
    Ok(names.join("\n"))
}
