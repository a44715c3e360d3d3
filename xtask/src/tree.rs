//! The home of files in these tasks: the workspace's own tree, read whole.
#![expect(
    clippy::disallowed_methods,
    reason = "tasks read the workspace's own files: this is their one home"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that are not part of the tree.
const OUTSIDE: &[&str] = &[".git", "target", "fuzz/target", "fuzz/artifacts"];

/// One file of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct File {
    /// Relative to the workspace, with `/`.
    pub(crate) path: String,
    /// Its text; `None` when it is not UTF-8.
    pub(crate) text: Option<String>,
}

/// Every file of the workspace, sorted by path.
pub(crate) fn read(root: &Path) -> Result<Vec<File>, String> {
    let mut files = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        let place = root.join(&folder);
        let entries = fs::read_dir(&place).map_err(|error| failed(&place, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failed(&place, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            if OUTSIDE.contains(&path.as_str()) {
                continue;
            }
            let kind = entry.file_type().map_err(|error| failed(&entry.path(), &error))?;
            if kind.is_dir() {
                folders.push(path);
            } else {
                let bytes = fs::read(entry.path()).map_err(|error| failed(&entry.path(), &error))?;
                files.push(File {
                    path,
                    text: String::from_utf8(bytes).ok(),
                });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// Every file in a folder and below it; none when there is no such folder.
pub(crate) fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        if !stands(&folder) {
            continue;
        }
        for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, &error))? {
            let path = entry.map_err(|error| failed(&folder, &error))?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Makes a folder that is empty.
pub(crate) fn empty(folder: &Path) -> Result<(), String> {
    if stands(folder) {
        fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

/// A whole text file.
pub(crate) fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| failed(path, &error))
}

/// Whether something stands at this path.
pub(crate) fn stands(path: &Path) -> bool {
    path.exists()
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))? {
        let entry = entry.map_err(|error| failed(folder, &error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// Copies the files of one folder into another, which is made when it is missing. Returns how many.
pub(crate) fn copy_files(from: &Path, to: &Path) -> Result<usize, String> {
    make_folder(to)?;
    let names = names(from)?;
    for name in &names {
        fs::copy(from.join(name), to.join(name)).map_err(|error| failed(&from.join(name), &error))?;
    }
    Ok(names.len())
}

/// Copies one file over whatever stands there.
pub(crate) fn copy_file(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(drop).map_err(|error| failed(from, &error))
}

/// Writes a text over whatever stands there.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| failed(path, &error))
}

/// Removes a file, when there is one.
pub(crate) fn remove_file(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path, &error)),
        _ => Ok(()),
    }
}

/// Makes a folder and its parents.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))
}

/// A folder for this run alone: whatever stood there is gone.
pub(crate) fn fresh_folder(folder: &Path) -> Result<PathBuf, String> {
    if stands(folder) {
        fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    make_folder(folder)?;
    Ok(folder.to_path_buf())
}

/// A new folder outside of the tree; refused where anything of that name stands.
pub(crate) fn folder_outside(name: &str) -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("portcullis-{name}-{}", std::process::id()));
    fs::create_dir(&folder).map_err(|error| failed(&folder, &error))?;
    Ok(folder)
}

/// Removes a folder and all below it.
pub(crate) fn remove_folder(folder: &Path) -> Result<(), String> {
    fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("`{}`: {error}", path.display())
}
