use std::path::Path;

use crate::{Ambient, Dialect, Error, Operation, Target, Zones};

/// One path operand of one call.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The text as the tool got it; bytes, because shell words need not be UTF-8.
    pub text: &'a [u8],
    /// How the tool that will run decodes it (R1).
    pub dialect: &'a Dialect,
    /// What is to be done there.
    pub operation: Operation,
    /// The call's working directory, absolute.
    pub cwd: &'a Path,
}

/// Resolves path operands against opened zones.
#[derive(Debug)]
pub struct Resolver {
    zones: Zones,
    ambient: Ambient,
}

impl Resolver {
    /// A resolver over these zones. It probes once whether the kernel offers `openat2`.
    #[must_use]
    pub fn new(zones: Zones, ambient: Ambient) -> Self {
        Self { zones, ambient }
    }

    /// Resolves one operand: a held target, or the reason why not.
    ///
    /// # Errors
    /// Every failure is a refusal (R8).
    pub fn resolve(&self, request: &Request<'_>) -> Result<Target, Error> {
        let _ = (request, &self.zones, &self.ambient);
        todo!()
    }
}
