//! Opening roots and zones: once, with what they are at that moment (R6).

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::form::Form;
use super::watch::Watch;
use super::{FileRoot, Given, OpenZone, Root, Zone, Zones, ZonesBuilder};
use crate::resolver::{
    By, Crossed, Known, LastLink, Node, Step, Walk, Walked, all, is_weak, place_of, steps_of,
};
use crate::{Ambient, Error, ErrorKind, Facts, FileKind, Identity, Leaf};

/// Objects kept open, so that their inode numbers are not handed out again.
type Held = BTreeMap<(u64, u64), Arc<OwnedFd>>;

pub(super) fn open(builder: ZonesBuilder, ambient: &Ambient) -> Result<Zones, Error> {
    let mut roots = Vec::with_capacity(builder.roots.len());
    let mut held = Held::new();
    let mut ways = Vec::new();
    for path in &builder.roots {
        roots.push(root(path, &mut held, &mut ways).map_err(|error| unusable(error, path))?);
    }
    let mut files = Vec::with_capacity(builder.files.len());
    for path in &builder.files {
        files.push(file(path, &mut held, &mut ways).map_err(|error| unusable(error, path))?);
    }
    let mut zones = Vec::with_capacity(builder.zones.len());
    let mut opening = Opening {
        held: &mut held,
        passed: BTreeMap::new(),
    };
    for zone in builder.zones {
        let forms = forms(&zone, ambient, &mut opening).map_err(|error| unusable(error, &zone.path))?;
        zones.push(OpenZone {
            id: zone.id,
            kind: zone.kind,
            forms,
        });
    }
    Ok(Zones {
        roots,
        files,
        ways,
        zones,
        watch: Watch::new(held.into_values().collect()),
    })
}

fn unusable(error: Error, path: &Path) -> Error {
    error.turned(ErrorKind::Zones).about(path.as_os_str().as_bytes())
}

impl Root {
    /// `/`, as if it were a root.
    pub(crate) fn slash() -> Result<Self, Error> {
        root(Path::new("/"), &mut Held::new(), &mut Vec::new())
    }
}

fn root(path: &Path, held: &mut Held, ways: &mut Vec<Identity>) -> Result<Root, Error> {
    let walked = walked(path)?;
    ways.extend(all(&walked));
    if !walked.tail.is_empty() {
        return Err(Error::new(ErrorKind::Zones));
    }
    let given = given(path, &walked)?;
    let mut root = root_of(walked.chain, held)?;
    root.given = given;
    Ok(root)
}

/// The path, where it leads through links.
fn given(path: &Path, walked: &Walked) -> Result<Option<Given>, Error> {
    let Some(there) = walked.chain.last().filter(|_| !walked.links.is_empty()) else {
        return Ok(None);
    };
    let path = CString::new(path.as_os_str().as_bytes());
    Ok(Some(Given {
        path: path.map_err(|_| Error::new(ErrorKind::Zones))?,
        leads_to: there.facts.identity,
    }))
}

fn file(path: &Path, held: &mut Held, ways: &mut Vec<Identity>) -> Result<FileRoot, Error> {
    let unusable = || Error::new(ErrorKind::Zones);
    let mut walked = walked(path)?;
    ways.extend(all(&walked));
    if walked.must_be_dir {
        return Err(unusable());
    }
    let (leaf, first) = match walked.tail.pop() {
        Some(leaf) if walked.tail.is_empty() => (leaf, None),
        Some(_) => return Err(unusable()),
        None => {
            let file = walked
                .chain
                .pop()
                .filter(|node| node.facts.kind == FileKind::File);
            let file = file.ok_or_else(unusable)?;
            let leaf = Leaf::from_bytes(&file.name).ok_or_else(unusable)?;
            let identity = file.facts.identity;
            keep(vec![file], held);
            (leaf, Some(identity))
        }
    };
    let mut dir = root_of(walked.chain, held)?;
    if let Some(parent) = path.parent().filter(|_| !walked.links.is_empty()) {
        dir.given = given(parent, &self::walked(parent)?)?;
    }
    Ok(FileRoot { dir, leaf, first })
}

