//! Which families and variants to run.

use std::collections::BTreeSet;

use crate::fixture::{Family, Variant};

/// A choice, by patterns such as `paths/x`, `paths/x#variant` and `paths`. Empty: everything.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    patterns: BTreeSet<String>,
}

impl Selection {
    /// The variants that any of the patterns names.
    #[must_use]
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Self {
        Self {
            patterns: patterns.into_iter().collect(),
        }
    }

    /// The chosen variants of a family.
    #[must_use]
    pub fn variants<'a>(&self, family: &'a Family) -> Vec<&'a Variant> {
        let named = |name: &str| self.patterns.contains(name);
        if self.patterns.is_empty() || named(&family.id) || named(family.area()) {
            return family.variants.iter().collect();
        }
        let chosen = |variant: &&Variant| named(&format!("{}#{}", family.id, variant.name));
        family.variants.iter().filter(chosen).collect()
    }

    /// Patterns that name nothing.
    #[must_use]
    pub fn idle<'a>(&'a self, families: &[&Family]) -> Vec<&'a str> {
        self.patterns
            .iter()
            .filter(|pattern| {
                !families.iter().any(|family| {
                    family
                        .variants
                        .iter()
                        .any(|variant| names(pattern, family, variant))
                })
            })
            .map(String::as_str)
            .collect()
    }
}

fn names(pattern: &str, family: &Family, variant: &Variant) -> bool {
    match pattern.split_once('#') {
        Some((id, name)) => id == family.id && name == variant.name,
        None => pattern == family.id || pattern == family.area(),
    }
}
