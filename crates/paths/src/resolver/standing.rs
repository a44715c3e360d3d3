//! Where a place stands: by the identity of what is on its way, never by its text (R3).

use super::chain::{Node, Step, Walked};
use super::roam::Roams;
use crate::target::RootMark;
use crate::zones::Zones;
use crate::{Error, ErrorKind, Identity, Operation, Standing};

/// Where a place stands, and the root that says so.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand {
    pub(super) standing: Standing,
    pub(super) root: Option<RootMark>,
}

impl Stand {
    /// Where what was reached stands. For an operation on a name, the directory that has the name counts; and where a
    /// trailing slash makes it mean link and target, the strictest of the two (R11).
    pub(super) fn of(zones: &Zones, operation: Operation, walked: &Walked) -> Self {
        let named = operation.acts_on_name() && walked.tail.is_empty();
        let counted = walked.chain.len() - usize::from(named && !walked.chain.is_empty());
        let stand = Self::on(
            zones,
            walked.chain.iter().take(counted).map(|node| node.facts.identity),
        );
        let Some((_, dirs)) = walked.also.as_deref().and_then(<[Step]>::split_last) else {
            return stand.or_exactly(zones, operation, walked);
        };
        let link = Self::on(zones, dirs.iter().filter_map(|step| step.identity));
        if link.standing == Standing::Outside {
            link
        } else {
            stand
        }
    }

    /// What no directory holds may still be a file that is allowed alone.
    fn or_exactly(self, zones: &Zones, operation: Operation, walked: &Walked) -> Self {
        if self.standing != Standing::Outside {
            return self;
        }
        let marks = zones.files.iter().map(|file| file.is(operation, walked));
        let found = marks.enumerate().find_map(|(file, mark)| Some((file, mark?)));
        found.map_or(self, |(file, mark)| Self {
            standing: Standing::Exactly { file },
            root: Some(mark),
        })
    }

    /// The innermost root on a chain that begins at `/`.
    pub(super) fn on(zones: &Zones, chain: impl Iterator<Item = Identity>) -> Self {
        let mut stand = Self {
            standing: Standing::Outside,
            root: None,
        };
        for (depth, identity) in chain.enumerate() {
            if let Some(root) = zones
                .roots
                .iter()
                .position(|root| root.facts.identity == identity)
            {
                stand.standing = Standing::Inside { root };
                stand.root = Some(RootMark { depth, identity });
            }
        }
        stand
    }

    /// An error here: outside the roots, or on a way that leads through what is, it says no more than a protected place
    /// would (R15).
    pub(super) fn refuse(self, error: Error, roams: Roams) -> Error {
        match self.standing {
            _ if roams == Roams::Climbs => error.closed(),
            Standing::Inside { .. } | Standing::Exactly { .. } if roams == Roams::No => error,
            _ => error.outside(),
        }
    }
}

/// Below a root, another mount is another place, unless it is a root itself.
pub(super) fn check_mounts(zones: &Zones, chain: &[Node]) -> Result<(), Error> {
    let mut mount = None;
    for node in chain {
        if zones
            .roots
            .iter()
            .any(|root| root.facts.identity == node.facts.identity)
        {
            mount = Some(node.facts.mount);
        } else if mount.is_some_and(|mount| mount != node.facts.mount) {
            return Err(Error::new(ErrorKind::Mount));
        }
    }
    Ok(())
}
