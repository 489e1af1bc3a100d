//! What a host declares, as far as texts need it: imports, scopes, classes, functions, and what is
//! assigned to which name. A file per language makes it.

mod braces;
mod declared;
mod go;
mod java;
mod kotlin;
mod python;
mod script;

use super::tokens::Tokens;
use crate::language::Language;
pub(crate) use declared::{Outline, ScopeKind, Value, is_class_name};

impl<'s> Outline<'s> {
    /// The outline of a host; `None` for languages whose outline nothing reads.
    ///
    /// Cost: the number of tokens.
    pub fn new(tokens: &Tokens<'s>) -> Option<Outline<'s>> {
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
}
