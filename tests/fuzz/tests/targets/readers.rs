//! Any JSON and any YAML.

use promptls_fuzz::EXECUTIONS;
use promptls_resolver::{Declarations, FileId, Format, Inputs, Value, ValueKind, parse_value};
use serde_json::Value as Json;

use crate::texts::{json, yaml};

/// All values, each at a valid place of the text.
fn every_value(value: &Value, text: &str) {
    assert!(text.get(value.span.range()).is_some(), "{value:?}");
    match &value.kind {
        ValueKind::List(items) => items.iter().for_each(|item| every_value(item, text)),
        ValueKind::Object(object) => {
            for entry in object.entries() {
                assert!(text.get(entry.key_span.range()).is_some(), "{entry:?}");
                every_value(&entry.value, text);
            }
        }
        _ => {}
    }
}

fn places_are_in_the_text(text: &str, format: Format) {
    let read = parse_value(text, format, FileId(1), "nothing");
    for problem in &read.problems {
        assert!(text.get(problem.location.range.clone()).is_some(), "{problem:?}");
    }
    assert!(read.value.is_some() || !read.problems.is_empty());
    if let Some(value) = &read.value {
        every_value(value, text);
        // A value written as JSON is parsed as the same value.
        let written = value.to_json();
        let again = parse_value(&written, Format::Json, FileId(1), "nothing");
        assert_eq!(again.value.map(|value| value.to_json()), Some(written));
    }
    let inputs = Inputs::parse(text, format, FileId(1)).problems;
    let variables = Declarations::parse(text, format, FileId(1)).problems;
    for problem in inputs.iter().chain(&variables) {
        assert!(text.get(problem.location.range.clone()).is_some(), "{problem:?}");
    }
}

/// Valid JSON of other parsers is the same JSON here.
fn json_is_read_as_by_others(text: &str) {
    let Ok(expected) = serde_json::from_str::<Json>(text) else { return };
    let ours = parse_value(text, Format::Json, FileId(1), "nothing");
    let ours = ours.value.unwrap_or_else(|| panic!("{:?}", ours.problems)).to_json();
    assert_eq!(serde_json::from_str::<Json>(&ours).ok(), Some(expected));
}

#[test]
fn json_reader() {
    let try_it = |text: &str| {
        places_are_in_the_text(text, Format::Json);
        json_is_read_as_by_others(text);
    };
    json().each(try_it);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(json().text())
        .for_each(|text| try_it(text));
}

#[test]
fn yaml_reader() {
    let try_it = |text: &str| places_are_in_the_text(text, Format::Yaml);
    yaml().each(try_it);
    json().each(try_it);
    bolero::check!()
        .with_iterations(EXECUTIONS)
        .with_generator(yaml().text())
        .for_each(|text| try_it(text));
}
