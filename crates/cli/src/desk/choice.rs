//! What a person can choose, in the order in which it is offered. No stands first and is chosen until a person chooses
//! something else.

use portcullis::desk::wire::{Asked, Said};

/// How long the longer allow lasts, in seconds.
const HOUR_S: u64 = 60 * 60;

/// One of the choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Choice {
    #[default]
    No,
    Once,
    Hour,
}

impl Choice {
    /// What can be chosen about this question.
    pub(crate) fn about(asked: &Asked) -> &'static [Self] {
        match asked.grantable {
            true => &[Self::No, Self::Once, Self::Hour],
            false => &[Self::No, Self::Once],
        }
    }

    /// For programs and forms.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::No => "deny",
            Self::Once => "allow_once",
            Self::Hour => "allow_hour",
        }
    }

    pub(crate) fn by_word(word: &str) -> Option<Self> {
        [Self::No, Self::Once, Self::Hour]
            .into_iter()
            .find(|choice| choice.word() == word)
    }

    /// For people.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::No => "No",
            Self::Once => "Allow once",
            Self::Hour => "Allow this and exactly the same again for one hour",
        }
    }

    /// The answer; `reason` counts with a no.
    pub(crate) fn say(self, reason: &str) -> Said {
        let reason = reason.trim();
        match self {
            Self::No => Said::Deny {
                reason: (!reason.is_empty()).then(|| reason.to_owned()),
            },
            Self::Once => Said::AllowOnce {},
            Self::Hour => Said::AllowAlways { lasts_s: HOUR_S },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_is_chosen_until_a_person_chooses() {
        assert_eq!(Choice::default(), Choice::No);
        assert_eq!(Choice::default().say(" "), Said::Deny { reason: None });
    }

    #[test]
    fn every_choice_has_its_word() {
        for choice in [Choice::No, Choice::Once, Choice::Hour] {
            assert_eq!(Choice::by_word(choice.word()), Some(choice));
        }
        assert_eq!(Choice::by_word("yes"), None);
        assert_eq!(Choice::by_word("true"), None);
    }
}
