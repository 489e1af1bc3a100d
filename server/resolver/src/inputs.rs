//! Inputs files: the values of one case.
//!
//! `from_data.rs` parses a text into values with ranges. This module determines which values may be
//! inputs, which of them refer to other files, and the message for an unreadable file.
//!
//! This module opens no files. [`Inputs::file_texts_mut`] returns the requested ones.

use std::ops::Range;

use promptls_data::Format;

use crate::findings::code::Code;
use crate::findings::problem::{FileId, Location, Problem};
use crate::from_data::parse_value;
use crate::value::{Entry, FileText, Object, Value, ValueKind};
use promptls_data::Span;

/// The result of parsing a file, with its problems.
#[derive(Clone, Debug, PartialEq)]
pub struct Parsed<T> {
    /// `None` if the file cannot be used at all; then there is a problem.
    pub value: Option<T>,
    /// All problems, in no particular order.
    pub problems: Vec<Problem>,
}

impl<T> Parsed<T> {
    /// Converts the value, and keeps the problems.
    pub fn map<U>(self, make: impl FnOnce(T) -> U) -> Parsed<U> {
        Parsed { value: self.value.map(make), problems: self.problems }
    }
}

/// The values of one case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// The file that contains them.
    pub file: FileId,
    /// A value for each name.
    pub root: Object,
}

impl Inputs {
    /// No values, as for a prompt without any inputs file.
    pub fn empty() -> Inputs {
        Inputs::default()
    }

    /// Parses an inputs file.
    ///
    /// An empty YAML file is an empty object; an empty JSON file is invalid. For a duplicate key
    /// the last value counts.
    ///
    /// ```
    /// use promptls_resolver::{FileId, Format, Inputs};
    ///
    /// let parsed = Inputs::parse("name: Ada\nage: 1.50\nname: Grace\n", Format::Yaml, FileId(1));
    /// assert_eq!(parsed.problems[0].message, "duplicate key `name`; the last one is used");
    /// let inputs = parsed.value.unwrap();
    /// assert_eq!(inputs.root.get("name").unwrap().value.as_text(), Some("Grace"));
    /// // Numbers keep their text.
    /// assert_eq!(inputs.root.get("age").unwrap().value.to_json(), "1.50");
    /// ```
    pub fn parse(text: &str, format: Format, file: FileId) -> Parsed<Inputs> {
        let Parsed { value, mut problems } = parse_value(text, format, file, "no inputs");
        let root = value.and_then(|value| match value.kind {
            ValueKind::Object(mut root) => {
                root.values_mut().for_each(mark_file_texts);
                Some(root)
            }
            _ => {
                let kind = value.kind_name();
                let reason =
                    format!("an inputs file is one object of names and values; this is {kind}");
                problems.push(invalid(file, value.span.range(), text, reason));
                None
            }
        });
        Parsed { value: root.map(|root| Inputs { file, root }), problems }
    }

    /// `true` if any value refers to another file.
    pub fn has_file_texts(&self) -> bool {
        self.root.entries().iter().any(|entry| has_file_text(&entry.value))
    }

    /// Every `{"$file": …}`, at any depth, with its range.
    pub fn file_texts_mut(&mut self) -> Vec<(&mut FileText, Span)> {
        let mut found = Vec::new();
        self.root.values_mut().for_each(|value| collect_file_texts(value, &mut found));
        found
    }
}

fn has_file_text(value: &Value) -> bool {
    match &value.kind {
        ValueKind::File(_) => true,
        ValueKind::List(items) => items.iter().any(has_file_text),
        ValueKind::Object(object) => {
            object.entries().iter().any(|entry| has_file_text(&entry.value))
        }
        _ => false,
    }
}

fn collect_file_texts<'a>(value: &'a mut Value, found: &mut Vec<(&'a mut FileText, Span)>) {
    match &mut value.kind {
        ValueKind::File(file) => found.push((file, value.span)),
        ValueKind::List(items) => {
            items.iter_mut().for_each(|item| collect_file_texts(item, found));
        }
        ValueKind::Object(object) => {
            object.values_mut().for_each(|member| collect_file_texts(member, found));
        }
        _ => {}
    }
}

