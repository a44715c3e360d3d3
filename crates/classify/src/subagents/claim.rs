use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// The variable that names the session which answers for a sub-agent's questions.
pub const PARENT_SESSION: &str = "PI_SUBAGENT_PARENT_SESSION";

/// Variables that mark a process as a sub-agent, whatever they hold: Pi's agent router, the extensions
/// `pi-subagents` and `pi-interactive-subagents`.
pub const MARKERS: [&str; 14] = [
    "PI_AGENT_ROUTER_SUBAGENT",
    "PI_IS_SUBAGENT",
    "PI_SUBAGENT_ACTIVITY_FILE",
    "PI_SUBAGENT_AGENT",
    "PI_SUBAGENT_AUTO_EXIT",
    "PI_SUBAGENT_CHILD",
    "PI_SUBAGENT_CHILD_AGENT",
    "PI_SUBAGENT_DEPTH",
    "PI_SUBAGENT_ID",
    "PI_SUBAGENT_NAME",
    "PI_SUBAGENT_RUN_ID",
    "PI_SUBAGENT_SESSION",
    "PI_SUBAGENT_SESSION_ID",
    "PI_SUBAGENT_SURFACE",
];

/// Variables in which a parent session may be declared already.
pub const CARRIERS: [&str; 3] = [
    "PI_AGENT_ROUTER_PARENT_SESSION_ID",
    PARENT_SESSION,
    "PI_SUBAGENT_PARENT_SESSION_ID",
];

/// The environment that children will inherit. Changing the one of the running process is the host's affair: it passes
/// something that does so, or a map that it gives to each child.
pub trait Environment {
    /// The value of a variable that is present, however empty.
    fn get(&self, name: &str) -> Option<&OsStr>;
    /// Sets a variable.
    fn set(&mut self, name: &str, value: OsString);
    /// Takes a variable away.
    fn remove(&mut self, name: &str);
}

impl Environment for BTreeMap<OsString, OsString> {
    fn get(&self, name: &str) -> Option<&OsStr> {
        BTreeMap::get(self, OsStr::new(name)).map(OsString::as_os_str)
    }
    fn set(&mut self, name: &str, value: OsString) {
        self.insert(name.into(), value);
    }
    fn remove(&mut self, name: &str) {
        BTreeMap::remove(self, OsStr::new(name));
    }
}

impl<E: Environment> Environment for &mut E {
    fn get(&self, name: &str) -> Option<&OsStr> {
        (**self).get(name)
    }
    fn set(&mut self, name: &str, value: OsString) {
        (**self).set(name, value);
    }
    fn remove(&mut self, name: &str) {
        (**self).remove(name);
    }
}

/// A root session's word that it answers for its sub-agents. Dropping it, at the latest when the session ends, takes
/// the variable away again, but only if it still holds exactly what was written.
#[derive(Debug)]
pub struct ParentClaim<E: Environment> {
    environment: E,
    written: OsString,
}

