//! What a pattern selects of the zones' places by their names alone.

use std::collections::BTreeSet;

use super::name::NamePattern;
use super::select::{Selection, is_deep};
use crate::Error;
use crate::zones::fold;

impl Selection<'_> {
    /// The places of zones, and what holds them, that the pattern selects by their names: also where there is nothing
    /// yet, and where the bound on work is reached before they are. What is below them is looked at on the disk. Some
    /// disks confuse names, and so does this (R4): the resolver says what of that is so.
    pub(super) fn by_name(
        &mut self,
        base: &[u8],
        base_is_there: bool,
        rest: &[&[u8]],
        patterns: &[NamePattern],
    ) -> Result<(), Error> {
        let folded: Vec<NamePattern> = rest
            .iter()
            .map(|component| NamePattern::of(&fold(component)))
            .collect();
        let is =
            |ours: &[u8], theirs: &[u8]| ours == theirs || (!base_is_there && fold(ours) == fold(theirs));
        let outside = self.reach.outside.is_some() || self.unheld.is_some();
        let skip_dots = self.request.dialect.sugar().stars_skip_dots;
        let base_names: Vec<&[u8]> = names_of(base).collect();
        let zones = &self.resolver.zones.zones;
        let mut met = BTreeSet::new();
        for form in zones.iter().flat_map(|zone| &zone.forms) {
            let names: Vec<&[u8]> = form.names().collect();
            let Some((above, below)) = names.split_at_checked(base_names.len()) else {
                continue;
            };
            if !above
                .iter()
                .zip(&base_names)
                .all(|(ours, theirs)| is(ours, theirs))
            {
                continue;
            }
            // Which parts of the pattern can come next, after each name.
            let mut next: BTreeSet<usize> = [0].into();
            for (depth, name) in below.iter().enumerate() {
                let mut after = BTreeSet::new();
                let folded_name = fold(name);
                for &used in &skipping(rest, &next) {
                    let (Some(component), Some(pattern), Some(folded)) =
                        (rest.get(used), patterns.get(used), folded.get(used))
                    else {
                        continue;
                    };
                    if is_deep(component) {
                        after.insert(used);
                    }
                    if pattern.may_select(name, skip_dots) || folded.may_select(&folded_name, skip_dots) {
                        after.insert(used + 1);
                    }
                }
                // Outside, what is below a zone is not told from what would be (R15).
                let below_it = outside && depth + 1 == below.len() && !after.is_empty();
                if below_it || skipping(rest, &after).contains(&rest.len()) {
                    let mut place = base_names.clone();
                    place.extend(below.get(..=depth).unwrap_or_default());
                    met.insert(
                        place
                            .iter()
                            .flat_map(|name| [b"/", *name].concat())
                            .collect::<Vec<u8>>(),
                    );
                }
                next = after;
            }
        }
        met.iter().try_for_each(|place| self.place(place))
    }
}

fn names_of(place: &[u8]) -> impl Iterator<Item = &[u8]> {
    place.split(|byte| *byte == b'/').filter(|name| !name.is_empty())
}

/// The positions that are reached from these when deep parts stand for nothing.
fn skipping(rest: &[&[u8]], from: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut reached = from.clone();
    for (at, component) in rest.iter().enumerate() {
        if reached.contains(&at) && is_deep(component) {
            reached.insert(at + 1);
        }
    }
    reached
}
