//! Values of slices, arrays and maps in Go, whose type is written once: `[]T{{A: "a"}, {A: "b"}}`.

use std::ops::Range;

use crate::code::tokens::Tokens;
use crate::language::Language;

/// The maximum number of slices and maps in each other.
const MAX_DEPTH: usize = 4;

/// The brackets of the values in a slice or map of a type that is written before a brace; `None` if
/// the type is that of the braces themselves.
pub(super) fn elements(tokens: &Tokens<'_>, open: usize) -> Option<Vec<(usize, usize)>> {
    let chain = tokens.callee(open).len();
    if tokens.language != Language::Go || tokens.text(open) != "{" || chain == 0 {
        return None;
    }
    let mut start = (open + 1).checked_sub(2 * chain)?;
    let mut depth = 0;
    while let Some(before) = start.checked_sub(1).filter(|_| depth < MAX_DEPTH) {
        match tokens.text(before) {
            "*" => start = before,
            "]" => {
                let key = tokens.partner(before)?;
                let is_map = key > 0 && tokens.text(key - 1) == "map";
                start = key - usize::from(is_map);
                depth += 1;
            }
            _ => break,
        }
    }
    if depth == 0 {
        return None;
    }
    let mut found = vec![(open, tokens.partner(open)?)];
    for _ in 0..depth {
        let inner = found.into_iter().flat_map(|(open, close)| tokens.split(open + 1..close));
        found = inner.filter_map(|value| braces(tokens, value)).collect();
    }
    Some(found)
}

/// The braces that are a value, perhaps after a key.
fn braces(tokens: &Tokens<'_>, value: Range<usize>) -> Option<(usize, usize)> {
    let sign = tokens.at_depth(value.clone()).find(|at| tokens.text(*at) == ":");
    let open = sign.map_or(value.start, |sign| sign + 1);
    let close = tokens.closer(open, "{")?;
    (close + 1 == value.end).then_some((open, close))
}
