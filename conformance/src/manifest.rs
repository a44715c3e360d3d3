//! `manifest.toml`: every family with its hash and the number of its variants, so that nothing is lost or changed in
//! silence.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

use crate::Error;
use crate::fixture::Source;

/// What is pinned.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Manifest(BTreeMap<String, Pin>);

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pin {
    variants: usize,
    sha256: String,
}

impl Manifest {
    /// The manifest that fits these families.
    #[must_use]
    pub fn of(sources: &[Source]) -> Self {
        let pin = |source: &Source| {
            let pin = Pin {
                variants: source.family.variants.len(),
                sha256: source.hash.clone(),
            };
            (source.family.id.clone(), pin)
        };
        Self(sources.iter().map(pin).collect())
    }

    /// Reads the file.
    ///
    /// # Errors
    /// It is not a manifest.
    pub fn read(text: &str) -> Result<Self, Error> {
        toml::from_str(text)
            .map_err(|error| Error::fixture(format!("manifest.toml: {}", error.to_string().trim_end())))
    }

    /// The file.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = String::from("# Generated: `cargo xtask conformance manifest`.\n");
        for (id, pin) in &self.0 {
            let _infallible = writeln!(
                text,
                "\"{id}\" = {{ variants = {}, sha256 = \"{}\" }}",
                pin.variants, pin.sha256
            );
        }
        text
    }

    /// What is not as pinned, one sentence each.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (id, pin) in &self.0 {
            match now.0.get(id) {
                None => found.push(format!("`{id}` is in the manifest and has no file")),
                Some(other) if other != pin => found.push(format!("`{id}` is not as the manifest pins it")),
                Some(_) => {}
            }
        }
        let new = now.0.keys().filter(|id| !self.0.contains_key(*id));
        found.extend(new.map(|id| format!("`{id}` is not in the manifest")));
        found
    }
}
