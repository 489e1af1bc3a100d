//! The fix for JSON and code whose braces are not doubled.

use std::ops::Range;

use promptls_resolver::{FileId, Problem, root};
use promptls_syntax::{Field, Grammar};

use super::action::Change;
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
    // One change for each place, so that literals and line ends between them stay as they are.
    let changes = braces(written, placeholder).into_iter().map(|braces| {
        let new = written[braces.clone()].repeat(2);
        replace(FileId::PROMPT, object.start + braces.start..object.start + braces.end, new)
    });
    let title = "Double these braces, so that they are sent";
    let fix = Fix::of_all(ActionName::DoubleBraces, title, changes.collect());
    vec![Fix { is_safe, is_preferred: is_safe, ..fix }]
}

/// The ranges of the prompt at which the fix of a problem is offered: its place, and the lines with
/// braces that the fix changes.
pub(super) fn lines_of_braces(snapshot: &Snapshot, problem: &Problem) -> Vec<Range<usize>> {
    let fixes = double_braces(snapshot, problem);
    let changes = fixes.iter().flat_map(|fix| &fix.changes);
    let text = snapshot.text.whole();
    let mut places = vec![problem.location.range.clone()];
    for change in changes {
        let Change::Text(edit) = change else { continue };
        let range = &edit.location.range;
        // A line may have many braces, and be long.
        let is_same_line = |line: &Range<usize>| line.start <= range.start && range.end <= line.end;
        if places.len() > 1 && places.last().is_some_and(is_same_line) {
            continue;
        }
        let start = text[..range.start].rfind('\n').map_or(0, |end| end + 1);
        let end = text[range.end..].find('\n').map_or(text.len(), |end| range.end + end);
        places.push(start..end);
    }
    places
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

/// The braces of a text, except for those of placeholders: a range for each run of equal ones.
fn braces(text: &str, placeholder: impl Fn(usize) -> Option<usize>) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['{', '}']) {
        let brace = at + next;
        if let Some(end) = text[brace..].starts_with('{').then(|| placeholder(brace)).flatten() {
            at = end;
            continue;
        }
        at = brace + 1;
        match found.last_mut() {
            Some(last) if last.end == brace && text[last.clone()].ends_with(&text[brace..at]) => {
                last.end = at;
            }
            _ => found.push(brace..at),
        }
    }
    found
}
