//! How a prompt is split into tokens: as the document of its dialect says, or as one of its engines
//! does it.

use crate::dialect::Dialect;

/// The rules by which a prompt is split into tokens.
///
/// Most engines of a dialect split as its document says. Each of the others has its row here; what
/// they do with the tokens is not told by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grammar {
    /// As the document of the dialect says.
    Documented(Dialect),
    /// ADK for Kotlin: letters of one UTF-16 unit, `_` and decimal digits.
    AdkKotlin,
    /// ADK for Go: any letters, `_` and decimal digits.
    AdkGo,
    /// ADK for JavaScript: names are ASCII.
    AdkJs,
    /// ADK for Python: names are those of Python.
    AdkPython,
    /// The same in 1.25.0 alone, where doubled braces are literal ones.
    AdkPythonDoubled,
    /// The same from 2.10 on, where no placeholder starts right behind `$` or `\`.
    AdkPythonSigns,
    /// PromptKit for Go: anything up to the next closer is a name.
    PromptKitGo,
    /// PromptPack for Python: `{{name}}` and `{{name:name}}`.
    PromptPackPython,
    /// PromptPack for JavaScript: `{{name}}`.
    PromptPackJs,
}

impl Grammar {
    /// All that are not as the document of their dialect says.
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
    ];

    /// All grammars.
    pub fn all() -> impl Iterator<Item = Grammar> {
        let documented = Dialect::ALL.into_iter().map(Grammar::Documented);
        documented.chain(Grammar::OF_ENGINES.iter().copied())
    }

    /// The dialect whose tokens these are.
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
        }
    }

    /// Whether the byte before a brace has a say in what the brace is.
    pub(crate) const fn looks_behind(self) -> bool {
        matches!(self, Grammar::AdkPythonDoubled | Grammar::AdkPythonSigns)
    }
}

impl From<Dialect> for Grammar {
    fn from(dialect: Dialect) -> Self {
        Grammar::Documented(dialect)
    }
}
