//! Every kind of problem we know, a row each: its code, and its severity.

use std::fmt;

/// The severity of a problem, gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The engine would fail, or send something nobody wants.
    Error,
    /// It will surprise the author.
    Warning,
    /// Worth knowing.
    Information,
    /// Shown only to those who look.
    Hint,
}

impl Severity {
    /// All severities, the gravest first.
    pub const ALL: [Severity; 4] =
        [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];

    /// The word for it, in output and in `promptls.toml`.
    pub const fn id(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "info",
            Severity::Hint => "hint",
        }
    }
}

/// Its [`Severity::id`].
impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

/// Its [`Code::id`].
impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $id:literal, $severity:ident;)*) => {
        /// What kind of problem it is.
        ///
        /// Each has a page that explains it, so whoever matches all codes is to be told of a new
        /// one: it comes with a version that breaks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Code {
            /// All codes, in the order in which we list them.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The name that users see: `undefined-placeholder`.
            pub const fn id(self) -> &'static str {
                match self { $(Code::$variant => $id,)* }
            }

            /// The severity, unless `promptls.toml` sets another one.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// No value, no default, not optional, in at least one case.
    UndefinedPlaceholder = "undefined-placeholder", Error;
    /// A key of an inputs file that its prompt never reads.
    UnusedInput = "unused-input", Warning;
    /// There are declarations, and none for this name.
    UndeclaredVariable = "undeclared-variable", Error;
    /// Declared, never used.
    UnusedVariable = "unused-variable", Warning;
    /// A value is not of the declared type.
    TypeMismatch = "type-mismatch", Error;
    /// A value breaks a validation rule.
    InvalidValue = "invalid-value", Error;
    /// A declaration contradicts itself.
    InvalidDeclaration = "invalid-declaration", Error;
    /// Nearly a placeholder; the engine leaves it as it is.
    MalformedPlaceholder = "malformed-placeholder", Warning;
    /// Syntax of another template language.
    UnsupportedSyntax = "unsupported-syntax", Warning;
    /// A block without its closer.
    UnclosedBlock = "unclosed-block", Error;
    /// A closer without any open block.
    StrayCloser = "stray-closer", Error;
    /// A closer of another kind than the open block.
    MismatchedCloser = "mismatched-closer", Error;
    /// Braces beside a placeholder that go with it.
    SwallowedBrace = "swallowed-brace", Warning;
    /// Code, JSON or LaTeX that the engine takes for a placeholder.
    AccidentalPlaceholder = "accidental-placeholder", Warning;
    /// An escape that comes out wrong because of what stands beside it.
    EscapeHazard = "escape-hazard", Warning;
    /// A value that holds a placeholder which the engine resolves again.
    ValueReresolved = "value-reresolved", Warning;
    /// A block changes what the engine does with missing names everywhere.
    ModeChangedByBlock = "mode-changed-by-block", Hint;
    /// Fragments that include each other.
    FragmentCycle = "fragment-cycle", Error;
    /// `{{fragments.x}}` without such a fragment.
    UnknownFragment = "unknown-fragment", Error;
    /// A fragment and a variable of one name.
    FragmentHidesVariable = "fragment-hides-variable", Warning;
    /// Too deep, too many items, too long.
    LimitExceeded = "limit-exceeded", Error;
    /// An inputs or variables file that cannot be read.
    InvalidInputs = "invalid-inputs", Error;
    /// A file that a rule, a framework or the command line names, and that cannot be read.
    UnreadableFile = "unreadable-file", Error;
    /// A `promptls.toml` that cannot be read.
    InvalidConfig = "invalid-config", Error;
    /// Nobody said which dialect it is.
    DialectGuessed = "dialect-guessed", Information;
    /// No inputs file and no variables file.
    NoInputs = "no-inputs", Information;
    /// The file is another tool's.
    ForeignFrontMatter = "foreign-front-matter", Information;
    /// One key written twice.
    DuplicateKey = "duplicate-key", Warning;
    /// One case in two files, or two prompts of one stem.
    AmbiguousSidecar = "ambiguous-sidecar", Warning;
    /// A value that the prompt uses is empty in every case.
    EmptyInput = "empty-input", Information;
    /// An inputs or variables file whose prompt is not there.
    OrphanSidecar = "orphan-sidecar", Warning;
    /// A resolved text above the budget in `promptls.toml`.
    TooManyTokens = "too-many-tokens", Warning;
    /// The prompt is not what the store has that it was pulled from.
    DiffersFromStore = "differs-from-store", Warning;
    /// An `[[ignore]]` that keeps no problem back.
    UnusedIgnore = "unused-ignore", Warning;
    /// A rule of `promptls.toml` that matches no file.
    UnusedRule = "unused-rule", Warning;
    /// Engines send other texts for one construct.
    EngineDiffers = "engine-differs", Warning;
    /// A version of an engine that is not known here.
    EngineVersionUnknown = "engine-version-unknown", Information;
    /// What the engine sends hangs on chance.
    EngineUnpredictable = "engine-unpredictable", Warning;
}

impl Code {
    /// Whether a file was not read, so that other problems may hide in it.
    pub const fn hides_others(self) -> bool {
        matches!(self, Code::UnreadableFile | Code::InvalidConfig)
    }

    /// The code with this [`Code::id`].
    pub fn from_id(id: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.id() == id)
    }
}
