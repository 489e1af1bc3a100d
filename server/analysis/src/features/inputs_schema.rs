//! The inputs of a prompt as a JSON Schema, for forms, validators and code generators.
//!
//! A schema rejects only inputs that the engine would reject. A printed name without a declared
//! type has no type here, because engines print values of every type.

use std::collections::HashMap;

use promptls_resolver::{Rules, Value, Variable};
use serde_json::{Map, Value as Json, json};

use super::used_names::used_names;
use crate::needs::Need;
use crate::skeleton::needs_of;
use crate::snapshot::Snapshot;

/// The schema of an object with the names that a prompt reads, in their order, followed by names
/// that are only declared. Names that the application supplies at run time, and those for which
/// `known` returns `true`, are omitted.
///
/// Cost: the placeholders.
///
/// ```
/// use promptls_analysis::{Snapshot, inputs_schema};
/// use promptls_resolver::Dialect;
///
/// let schema = inputs_schema(&Snapshot::new(Dialect::Adk, "Dear {name}, {city?}"), |_| false);
/// assert_eq!(schema["required"], serde_json::json!(["name"]));
/// assert!(schema["properties"]["city"].is_object());
/// ```
pub fn inputs_schema(snapshot: &Snapshot, known: impl Fn(&str) -> bool) -> Json {
    let needs = needs_of(&snapshot.with_parts());
    let used = used_names(snapshot);
    let is_required: HashMap<&str, bool> =
        used.iter().map(|used| (&*used.name, used.is_required)).collect();
    let settings = &snapshot.settings;
    let is_elsewhere = |name: &str| {
        known(name) || settings.runtime.contains(name) || settings.literal.contains(name)
    };
    let nothing = Need::default();
    let mut schema = ObjectSchema::default();
    let variables = &snapshot.declarations.variables;
    let declared = variables.iter().map(|variable| (&*variable.name, &nothing));
    let read = needs.members.iter().map(|(name, need)| (&**name, need));
    for (name, need) in read.chain(declared).filter(|(name, _)| !is_elsewhere(name)) {
        if !schema.properties.contains_key(name) {
            let of_value = schema_of(need, snapshot.declarations.variable(name));
            schema.add(name, of_value, is_required.get(name).copied().unwrap_or_default());
        }
    }
    let mut made = Map::new();
    made.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
    made.extend(schema.made());
    made.into()
}

/// An unfinished schema of an object.
#[derive(Default)]
struct ObjectSchema {
    properties: Map<String, Json>,
    required: Vec<Json>,
}

impl ObjectSchema {
    fn add(&mut self, name: &str, schema: Map<String, Json>, is_required: bool) {
        self.properties.insert(name.to_owned(), schema.into());
        if is_required {
            self.required.push(name.into());
        }
    }

    fn made(self) -> Map<String, Json> {
        let mut made = Map::new();
        made.insert("type".to_owned(), "object".into());
        made.insert("properties".to_owned(), self.properties.into());
        if !self.required.is_empty() {
            made.insert("required".to_owned(), self.required.into());
        }
        made
    }
}

/// The schema of a value: the needs of the prompt, overridden by its declaration.
fn schema_of(need: &Need, declared: Option<&Variable>) -> Map<String, Json> {
    let mut schema = needed(need);
    let Some(Variable { declared_type, description, default, example, rules, .. }) = declared
    else {
        return schema;
    };
    if let Some(declared) = declared_type.map(|it| it.id()) {
        if schema.get("type").is_some_and(|needed| needed != declared) {
            schema.clear();
        }
        schema.insert("type".to_owned(), declared.into());
    }
    let facts = [
        ("description", description.as_deref().map(Json::from)),
        ("default", default.as_ref().and_then(json_of)),
        ("examples", example.as_ref().and_then(json_of).map(|example| json!([example]))),
    ];
    let facts = facts.into_iter().chain(rules_of(rules));
    schema.extend(facts.filter_map(|(key, value)| Some((key.to_owned(), value?))));
    schema
}

