//! The way by names: the plain case, and what can be made plain. Links are read and put in place of their names, `..` is
//! taken off a name that was opened, until one call can hold the object. What this cannot tell is walked.

use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::readlinkat;
use rustix::io::Errno;

use super::backend::open_name_unchecked;
use super::beneath::{Deepest, Stopped, beneath, deepest, in_one_call_all};
use super::cover::Cover;
use super::fast::{Stop, facts, fits, hold};
use super::lane::{Near, names};
use super::lanes::{Lanes, On};
use super::leaf::check_missing;
use super::text::Text;
use super::walk::MAX_LINKS;
use crate::target::{Remarks, facts_on_mount};
use crate::visible::unusual;
use crate::zones::{Root, Since, Zones};
use crate::{Concern, Error, Facts, FileKind, Held, Leaf, Operation, Place, Relation, Request, Target};

/// The longest name that the kernel takes.
const MAX_NAME: usize = 255;

/// Decides by names.
pub(super) struct Way<'a> {
    pub(super) zones: &'a Zones,
    pub(super) lanes: &'a Lanes,
    pub(super) request: &'a Request<'a>,
    /// From when on what leads to roots and zones is watched.
    pub(super) since: Option<Since>,
}

/// What names tell: in which lane, of which zones, and what is held, or why nothing is.
struct Told<'a> {
    on: On<'a>,
    near: Vec<(usize, Relation)>,
    held: Result<Held, Error>,
}

