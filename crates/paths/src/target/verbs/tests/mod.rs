//! Targets made by hand, so that each verb is tested apart from the resolver.

mod scene;
mod swap;
mod table;

use scene::Scene;
