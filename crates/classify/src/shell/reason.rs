//! The reasons for [`Opaque`](super::Opaque).

/// Why it is not certain what would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The text is longer than [`MAX_BYTES`](super::MAX_BYTES).
    TooLong,
    /// The text is not UTF-8, or an escape would make bytes that are not.
    NotText,
    /// A control character other than tab and line feed: some readers end or split the text there.
    ControlCharacter,
    /// A character that shows as nothing, as a line break, or reorders what stands around it.
    HiddenCharacter,
    /// Nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
    /// More work than the length of a readable text asks for.
    TooMuchWork,

    /// Not the syntax that is read here. Bash runs the complete lines before a syntax error.
    Syntax,
    /// A quote, substitution, compound command or line has no end.
    Unterminated,
    /// A here-document without its end mark, with an odd end mark, or with an end that is read in two ways.
    HereDocument,
    /// A line continued in the middle of an operator, a name or a word that has a meaning.
    Continuation,
    /// `@( … )` and its kin: whether this is a pattern depends on an option.
    ExtendedGlob,
    /// A brace expansion around a substitution: the text of the substitution may be cut in pieces.
    BraceExpansion,
    /// `$[ … ]`, the old arithmetic.
    OldArithmetic,
    /// Arithmetic with anything but numbers: bash evaluates the values of variables as expressions again, and a
    /// subscript in a value runs its substitutions.
    Arithmetic,
    /// A subscript that is not a number: it is arithmetic.
    Subscript,
    /// A parameter expansion that runs its value (`${x@P}`), follows another name (`${!x}`), is a command of its own
    /// (`${ x; }`), or whose words are not plain.
    Expansion,
    /// Quotes inside `"${ … }"`, where single quotes do not quote, or quotes around special characters in `${ … }`.
    QuotesInExpansion,
    /// A backslash, or a double quote within double quotes, inside backquotes: the text is read twice.
    Backquotes,
    /// An escape in `$'…'` that is not known.
    Escape,
    /// Text directly after `<&-` or `>&-`, which bash takes for a word of its own.
    TextAfterClosing,

    /// The command word is known only when it runs.
    DynamicName,
    /// The command word is the empty string.
    EmptyName,
    /// The command word has characters outside ASCII, which may look like others.
    NameNotAscii,

    /// A function: the name means something else from there on.
    Function,
    /// A coprocess.
    Coprocess,
    /// A builtin that changes how the rest is read, or what a name runs, or that runs its words later.
    ShellState,
    /// `eval` of something that is not literal.
    Eval,
    /// `source` and `.`: a file is run as part of this text.
    Source,
    /// A word that bash evaluates although it is quoted: a variable name given to a builtin, an operand of `-eq` in
    /// `[[ … ]]`.
    EvaluatedWord,
    /// An assignment to a name that is not known as harmless.
    Environment,

    /// A wrapper has an option that is not known, or a word that may become one: where the command begins is not
    /// certain.
    UnknownOption,
    /// A shell reads its commands from its standard input, from a file, or from a person.
    ShellInput,
    /// A text for another shell than bash, in a syntax that this shell may read in another way.
    OtherShell,
    /// A program is told to run, or to write, what stands nowhere as a command.
    HiddenWork,

    /// A redirection to a file whose name is known only when it runs.
    DynamicRedirection,
    /// A redirection to `/dev/tcp` or `/dev/udp`: bash connects to a host.
    NetworkRedirection,
}

impl Reason {
    /// One sentence for a person: lower case, without a full stop.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::TooLong => "the text is too long to be read",
            Self::NotText => "the text is not UTF-8",
            Self::ControlCharacter => "a control character stands in the text",
            Self::HiddenCharacter => "an invisible or reordering character stands in the text",
            Self::TooDeep => "the text is nested too deep",
            Self::TooMuchWork => "the text takes too much work to read",
            Self::Syntax => "the syntax is not read here, or is wrong",
            Self::Unterminated => "something that was opened is not closed",
            Self::HereDocument => "the end of a here-document is not certain",
            Self::Continuation => "a line is continued in the middle of something",
            Self::ExtendedGlob => "an extended pattern depends on an option",
            Self::BraceExpansion => "a brace expansion stands around a substitution",
            Self::OldArithmetic => "the old form of arithmetic is not read here",
            Self::Arithmetic => "arithmetic with more than numbers can run commands",
            Self::Subscript => "a subscript that is not a number can run commands",
            Self::Expansion => "this form of a parameter is not read here",
            Self::QuotesInExpansion => "quotes inside `${}` do not always quote",
            Self::Backquotes => "text inside backquotes is read twice",
            Self::Escape => "an escape is not known",
            Self::TextAfterClosing => "text follows directly after the closing of a descriptor",
            Self::DynamicName => "which command runs is known only when it runs",
            Self::EmptyName => "the command has no name",
            Self::NameNotAscii => "the name of the command has characters outside ASCII",
            Self::Function => "a function is defined",
            Self::Coprocess => "a coprocess is started",
            Self::ShellState => "the shell itself is changed",
            Self::Eval => "a text that is not literal is evaluated",
            Self::Source => "a file is run as part of the text",
            Self::EvaluatedWord => "a word is evaluated although it is quoted",
            Self::Environment => "a variable is set that may change what runs",
            Self::UnknownOption => "where the command behind a wrapper begins is not certain",
            Self::ShellInput => "a shell reads its commands from somewhere else",
            Self::OtherShell => "a shell that is not read here, or may read this in another way",
            Self::HiddenWork => "a program is told to do more than its name says",
            Self::DynamicRedirection => "which file is opened is known only when it runs",
            Self::NetworkRedirection => "a redirection connects to a host",
        }
    }
}
