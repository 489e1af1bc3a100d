//! The fix for JSON and code whose braces are not doubled.

use std::ops::Range;

use promptls_resolver::{FileId, Problem, root};
use promptls_syntax::{Field, Grammar};

use super::fix::{Fix, replace};
use super::id::ActionName;
use crate::dialects::format::json;
use crate::snapshot::Snapshot;

/// Doubles all braces of an object, except for those of placeholders.
///
/// It is safe if the object is certainly JSON in which no brace is doubled yet.
pub(super) fn double_braces(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let text = snapshot.text.whole();
    let start = problem.location.range.start;
    let object = start..json::end(&text, start);
    let written = &text[object.clone()];
    let is_balanced = written.ends_with('}') && json::end(written, 0) == written.len();
    if !is_balanced || written.contains("{{") {
        return Vec::new();
    }
    let placeholder = |at: usize| placeholder(snapshot, written, at);
    let is_safe = is_apart(&text, &object) && json::is_lenient(written, placeholder);
    let change = replace(FileId::PROMPT, object, doubled(written, placeholder));
    let fix =
        Fix::of(ActionName::DoubleBraces, "Double these braces, so that they are sent", change);
    vec![Fix { is_safe, is_preferred: is_safe, ..fix }]
}

/// `true` if no braces beside an object may belong to an escape.
fn is_apart(text: &str, object: &Range<usize>) -> bool {
    let after = text[object.end..].bytes().take_while(|&byte| byte == b'}').count();
    !text[..object.start].ends_with('{') && after % 2 == 0
}

/// The end of the placeholder at a brace: an identifier, or a field of a known name.
fn placeholder(snapshot: &Snapshot, text: &str, at: usize) -> Option<usize> {
    let end = at + text[at..].find('}')? + 1;
    let source = &text[at..end];
    let inside = &source[1..source.len() - 1];
    if is_identifier(inside) {
        return Some(end);
    }
    let is_full = matches!(snapshot.engine().grammar(), Grammar::Documented(_));
    let field = Field::parse(source).filter(|_| is_full && !inside.contains(['"', '\'', '{']))?;
    snapshot.is_known(root(snapshot.dialect(), field.name)).then_some(end)
}

fn is_identifier(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit())
        && !text.is_empty()
        && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

/// A text with all braces doubled, except for those of placeholders.
fn doubled(text: &str, placeholder: impl Fn(usize) -> Option<usize>) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut at = 0;
    while let Some(found) = text[at..].find(['{', '}']) {
        let brace = at + found;
        out.push_str(&text[at..brace]);
        at = match text[brace..].starts_with('{').then(|| placeholder(brace)).flatten() {
            Some(end) => {
                out.push_str(&text[brace..end]);
                end
            }
            None => {
                out.push_str(&text[brace..=brace].repeat(2));
                brace + 1
            }
        };
    }
    out + &text[at..]
}
