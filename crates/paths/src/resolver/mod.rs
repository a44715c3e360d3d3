//! The resolver: one operand in, a held target or a refusal out.

mod backend;
mod beneath;
mod chain;
#[cfg(test)]
mod counted;
mod cover;
mod fast;
mod filesystem;
mod glob;
mod judge;
mod lane;
mod lanes;
mod leaf;
mod lexical;
pub(crate) mod mounts;
#[cfg(test)]
mod races;
mod roam;
mod standing;
mod text;
mod walk;
mod way;

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

pub use backend::Backend;
pub(crate) use backend::{open_name_unchecked, open_slash, open_without_links};
pub(crate) use chain::{By, Crossed, Known, Node, Step, Walked, place_of, steps_of};
pub(crate) use filesystem::is_weak;
pub use glob::{GlobReach, Listings};
pub(crate) use roam::all;
pub(crate) use walk::{LastLink, Walk};

use lanes::Lanes;
use way::Way;

use crate::decode::{Decoded, Doubt, decode, is_plain, spellings};
use crate::operation::MissingLeaf;
use crate::{Ambient, Concern, Dialect, Error, ErrorKind, Model, Operation, Standing, State, Target, Zones};

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
    lanes: Option<Lanes>,
}

impl Resolver {
    /// A resolver over these zones. It probes once whether the kernel offers `openat2`.
    #[must_use]
    pub fn new(zones: Zones, ambient: Ambient) -> Self {
        Self::with_backend(zones, ambient, Backend::probe())
    }

    /// A resolver that looks paths up in the given way, for tests of both.
    #[doc(hidden)]
    #[must_use]
    pub fn with_backend(zones: Zones, ambient: Ambient, backend: Backend) -> Self {
        let lanes = (backend != Backend::Walk).then(|| Lanes::new(&zones, backend));
        Self {
            zones,
            ambient,
            lanes,
        }
    }

    /// The ids of the zones that it was opened with, so that a policy can see that none of its own is missing.
    pub fn zone_ids(&self) -> impl Iterator<Item = &str> {
        self.zones.zones.iter().map(|zone| zone.id.as_str())
    }

    /// The surroundings that it was made with.
    #[must_use]
    pub fn ambient(&self) -> &Ambient {
        &self.ambient
    }

    /// Resolves one operand: a held target, or the reason why not.
    ///
    /// # Errors
    /// Every failure is a refusal (R8).
    pub fn resolve(&self, request: &Request<'_>) -> Result<Target, Error> {
        // Nearly every text is of this kind, and nothing is put together for it.
        if request.dialect.model() == Model::Physical && request.cwd.is_absolute() && is_plain(request.text) {
            return self.physical(request, request.text);
        }
        self.decoded(request).map_err(|error| error.about(request.text))
    }

    #[inline(never)]
    fn decoded(&self, request: &Request<'_>) -> Result<Target, Error> {
        if !request.cwd.is_absolute() {
            return Err(Error::new(ErrorKind::Syntax));
        }
        let decoded = decode(request.text, request.dialect, &self.ambient)?;
        if decoded.doubts.is_empty() && request.dialect.model() == Model::Physical {
            return self.physical(request, &decoded.path);
        }
        self.settle(request, &decoded)
    }

    /// Looks at what makes the text doubtful, then resolves it.
    fn settle(&self, request: &Request<'_>, decoded: &Decoded<'_>) -> Result<Target, Error> {
        let target = self.read(request, &decoded.path);
        let missing = match &target {
            Ok(target) => matches!(target.state(), State::Missing { .. }),
            Err(error) => error.kind() == ErrorKind::NotFound,
        };
        // A place that may not be touched stays that, whatever the text could mean, and whichever reading leads there.
        if matches!(&target, Err(error) if error.kind() == ErrorKind::Protected) {
            return target;
        }
        for doubt in &decoded.doubts {
            if let Doubt::Rival(other) = doubt
                && let Err(error) = self.read(request, other)
                && error.kind() == ErrorKind::Protected
            {
                return Err(error);
            }
        }
        if target.is_err() && !missing {
            return target;
        }
        let outside = match &target {
            Ok(target) => target.standing() == Standing::Outside,
            Err(error) => error.is_reticent(),
        };
        for doubt in &decoded.doubts {
            let doubtful = match doubt {
                Doubt::Rival(other) => self.leads_somewhere(request, other),
                // What a tool that expands it would find is not known, and what is there is not told: no person can say.
                Doubt::Literal(_) if outside => return Err(Error::new(ErrorKind::Syntax).outside()),
                Doubt::Literal(first) => !self.leads_somewhere(request, first),
                Doubt::Missing { creating } => {
                    missing && (*creating || request.operation.missing_leaf() == MissingLeaf::Refuse)
                }
            };
            if doubtful {
                return Err(match target {
                    Ok(target) => ambiguous(&[&target]),
                    Err(error) => error.turned(ErrorKind::Ambiguous),
                });
            }
        }
        target
    }

