//! Completions in declarations: the keys of a variable and its rules, types, names.

use promptls_resolver::{Format, VariableType};
use serde_json::{Value as Json, json};

use super::inputs_cursor::Slot;
use super::proposal::Completion;
use super::writer::{CompletionWriter, Skeleton, place_in, written_as};
use crate::declarable::names_to_declare;
use crate::snapshot::Snapshot;
use crate::symbol::PathStep;

/// The completions at an offset of a file that declares variables of a prompt. The text is that of
/// the editor, and may be incomplete. `variables_at` are the keys that lead to the list.
///
/// Cost: the text, and the placeholders.
pub fn complete_declarations(
    snapshot: &Snapshot,
    text: &str,
    format: Format,
    offset: usize,
    variables_at: &[String],
) -> Vec<Completion> {
    let format = written_as(text, format);
    let Some(place) = place_in(text, format, offset) else { return Vec::new() };
    let Some(inside) = inside_variable(&place.path, variables_at) else { return Vec::new() };
    let writer = CompletionWriter { text, format, place: &place };
    match &place.slot {
        Slot::Key { present, has_value } => {
            let new =
                keys(&inside).into_iter().filter(|(key, _)| !present.iter().any(|it| it == key));
            let key = |(key, sample): (&str, Json)| {
                let mut skeleton = Skeleton::default();
                skeleton.write(&sample);
                writer.key(key, (!has_value).then_some(skeleton))
            };
            new.map(key).collect()
        }
        Slot::Value => {
            let values = values(snapshot, &inside).into_iter();
            values.map(|value| writer.value(&value, String::new())).collect()
        }
    }
}

/// The keys from a variable to a position in it; `None` outside of variables.
fn inside_variable<'p>(path: &'p [PathStep], variables_at: &[String]) -> Option<Vec<&'p str>> {
    let (list, rest) = path.split_at_checked(variables_at.len())?;
    let is_it = list.iter().zip(variables_at).all(|(step, key)| key_of(step) == Some(key));
    let (PathStep::Item, inside) = rest.split_first()? else { return None };
    inside.iter().map(key_of).collect::<Option<_>>().filter(|_| is_it)
}

fn key_of(step: &PathStep) -> Option<&str> {
    match step {
        PathStep::Key(key) => Some(key),
        _ => None,
    }
}

/// The valid keys at a position, each with an initial value.
fn keys(inside: &[&str]) -> Vec<(&'static str, Json)> {
    match inside {
        [] => vec![
            ("name", json!("")),
            ("type", json!("string")),
            ("required", json!(true)),
            ("default", json!("")),
            ("description", json!("")),
            ("example", json!("")),
            ("validation", json!({})),
        ],
        ["validation"] => vec![
            ("pattern", json!("")),
            ("min_length", json!(1)),
            ("max_length", json!(100)),
            ("minimum", json!(0)),
            ("maximum", json!(100)),
            ("enum", json!([""])),
        ],
        _ => Vec::new(),
    }
}

