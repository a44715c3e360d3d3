//! Targets made by hand, so that each verb is tested apart from the resolver.

mod hostile;
mod scene;
mod table;

use scene::Scene;
