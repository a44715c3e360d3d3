//! Windows path syntax as a front end (R13): a pure reading of text, the same on every system.
//!
//! Nothing here asks a disk, so nothing here says where a path leads: short names, junctions and links are for
//! identity to tell. It was run on Linux only, where no product code calls it.

mod fault;
mod name;

use std::fmt;

pub use fault::WindowsFault;

use crate::file_url;
use fault::WindowsFault::{
    DriveRelative, Empty, ForeignRoot, NotAFileUrl, NtNamespace, TooLong, Unc, Verbatim,
};

/// The most UTF-16 units in a path.
const LONGEST: usize = 32_767;

/// An absolute path as Win32 would read the text: separators made one, `.` and `..` collapsed in the text.
///
/// ```
/// use portcullis_paths::{WindowsFault, WindowsPath};
///
/// let cwd = WindowsPath::absolute(r"C:\work\app")?;
/// assert_eq!(cwd.join(r"src/../..\secret/key")?.to_string(), r"C:\work\secret\key");
/// assert_eq!(cwd.join("C:secret"), Err(WindowsFault::DriveRelative));
/// assert_eq!(cwd.join("nul .txt"), Err(WindowsFault::DeviceName));
/// # Ok::<(), WindowsFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowsPath {
    volume: Volume,
    names: Vec<String>,
    must_be_dir: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Volume {
    /// An upper-case letter.
    Drive(char),
    Share {
        server: String,
        share: String,
    },
}

impl WindowsPath {
    /// Reads a text that is absolute by itself, from a drive letter on.
    ///
    /// # Errors
    /// Whatever the text is, if not that.
    pub fn absolute(text: &str) -> Result<Self, WindowsFault> {
        let (drive, rest) = drive(text).ok_or(DriveRelative)?;
        Self::on(Volume::Drive(drive), Vec::new(), rest)
    }

    /// Reads a text as a tool in this directory would. No network share is known.
    ///
    /// # Errors
    /// Whatever is not one plain path of a local drive, under its name ([`WindowsFault`]).
    pub fn join(&self, text: &str) -> Result<Self, WindowsFault> {
        self.join_with_shares(text, &[])
    }

    /// As [`WindowsPath::join`], where these network shares are configured, each as server and share name.
    ///
    /// # Errors
    /// As [`WindowsPath::join`]; `Unc` for every other share.
    pub fn join_with_shares(&self, text: &str, shares: &[(&str, &str)]) -> Result<Self, WindowsFault> {
        if text.is_empty() {
            return Err(Empty);
        }
        if text
            .get(..5)
            .is_some_and(|scheme| scheme.eq_ignore_ascii_case("file:"))
        {
            return Self::from_file_url(text);
        }
        let slashes = text.replace('\\', "/");
        let rest = slashes.as_str();
        if rest.starts_with("//?") || rest.starts_with("//.") {
            return Err(Verbatim);
        }
        if rest.starts_with("/??") {
            return Err(NtNamespace);
        }
        if let Some(rest) = rest.strip_prefix("//") {
            return Self::on_share(rest, shares);
        }
        if let Some((drive, rest)) = drive(rest) {
            return Self::on(Volume::Drive(drive), Vec::new(), rest);
        }
        if rest.chars().nth(1) == Some(':') && rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(DriveRelative);
        }
        if text.starts_with('/') && names_a_foreign_root(rest) {
            return Err(ForeignRoot);
        }
        let names = if rest.starts_with('/') {
            Vec::new()
        } else {
            self.names.clone()
        };
        Self::on(self.volume.clone(), names, rest)
    }

    /// The names below the volume, outermost first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The text ended in a way that only a directory can satisfy.
    #[must_use]
    pub fn must_be_dir(&self) -> bool {
        self.must_be_dir
    }

    fn from_file_url(text: &str) -> Result<Self, WindowsFault> {
        let path = file_url::decode(text.as_bytes()).ok_or(NotAFileUrl)?;
        let path = std::str::from_utf8(&path).map_err(|_| NotAFileUrl)?;
        if path.starts_with("//") {
            return Err(Unc);
        }
        // A separator that was percent-encoded is data to one reader and a separator to another.
        let plain = path.strip_prefix('/').filter(|path| !path.contains('\\'));
        let (drive, rest) = plain.and_then(drive).ok_or(NotAFileUrl)?;
        Self::on(Volume::Drive(drive), Vec::new(), rest)
    }

    fn on_share(rest: &str, shares: &[(&str, &str)]) -> Result<Self, WindowsFault> {
        let mut parts = rest.splitn(3, '/');
        let (server, share) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let known = shares
            .iter()
            .any(|known| known.0.eq_ignore_ascii_case(server) && known.1.eq_ignore_ascii_case(share));
        if !known || server.is_empty() || share.is_empty() {
            return Err(Unc);
        }
        let volume = Volume::Share {
            server: server.to_owned(),
            share: share.to_owned(),
        };
        Self::on(volume, Vec::new(), parts.next().unwrap_or_default())
    }

    fn on(volume: Volume, mut names: Vec<String>, rest: &str) -> Result<Self, WindowsFault> {
        let mut must_be_dir = false;
        for name in rest.split(['/', '\\']) {
            must_be_dir = matches!(name, "" | "." | "..");
            match name {
                "" | "." => {}
                ".." => drop(names.pop()),
                name => {
                    name::check(name)?;
                    names.push(name.to_owned());
                }
            }
        }
        let path = Self {
            volume,
            names,
            must_be_dir,
        };
        if path.to_string().encode_utf16().count() >= LONGEST {
            return Err(TooLong);
        }
        Ok(path)
    }
}

