//! Names of a host that stand for others: a class for those that it derives from, and a constant
//! for the class or function that is its value.

use std::ops::Range;

use super::{chain_of, completed};
use crate::code::grammars::grammar;
use crate::code::outline::{Outline, Value};
use crate::code::tokens::Tokens;

/// The maximum number of names between a name of a host and the one that it stands for.
const MAX_NAMES: usize = 4;

/// A chain of names that another one stands for.
pub(super) struct Meaning<'o> {
    /// The scope in which the names have this meaning.
    pub scope: usize,
    pub chain: Vec<&'o str>,
    /// `true` if a class of the host between both derives from it.
    pub is_derived: bool,
    /// The constructors of these classes, as far as they have one and the chain is a class.
    pub constructors: Vec<usize>,
}

/// The chains that a chain of names stands for, after the classes and constants of the host:
/// `PromptTemplate.from_template` for `Mine.from_template`, with `class Mine(PromptTemplate)`. The
/// chain itself, if it stands for no other one.
pub(super) fn meanings<'o>(
    tokens: &'o Tokens<'o>,
    outline: &'o Outline<'o>,
    scope: usize,
    chain: &[&'o str],
) -> Vec<Meaning<'o>> {
    let mut open =
        vec![Meaning { scope, chain: chain.to_vec(), is_derived: false, constructors: Vec::new() }];
    let mut found = Vec::new();
    // Modules may declare classes that derive from each other.
    for _ in 0..=MAX_NAMES {
        let mut next = Vec::new();
        for meaning in open {
            match followed(tokens, outline, &meaning) {
                Some(others) => next.extend(others),
                None => found.push(meaning),
            }
        }
        open = next;
    }
    found
}

/// The chains that a chain stands for, one step further; `None` unless it starts with a class or a
/// constant of the host.
fn followed<'o>(
    tokens: &'o Tokens<'o>,
    outline: &'o Outline<'o>,
    meaning: &Meaning<'o>,
) -> Option<Vec<Meaning<'o>>> {
    let (head, rest) = meaning.chain.split_first()?;
    if let Some(class) = outline.class(meaning.scope, &[head]) {
        let is_own =
            rest.first().is_some_and(|method| outline.methods.contains_key(&(class, method)));
        let scope = outline.scopes[class].parent.unwrap_or_default();
        let constructor = grammar(tokens.language).constructor.filter(|_| rest.is_empty());
        let constructor = constructor.and_then(|name| outline.methods.get(&(class, name)));
        let mut constructors = meaning.constructors.clone();
        if let Some(Value::Function(function)) = constructor {
            constructors.push(*function);
        }
        let bases = outline.bases(class).iter().filter(|_| !is_own);
        let bases = bases.map(|base| {
            let chain = base.iter().map(String::as_str).chain(rest.iter().copied()).collect();
            Meaning { scope, chain, is_derived: true, constructors: constructors.clone() }
        });
        return Some(bases.collect());
    }
    let (scope, Value::Expression(value)) = outline.value(meaning.scope, head)? else {
        return None;
    };
    let mut chain = alias(tokens, value.clone(), rest.is_empty())?;
    chain.extend(rest);
    let constructors = meaning.constructors.clone();
    Some(vec![Meaning { scope, chain, is_derived: meaning.is_derived, constructors }])
}

/// The names that an expression is, or, if it is called, those of the function of which it sets
/// some arguments.
pub(super) fn alias<'s>(
    tokens: &Tokens<'s>,
    value: Range<usize>,
    is_called: bool,
) -> Option<Vec<&'s str>> {
    let last = tokens.partner(value.end.checked_sub(1)?).filter(|_| is_called);
    last.and_then(|open| completed(tokens, open)).or_else(|| chain_of(tokens, value))
}
