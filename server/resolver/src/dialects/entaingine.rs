//! entAIngine: inputs by name, and outputs of other tasks with their metadata.
//!
//! Document: "Placeholder Patterns" of entAIngine. The engine itself is not public.

use std::cmp::Ordering;

use promptls_syntax::Dialect;

use crate::behaviour::{Behaviour, Facts};
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::Bounded;
use crate::resolve_context::ResolveContext;
use crate::string_form::json;
use crate::value::{Entry, Object, Value};

/// The key of an output's metadata, in the inputs and in placeholders.
pub const METADATA: &str = "chunkSimilarityMetadata";

/// The name for all outputs of a task in a placeholder.
pub const ALL_OUTPUTS: &str = "output_all";

/// The key of the inputs with the texts of documents, by URL.
pub const DOCUMENTS: &str = "documents";

/// Metadata keys whose value is a link; the engine fetches its document.
pub const FETCHED_KEYS: [&str; 2] = ["parentUrl", "file_url"];

pub(crate) static DOCUMENTED: Entaingine = Entaingine { facts: Facts::plain(Dialect::Entaingine) };

/// The engine that the document describes.
pub(crate) struct Entaingine {
    facts: Facts,
}

impl Behaviour for Entaingine {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, root_hash: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let (task, output) = match name.split_once('.') {
            Some((task, output)) => (task, Some(output)),
            None => (name, None),
        };
        let Some(found) = given.values.get_hashed(task, root_hash) else {
            return Lookup::MISSING;
        };
        let Some(output) = output else { return self.value_of(found, given.values.file()) };
        let Some(outputs) = found.as_value().and_then(Value::as_object) else {
            return Lookup::MISSING;
        };
        let (output, metadata) = match output.split_once('.') {
            Some((output, metadata)) => (output, Some(metadata)),
            None => (output, None),
        };
        let key = metadata.map(|metadata| metadata.split_once('.').map(|(_, key)| key));
        if output == ALL_OUTPUTS {
            return all(outputs, key, given);
        }
        let Some(entry) = outputs.get(output) else { return Lookup::MISSING };
        match key {
            None => plain(text_of(&entry.value), given),
            Some(key) => match metadata_of(&entry.value) {
                Some(metadata) => of_metadata(metadata, key, given),
                None => Lookup::MISSING,
            },
        }
    }
}

/// The text of a value: empty for null, a string itself, everything else compact JSON.
fn plain<'a>(value: &'a Value, given: &ResolveContext<'a>) -> Lookup<'a> {
    DOCUMENTED.value(value, given.values.file())
}

/// The text of an output with metadata is in a member.
fn text_of(output: &Value) -> &Value {
    match output.as_object().and_then(|object| object.get("text")) {
        Some(text) => &text.value,
        None => output,
    }
}

fn metadata_of(output: &Value) -> Option<&Entry> {
    output.as_object()?.get(METADATA)
}

fn of_metadata<'a>(
    metadata: &'a Entry,
    key: Option<&str>,
    given: &ResolveContext<'a>,
) -> Lookup<'a> {
    let Some(key) = key else {
        let mut out = Bounded::new(given.max_output, 64);
        wrapped(&metadata.value, &mut out);
        let location = metadata.value.location(given.values.file());
        return Lookup::new(Outcome::Composed(out.text), location);
    };
    let Some(entry) = metadata.value.as_object().and_then(|object| object.get(key)) else {
        return Lookup::MISSING;
    };
    if FETCHED_KEYS.contains(&key)
        && let Some(document) = entry.value.as_text().and_then(|url| document(url, given))
    {
        return plain(document, given);
    }
    plain(&entry.value, given)
}

