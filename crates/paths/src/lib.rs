//! Where does this path really lead, and may it be held open?
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ambient;
mod decode;
mod dialect;
mod error;
mod escape;
mod operation;
mod place;
mod resolver;
mod target;
mod zones;

pub use ambient::Ambient;
pub use dialect::{Dialect, Model};
pub use error::{Error, ErrorKind};
pub use operation::Operation;
pub use place::{Leaf, Place};
#[doc(hidden)]
pub use resolver::Backend;
pub use resolver::{Request, Resolver};
pub use target::{
    Concern, FileKind, Identity, Listing, ListingEntry, Relation, Removed, Standing, State, Target, Touch,
    TreeLimits,
};
pub(crate) use target::{Facts, Held, Name};
pub use zones::{Zone, ZoneKind, Zones, ZonesBuilder};
