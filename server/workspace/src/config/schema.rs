//! The JSON schema of `promptls.toml`, generated from the key tables that parsing and completion
//! use.

use promptls_analysis::TokenEncoding;
use promptls_resolver::{Code, Severity};
use promptls_syntax::Dialect;
use serde_json::{Map, Value, json};

use super::keys::{
    ConfigKey, IGNORE_KEYS, OFF, RULE_KEYS, STORE_KEYS, STORE_KINDS, TABLES, TOP_KEYS,
};
use crate::explain::introduction;

/// The schema in draft 7, which all editors support.
pub fn config_schema() -> Value {
    let mut properties = properties(&TOP_KEYS);
    for (_, table) in &TABLES {
        let about = json!({ "description": table.about });
        properties.insert(table.name.to_owned(), merged(about, schema_of_table(table.name)));
    }
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "promptls.toml",
        "description": "Which files are prompts, what belongs to them, and the severity of each problem.",
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "definitions": {
            "severity": { "enum": severities() },
            "problems": {
                "type": "object",
                "additionalProperties": false,
                "properties": Code::ALL.iter().map(|code| (code.id().to_owned(), problem(*code))).collect::<Map<_, _>>(),
            },
        },
    })
}

fn schema_of_table(name: &str) -> Value {
    match name {
        "prompts" => {
            json!({ "type": "array", "items": object(&RULE_KEYS, json!({ "required": ["files"] })) })
        }
        "ignore" => {
            let one_of = ["files", "codes", "names"].map(|key| json!({ "required": [key] }));
            json!({ "type": "array", "items": object(&IGNORE_KEYS, json!({ "anyOf": one_of })) })
        }
        "stores" => {
            let store = object(&STORE_KEYS, json!({ "required": ["kind"] }));
            json!({ "type": "object", "additionalProperties": store })
        }
        _ => problems(),
    }
}

/// An object with exactly these keys.
fn object(keys: &[ConfigKey], more: Value) -> Value {
    let object = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties(keys),
    });
    merged(object, more)
}

fn properties(keys: &[ConfigKey]) -> Map<String, Value> {
    let property = |key: &ConfigKey| {
        let about = json!({ "description": key.about });
        (key.name.to_owned(), merged(about, value_of(key)))
    };
    keys.iter().map(property).collect()
}

/// The schema of a value: an enumeration if the words are fixed, else the type of its template.
fn value_of(key: &ConfigKey) -> Value {
    let words = |words: Vec<&str>| json!({ "enum": words });
    match (key.name, key.value) {
        ("dialect", _) => words(Dialect::ALL.map(|dialect| dialect.spec().id).to_vec()),
        ("encoding", _) => words(TokenEncoding::ALL.map(TokenEncoding::id).to_vec()),
        ("kind", _) => words(STORE_KINDS.map(|(kind, _)| kind).to_vec()),
        ("codes", _) => {
            let codes = Code::ALL.iter().map(|code| code.id()).collect();
            json!({ "type": "array", "items": words(codes) })
        }
        (_, "{}") => problems(),
        (_, "[\"\"]") => json!({ "type": "array", "items": { "type": "string" } }),
        (_, "true") => json!({ "type": "boolean" }),
        // Where the template shows zero, zero is valid.
        (_, "0") => json!({ "type": "integer", "minimum": 0 }),
        (_, number) if number.parse::<u64>().is_ok() => json!({ "type": "integer", "minimum": 1 }),
        _ => json!({ "type": "string" }),
    }
}

/// In draft 7, siblings of a reference are ignored.
fn problems() -> Value {
    json!({ "allOf": [{ "$ref": "#/definitions/problems" }] })
}

fn problem(code: Code) -> Value {
    let about = introduction(code).replace('\n', " ");
    let first = about.split(". ").next().unwrap_or_default().trim_end_matches('.');
    json!({
        "description": format!("{first}."),
        "default": code.severity().id(),
        "allOf": [{ "$ref": "#/definitions/severity" }],
    })
}

fn severities() -> Vec<&'static str> {
    let all = [Severity::Error, Severity::Warning, Severity::Information, Severity::Hint];
    all.map(Severity::id).into_iter().chain([OFF]).collect()
}

fn merged(object: Value, more: Value) -> Value {
    match (object, more) {
        (Value::Object(mut object), Value::Object(more)) => {
            object.extend(more);
            Value::Object(object)
        }
        (object, _) => object,
    }
}