/// Where a root's path leads.
fn walked(path: &Path) -> Result<Walked, Error> {
    if !path.is_absolute() {
        return Err(Error::new(ErrorKind::Zones));
    }
    let mut walk = Walk::new()?;
    walk.along(path.as_os_str().as_bytes(), LastLink::Follow)?;
    Ok(walk.finish())
}

/// A root that is the directory at the end of the chain.
fn root_of(chain: Vec<Node>, held: &mut Held) -> Result<Root, Error> {
    let steps = steps_of(&chain);
    let name = CString::new(place_of(&steps).as_bytes()).map_err(|_| Error::new(ErrorKind::Zones))?;
    let way = keep(chain, held);
    let is_dir = |node: &&Known| node.facts.kind == FileKind::Dir;
    let itself = way.last().filter(is_dir).ok_or(Error::new(ErrorKind::Zones))?;
    Ok(Root {
        name,
        given: None,
        weak: is_weak(&itself.object)?,
        facts: itself.facts,
        object: Arc::clone(&itself.object),
        steps,
        way,
    })
}

/// The ways to a zone: where it leads and, for each link on the way, the name that it has by that link. What the link is
/// made to lead to later has that name as well.
fn forms(zone: &Zone, ambient: &Ambient, opening: &mut Opening<'_>) -> Result<Vec<Form>, Error> {
    let mut path = zone.path.clone();
    if let Ok(below) = path.strip_prefix("~") {
        path = ambient.home().ok_or(Error::new(ErrorKind::Zones))?.join(below);
    }
    if !path.is_absolute() {
        return Err(Error::new(ErrorKind::Zones));
    }
    // As components, so that a trailing slash does not keep the link itself from being protected.
    let path: PathBuf = path.components().collect();
    let (leads_to, crossed) = opening.way(&path, LastLink::Follow)?;
    let mut ways = vec![leads_to];
    for link in crossed.iter().filter(|crossed| crossed.by == By::Link) {
        let Some(behind) = link.spelled() else {
            continue;
        };
        let place = place_of(&link.steps);
        let (mut itself, _) = opening.way(Path::new(OsStr::from_bytes(place.as_bytes())), LastLink::Keep)?;
        itself.steps.extend(behind.into_iter().skip(link.steps.len()));
        ways.push(itself);
    }
    Ok(ways.into_iter().map(Way::form).collect())
}

/// The way to a zone's place.
struct Way {
    steps: Vec<Step>,
    held: Vec<Arc<OwnedFd>>,
    facts: Vec<Facts>,
}

impl Way {
    fn form(self) -> Form {
        Form::new(self.steps, self.held, &self.facts)
    }
}

/// What opening the zones has come to know.
struct Opening<'a> {
    held: &'a mut Held,
    /// The directories that ways without links led through, by their names: zones are many and lie beside each other, and
    /// all of them are opened as of one moment.
    passed: BTreeMap<Vec<u8>, Known>,
}

impl Opening<'_> {
    fn way(&mut self, path: &Path, last_link: LastLink) -> Result<(Way, Vec<Crossed>), Error> {
        let (mut walk, rest) = self.begin(path)?;
        let (steps, chain, crossed) = match walk.along(rest, last_link) {
            Ok(()) => {
                let walked = walk.finish();
                (walked.steps(), walked.chain, walked.crossed)
            }
            // Where we may not look, and where nobody can go, names have to do: whoever may put a link in the place of a
            // zone must not be able to stop everything else.
            Err(error) if by_name(error.kind()) => {
                let lost = walk.lost(error);
                (lost.steps(), lost.chain, lost.crossed)
            }
            Err(error) => return Err(error),
        };
        let way = keep(chain, self.held);
        if crossed.is_empty() {
            self.pass(&way);
        }
        let facts = way.iter().map(|node| node.facts).collect();
        let held = way.into_iter().map(|node| node.object).collect();
        Ok((Way { steps, held, facts }, crossed))
    }

    /// A walk that stands at the last directory on the way that is known, and the rest of the way.
    fn begin<'p>(&self, path: &'p Path) -> Result<(Walk, &'p [u8]), Error> {
        let path = path.as_os_str().as_bytes();
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let mut chain = Vec::new();
        let mut rest = path;
        for (end, _) in slashes {
            let directory = path.get(..end.max(1)).unwrap_or_default();
            let Some(known) = self.passed.get(directory) else {
                break;
            };
            chain.push(known.clone());
            rest = path.get(end + 1..).unwrap_or_default();
        }
        match chain.is_empty() {
            true => Ok((Walk::new()?, path)),
            false => Ok((Walk::at(chain.into_iter()), rest)),
        }
    }

    fn pass(&mut self, way: &[Known]) {
        let mut place = Vec::new();
        for node in way.iter().filter(|node| node.facts.kind == FileKind::Dir) {
            if place.len() != 1 && !node.name.is_empty() {
                place.push(b'/');
            }
            place.extend_from_slice(&node.name);
            if place.is_empty() {
                place.push(b'/');
            }
            if !self.passed.contains_key(&place) {
                self.passed.insert(place.clone(), node.clone());
            }
        }
    }
}