impl<'a> Way<'a> {
    /// The answer, where names tell it; otherwise the walk decides.
    ///
    /// Nearly every question is about one plain object below a base, of which there is nothing to say. That is all in this
    /// one function, and nothing is put together before the answer is sure: what is held is large, and handing it up would
    /// copy it at every step.
    #[inline(always)]
    pub(super) fn resolve(
        &self,
        cwd: Option<&Path>,
        path: &[u8],
        walk: impl FnOnce() -> Result<Target, Error>,
    ) -> Result<Target, Error> {
        let root = |cwd: &[u8]| {
            let mut roots = self.zones.roots.iter();
            roots.position(|root| root.name.as_bytes() == cwd)
        };
        let from = cwd.map(|cwd| cwd.as_os_str().as_bytes()).unwrap_or_default();
        let mut text = Text::with_room_for(from, path);
        text.begin(from, path, root);
        let stopped = 'plain: {
            let Some(on) = self.plain_lane(&text) else {
                break 'plain None;
            };
            let object = match in_one_call_all(&on, &mut text) {
                Some(Ok(object)) => object,
                Some(Err(errno)) => break 'plain Some((on, Stopped::from(errno).into())),
                None => break 'plain None,
            };
            let Ok(facts) = facts_on_mount(&object, on.base.facts.mount) else {
                return walk();
            };
            if !on.lane.spares(on.base, &facts, &[]) {
                return walk();
            }
            if facts.is_link {
                break 'plain Some((on, Stop::LastLink(object, facts)));
            }
            let operation = self.request.operation;
            let seen = on.root().filter(|_| facts.identity != on.base.facts.identity);
            if !fits(operation, &text, &facts) || !self.is_in_order(&on, &text, seen) {
                return walk();
            }
            return Ok(Target {
                place: Place::from_bytes(text.place),
                standing: on.standing(),
                operation,
                held: Held::Existing {
                    object,
                    facts,
                    name: None,
                },
                root: on.mark(),
                remarks: None,
            });
        };
        self.in_steps(cwd, path, text, stopped, walk)
    }

    /// The lane in which one call can answer, and by its names the text is far from every zone there.
    #[inline(always)]
    fn plain_lane(&self, text: &Text) -> Option<On<'a>> {
        let operation = self.request.operation;
        if operation.needs_name() || !operation.follows() || text.climbs() || !text.fits() {
            return None;
        }
        let on = self.lanes.of(self.zones, text)?;
        let far = on.lane.is_far(on.below(&text.place), operation.reads_subtree());
        (far && !on.base.weak).then_some(on)
    }

    /// The answer where one call was not enough; where one was made, what it told.
    #[inline(never)]
    fn in_steps(
        &self,
        cwd: Option<&Path>,
        path: &[u8],
        mut text: Text,
        stopped: Option<(On<'a>, Stop)>,
        walk: impl FnOnce() -> Result<Target, Error>,
    ) -> Result<Target, Error> {
        let mut links = Vec::new();
        let Some(Told { on, near, held }) = self.look(cwd, path, &mut text, &mut links, stopped) else {
            return walk();
        };
        let seen = on.root().filter(|_| is_below(&held, &on, on.below(&text.place)));
        if !self.is_in_order(&on, &text, seen) {
            return walk();
        }
        let place = Place::from_bytes(text.place);
        let nothing_to_say = near.is_empty() && links.is_empty() && !on.base.weak;
        let (held, remarks) = match held {
            Ok(held @ Held::Existing { .. }) if nothing_to_say => (held, None),
            held => {
                let told = self.tell(&on, &place, &near, held, links);
                told.map_err(|error| error.about(self.request.text))?
            }
        };
        Ok(Target {
            place,
            standing: on.standing(),
            operation: self.request.operation,
            held,
            root: on.mark(),
            remarks,
        })
    }

    fn look(
        &self,
        cwd: Option<&Path>,
        path: &[u8],
        text: &mut Text,
        links: &mut Vec<Place>,
        mut stopped: Option<(On<'a>, Stop)>,
    ) -> Option<Told<'a>> {
        // Something outside was followed or left again.
        let mut roamed = false;
        loop {
            let (on, near, held) = match stopped.take() {
                // By its names it is far from every zone.
                Some((on, stop)) => (on, Vec::new(), Err(stop)),
                None => {
                    if !text.fits() {
                        return None;
                    }
                    let on = self.lanes.of(self.zones, text)?;
                    if roamed && !on.is_outside() {
                        return None;
                    }
                    if text.climbs() {
                        if roamed || on.is_outside() {
                            return None;
                        }
                        climb(&on, text, links)?;
                        continue;
                    }
                    let near = on.lane.near(on.below(&text.place), self.takes_tree());
                    let Near::Zones(near) = near else {
                        return None;
                    };
                    let held = hold(self.request.operation, &on, text, &near);
                    (on, near, held)
                }
            };
            match held {
                Ok(held) => {
                    let held = Ok(held);
                    return Some(Told { on, near, held });
                }
                Err(Stop::LastLink(link, facts)) => {
                    roamed |= on.is_outside();
                    let end = text.place.len();
                    follow(&on, text, links, &link, &facts, end)?;
                }
                Err(Stop::Link(at)) => {
                    roamed |= on.is_outside();
                    follow_first(&on, text, links, at)?;
                }
                Err(Stop::Missing(at)) => {
                    // When more is missing than the path names, the working directory is.
                    let most = cwd.map_or(usize::MAX, |_| names(path).filter(|name| *name != b".").count());
                    let held = missing(self.request.operation, &on, text, &near, most, at)?;
                    return Some(Told { on, near, held });
                }
                Err(Stop::Other) => return None,
            }
        }
    }

    /// What is to be said of what is held, or why nothing is.
    #[cold]
    fn tell(
        &self,
        on: &On<'_>,
        place: &Place,
        near: &[(usize, Relation)],
        held: Result<Held, Error>,
        links: Vec<Place>,
    ) -> Result<(Held, Option<Box<Remarks>>), Error> {
        let cover = Cover::by_name(self.zones, self.request.operation, near);
        cover.refuse(self.zones, || place.clone())?;
        let held = match held {
            Ok(held) => held,
            Err(error) => {
                let error = if on.is_outside() { error.outside() } else { error };
                return Err(error.at(place.clone()).touching(cover.touches));
            }
        };
        let mut concerns = cover.concerns;
        if on.base.weak {
            concerns.push(Concern::WeakIdentity);
        }
        if matches!(&held, Held::Missing { tail, .. } if tail.iter().any(|leaf| unusual(leaf.as_bytes()))) {
            concerns.push(Concern::UnusualName);
        }
        Ok((held, Remarks::new(concerns, links, cover.touches)))
    }

    /// Asked when what is there is held.
    #[inline(always)]
    fn is_in_order(&self, on: &On<'_>, text: &Text, seen: Option<usize>) -> bool {
        self.zones.is_quiet(self.since, seen) || self.is_looked_at(on, text)
    }

    /// Where nothing is watched.
    ///
    /// RACE: what is in place now may have been elsewhere when the object was opened. Where a directory that leads to a
    /// zone, moved from its place, could have been on the way or be below what was found, the walk sees for itself.
    #[inline(never)]
    fn is_looked_at(&self, on: &On<'_>, text: &Text) -> bool {
        // A name right below the base is not behind such a directory, but it may be one.
        let could_be_behind = text.is_read_on() || self.takes_tree() || on.below(&text.place).contains(&b'/');
        !could_be_behind && self.zones.known().all(Root::is_all_there)
    }

    fn takes_tree(&self) -> bool {
        self.request.operation.takes_subtree() || self.request.operation.reads_subtree()
    }
}

