use serde::Deserialize;

use crate::Error;

/// Which files of a project change an agent, as data: one TOML file for each agent.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Profile {
    /// The agent's name.
    pub name: String,
    /// Relative places in the project directory itself.
    pub here: Vec<String>,
    /// Relative places in the project directory and in every directory above it.
    #[serde(default)]
    pub upward: Vec<String>,
    /// Relative places below the user's home that are the user's own and not a project's.
    #[serde(default)]
    pub spared_at_home: Vec<String>,
    /// Files that the agent reads whether the project is trusted or not. Trust does not cover them, and a report says
    /// so.
    #[serde(default)]
    pub uncovered: Vec<String>,
}

const BUILT_IN: [(&str, &str); 6] = [
    ("pi", include_str!("../data/profiles/pi.toml")),
    ("claude-code", include_str!("../data/profiles/claude-code.toml")),
    ("codex", include_str!("../data/profiles/codex.toml")),
    ("gemini", include_str!("../data/profiles/gemini.toml")),
    ("cursor", include_str!("../data/profiles/cursor.toml")),
    ("portcullis", include_str!("../data/profiles/portcullis.toml")),
];

impl Profile {
    /// The names of the profiles that this crate ships.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// A profile that this crate ships.
    ///
    /// # Errors
    /// No profile has this name.
    pub fn built_in(name: &str) -> Result<Self, Error> {
        match BUILT_IN.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Self::read(text),
            None => {
                let known: Vec<&str> = Self::names().collect();
                Err(Error::profile(format!(
                    "there is no profile `{}`; there are {}",
                    portcullis_paths::visible(name, 100),
                    known.join(", ")
                )))
            }
        }
    }

    /// Reads a profile.
    ///
    /// # Errors
    /// Not TOML, an unknown key, no place at all, or a place that is absolute, empty or leads upward.
    pub fn read(text: &str) -> Result<Self, Error> {
        let profile: Self = toml::from_str(text)
            .map_err(|error| Error::profile(format!("the profile cannot be read: {}", error.message())))?;
        if profile.here.is_empty() && profile.upward.is_empty() {
            return Err(Error::profile("the profile names no place"));
        }
        let lists = [
            &profile.here,
            &profile.upward,
            &profile.spared_at_home,
            &profile.uncovered,
        ];
        if let Some(place) = lists.into_iter().flatten().find(|place| !is_plain(place)) {
            return Err(Error::profile(format!(
                "the profile's place `{}` is not a plain relative path",
                portcullis_paths::visible(place, 100)
            )));
        }
        Ok(profile)
    }
}

/// Names and separators alone: what ends in a separator follows a link, and a shell's `~` means nothing here.
fn is_plain(place: &str) -> bool {
    !place.contains('\0')
        && !place.starts_with('~')
        && place.split('/').all(|name| !matches!(name, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[test]
    fn every_shipped_profile_reads_and_has_the_name_it_is_found_by() {
        for name in Profile::names() {
            assert_eq!(Profile::built_in(name).unwrap().name, name);
        }
        let error = Profile::built_in("vim").unwrap_err().to_string();
        assert!(error.contains("pi, claude-code, codex"), "{error}");
    }

    #[rstest]
    #[case::absolute("name = \"x\"\nhere = [\"/etc\"]")]
    #[case::upward("name = \"x\"\nhere = [\"../x\"]")]
    #[case::in_the_middle("name = \"x\"\nhere = [\"a/../../x\"]")]
    #[case::dot("name = \"x\"\nhere = [\".\"]")]
    #[case::behind_a_separator("name = \"x\"\nhere = [\"a/\"]")]
    #[case::dot_at_the_end("name = \"x\"\nhere = [\"a/.\"]")]
    #[case::two_separators("name = \"x\"\nhere = [\"a//b\"]")]
    #[case::of_a_shell("name = \"x\"\nhere = [\"a\"]\nspared_at_home = [\"~/.a\"]")]
    #[case::empty("name = \"x\"\nhere = [\"\"]")]
    #[case::nothing("name = \"x\"\nhere = []")]
    #[case::no_name("here = [\"a\"]")]
    #[case::unknown_key("name = \"x\"\nhere = [\"a\"]\nthere = []")]
    #[case::spared_upward("name = \"x\"\nhere = [\"a\"]\nspared_at_home = [\"../..\"]")]
    fn what_is_no_profile_is_an_error(#[case] text: &str) {
        assert_eq!(Profile::read(text).unwrap_err().kind(), crate::ErrorKind::Profile);
    }
}
