//! All kinds of problems, one row each: the code, and its severity.

use std::fmt;

/// The severity of a problem, the most severe first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The engine would fail, or send an unintended text.
    Error,
    /// The result will surprise the author.
    Warning,
    /// A fact that needs no fix, such as a guessed dialect.
    Information,
    /// Shown unobtrusively, or only on request.
    Hint,
}

impl Severity {
    /// All severities, the most severe first.
    pub const ALL: [Severity; 4] =
        [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];

    /// The keyword in output and in `promptls.toml`.
    pub const fn id(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Information => "info",
            Severity::Hint => "hint",
        }
    }
}

/// Writes the keyword of [`Severity::id`], such as `warning`.
impl fmt::Display for Severity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

/// Writes the id of [`Code::id`], such as `unused-input`.
impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.id())
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $variant:ident = $id:literal, $severity:ident;)*) => {
        /// The kind of a problem.
        ///
        /// Each has a page that explains it. Deliberately exhaustive: adding a variant is a
        /// breaking change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $($(#[doc = $doc])* $variant,)*
        }

        impl Code {
            /// All codes, in the order of listings.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The public id in output and in `promptls.toml`: `undefined-placeholder`.
            pub const fn id(self) -> &'static str {
                match self { $(Code::$variant => $id,)* }
            }

            /// The default severity, which `promptls.toml` can override.
            pub const fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }
        }
    };
}

codes! {
    /// In at least one case, a placeholder has no value and no default, and is not optional.
    UndefinedPlaceholder = "undefined-placeholder", Error;
    /// A key of an inputs file is not used by its prompt.
    UnusedInput = "unused-input", Warning;
    /// The prompt has declarations, but none for this name.
    UndeclaredVariable = "undeclared-variable", Error;
    /// A declared variable is not used.
    UnusedVariable = "unused-variable", Warning;
    /// A value does not have the declared type.
    TypeMismatch = "type-mismatch", Error;
    /// A value violates a validation rule.
    InvalidValue = "invalid-value", Error;
    /// A declaration contradicts itself or another one, or the engine rejects it.
    InvalidDeclaration = "invalid-declaration", Error;
    /// A text is nearly a placeholder; the engine does not replace it.
    MalformedPlaceholder = "malformed-placeholder", Warning;
    /// The syntax belongs to another template language.
    UnsupportedSyntax = "unsupported-syntax", Warning;
    /// A block has no closer.
    UnclosedBlock = "unclosed-block", Error;
    /// A closer has no open block.
    StrayCloser = "stray-closer", Error;
    /// A closer is for another kind than the open block.
    MismatchedCloser = "mismatched-closer", Error;
    /// Braces beside a placeholder are removed with it.
    SwallowedBrace = "swallowed-brace", Warning;
    /// The engine reads code, JSON or LaTeX as a placeholder.
    AccidentalPlaceholder = "accidental-placeholder", Warning;
    /// JSON or code whose braces are not doubled, so that the engine reads it as a placeholder.
    JsonBraces = "json-braces", Error;
    /// An escape is resolved wrongly because of adjacent text.
    EscapeHazard = "escape-hazard", Warning;
    /// A value contains a placeholder which the engine resolves again.
    ValueReresolved = "value-reresolved", Warning;
    /// A block changes the handling of missing names in the whole prompt.
    ModeChangedByBlock = "mode-changed-by-block", Hint;
    /// Fragments include each other, or a fragment includes itself.
    FragmentCycle = "fragment-cycle", Error;
    /// A reference that is replaced by another prompt when the text is sent.
    PromptReference = "prompt-reference", Information;
    /// `{{fragments.x}}` refers to an unknown fragment.
    UnknownFragment = "unknown-fragment", Error;
    /// A task of a crew names an agent or another task that the crew does not have.
    UnknownCrewMember = "unknown-crew-member", Error;
    /// A fragment and a variable have the same name.
    FragmentHidesVariable = "fragment-hides-variable", Warning;
    /// A limit is exceeded: nesting depth, number of items, or length.
    LimitExceeded = "limit-exceeded", Error;
    /// An inputs or variables file is invalid.
    InvalidInputs = "invalid-inputs", Error;
    /// A file that a rule, a framework or the command line names is unreadable.
    UnreadableFile = "unreadable-file", Error;
    /// A framework gets a prompt whose text only the running program has.
    ComputedPrompt = "computed-prompt", Hint;
    /// A `promptls.toml` has a syntax error, or an unknown key or value.
    InvalidConfig = "invalid-config", Error;
    /// The dialect is not set explicitly.
    DialectGuessed = "dialect-guessed", Information;
    /// The prompt has no inputs file and no variables file.
    NoInputs = "no-inputs", Information;
    /// The file belongs to another tool.
    ForeignFrontMatter = "foreign-front-matter", Information;
    /// A key occurs twice in one file.
    DuplicateKey = "duplicate-key", Warning;
    /// Two files provide the same case, or two prompts have the same stem.
    AmbiguousSidecar = "ambiguous-sidecar", Warning;
    /// A value that the prompt uses is empty in every case.
    EmptyInput = "empty-input", Information;
    /// An inputs or variables file has no prompt.
    OrphanSidecar = "orphan-sidecar", Warning;
    /// A resolved text exceeds the budget in `promptls.toml`.
    TooManyTokens = "too-many-tokens", Warning;
    /// The prompt differs from the one in the store that it was pulled from.
    DiffersFromStore = "differs-from-store", Warning;
    /// An `[[ignore]]` suppresses no problem.
    UnusedIgnore = "unused-ignore", Warning;
    /// A rule of `promptls.toml` matches no file.
    UnusedRule = "unused-rule", Warning;
    /// Engines send different texts for one construct.
    EngineDiffers = "engine-differs", Warning;
    /// The version of an engine is unknown.
    EngineVersionUnknown = "engine-version-unknown", Information;
    /// The text that the engine sends is not deterministic.
    EngineUnpredictable = "engine-unpredictable", Warning;
}

impl Code {
    /// `true` if a file was not read, so that it may contain other problems.
    pub const fn hides_others(self) -> bool {
        matches!(self, Code::UnreadableFile | Code::InvalidConfig)
    }

    /// `true` if the values or declarations of a file cannot be used.
    pub const fn is_unusable_file(self) -> bool {
        matches!(self, Code::InvalidInputs | Code::UnreadableFile)
    }

    /// The code with this [`Code::id`]; `None` if there is none.
    pub fn from_id(id: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.id() == id)
    }
}
