//! Resolves a name step by step according to its dialect: the symbol, and the range of each step.

use std::ops::Range;

use promptls_resolver::blocks::{MAX_DEPTH, is_of_item};
use promptls_resolver::{FileId, Location, effective_name, steps};
use promptls_syntax::{Dialect, PathStyle, ScopeId, TokenKind, TokenRef, name_range};

use super::fragment_text::tokens;
use super::path::{PathStep, Reference, Symbol};
use crate::snapshot::Snapshot;

/// A name, resolved step by step according to its dialect.
pub(super) struct Reading {
    /// The symbol of the whole name.
    pub symbol: Symbol,
    /// The range of each of the last steps, in bytes from the start of the name. A path that starts
    /// in a loop has further steps before these, which are in the headers of the loops.
    pub pieces: Vec<Range<usize>>,
}

impl Reading {
    pub fn of_token(snapshot: &Snapshot, found: &TokenRef<'_>) -> Option<Reading> {
        found.token.kind.reads().then(|| Reading::new(snapshot, found.scope, found.name))
    }

    pub fn new(snapshot: &Snapshot, scope: ScopeId, name: &str) -> Reading {
        let dialect = snapshot.dialect();
        if let Some(known) = snapshot.fragment_name(name) {
            let piece = name.len() - known.len()..name.len();
            return Reading { symbol: Symbol::Fragment(known.to_owned()), pieces: vec![piece] };
        }
        let (own, pieces): (Vec<_>, Vec<_>) = pieces(dialect, name).into_iter().unzip();
        let mut path = loop_path(snapshot, scope, name);
        // `this` is the item of the loop, which is the last step of its path.
        let skipped = usize::from(!path.is_empty());
        path.extend(own.into_iter().skip(skipped));
        Reading { symbol: Symbol::Value(path), pieces }
    }

    pub fn reference_at(&self, name: Range<usize>, offset: usize) -> Option<Reference> {
        let in_name = offset.checked_sub(name.start).filter(|_| offset <= name.end);
        let index = in_name
            .and_then(|offset| self.pieces.iter().position(|piece| offset <= piece.end))
            .or(self.pieces.len().checked_sub(1))?;
        let piece = &self.pieces[index];
        let range = name.start + piece.start..name.start + piece.end;
        let symbol = match &self.symbol {
            Symbol::Value(path) => {
                let steps = path.len() - self.pieces.len() + index + 1;
                Symbol::Value(path[..steps].to_vec())
            }
            fragment => fragment.clone(),
        };
        Some(Reference { symbol, location: Location { file: FileId::PROMPT, range } })
    }

    /// The range of the step in the name that refers to a symbol.
    pub fn piece(&self, symbol: &Symbol) -> Option<Range<usize>> {
        match (&self.symbol, symbol) {
            (Symbol::Fragment(own), Symbol::Fragment(other)) if own == other => {
                self.pieces.first().cloned()
            }
            (Symbol::Value(own), Symbol::Value(target)) => {
                let steps = steps_to(own, target)?;
                let hidden = own.len() - self.pieces.len();
                self.pieces.get(steps.checked_sub(hidden + 1)?).cloned()
            }
            _ => None,
        }
    }
}

/// The number of steps of a path that lead to the end of another one; `None` if it does not include
/// that one.
fn steps_to(path: &[PathStep], target: &[PathStep]) -> Option<usize> {
    let mut taken = 0;
    let mut target = target.iter().peekable();
    while let Some(step) = target.next() {
        let own = path.get(taken)?;
        taken += 1;
        match (own, step) {
            (own, step) if own == step => {}
            (PathStep::Item, PathStep::Index(_)) => {}
            // The entry of a map; the members of its value follow `this.value`.
            (PathStep::Item, PathStep::Key(_)) => {
                if target.peek().is_some() {
                    let value = path.get(taken)?;
                    taken += 1;
                    if !matches!(value, PathStep::Key(key) if key == "value") {
                        return None;
                    }
                }
            }
            _ => return None,
        }
    }
    Some(taken)
}

/// The path of the items that `this` at the start of a name refers to. They belong to the innermost
/// loop, which may itself iterate the item of a loop. Empty for all other names.
fn loop_path(snapshot: &Snapshot, scope: ScopeId, name: &str) -> Vec<PathStep> {
    let (tree, dialect) = (&snapshot.tree, snapshot.dialect());
    // The engine does not support deeper loops, and paths of many thousand steps are useless.
    if !is_of_item(dialect, name) || tree.scope_depth(scope) > MAX_DEPTH {
        return Vec::new();
    }
    // From the inside to the outside.
    let mut headers: Vec<&str> = Vec::new();
    let mut around = tree.loop_around(scope);
    while let Some(found) = around
        && headers.last().is_none_or(|header| is_of_item(dialect, header))
    {
        headers.push(tree.name(found.path));
        around = tree.loop_around(found.parent);
    }
    let mut path = Vec::new();
    for header in headers.iter().rev() {
        // Outside of all loops, `this` is a normal name.
        let skipped = usize::from(!path.is_empty() && is_of_item(dialect, header));
        path.extend(pieces(dialect, header).into_iter().map(|(step, _)| step).skip(skipped));
        path.push(PathStep::Item);
    }
    path
}

/// The steps of a name, each with its range in bytes.
pub(crate) fn pieces(dialect: Dialect, name: &str) -> Vec<(PathStep, Range<usize>)> {
    if dialect.spec().paths == PathStyle::Whole {
        let key = effective_name(dialect, name).into_owned();
        return vec![(PathStep::Key(key), 0..name.len())];
    }
    let steps: Vec<PathStep> = steps(dialect, name).map(PathStep::from).collect();
    let mut end = 0;
    let mut pieces = Vec::with_capacity(steps.len());
    for step in steps {
        let rest = &name[end..];
        // Between steps there are only dots, brackets and whitespace.
        let (start, len) = match &step {
            PathStep::Key(key) => (rest.find(&**key).unwrap_or(0), key.len()),
            _ => {
                let start = rest.find('[').unwrap_or(0);
                (start, rest[start..].find(']').map_or(0, |close| close + 1))
            }
        };
        let range = end + start..end + start + len;
        end = range.end;
        pieces.push((step, range));
    }
    pieces
}

/// The steps of a name or a path that is alone in its braces; `None` if the dialect parses it as
/// something else.
pub(crate) fn steps_in_braces(dialect: Dialect, path: &str) -> Option<Vec<PathStep>> {
    let spec = dialect.spec();
    let text = format!("{}{path}{}", spec.open, spec.close);
    match &tokens(dialect, &text)[..] {
        [(token, _)]
            if token.range() == (0..text.len())
                && token.kind == TokenKind::Placeholder
                && text[name_range(dialect, token.kind, &text)] == *path =>
        {
            Some(pieces(dialect, path).into_iter().map(|(step, _)| step).collect())
        }
        _ => None,
    }
}

/// Returns whether a dialect parses a text in braces as a single name or path.
pub(super) fn is_path(dialect: Dialect, path: &str) -> bool {
    steps_in_braces(dialect, path).is_some()
}
