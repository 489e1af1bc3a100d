//! Template languages that are none of ours, and what gives them away.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use promptls_syntax::Dialect;
use regex::Regex;

use crate::code_spans::CodeSpans;

/// A template language that a text is written in, and that is none of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherLanguage {
    /// What it is called.
    pub name: &'static str,
    /// The dialect that it may be all the same, because it has the same blocks.
    pub or: Option<Dialect>,
}

impl OtherLanguage {
    /// What it is, in words.
    pub fn reads_like(&self) -> String {
        let or = self.or.map(|dialect| format!(", or {}", dialect.spec().title));
        format!("reads like {}, which is none of ours{}", self.name, or.unwrap_or_default())
    }
}

/// Whose a mark is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Whose {
    /// Another language's.
    Language(&'static str),
    /// Its blocks are those of a dialect of ours as well.
    BlocksOfOurs,
    /// Code's, which no language wants.
    Nobody,
}

const JINJA: Whose = Whose::Language("Jinja");
const HANDLEBARS: Whose = Whose::Language("Handlebars");
const SEMANTIC_KERNEL: Whose = Whose::Language("Semantic Kernel");
const GO: Whose = Whose::Language("Go");
const POML: Whose = Whose::Language("POML");
const ERB: Whose = Whose::Language("ERB");

/// What gives a language away. Where two begin at the same place, the first one counts; `\w`
/// stands in brackets only.
///
/// No mark goes on behind the next tag, so that many which are never closed cost one pass.
///
/// Between languages of which as many marks were seen, the first one here wins.
const MARKS: [(Whose, &str); 29] = [
    (JINJA, r"\{%[-+]?\s*[A-Za-z](?:[^{\n]|\{[^{%#\n])*?%\}"),
    (JINJA, r"\{#[^{}\n]*#\}"),
    (JINJA, r#"\{\{-?\s*[\w.\[\]'"()]+\s*\|\s*[\w][^{}\n]*\}\}"#),
    (JINJA, r"\{\{-?\s*[\w.]+\([^{}\n]*\)\s*(?:[-+|.\[~][^{}\n]*)?\}\}"),
    (HANDLEBARS, r"\{\{~?\s*else\b[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?#unless\b[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?#with\b[^{}\n]*\}\}"),
    (HANDLEBARS, r"\{\{~?#each\s[^{}\n]*\sas\s*\|[^{}\n]*\}\}"),
    (Whose::BlocksOfOurs, r"\{\{#(?:if|each)\b[^{}\n]*\}\}"),
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
    (Whose::Nobody, r"\{\{\s*(?:return|echo|print|case)\b"),
    (SEMANTIC_KERNEL, r"\{\{\s*\$[\w]+\s*\}\}"),
    (SEMANTIC_KERNEL, r"\{\{\s*[\w.-]+\s+(?:[\w]+\s*=\s*)?\$[\w][^{}\n]*\}\}"),
    (SEMANTIC_KERNEL, r"\{\{\s*[\w.-]+\s+'[^{}'\n]*'[^{};:\n]*\}\}"),
    (SEMANTIC_KERNEL, r#"\{\{\s*[\w.-]+\s+"[^{}"\n]*"[^{};:\n]*\}\}"#),
    (POML, r"<poml\b"),
    (ERB, r"<%[-=]?\s"),
];

/// All marks, each in a group of its own. Of letters and blanks, only those of ASCII count: an
/// expression that knows all of Unicode takes a hundred times as long to make.
static ANY_MARK: LazyLock<Regex> = LazyLock::new(|| {
    let marks = MARKS.map(|(_, mark)| format!("({mark})")).join("|");
    let ascii = marks.replace(r"\w", "[:word:]").replace(r"\s", "[[:space:]]");
    Regex::new(&ascii.replace(r"\b", r"(?-u:\b)")).expect("the marks are regular expressions")
});

/// The language of which most marks stand in a text, code aside; `None` if there is no mark.
///
/// Cost: one pass over the text, and a look at each distinct tag.
pub(super) fn language_of(text: &str, code: &CodeSpans) -> Option<OtherLanguage> {
    let mut tags: BTreeSet<&str> = BTreeSet::new();
    // By mark, how many distinct tags have it.
    let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
    for found in ANY_MARK.find_iter(text) {
        if !code.contains(found.start())
            && tags.insert(found.as_str())
            && let Some(mark) = mark_of(text, found.start())
        {
            *seen.entry(mark).or_default() += 1;
        }
    }
    let blocks_of_ours = seen.keys().any(|&mark| MARKS[mark].0 == Whose::BlocksOfOurs);
    // By language, in the order of the table: marks, then tags.
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
    let or = Dialect::ALL.into_iter().find(has_blocks).filter(|_| blocks_of_ours);
    Some(OtherLanguage { name, or })
}

/// Which mark begins at an offset.
fn mark_of(text: &str, at: usize) -> Option<usize> {
    let groups = ANY_MARK.captures_at(text, at)?;
    groups.iter().skip(1).position(|group| group.is_some())
}