    fn leads_somewhere(&self, request: &Request<'_>, text: &[u8]) -> bool {
        let mut request = *request;
        request.operation = Operation::Lstat;
        !matches!(self.read(&request, text), Err(error) if error.kind() == ErrorKind::NotFound)
    }

    /// Resolves a decoded path under the tool's model (R2).
    fn read(&self, request: &Request<'_>, path: &[u8]) -> Result<Target, Error> {
        match request.dialect.model() {
            Model::Physical => self.physical(request, path),
            Model::Lexical if request.dialect.sugar().respell => self.respelled(request, path),
            Model::Lexical => self.lexical(request, path),
            Model::Unknown if lexical::models_agree(path) => self.physical(request, path),
            Model::Unknown => self.unknown(request, path),
        }
    }

    fn unknown(&self, request: &Request<'_>, path: &[u8]) -> Result<Target, Error> {
        match (self.physical(request, path), self.lexical(request, path)) {
            (Ok(physical), Ok(lexical)) if same(&physical, &lexical) => Ok(physical),
            (_, Err(error)) | (Err(error), _) if error.kind() == ErrorKind::Protected => Err(error),
            (Err(physical), Err(lexical)) => {
                let error = physical.outside_if(lexical.is_reticent());
                Err(error.also_touching(lexical.touches()))
            }
            (Ok(target), Err(error)) | (Err(error), Ok(target)) => {
                Err(doubtful(error.turned(ErrorKind::Ambiguous), &[&target]))
            }
            (Ok(physical), Ok(lexical)) => Err(ambiguous(&[&physical, &lexical])),
        }
    }

    /// Every spelling that the tool may open is judged; more than one that exists is ambiguous.
    fn respelled(&self, request: &Request<'_>, path: &[u8]) -> Result<Target, Error> {
        let first = self.lexical(request, path);
        if !matches!(&first, Err(error) if error.kind() == ErrorKind::NotFound) {
            return first;
        }
        let whole = lexical::collapse(request.cwd.as_os_str().as_bytes(), path);
        let mut found: Option<Target> = None;
        for spelling in spellings(&whole) {
            match (self.find(request, None, &spelling), &found) {
                (Ok(target), None) => found = Some(target),
                (Ok(target), Some(other)) if same(&target, other) => {}
                (Ok(target), Some(other)) => return Err(ambiguous(&[&target, other])),
                (Err(error), _) if error.kind() == ErrorKind::NotFound => {}
                (Err(error), _) => return Err(error),
            }
        }
        found.map_or(first, Ok)
    }

    fn lexical(&self, request: &Request<'_>, path: &[u8]) -> Result<Target, Error> {
        let whole = lexical::collapse(request.cwd.as_os_str().as_bytes(), path);
        self.find(request, None, &whole)
    }

    fn physical(&self, request: &Request<'_>, path: &[u8]) -> Result<Target, Error> {
        let relative = path.first() != Some(&b'/');
        self.find(request, relative.then_some(request.cwd), path)
    }

    /// Every error names the text that was asked about.
    fn find(&self, request: &Request<'_>, cwd: Option<&Path>, path: &[u8]) -> Result<Target, Error> {
        let walk = || {
            let answer = self.walk(request, cwd, path);
            answer.map_err(|error| error.about(request.text))
        };
        let Some(lanes) = &self.lanes else {
            return walk();
        };
        let way = Way {
            zones: &self.zones,
            lanes,
            request,
            since: self.zones.since(),
        };
        way.resolve(cwd, path, walk)
    }

