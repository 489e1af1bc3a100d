//! Grammars: the rules of tokenization, from the document of a dialect or from one of its engines.

use crate::dialect::Dialect;

/// The rules of tokenization of a prompt.
///
/// Most engines of a dialect tokenize as its document describes. Each of the others has its own
/// variant here. The processing of tokens is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// The rules in the document of the dialect.
    Documented(Dialect),
    /// ADK for Kotlin: letters of one UTF-16 unit, `_` and decimal digits.
    AdkKotlin,
    /// ADK for Go: any letters, `_` and decimal digits.
    AdkGo,
    /// ADK for JavaScript: names are ASCII.
    AdkJs,
    /// ADK for Python: names are those of Python.
    AdkPython,
    /// The same in 1.25.0 only, where doubled braces are literal.
    AdkPythonDoubled,
    /// The same from 2.10 on, where no placeholder starts directly after `$` or `\`.
    AdkPythonSigns,
    /// PromptKit for Go: anything up to the next closer is a name.
    PromptKitGo,
    /// PromptPack for Python: `{{name}}` and `{{name:name}}`.
    PromptPackPython,
    /// PromptPack for JavaScript: only `{{name}}`, without paths.
    PromptPackJs,
    /// LangChain for JavaScript, for Python braces: anything up to the next closer is a name.
    LangChainJs,
    /// LlamaIndex: any text in an innermost pair of braces is a name.
    LlamaIndex,
    /// CrewAI: names of letters, digits and `_`.
    CrewAi,
    /// The same from 0.120.1 on, where names may contain `-`.
    CrewAiHyphens,
}

impl Grammar {
    /// All grammars that differ from the document of their dialect.
    pub const OF_ENGINES: &[Grammar] = &[
        Grammar::AdkKotlin,
        Grammar::AdkGo,
        Grammar::AdkJs,
        Grammar::AdkPython,
        Grammar::AdkPythonDoubled,
        Grammar::AdkPythonSigns,
        Grammar::PromptKitGo,
        Grammar::PromptPackPython,
        Grammar::PromptPackJs,
        Grammar::LangChainJs,
        Grammar::LlamaIndex,
        Grammar::CrewAi,
        Grammar::CrewAiHyphens,
    ];

    /// The documented grammars of all dialects, then those of engines.
    pub fn all() -> impl Iterator<Item = Grammar> {
        let documented = Dialect::ALL.into_iter().map(Grammar::Documented);
        documented.chain(Grammar::OF_ENGINES.iter().copied())
    }

    /// The dialect of the grammar.
    pub const fn dialect(self) -> Dialect {
        match self {
            Grammar::Documented(dialect) => dialect,
            Grammar::AdkKotlin
            | Grammar::AdkGo
            | Grammar::AdkJs
            | Grammar::AdkPython
            | Grammar::AdkPythonDoubled
            | Grammar::AdkPythonSigns => Dialect::Adk,
            Grammar::PromptKitGo | Grammar::PromptPackPython | Grammar::PromptPackJs => {
                Dialect::PromptPack
            }
            Grammar::LangChainJs
            | Grammar::LlamaIndex
            | Grammar::CrewAi
            | Grammar::CrewAiHyphens => Dialect::Format,
        }
    }

    /// `true` if each literal brace is written twice.
    pub const fn doubles_braces(self) -> bool {
        matches!(self, Grammar::Documented(Dialect::Format) | Grammar::LangChainJs)
    }

    /// `true` if placeholders may have conversions and format specifications: [`Field`](crate::Field).
    pub const fn has_specifications(self) -> bool {
        matches!(self, Grammar::Documented(Dialect::Format))
    }

    /// `true` if there is text that the engine refuses: [`TokenKind::Malformed`](crate::TokenKind).
    pub(crate) const fn has_errors(self) -> bool {
        self.doubles_braces()
    }

    /// `true` if the byte before a brace affects the brace.
    pub(crate) const fn looks_behind(self) -> bool {
        matches!(self, Grammar::AdkPythonDoubled | Grammar::AdkPythonSigns)
    }
}

impl From<Dialect> for Grammar {
    fn from(dialect: Dialect) -> Self {
        Grammar::Documented(dialect)
    }
}