fn by_name(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::Denied
            | ErrorKind::NotADirectory
            | ErrorKind::NotFound
            | ErrorKind::Loop
            | ErrorKind::TooLong
            | ErrorKind::Special
    )
}

/// Every object is held once.
fn keep(chain: Vec<Node>, held: &mut Held) -> Vec<Known> {
    let keep = |node: Node| {
        let identity = node.facts.identity;
        let kept = held.entry((identity.device, identity.inode));
        Known {
            object: Arc::clone(kept.or_insert_with(|| node.object.shared())),
            name: node.name,
            facts: node.facts,
        }
    };
    chain.into_iter().map(keep).collect()
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests build their own trees")]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::ZoneKind;

    fn opened(paths: &[PathBuf]) -> Vec<String> {
        let zone = |path: &PathBuf| Zone {
            id: path.display().to_string(),
            kind: ZoneKind::DenyWrite,
            path: path.clone(),
        };
        let zones = paths.iter().map(zone).fold(Zones::builder(), ZonesBuilder::zone);
        let zones = zones.open(&Ambient::empty()).unwrap();
        zones
            .zones
            .iter()
            .map(|zone| format!("{}: {:?}", zone.id, zone.forms))
            .map(|text| without_descriptors(&text))
            .collect()
    }

    /// Which descriptor holds an object is by chance.
    fn without_descriptors(text: &str) -> String {
        let mut parts = text.split("fd: ");
        let first = parts.next().unwrap().to_owned();
        let rest = parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()));
        rest.fold(first, |text, part| text + part)
    }

    #[test]
    fn zones_that_are_opened_together_are_those_that_are_opened_alone() {
        let tree = tempfile::tempdir().unwrap();
        let at = |below: &str| std::fs::canonicalize(tree.path()).unwrap().join(below);
        std::fs::create_dir_all(at("a/b/c")).unwrap();
        std::fs::write(at("a/b/file"), "").unwrap();
        for (target, link) in [
            ("b", "a/to-b"),
            ("nowhere", "a/dangling"),
            ("../a/to-b/c", "a/b/around"),
            ("self", "a/self"),
        ] {
            symlink(target, at(link)).unwrap();
        }
        let mut names: Vec<PathBuf> = [
            "a",
            "a/b",
            "a/b/c",
            "a/b/c/d",
            "a/b/c/d/e",
            "a/b/file",
            "a/b/file/x",
            "a/b/../b/c",
            "a/to-b",
            "a/to-b/c",
            "a/to-b/c/d",
            "a/to-b/file",
            "a/dangling",
            "a/dangling/x",
            "a/b/around",
            "a/b/around/d",
            "a/self/x",
            "missing/x/y",
            "missing/x",
            "a/./b/c",
        ]
        .map(at)
        .into();
        names.extend(["/", "/etc", "/proc/self/x"].map(PathBuf::from));
        let alone: Vec<String> = names
            .iter()
            .flat_map(|name| opened(std::slice::from_ref(name)))
            .collect();
        assert_eq!(opened(&names), alone);
        names.reverse();
        let alone: Vec<String> = alone.into_iter().rev().collect();
        assert_eq!(opened(&names), alone, "in the other order");
    }
}
