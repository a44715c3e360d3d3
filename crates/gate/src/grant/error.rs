use std::fmt;

/// Why the store cannot be used.
#[derive(Debug)]
pub struct GrantError(pub(super) Why);

#[derive(Debug)]
pub(super) enum Why {
    File(portcullis_audit::Error),
    Content,
    Full,
    Unwritable,
    Behind,
}

impl GrantError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match &self.0 {
            Why::File(_) => {
                "it must be a regular file of mode 0600, owned by you; without it every call asks"
            }
            Why::Content => "move it away: without it every call asks",
            Why::Full => "run `portcullis grants prune`, or take some back",
            Why::Unwritable => "the grant holds in this process alone",
            Why::Behind => {
                "the grant holds in this process alone; set the clock right, or take back what is kept and run `portcullis grants prune`"
            }
        }
    }
}

impl fmt::Display for GrantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Why::File(error) => write!(f, "the store of grants cannot be used: {error}"),
            Why::Content => f.write_str("the store of grants is not one of this version"),
            Why::Full => f.write_str("the store of grants is full"),
            Why::Unwritable => f.write_str("a place that is not text cannot be kept"),
            Why::Behind => {
                f.write_str("the clock is behind the latest time that the store of grants has seen")
            }
        }
    }
}

impl std::error::Error for GrantError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Why::File(error) => Some(error),
            Why::Content | Why::Full | Why::Unwritable | Why::Behind => None,
        }
    }
}
