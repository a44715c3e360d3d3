/// Why the desk gave no answer that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// Its directory or its socket is not there.
    #[error("there is no desk")]
    Absent,
    /// Its socket is there and nobody listens: a desk that died.
    #[error("the desk has died and left its socket behind")]
    Stale,
    /// The directory or the socket is not the user's own, or others may use it.
    #[error("the desk's directory or socket is not the user's alone")]
    Unsafe,
    /// Who listens is another user.
    #[error("another user listens in place of the desk")]
    OtherUser,
    /// It has more questions than it takes.
    #[error("the desk has too many questions already")]
    Full,
    /// It accepted the line and does not say that the question stands.
    #[error("the desk does not react")]
    Mute,
    /// It went away without an answer.
    #[error("the desk was closed without an answer")]
    Closed,
    /// It said something that is not one whole answer after the question.
    #[error("what the desk said is not an answer")]
    Unreadable,
}