/// Converts each `{"$file": "path"}` to a reference.
fn mark_file_texts(value: &mut Value) {
    match &mut value.kind {
        ValueKind::List(items) => items.iter_mut().for_each(mark_file_texts),
        ValueKind::Object(object) => match object.entries() {
            [Entry { key, value: Value { kind: ValueKind::String(path), .. }, .. }]
                if **key == *"$file" =>
            {
                let file = FileText { path: path.clone(), text: None };
                value.kind = ValueKind::File(file);
            }
            _ => object.values_mut().for_each(mark_file_texts),
        },
        _ => {}
    }
}

/// The result for an invalid file, with the reason and its range.
pub(crate) fn invalid(
    file: FileId,
    range: Range<usize>,
    text: &str,
    reason: impl Into<String>,
) -> Problem {
    let start = range.start.min(text.len());
    let range = start..range.end.clamp(start, text.len());
    Problem::new(Code::InvalidInputs, Location { file, range }, reason)
}

#[cfg(test)]
pub(crate) mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::findings::problem::Related;

    /// Formats a value, with a line for each part and its range.
    pub(crate) fn outline(value: &Value) -> String {
        let mut lines = String::new();
        write_outline(&mut lines, 0, "", value);
        lines
    }

    fn write_outline(lines: &mut String, depth: usize, key: &str, value: &Value) {
        let kind = match &value.kind {
            ValueKind::Null => "null".to_owned(),
            ValueKind::Bool(value) => value.to_string(),
            ValueKind::Number(text) => format!("number {text}"),
            ValueKind::String(text) => format!("string {text:?}"),
            ValueKind::File(file) => format!("file {:?} {:?}", file.path, file.text),
            ValueKind::List(_) => "list".to_owned(),
            ValueKind::Object(_) => "object".to_owned(),
        };
        let indent = "  ".repeat(depth);
        lines.push_str(&format!("{indent}{key}{:?} {kind}\n", value.span.range()));
        for item in value.as_list().unwrap_or_default() {
            write_outline(lines, depth + 1, "", item);
        }
        for entry in value.as_object().map(Object::entries).unwrap_or_default() {
            let key = format!("{:?} {}: ", entry.key_span.range(), entry.key.escape_debug());
            write_outline(lines, depth + 1, &key, &entry.value);
        }
    }

    /// Formats problems, with a line for each and for its related locations.
    pub(crate) fn outline_problems(problems: &[Problem]) -> String {
        let mut lines = String::new();
        for problem in problems {
            let Problem { code, severity, location, message, related, .. } = problem;
            let FileId(file) = location.file;
            let (severity, code) = (severity.id(), code.id());
            lines.push_str(&format!("{file}:{:?} {severity} {code}: {message}\n", location.range));
            for Related { location, message } in related {
                lines.push_str(&format!("  {}:{:?} {message}\n", location.file.0, location.range));
            }
        }
        lines
    }

    /// Asserts that every range is valid for the text, and that a missing value has a problem.
    pub(crate) fn assert_spans_fit(text: &str, parsed: &Parsed<Value>) {
        for problem in &parsed.problems {
            let places = problem.related.iter().map(|related| &related.location);
            for place in places.chain([&problem.location]) {
                assert!(text.get(place.range.clone()).is_some(), "{text:?} {problem:?}");
            }
        }
        if let Some(value) = &parsed.value {
            assert_value_fits(text, value);
        }
    }

    fn assert_value_fits(text: &str, value: &Value) {
        assert!(text.get(value.span.range()).is_some(), "{text:?} {value:?}");
        for item in value.as_list().unwrap_or_default() {
            assert_value_fits(text, item);
        }
        for entry in value.as_object().map(Object::entries).unwrap_or_default() {
            assert!(text.get(entry.key_span.range()).is_some(), "{text:?} {entry:?}");
            assert_value_fits(text, &entry.value);
        }
    }

    #[track_caller]
    fn check(format: Format, text: &str, expected: Expect) {
        let parsed = Inputs::parse(text, format, FileId(1));
        let actual = match parsed.value {
            Some(inputs) => {
                let kind = ValueKind::Object(inputs.root);
                let outline = outline(&Value { kind, span: Span::default() });
                outline.replacen("0..0 ", "", 1)
            }
            None => "nothing\n".to_owned(),
        };
        expected.assert_eq(&(actual + &outline_problems(&parsed.problems)));
    }

    #[test]
    fn empty_inputs_have_the_file_id_of_the_prompt() {
        assert_eq!(Inputs::empty(), Inputs { file: FileId::PROMPT, root: Object::default() });
    }

    #[test]
    fn an_inputs_file_is_an_object() {
        check(
            Format::Json,
            " [1]",
            expect![[r#"
            nothing
            1:1..4 error invalid-inputs: an inputs file is one object of names and values; this is an array
        "#]],
        );
        check(
            Format::Yaml,
            "just text",
            expect![[r#"
            nothing
            1:0..9 error invalid-inputs: an inputs file is one object of names and values; this is a string
        "#]],
        );
        check(
            Format::Yaml,
            "~",
            expect![[r#"
            nothing
            1:0..1 error invalid-inputs: an inputs file is one object of names and values; this is null
        "#]],
        );
    }

    #[test]
    fn an_empty_yaml_file_has_no_inputs() {
        for text in ["", "\n  \n", "# later\n", "---\n", "\u{feff}"] {
            check(
                Format::Yaml,
                text,
                expect![[r#"
                object
            "#]],
            );
        }
    }

    #[test]
    fn an_empty_json_file_is_a_problem() {
        for text in ["", "\n", "// later\n", "\u{feff}"] {
            check(
                Format::Json,
                text,
                expect![[r#"
                nothing
                1:0..0 error invalid-inputs: the file is empty; write `{}` for no inputs
            "#]],
            );
        }
    }

    #[test]
    fn a_file_can_be_a_value_at_any_depth() {
        check(
            Format::Json,
            r#"{"a": {"$file": "a.md"}, "b": [{"c": {"$file": "b.md"}}]}"#,
            expect![[r#"
                object
                  1..4 a: 6..23 file "a.md" None
                  25..28 b: 30..56 list
                    31..55 object
                      32..35 c: 37..54 file "b.md" None
            "#]],
        );
    }

    #[test]
    fn only_an_object_with_a_single_path_key_is_a_file() {
        check(
            Format::Yaml,
            "$file: top.md\na: {$file: 1}\nb: {$file: x, more: y}\n",
            expect![[r#"
                object
                  0..5 $file: 7..13 string "top.md"
                  14..15 a: 17..27 object
                    18..23 $file: 25..26 number 1
                  28..29 b: 31..50 object
                    32..37 $file: 39..40 string "x"
                    42..46 more: 48..49 string "y"
            "#]],
        );
    }

    #[test]
    fn toml_has_the_same_values() {
        check(
            Format::Toml,
            "name = \"Ada\"\nprice = 1.50\nbig = 1_000\nhex = 0x1F\nday = 2026-11-26\nnotes = { \"$file\" = \"n.md\" }\n\n[user]\ntags = ['a', true]\n\n[[tasks]]\nid = 1\n",
            expect![[r#"
                object
                  0..4 name: 7..12 string "Ada"
                  13..18 price: 21..25 number 1.50
                  26..29 big: 32..37 number 1000
                  38..41 hex: 44..48 number 31
                  49..52 day: 55..65 string "2026-11-26"
                  66..71 notes: 74..94 file "n.md" None
                  97..101 user: 96..102 object
                    103..107 tags: 110..121 list
                      111..114 string "a"
                      116..120 true
                  125..130 tasks: 123..132 list
                    123..132 object
                      133..135 id: 138..139 number 1
            "#]],
        );
        check(
            Format::Toml,
            "",
            expect![[r#"
            object
        "#]],
        );
        check(
            Format::Toml,
            "a = 1\na = 2\n",
            expect![[r#"
            nothing
            1:6..7 error invalid-inputs: duplicate key
        "#]],
        );
        check(
            Format::Toml,
            "a = \n",
            expect![[r#"
            nothing
            1:4..4 error invalid-inputs: string values must be quoted, expected literal string
        "#]],
        );
    }

    #[test]
    fn a_loader_can_supply_the_texts_of_files() {
        let text = r#"{"a": {"$file": "a.md"}, "b": [{"$file": "b.md"}]}"#;
        let mut inputs = Inputs::parse(text, Format::Json, FileId(1)).value.unwrap();
        let requested: Vec<_> = inputs
            .file_texts_mut()
            .into_iter()
            .map(|(file, span)| {
                file.text = Some(file.path.to_uppercase().into());
                (file.path.to_string(), &text[span.range()])
            })
            .collect();

        assert_eq!(
            requested,
            [
                ("a.md".to_owned(), r#"{"$file": "a.md"}"#),
                ("b.md".to_owned(), r#"{"$file": "b.md"}"#),
            ]
        );
        assert_eq!(inputs.root.get("a").unwrap().value.as_text(), Some("A.MD"));
    }
}
