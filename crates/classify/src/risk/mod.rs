//! Risks, layers, causes and verdicts.

mod layer;
mod verdict;

pub use layer::Layer;
pub use verdict::{Cause, Verdict};

/// How risky: a lattice in which combining is always the maximum (invariant 4).
///
/// ```
/// use portcullis_classify::Risk;
///
/// assert_eq!(Risk::Confirm.join(Risk::Allow), Risk::Confirm);
/// assert!(Risk::Confirm < Risk::Deny);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a lattice of three: a new value must break the build"
)]
pub enum Risk {
    /// It may run.
    Allow,
    /// Ask first.
    Confirm,
    /// It does not run, and nobody can approve it.
    Deny,
}

impl Risk {
    /// All three, mildest first.
    pub const ALL: [Self; 3] = [Self::Allow, Self::Confirm, Self::Deny];

    /// The stricter of the two.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        self.max(other)
    }
    /// The strictest of all; nothing at all is `Allow`, the identity of joining.
    #[must_use]
    pub fn join_all(risks: impl IntoIterator<Item = Self>) -> Self {
        risks.into_iter().fold(Self::Allow, Self::join)
    }
    /// `allow`, `confirm`, `deny`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Confirm => "confirm",
            Self::Deny => "deny",
        }
    }
    /// The risk that [`Risk::word`] writes so; letter case matters.
    #[must_use]
    pub fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|risk| risk.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_risk() -> impl Strategy<Value = Risk> {
        prop::sample::select(Risk::ALL.to_vec())
    }

    proptest! {
        #[test]
        fn join_obeys_the_laws_of_a_bounded_lattice(a in any_risk(), b in any_risk(), c in any_risk()) {
            prop_assert_eq!(a.join(b), b.join(a));
            prop_assert_eq!(a.join(b).join(c), a.join(b.join(c)));
            prop_assert_eq!(a.join(a), a);
            prop_assert_eq!(a.join(Risk::Allow), a);
            prop_assert_eq!(a.join(Risk::Deny), Risk::Deny);
            prop_assert!(a.join(b) >= a && a.join(b) >= b, "an upper bound");
            prop_assert!(a.join(b) == a || a.join(b) == b, "and the least one");
            if a <= b {
                prop_assert!(a.join(c) <= b.join(c), "monotone");
            }
        }

        #[test]
        fn joining_more_never_lowers(risks in prop::collection::vec(any_risk(), 0..8), more in any_risk(), at in 0_usize..9) {
            let before = Risk::join_all(risks.clone());
            let mut with = risks;
            with.insert(at.min(with.len()), more);
            prop_assert!(Risk::join_all(with.clone()) >= before);
            with.reverse();
            prop_assert_eq!(Risk::join_all(with), before.join(more));
        }
    }

    #[test]
    fn words_lead_back() {
        for risk in Risk::ALL {
            assert_eq!(Risk::by_word(risk.word()), Some(risk));
        }
        assert_eq!(Risk::by_word("Allow"), None);
        assert_eq!(Risk::by_word(""), None);
    }
}
