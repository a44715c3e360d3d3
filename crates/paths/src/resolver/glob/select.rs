//! Looking at what a pattern selects, directory by directory, within a bound.

use std::collections::BTreeSet;

use super::super::lexical;
use super::listings::{LOOK, Listings, MOST_NAMES};
use super::name::{NamePattern, is_wild};
use super::{GlobReach, Request, Resolver};
use crate::{Concern, Error, ErrorKind, FileKind, Model, Operation, Place, Standing, State, Target};

pub(super) struct Selection<'a> {
    pub(super) resolver: &'a Resolver,
    pub(super) request: Request<'a>,
    /// What may be looked at for this pattern with all its alternatives.
    names_left: usize,
    listings: &'a Listings,
    /// A place outside where nothing can be held.
    pub(super) unheld: Option<Place>,
    pub(super) reach: GlobReach,
}

/// A directory that was reached, by its canonical place, and how much of the pattern was used up on the way.
struct Reached {
    place: Vec<u8>,
    /// The names that led there, which are others where links did.
    spelled: Vec<u8>,
    used: usize,
}

impl<'a> Selection<'a> {
    pub(super) fn new(resolver: &'a Resolver, request: &Request<'a>, listings: &'a Listings) -> Self {
        Self {
            resolver,
            request: *request,
            names_left: MOST_NAMES,
            listings,
            unheld: None,
            reach: GlobReach::starts(),
        }
    }

    /// What was found altogether.
    pub(super) fn finish(self) -> GlobReach {
        let mut reach = self.reach;
        reach.outside = reach.outside.or(self.unheld);
        reach
    }

    /// Adds what one alternative selects.
    pub(super) fn of(&mut self, path: &[u8]) -> Result<(), Error> {
        self.literally(path)?;
        // A pattern that excludes selects everything else.
        let path = if path.first() == Some(&b'!') { b"**" } else { path };
        let components: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
        let Some(wild) = components.iter().position(|component| is_wild(component)) else {
            return Ok(());
        };
        let (head, rest) = components.split_at_checked(wild).unwrap_or_default();
        let rest: Vec<&[u8]> = rest
            .iter()
            .copied()
            .filter(|name| !matches!(*name, b"" | b"."))
            .collect();
        // After a wildcard nobody knows what `..` leaves, least of all a tool that collapses it in the text.
        if rest.contains(&&b".."[..]) {
            return Err(Error::new(ErrorKind::Ambiguous));
        }
        let mut head = head.join(&b'/');
        if path.first() == Some(&b'/') {
            head.push(b'/');
        } else if head.is_empty() {
            head.push(b'.');
        }
        // What stands for any number of names stands for none: what is before it is selected, and need not be a directory.
        if wild > 0 && rest.iter().all(|component| is_deep(component)) {
            self.literally(&head)?;
        }
        let Some(base) = self.directory(Base::Written(&head))? else {
            // Nothing is there yet; rules may speak of it all the same.
            let Some(base) = self.missing(&head) else {
                return Ok(());
            };
            let patterns: Vec<NamePattern> = rest.iter().map(|name| NamePattern::of(name)).collect();
            return self.by_name(&base, false, &rest, &patterns);
        };
        let cwd = self.request.cwd.as_os_str().as_encoded_bytes();
        let climbs = head.split(|byte| *byte == b'/').any(|name| name == b"..");
        let spelled = match head.first() {
            _ if !climbs || self.request.dialect.model() == Model::Lexical => lexical::collapse(cwd, &head),
            Some(b'/') => head,
            _ => [cwd, b"/", &head].concat(),
        };
        self.below(base, spelled, &rest)
    }

    /// Adds the place that the text itself names, if there is one.
    pub(super) fn literally(&mut self, path: &[u8]) -> Result<(), Error> {
        match self.resolver.read(&self.request, path) {
            Ok(target) if climbs(&target) => return Err(Error::undisclosed(self.request.text).closed()),
            Ok(target) => self.reach.selects(&target),
            Err(error) => self.fails(error)?,
        }
        Ok(())
    }

