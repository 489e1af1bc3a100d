//! Objects of frameworks with methods that take prompts: `client = Client()`,
//! `client.create_prompt(…)`.

use std::collections::{HashMap, HashSet};

use crate::code::outline::Outline;
use crate::code::tokens::Tokens;

/// The number of tokens of a type before the class in it: `client: Optional[Client]`.
const MAX_BEFORE_CLASS: usize = 4;

/// The names of variables, fields and parameters that hold such objects, by the function or class
/// that creates them.
#[derive(Default)]
pub(super) struct Clients<'s> {
    names: HashMap<&'static str, HashSet<&'s str>>,
}

impl<'s> Clients<'s> {
    /// Adds the names that hold objects of a source. `is_source` decides about the names before a
    /// bracket, or of a type.
    ///
    /// Cost: the tokens.
    pub fn add(
        &mut self,
        tokens: &Tokens<'s>,
        outline: &Outline<'s>,
        source: &'static str,
        is_source: impl Fn(&[&str]) -> bool,
    ) {
        if self.names.contains_key(source) {
            return;
        }
        let imports = outline.imports.iter().filter(|import| import.name == Some(source));
        let words: HashSet<&str> = imports.map(|import| import.local).chain([source]).collect();
        let mut names = HashSet::new();
        for at in (0..tokens.all.len()).filter(|at| words.contains(tokens.text(*at))) {
            let chain = tokens.callee(at + 1);
            if chain.is_empty() || !is_source(&chain) {
                continue;
            }
            let first = (at + 2).saturating_sub(2 * chain.len());
            names.extend(match tokens.text(at + 1) {
                "(" => assigned(tokens, outline, first),
                _ => typed(tokens, first),
            });
        }
        self.names.insert(source, names);
    }

    /// `true` if the expression that ends before a token is an object of a source.
    pub fn ends_with(
        &self,
        tokens: &Tokens<'s>,
        end: usize,
        source: &str,
        is_source: impl Fn(&[&str]) -> bool,
    ) -> bool {
        let Some(last) = end.checked_sub(1) else { return false };
        match tokens.partner(last) {
            Some(open) => open < last && is_source(&tokens.callee(open)),
            None => self.names.get(source).is_some_and(|it| it.contains(tokens.text(last))),
        }
    }
}

/// The name that an assignment gives the object of a call: `self.client = Client()`.
fn assigned<'s>(tokens: &Tokens<'s>, outline: &Outline<'s>, call: usize) -> Option<&'s str> {
    let mut before = call.checked_sub(1)?;
    while matches!(tokens.text(before), "new" | "await") {
        before = before.checked_sub(1)?;
    }
    let target = outline.statement_at(call)?.target?;
    (tokens.text(before) == "=" && target < before).then(|| tokens.text(target))
}

/// The name before the type that starts with a class: `client: Client`.
fn typed<'s>(tokens: &Tokens<'s>, class: usize) -> Option<&'s str> {
    let mut at = class;
    for _ in 0..MAX_BEFORE_CLASS {
        at = at.checked_sub(1)?;
        match tokens.text(at) {
            ":" => {
                let name = at.checked_sub(1)?;
                // TypeScript marks optional ones.
                let name = if tokens.text(name) == "?" { name.checked_sub(1)? } else { name };
                return tokens.is_word(name).then(|| tokens.text(name));
            }
            "[" | "Optional" | "typing" | "." => {}
            _ => return None,
        }
    }
    None
}