/// The canonical text, with one kind of separator and none at the end of a name.
impl fmt::Display for WindowsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.volume {
            Volume::Drive(letter) => write!(f, "{letter}:\\")?,
            Volume::Share { server, share } => write!(f, "\\\\{server}\\{share}\\")?,
        }
        f.write_str(&self.names.join("\\"))
    }
}

/// The letter and what is behind its separator.
fn drive(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let rest = chars.as_str().strip_prefix(':')?.strip_prefix(['/', '\\'])?;
    Some((letter.to_ascii_uppercase(), rest))
}

/// `/c/`, `/mnt/c/`, `/cygdrive/c/`: some tools make a drive of it, others a directory of that name.
fn names_a_foreign_root(slashes: &str) -> bool {
    let mut names = slashes.split('/').filter(|name| !name.is_empty() && *name != ".");
    let is_letter = |name: &str| name.len() == 1 && name.starts_with(|c: char| c.is_ascii_alphabetic());
    names.next().is_some_and(|first| {
        let mounts = ["mnt", "cygdrive"]
            .iter()
            .any(|mounts| first.eq_ignore_ascii_case(mounts));
        is_letter(first) || (mounts && names.next().is_none_or(is_letter))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cwd() -> WindowsPath {
        WindowsPath::absolute(r"c:/work\app").unwrap()
    }

    #[test]
    fn a_configured_share_is_a_volume_of_its_own() {
        let shares = [("server", "share")];
        let read = |text: &str| cwd().join_with_shares(text, &shares).map(|path| path.to_string());
        assert_eq!(
            read(r"\\SERVER\Share\a\..\..\b"),
            Ok(r"\\SERVER\Share\b".to_owned())
        );
        assert_eq!(read(r"//server/share"), Ok("\\\\server\\share\\".to_owned()));
        for other in [
            r"\\server\other\x",
            r"\\server",
            r"\\",
            r"\\server\\share",
            r"\\evil@8080\share\x",
        ] {
            assert_eq!(read(other), Err(Unc), "{other}");
        }
    }

    #[test]
    fn the_end_says_whether_only_a_directory_will_do() {
        for (text, expected) in [
            (r"src\", true),
            ("src/.", true),
            ("..", true),
            (".", true),
            ("src", false),
        ] {
            assert_eq!(cwd().join(text).unwrap().must_be_dir(), expected, "{text}");
        }
    }

    proptest! {
        /// What was accepted is one plain path: read again, from anywhere, it is the same.
        #[test]
        fn what_is_accepted_means_one_thing(text in r"[a-cC:\\/. ~$?*<nulcom1¹∕-]{0,24}") {
            if let Ok(path) = cwd().join(&text) {
                let spelled = path.to_string();
                let again = WindowsPath::absolute(r"D:\elsewhere").unwrap().join(&spelled);
                prop_assert_eq!(again.map(|path| path.to_string()), Ok(spelled));
                for name in path.names() {
                    prop_assert!(!name.ends_with(['.', ' ']) && !name.contains([':', '/', '\\']), "{name:?}");
                }
            }
        }
    }
}
