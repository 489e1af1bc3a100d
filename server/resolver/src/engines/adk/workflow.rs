//! Workflow node fields: `{Class.field}` and `<Class.field from node>`.
//!
//! Both are searched only in the prompt itself, and only where nothing else is replaced.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::of_prototype;
use crate::behaviour::Behaviour;
use crate::outcome::{Lookup, Outcome};
use crate::resolution::Resolution;
use crate::resolve_context::Workflow;
use crate::source_map::{RunKind, SourceMap};
use crate::template::Execution;
use crate::value::Value;
use crate::working::{Hit, Replacement, Working};

/// The whitespace characters of JavaScript.
const BLANK: &str =
    r"[\t-\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}]";

/// A name, a dot, a name; only the second one matters.
const FIELD: &str = r"[A-Za-z_][0-9A-Za-z_]*\.([A-Za-z_][0-9A-Za-z_]*)";

static OF_INPUT: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"\{{+{BLANK}*({FIELD})(\?)?{BLANK}*\}}+")));

static OF_NODE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"<{BLANK}*({FIELD}){BLANK}+from{BLANK}+([A-Za-z_][0-9A-Za-z_]*){BLANK}*>"))
});

/// The first `<Class.field from node>` of a text, which ADK for JavaScript fills in a workflow;
/// `None` if there is none.
///
/// Cost: the text.
pub fn first_field_of_node(text: &str) -> Option<Range<usize>> {
    // The pattern is compiled for the first text that may match.
    memchr::memchr(b'<', text.as_bytes())?;
    OF_NODE.find(text).map(|found| found.range())
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("these are patterns")
}

/// Fills them in a text that was resolved without them.
pub(super) fn fill(
    execution: Execution<'_>,
    workflow: &Workflow,
    resolution: Resolution,
) -> Resolution {
    let Execution { template, given } = execution;
    let engine = template.engine;
    let mut places = Vec::new();
    let mut first: HashMap<&str, &str> = HashMap::new();
    for found in OF_INPUT.captures_iter(template.text) {
        let (Some(whole), Some(key)) = (found.get(0), found.get(1)) else { continue };
        let written = *first.entry(key.as_str()).or_insert(whole.as_str());
        let text = match field_of(&workflow.input, &found[2]) {
            Some(value) => sent(engine, &value),
            None if found.get(3).is_some() => String::new(),
            None => written.to_owned(),
        };
        places.push((whole.range(), key.as_str(), text));
    }
    for found in OF_NODE.captures_iter(template.text) {
        let output = workflow.outputs.get(&found[3]);
        let value = output.and_then(|output| field_of(&output.value, &found[2]));
        if let (Some(whole), Some(value)) = (found.get(0), value) {
            places.push((whole.range(), whole.as_str(), sent(engine, &value)));
        }
    }
    places.sort_by_key(|(place, ..)| place.start);

    let working = Working { text: resolution.text, runs: resolution.map.runs };
    let literals = working.runs.iter().filter(|run| run.kind == RunKind::Literal);
    let literals: Vec<_> = literals.map(|run| (run.source.clone(), run.output.start)).collect();
    let with: Vec<_> = places
        .into_iter()
        .filter_map(|(place, key, text)| {
            let after = literals.partition_point(|(source, _)| source.start <= place.start);
            let (source, output) = literals.get(after.checked_sub(1)?)?;
            let at = output + place.start - source.start;
            let replacement =
                Replacement { name: key.into(), text: text.into(), origin: None, via: None };
            (place.end <= source.end).then_some((at..at + place.len(), replacement))
        })
        .collect();
    let hits: Vec<Hit<'_, '_>> = with.iter().map(|(at, with)| (at.clone(), with)).collect();
    let made = working.put(&hits, given.max_output).unwrap_or_else(|working| working);
    Resolution { text: made.text, map: SourceMap { runs: made.runs }, ..resolution }
}

/// A field of the input or an output of a node.
fn field_of(value: &Value, name: &str) -> Option<Value> {
    let object = value.as_object()?;
    match object.get(name) {
        Some(entry) => Some(entry.value.clone()),
        None => of_prototype(name, "{}").map(Value::from),
    }
}

fn sent(engine: &dyn Behaviour, value: &Value) -> String {
    let lookup: Lookup<'_> = engine.value(value, None);
    match lookup.outcome {
        Outcome::Text(text) => text.to_owned(),
        _ => lookup.text(usize::MAX).unwrap_or_default(),
    }
}
