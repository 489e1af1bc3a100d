//! The JSON schemas of input files and of machine-readable output.
//!
//! The schema of `promptls.toml` is generated from the tables of its parser, and those of output
//! from its types. The others are files, which tests compare with the parsers.

use promptls_protocol::JSON_SCHEMA;
use promptls_workspace::config_schema;
use serde_json::{Map, Value, json};

/// The base URL of all schemas: the files of the newest release, where `server/packages/make` puts
/// them.
const ADDRESS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/releases/latest/download");

/// A schema with its name.
pub struct Schema {
    pub name: &'static str,
    /// A description of its subject.
    pub about: &'static str,
    source: SchemaSource,
}

/// The source of a schema.
enum SchemaSource {
    Config,
    Written(&'static str),
    /// A type of the protocol.
    Printed(&'static str),
}

/// The schemas that `promptls schema` prints, in the order of its list.
pub const SCHEMAS: [Schema; 16] = [
    Schema { name: "config", about: "promptls.toml", source: SchemaSource::Config },
    Schema {
        name: "inputs",
        about: "inputs files",
        source: SchemaSource::Written(include_str!("schemas/inputs.schema.json")),
    },
    Schema {
        name: "variables",
        about: "variables files",
        source: SchemaSource::Written(include_str!("schemas/variables.schema.json")),
    },
    Schema {
        name: "lock",
        about: "promptls.lock",
        source: SchemaSource::Written(include_str!("schemas/lock.schema.json")),
    },
    Schema {
        name: "prices",
        about: "the table of promptls stats --prices",
        source: SchemaSource::Written(include_str!("schemas/prices.schema.json")),
    },
    printed("check-output", "promptls check --format json", "CheckOutput"),
    printed("check-line", "a line of promptls check --format jsonl", "CheckLine"),
    printed("list-output", "promptls check --list --format json", "ListOutput"),
    printed("resolve-output", "promptls resolve --format json", "ResolveOutput"),
    printed("row-output", "a line of promptls resolve --rows and --all-cases", "RowOutput"),
    printed("vars-output", "promptls vars --format json", "VarsOutput"),
    printed("diff-output", "promptls diff --format json", "DiffOutput"),
    printed("stats-output", "promptls stats --format json", "StatsOutput"),
    printed("prompts-output", "promptls prompts --format json", "PromptsOutput"),
    printed("graph-output", "promptls graph --format json", "GraphOutput"),
    printed("config-output", "promptls config --format json", "ConfigOutput"),
];

const fn printed(name: &'static str, about: &'static str, of: &'static str) -> Schema {
    Schema { name, about, source: SchemaSource::Printed(of) }
}

impl Schema {
    /// The schema with its `$id`.
    pub fn made(&self) -> Value {
        let schema = match self.source {
            SchemaSource::Config => config_schema(),
            SchemaSource::Written(text) => parsed(text),
            SchemaSource::Printed(of) => of_type(of),
        };
        with_id(schema, self.name)
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("it is in the program, and a test reads it")
}

/// The schema of a type, with the schemas of the types that it refers to.
fn of_type(name: &str) -> Value {
    let all = parsed(JSON_SCHEMA);
    let mut needed = Map::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        if !needed.contains_key(&name) {
            let schema = all["$defs"][&name].clone();
            references(&schema, &mut open);
            needed.insert(name, schema);
        }
    }
    json!({ "$schema": all["$schema"], "$ref": format!("#/$defs/{name}"), "$defs": needed })
}

fn references(schema: &Value, to: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            let reference = fields.get("$ref").and_then(Value::as_str);
            to.extend(reference.and_then(|it| it.strip_prefix("#/$defs/")).map(str::to_owned));
            fields.values().for_each(|field| references(field, to));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, to)),
        _ => {}
    }
}

/// The same schema with its URL in `$id`, after `$schema`.
fn with_id(schema: Value, name: &str) -> Value {
    let id = format!("{ADDRESS}/{name}.schema.json");
    let Value::Object(fields) = schema else { return schema };
    let mut with_id = Map::new();
    for (key, value) in fields {
        let is_first = key == "$schema";
        with_id.insert(key, value);
        if is_first {
            with_id.insert("$id".to_owned(), id.clone().into());
        }
    }
    with_id.into()
}
