//! Prompts that are strings in source code.
//!
//! A host is analyzed in four steps, which are the same for all languages. Tokens with their
//! bracket partners (`tokens.rs`); an outline of the declarations (`outline.rs`); places that take
//! prompts (`recogniser.rs`, `rule.rs`, `marked.rs`); and the texts of the expressions there
//! (`expression.rs`, `operation.rs`). `host.rs` runs the steps and collects what they find.
//!
//! A language has a file in each of `scan/`, `decode/` and `outlines/`, with its arm in `scan.rs`,
//! `decode.rs` and `outlines.rs`. It also has a file of tables in each of `grammars/` and
//! `recognisers/`.

mod beside;
mod callees;
mod calls;
mod computed;
mod expression;
mod factories;
mod grammar;
mod grammars;
mod host;
mod loading;
mod loads;
mod loops;
mod marked;
mod members;
mod methods;
mod objects;
mod operation;
mod outline;
mod outlines;
mod recogniser;
pub(crate) mod recognisers;
pub(crate) mod rule;
mod static_value;
mod supplying;
mod tokens;

use std::collections::BTreeSet;

use promptls_syntax::Dialect;

use crate::code_gates::may_use;
use crate::finds::Finds;
use crate::host_prompt::Demand;
use crate::language::Language;
use crate::unread::Unread;
pub use calls::callee::Callee;
use host::Host;
pub(crate) use host::crews;
pub(crate) use operation::Operation;
use outline::Value;
pub(crate) use outline::{ANY, EACH};
pub(crate) use outlines::outline;
pub(crate) use recognisers::CREWAI;
pub use recognisers::{Certainty, ValueSupply, value_supply};
use rule::CodeEntry;
pub(crate) use static_value::{CallArgument, Reference};
pub(crate) use tokens::Tokens;

/// The maximum size of a file that is searched for prompts, in bytes.
const MAX_BYTES: usize = 2 << 20;

/// The prompts of a code file; see [`crate::find_with`].
pub(crate) fn find(
    language: Language,
    source: &str,
    rules: &[(CodeEntry, Dialect)],
    demands: &[Demand],
) -> Finds {
    if demands.is_empty() && !may_use(language, source, rules) {
        return Finds::default();
    }
    if source.len() > MAX_BYTES {
        return Finds { unread: vec![Unread::too_large(MAX_BYTES)], ..Finds::default() };
    }
    let Some(tokens) = Tokens::new(language, source) else { return Finds::default() };
    let Some(outline) = outline(&tokens) else { return Finds::default() };
    Host::new(&tokens, &outline, demands).find(rules)
}

/// The names that a code file declares for all of its package, sorted.
///
/// Cost: that of parsing it.
pub fn declared_names(language: Language, source: &str) -> Vec<String> {
    let tokens = Tokens::new(language, source).filter(|_| source.len() <= MAX_BYTES);
    let Some(tokens) = tokens else { return Vec::new() };
    let Some(outline) = outline(&tokens) else { return Vec::new() };
    let names = outline.names.iter().filter(|(_, value)| !matches!(value, Value::Import(_)));
    let names = names.map(|(name, _)| name).chain(outline.methods.keys());
    let all = names.chain(outline.classes.keys());
    let names: BTreeSet<&str> =
        all.filter(|(scope, _)| *scope == 0).map(|(_, name)| *name).collect();
    names.into_iter().map(str::to_owned).collect()
}
