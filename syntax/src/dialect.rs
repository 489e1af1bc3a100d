//! The prompt languages we understand, a row each.

use crate::token::BlockKind;

/// A prompt language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// `{name}`, with `{{name}}` for a literal `{name}`.
    AgentEnsemble,
    /// `{name}`, `{app:name}`, `{artifact.file}`, each optional with `?`.
    Adk,
    /// `{NAME}` and `{task_0.output_1}`.
    Entaingine,
    /// `{{path}}`, with declared variables and fragments.
    PromptPack,
    /// `{{path}}`, `{{#if path}} … {{/if}}`, `{{#each path}} … {{/each}}`.
    Agentle,
}

/// What an engine does with a name that has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// It raises an error and sends nothing.
    Raises,
    /// It sends the placeholder as it is written.
    StaysLiteral,
    /// As [`Missing::StaysLiteral`], but with a block anywhere it sends nothing in its place.
    StaysLiteralOrEmpty,
}

/// What makes a dialect different from the others, as data.
#[derive(Debug)]
pub struct DialectSpec {
    /// The name in `promptls.toml`, in file names (`x.adk.prompt`) and on the command line.
    pub id: &'static str,
    /// The language id that editors use.
    pub language_id: &'static str,
    /// The product it belongs to, for people.
    pub title: &'static str,
    /// What opens a placeholder.
    pub open: &'static str,
    /// What closes it.
    pub close: &'static str,
    /// The mark that makes a placeholder optional.
    pub optional_mark: Option<char>,
    /// What stands before a name to say where its value lives.
    pub prefixes: &'static [&'static str],
    /// The blocks it has.
    pub blocks: &'static [BlockKind],
    /// What its engine does with a name that has no value.
    pub missing: Missing,
    /// Whether names are paths into values.
    pub paths: bool,
    /// Whether a path may hold an index, `items[0]`.
    pub indexes: bool,
    /// Whether a declaration counts at run time: defaults, types and rules.
    pub declarations: bool,
    /// First names that the engine brings itself; a `*` at the end stands for anything.
    pub injected: &'static [&'static str],
    /// How to get literal braces round a name, if there is a way.
    pub literal_braces: Option<&'static str>,
}

impl Dialect {
    /// All dialects, in the order in which we list them.
    pub const ALL: [Dialect; 5] = [
        Dialect::AgentEnsemble,
        Dialect::Adk,
        Dialect::Entaingine,
        Dialect::PromptPack,
        Dialect::Agentle,
    ];

    /// The row of this dialect.
    pub const fn spec(self) -> &'static DialectSpec {
        match self {
            Dialect::AgentEnsemble => &DialectSpec {
                id: "agentensemble",
                language_id: "prompt-agentensemble",
                title: "AgentEnsemble",
                open: "{",
                close: "}",
                optional_mark: None,
                prefixes: &[],
                blocks: &[],
                missing: Missing::Raises,
                paths: false,
                indexes: false,
                declarations: false,
                injected: &[],
                literal_braces: Some("double them: `{{name}}` is sent as `{name}`"),
            },
            Dialect::Adk => &DialectSpec {
                id: "adk",
                language_id: "prompt-adk",
                title: "Google ADK",
                open: "{",
                close: "}",
                optional_mark: Some('?'),
                prefixes: &["app:", "user:", "temp:", "artifact."],
                blocks: &[],
                missing: Missing::Raises,
                paths: false,
                indexes: false,
                declarations: false,
                injected: &[],
                literal_braces: None,
            },
            Dialect::Entaingine => &DialectSpec {
                id: "entaingine",
                language_id: "prompt-entaingine",
                title: "entAIngine",
                open: "{",
                close: "}",
                optional_mark: None,
                prefixes: &[],
                blocks: &[],
                missing: Missing::StaysLiteral,
                paths: false,
                indexes: false,
                declarations: false,
                injected: &[],
                literal_braces: None,
            },
            Dialect::PromptPack => &DialectSpec {
                id: "promptpack",
                language_id: "prompt-promptpack",
                title: "PromptPack",
                open: "{{",
                close: "}}",
                optional_mark: None,
                prefixes: &[],
                blocks: &[],
                missing: Missing::Raises,
                paths: true,
                indexes: true,
                declarations: true,
                injected: &["artifacts", "workflow_context", "input", "current_*"],
                literal_braces: None,
            },
            Dialect::Agentle => &DialectSpec {
                id: "agentle",
                language_id: "prompt-agentle",
                title: "Agentle",
                open: "{{",
                close: "}}",
                optional_mark: None,
                prefixes: &[],
                blocks: &[BlockKind::If, BlockKind::Each],
                missing: Missing::StaysLiteralOrEmpty,
                paths: true,
                indexes: false,
                declarations: false,
                injected: &[],
                literal_braces: None,
            },
        }
    }

    /// Whether the engine brings the value of this first name itself.
    pub fn injects(self, root: &str) -> bool {
        self.spec().injected.iter().any(|injected| match injected.strip_suffix('*') {
            Some(start) => root.starts_with(start),
            None => root == *injected,
        })
    }

    /// The dialect with this [`DialectSpec::id`].
    pub fn from_id(id: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.spec().id == id)
    }

    /// The dialect with this [`DialectSpec::language_id`].
    pub fn from_language_id(id: &str) -> Option<Dialect> {
        Dialect::ALL.into_iter().find(|dialect| dialect.spec().language_id == id)
    }
}
