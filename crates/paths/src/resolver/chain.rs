//! The canonical chain of an object: every directory from `/` down, held.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use crate::{Error, Facts, Identity, Leaf, Place};

/// An object on the way, with the name it has in the one before it.
#[derive(Debug)]
pub(crate) struct Node {
    /// Empty for `/`.
    pub(crate) name: Arc<[u8]>,
    pub(crate) object: Object,
    pub(crate) facts: Facts,
}

/// An object that is held for a walk, or for all of them.
#[derive(Debug)]
pub(crate) enum Object {
    Own(OwnedFd),
    Shared(Arc<OwnedFd>),
}

/// What leads to a root or zone is on many ways.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) name: Arc<[u8]>,
    pub(crate) object: Arc<OwnedFd>,
    pub(crate) facts: Facts,
}

impl Object {
    /// One descriptor more where others hold it as well.
    pub(crate) fn alone(self) -> Result<OwnedFd, Error> {
        match self {
            Self::Own(object) => Ok(object),
            Self::Shared(object) => object.try_clone().map_err(Error::io),
        }
    }

    /// From now on others may hold it as well.
    pub(crate) fn shared(self) -> Arc<OwnedFd> {
        match self {
            Self::Own(object) => Arc::new(object),
            Self::Shared(object) => object,
        }
    }
}

impl AsFd for Object {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Self::Own(object) => object.as_fd(),
            Self::Shared(object) => object.as_fd(),
        }
    }
}

impl From<Known> for Node {
    fn from(known: Known) -> Self {
        Self {
            name: known.name,
            object: Object::Shared(known.object),
            facts: known.facts,
        }
    }
}

/// What is known of one component, existing or not, for relating places to zones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: Arc<[u8]>,
    /// `None`: it does not exist.
    pub(crate) identity: Option<Identity>,
}

/// Something that the way went through and left again.
#[derive(Debug, Clone)]
pub(crate) struct Crossed {
    /// From `/` down to it.
    pub(crate) steps: Vec<Step>,
    pub(crate) by: By,
    /// Of a link: the text behind it, which is read from where it leads.
    pub(crate) behind: Vec<u8>,
}

impl Crossed {
    /// What the text spells, the link taken for the directory that it stands for: its own place, and the names behind it.
    /// `None` where `..` behind it leads away from there.
    pub(crate) fn spelled(&self) -> Option<Vec<Step>> {
        let mut steps = self.steps.clone();
        for name in self.behind.split(|byte| *byte == b'/') {
            match name {
                b"" | b"." => {}
                b".." if steps.len() > self.steps.len() => drop(steps.pop()),
                b".." => return None,
                name => steps.push(Step {
                    name: name.into(),
                    identity: None,
                }),
            }
        }
        Some(steps)
    }
}

/// What led on from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// It is a link, and was followed.
    Link,
    /// `..` in the text that was asked about.
    Text,
    /// `..` in the text of a link.
    LinkText,
}

/// Where a walk ended.
#[derive(Debug)]
pub(crate) struct Walked {
    /// From `/` to the object, or to the nearest existing directory when something is missing. Never empty.
    pub(crate) chain: Vec<Node>,
    /// The missing names.
    pub(crate) tail: Vec<Leaf>,
    /// Places of the links that were followed.
    pub(crate) links: Vec<Place>,
    /// The text ended in a way that only a directory can satisfy (R9).
    pub(crate) must_be_dir: bool,
    /// The link itself, where a trailing slash makes a name-operation mean link and target (R11).
    pub(crate) also: Option<Vec<Step>>,
    /// What the way went through and left again: links that were followed, directories that `..` led out of.
    pub(crate) crossed: Vec<Crossed>,
}

/// Where a walk broke off, and why.
#[derive(Debug)]
pub(crate) struct Lost {
    pub(crate) chain: Vec<Node>,
    /// The names that were found missing before that.
    pub(crate) tail: Vec<Leaf>,
    /// As in [`Walked`].
    pub(crate) crossed: Vec<Crossed>,
    /// The text that was not walked.
    pub(crate) rest: Vec<u8>,
    /// In what was not walked of the text that was asked about, `..` stands.
    pub(crate) would_climb: bool,
    pub(crate) error: Error,
}

impl Lost {
    /// The chain and the names that were not looked at, as far as names alone tell where they would lead.
    pub(crate) fn steps(&self) -> Vec<Step> {
        let mut steps = steps_of(&self.chain);
        steps.extend(self.tail.iter().map(missing));
        let names = self.rest.split(|byte| *byte == b'/');
        for name in names
            .filter(|name| !matches!(*name, b"" | b"."))
            .take_while(|name| *name != b"..")
        {
            steps.push(Step {
                name: name.into(),
                identity: None,
            });
        }
        steps
    }
}

impl Walked {
    /// The chain and the tail as steps.
    pub(crate) fn steps(&self) -> Vec<Step> {
        let mut steps = steps_of(&self.chain);
        steps.extend(self.tail.iter().map(missing));
        steps
    }
}

pub(crate) fn steps_of(chain: &[Node]) -> Vec<Step> {
    let step = |node: &Node| Step {
        name: Arc::clone(&node.name),
        identity: Some(node.facts.identity),
    };
    chain.iter().map(step).collect()
}

fn missing(leaf: &Leaf) -> Step {
    Step {
        name: leaf.as_bytes().into(),
        identity: None,
    }
}

/// The place that the steps spell.
pub(crate) fn place_of(steps: &[Step]) -> Place {
    let mut bytes = Vec::with_capacity(steps.iter().map(|step| step.name.len() + 1).sum());
    for step in steps.iter().skip(1) {
        bytes.push(b'/');
        bytes.extend_from_slice(&step.name);
    }
    if bytes.is_empty() {
        bytes.push(b'/');
    }
    Place::from_bytes(bytes)
}
