use super::consulted;

/// What a subject of straw does wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lie {
    /// Its name. The gate asks with `is`, which is noted; by name it tells only constant and honest ones apart.
    pub name: &'static str,
    /// What it does, in words.
    pub about: &'static str,
    /// It behaves the same whatever it is asked: it has to fail every family.
    pub constant: bool,
    /// It does nothing wrong, and is of a kind of its own.
    pub honest: bool,
}

macro_rules! lies {
    ($($kind:ident $name:literal $about:literal,)*) => {
        /// Every subject of straw; the first is honest.
        pub const ALL: &'static [Lie] = &[$(Lie {
            name: $name,
            about: $about,
            constant: matches!(stringify!($kind).as_bytes(), b"constant"),
            honest: matches!(stringify!($kind).as_bytes(), b"honest"),
        },)*];
    };
}

impl Lie {
    lies! {
        honest   "none"              "honest: the reference",
        constant "allow-all"         "allows and performs everything, by name",
        constant "deny-all"          "denies everything",
        constant "crash"             "ends at the first call",
        constant "hang"              "never answers a call",
        constant "empty-result"      "answers with an empty object",
        constant "unsupported-all"   "declares nothing",
        honest   "decides"           "honest, and only decides: the runner performs, by name",
        honest   "hook"              "the same, and leaves the asking to the host",
        liar     "deny-by-crash"     "ends in place of denying",
        liar     "deny-then-exit"    "denies and then ends",
        liar     "claim-only"        "says that it performed, and did not",
        liar     "act-silently"      "performs first, then decides",
        liar     "act-anyway"        "performs what it denied, and says that it did not",
        liar     "double-answer"     "answers each call twice",
        liar     "check-then-open"   "decides on the object, performs by name",
        liar     "follow-links"      "decides on the spelling",
        liar     "prefix-compare"    "compares paths as strings",
        liar     "case-fold"         "compares paths without case",
        liar     "compare-names"     "matches denied places by path, so that hard links are missed",
        liar     "forget-subtree"    "does not see a denied place inside of what is deleted or moved",
        liar     "one-operand"       "judges the first path only",
        liar     "tells-existence"   "says of what it denies whether it is there",
        liar     "follow-delete"     "follows links when deleting",
        liar     "open-special"      "takes FIFOs and devices for files",
        liar     "peek"              "opens what it judges",
        liar     "trim-names"        "trims and decodes names",
        liar     "coerce"            "accepts arguments of a wrong type, and without operands",
        liar     "unknown-is-fine"   "says that it performed tools that do not exist",
        liar     "edit-first"        "edits the first of several places",
        liar     "allow-first"       "lets an allow entry win over a deny entry",
        liar     "unmatched-allow"   "allows what no entry matches",
        liar     "star-ignored"      "does not apply entries for every tool",
        liar     "keeps-the-first"   "reads its policy once",
        liar     "reload-late"       "goes by a changed policy one call late",
        liar     "takes-half"        "goes by what it can read of a policy that is not whole",
        liar     "run-loosens"       "lets the environment of a run loosen the user's policy",
        liar     "run-names"         "takes policy and log from where the environment says",
        liar     "names-as-written"  "looks for names that ask in what was written, letter by letter",
        liar     "names-of-files"    "looks for names that ask at the end of a path alone",
        liar     "names-stay"        "asks about names that the user spared",
        liar     "level-for-all"     "gives every tool the level of the first",
        liar     "level-over-all"    "lets a mild level silence what an entry asks",
        liar     "level-unheard"     "asks the same whatever level the user says",
        liar     "programs-whole"    "takes an allowed command whatever its operands are",
        liar     "programs-guess"    "takes words of a program that nobody explained for text",
        liar     "project-loosens"   "lets the project's policy allow",
        liar     "project-asks"      "asks where the user's default denies, because the project's policy says so",
        liar     "trust-all"         "treats every project as trusted",
        liar     "trust-stays"       "does not notice that trust was withdrawn or its files changed",
        liar     "trust-allows"      "lets trust allow every call",
        liar     "first-words"       "matches a command by its beginning",
        liar     "no-subagents"      "does not look at sub-agents",
        liar     "shallow-subagents" "looks at the topmost working directory only",
        liar     "allow-on-timeout"  "takes silence for an allow",
        liar     "allow-on-hangup"   "takes a broken channel for an allow",
        liar     "allow-on-garbage"  "takes what it cannot read for an allow",
        liar     "allow-unasked"     "allows when there is nobody to ask",
        liar     "accept-stale-id"   "does not compare the question's id",
        liar     "last-answer"       "takes the last answer, not the first",
        liar     "early-answer"      "reads answers before it asks",
        liar     "reuse-allow-once"  "keeps an allow for once",
        liar     "wide-grant"        "holds a lasting allow for the whole tool",
        liar     "grant-outlives"    "keeps a lasting allow when the user's policy changes",
        liar     "grant-for-ever"    "keeps an allow that was given for a time",
        liar     "grant-crosses"     "lets a lasting allow of one session hold in the next",
        liar     "grant-stays"       "does not take a lasting allow back",
        liar     "asks-for-ever"     "goes on asking, whatever is refused",
        liar     "breaker-forgets"   "counts refusals in a row alone, not those of one thing",
        liar     "breaker-by-text"   "counts refusals of a text, not of what it does to which place",
        liar     "breaker-by-call"   "counts the calls of one message each by itself",
        liar     "ignore-cancel"     "does not hear a cancel",
        liar     "show-less"         "asks without the places",
        liar     "show-other"        "asks about other arguments",
        liar     "show-raw"          "shows control characters",
        liar     "ask-twice"         "asks each question twice",
        liar     "batch-ahead"       "judges a whole batch before it performs any of it, by name",
        liar     "batch-first"       "gives every call of a batch the verdict of the first",
        liar     "batch-approves"    "takes an allow for all questions that are open",
        liar     "batch-swaps"       "gives the results of a batch each other's ids",
        liar     "desk-shows-on"     "goes on showing at the desk what was answered there",
        liar     "desk-takes-all"    "says of every answer at the desk that it was taken",
        liar     "desk-comes-back"   "lets the next desk take up what stood at one that ended",
        liar     "desk-acts-late"    "performs a call whose question at the desk is over, when it is allowed then",
        liar     "desk-hears-all"    "lets every user of the machine answer at the desk",
        liar     "crossed-answers"   "gives an answer to another question that is open",
        liar     "wrong-reason"      "gives `policy` for every denial",
        liar     "audit-after"       "records the decision after the effect",
        liar     "audit-leak"        "records contents and secrets",
        liar     "audit-gap"         "does not record denials",
        liar     "audit-no-end"      "does not record how calls ended",
        liar     "audit-optional"    "performs although it cannot record",
        liar     "version-stays"     "names in every record the policy that the session began with",
        liar     "version-at-the-end" "names in a record the policy that is in force when it is written",
        liar     "chain-always"      "says of every log that it is unaltered",
        liar     "chain-alone"       "looks at each record alone, not at what is before it",
        liar     "chain-of-the-last" "looks at the last file of the log, not at those before it",
        liar     "seal-unheard"      "does not hold its log against seals",
        liar     "books-always"      "says of all decisions and ends that they add up",
        liar     "books-counts"      "counts ends, and does not look whose they are",
        liar     "where-at-the-end"  "says of an altered log that all of its lines are good",
        liar     "resume-open"       "allows when its configuration is damaged",
        liar     "resume-answer"     "performs an open question's call after a restart",
        liar     "last-key"          "takes the last of two equal members",
        liar     "raw-lenient"       "takes what it can read of broken arguments",
        liar     "raw-unbounded"     "follows nesting without a limit, until its stack ends",
    }

    /// The liar of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|lie| lie.name == name).copied()
    }

    /// It answers and does not perform.
    pub(super) fn only_decides(&self) -> bool {
        self.is("decides") || self.is("hook")
    }

    /// Whether it does this wrong. Until it is asked, a liar does what the reference does.
    pub(crate) fn is(&self, name: &'static str) -> bool {
        debug_assert!(Self::named(name).is_some(), "a lie that is not on the list");
        consulted::note(name);
        self.name == name
    }
}
