//! A slow, independent reading of the rules on a tree in memory: no system call, no code of the crate.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use portcullis_paths::Operation;

pub(crate) type Id = usize;

#[derive(Debug, Clone)]
pub(crate) enum Object {
    Dir(BTreeMap<String, Id>),
    File,
    Link(String),
}

/// Objects by number; number 0 is `/`.
#[derive(Debug, Clone)]
pub(crate) struct World {
    objects: Vec<Object>,
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
    Leads {
        inside: Option<usize>,
        place: String,
        missing: usize,
        link: bool,
    },
}

pub(crate) struct Rules<'a> {
    pub(crate) roots: &'a [Id],
    pub(crate) denied: Option<Id>,
    pub(crate) cwd: &'a str,
    pub(crate) operation: Operation,
}

/// Where a text leads: objects from `/` on with their names, then names that are missing.
#[derive(Clone, Default)]
struct Position {
    path: Vec<(String, Id)>,
    missing: Vec<String>,
    needs_dir: bool,
    hops: usize,
    via: Option<Vec<Id>>,
    /// What the way went through and left again, with everything above it.
    crossed: Vec<Id>,
}

impl Position {
    fn cross(&mut self) {
        self.crossed.extend(self.path.iter().map(|(_, id)| *id));
    }
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

    /// Makes the tree on the disk.
    pub(crate) fn build(&self) {
        for (id, place) in &self.dirs {
            let Object::Dir(names) = &self.objects[*id] else {
                continue;
            };
            fs::create_dir_all(place).unwrap();
            for (name, id) in names {
                let path = Path::new(place).join(name);
                match &self.objects[*id] {
                    Object::Dir(_) => {}
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
                    _ => Says::Refused,
                }
            }
        }
    }

    fn judge(&self, rules: &Rules<'_>, text: &str) -> Says {
        let mut position = Position::default();
        let walked = match text.starts_with('/') {
            true => Ok(()),
            false => self.go(&mut position, rules.cwd, false),
        };
        let walked = walked.and_then(|()| self.go(&mut position, text, !follows(rules.operation)));
        let path = position.path.iter().map(|(_, id)| *id);
        let mut ids = path.chain(position.crossed.iter().copied());
        if rules.denied.is_some_and(|denied| ids.any(|id| id == denied)) {
            return Says::Protected;
        }
        if walked.is_err() {
            return Says::Refused;
        }
        let via_denied = position
            .via
            .as_ref()
            .is_some_and(|via| rules.denied.is_some_and(|id| via.contains(&id)));
        if via_denied || (takes(rules.operation) && self.holds_denied(rules, &position)) {
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
            link: position
                .path
                .last()
                .is_some_and(|(_, id)| matches!(self.objects[*id], Object::Link(_))),
        }
    }

    /// Reads a text from where the position is.
    fn go(&self, position: &mut Position, text: &str, keep: bool) -> Result<(), ()> {
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
                    position.cross();
                    position.path.pop();
                }
                name => self.enter(position, name, last, open_end, keep)?,
            }
        }
        if position.needs_dir && position.missing.is_empty() && !self.is_dir(position) {
            return Err(());
        }
        Ok(())
    }

    fn enter(
        &self,
        position: &mut Position,
        name: &str,
        last: bool,
        open_end: bool,
        keep: bool,
    ) -> Result<(), ()> {
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
            Object::Link(text) if !last || open_end || !keep => {
                position.hops += 1;
                if position.hops > 40 {
                    return Err(());
                }
                if last && keep && position.via.is_none() {
                    let ids = position.path.iter().map(|(_, id)| *id);
                    position.via = Some(ids.chain([*id]).collect());
                }
                position.cross();
                position.crossed.push(*id);
                let through = !last || open_end;
                let text = if through { format!("{text}/") } else { text.clone() };
                self.go(position, &text, false)?;
                if through {
                    position.needs_dir = open_end;
                }
                Ok(())
            }
            _ => {
                position.path.push((name.to_owned(), *id));
                Ok(())
            }
        }
    }

    fn holds_denied(&self, rules: &Rules<'_>, position: &Position) -> bool {
        let top = position.path.last().map_or(0, |(_, id)| *id);
        let mut open = if position.missing.is_empty() {
            vec![top]
        } else {
            vec![]
        };
        while let Some(id) = open.pop() {
            if rules.denied == Some(id) {
                return true;
            }
            if let Object::Dir(names) = &self.objects[id] {
                open.extend(names.values());
            }
        }
        false
    }

    fn allowed(&self, operation: Operation, position: &Position) -> bool {
        use Operation::{CreateNew, LinkTo, MakeDir, MoveTo, SetMeta, WorkingDir, Write};
        let dir = self.is_dir(position);
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
    if via.is_some_and(|via| !via.iter().any(|id| root_of(*id).is_some())) {
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

fn takes(operation: Operation) -> bool {
    use Operation::{Delete, DeleteTree, LinkTo, MoveFrom, MoveTo};
    matches!(operation, Delete | DeleteTree | MoveFrom | MoveTo | LinkTo)
}