    fn below(&mut self, base: Vec<u8>, spelled: Vec<u8>, rest: &[&[u8]]) -> Result<(), Error> {
        let patterns: Vec<NamePattern> = rest.iter().map(|component| NamePattern::of(component)).collect();
        self.by_name(&base, true, rest, &patterns)?;
        let mut seen = BTreeSet::new();
        let mut left = vec![Reached {
            place: base,
            spelled,
            used: 0,
        }];
        while let Some(Reached { place, spelled, used }) = left.pop() {
            let (Some(component), Some(pattern)) = (rest.get(used), patterns.get(used)) else {
                continue;
            };
            if !seen.insert((place.clone(), used)) {
                continue;
            }
            let deep = is_deep(component);
            let more = rest.get(used + 1..).unwrap_or_default();
            // What follows may stand for nothing at all.
            let ends = more.iter().all(|component| is_deep(component));
            let last = more.is_empty();
            if deep && !last {
                left.push(Reached {
                    place: place.clone(),
                    spelled: spelled.clone(),
                    used: used + 1,
                });
            }
            let skip_dots = self.request.dialect.sugar().stars_skip_dots;
            let selects = |name: &[u8]| pattern.may_select(name, skip_dots);
            let leads = deep || !last;
            for Found { name, leads_on } in self.names(&place, |name| deep || selects(name)) {
                let selected = !deep || selects(&name);
                if !(selected && ends || leads_on && leads) {
                    continue;
                }
                if !self.listings.take(LOOK) {
                    self.reach.complete = false;
                    return Ok(());
                }
                let path = [place.as_slice(), b"/", name.as_slice()].concat();
                let spelled = [spelled.as_slice(), b"/", name.as_slice()].concat();
                if selected && ends {
                    self.place(&path)?;
                    self.spelled(&path, &spelled)?;
                }
                if leads_on
                    && leads
                    && let Some(place) = self.directory(Base::Canonical(&path))?
                {
                    if deep {
                        left.push(Reached {
                            place: place.clone(),
                            spelled: spelled.clone(),
                            used,
                        });
                    }
                    if selected && !last {
                        left.push(Reached {
                            place,
                            spelled,
                            used: used + 1,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a selected place.
    pub(super) fn place(&mut self, path: &[u8]) -> Result<(), Error> {
        match self.resolver.find(&self.request, None, path) {
            Ok(target) => self.reach.selects(&target),
            Err(error) => self.fails(error)?,
        }
        Ok(())
    }

    /// What the zones say of the names that led to a selected place, where links did: a zone may be known by those (R4).
    fn spelled(&mut self, place: &[u8], spelled: &[u8]) -> Result<(), Error> {
        if place == spelled {
            return Ok(());
        }
        match self.resolver.find(&self.request, None, spelled) {
            Ok(target) => self.reach.touch(target.touches()),
            Err(error) if error.kind() == ErrorKind::Protected => return Err(error),
            Err(_) => {}
        }
        Ok(())
    }

    /// The canonical place of a directory that the pattern goes through; `None` where it cannot.
    fn directory(&mut self, base: Base<'_>) -> Result<Option<Vec<u8>>, Error> {
        let request = Request {
            operation: Operation::List,
            ..self.request
        };
        let found = match base {
            Base::Written(path) if request.dialect.model() == Model::Lexical => {
                let whole = lexical::collapse(request.cwd.as_os_str().as_encoded_bytes(), path);
                self.resolver.find(&request, None, &whole)
            }
            Base::Written(path) => self.resolver.read(&request, path),
            Base::Canonical(path) => self.resolver.find(&request, None, path),
        };
        match found {
            Ok(target) if climbs(&target) => Err(Error::undisclosed(self.request.text).closed()),
            Ok(target) if target.state() == State::Existing(FileKind::Dir) => {
                self.reach.passes(&target);
                Ok(Some(target.place().as_bytes().to_vec()))
            }
            Ok(target) => {
                // Outside, a file tells as little as nothing there does: both are asked about.
                if target.standing() == Standing::Outside {
                    self.reach.touch(target.touches());
                    self.unheld.get_or_insert_with(|| target.place().clone());
                }
                Ok(None)
            }
            Err(error) => self.fails(error).map(|()| None),
        }
    }

    /// The place that a directory would have.
    fn missing(&self, head: &[u8]) -> Option<Vec<u8>> {
        let request = Request {
            operation: Operation::List,
            ..self.request
        };
        let error = self.resolver.read(&request, head).err()?;
        let place = error.place().filter(|_| error.kind() == ErrorKind::NotFound)?;
        Some(place.as_bytes().to_vec())
    }

    /// A place that is protected denies the pattern; nothing there is nothing selected; what cannot be looked at is asked about.
    fn fails(&mut self, error: Error) -> Result<(), Error> {
        // Whether such a text leads anywhere tells what is there, so that it is refused in any case (R15).
        if error.is_closed() {
            return Err(error.turned(ErrorKind::Protected));
        }
        self.reach.touch(error.touches());
        // What is outside counts whether it is there or not.
        if error.may_be_asked() && self.unheld.is_none() {
            self.unheld = error.place().cloned();
        }
        match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::WrongType
            | ErrorKind::Exists
            | ErrorKind::Loop => Ok(()),
            ErrorKind::Protected | ErrorKind::Changed | ErrorKind::Syntax => Err(error),
            _ => {
                self.reach.complete = false;
                Ok(())
            }
        }
    }

    /// The names in a directory that are wanted, sorted, as long as there is work left.
    fn names(&mut self, place: &[u8], wanted: impl Fn(&[u8]) -> bool) -> Vec<Found> {
        let request = Request {
            operation: Operation::List,
            ..self.request
        };
        let Ok(target) = self.resolver.find(&request, None, place) else {
            return Vec::new();
        };
        let names = match self.listings.of(&target) {
            Ok(names) => names,
            Err(error) if error.kind() == ErrorKind::WrongType => return Vec::new(),
            Err(_) => {
                self.reach.complete = false;
                return Vec::new();
            }
        };
        let mut entries: Vec<_> = names.entries.iter().collect();
        self.reach.complete &= !names.is_cut;
        if entries.len() > self.names_left {
            self.reach.complete = false;
            entries.sort_unstable();
            entries.truncate(self.names_left);
        }
        self.names_left = self.names_left.saturating_sub(entries.len());
        if !self.listings.take(entries.len()) {
            self.reach.complete = false;
            return Vec::new();
        }
        let wanted = entries.iter().filter(|entry| wanted(entry.name.as_bytes()));
        let mut found: Vec<Found> = wanted
            .map(|entry| Found {
                name: entry.name.as_bytes().to_vec(),
                leads_on: entry.leads_on,
            })
            .collect();
        found.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        found
    }
}

/// The way there is one that nobody may be asked about.
fn climbs(target: &Target) -> bool {
    target.concerns().contains(&Concern::Climbs)
}

/// A name in a directory that was reached.
struct Found {
    name: Vec<u8>,
    /// It may lead to more names.
    leads_on: bool,
}

/// It selects names at any depth, and none at all.
pub(super) fn is_deep(component: &[u8]) -> bool {
    component.windows(2).any(|pair| pair == b"**")
}

/// Where a pattern begins or goes on.
enum Base<'a> {
    /// As the tool got it.
    Written(&'a [u8]),
    /// Below a canonical place.
    Canonical(&'a [u8]),
}
