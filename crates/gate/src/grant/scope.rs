use std::path::{Component, Path, PathBuf};
use std::time::Duration;

/// How far a remembered allow reaches: the exact resources of the call it was given for, for this long, in this
/// process, unless it says more. There is none without an end.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scope {
    /// From the answer on; at most [`Scope::LONGEST`].
    pub lasts: Duration,
    /// Also everything below this directory, by the same tool and the same operations. A directory that a person named:
    /// absolute, without links, not the root, and the call's own resources have to be in it. Otherwise nothing is
    /// remembered.
    pub directory: Option<PathBuf>,
    /// Only in the session of the call it was given for.
    pub this_session: bool,
    /// Also after a restart, where the gate has a store for grants.
    pub is_kept: bool,
}

impl Scope {
    /// The longest that a grant lasts.
    pub const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

    /// The exact resources, for so long, in this process.
    #[must_use]
    pub fn lasting(lasts: Duration) -> Self {
        Self {
            lasts: lasts.min(Self::LONGEST),
            directory: None,
            this_session: false,
            is_kept: false,
        }
    }

    /// Also what is below this directory.
    #[must_use]
    pub fn below(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Only in this session.
    #[must_use]
    pub fn in_this_session(mut self) -> Self {
        self.this_session = true;
        self
    }

    /// Also after a restart.
    #[must_use]
    pub fn kept(mut self) -> Self {
        self.is_kept = true;
        self
    }
}

/// The bytes of a directory that may be named in a scope.
pub(super) fn named(directory: &Path) -> Option<Vec<u8>> {
    let mut components = directory.components();
    let is_plain = components.next() == Some(Component::RootDir)
        && components.clone().next().is_some()
        && components.all(|component| matches!(component, Component::Normal(_)));
    // Built again from its components: what is written twice or at the end is gone.
    let plain: PathBuf = directory.components().collect();
    is_plain.then(|| plain.into_os_string().into_encoded_bytes())
}

/// Whether a place is below a directory, by whole names.
pub(super) fn is_below(place: &[u8], directory: &[u8]) -> bool {
    place
        .strip_prefix(directory)
        .is_some_and(|rest| rest.len() > 1 && rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("/a/b", Some("/a/b"))]
    #[case("/a//b/", Some("/a/b"))]
    #[case("/a/./b", Some("/a/b"))]
    #[case("/", None)]
    #[case("//", None)]
    #[case("a", None)]
    #[case("", None)]
    #[case("/a/../b", None)]
    #[case("/..", None)]
    fn a_directory_is_named_plainly(#[case] text: &str, #[case] plain: Option<&str>) {
        assert_eq!(
            named(Path::new(text)),
            plain.map(|plain| plain.as_bytes().to_vec())
        );
    }

    #[rstest]
    #[case("/a/b", "/a", true)]
    #[case("/a/b/c", "/a", true)]
    #[case("/a", "/a", false)]
    #[case("/ab", "/a", false)]
    #[case("/a/", "/a", false)]
    #[case("/", "/a", false)]
    fn below_is_by_whole_names(#[case] place: &str, #[case] directory: &str, #[case] below: bool) {
        assert_eq!(is_below(place.as_bytes(), directory.as_bytes()), below);
    }

    #[test]
    fn nothing_lasts_for_ever() {
        assert_eq!(Scope::lasting(Duration::MAX).lasts, Scope::LONGEST);
    }
}
