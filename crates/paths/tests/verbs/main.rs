//! The verbs on targets that the resolver made.

mod model;
mod moved;

use std::path::Path;

use portcullis_paths::{Ambient, Dialect, Error, Operation, Request, Resolver, Target, Zones};

/// A resolver over one root.
fn resolver(root: &Path) -> Result<Resolver, Error> {
    let ambient = Ambient::empty();
    let zones = Zones::builder().root(root).open(&ambient)?;
    Ok(Resolver::new(zones, ambient))
}

/// The target of a text, relative to the root.
fn target(resolver: &Resolver, root: &Path, text: &str, operation: Operation) -> Result<Target, Error> {
    resolver.resolve(&Request {
        text: text.as_bytes(),
        dialect: &Dialect::PLAIN,
        operation,
        cwd: root,
    })
}
