//! A slow, independent reading of the rules on a tree in memory: no system call, no code of the crate.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use portcullis_paths::Operation;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::fence::Fence;
use super::position::{Crossing, Position, Steps};

pub(crate) type Id = usize;

#[derive(Debug, Clone)]
pub(crate) enum Object {
    Dir(BTreeMap<String, Id>),
    File,
    Fifo,
    Link(String),
}

/// Objects by number; number 0 is `/`.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(super) objects: Vec<Object>,
    /// Directories of the tree itself with their canonical places; the first is its top.
    pub(crate) dirs: Vec<(Id, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    Physical,
    Lexical,
    Unknown,
}

/// What the model says of one operand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Says {
    Refused,
    Protected,
    /// The way broke off, so that it is one of the two.
    Lost,
    Leads {
        inside: Option<usize>,
        place: String,
        missing: usize,
        link: bool,
        /// It is a file with other names, which the operation would change as well.
        shared: bool,
    },
}

pub(crate) struct Rules<'a> {
    pub(crate) roots: &'a [Id],
    pub(crate) fences: &'a [Fence],
    pub(crate) cwd: &'a str,
    pub(crate) operation: Operation,
}

/// Where a name stands in its text, and how that ends.
#[derive(Clone, Copy)]
struct End {
    last: bool,
    /// Only a directory can satisfy the end.
    open_end: bool,
    /// A link there is the object itself.
    keep: bool,
}

impl World {
    /// A world with nothing but the directories that lead to the top.
    pub(crate) fn new(top: &str) -> Self {
        let mut world = Self {
            objects: vec![Object::Dir(BTreeMap::new())],
            dirs: Vec::new(),
        };
        let mut at = 0;
        for name in top.split('/').filter(|name| !name.is_empty()) {
            at = world.put(at, name, Object::Dir(BTreeMap::new())).unwrap();
        }
        world.dirs.push((at, top.to_owned()));
        world
    }

    /// Adds an object, unless the name is taken.
    pub(crate) fn put(&mut self, parent: Id, name: &str, object: Object) -> Option<Id> {
        let id = self.objects.len();
        match &mut self.objects[parent] {
            Object::Dir(names) if !names.contains_key(name) => names.insert(name.to_owned(), id),
            _ => return None,
        };
        self.objects.push(object);
        Some(id)
    }

    pub(crate) fn put_in(&mut self, dir: usize, name: &str, object: Object) {
        let (parent, place) = self.dirs[dir % self.dirs.len()].clone();
        let is_dir = matches!(object, Object::Dir(_));
        if let Some(id) = self.put(parent, name, object)
            && is_dir
        {
            self.dirs.push((id, format!("{place}/{name}")));
        }
    }

    /// Gives a file or link of the tree another name, unless that is taken.
    pub(crate) fn link(&mut self, file: usize, dir: usize, name: &str) {
        let is_file = |id: &Id| matches!(self.objects[*id], Object::File | Object::Fifo);
        let files: Vec<Id> = (0..self.objects.len()).filter(is_file).collect();
        let parent = self.dirs[dir % self.dirs.len()].0;
        if let (Some(file), Object::Dir(names)) =
            (files.get(file % files.len().max(1)), &mut self.objects[parent])
        {
            names.entry(name.to_owned()).or_insert(*file);
        }
    }

    /// Makes the tree on the disk.
    pub(crate) fn build(&self) {
        let mut first: BTreeMap<Id, PathBuf> = BTreeMap::new();
        for (id, place) in &self.dirs {
            let Object::Dir(names) = &self.objects[*id] else {
                continue;
            };
            fs::create_dir_all(place).unwrap();
            for (name, id) in names {
                let path = Path::new(place).join(name);
                if let Some(other) = first.get(id) {
                    fs::hard_link(other, path).unwrap();
                    continue;
                }
                first.insert(*id, path.clone());
                match &self.objects[*id] {
                    Object::Dir(_) => {}
                    Object::Fifo => mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap(),
                    Object::File => fs::write(path, name).unwrap(),
                    Object::Link(text) => symlink(text, path).unwrap(),
                }
            }
        }
    }