/// The links in outputs of a task that the engine fetches for a placeholder.
pub fn fetched<'a>(name: &str, given: &ResolveContext<'a>) -> Vec<&'a Value> {
    let mut pieces = name.splitn(4, '.');
    let (Some(task), Some(output), Some(_), Some(key)) =
        (pieces.next(), pieces.next(), pieces.next(), pieces.next())
    else {
        return Vec::new();
    };
    let outputs = given.values.get(task).and_then(|task| task.as_value()?.as_object());
    let entries = outputs.map_or(&[][..], |outputs| outputs.entries());
    entries
        .iter()
        .filter(|entry| {
            FETCHED_KEYS.contains(&key) && (output == ALL_OUTPUTS || *entry.key == *output)
        })
        .filter_map(|entry| Some(&metadata_of(&entry.value)?.value.as_object()?.get(key)?.value))
        .collect()
}

/// `true` if a placeholder inserts all outputs of a task or a whole document, which may be a
/// surprising amount of text.
pub fn is_large(name: &str) -> bool {
    let mut pieces = name.splitn(4, '.').skip(1);
    let (output, _, key) = (pieces.next(), pieces.next(), pieces.next());
    output == Some(ALL_OUTPUTS) || key.is_some_and(|key| FETCHED_KEYS.contains(&key))
}

/// The text of a fetched document.
pub fn document<'a>(url: &str, given: &ResolveContext<'a>) -> Option<&'a Value> {
    let documents = given.values.get(DOCUMENTS)?.as_value()?.as_object()?;
    Some(&documents.get(url)?.value)
}

/// Appends `{"chunkSimilarityMetadata":…}` with the metadata as compact JSON.
fn wrapped(metadata: &Value, out: &mut Bounded) {
    out.push("{\"");
    out.push(METADATA);
    out.push("\":");
    json(metadata, out);
    out.push("}");
}

/// All outputs of a task: their texts, their metadata, or one key of it.
fn all<'a>(
    outputs: &'a Object,
    key: Option<Option<&str>>,
    given: &ResolveContext<'a>,
) -> Lookup<'a> {
    let mut numbered: Vec<(&str, &'a Entry)> = outputs
        .entries()
        .iter()
        .filter_map(|entry| {
            let number = entry.key.strip_prefix("output_")?;
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            is_number.then_some((number, entry))
        })
        .collect();
    numbered.sort_by(|(a, _), (b, _)| in_numeric_order(a, b));

    let with_metadata = || numbered.iter().filter_map(|(_, entry)| metadata_of(&entry.value));
    let mut out = Bounded::new(given.max_output, 256);
    match key {
        None => {
            for (index, (_, entry)) in numbered.iter().enumerate() {
                out.push(if index > 0 { "\n" } else { "" });
                write(&plain(text_of(&entry.value), given), &mut out);
            }
        }
        Some(None) => {
            for (index, metadata) in with_metadata().enumerate() {
                out.push(if index > 0 { "," } else { "[" });
                wrapped(&metadata.value, &mut out);
            }
            if out.text.is_empty() {
                return Lookup::MISSING;
            }
            out.push("]");
        }
        Some(key) => {
            let found = with_metadata()
                .map(|metadata| of_metadata(metadata, key, given))
                .filter(|value| !value.is_missing());
            let mut any = false;
            for value in found {
                out.push(if any { "\n" } else { "" });
                write(&value, &mut out);
                any = true;
            }
            if !any {
                return Lookup::MISSING;
            }
        }
    }
    Lookup::new(Outcome::Composed(out.text), None)
}

fn write(value: &Lookup<'_>, out: &mut Bounded) {
    match &value.outcome {
        Outcome::Text(text) => out.push(text),
        Outcome::Composed(text) => out.push(text),
        Outcome::Value(value, Form(form)) => form.write(value, out),
        _ => {}
    }
}

/// Compares by value, whatever the number of digits; `00` precedes `0` only for equal values.
fn in_numeric_order(a: &str, b: &str) -> Ordering {
    let digits = |text: &str| text.trim_start_matches('0').to_owned();
    let (left, right) = (digits(a), digits(b));
    left.len().cmp(&right.len()).then_with(|| left.cmp(&right)).then_with(|| b.len().cmp(&a.len()))
}
