//! Outlines of hosts, one file per language.

mod braces;
mod go;
mod java;
mod kotlin;
mod python;
mod script;
mod statements;

use super::outline::Outline;
use super::tokens::Tokens;
use crate::language::Language;

/// The outline of a host; `None` for languages without an outline.
///
/// Cost: the number of tokens.
pub(crate) fn outline<'s>(tokens: &Tokens<'s>) -> Option<Outline<'s>> {
    match tokens.language {
        Language::Go => Some(go::outline(tokens)),
        Language::Java => Some(java::outline(tokens)),
        Language::Kotlin => Some(kotlin::outline(tokens)),
        Language::Python => Some(python::outline(tokens)),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            Some(script::outline(tokens))
        }
        _ => None,
    }
}
