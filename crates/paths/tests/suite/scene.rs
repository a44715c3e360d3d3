//! A private tree, built and changed by small texts.

use std::cell::RefCell;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use portcullis_paths::Operation;
use rustix::fs::{CWD, FileType, Mode, RenameFlags};
use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, unmount};

/// A fresh canonical temporary directory with the tree that every case has.
pub(crate) struct Scene {
    _dir: tempfile::TempDir,
    top: PathBuf,
    undo: RefCell<Vec<Undo>>,
}

/// What would keep the directory from being removed.
enum Undo {
    Mount(PathBuf),
    Mode(PathBuf),
}

impl Drop for Scene {
    fn drop(&mut self) {
        for undo in self.undo.take().into_iter().rev() {
            // A test that failed half-way must not fail again here.
            let _undone = match undo {
                Undo::Mount(place) => unmount(place, UnmountFlags::DETACH).map_err(std::io::Error::from),
                Undo::Mode(place) => set_mode(&place, 0o700),
            };
        }
    }
}

impl Scene {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let top = std::fs::canonicalize(dir.path()).unwrap();
        let scene = Self {
            _dir: dir,
            top,
            undo: RefCell::default(),
        };
        for entry in [
            "<>/work/app/",
            "<>/work/app/src/a.txt",
            "<>/work/secret/key",
            "<>/work/app2/f",
            "<>/home/u/.ssh_id",
        ] {
            scene.add(entry);
        }
        scene
    }

    /// The text with the directory put in.
    pub(crate) fn text(&self, text: &str) -> Vec<u8> {
        text.replace("<>", self.top.to_str().unwrap()).into_bytes()
    }

    pub(crate) fn path(&self, text: &str) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.text(text)))
    }

    pub(crate) fn add(&self, entry: &str) {
        if let Some(hex) = entry.strip_prefix("hex ") {
            return write(&self.top.join(OsString::from_vec(unhex(hex))));
        }
        if let Some(deep) = entry.strip_prefix("deep ") {
            return self.add_deep(deep);
        }
        if let Some(place) = entry.strip_prefix("overlay ") {
            return self.overlay(&self.path(place));
        }
        if let Some((mode, path)) = entry.strip_prefix("mode ").and_then(|mode| mode.split_once(' ')) {
            let path = self.path(path);
            set_mode(&path, u32::from_str_radix(mode, 8).unwrap()).unwrap();
            return self.undo.borrow_mut().push(Undo::Mode(path));
        }
        if let Some((place, source)) = entry.split_once(" mounts ") {
            return self.bind(source, place);
        }
        if let Some((link, text)) = entry.split_once(" -> ") {
            let text = text.strip_prefix("hex ").map_or_else(|| self.text(text), unhex);
            let link = self.path(link);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(OsString::from_vec(text), link).unwrap();
        } else if let Some((name, other)) = entry.split_once(" == ") {
            std::fs::hard_link(self.path(other), self.path(name)).unwrap();
        } else if let Some(fifo) = entry.strip_suffix('|') {
            rustix::fs::mknodat(CWD, self.path(fifo), FileType::Fifo, Mode::RWXU, 0).unwrap();
        } else if let Some(socket) = entry.strip_suffix('=') {
            rustix::fs::mknodat(CWD, self.path(socket), FileType::Socket, Mode::RWXU, 0).unwrap();
        } else if let Some(dir) = entry.strip_suffix('/') {
            std::fs::create_dir_all(self.path(dir)).unwrap();
        } else {
            write(&self.path(entry));
        }
    }

    /// Mounts the source at the place as well.
    pub(crate) fn bind(&self, source: &str, place: &str) {
        let (source, place) = (self.path(source), self.path(place));
        mount_bind(source, &place).unwrap();
        self.undo.borrow_mut().push(Undo::Mount(place));
    }

    /// Mounts a new empty file system at the place.
    pub(crate) fn mount_memory(&self, place: &str) {
        let place = self.path(place);
        mount("tmpfs", &place, "tmpfs", MountFlags::empty(), None).unwrap();
        self.undo.borrow_mut().push(Undo::Mount(place));
    }

    /// Takes the mount at the place away before the scene ends.
    pub(crate) fn unbind(&self, place: &str) {
        unmount(self.path(place), UnmountFlags::DETACH).unwrap();
    }

    /// An overlay of a file with two names below and nothing above, as the first layers of a container are.
    fn overlay(&self, place: &Path) {
        let layers = self.path("<>/layers");
        std::fs::create_dir_all(&layers).unwrap();
        // Not every file system may hold the upper layer.
        mount("tmpfs", &layers, "tmpfs", MountFlags::empty(), None).unwrap();
        self.undo.borrow_mut().push(Undo::Mount(layers.clone()));
        for layer in ["lower", "upper", "work"] {
            std::fs::create_dir(layers.join(layer)).unwrap();
        }
        std::fs::write(layers.join("lower/f"), "low").unwrap();
        std::fs::hard_link(layers.join("lower/f"), layers.join("lower/g")).unwrap();
        let at = |layer: &str| layers.join(layer).to_str().unwrap().to_owned();
        let options = format!(
            "lowerdir={},upperdir={},workdir={},userxattr",
            at("lower"),
            at("upper"),
            at("work")
        );
        let options = std::ffi::CString::new(options).unwrap();
        mount(
            "overlay",
            place,
            "overlay",
            MountFlags::empty(),
            Some(options.as_c_str()),
        )
        .unwrap();
        self.undo.borrow_mut().push(Undo::Mount(place.to_owned()));
    }

    /// `LEVELS LENGTH LINK LEAF -> TEXT`: a chain of directories too deep for one path, a link to its end, and a link there.
    fn add_deep(&self, deep: &str) {
        let (deep, text) = deep.split_once(" -> ").unwrap();
        let words: Vec<&str> = deep.split(' ').collect();
        let name = "d".repeat(words[1].parse().unwrap());
        let app = self.path("<>/work/app");
        let mut at = rustix::fs::open(&app, rustix::fs::OFlags::PATH, Mode::empty()).unwrap();
        let levels: usize = words[0].parse().unwrap();
        for _ in 0..levels {
            rustix::fs::mkdirat(&at, &name, Mode::RWXU).unwrap();
            at = rustix::fs::openat(&at, &name, rustix::fs::OFlags::PATH, Mode::empty()).unwrap();
        }
        std::os::unix::fs::symlink(vec![name; levels].join("/"), app.join(words[2])).unwrap();
        rustix::fs::symlinkat(OsString::from_vec(self.text(text)), &at, words[3]).unwrap();
    }

    /// One change: `remove P`, `file P`, `dir P`, `link P TEXT`, `rename A B`, `exchange A B`, `hardlink P OTHER`, `append P`,
    /// `bind P OTHER`.
    pub(crate) fn change(&self, step: &str) {
        let (verb, rest) = step.split_once(' ').unwrap();
        let (first, second) = rest.split_once(" <>").unwrap_or((rest, ""));
        let (first, second) = (self.path(first), self.path(&format!("<>{second}")));
        match verb {
            "remove" if first.symlink_metadata().unwrap().is_dir() => std::fs::remove_dir_all(first).unwrap(),
            "remove" => std::fs::remove_file(first).unwrap(),
            "file" => write(&first),
            "dir" => std::fs::create_dir_all(first).unwrap(),
            "link" => std::os::unix::fs::symlink(second, first).unwrap(),
            "rename" => std::fs::rename(first, second).unwrap(),
            "exchange" => rustix::fs::renameat_with(CWD, first, CWD, second, RenameFlags::EXCHANGE).unwrap(),
            "append" => {
                let mut file = std::fs::OpenOptions::new().append(true).open(first).unwrap();
                std::io::Write::write_all(&mut file, b"more").unwrap();
            }
            "bind" => {
                mount_bind(second, &first).unwrap();
                self.undo.borrow_mut().push(Undo::Mount(first));
            }
            "hardlink" => std::fs::hard_link(second, first).unwrap(),
            other => panic!("no such change: {other}"),
        }
    }
}

fn write(path: &Path) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, path.as_os_str().as_bytes()).unwrap();
}

fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

pub(crate) fn unhex(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex
        .chars()
        .map(|c| u8::try_from(c.to_digit(16).unwrap()).unwrap())
        .collect();
    digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect()
}

pub(crate) fn operation(name: &str) -> Operation {
    match name {
        "read" => Operation::Read,
        "list" => Operation::List,
        "search" => Operation::Search,
        "stat" => Operation::Stat,
        "lstat" => Operation::Lstat,
        "read-link" => Operation::ReadLink,
        "working-dir" => Operation::WorkingDir,
        "copy-from" => Operation::CopyFrom,
        "write" => Operation::Write,
        "create-new" => Operation::CreateNew,
        "make-dir" => Operation::MakeDir,
        "set-meta" => Operation::SetMeta,
        "delete" => Operation::Delete,
        "delete-tree" => Operation::DeleteTree,
        "move-from" => Operation::MoveFrom,
        "move-to" => Operation::MoveTo,
        "link-to" => Operation::LinkTo,
        "hard-link-from" => Operation::HardLinkFrom,
        other => panic!("no such operation: {other}"),
    }
}
