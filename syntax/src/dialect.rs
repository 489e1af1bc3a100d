//! The supported prompt languages, one row each.

mod spec;

use crate::token::BlockKind;

use spec::matches;
pub use spec::{Clue, Clues, DialectSpec, Missing, PathStyle};

/// A prompt language.
///
/// Deliberately exhaustive: adding a variant is a breaking change, and the compiler lists all
/// places to update, here and in other crates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// `{name}`, with `{{name}}` for a literal `{name}`.
    AgentEnsemble,
    /// `{name}`, `{app:name}`, `{artifact.file}`, each optional with `?`.
    Adk,
    /// `{NAME}` for inputs and `{task_0.output_1}` for outputs of tasks.
    Entaingine,
    /// `{{path}}`, with declared variables and fragments.
    PromptPack,
    /// `{{path}}`, `{{#if path}} … {{/if}}`, `{{#each path}} … {{/each}}`.
    Agentle,
    /// `{{any name}}`; the name may contain spaces.
    Langfuse,
    /// `{name}`, `{user[name]}`, `{price:.2f}`, as in `str.format` of Python.
    Format,
}

impl Dialect {
    /// The dialect of most prompts, as a default.
    pub const MOST_USED: Dialect = Dialect::Adk;

    /// All dialects, in the order of listings.
    pub const ALL: [Dialect; 7] = [
        Dialect::AgentEnsemble,
        Dialect::Adk,
        Dialect::Entaingine,
        Dialect::PromptPack,
        Dialect::Agentle,
        Dialect::Langfuse,
        Dialect::Format,
    ];

    /// The row of this dialect.
    pub const fn spec(self) -> &'static DialectSpec {
        match self {
            Dialect::AgentEnsemble => &AGENT_ENSEMBLE,
            Dialect::Adk => &ADK,
            Dialect::Entaingine => &ENTAINGINE,
            Dialect::PromptPack => &PROMPT_PACK,
            Dialect::Agentle => &AGENTLE,
            Dialect::Langfuse => &LANGFUSE,
            Dialect::Format => &FORMAT,
        }
    }

    /// `true` if the engine supplies the value of this root name.
    pub fn injects(self, root: &str) -> bool {
        self.spec().injected.iter().any(|name| matches(name, root))
    }

    /// `true` if a key of the inputs is defined by the engine.
    pub fn is_engine_key(self, key: &str) -> bool {
        self.spec().engine_keys.iter().any(|name| matches(name, key))
    }

    /// The dialect with this [`DialectSpec::id`]; `None` if there is none.
    pub fn from_id(id: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.spec().id == id)
    }

    /// The dialect with this [`DialectSpec::language_id`]; `None` if there is none.
    pub fn from_language_id(id: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.spec().language_id == id)
    }
}

const AGENT_ENSEMBLE: DialectSpec = DialectSpec {
    id: "agentensemble",
    language_id: "prompt-agentensemble",
    title: "AgentEnsemble",
    open: "{",
    close: "}",
    name_rule: "a name consists of letters from a to z, digits and `_`",
    // The sentinel words of escapes during replacement.
    engine_keys: &["*__AGENTENSEMBLE_ESCAPED_*"],
    literal_braces: Some("double them: `{{name}}` is sent as `{name}`"),
    clues: Some(Clues { rank: 3, placeholders: &[] }),
    ..DialectSpec::PLAIN
};

const ADK: DialectSpec = DialectSpec {
    id: "adk",
    language_id: "prompt-adk",
    title: "Google ADK",
    open: "{",
    close: "}",
    name_rule: "a name starts with a letter, `_` or `$`, followed by any of these or digits",
    optional_mark: Some('?'),
    prefixes: &["app:", "user:", "temp:", "artifact."],
    file_prefix: Some("artifact."),
    is_instruction: true,
    clues: Some(Clues {
        // Most prompts that match several dialects are written for this one.
        rank: 0,
        placeholders: &[
            (Clue::NameHolds(':'), 40),
            (Clue::NameStarts("artifact."), 40),
            // Double braces are allowed, but rare.
            (Clue::DoubleBraces, -6),
        ],
    }),
    ..DialectSpec::PLAIN
};

const ENTAINGINE: DialectSpec = DialectSpec {
    id: "entaingine",
    language_id: "prompt-entaingine",
    title: "entAIngine",
    open: "{",
    close: "}",
    name_rule: "a name starts with a capital letter, followed by capitals, digits and single `_`",
    paths: PathStyle::Outputs,
    missing: Missing::StaysLiteral,
    engine_keys: &["task_*", "documents"],
    clues: Some(Clues { rank: 4, placeholders: &[(Clue::NameStarts("task_"), 40)] }),
    ..DialectSpec::PLAIN
};

const PROMPT_PACK: DialectSpec = DialectSpec {
    id: "promptpack",
    language_id: "prompt-promptpack",
    title: "PromptPack",
    open: "{{",
    close: "}}",
    name_rule: "a name starts with a letter from a to z or `_`, followed by any of these or digits",
    paths: PathStyle::Indexed,
    whole_path_keys: true,
    declarations: true,
    fragment_prefix: Some("fragments."),
    injected: &["artifacts", "workflow_context", "input", "current_*"],
    is_instruction: true,
    clues: Some(Clues {
        rank: 1,
        placeholders: &[
            // The only supported dialect with indexes, though other languages have them.
            (Clue::NameHolds('['), 12),
            (Clue::NameStarts("fragments."), 30),
        ],
    }),
    ..DialectSpec::PLAIN
};

const AGENTLE: DialectSpec = DialectSpec {
    id: "agentle",
    language_id: "prompt-agentle",
    title: "Agentle",
    open: "{{",
    close: "}}",
    name_rule: "a name has no `}`, no dot, no whitespace at its ends, and no `#` or `/` at its start",
    free_names: true,
    paths: PathStyle::Dotted,
    missing: Missing::StaysLiteralOrEmpty,
    null_is_missing: true,
    blocks: &[BlockKind::If, BlockKind::Each],
    item: Some("this"),
    clues: Some(Clues { rank: 2, placeholders: &[(Clue::OddName, -6), (Clue::Blanks, 10)] }),
    ..DialectSpec::PLAIN
};

const LANGFUSE: DialectSpec = DialectSpec {
    id: "langfuse",
    language_id: "prompt-langfuse",
    title: "Langfuse",
    open: "{{",
    close: "}}",
    name_rule: "a name has no `}}` and no whitespace at its ends",
    free_names: true,
    missing: Missing::StaysLiteral,
    ..DialectSpec::PLAIN
};

const FORMAT: DialectSpec = DialectSpec {
    id: "format",
    language_id: "prompt-format",
    title: "Python braces",
    open: "{",
    close: "}",
    name_rule: "a name has no `{`, `}`, `:` or `!`",
    free_names: true,
    paths: PathStyle::Subscripts,
    literal_braces: Some("double them: `{{name}}` is sent as `{name}`"),
    ..DialectSpec::PLAIN
};