/// What became of a claim.
#[derive(Debug)]
#[non_exhaustive]
pub enum Claimed<E: Environment> {
    /// The variable is set, as long as the claim is kept.
    Set(ParentClaim<E>),
    /// Nothing was written: the variable of this name marks this process as a sub-agent.
    IsSubagent(&'static str),
    /// Nothing was written: the variable of this name declares a parent already, and a declaration is never rewritten.
    Declared(&'static str),
    /// Nothing was written, because the session's id is empty or blank. Worth a warning: questions of sub-agents will
    /// not find this session. The guard works all the same.
    NoSession,
}

impl<E: Environment> ParentClaim<E> {
    /// Claims the sub-agents of this process for a session.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use std::ffi::OsString;
    /// use portcullis_classify::subagents::{Claimed, Environment, PARENT_SESSION, ParentClaim};
    ///
    /// let mut environment: BTreeMap<OsString, OsString> = BTreeMap::new();
    /// let Claimed::Set(claim) = ParentClaim::make(&mut environment, "s-1") else { panic!("a root session") };
    /// assert_eq!(claim.environment().get(PARENT_SESSION), Some("s-1".as_ref()));
    /// drop(claim);
    /// assert_eq!(Environment::get(&environment, PARENT_SESSION), None);
    /// ```
    pub fn make(environment: E, session: &str) -> Claimed<E> {
        let present = |name: &&&str| environment.get(name).is_some();
        if let Some(name) = MARKERS.iter().find(present) {
            return Claimed::IsSubagent(name);
        }
        if let Some(name) = CARRIERS.iter().find(present) {
            return Claimed::Declared(name);
        }
        if session.trim().is_empty() {
            return Claimed::NoSession;
        }
        let mut claim = Self {
            environment,
            written: session.into(),
        };
        claim.environment.set(PARENT_SESSION, claim.written.clone());
        Claimed::Set(claim)
    }

    /// The environment to give to children.
    #[must_use]
    pub fn environment(&self) -> &E {
        &self.environment
    }

    /// The environment, to be changed by others while the claim stands.
    pub fn environment_mut(&mut self) -> &mut E {
        &mut self.environment
    }
}

impl<E: Environment> Drop for ParentClaim<E> {
    fn drop(&mut self) {
        if self.environment.get(PARENT_SESSION) == Some(self.written.as_os_str()) {
            self.environment.remove(PARENT_SESSION);
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    type Map = BTreeMap<OsString, OsString>;

    fn with(name: &str, value: &str) -> Map {
        Map::from([(name.into(), value.into())])
    }

    /// What became of a claim that ends at once.
    fn outcome(environment: &mut Map) -> String {
        match ParentClaim::make(environment, "s-1") {
            Claimed::Set(_) => "set".to_owned(),
            Claimed::IsSubagent(name) => format!("sub-agent {name}"),
            Claimed::Declared(name) => format!("declared {name}"),
            Claimed::NoSession => "no session".to_owned(),
        }
    }

    #[test]
    fn a_root_session_is_named_until_it_ends() {
        let mut environment = with("PATH", "/bin");
        let Claimed::Set(claim) = ParentClaim::make(&mut environment, "s-1") else {
            panic!("a root session")
        };
        assert_eq!(claim.environment().get(PARENT_SESSION), Some(OsStr::new("s-1")));
        drop(claim);
        assert_eq!(environment, with("PATH", "/bin"));
    }

    #[test]
    fn an_id_is_written_as_it_is_and_taken_away_again() {
        let mut environment = Map::new();
        let Claimed::Set(claim) = ParentClaim::make(&mut environment, " s 1\n") else {
            panic!("a root session")
        };
        assert_eq!(
            claim.environment().get(PARENT_SESSION),
            Some(OsStr::new(" s 1\n"))
        );
        drop(claim);
        assert_eq!(environment, Map::new());
    }

    #[test]
    fn every_marker_and_carrier_counts_whatever_it_holds() {
        for value in ["", " ", "0", "false", "s-0"] {
            for name in MARKERS {
                let mut environment = with(name, value);
                let claimed = outcome(&mut environment);
                assert_eq!(claimed, format!("sub-agent {name}"));
                assert_eq!(environment, with(name, value));
            }
            for name in CARRIERS {
                let mut environment = with(name, value);
                let claimed = outcome(&mut environment);
                assert_eq!(claimed, format!("declared {name}"));
                assert_eq!(environment, with(name, value));
            }
        }
    }

    #[test]
    fn a_marker_is_named_before_a_carrier() {
        let mut environment = with(PARENT_SESSION, "s-0");
        environment.set("PI_SUBAGENT_CHILD", "1".into());
        assert_eq!(outcome(&mut environment), "sub-agent PI_SUBAGENT_CHILD");
    }

    #[rstest]
    #[case("")]
    #[case(" \t\n")]
    fn a_session_without_an_id_claims_nothing(#[case] session: &str) {
        let mut environment = Map::new();
        assert!(matches!(
            ParentClaim::make(&mut environment, session),
            Claimed::NoSession
        ));
        assert_eq!(environment, Map::new());
    }

    #[rstest]
    #[case::changed(Some("s-2"))]
    #[case::blanks_around(Some(" s-1 "))]
    #[case::more_behind(Some("s-10"))]
    #[case::other_letters(Some("S-1"))]
    #[case::emptied(Some(""))]
    #[case::taken(None)]
    fn what_others_did_stays(#[case] theirs: Option<&str>) {
        let mut environment = Map::new();
        if let Claimed::Set(mut claim) = ParentClaim::make(&mut environment, "s-1") {
            match theirs {
                Some(value) => claim.environment_mut().set(PARENT_SESSION, value.into()),
                None => claim.environment_mut().remove(PARENT_SESSION),
            }
        }
        assert_eq!(
            Environment::get(&environment, PARENT_SESSION),
            theirs.map(OsStr::new)
        );
    }
}
