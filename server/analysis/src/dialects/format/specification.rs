//! Format specifications, and the fields in them: `width` in `{price:>{width}}`.

use std::ops::Range;

use promptls_syntax::{Field, Flaw, ScopeId, TokenKind, TokenRef, UseSet};

use crate::snapshot::Snapshot;

/// `true` if a placeholder has a conversion or a format specification.
pub(crate) fn has_specification(snapshot: &Snapshot, found: &TokenRef<'_>) -> bool {
    snapshot.engine().grammar().has_specifications()
        && found.token.kind == TokenKind::Placeholder
        && found.token.len != found.name.len() + "{}".len()
}

/// A field in a specification of a placeholder.
pub(crate) struct NestedField {
    pub name: String,
    /// The range of the name in the prompt.
    pub range: Range<usize>,
    pub scope: ScopeId,
}

/// The fields in the specifications of all placeholders, in order of these.
///
/// Cost: the distinct uses of names, and the placeholders with such fields.
pub(crate) fn nested_fields(snapshot: &Snapshot) -> Vec<NestedField> {
    let tree = &snapshot.tree;
    let uses = tree.uses().map(|(used, _)| used);
    let with_fields: UseSet = uses.filter(|used| used.flaw == Some(Flaw::NestedFields)).collect();
    let placeholders = tree.occurrences(&with_fields, usize::MAX);
    placeholders.iter().flat_map(|found| fields_of(snapshot, found)).collect()
}

/// The field in a specification of a placeholder whose name is at an offset.
pub(crate) fn nested_field_at(
    snapshot: &Snapshot,
    found: &TokenRef<'_>,
    offset: usize,
) -> Option<NestedField> {
    if found.token.flaw != Some(Flaw::NestedFields) {
        return None;
    }
    let is_here = |field: &NestedField| field.range.start <= offset && offset <= field.range.end;
    fields_of(snapshot, found).into_iter().find(is_here)
}

fn fields_of(snapshot: &Snapshot, found: &TokenRef<'_>) -> Vec<NestedField> {
    let source = snapshot.slice(found.token.range());
    let Some(field) = Field::parse(&source) else { return Vec::new() };
    // The specification ends before the closing brace.
    let spec = found.token.end() - "}".len() - field.spec.len();
    let nested = field.nested().into_iter().map(|(at, inner)| {
        let start = spec + at;
        NestedField {
            name: inner.name.to_owned(),
            range: start..start + inner.name.len(),
            scope: found.scope,
        }
    });
    nested.collect()
}
