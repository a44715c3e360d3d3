//! Opening roots and zones: once, with what they are at that moment (R6).

use std::collections::BTreeMap;
use std::ffi::CString;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use super::form::Form;
use super::watch::Watch;
use super::{FileRoot, OpenZone, Root, Zone, Zones, ZonesBuilder};
use crate::resolver::{By, Crossed, LastLink, Node, Step, Walk, Walked, all, is_weak, place_of, steps_of};
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
    for zone in builder.zones {
        let forms = forms(&zone, ambient, &mut held).map_err(|error| unusable(error, &zone.path))?;
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
    let through_links = !walked.links.is_empty();
    let mut root = root_of(walked.chain, held)?;
    if through_links {
        let given = CString::new(path.as_os_str().as_bytes());
        root.given = Some(given.map_err(|_| Error::new(ErrorKind::Zones))?);
    }
    Ok(root)
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
    let dir = root_of(walked.chain, held)?;
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
    let is_dir = |node: &&Node| node.facts.kind == FileKind::Dir;
    let node = chain.last().filter(is_dir).ok_or(Error::new(ErrorKind::Zones))?;
    let object = node.object.try_clone().map_err(Error::io)?;
    let (weak, facts) = (is_weak(&object)?, node.facts);
    let name = CString::new(place_of(&steps).as_bytes()).map_err(|_| Error::new(ErrorKind::Zones))?;
    keep(chain, held);
    Ok(Root {
        name,
        given: None,
        weak,
        facts,
        object,
        steps,
    })
}

/// The ways to a zone: where it leads and, for each link on the way, the name that it has by that link. What the link is
/// made to lead to later has that name as well.
fn forms(zone: &Zone, ambient: &Ambient, held: &mut Held) -> Result<Vec<Form>, Error> {
    let mut path = zone.path.clone();
    if let Ok(below) = path.strip_prefix("~") {
        path = ambient.home().ok_or(Error::new(ErrorKind::Zones))?.join(below);
    }
    if !path.is_absolute() {
        return Err(Error::new(ErrorKind::Zones));
    }
    // As components, so that a trailing slash does not keep the link itself from being protected.
    let path: std::path::PathBuf = path.components().collect();
    let (leads_to, crossed) = way(path.as_os_str().as_bytes(), LastLink::Follow, held)?;
    let mut ways = vec![leads_to];
    for link in crossed.iter().filter(|crossed| crossed.by == By::Link) {
        let Some(behind) = link.spelled() else {
            continue;
        };
        let (mut itself, _) = way(place_of(&link.steps).as_bytes(), LastLink::Keep, held)?;
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

fn way(path: &[u8], last_link: LastLink, held: &mut Held) -> Result<(Way, Vec<Crossed>), Error> {
    let mut walk = Walk::new()?;
    let (steps, chain, crossed) = match walk.along(path, last_link) {
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
    let facts = chain.iter().map(|node| node.facts).collect();
    let held = keep(chain, held);
    Ok((Way { steps, held, facts }, crossed))
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

fn keep(chain: Vec<Node>, held: &mut Held) -> Vec<Arc<OwnedFd>> {
    let keep = |node: Node| {
        let identity = node.facts.identity;
        let kept = held.entry((identity.device, identity.inode));
        Arc::clone(kept.or_insert_with(|| Arc::new(node.object)))
    };
    chain.into_iter().map(keep).collect()
}
