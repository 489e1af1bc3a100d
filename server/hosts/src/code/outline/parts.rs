//! Names that stand for a part of another value: targets of loops, and of patterns.

use std::ops::Range;

use super::{MAX_AROUND, Outline, Value};
use crate::code::grammar::{Grammar, Yields};
use crate::code::tokens::Tokens;

/// The step of a path to any value of an object or a list.
pub(crate) const ANY: &str = "*";

/// The step of a path to any item that a loop over the value has; the values of an object are none.
pub(crate) const EACH: &str = "*each";

/// The maximum number of names in a pattern.
const MAX_NAMES: usize = 10;

/// The maximum nesting depth of patterns.
const MAX_DEPTH: usize = 4;

const NUMBERS: [&str; MAX_NAMES] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// A part of the value of an expression.
#[derive(Clone, Debug)]
pub(crate) struct PartOf<'s> {
    /// The tokens of the expression.
    pub of: Range<usize>,
    /// The steps from its value to the part.
    pub path: Vec<&'s str>,
}

/// What a pattern takes apart.
#[derive(Clone)]
enum Whole<'s> {
    Path(Vec<&'s str>),
    /// A pair, of which only the second value is known.
    Pair(Vec<&'s str>),
    Unknown,
}

impl<'s> Whole<'s> {
    fn item(&self, index: usize) -> Whole<'s> {
        match self {
            Whole::Path(path) if index < MAX_NAMES => self.step(path, NUMBERS[index]),
            Whole::Pair(path) if index == 1 => Whole::Path(path.clone()),
            _ => Whole::Unknown,
        }
    }

    fn key(&self, key: &'s str) -> Whole<'s> {
        match self {
            Whole::Path(path) => self.step(path, key),
            _ => Whole::Unknown,
        }
    }

    fn step(&self, path: &[&'s str], step: &'s str) -> Whole<'s> {
        Whole::Path([path, &[step]].concat())
    }
}

impl<'s> Outline<'s> {
    /// Binds the names of a pattern in a scope to the items of a loop over an expression.
    pub fn bind_items(
        &mut self,
        (tokens, grammar): (&Tokens<'s>, &Grammar),
        scope: usize,
        pattern: Range<usize>,
        iterable: Range<usize>,
    ) {
        let (of, yields) = iterated(tokens, grammar, iterable);
        let whole = match yields {
            Yields::Items => Whole::Path(vec![EACH]),
            Yields::Values => Whole::Path(vec![ANY]),
            Yields::KeysAndValues => Whole::Pair(vec![ANY]),
            Yields::NumbersAndItems => Whole::Pair(vec![EACH]),
        };
        self.bind_pattern(tokens, scope, pattern, (&of, &whole), 0);
    }

    /// Binds the names of a pattern in a scope to the parts of an expression.
    pub fn bind_parts(
        &mut self,
        tokens: &Tokens<'s>,
        scope: usize,
        pattern: Range<usize>,
        of: Range<usize>,
    ) {
        self.bind_pattern(tokens, scope, pattern, (&of, &Whole::Path(Vec::new())), 0);
    }

    /// The part that a name stands for at a token, by its first part. Of several loops with one name,
    /// it is that of the innermost one around the token.
    pub fn part_at(&self, first: usize, at: usize) -> Option<usize> {
        let Some(others) = self.other_parts.get(&first) else { return Some(first) };
        let behind = self.statements.partition_point(|it| it.tokens.start <= at);
        let parent = |it: &usize| self.statements[*it].parent;
        let mut headers = std::iter::successors(behind.checked_sub(1), parent).take(MAX_AROUND);
        headers.find_map(|header| {
            let header = &self.statements[header].tokens;
            let start = |part: usize| self.parts[part].of.start;
            // The parts are in source order.
            let next = others.partition_point(|part| start(*part) < header.start);
            let other = others.get(next).copied();
            [Some(first), other].into_iter().flatten().find(|part| header.contains(&start(*part)))
        })
    }

    fn bind_pattern(
        &mut self,
        tokens: &Tokens<'s>,
        scope: usize,
        pattern: Range<usize>,
        (of, whole): (&Range<usize>, &Whole<'s>),
        depth: usize,
    ) {
        if depth > MAX_DEPTH {
            return self.bind_unknown(tokens, scope, pattern);
        }
        let parts = tokens.split(pattern.clone());
        if parts.len() > 1 {
            for (index, part) in parts.into_iter().enumerate() {
                self.bind_pattern(tokens, scope, part, (of, &whole.item(index)), depth + 1);
            }
            return;
        }
        let start = pattern.start;
        let inside = tokens.partner(start).filter(|close| close + 1 == pattern.end);
        let inside = inside.map(|close| start + 1..close);
        match (tokens.text(start), inside) {
            ("(" | "[", Some(inside)) => {
                for (index, part) in tokens.split(inside).into_iter().enumerate() {
                    self.bind_pattern(tokens, scope, part, (of, &whole.item(index)), depth + 1);
                }
            }
            ("{", Some(inside)) => {
                for part in tokens.split(inside) {
                    let key = tokens.text(part.start);
                    let name = match tokens.text(part.start + 1) {
                        ":" => part.start + 2..part.end,
                        _ => part.clone(),
                    };
                    self.bind_pattern(tokens, scope, name, (of, &whole.key(key)), depth + 1);
                }
            }
            (name, None) if pattern.len() == 1 && tokens.is_word(start) => {
                let value = match whole {
                    Whole::Path(path) => {
                        self.parts.push(PartOf { of: of.clone(), path: path.clone() });
                        Value::Part(self.parts.len() - 1)
                    }
                    _ => Value::Unknown,
                };
                self.bind(scope, name, value);
            }
            _ => self.bind_unknown(tokens, scope, pattern),
        }
    }

    fn bind_unknown(&mut self, tokens: &Tokens<'s>, scope: usize, pattern: Range<usize>) {
        for token in pattern.filter(|token| tokens.is_word(*token)) {
            self.bind(scope, tokens.text(token), Value::Unknown);
        }
    }
}

/// The value whose items a loop has, and which these are.
fn iterated(
    tokens: &Tokens<'_>,
    grammar: &Grammar,
    iterable: Range<usize>,
) -> (Range<usize>, Yields) {
    let mut of = iterable;
    for _ in 0..MAX_DEPTH {
        match unwrapped(tokens, grammar, &of) {
            // A list of the same items, perhaps in another order.
            Some((inner, Yields::Items)) => of = inner,
            Some(found) => return found,
            None => break,
        }
    }
    (of, Yields::Items)
}

/// The value in a call that returns its items, and which these are.
fn unwrapped(
    tokens: &Tokens<'_>,
    grammar: &Grammar,
    iterable: &Range<usize>,
) -> Option<(Range<usize>, Yields)> {
    let close = iterable.end.checked_sub(1).filter(|close| *close > iterable.start)?;
    let open = tokens.partner(close).filter(|open| *open > iterable.start)?;
    let callee = tokens.callee(open);
    let is_whole = iterable.start + 2 * callee.len() == open + 1;
    let arguments = tokens.split(open + 1..close);
    grammar.iterations.iter().find_map(|row| {
        let of = match (row.callee.strip_prefix('.'), arguments.as_slice()) {
            (Some(method), []) if tokens.text(open - 1) == method && open > iterable.start + 2 => {
                iterable.start..open - 2
            }
            (None, [first, ..]) if is_whole && callee.join(".") == row.callee => first.clone(),
            _ => return None,
        };
        Some((of, row.yields))
    })
}
