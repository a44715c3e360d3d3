//! The slow path: from `/`, or from a root as long as nothing that leads there moves, one component per call, links read
//! and expanded by us.

use std::ops::Range;
use std::sync::Arc;

use rustix::fs::readlinkat;
use rustix::io::Errno;

use super::backend::{open_name_unchecked, open_slash};
use super::chain::{By, Crossed, Known, Lost, Node, Object, Step, Walked, place_of, steps_of};
use super::filesystem::is_proc;
use crate::target::facts_of;
use crate::{Error, ErrorKind, Leaf, Place};

/// As the kernel.
pub(super) const MAX_LINKS: usize = 40;
/// Components looked at in one walk, those of links included: more than one path of the kernel's longest holds.
const MAX_STEPS: usize = 8192;
/// Directories held at once. Each is a descriptor until the answer is there, and a process has few (often 1,024): a deeper
/// place is refused as `Budget`, rather than the descriptors of everything else in the program used up.
pub(super) const MAX_DEPTH: usize = 512;

/// Walks a text from `/`, or from where another walk stands.
pub(crate) struct Walk {
    chain: Vec<Node>,
    /// So many of the chain were not opened on this walk.
    known: usize,
    tail: Vec<Leaf>,
    links: Vec<Place>,
    must_be_dir: bool,
    also: Option<Vec<Step>>,
    crossed: Vec<Crossed>,
    rest: Vec<u8>,
    /// How much of the end of `rest` is of the text that was asked about, and not of a link.
    own: usize,
    steps: usize,
}

/// What to do with a link in the last component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LastLink {
    /// Go on to where it leads.
    Follow,
    /// It is the object itself.
    Keep,
}

impl Walk {
    /// Stands at `/`.
    pub(crate) fn new() -> Result<Self, Error> {
        let object = open_slash().map_err(Error::os)?;
        let facts = facts_of(&object)?;
        let slash = Node {
            name: Arc::default(),
            object: Object::Own(object),
            facts,
        };
        let mut walk = Self::from(vec![slash]);
        walk.known = 0;
        Ok(walk)
    }

    /// Stands at the end of a chain of directories that begins with `/`.
    pub(crate) fn at(chain: impl Iterator<Item = Known>) -> Self {
        Self::from(chain.map(Node::from).collect())
    }

    fn from(chain: Vec<Node>) -> Self {
        Self {
            known: chain.len(),
            chain,
            tail: Vec::new(),
            links: Vec::new(),
            must_be_dir: false,
            also: None,
            crossed: Vec::new(),
            rest: Vec::new(),
            own: 0,
            steps: 0,
        }
    }

    /// Goes along the text, which may be absolute.
    pub(crate) fn along(&mut self, text: &[u8], last_link: LastLink) -> Result<(), Error> {
        text.clone_into(&mut self.rest);
        self.own = text.len();
        if text.first() == Some(&b'/') {
            self.return_to(1);
        }
        let mut at = 0;
        while let Some(component) = next_component(&self.rest, at) {
            let step = self.step(&component, last_link);
            match step {
                Ok(None) => at = component.end,
                Ok(Some(link)) => {
                    self.expand(link, component.end);
                    at = 0;
                }
                Err(error) => {
                    self.rest.drain(..component.start);
                    return Err(error);
                }
            }
        }
        // All of it was walked.
        self.rest.clear();
        if self.must_be_dir && self.tail.is_empty() {
            self.top_is_dir()?;
        }
        Ok(())
    }

