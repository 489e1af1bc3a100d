//! Completions in an inputs file: missing keys that its prompt needs, and allowed values.

use promptls_resolver::{FileId, Format, Value, Variable, VariableType};
use serde_json::Value as Json;

use super::inputs_cursor::Slot;
use super::proposal::{Completion, CompletionKind};
use super::writer::{CompletionWriter, Skeleton, place_in, written_as};
use crate::features::hover::declaration;
use crate::markup::Markup;
use crate::skeleton::{members_at, skeleton};
use crate::snapshot::Snapshot;
use crate::symbol::PathStep;

/// The completions at an offset of an inputs file of a prompt. The text is that of the editor, and
/// may be incomplete.
///
/// Cost: the text, and the placeholders.
pub fn complete_inputs(
    snapshot: &Snapshot,
    text: &str,
    format: Format,
    offset: usize,
) -> Vec<Completion> {
    let format = written_as(text, format);
    if format == Format::Json && text.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() {
        return vec![all(snapshot, offset)];
    }
    let Some(place) = place_in(text, format, offset) else { return Vec::new() };
    let found =
        InputsCompleter { snapshot, writer: CompletionWriter { text, format, place: &place } };
    match &place.slot {
        Slot::Key { present, has_value } => found.keys(present, *has_value),
        Slot::Value => found.values(),
    }
}

/// The complete inputs of a prompt, for an empty file.
fn all(snapshot: &Snapshot, offset: usize) -> Completion {
    let inserted = skeleton(snapshot).trim_end().to_owned();
    let reader = snapshot.file_name(FileId::PROMPT);
    Completion {
        filter: Some("{".to_owned()),
        detail: format!("all inputs of {reader}"),
        ..Completion::new(CompletionKind::Value, "{…}", offset..offset, inserted)
    }
}

struct InputsCompleter<'a> {
    snapshot: &'a Snapshot,
    writer: CompletionWriter<'a>,
}

impl<'a> InputsCompleter<'a> {
    /// The declaration of a name; `None` for members of values.
    fn variable(&self, parent: &[PathStep], key: &str) -> Option<&'a Variable> {
        self.snapshot.declarations.variable(key).filter(|_| parent.is_empty())
    }

    fn keys(&self, present: &[String], has_value: bool) -> Vec<Completion> {
        let path = &self.writer.place.path;
        let missing = members_at(self.snapshot, path).into_iter();
        missing
            .filter(|(key, _)| !present.contains(key))
            .map(|(key, value)| self.key(&key, &value, has_value))
            .collect()
    }

    fn key(&self, key: &str, value: &Json, has_value: bool) -> Completion {
        let variable = self.variable(&self.writer.place.path, key);
        let skeleton = || {
            let mut skeleton = Skeleton::default();
            match variable.map(allowed).filter(|allowed| allowed.len() > 1) {
                Some(choices) => {
                    let choices: Vec<String> =
                        choices.iter().map(|choice| self.writer.written(choice)).collect();
                    skeleton.choice(&choices);
                }
                None => skeleton.write(value),
            }
            skeleton
        };
        let declared = variable.and_then(|variable| variable.declared_type);
        let mut documentation = variable.map(declaration).unwrap_or_default();
        let reader = self.snapshot.file_name(FileId::PROMPT);
        documentation.push(Markup::text(format!("read by {reader}")));
        Completion {
            detail: declared.map_or_else(|| kind_of(value), |kind| kind.id()).to_owned(),
            documentation,
            ..self.writer.key(key, (!has_value).then(skeleton))
        }
    }

    fn values(&self) -> Vec<Completion> {
        let Some((PathStep::Key(key), parent)) = self.writer.place.path.split_last() else {
            return Vec::new();
        };
        let variable = self.variable(parent, key);
        let mut values = variable.map(allowed).unwrap_or_default();
        let needed = members_at(self.snapshot, parent);
        if values.is_empty() && needed.get(key).is_some_and(Json::is_boolean) {
            values = vec![true.into(), false.into()];
        }
        let mut details = vec![String::new(); values.len()];
        for (what, value) in variable
            .into_iter()
            .flat_map(|variable| [("default", &variable.default), ("example", &variable.example)])
        {
            let Some(value) = value.as_ref().and_then(of_value) else { continue };
            let index = values.iter().position(|other| *other == value).unwrap_or_else(|| {
                values.push(value);
                details.push(String::new());
                values.len() - 1
            });
            if details[index].is_empty() {
                details[index] = what.to_owned();
            }
        }
        let proposals = values.iter().zip(details);
        proposals.map(|(value, detail)| self.writer.value(value, detail)).collect()
    }
}
/// The values that a declaration allows; empty if it does not restrict them.
fn allowed(variable: &Variable) -> Vec<Json> {
    match (&variable.rules.allowed, variable.declared_type) {
        (Some(rule), _) => rule.value.iter().filter_map(of_value).collect(),
        (None, Some(VariableType::Boolean)) => vec![true.into(), false.into()],
        _ => Vec::new(),
    }
}

