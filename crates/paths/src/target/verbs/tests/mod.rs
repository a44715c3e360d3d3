//! Targets made by hand, so that each verb is tested apart from the resolver.

mod changes;
mod content;
mod each;
mod failure;
mod hostile;
mod look;
mod rename;
mod rights;
mod scene;
mod table;
mod tree;

use scene::Scene;
