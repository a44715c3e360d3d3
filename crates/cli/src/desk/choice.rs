//! What a person can choose, in the order in which it is offered. No stands first and is chosen until a person chooses
//! something else.

use portcullis::desk::wire::{Asked, Said};

/// How long the longer allows last, in seconds.
const HOUR_S: u64 = 60 * 60;
/// How long one lasts that ends with its session, at the latest.
const DAY_S: u64 = 24 * HOUR_S;

/// One of the choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Choice {
    #[default]
    No,
    Once,
    Session,
    Hour,
    /// The same below a directory that is named beside it.
    Below,
}

/// What a person says beside the choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Beside<'a> {
    /// Words for the agent; they count with a no.
    pub(crate) reason: &'a str,
    /// The directory; it counts where one is to be named.
    pub(crate) below: &'a str,
    /// Also after a restart; it counts where something is allowed for a time.
    pub(crate) kept: bool,
}

impl Choice {
    const ALL: [Self; 5] = [Self::No, Self::Once, Self::Session, Self::Hour, Self::Below];

    /// What can be chosen about this question.
    pub(crate) fn about(asked: &Asked) -> Vec<Self> {
        let offers = &asked.offers;
        let is_offered = |choice: &Self| match choice {
            Self::No | Self::Once => true,
            Self::Session => offers.in_session,
            Self::Hour => offers.for_a_time,
            Self::Below => offers.for_a_time && !offers.below.is_empty(),
        };
        Self::ALL.into_iter().filter(is_offered).collect()
    }

    /// For programs and forms.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::No => "deny",
            Self::Once => "allow_once",
            Self::Session => "allow_session",
            Self::Hour => "allow_hour",
            Self::Below => "allow_below",
        }
    }

    pub(crate) fn by_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|choice| choice.word() == word)
    }

    /// For people.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::No => "No",
            Self::Once => "Allow once",
            Self::Session => "Allow this and exactly the same again in this session, for a day at most",
            Self::Hour => "Allow this and exactly the same again for one hour",
            Self::Below => "Allow this, and the same below a directory for one hour",
        }
    }

    /// Whether it can be made to outlast a restart.
    pub(crate) fn can_be_kept(self) -> bool {
        matches!(self, Self::Hour | Self::Below)
    }

    /// The answer; `None` when a directory has to be named and is not.
    pub(crate) fn say(self, beside: Beside<'_>) -> Option<Said> {
        let reason = beside.reason.trim();
        let again = |lasts_s, this_session, below: Option<&str>| Said::AllowAlways {
            lasts_s,
            this_session,
            below: below.map(str::to_owned),
            kept: beside.kept && self.can_be_kept(),
        };
        Some(match self {
            Self::No => Said::Deny {
                reason: (!reason.is_empty()).then(|| reason.to_owned()),
            },
            Self::Once => Said::AllowOnce {},
            Self::Session => again(DAY_S, true, None),
            Self::Hour => again(HOUR_S, false, None),
            Self::Below if beside.below.is_empty() => return None,
            Self::Below => again(HOUR_S, false, Some(beside.below)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_is_chosen_until_a_person_chooses() {
        assert_eq!(Choice::default(), Choice::No);
        let said = Choice::default().say(Beside {
            reason: " ",
            ..Beside::default()
        });
        assert_eq!(said, Some(Said::Deny { reason: None }));
    }

    /// What is read is what is said.
    #[test]
    fn a_label_names_how_long_it_lasts() {
        let named = Beside {
            below: "/w",
            ..Beside::default()
        };
        for choice in Choice::ALL {
            let words = match choice.say(named) {
                Some(Said::AllowAlways { lasts_s: 3600, .. }) => "for one hour",
                Some(Said::AllowAlways { lasts_s: 86_400, .. }) => "in this session, for a day at most",
                said => {
                    assert!(!matches!(said, Some(Said::AllowAlways { .. })), "{said:?}");
                    continue;
                }
            };
            assert!(choice.label().contains(words), "{}", choice.label());
        }
    }

    #[test]
    fn every_choice_has_its_word() {
        for choice in Choice::ALL {
            assert_eq!(Choice::by_word(choice.word()), Some(choice));
        }
        assert_eq!(Choice::by_word("yes"), None);
        assert_eq!(Choice::by_word("true"), None);
    }

    #[test]
    fn no_directory_is_taken_for_granted() {
        assert_eq!(Choice::Below.say(Beside::default()), None);
        let named = Beside {
            below: "/w",
            kept: true,
            ..Beside::default()
        };
        let Some(Said::AllowAlways { below, kept, .. }) = Choice::Below.say(named) else {
            panic!("a directory is named");
        };
        assert_eq!((below.as_deref(), kept), (Some("/w"), true));
        let Some(Said::AllowAlways { below, kept, .. }) = Choice::Session.say(named) else {
            panic!("a session");
        };
        assert_eq!((below, kept), (None, false));
    }
}