/// Something is held below the base: neither the base itself nor a name that is missing in it.
fn is_below(held: &Result<Held, Error>, on: &On<'_>, below: &[u8]) -> bool {
    match held {
        Ok(Held::Existing { facts, .. }) => facts.identity != on.base.facts.identity,
        Ok(Held::Link { .. }) => true,
        Ok(Held::Missing { tail, .. }) => names(below).count() != tail.len(),
        Err(_) => false,
    }
}

/// Takes `..`, behind a directory that is opened for it: a text says nothing about what is above a missing name or a file.
#[inline(never)]
fn climb(on: &On<'_>, text: &mut Text, links: &mut Vec<Place>) -> Option<()> {
    // Out of a protected place or of one that may be: the walk tells what that means (R15).
    if !on.lane.is_clear(on.below(&text.place)) {
        return None;
    }
    let end = text.place.len();
    // The kernel looks `..` up in it, as any name, and so it does with this.
    text.place.extend_from_slice(b"/.");
    let inside = beneath(on, text, end + 2);
    text.place.truncate(end);
    let opened = match inside {
        Ok(opened) => opened,
        Err(stopped) if stopped.errno == Errno::LOOP => return follow_behind(on, text, links, stopped.at),
        Err(_) => return None,
    };
    if facts(on, &opened, &[]).ok()?.kind != FileKind::Dir {
        return None;
    }
    text.climb(on.lane.start() - 1)
}

/// Follows the first link on the way, which may be all of it.
fn follow_behind(on: &On<'_>, text: &mut Text, links: &mut Vec<Place>, at: Option<Deepest>) -> Option<()> {
    if at.is_some() {
        return follow_first(on, text, links, at);
    }
    let end = text.place.len();
    match beneath(on, text, end) {
        Ok(opened) => {
            let found = facts(on, &opened, &[]).ok()?;
            follow(on, text, links, &opened.object, &found, end)
        }
        Err(stopped) if stopped.errno == Errno::LOOP => follow_first(on, text, links, stopped.at),
        Err(_) => None,
    }
}

/// Follows the first link on the way.
#[inline(never)]
fn follow_first(on: &On<'_>, text: &mut Text, links: &mut Vec<Place>, at: Option<Deepest>) -> Option<()> {
    let link = match at {
        Some(link) => link,
        None => deepest(on, text, Errno::LOOP)?,
    };
    let found = facts(on, &link.opened, &[]).ok()?;
    follow(
        on,
        text,
        links,
        &link.opened.object,
        &found,
        on.lane.start() + link.end,
    )
}

/// Follows the link whose name ends at that byte of the place.
#[inline(never)]
fn follow(
    on: &On<'_>,
    text: &mut Text,
    links: &mut Vec<Place>,
    link: &OwnedFd,
    found: &Facts,
    end: usize,
) -> Option<()> {
    let place = text.place.get(..end)?.to_vec();
    // Nor in the place of a directory that leads to a zone.
    let clear = matches!(on.lane.near(on.below(&place), true), Near::Zones(zones) if zones.is_empty());
    if !found.is_link || links.len() >= MAX_LINKS || !clear || !on.lane.spares(on.base, found, &[]) {
        return None;
    }
    let leads_to = readlinkat(link, c"", Vec::new()).ok()?;
    links.push(Place::from_bytes(place));
    text.expand(end, leads_to.as_bytes())
}

/// The nearest directory and the names that are missing below it, at most so many, or what the operation cannot do with that.
#[inline(never)]
fn missing(
    operation: Operation,
    on: &On<'_>,
    text: &mut Text,
    near: &[(usize, Relation)],
    most: usize,
    at: Option<Deepest>,
) -> Option<Result<Held, Error>> {
    let deepest = match at {
        Some(deepest) => deepest,
        None => deepest(on, text, Errno::NOENT)?,
    };
    let below = on.below(&text.place);
    let parent_facts = facts(on, &deepest.opened, near).ok()?;
    let mut tail = Vec::new();
    for name in names(below.get(deepest.end..)?) {
        if name.len() > MAX_NAME {
            return None;
        }
        tail.push(Leaf::from_bytes(name)?);
    }
    let first = tail.first().filter(|_| tail.len() <= most)?;
    // Only a clean answer means that it is new (R8).
    if parent_facts.kind != FileKind::Dir
        || open_name_unchecked(&deepest.opened.object, first.as_bytes()).err() != Some(Errno::NOENT)
    {
        return None;
    }
    if let Err(error) = check_missing(operation, tail.len(), text.must_be_dir) {
        return Some(Err(error));
    }
    Some(Ok(Held::Missing {
        parent: deepest.opened.object,
        tail,
    }))
}
