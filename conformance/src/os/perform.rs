//! Performs a call by name, as an agent without a gate of its own would.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::OFlags;
use serde_json::Value;

use super::process;
use crate::base64;

/// A path in arguments, in either of its two forms.
pub(crate) fn path_bytes(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::String(text) => Some(text.as_bytes().to_vec()),
        Value::Object(object) if object.len() == 1 => base64::decode(object.get("b64")?.as_str()?),
        _ => None,
    }
}

/// A path in arguments, made absolute.
pub(crate) fn place(args: &Value, name: &str, cwd: &Path) -> Result<PathBuf, String> {
    let bytes = args
        .get(name)
        .and_then(path_bytes)
        .ok_or_else(|| format!("`{name}` is no path"))?;
    Ok(cwd.join(OsStr::from_bytes(&bytes)))
}

fn text<'a>(args: &'a Value, name: &str) -> Result<&'a str, String> {
    args.get(name)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("`{name}` is no text"))
}

/// Performs the call, or says why not. Nothing here looks before it acts.
pub(crate) fn perform(tool: &str, args: &Value, cwd: &Path) -> Result<String, String> {
    let at = |name: &str| place(args, name, cwd);
    let done = |result: io::Result<()>| {
        result
            .map(|()| "done".to_owned())
            .map_err(|error| error.to_string())
    };
    match tool {
        "read" | "load" => read(&at("path")?)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .map_err(|error| error.to_string()),
        "write" => {
            let path = at("path")?;
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(|error| error.to_string())?;
            }
            done(write(&path, text(args, "content")?))
        }
        "edit" => {
            let path = at("path")?;
            let old = read(&path).map_err(|error| error.to_string())?;
            let old = String::from_utf8(old).map_err(|error| error.to_string())?;
            let (from, to) = (text(args, "old")?, text(args, "new")?);
            if from.is_empty() || old.matches(from).count() != 1 {
                return Err("the text does not stand there exactly once".to_owned());
            }
            done(write(&path, &old.replacen(from, to, 1)))
        }
        "delete" => {
            let path = at("path")?;
            if args.get("recursive") == Some(&Value::Bool(true)) && path.is_dir() && !path.is_symlink() {
                done(fs::remove_dir_all(path))
            } else {
                done(fs::remove_file(path))
            }
        }
        "move" => done(fs::rename(at("from")?, at("to")?)),
        "make_dir" => done(fs::create_dir_all(at("path")?)),
        "list" => {
            let mut names = Vec::new();
            for entry in fs::read_dir(at("path")?).map_err(|error| error.to_string())? {
                let entry = entry.map_err(|error| error.to_string())?;
                names.push(entry.file_name().to_string_lossy().into_owned());
            }
            names.sort();
            Ok(names.join("\n"))
        }
        "run" => {
            let words = ["/bin/sh", "-c", text(args, "command")?].map(Into::into);
            process::output(&words, cwd, Duration::from_secs(5))
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .map_err(|error| error.to_string())
        }
        other => Err(format!("`{other}` is no tool")),
    }
}

/// A FIFO at which nobody else is must not hold the runner: what it brings is nothing, or an error.
fn at_once() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    options
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    at_once().read(true).open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = at_once().write(true).create(true).truncate(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// Whether every place of the call is in the sandbox, as far as names tell: the runner performs nothing elsewhere.
pub(crate) fn is_confined(args: &Value, cwd: &Path, root: &Path) -> bool {
    ["path", "from", "to"].iter().all(|name| {
        let Ok(place) = place(args, name, cwd) else {
            return true;
        };
        let mut ancestors = place.ancestors();
        let real = ancestors.find_map(|ancestor| fs::canonicalize(ancestor).ok());
        real.is_some_and(|real| real.starts_with(root))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::perform;
    use crate::os::disk;

    #[test]
    fn a_fifo_does_not_hold_the_runner() {
        let place = disk::sandbox().unwrap();
        disk::make_fifo(&place.path().join("f")).unwrap();
        let args = json!({"path": "f", "content": "x", "old": "x", "new": "y"});
        assert_eq!(perform("read", &args, place.path()), Ok(String::new()));
        assert!(perform("write", &args, place.path()).is_err());
        assert!(perform("edit", &args, place.path()).is_err());
    }
}
