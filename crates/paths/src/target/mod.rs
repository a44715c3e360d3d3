//! Targets: resolved path operands that hold what they name.

mod facts;
mod held;
mod names;
mod observe;
mod race;
mod verbs;
mod verify;

pub use facts::{Concern, FileKind, Identity, Relation, Standing, State, Touch};
pub(crate) use held::{Facts, Held, Name};
pub(crate) use names::each_name;
pub(crate) use observe::{facts_at, facts_of, facts_of_place, facts_on_mount};
#[cfg(test)]
pub(crate) use race::during;
pub(crate) use race::gap;
pub(crate) use verbs::Names;
pub use verbs::{Listing, ListingEntry, LookOn, Looked, Removed, TreeLimits};
pub(crate) use verify::RootMark;

use crate::resolver::mounts::any_below;
use crate::{Error, Operation, Place};

/// A resolved path operand: canonical place, identity, links crossed, and a held handle (R10).
///
/// It is not `Clone`: whoever holds it holds the object. Its verbs act through the handle, never by the name.
#[derive(Debug)]
pub struct Target {
    pub(crate) place: Place,
    pub(crate) standing: Standing,
    pub(crate) operation: Operation,
    pub(crate) held: Held,
    /// The root on its chain.
    pub(crate) root: Option<RootMark>,
    /// Nearly every target has none.
    pub(crate) remarks: Option<Box<Remarks>>,
}

/// What is to be said of a target beyond where it is.
#[derive(Debug)]
pub(crate) struct Remarks {
    pub(crate) concerns: Vec<Concern>,
    pub(crate) links: Vec<Place>,
    pub(crate) touches: Vec<Touch>,
}

impl Remarks {
    /// `None` where there is nothing to say.
    #[inline]
    pub(crate) fn new(concerns: Vec<Concern>, links: Vec<Place>, touches: Vec<Touch>) -> Option<Box<Self>> {
        let nothing = concerns.is_empty() && links.is_empty() && touches.is_empty();
        (!nothing).then(|| {
            Box::new(Self {
                concerns,
                links,
                touches,
            })
        })
    }
}

impl Target {
    /// The canonical place.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }
    /// What was to be done there when it was judged.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }
    /// Relative to the roots.
    #[must_use]
    pub fn standing(&self) -> Standing {
        self.standing
    }
    /// What is held.
    #[must_use]
    pub fn state(&self) -> State {
        match &self.held {
            Held::Existing { facts, .. } => State::Existing(facts.kind),
            Held::Link { .. } => State::Link,
            Held::Missing { tail, .. } => State::Missing { names: tail.len() },
        }
    }
    /// What a person should know.
    #[must_use]
    pub fn concerns(&self) -> &[Concern] {
        self.remarks.as_ref().map_or(&[], |remarks| &remarks.concerns)
    }
    /// The places of the links that were followed, in order.
    #[must_use]
    pub fn links(&self) -> &[Place] {
        self.remarks.as_ref().map_or(&[], |remarks| &remarks.links)
    }
    /// The zones touched.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        self.remarks.as_ref().map_or(&[], |remarks| &remarks.touches)
    }
    /// The object's identity, when there is an object.
    #[must_use]
    pub fn identity(&self) -> Option<Identity> {
        match &self.held {
            Held::Existing { facts, .. } | Held::Link { facts, .. } => Some(facts.identity),
            Held::Missing { .. } => None,
        }
    }
    /// Whether something is mounted below the place, as this thread sees it: whoever goes through the directory name by name
    /// goes there, too. A [`DeleteTree`](Operation::DeleteTree) is never held over one.
    ///
    /// # Errors
    /// Of the system, when it does not tell its mounts.
    pub fn holds_mount(&self) -> Result<bool, Error> {
        any_below(&self.place).map_err(|error| error.at(self.place.clone()))
    }
    /// Checks that the object, its parents up to the root, and the root are still what was judged.
    ///
    /// # Errors
    /// `Changed` when anything differs.
    pub fn verify(&self) -> Result<(), Error> {
        self.check().map_err(|error| error.at(self.place.clone()))
    }
}