    fn is_dir(&self, position: &Position) -> bool {
        position
            .path
            .last()
            .is_none_or(|(_, id)| matches!(self.objects[*id], Object::Dir(_)))
    }

    pub(crate) fn says(&self, rules: &Rules<'_>, reading: Reading, text: &str) -> Says {
        let lexical = || {
            let mut names: Vec<&str> = Vec::new();
            let cwd = if text.starts_with('/') { "" } else { rules.cwd };
            for name in cwd.split('/').chain(text.split('/')) {
                match name {
                    "" | "." => {}
                    ".." => drop(names.pop()),
                    name => names.push(name),
                }
            }
            self.judge(rules, &format!("/{}", names.join("/")))
        };
        match reading {
            Reading::Physical => self.judge(rules, text),
            Reading::Lexical => lexical(),
            Reading::Unknown => {
                let (physical, lexical) = (self.judge(rules, text), lexical());
                match (physical, lexical) {
                    (Says::Protected, _) | (_, Says::Protected) => Says::Protected,
                    (physical, lexical) if physical == lexical => physical,
                    (Says::Lost, _) | (_, Says::Lost) => Says::Lost,
                    _ => Says::Refused,
                }
            }
        }
    }

    fn judge(&self, rules: &Rules<'_>, text: &str) -> Says {
        let mut position = Position::default();
        let walked = match text.starts_with('/') {
            true => Ok(()),
            false => self.go(&mut position, rules.cwd, false, &[]),
        };
        let walked = walked.and_then(|()| self.go(&mut position, text, !follows(rules.operation), &[]));
        let mut fences = rules.fences.iter();
        if walked.is_err() {
            return match fences.any(|fence| fence.has_lost(rules.operation, &position)) {
                true => Says::Protected,
                false => Says::Lost,
            };
        }
        let outside = |steps: &Steps| {
            !steps
                .iter()
                .any(|(_, id)| id.is_some_and(|id| rules.roots.contains(&id)))
        };
        if fences.any(|fence| fence.forbids(self, rules.operation, &position, outside)) {
            return Says::Protected;
        }
        if !self.allowed(rules.operation, &position) {
            return Says::Refused;
        }
        let names: Vec<&str> = position.path.iter().map(|(name, _)| name.as_str()).collect();
        let missing = position.missing.iter().map(String::as_str);
        Says::Leads {
            inside: inside(rules, &position),
            place: format!(
                "/{}",
                names.into_iter().chain(missing).collect::<Vec<_>>().join("/")
            ),
            missing: position.missing.len(),
            shared: matches!(rules.operation, Operation::Write | Operation::SetMeta)
                && self.is_shared(&position),
            link: position
                .path
                .last()
                .is_some_and(|(_, id)| matches!(self.objects[*id], Object::Link(_))),
        }
    }

    /// Where an absolute text leads, links followed.
    pub(super) fn walked(&self, text: &str) -> Result<Position, ()> {
        let mut position = Position::default();
        self.go(&mut position, text, false, &[])?;
        Ok(position)
    }

    /// Reads a text from where the position is; after it, more is to be read.
    fn go(&self, position: &mut Position, text: &str, keep: bool, after: &[String]) -> Result<(), ()> {
        if text.starts_with('/') {
            position.path.clear();
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty()).collect();
        let open_end = text.ends_with('/') || matches!(parts.last(), Some(&("." | "..")));
        position.needs_dir = open_end;
        for (index, part) in parts.iter().enumerate() {
            let last = index + 1 == parts.len();
            if !self.is_dir(position) {
                return Err(());
            }
            match *part {
                "." => {}
                ".." if !position.missing.is_empty() => return Err(()),
                ".." => {
                    if !position.path.is_empty() {
                        let steps = position.steps();
                        position.crossed.push(Crossing {
                            steps,
                            is_link: false,
                            behind: Vec::new(),
                        });
                    }
                    position.path.pop();
                }
                name => {
                    let behind = parts[index + 1..].iter().map(|part| (*part).to_owned());
                    let behind: Vec<String> = behind.chain(after.iter().cloned()).collect();
                    let end = End { last, open_end, keep };
                    self.enter(position, name, end, &behind)?;
                }
            }
        }
        if position.needs_dir && position.missing.is_empty() && !self.is_dir(position) {
            return Err(());
        }
        Ok(())
    }

