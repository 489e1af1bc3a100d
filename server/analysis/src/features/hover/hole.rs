//! Hovers for parts of a prompt that the program computes, or takes from other files.

use promptls_data::HOLE;
use promptls_resolver::{Location, Value};

use super::{SHOWN_CASES, SHOWN_OF_MANY, SHOWN_OF_ONE, headline, in_code, written};
use crate::markup::{Markup, MarkupPiece};
use crate::snapshot::{Case, Hole, Snapshot, expression};

/// The expression, and its value in each case.
pub(super) fn sections(snapshot: &Snapshot, hole: &Hole) -> Vec<Markup> {
    let origin = match hole.text {
        Some(_) => "from another file",
        None => "computed by the program",
    };
    let cases = &snapshot.cases;
    let max = if cases.len() == 1 { SHOWN_OF_ONE } else { SHOWN_OF_MANY };
    let key = hole.key();
    let of_case = |case: &Case| Some(case.inputs.root.get(&key)?.value.clone());
    let mut values = Markup::default();
    let shown = if cases.iter().any(|case| of_case(case).is_some()) { &cases[..] } else { &[] };
    for case in shown.iter().take(SHOWN_CASES) {
        if cases.len() > 1 {
            let bullet = if values.is_empty() { "- " } else { "\n- " };
            values = values.and(bullet);
            values.0.push(MarkupPiece::Strong(case.name.to_string()));
            values = values.and(": ");
        }
        values = values.and(in_case(hole, of_case(case).as_ref(), max));
        if let Some(value) = of_case(case) {
            let location = Location { file: case.inputs.file, range: value.span.range() };
            values = values.and(" — ");
            values
                .0
                .push(MarkupPiece::Place(snapshot.file_name(location.file).to_owned(), location));
        }
    }
    match shown.len().checked_sub(SHOWN_CASES) {
        Some(more) if more > 0 => values = values.and(format!("\n- … and {more} more cases")),
        _ => {}
    }
    let without = match (&hole.text, shown) {
        (Some(text), []) => Markup::text(in_code(text, SHOWN_OF_ONE)),
        (None, []) => {
            Markup::text("An inputs file can set it with the key ").and_code(key).and(".")
        }
        _ => Markup::default(),
    };
    let head = headline(hole.expression(), &[origin.to_owned()]);
    [head, values, without].into_iter().filter(|section| !section.is_empty()).collect()
}

/// The hover of a place in code that stands for a part of a prompt, with the texts that it may be.
/// `written` is its source; in the texts, U+FFFC is an unknown part.
pub fn hover_part(written: &str, texts: &[&str]) -> Vec<Markup> {
    let max = if texts.len() == 1 { SHOWN_OF_ONE } else { SHOWN_OF_MANY };
    let shown = texts.iter().take(SHOWN_CASES);
    let shown = shown.map(|text| in_code(&text.replace(HOLE, "…"), max));
    let origin = if texts.len() == 1 { "part of the prompt" } else { "one of several parts" };
    let mut sections = vec![headline(expression(written), &[origin.to_owned()])];
    sections.extend(shown.map(Markup::text));
    sections
}

/// The value in a case, which may be the text of another file.
fn in_case(hole: &Hole, value: Option<&Value>, max: usize) -> String {
    match (value, &hole.text) {
        (Some(value), _) => in_code(&written(value), max),
        (None, Some(text)) => in_code(text, max),
        (None, None) => "no value".to_owned(),
    }
}
