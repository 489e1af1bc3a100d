//! Template languages that are not supported, and the marks that identify them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use promptls_syntax::Dialect;
use regex::Regex;

use crate::code_spans::CodeSpans;

/// An unsupported template language that a text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherLanguage {
    /// The name of the language.
    pub name: &'static str,
    /// A supported dialect that is also possible, because it has the same blocks.
    pub or: Option<Dialect>,
}

impl OtherLanguage {
    /// A description for the user.
    pub fn reads_like(&self) -> String {
        let or = self.or.map(|dialect| format!(", or {}", dialect.spec().title));
        format!("looks like {}, which is not supported{}", self.name, or.unwrap_or_default())
    }
}

/// The owner of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    /// A template language that is not supported, by its name.
    Language(&'static str),
    /// A supported dialect has the same blocks.
    DialectBlocks,
    /// Code, which belongs to no template language.
    NoLanguage,
}

const JINJA: Whose = Whose::Language("Jinja");
const HANDLEBARS: Whose = Whose::Language("Handlebars");
const SEMANTIC_KERNEL: Whose = Whose::Language("Semantic Kernel");
const GO: Whose = Whose::Language("Go");
const POML: Whose = Whose::Language("POML");
const ERB: Whose = Whose::Language("ERB");

/// The marks that identify a language. If two match at the same place, the first one counts. `\w`
/// is used only in brackets.
///
/// No mark extends beyond the next tag, so many unclosed ones cost only one pass.
///
/// If two languages have equally many marks in a text, the first one in this list is chosen.
const MARKS: [(Whose, &str); 29] = [
    (JINJA, r"\{%[-+]?\s*[A-Za-z](?:[^{\n]|\{[^{%#\n])*?%\}"),
    (JINJA, r"\{#[^{}\n]*#\}"),
    (JINJA, r#"\{\{-?\s*[\w.\[\]'"()]+\s*\|\s*[\w][^{}\n]*\}\}"#),
    (JINJA, r"\{\{-?\s*[\w.]+\([^{}\n]*\)\s*(?:[-+|.\[~][^{}\n]*)?\}\}"),
    (HANDLEBARS, r"\{\{~?\s*else\b[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?#unless\b[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?#with\b[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?#each\s[^{}\n]*\sas\s*\|[^{}\n]*\}\}"),
    (Whose::DialectBlocks, r"\{\{#(?:if|each)\b[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?#[*>]?\s*[A-Za-z_][^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{\^\s*[\w./]*\s*\}\}"),
    (HANDLEBARS, r"\{\{![^{}]*\}\}"),
    (HANDLEBARS, r"\{\{>\s*[\w./-]+[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?@[\w][^{}\n]*\}\}"),
    (HANDLEBARS, r#"\{\{\s*role\s+["'][^{}\n]*\}\}"#),
    (HANDLEBARS, r"\{\{\s*media\s[^{}\n]*\}\}"),
    (GO, r"\{\{-?\s*\.[A-Za-z_][^{}\n]*\}\}"),
    (GO, r"\{\{-?\s*range\s[^{}\n]*\}\}"),
    (GO, r"\{\{-?\s*end\s*-?\}\}"),
    (GO, r"\{\{-?\s*if\s[^{}\n]*\}\}"),
    (GO, r"\{\{-?\s*with\s+\.[^{}\n]*\}\}"),
    (GO, r#"\{\{-?\s*(?:template|define|block)\s+"[^{}\n]*\}\}"#),
    (Whose::NoLanguage, r"\{\{\s*(?:return|echo|print|case)\b"),
    (SEMANTIC_KERNEL, r"\{\{\s*\$[\w]+\s*\}\}"),
    (SEMANTIC_KERNEL, r"\{\{\s*[\w.-]+\s+(?:[\w]+\s*=\s*)?\$[\w][^{}\n]*\}\}"),
    (SEMANTIC_KERNEL, r"\{\{\s*[\w.-]+\s+'[^{}'\n]*'[^{};:\n]*\}\}"),
    (SEMANTIC_KERNEL, r#"\{\{\s*[\w.-]+\s+"[^{}"\n]*"[^{};:\n]*\}\}"#),
    (POML, r"<poml\b"),
    (ERB, r"<%[-=]?\s"),
];

/// All marks, each in a separate group. Only ASCII letters and whitespace count: compiling an
/// expression with Unicode classes takes a hundred times as long.
static ANY_MARK: LazyLock<Regex> = LazyLock::new(|| {
    let marks = MARKS.map(|(_, mark)| format!("({mark})")).join("|");
    let ascii = marks.replace(r"\w", "[:word:]").replace(r"\s", "[[:space:]]");
    Regex::new(&ascii.replace(r"\b", r"(?-u:\b)")).expect("the marks are regular expressions")
});

/// The language with most marks in a text, ignoring code; `None` without any marks.
///
/// Cost: one pass over the text, and a check of each distinct tag.
pub(super) fn language_of(text: &str, code: &CodeSpans) -> Option<OtherLanguage> {
    let mut tags: BTreeSet<&str> = BTreeSet::new();
    // The number of distinct tags with each mark.
    let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
    for found in ANY_MARK.find_iter(text) {
        if !code.contains(found.start())
            && tags.insert(found.as_str())
            && let Some(mark) = mark_of(text, found.start())
        {
            *seen.entry(mark).or_default() += 1;
        }
    }
    let has_dialect_blocks = seen.keys().any(|&mark| MARKS[mark].0 == Whose::DialectBlocks);
    // By language, in the order of the table: the numbers of marks and tags.
    let mut languages: Vec<(&'static str, usize, usize)> = Vec::new();
    for (mark, tags) in seen {
        let Whose::Language(name) = MARKS[mark].0 else { continue };
        match languages.iter_mut().find(|(other, ..)| *other == name) {
            Some((_, marks, all_tags)) => {
                *marks += 1;
                *all_tags += tags;
            }
            None => languages.push((name, 1, tags)),
        }
    }
    languages.reverse();
    let (name, ..) = languages.into_iter().max_by_key(|&(_, marks, tags)| (marks, tags))?;
    let has_blocks = |dialect: &Dialect| !dialect.spec().blocks.is_empty();
    let or = Dialect::ALL.into_iter().find(has_blocks).filter(|_| has_dialect_blocks);
    Some(OtherLanguage { name, or })
}

/// The index of the mark that begins at an offset.
fn mark_of(text: &str, at: usize) -> Option<usize> {
    let groups = ANY_MARK.captures_at(text, at)?;
    groups.iter().skip(1).position(|group| group.is_some())
}