    /// Takes one component; answers with a link's text when the link has to be followed.
    fn step(&mut self, component: &Range<usize>, last_link: LastLink) -> Result<Option<Vec<u8>>, Error> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(Error::new(ErrorKind::Budget));
        }
        let name: Arc<[u8]> = self.rest.get(component.clone()).unwrap_or_default().into();
        let after = self.rest.get(component.end..).unwrap_or_default();
        let last = after.iter().all(|byte| *byte == b'/');
        self.must_be_dir = last && (!after.is_empty() || matches!(&*name, b"." | b".."));
        self.top_is_dir()?;
        match &*name {
            b"." => Ok(None),
            // What is missing has no parent to go back to: the tool would fail, or mean something else (R7).
            b".." if !self.tail.is_empty() => Err(Error::new(ErrorKind::NotFound)),
            b".." => {
                if self.chain.len() > 1 {
                    self.may_search_top()?;
                    let left = self.rest.len() - component.start;
                    self.crossed.push(Crossed {
                        steps: steps_of(&self.chain),
                        by: if left <= self.own { By::Text } else { By::LinkText },
                        behind: Vec::new(),
                    });
                    self.return_to(self.chain.len() - 1);
                }
                Ok(None)
            }
            _ => self.enter(name, component.end, last.then_some(last_link)),
        }
    }

    /// Puts a link's text in place of its name.
    fn expand(&mut self, mut text: Vec<u8>, end: usize) {
        self.own = self.own.min(self.rest.len() - end);
        text.extend_from_slice(self.rest.get(end..).unwrap_or_default());
        if text.first() == Some(&b'/') {
            self.return_to(1);
        }
        self.rest = text;
    }

    /// Goes back to the first so many of the chain.
    fn return_to(&mut self, count: usize) {
        self.chain.truncate(count);
        self.known = self.known.min(count);
    }

    /// Looks again at the last object that was found, if it was not opened on this walk. Otherwise it tells how many are on
    /// the way to it that were not: something is in each of them.
    pub(crate) fn refresh(&mut self) -> Result<Option<usize>, Error> {
        if self.known < self.chain.len() {
            return Ok(Some(self.known));
        }
        if let Some(top) = self.chain.last_mut() {
            top.facts = facts_of(&top.object)?;
        }
        Ok(None)
    }

    /// As in [`Walked`].
    pub(crate) fn crossed(&self) -> &[Crossed] {
        &self.crossed
    }

    pub(crate) fn finish(self) -> Walked {
        Walked {
            chain: self.chain,
            tail: self.tail,
            links: self.links,
            must_be_dir: self.must_be_dir,
            also: self.also,
            crossed: self.crossed,
        }
    }

    pub(crate) fn lost(self, error: Error) -> Lost {
        let own = self.rest.len() - self.own.min(self.rest.len());
        let own = self.rest.get(own..).unwrap_or_default();
        Lost {
            would_climb: own.split(|byte| *byte == b'/').any(|name| name == b".."),
            chain: self.chain,
            tail: self.tail,
            crossed: self.crossed,
            rest: self.rest,
            error,
        }
    }

    /// Nothing on the way is missing and the object is a directory, so that the text can be gone along.
    pub(crate) fn stands_before(&mut self, text: &[u8]) -> Result<(), Error> {
        let stands = if self.tail.is_empty() {
            self.top_is_dir()
        } else {
            Err(Error::new(ErrorKind::NotFound))
        };
        if stands.is_err() {
            text.clone_into(&mut self.rest);
        }
        stands
    }

    fn top_is_dir(&self) -> Result<(), Error> {
        match self.chain.last() {
            Some(node) if node.facts.kind == crate::FileKind::Dir => Ok(()),
            _ => Err(Error::new(ErrorKind::NotADirectory)),
        }
    }

    /// The kernel looks `..` up like any name: not in a directory that may not be searched (R8).
    fn may_search_top(&self) -> Result<(), Error> {
        match self.chain.last() {
            Some(top) => open_name_unchecked(&top.object, b".")
                .map(drop)
                .map_err(Error::os),
            None => Err(Error::new(ErrorKind::Io)),
        }
    }

    /// Goes to a name below the top, which ends there in the text; answers with a link's text when the link has to be
    /// followed.
    fn enter(
        &mut self,
        name: Arc<[u8]>,
        end: usize,
        last: Option<LastLink>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let leaf = || Leaf::from_bytes(&name).ok_or_else(|| Error::new(ErrorKind::Syntax));
        if name.len() > 255 {
            return Err(Error::new(ErrorKind::TooLong));
        }
        if !self.tail.is_empty() {
            self.tail.push(leaf()?);
            return Ok(None);
        }
        let Some(top) = self.chain.last() else {
            return Err(Error::new(ErrorKind::Io));
        };
        let object = match open_name_unchecked(&top.object, &name) {
            Ok(object) => object,
            Err(Errno::NOENT) => {
                self.tail.push(leaf()?);
                return Ok(None);
            }
            // A working directory may be told with a NUL in it.
            Err(Errno::INVAL) if leaf().is_err() => return Err(Error::new(ErrorKind::Syntax)),
            Err(errno) => return Err(Error::os(errno)),
        };
        let facts = facts_of(&object)?;
        let node = Node {
            name,
            object: Object::Own(object),
            facts,
        };
        if !facts.is_link {
            if self.chain.len() >= MAX_DEPTH {
                return Err(Error::new(ErrorKind::Budget));
            }
            self.chain.push(node);
            return Ok(None);
        }
        if is_proc(&node.object)? {
            return Err(Error::new(ErrorKind::Special));
        }
        if last == Some(LastLink::Keep) && !self.must_be_dir {
            self.chain.push(node);
            return Ok(None);
        }
        if self.links.len() >= MAX_LINKS {
            return Err(Error::new(ErrorKind::Loop));
        }
        let text = readlinkat(&node.object, c"", Vec::new()).map_err(Error::os)?;
        self.chain.push(node);
        let steps = steps_of(&self.chain);
        self.chain.pop();
        self.links.push(place_of(&steps));
        if last == Some(LastLink::Keep) && self.also.is_none() {
            self.also = Some(steps.clone());
        }
        self.crossed.push(Crossed {
            steps,
            by: By::Link,
            behind: self.rest.get(end..).unwrap_or_default().to_vec(),
        });
        Ok(Some(text.into_bytes()))
    }
}

/// The next component that is not empty.
fn next_component(text: &[u8], at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let skipped = rest.iter().position(|byte| *byte != b'/')?;
    let rest = rest.get(skipped..)?;
    let length = rest.iter().position(|byte| *byte == b'/').unwrap_or(rest.len());
    Some(at + skipped..at + skipped + length)
}
