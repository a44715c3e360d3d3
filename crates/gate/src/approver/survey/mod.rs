//! What a deletion would take away, looked at for the person who is asked. It decides nothing: what is there may be
//! something else when the call runs, and what cannot be looked at is said to be so.

mod git;

use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::shown;
use portcullis_classify::is_private;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};

use git::Index;

/// Entries that are looked at; past them the numbers are lower bounds.
const MOST: u64 = 10_000;
/// Directories within directories.
const DEEPEST: usize = 64;
/// Private names that are shown.
const SHOWN: usize = 3;
const LONGEST_NAME: usize = 80;

/// Numbers about a file or a tree.
#[derive(Debug, Default, PartialEq, Eq)]
struct Survey {
    files: u64,
    folders: u64,
    links: u64,
    others: u64,
    bytes: u64,
    private: Vec<String>,
    tracked: u64,
    changed: u64,
    untracked: u64,
    entries: u64,
    /// Some of it was not looked at: too much, too deep, or not readable.
    is_partial: bool,
}

/// One line: what is there, whether Git has it, and what in it is private. `None` when there is nothing.
pub(super) fn removal(place: &[u8], whole_tree: bool) -> Option<String> {
    let path = Path::new(OsStr::from_bytes(place));
    let found = rustix::fs::statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW).ok()?;
    let index = Index::above(path);
    let mut survey = Survey::default();
    survey.take(path, &found, index.as_ref());
    if whole_tree && FileType::from_raw_mode(found.st_mode) == FileType::Directory {
        survey.folders -= 1;
        match open(CWD, path) {
            Some(directory) => survey.walk(directory, path, index.as_ref()),
            None => survey.is_partial = true,
        }
    }
    Some(survey.sentence(index.is_some()))
}

fn open(at: impl AsFd, name: &Path) -> Option<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    rustix::fs::openat(at, name, flags, Mode::empty()).ok()
}

impl Survey {
    fn walk(&mut self, top: OwnedFd, path: &Path, index: Option<&Index>) {
        let mut left = vec![(top, path.to_path_buf(), 0)];
        while let Some((directory, path, depth)) = left.pop() {
            let Ok(entries) = Dir::read_from(&directory) else {
                self.is_partial = true;
                continue;
            };
            for entry in entries {
                let Ok(entry) = entry else {
                    self.is_partial = true;
                    break;
                };
                let name = entry.file_name().to_bytes();
                if name == b"." || name == b".." {
                    continue;
                }
                if self.entries >= MOST {
                    self.is_partial = true;
                    return;
                }
                let name = Path::new(OsStr::from_bytes(name));
                let whole = path.join(name);
                let Ok(found) = rustix::fs::statat(&directory, name, AtFlags::SYMLINK_NOFOLLOW) else {
                    self.is_partial = true;
                    continue;
                };
                self.take(&whole, &found, index);
                if FileType::from_raw_mode(found.st_mode) == FileType::Directory {
                    match open(&directory, name).filter(|_| depth < DEEPEST) {
                        Some(below) => left.push((below, whole, depth + 1)),
                        None => self.is_partial = true,
                    }
                }
            }
        }
    }

    fn take(&mut self, path: &Path, found: &Stat, index: Option<&Index>) {
        self.entries += 1;
        if is_private(path.as_os_str().as_bytes()) {
            self.private.push(name_of(path));
        }
        let is_file = match FileType::from_raw_mode(found.st_mode) {
            FileType::Directory => {
                self.folders += 1;
                return;
            }
            FileType::RegularFile => true,
            FileType::Symlink => false,
            _ => {
                self.others += 1;
                return;
            }
        };
        if is_file {
            self.files += 1;
            self.bytes = self
                .bytes
                .saturating_add(u64::try_from(found.st_size).unwrap_or_default());
        } else {
            self.links += 1;
        }
        match index.map(|index| index.knows(path, found)) {
            Some(git::Known::AsItIs) => self.tracked += 1,
            Some(git::Known::Changed) => self.changed += 1,
            Some(git::Known::Not) => self.untracked += 1,
            None => {}
        }
    }

