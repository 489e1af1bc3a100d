//! The text that a conversion and a format specification make of a value: `{price:>10.2f}`.

use promptls_resolver::Template;
use promptls_syntax::TokenRef;

use super::{SHOWN_CASES, SHOWN_OF_MANY, cut};
use crate::dialects::format::has_specification;
use crate::markup::{Markup, MarkupPiece};
use crate::snapshot::Snapshot;

/// The section about a placeholder of Python braces: the message with which the engine refuses it,
/// unless other sections have it, or the printed text in each case. `None` if it prints the value
/// itself.
pub(super) fn section(
    snapshot: &Snapshot,
    found: &TokenRef<'_>,
    others: &[Markup],
) -> Option<Markup> {
    let source = snapshot.slice(found.token.range());
    if let Some(message) = snapshot.engine().refused_field(&source) {
        let is_known = others.iter().any(|section| section.plain().contains(&message));
        let error = Markup(vec![MarkupPiece::Strong("error".to_owned())]);
        return (!is_known).then(|| error.and(format!(" — {message}")));
    }
    if !has_specification(snapshot, found) || snapshot.cases.is_empty() {
        return None;
    }
    let template = Template::compile(snapshot.engine(), &source);
    let written = &source[found.name.len() + 1..source.len() - 1];
    let mut shown = Markup::text("printed with ").and_code(written.to_owned());
    let given = snapshot.given();
    for (given, case) in given.iter().zip(&snapshot.cases).take(SHOWN_CASES) {
        if snapshot.cases.len() > 1 {
            shown = shown.and("\n- ");
            shown.0.push(MarkupPiece::Strong(case.name.to_string()));
        }
        shown = match template.render(given) {
            Ok(text) => shown.and(": ").and_code(cut(&text, SHOWN_OF_MANY)),
            Err(error) => shown.and(format!(": {}", error.message)),
        };
    }
    Some(shown)
}