    fn enter(&self, position: &mut Position, name: &str, end: End, behind: &[String]) -> Result<(), ()> {
        let here = position.path.last().map_or(0, |(_, id)| *id);
        let Object::Dir(names) = &self.objects[here] else {
            return Err(());
        };
        let found = names.get(name).filter(|_| position.missing.is_empty());
        let Some(id) = found else {
            position.missing.push(name.to_owned());
            return Ok(());
        };
        match &self.objects[*id] {
            Object::Link(text) if !end.last || end.open_end || !end.keep => {
                position.hops += 1;
                if position.hops > 40 {
                    return Err(());
                }
                let mut steps = position.steps();
                steps.push((name.to_owned(), Some(*id)));
                if end.last && end.keep && position.via.is_none() {
                    position.via = Some(steps.clone());
                }
                position.crossed.push(Crossing {
                    steps,
                    is_link: true,
                    behind: behind.to_vec(),
                });
                let through = !end.last || end.open_end;
                let text = if through { format!("{text}/") } else { text.clone() };
                self.go(position, &text, false, behind)?;
                if through {
                    position.needs_dir = end.open_end;
                }
                Ok(())
            }
            _ => {
                position.path.push((name.to_owned(), *id));
                Ok(())
            }
        }
    }

    fn allowed(&self, operation: Operation, position: &Position) -> bool {
        use Operation::{CreateNew, LinkTo, MakeDir, MoveTo, SetMeta, WorkingDir, Write};
        let dir = self.is_dir(position);
        let top = position.path.last().map(|(_, id)| &self.objects[*id]);
        if position.missing.is_empty() && matches!(top, Some(Object::Fifo)) && opens(operation) {
            return false;
        }
        match (operation, position.missing.len()) {
            (CreateNew, 0) => false,
            (MakeDir | WorkingDir, 0) => dir,
            (_, 0) => !acts_on_name(operation) || !position.path.is_empty(),
            (MakeDir, _) => true,
            (Write | CreateNew | SetMeta, _) => !position.needs_dir,
            (MoveTo | LinkTo, 1) => !position.needs_dir,
            _ => false,
        }
    }
}

fn inside(rules: &Rules<'_>, position: &Position) -> Option<usize> {
    let root_of = |id: Id| rules.roots.iter().position(|root| *root == id);
    let mut ids: Vec<Id> = [0]
        .into_iter()
        .chain(position.path.iter().map(|(_, id)| *id))
        .collect();
    if acts_on_name(rules.operation) && position.missing.is_empty() {
        ids.pop();
    }
    let via = position.via.as_ref().map(|via| &via[..via.len() - 1]);
    let in_root = |(_, id): &(String, Option<Id>)| id.is_some_and(|id| root_of(id).is_some());
    if via.is_some_and(|via| !via.iter().any(in_root)) {
        return None;
    }
    ids.into_iter().rev().find_map(root_of)
}

fn follows(operation: Operation) -> bool {
    use Operation::{CopyFrom, List, MakeDir, Read, Search, SetMeta, Stat, WorkingDir, Write};
    matches!(
        operation,
        Read | List | Search | Stat | WorkingDir | CopyFrom | Write | MakeDir | SetMeta
    )
}

fn acts_on_name(operation: Operation) -> bool {
    use Operation::{Delete, DeleteTree, HardLinkFrom, LinkTo, MoveFrom, MoveTo};
    matches!(
        operation,
        Delete | DeleteTree | MoveFrom | MoveTo | LinkTo | HardLinkFrom
    )
}

/// What opens the object would hang on a FIFO.
fn opens(operation: Operation) -> bool {
    follows(operation) || matches!(operation, Operation::CreateNew | Operation::HardLinkFrom)
}