    fn sentence(&self, in_git: bool) -> String {
        let counted = [
            count(self.files, "file", "files"),
            count(self.folders, "folder", "folders"),
            count(self.links, "link", "links"),
            count(self.others, "special file", "special files"),
        ];
        let counted: Vec<String> = counted.into_iter().flatten().collect();
        let counted = match counted.as_slice() {
            [] => "an empty folder".to_owned(),
            counted => counted.join(", "),
        };
        let more = if self.is_partial { "at least " } else { "" };
        let mut text = format!("it would remove {more}{counted}");
        if self.files > 0 {
            text.push_str(&format!(" of {} bytes", self.bytes));
        }
        text.push_str(&self.in_git(in_git));
        if !self.private.is_empty() {
            let shown: Vec<&str> = self.private.iter().take(SHOWN).map(String::as_str).collect();
            let rest = match self.private.len().saturating_sub(SHOWN) {
                0 => String::new(),
                rest => format!(" and {rest} more"),
            };
            text.push_str(&format!("; private data in {}{rest}", shown.join(", ")));
        }
        text
    }

    fn in_git(&self, in_git: bool) -> String {
        let kept = self.files + self.links;
        if !in_git || kept == 0 {
            return "; Git does not have it".to_owned();
        }
        if self.tracked == kept {
            return "; Git tracks all of it".to_owned();
        }
        if self.tracked + self.changed == 0 {
            return "; Git does not track it".to_owned();
        }
        let parts = [
            (self.tracked, "tracked"),
            (self.changed, "tracked but changed since"),
            (self.untracked, "not tracked"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, what)| format!("{number} {what}"))
            .collect();
        format!("; in Git: {}", parts.join(", "))
    }
}

fn count(number: u64, one: &str, many: &str) -> Option<String> {
    match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {many}")),
    }
}

fn name_of(path: &Path) -> String {
    let name: PathBuf = path.file_name().map(PathBuf::from).unwrap_or_default();
    shown::text(&name.to_string_lossy(), LONGEST_NAME)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use super::*;

    fn tree() -> tempfile::TempDir {
        let tree = tempfile::tempdir().unwrap();
        for (name, content) in [("a/b/one", "12345"), ("a/two", "123"), ("a/.env", "TOKEN=x")] {
            let path = tree.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        std::os::unix::fs::symlink("/etc", tree.path().join("a/link")).unwrap();
        tree
    }

    fn said(path: &Path, whole: bool) -> String {
        removal(path.as_os_str().as_bytes(), whole).unwrap()
    }

    #[test]
    fn a_tree_is_counted_and_links_are_not_followed() {
        let tree = tree();
        assert_eq!(
            said(&tree.path().join("a"), true),
            "it would remove 3 files, 1 folder, 1 link of 15 bytes; Git does not have it; private data in .env"
        );
        assert_eq!(
            said(&tree.path().join("a/two"), false),
            "it would remove 1 file of 3 bytes; Git does not have it"
        );
        assert_eq!(
            said(&tree.path().join("a/link"), true),
            "it would remove 1 link; Git does not have it"
        );
        assert_eq!(removal(b"/nonexistent/x", true), None);
    }

    #[test]
    fn what_is_too_much_is_a_lower_bound() {
        let tree = tempfile::tempdir().unwrap();
        for number in 0..=MOST {
            std::fs::write(tree.path().join(number.to_string()), "x").unwrap();
        }
        assert!(said(tree.path(), true).starts_with("it would remove at least "));
    }

    #[test]
    fn names_are_shown_safely() {
        let tree = tempfile::tempdir().unwrap();
        std::fs::write(tree.path().join(".env.\u{1b}[2J\u{202e}x"), "").unwrap();
        let said = said(tree.path(), true);
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    }
}
