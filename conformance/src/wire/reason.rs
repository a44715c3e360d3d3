/// The closed list of reasons (PROTOCOL.md section 4).
pub const REASONS: [&str; 12] = [
    "policy",
    "unknown_tool",
    "bad_arguments",
    "denied_by_human",
    "denied_by_reviewer",
    "timeout",
    "no_approver",
    "cancelled",
    "circuit_open",
    "changed",
    "fault",
    "approved",
];

/// Whether a word is on the list.
#[must_use]
pub fn is_reason(word: &str) -> bool {
    REASONS.contains(&word)
}