fn of_value(value: &Value) -> Option<Json> {
    serde_json::from_str(&value.to_json()).ok()
}

/// The name of a value's type, as in declarations.
fn kind_of(value: &Json) -> &'static str {
    let kind = match value {
        Json::Bool(_) => VariableType::Boolean,
        Json::Number(_) => VariableType::Number,
        Json::Array(_) => VariableType::Array,
        Json::Object(_) => VariableType::Object,
        Json::String(_) | Json::Null => VariableType::String,
    };
    kind.id()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Fixture, with_cursor};

    const VARIABLES: &str = r#"{"variables": [
        {"name": "tone", "type": "string", "description": "How it sounds",
            "validation": {"enum": ["dry", "no"]}, "default": "dry"},
        {"name": "count", "type": "number", "example": 3},
        {"name": "loud", "type": "boolean"}]}"#;

    const PROMPT: &str = "{{user.name}} {{user.age}} {{tone}} {{count}} {{loud}}";

    #[track_caller]
    fn check_in(prompt: &str, format: Format, marked: &str, expected: Expect) {
        expected.assert_eq(&proposals(prompt, format, marked));
    }

    /// The proposals at the cursor, a line each.
    fn proposals(prompt: &str, format: Format, marked: &str) -> String {
        let (text, cursor) = with_cursor(marked);
        let snapshot = Fixture::new(Dialect::PromptPack, prompt).variables(VARIABLES).build();
        let found = complete_inputs(&snapshot, &text, format, cursor).into_iter();
        let lines = found.map(|found| {
            let mut after = text.clone();
            after.replace_range(found.replaced, &found.inserted);
            if let Some(at) = found.comma_at {
                after.insert(at, ',');
            }
            let snippet = found.snippet.map(|snippet| format!(" or {snippet}")).unwrap_or_default();
            let after = after.replace('\r', "\\r");
            format!("{} ({}) → {after}{snippet}\n", found.label, found.detail)
        });
        lines.collect()
    }

    #[track_caller]
    fn check(format: Format, marked: &str, expected: Expect) {
        check_in(PROMPT, format, marked, expected);
    }

    #[test]
    fn missing_keys_are_proposed_with_a_value_of_their_type() {
        check(
            Format::Json,
            r#"{$0}"#,
            expect![[r#"
                user (object) → {"user": {"name": "<user.name>", "age": "<user.age>"}} or "user": {"name": "${1:<user.name>}", "age": "${2:<user.age>}"}
                tone (string) → {"tone": "dry"} or "tone": ${1|"dry","no"|}
                count (number) → {"count": 3} or "count": ${1:3}
                loud (boolean) → {"loud": true} or "loud": ${1|true,false|}
            "#]],
        );
        check(
            Format::Json,
            r#"{"tone": "dry", "us$0"}"#,
            expect![[r#"
                user (object) → {"tone": "dry", "user": {"name": "<user.name>", "age": "<user.age>"}} or "user": {"name": "${1:<user.name>}", "age": "${2:<user.age>}"}
                count (number) → {"tone": "dry", "count": 3} or "count": ${1:3}
                loud (boolean) → {"tone": "dry", "loud": true} or "loud": ${1|true,false|}
            "#]],
        );
        check(
            Format::Yaml,
            "tone: dry\nus$0",
            expect![[r#"
                user (object) → tone: dry
                user: {"name": "<user.name>", "age": "<user.age>"} or user: {"name": "${1:<user.name>}", "age": "${2:<user.age>}"}
                count (number) → tone: dry
                count: 3 or count: ${1:3}
                loud (boolean) → tone: dry
                loud: true or loud: ${1|true,false|}
            "#]],
        );
    }

    #[test]
    fn an_empty_file_is_offered_all_keys() {
        check_in(
            "{{a}} {{b}}",
            Format::Json,
            "$0",
            expect![[r#"
                {…} (all inputs of test.prompt) → {
                  "a": "<a>",
                  "b": "<b>"
                }
            "#]],
        );
        check_in(
            "{{a}}",
            Format::Yaml,
            "$0",
            expect![[r#"
                a (string) → a: "<a>" or a: "${1:<a>}"
            "#]],
        );
        check_in(
            "{{a}} {{b}}",
            Format::Yaml,
            "a: 1\r\n$0\r\n",
            expect![[r#"
                b (string) → a: 1\r
                b: "<b>"\r
                 or b: "${1:<b>}"
            "#]],
        );
    }

    #[test]
    fn members_of_paths_are_proposed_inside_their_objects() {
        check(
            Format::Json,
            r#"{"user": {"age": 1 $0}}"#,
            expect![[r#"
                name (string) → {"user": {"age": 1, "name": "<user.name>"}} or "name": "${1:<user.name>}"
            "#]],
        );
        check(
            Format::Yaml,
            "user:\n  age: 1\n  $0\n",
            expect![[r#"
                name (string) → user:
                  age: 1
                  name: "<user.name>"
                 or name: "${1:<user.name>}"
            "#]],
        );
        check_in(
            "{{xs[0].a}}",
            Format::Json,
            r#"{"xs": [{}, {"$0"}]}"#,
            expect![[r#"
                a (string) → {"xs": [{}, {"a": "<xs.a>"}]} or "a": "${1:<xs.a>}"
            "#]],
        );
    }

    #[test]
    fn colons_and_commas_are_inserted_where_they_are_missing() {
        let prompt = "{{a}} {{b}}";
        check_in(
            prompt,
            Format::Json,
            r#"{"a$0": 1, "b": 2}"#,
            expect![[r#"
            a (string) → {"a": 1, "b": 2}
        "#]],
        );
        check_in(
            prompt,
            Format::Json,
            "{\n  \"b\": 2\n  $0\n}",
            expect![[r#"
                a (string) → {
                  "b": 2,
                  "a": "<a>"
                } or "a": "${1:<a>}"
            "#]],
        );
        check_in(
            prompt,
            Format::Json,
            "{\n  $0\n  \"b\": 2\n}",
            expect![[r#"
                a (string) → {
                  "a": "<a>",
                  "b": 2
                } or "a": "${1:<a>}",
            "#]],
        );
        check_in(prompt, Format::Json, "{\"b\": {$0", expect![[r#""#]]);
        check_in(
            prompt,
            Format::Yaml,
            "$0: 1\nb: 2\n",
            expect![[r#"
            a (string) → a: 1
            b: 2

        "#]],
        );
    }

    #[test]
    fn only_allowed_values_are_proposed() {
        let tones = expect![[r#"
            dry (default) → {"tone": "dry"}
            no () → {"tone": "no"}
        "#]];
        for text in [r#"{"tone": $0}"#, r#"{"tone": "d$0"}"#] {
            tones.assert_eq(&proposals(PROMPT, Format::Json, text));
        }
        check(
            Format::Json,
            "{\"loud\": $0\n\"tone\": \"dry\"}",
            expect![[r#"
            true () → {"loud": true,
            "tone": "dry"}
            false () → {"loud": false,
            "tone": "dry"}
        "#]],
        );
        check(
            Format::Json,
            r#"{"count": $0}"#,
            expect![[r#"
            3 (example) → {"count": 3}
        "#]],
        );
        check(
            Format::Yaml,
            "tone: $0\n",
            expect![[r#"
            dry (default) → tone: dry

            no () → tone: "no"

        "#]],
        );
        check(
            Format::Yaml,
            "tone: \"d$0\"\n",
            expect![[r#"
            dry (default) → tone: "dry"

            no () → tone: "no"

        "#]],
        );
    }

    #[test]
    fn keys_with_prefixes_are_quoted_only_if_needed() {
        let (text, cursor) = with_cursor("$0");
        let prompt = "{app:x} {artifact.a.txt} {b} {no}";
        let snapshot = Fixture::new(Dialect::Adk, prompt).build();
        let found = complete_inputs(&snapshot, &text, Format::Yaml, cursor).into_iter();
        let found: Vec<String> = found.map(|found| found.inserted).collect();
        let expected = [
            "app:x: \"<app:x>\"",
            "artifact.a.txt: \"<artifact.a.txt>\"",
            "b: \"<b>\"",
            "\"no\": \"<no>\"",
        ];
        assert_eq!(found, expected);
    }
}
