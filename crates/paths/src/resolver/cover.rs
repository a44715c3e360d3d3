//! What the zones say: deny-read before deny-write, then what a person should know (R4).

use super::chain::{By, Crossed, Step};
use super::standing::Stand;
use crate::zones::{Lives, OpenZone, Zones};
use crate::{Concern, Error, Facts, FileKind, Operation, Place, Relation, Standing, Touch, ZoneKind};

/// What the zones say about a place.
#[derive(Debug, Default)]
pub(super) struct Cover {
    denied: Option<(ZoneKind, usize)>,
    pub(super) concerns: Vec<Concern>,
    pub(super) touches: Vec<Touch>,
}

impl Cover {
    /// What the zones say about a place that was reached, for the operation.
    pub(super) fn of(zones: &Zones, operation: Operation, places: &[&[Step]]) -> Self {
        let mut cover = Self::default();
        for steps in places {
            for (index, zone) in zones.zones.iter().enumerate() {
                if let Some(relation) = zone.relate(steps) {
                    cover.add(index, zone, operation, relation);
                }
            }
        }
        cover
    }

    /// What they say about a place whose names alone tell how it stands to them.
    #[inline]
    pub(super) fn by_name(zones: &Zones, operation: Operation, near: &[(usize, Relation)]) -> Self {
        let mut cover = Self::default();
        for (index, relation) in near {
            // Of several ways to one zone, the one that leads into it counts.
            let counts = *relation == Relation::Within || !near.contains(&(*index, Relation::Within));
            if let (true, Some(zone)) = (counts, zones.zones.get(*index)) {
                cover.add(*index, zone, operation, *relation);
            }
        }
        cover
    }

    /// What they say about the other names of the object there: one in a zone counts as much as the one that led to it.
    pub(super) fn names(&mut self, zones: &Zones, operation: Operation, steps: &[Step], facts: &Facts) {
        if facts.links < 2 || facts.kind == FileKind::Dir {
            return;
        }
        for (index, zone) in zones.zones.iter().enumerate() {
            let matters = match zone.kind {
                ZoneKind::DenyWrite | ZoneKind::ConfirmWrite => operation.writes(),
                ZoneKind::ConfirmRead => operation.reads(),
                _ => true,
            };
            if !matters || zone.relate(steps) == Some(Relation::Within) {
                continue;
            }
            match zone.names(facts.identity) {
                Lives::Here => self.add(index, zone, operation, Relation::Within),
                Lives::Untold => self.concern(Concern::NamesUntold {
                    zone: zone.id.clone(),
                    names: facts.links,
                }),
                Lives::Elsewhere => {}
            }
        }
    }

    /// What they say about one that was not reached: it holds nothing, so only a zone around it counts.
    pub(super) fn around(zones: &Zones, operation: Operation, steps: &[Step]) -> Self {
        let mut cover = Self::default();
        for (index, zone) in zones.zones.iter().enumerate() {
            if zone.relate(steps) == Some(Relation::Within) {
                cover.add(index, zone, operation, Relation::Within);
            }
        }
        cover
    }

    /// What they say about the way there. One through a place that must not be read is refused wherever it ends:
    /// whether it ends at all would tell which names are there (R15).
    ///
    /// Outside, a write through a link in a place that must not be written is refused as if there were no link: where it
    /// leads, or that it is one, would tell what is there.
    pub(super) fn cross(&mut self, zones: &Zones, operation: Operation, crossed: &[Crossed]) {
        for (index, zone) in zones.zones.iter().enumerate() {
            // Whoever put a link in the place of a directory that leads to the zone has not moved the zone's name.
            let named = |crossed: &Crossed| {
                let spelled = || crossed.spelled().and_then(|spelled| zone.relate(&spelled));
                crossed.by == By::Link
                    && zone.relate(&crossed.steps) == Some(Relation::Contains)
                    && spelled() == Some(Relation::Within)
            };
            if crossed.iter().any(named) {
                self.add(index, zone, operation, Relation::Within);
            }
            let holds = |crossed: &Crossed| zone.relate(&crossed.steps) == Some(Relation::Within);
            if zone.kind == ZoneKind::DenyRead && crossed.iter().any(holds) {
                self.deny(ZoneKind::DenyRead, index);
            }
            // What a policy means by a place is not known here, so that it counts where it could be such a one.
            let outside = |crossed: &&Crossed| {
                let chain = crossed.steps.iter().filter_map(|step| step.identity);
                Stand::on(zones, chain).standing == Standing::Outside
            };
            let link = |crossed: &&Crossed| {
                let itself = crossed.steps.last().and_then(|step| step.identity);
                crossed.by == By::Link && !itself.is_some_and(|object| zones.leads_through(object))
            };
            if zone.kind == ZoneKind::DenyWrite
                && operation.writes()
                && crossed.iter().filter(link).filter(outside).any(holds)
            {
                self.deny(ZoneKind::DenyWrite, index);
            }
            if zone.kind == ZoneKind::Named && crossed.iter().filter(outside).any(holds) {
                self.touch(zone, Relation::Within);
            }
        }
    }

    /// The refusal of the strictest deny zone, if one covers the place.
    #[inline]
    pub(super) fn refuse(&self, zones: &Zones, place: impl FnOnce() -> Place) -> Result<(), Error> {
        match self.denied.and_then(|(_, index)| zones.zones.get(index)) {
            Some(zone) => Err(Error::protected(&zone.id).at(place())),
            None => Ok(()),
        }
    }

    fn add(&mut self, index: usize, zone: &OpenZone, operation: Operation, relation: Relation) {
        let takes = relation == Relation::Within || operation.takes_subtree();
        let reads_below = operation.reads_subtree();
        if !takes && !reads_below {
            return;
        }
        self.touch(zone, relation);
        let zone_id = zone.id.clone();
        match zone.kind {
            ZoneKind::DenyRead if takes => self.deny(ZoneKind::DenyRead, index),
            ZoneKind::DenyWrite if takes && operation.writes() => self.deny(ZoneKind::DenyWrite, index),
            ZoneKind::DenyRead | ZoneKind::ConfirmRead if operation.reads() => {
                self.concern(Concern::ConfirmRead { zone: zone_id });
            }
            ZoneKind::ConfirmWrite if takes && operation.writes() => {
                self.concern(Concern::ConfirmWrite { zone: zone_id });
            }
            _ => {}
        }
    }

    fn touch(&mut self, zone: &OpenZone, relation: Relation) {
        let touch = Touch {
            zone: zone.id.clone(),
            relation,
        };
        if !self.touches.contains(&touch) {
            self.touches.push(touch);
        }
    }

    fn deny(&mut self, kind: ZoneKind, index: usize) {
        let stricter = kind == ZoneKind::DenyRead && matches!(self.denied, Some((ZoneKind::DenyWrite, _)));
        if self.denied.is_none() || stricter {
            self.denied = Some((kind, index));
        }
    }

    fn concern(&mut self, concern: Concern) {
        if !self.concerns.contains(&concern) {
            self.concerns.push(concern);
        }
    }
}