/// The use of a value determines its structure, but not the types of printed values.
fn needed(need: &Need) -> Map<String, Json> {
    if !need.members.is_empty() || need.is_object {
        let mut schema = ObjectSchema::default();
        for (name, need) in &need.members {
            schema.add(name, needed(need), !need.is_tested || need.is_sent);
        }
        return schema.made();
    }
    match &need.items {
        Some((item, _)) if item.is_entry() => {
            let value = item.members.iter().find(|(name, _)| name == "value");
            let value = value.map(|(_, need)| needed(need)).unwrap_or_default();
            object([("type", "object".into()), ("additionalProperties", value.into())])
        }
        Some((item, _)) => object([("type", "array".into()), ("items", needed(item).into())]),
        None => Map::new(),
    }
}

fn object<const N: usize>(members: [(&str, Json); N]) -> Map<String, Json> {
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn rules_of(rules: &Rules) -> [(&'static str, Option<Json>); 6] {
    let number = |written: &str| serde_json::from_str(written).ok();
    let Rules { pattern, min_length, max_length, minimum, maximum, allowed } = rules;
    [
        ("pattern", pattern.as_ref().map(|rule| rule.value.as_str().into())),
        ("minLength", min_length.as_ref().map(|rule| rule.value.into())),
        ("maxLength", max_length.as_ref().map(|rule| rule.value.into())),
        ("minimum", minimum.as_ref().and_then(|rule| number(&rule.value))),
        ("maximum", maximum.as_ref().and_then(|rule| number(&rule.value))),
        ("enum", allowed.as_ref().map(|rule| rule.value.iter().filter_map(json_of).collect())),
    ]
}

/// `None` for numbers such as NaN, which JSON does not support.
fn json_of(value: &Value) -> Option<Json> {
    serde_json::from_str(&value.to_json()).ok()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::Settings;
    use crate::snapshot::test::Fixture;

    #[track_caller]
    fn check(fixture: Fixture, expected: Expect) {
        let mut schema = inputs_schema(&fixture.build(), |_| false);
        schema.as_object_mut().unwrap().shift_remove("$schema");
        expected.assert_eq(&schema.to_string());
    }

    #[test]
    fn names_without_declarations_have_the_structure_that_the_prompt_reads() {
        check(
            Fixture::new(Dialect::Adk, "{b} {a?} {b} {now}").settings(Settings {
                runtime: crate::snapshot::test::names(["now"]),
                ..Settings::default()
            }),
            expect![[r#"{"type":"object","properties":{"b":{},"a":{}},"required":["b"]}"#]],
        );
        check(
            Fixture::new(Dialect::Adk, "none"),
            expect![[r#"{"type":"object","properties":{}}"#]],
        );
        check(
            Fixture::new(
                Dialect::Agentle,
                "{{user.name}} {{#if user.vip}}yes{{/if}} {{#each items}}{{this.id}}{{/each}}",
            ),
            expect![[
                r#"{"type":"object","properties":{"user":{"type":"object","properties":{"name":{},"vip":{}},"required":["name"]},"items":{"type":"array","items":{"type":"object","properties":{"id":{}},"required":["id"]}}},"required":["user"]}"#
            ]],
        );
    }

    #[test]
    fn schemas_contain_the_facts_of_declarations() {
        let variables = r#"{"variables": [
            {"name": "plan", "type": "string", "required": true, "description": "What was bought",
             "validation": {"enum": ["basic", "pro"], "pattern": "^[a-z]+$", "min_length": 2}},
            {"name": "age", "type": "number", "default": 30, "example": 31,
             "validation": {"minimum": 0, "maximum": 150.5}},
            {"name": "unread", "type": "array"}
        ]}"#;
        check(
            Fixture::new(Dialect::PromptPack, "{{age}} {{plan}} {{other}}").variables(variables),
            expect![[
                r#"{"type":"object","properties":{"age":{"type":"number","default":30,"examples":[31],"minimum":0,"maximum":150.5},"plan":{"type":"string","description":"What was bought","pattern":"^[a-z]+$","minLength":2,"enum":["basic","pro"]},"other":{},"unread":{"type":"array"}},"required":["plan","other"]}"#
            ]],
        );
    }
}