/// The valid values of these keys.
fn values(snapshot: &Snapshot, inside: &[&str]) -> Vec<Json> {
    match inside {
        ["type"] => VariableType::ALL.map(|known| Json::from(known.id())).to_vec(),
        ["required"] => vec![true.into(), false.into()],
        ["name"] => names_to_declare(snapshot).into_iter().map(Json::from).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_resolver::{Rules, Variable};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::{Fixture, with_cursor};

    #[track_caller]
    fn check(format: Format, marked: &str, expected: Expect) {
        let (text, cursor) = with_cursor(marked);
        let variables = r#"{"variables": [{"name": "old"}]}"#;
        let snapshot = Fixture::new(Dialect::PromptPack, "{{old}} {{user.name}} {{tone}}");
        let snapshot = snapshot.variables(variables).build();
        let at = ["prompts", "a", "variables"].map(str::to_owned);
        let found = complete_declarations(&snapshot, &text, format, cursor, &at).into_iter();
        let line = |found: Completion| {
            let mut after = text.clone();
            after.replace_range(found.replaced, &found.inserted);
            format!("{} → {after}\n", found.label)
        };
        expected.assert_eq(&found.map(line).collect::<String>());
    }

    #[test]
    fn all_supported_keys_are_proposed() {
        let names =
            |inside: &[&str]| keys(inside).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
        let sorted = |mut keys: Vec<&'static str>| {
            keys.sort_unstable();
            keys
        };
        assert_eq!(sorted(names(&[])), sorted(Variable::KEYS.to_vec()));
        assert_eq!(sorted(names(&["validation"])), sorted(Rules::KEYS.to_vec()));
    }

    #[test]
    fn keys_of_variables_and_their_fixed_values_are_proposed() {
        let json = |inside: &str| format!(r#"{{"prompts": {{"a": {{"variables": [{inside}]}}}}}}"#);
        check(
            Format::Json,
            &json(r#"{"name": "x", "type": "string", "default": 1, "description": "", "re$0"}"#),
            expect![[r#"
                required → {"prompts": {"a": {"variables": [{"name": "x", "type": "string", "default": 1, "description": "", "required": true}]}}}
                example → {"prompts": {"a": {"variables": [{"name": "x", "type": "string", "default": 1, "description": "", "example": ""}]}}}
                validation → {"prompts": {"a": {"variables": [{"name": "x", "type": "string", "default": 1, "description": "", "validation": {}}]}}}
            "#]],
        );
        check(
            Format::Json,
            &json(r#"{"type": $0}"#),
            expect![[r#"
            string → {"prompts": {"a": {"variables": [{"type": "string"}]}}}
            number → {"prompts": {"a": {"variables": [{"type": "number"}]}}}
            boolean → {"prompts": {"a": {"variables": [{"type": "boolean"}]}}}
            object → {"prompts": {"a": {"variables": [{"type": "object"}]}}}
            array → {"prompts": {"a": {"variables": [{"type": "array"}]}}}
        "#]],
        );
        check(
            Format::Json,
            &json(r#"{"name": "$0"}"#),
            expect![[r#"
            user → {"prompts": {"a": {"variables": [{"name": "user"}]}}}
            tone → {"prompts": {"a": {"variables": [{"name": "tone"}]}}}
        "#]],
        );
        check(
            Format::Json,
            &json(r#"{"validation": {"min_length": 1, "m$0"}}"#),
            expect![[r#"
            pattern → {"prompts": {"a": {"variables": [{"validation": {"min_length": 1, "pattern": ""}}]}}}
            max_length → {"prompts": {"a": {"variables": [{"validation": {"min_length": 1, "max_length": 100}}]}}}
            minimum → {"prompts": {"a": {"variables": [{"validation": {"min_length": 1, "minimum": 0}}]}}}
            maximum → {"prompts": {"a": {"variables": [{"validation": {"min_length": 1, "maximum": 100}}]}}}
            enum → {"prompts": {"a": {"variables": [{"validation": {"min_length": 1, "enum": [""]}}]}}}
        "#]],
        );
        check(
            Format::Yaml,
            "prompts:\n  a:\n    variables:\n      - name: x\n        required: $0\n",
            expect![[r#"
                true → prompts:
                  a:
                    variables:
                      - name: x
                        required: true

                false → prompts:
                  a:
                    variables:
                      - name: x
                        required: false

            "#]],
        );
    }

    #[test]
    fn nothing_is_proposed_outside_of_variables() {
        for elsewhere in [
            r#"{"prompts": {"b": {"variables": [{"$0"}]}}}"#,
            r#"{"prompts": {"a": {"$0"}}}"#,
            r#"{"prompts": {"a": {"variables": {"$0"}}}}"#,
            r#"{"prompts": {"a": {"variables": [{"default": {"$0"}}]}}}"#,
        ] {
            check(Format::Json, elsewhere, expect![""]);
        }
    }
}
