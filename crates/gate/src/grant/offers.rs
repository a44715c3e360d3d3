//! Which standing permissions can be given with an answer.

use std::path::{Path, PathBuf};

use portcullis_paths::visible;

use crate::Scope;

/// What a yes to a question can be made to last for, beyond the one call. Said of more than this, it is a yes to the one
/// call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Offers {
    /// Exactly the same again, for some time.
    pub for_a_time: bool,
    /// Exactly the same again, in the session of the call.
    pub in_session: bool,
    /// The same below one of these directories, which a person has to name: those that hold everything that the call is
    /// about, the nearest first. For programs: whole and unescaped.
    pub below: Vec<PathBuf>,
    /// Also after a restart.
    pub kept: bool,
    /// Why it is less than it could be, in one sentence.
    pub because: Option<String>,
}

/// Longest name of a directory that is offered.
const LONGEST: usize = 300;

impl Offers {
    /// Whether there is anything beyond the one call.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.for_a_time || self.in_session
    }

    /// Whether a yes can be given this scope.
    #[must_use]
    pub fn hold(&self, scope: &Scope) -> bool {
        let lasts = self.for_a_time || self.in_session && scope.this_session;
        let is_offered = |directory: &PathBuf| self.below.iter().any(|offered| offered == directory);
        lasts
            && (!scope.this_session || self.in_session)
            && (!scope.is_kept || self.kept && self.for_a_time)
            && scope.directory.as_ref().is_none_or(is_offered)
    }

    /// The directories as a person may be shown them: those whose names show as they are. What cannot be named is not
    /// offered.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let shown = self.below.iter().filter_map(|directory| Path::to_str(directory));
        shown.filter(|name| visible(name, LONGEST) == **name)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::*;

    fn offers(for_a_time: bool, in_session: bool, kept: bool) -> Offers {
        Offers {
            for_a_time,
            in_session,
            kept,
            below: vec![PathBuf::from("/w/a"), PathBuf::from("/w")],
            because: None,
        }
    }

    fn hour() -> Scope {
        Scope::lasting(Duration::from_secs(3600))
    }

    #[rstest]
    #[case::nothing(offers(false, false, false), hour(), false)]
    #[case::a_time(offers(true, false, false), hour(), true)]
    #[case::a_time_in_a_session_alone(offers(false, true, true), hour(), false)]
    #[case::a_session(offers(false, true, false), hour().in_this_session(), true)]
    #[case::no_session(offers(true, false, false), hour().in_this_session(), false)]
    #[case::kept(offers(true, true, true), hour().kept(), true)]
    #[case::not_kept(offers(true, true, false), hour().kept(), false)]
    #[case::a_session_is_not_kept(offers(false, true, true), hour().in_this_session().kept(), false)]
    #[case::below(offers(true, true, true), hour().below("/w"), true)]
    #[case::above(offers(true, true, true), hour().below("/"), false)]
    #[case::beside(offers(true, true, true), hour().below("/w/b"), false)]
    #[case::spelled_otherwise(offers(true, true, true), hour().below("/w/a/../a"), false)]
    fn a_scope_is_held_when_all_of_it_is_offered(
        #[case] offers: Offers,
        #[case] scope: Scope,
        #[case] held: bool,
    ) {
        assert_eq!(offers.hold(&scope), held);
    }

    #[test]
    fn what_cannot_be_named_is_not_offered() {
        let mut offers = offers(true, true, true);
        offers.below.push(PathBuf::from("/w/\u{202e}x"));
        assert_eq!(offers.names().collect::<Vec<_>>(), ["/w/a", "/w"]);
    }
}
