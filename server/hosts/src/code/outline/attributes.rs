//! The attributes that constructors set: `self.text = "…"`.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::Outline;
use crate::code::tokens::Tokens;

/// The attributes that constructors of a host set.
#[derive(Default)]
pub(crate) struct Attributes<'s> {
    /// The values by class and name; `None` for several or conditional ones.
    pub values: HashMap<(usize, &'s str), Option<Range<usize>>>,
    /// The names that code outside of the class sets.
    pub foreign: HashSet<&'s str>,
}

/// The attributes that the constructors of a host set.
///
/// Cost: the tokens.
pub(crate) fn attributes<'s>(
    tokens: &Tokens<'s>,
    outline: &Outline<'s>,
    own: &[&str],
    constructor: Option<&str>,
) -> Attributes<'s> {
    let mut attributes = Attributes::default();
    for dot in 1..tokens.all.len() {
        if tokens.text(dot) != "." || !tokens.is_word(dot + 1) {
            continue;
        }
        let name = tokens.text(dot + 1);
        let Some(statement) = outline.statement_at(dot) else { continue };
        let rest = dot + 2..statement.tokens.end;
        let sign = match tokens.text(rest.start) {
            // A type.
            ":" => rest.clone().find(|at| tokens.text(*at) == "="),
            text => (text.ends_with('=') && !text.starts_with(['=', '!', '<', '>']) || text == "=")
                .then_some(rest.start),
        };
        let Some(sign) = sign else { continue };
        let is_own = statement.tokens.start + 1 == dot && own.contains(&tokens.text(dot - 1));
        let scope = outline.scope_at(dot);
        let class = outline.scopes[scope].parent.filter(|it| outline.class_name(*it).is_some());
        let Some(class) = class.filter(|_| is_own) else {
            attributes.foreign.insert(name);
            continue;
        };
        let header = statement.parent.map(|it| tokens.text(outline.statements[it].tokens.start));
        let is_conditional =
            header.is_some_and(|word| !matches!(word, "def" | "class") && own.contains(&"cls"));
        let is_value = tokens.text(sign) == "="
            && Some(outline.scopes[scope].name) == constructor
            && !is_conditional;
        let value = is_value.then(|| sign + 1..statement.tokens.end);
        let known = attributes.values.entry((class, name));
        known.and_modify(|known| *known = None).or_insert(value);
    }
    attributes
}