    /// The slow path.
    #[inline(never)]
    fn walk(&self, request: &Request<'_>, cwd: Option<&Path>, path: &[u8]) -> Result<Target, Error> {
        if let Some(answer) = self.walk_below(request, cwd, path) {
            return answer;
        }
        self.zones.check()?;
        let cwd = cwd.map(|cwd| cwd.as_os_str().as_bytes());
        let mut walk = Walk::new()?;
        let walked = along(&mut walk, request.operation, cwd, path);
        self.judge(request, walk, walked)
    }

    /// The slow path from a root on: while nothing that leads there moves, what is above it need not be opened again.
    fn walk_below(
        &self,
        request: &Request<'_>,
        cwd: Option<&Path>,
        path: &[u8],
    ) -> Option<Result<Target, Error>> {
        let since = self.zones.since()?;
        let cwd = cwd.map(|cwd| cwd.as_os_str().as_bytes());
        let (index, below) = self.zones.innermost(cwd.unwrap_or(path))?;
        let root = self.zones.roots.get(index)?;
        let mut walk = Walk::at(root.way.iter().cloned());
        let walked = match cwd {
            Some(_) => along(&mut walk, request.operation, Some(below), path),
            None => along(&mut walk, request.operation, None, below),
        };
        let seen = walk.refresh().ok()? == Some(root.way.len());
        let answer = self.judge(request, walk, walked);
        let seen = seen.then_some(index);
        self.zones.is_quiet(Some(since), seen).then_some(answer)
    }

    fn judge(
        &self,
        request: &Request<'_>,
        walk: Walk,
        walked: Result<usize, (usize, Error)>,
    ) -> Result<Target, Error> {
        let from = match &walked {
            Ok(from) | Err((from, _)) => *from,
        };
        let crossed = walk.crossed().get(from..).unwrap_or_default();
        let roams = roam::roams(&self.zones, &self.ambient, request.cwd, crossed);
        match walked {
            Ok(_) => judge::judge(&self.zones, request.operation, walk.finish(), roams),
            Err((_, error)) => Err(judge::judge_lost(
                &self.zones,
                request.operation,
                walk.lost(error),
                roams,
            )),
        }
    }
}

/// Goes along the working directory, where there is one, and the text. Tells how much was crossed on the way to the
/// former: the host says what that is, and not the text.
fn along(
    walk: &mut Walk,
    operation: Operation,
    cwd: Option<&[u8]>,
    path: &[u8],
) -> Result<usize, (usize, Error)> {
    let last_link = if operation.follows() {
        LastLink::Follow
    } else {
        LastLink::Keep
    };
    if let Some(cwd) = cwd {
        let there = walk.along(cwd, LastLink::Follow);
        there
            .and_then(|()| walk.stands_before(path))
            .map_err(|error| (0, error))?;
    }
    let from = walk.crossed().len();
    walk.along(path, last_link).map_err(|error| (from, error))?;
    Ok(from)
}

/// The refusal of several readings; it does not tell what one of them would find outside (R15), and touches what they
/// touch.
fn ambiguous(readings: &[&Target]) -> Error {
    doubtful(Error::new(ErrorKind::Ambiguous), readings)
}

/// The refusal, which stands for these readings as well.
fn doubtful(error: Error, readings: &[&Target]) -> Error {
    let any = |is: fn(&Target) -> bool| readings.iter().any(|target| is(target));
    let climbs = any(|target| target.concerns().contains(&Concern::Climbs));
    let touches = readings.iter().flat_map(|target| target.touches());
    let error = error.also_touching(touches);
    if climbs {
        error.closed()
    } else {
        error.outside_if(any(|target| target.standing() == Standing::Outside))
    }
}

/// The two readings lead to the same object, or to the same missing name.
fn same(a: &Target, b: &Target) -> bool {
    a.place() == b.place() && a.identity() == b.identity() && a.state() == b.state()
}
