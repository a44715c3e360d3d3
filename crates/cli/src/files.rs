//! The home of names on the disk: input files, new policy files, and directories of our own.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use crate::failure::Failure;

/// Largest input that is read at once.
const LARGEST_INPUT: u64 = 64 << 20;

/// Whether something of this name is there.
pub(crate) fn is_there(name: &Path) -> bool {
    rustix::fs::lstat(name).is_ok()
}

/// Reads `FILE`, or standard input for `-`, with calls in it.
pub(crate) fn read_input(file: &Path) -> Result<Vec<u8>, Failure> {
    const CALLS: &str = "name a file with one call, or one call a line, or `-` for standard input";
    read_input_of(file, CALLS)
}

/// The same for other input; the hint says what to name.
pub(crate) fn read_input_of(file: &Path, hint: &str) -> Result<Vec<u8>, Failure> {
    let (name, read) = if file == Path::new("-") {
        ("standard input".to_owned(), read_all(io::stdin().lock()))
    } else {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOCTTY;
        let opened = rustix::fs::open(file, flags, Mode::empty()).map_err(io::Error::from);
        (shown(file), opened.and_then(|fd| read_all(File::from(fd))))
    };
    let bytes =
        read.map_err(|error| Failure::input(format!("{name} cannot be read: {}", reason(&error)), hint))?;
    if bytes.len() as u64 > LARGEST_INPUT {
        return Err(Failure::input(
            format!("{name} is larger than {} MiB", LARGEST_INPUT >> 20),
            "split the session into several files",
        ));
    }
    Ok(bytes)
}

fn read_all(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(LARGEST_INPUT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Adds a line to a file, which is made (mode 0600) when it is missing.
pub(crate) fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let fd = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?;
    File::from(fd).write_all(format!("{line}\n").as_bytes())
}

/// Writes a file that must not exist yet (mode 0600), and its missing parents (mode 0700).
pub(crate) fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(parent) = path.parent() {
        make_private_directory(parent)?;
    }
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let fd = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR).map_err(io::Error::from);
    fd.and_then(|fd| {
        let mut file = File::from(fd);
        file.write_all(text.as_bytes())?;
        file.sync_all()
    })
    .map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::fault(
            format!("{} exists already, and is not overwritten", shown(path)),
            "edit it, or move it away first",
        ),
        _ => Failure::fault(
            format!("{} cannot be written: {}", shown(path), reason(&error)),
            "check that you may write there",
        ),
    })
}

/// What a directory holds, in no order.
pub(crate) fn names(directory: &Path) -> io::Result<Vec<PathBuf>> {
    #[expect(clippy::disallowed_methods, reason = "the home of names on the disk")]
    let entries = std::fs::read_dir(directory)?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry?.path());
    }
    Ok(paths)
}

/// Makes a directory of our own, with its missing parents, that nobody else may read.
pub(crate) fn make_private_directory(path: &Path) -> Result<(), Failure> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| {
            Failure::fault(
                format!("the directory {} cannot be made: {}", shown(path), reason(&error)),
                "check that you may write there",
            )
        })
}

/// Whether a name leads to a directory now.
pub(crate) fn is_directory(path: &Path) -> bool {
    rustix::fs::stat(path).is_ok_and(|found| rustix::fs::FileType::from_raw_mode(found.st_mode).is_dir())
}

/// A path for a sentence.
pub(crate) fn shown(path: &Path) -> String {
    format!("`{}`", portcullis::visible(&path.to_string_lossy(), 1000))
}

/// Where a directory really is.
pub(crate) fn canonical_directory(path: &Path) -> Result<PathBuf, Failure> {
    #[expect(clippy::disallowed_methods, reason = "the home of names on the disk")]
    let found = std::fs::canonicalize(path);
    let hint = "name a directory that exists";
    match found {
        Ok(found) if is_directory(&found) => Ok(found),
        Ok(_) => Err(Failure::usage(
            format!("{} is not a directory", shown(path)),
            hint,
        )),
        Err(error) => Err(Failure::usage(
            format!("{} cannot be found: {}", shown(path), reason(&error)),
            hint,
        )),
    }
}

/// Where a path really leads, as far as it is there; the names behind that stay as they are.
pub(crate) fn leads_to(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|above| {
        #[expect(clippy::disallowed_methods, reason = "the home of names on the disk")]
        let real = std::fs::canonicalize(above).ok()?;
        Some(real.join(path.strip_prefix(above).unwrap_or(Path::new(""))))
    });
    // Joining nothing leaves a separator behind.
    found.map_or_else(|| path.to_path_buf(), |found| found.components().collect())
}

/// Opens what is there, such as a terminal, for both.
pub(crate) fn read_write(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::CLOEXEC | OFlags::NOCTTY;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// What the system says, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string().to_lowercase();
    match text.split_once(" (os error") {
        Some((sentence, _)) => sentence.to_owned(),
        None => text,
    }
}

/// A path from a configuration file, where `~/` is the user's home.
pub(crate) fn expand(path: &Path, home: &Path) -> PathBuf {
    match path.strip_prefix("~") {
        Ok(below) => home.join(below),
        Err(_) => path.to_path_buf(),
    }
}
