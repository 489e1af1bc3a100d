//! Outlines of hosts, one file per language.

mod braces;
mod go;
mod java;
mod kotlin;
mod python;
mod script;
mod statements;

use super::outline::Outline;
use super::outline::objects::changed;
use super::tokens::Tokens;
use crate::language::Language;

/// The outline of a host; `None` for languages without an outline.
///
/// Cost: the number of tokens.
pub(crate) fn outline<'s>(tokens: &Tokens<'s>) -> Option<Outline<'s>> {
    let mut outline = match tokens.language {
        Language::Go => go::outline(tokens),
        Language::Java => java::outline(tokens),
        Language::Kotlin => kotlin::outline(tokens),
        Language::Python => python::outline(tokens),
        Language::TypeScript | Language::Tsx | Language::JavaScript => script::outline(tokens),
        _ => return None,
    };
    (outline.changed, outline.assigned) = changed(tokens);
    Some(outline)
}
