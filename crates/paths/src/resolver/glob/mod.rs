//! Where a pattern may lead: what it selects now is resolved name by name, and the strictest answer counts.

mod braces;
mod by_name;
mod listings;
mod name;
mod select;

use super::{Request, Resolver};
use crate::decode::{Doubt, decode};
use crate::{Concern, Error, ErrorKind, Place, Standing, Target, Touch};
pub use listings::Listings;
use select::Selection;

/// What a pattern may select, as far as nothing of it is denied.
///
/// ```
/// use portcullis_paths::{Ambient, Dialect, Operation, Request, Resolver, Zones};
///
/// let workspace = tempfile::tempdir()?;
/// std::fs::create_dir(workspace.path().join("src"))?;
/// std::os::unix::fs::symlink("/etc", workspace.path().join("src/innocent"))?;
/// let resolver = Resolver::new(
///     Zones::builder().root(workspace.path()).open(&Ambient::empty())?,
///     Ambient::empty(),
/// );
/// let reach = resolver.glob(&Request {
///     text: b"src/{docs,*}/passwd",
///     dialect: &Dialect::AGENT,
///     operation: Operation::Read,
///     cwd: workspace.path(),
/// })?;
/// assert_eq!(reach.outside().unwrap().to_string(), "/etc");
/// assert!(reach.asks());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobReach {
    outside: Option<Place>,
    concerns: Vec<Concern>,
    touches: Vec<Touch>,
    selected: usize,
    complete: bool,
}

impl GlobReach {
    /// The first place outside every root that it may select, or that it starts from.
    #[must_use]
    pub fn outside(&self) -> Option<&Place> {
        self.outside.as_ref()
    }

    /// What a person should know of anything that it may select.
    #[must_use]
    pub fn concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// The zones that anything it may select touches.
    #[must_use]
    pub fn touches(&self) -> &[Touch] {
        &self.touches
    }

    /// How many places it may select, of those that were looked at. Places that two alternatives select count twice.
    #[must_use]
    pub fn selected(&self) -> usize {
        self.selected
    }

    /// Everything that it may select was looked at: neither the bound on work nor something that could not be looked at
    /// was in the way.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// It needs a confirmation: it may lead outside, somebody should know of something, or nobody can tell.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.outside.is_some() || !self.concerns.is_empty() || !self.complete
    }

    fn starts() -> Self {
        Self {
            outside: None,
            concerns: Vec::new(),
            touches: Vec::new(),
            selected: 0,
            complete: true,
        }
    }

    fn stands(&mut self, target: &Target) {
        if target.standing() == Standing::Outside && self.outside.is_none() {
            self.outside = Some(target.place().clone());
        }
    }

    /// It goes through a directory. Outside, that counts as much as that there is none to go through (R15).
    fn passes(&mut self, target: &Target) {
        self.stands(target);
        if target.standing() == Standing::Outside {
            self.touch(target.touches());
        }
    }

    fn selects(&mut self, target: &Target) {
        self.selected += 1;
        self.stands(target);
        for concern in target.concerns() {
            if !self.concerns.contains(concern) {
                self.concerns.push(concern.clone());
            }
        }
        self.touch(target.touches());
    }

    fn touch(&mut self, touches: &[Touch]) {
        for touch in touches {
            if !self.touches.contains(touch) {
                self.touches.push(touch.clone());
            }
        }
    }
}

impl Resolver {
    /// Says where a pattern may lead: the operand of a tool that expands it. For a tool that does not, a name with
    /// `*` in it is a name, and [`Resolver::resolve`] is right.
    ///
    /// The pattern is read generously, as any of the common grammars would (`*`, `?`, `[..]`, `**`, `{..}`,
    /// `@(..)`, `\`, leading `!`), letter case does not count, and links are followed: what a tool selects is among
    /// what was looked at. The text itself counts too, as shells hand it over when nothing fits. Work is bounded by
    /// a number of names, so the answer depends on nothing but the tree.
    ///
    /// What appears in the tree afterwards was not looked at; each place that the tool then uses has to be resolved.
    ///
    /// # Errors
    /// `Protected` when it may select something that a deny zone covers; `Ambiguous` for a pattern that climbs behind
    /// a wildcard or has too many or unbalanced braces; otherwise as [`Resolver::resolve`].
    pub fn glob(&self, request: &Request<'_>) -> Result<GlobReach, Error> {
        self.glob_with(request, &Listings::default())
    }

    /// The same, of one of several patterns that one decision is about: no directory is listed twice for them, and the
    /// work for all of them has one bound.
    ///
    /// # Errors
    /// As [`Resolver::glob`].
    pub fn glob_with(&self, request: &Request<'_>, listings: &Listings) -> Result<GlobReach, Error> {
        self.select(request, listings)
            .map_err(|error| error.about(request.text))
    }

    fn select(&self, request: &Request<'_>, listings: &Listings) -> Result<GlobReach, Error> {
        if !request.cwd.is_absolute() {
            return Err(Error::new(ErrorKind::Syntax));
        }
        let mut selection = Selection::new(self, request, listings);
        let alternatives = braces::expand(request.text).ok_or(Error::new(ErrorKind::Ambiguous))?;
        for alternative in &alternatives {
            let decoded = decode(alternative, request.dialect, &self.ambient)?;
            for doubt in &decoded.doubts {
                let doubtful = match doubt {
                    Doubt::Rival(other) => self.leads_somewhere(request, other),
                    Doubt::Literal(first) => !self.leads_somewhere(request, first),
                    Doubt::Missing { .. } => false,
                };
                if doubtful {
                    return Err(Error::new(ErrorKind::Ambiguous));
                }
            }
            selection.of(&decoded.path)?;
        }
        if let [_, _, ..] = alternatives.as_slice() {
            let literal = decode(request.text, request.dialect, &self.ambient)?;
            selection.literally(&literal.path)?;
        }
        Ok(selection.finish())
    }
}
