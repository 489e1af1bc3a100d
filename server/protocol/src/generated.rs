//! Generates the same types for other languages: `generated/protocol.ts` and
//! `generated/protocol.schema.json`.
//!
//! The files are generated from the types of this crate, and committed. A test fails if they are
//! stale; `UPDATE=1 cargo test -p promptls-protocol` writes them.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use ts_rs::{Config, TS, TypeVisitor};

use crate::methods::{self, METHODS, Sender};
use crate::{
    CheckLine, CheckOutput, CommandArgument, ConfigOutput, DiffOutput, EditedInputs, GraphOutput,
    ListOutput, PromptsOutput, ResolveOutput, RowOutput, StatsOutput, VarsOutput, commands,
};

#[test]
fn the_generated_files_are_up_to_date() {
    let mut generated = Generated::new();
    methods::describe(&mut generated);
    generated.others();
    let stale: Vec<_> = [
        ("protocol.ts", generated.typescript()),
        ("protocol.schema.json", generated.json_schema()),
    ]
    .into_iter()
    .filter(|(name, text)| is_stale(&Path::new("generated").join(name), text))
    .map(|(name, _)| name)
    .collect();
    assert!(stale.is_empty(), "{stale:?} are stale: UPDATE=1 cargo test -p promptls-protocol");
}

#[test]
fn the_readme_has_a_section_for_each_method_and_command() {
    let readme = fs::read_to_string("README.md").expect("the crate has a README");
    let headings: Vec<_> = readme.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    let names = METHODS.iter().map(|method| method.name).chain(commands::COMMANDS);
    for name in names {
        assert!(
            headings.contains(&format!("`{name}`").as_str()),
            "README.md has no heading `{name}`"
        );
    }
}

/// Returns whether a file differs from its expected text. With `UPDATE`, it is written instead.
fn is_stale(path: &Path, text: &str) -> bool {
    if env::var_os("UPDATE").is_some() {
        fs::write(path, text).expect("the repository can be written");
    }
    fs::read_to_string(path).ok().as_deref() != Some(text)
}

/// The generated types and schemas, extended method by method.
pub(crate) struct Generated {
    /// Schemas of types that the program receives.
    received: SchemaGenerator,
    /// Schemas of types that the program sends.
    sent: SchemaGenerator,
    types: Types,
    /// The methods with the schemas of their params and results.
    methods: Map<String, Value>,
    /// The rows of each TypeScript interface, by its name; one for each method.
    interfaces: BTreeMap<&'static str, String>,
}

impl Generated {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12;
        let sent = settings().for_serialize().with_transform(NeverNullIfLeftOut);
        Generated {
            received: settings().for_deserialize().into_generator(),
            sent: sent.into_generator(),
            types: Types::new(),
            methods: Map::new(),
            interfaces: BTreeMap::new(),
        }
    }

    /// Adds a method with a result to the schema and to the TypeScript types.
    pub(crate) fn request<P, R>(&mut self, sender: Sender, name: &str)
    where
        P: TS + JsonSchema + 'static,
        R: TS + JsonSchema + 'static,
    {
        assert_eq!(sender, Sender::Client, "only clients send these requests");
        let params = self.received.subschema_for::<P>();
        let result = self.sent.subschema_for::<R>();
        let method = json!({ "sender": "client", "params": params, "result": result });
        self.methods.insert(name.to_owned(), method);
        let (params, result) = (self.types.name_of::<P>(), self.types.name_of::<R>());
        let rows = self.interfaces.entry("Requests").or_default();
        writeln!(rows, "    '{name}': [{params}, {result}];").expect("it is a String");
    }

    /// Adds a method without a result to the schema and to the TypeScript types.
    pub(crate) fn notification<P: TS + JsonSchema + 'static>(
        &mut self,
        sender: Sender,
        name: &str,
    ) {
        let (sender, interface, params) = match sender {
            Sender::Client => ("client", "ClientNotifications", self.received.subschema_for::<P>()),
            Sender::Server => ("server", "ServerNotifications", self.sent.subschema_for::<P>()),
        };
        let method = json!({ "sender": sender, "params": params });
        self.methods.insert(name.to_owned(), method);
        let params = self.types.name_of::<P>();
        let rows = self.interfaces.entry(interface).or_default();
        writeln!(rows, "    '{name}': {params};").expect("it is a String");
    }

    /// Adds types that are not messages: arguments and results of commands, and the output of the
    /// command line.
    fn others(&mut self) {
        self.received.subschema_for::<CommandArgument>();
        self.sent.subschema_for::<EditedInputs>();
        self.sent.subschema_for::<ResolveOutput>();
        self.sent.subschema_for::<CheckOutput>();
        self.sent.subschema_for::<CheckLine>();
        self.sent.subschema_for::<ConfigOutput>();
        self.sent.subschema_for::<DiffOutput>();
        self.sent.subschema_for::<GraphOutput>();
        self.sent.subschema_for::<PromptsOutput>();
        self.sent.subschema_for::<StatsOutput>();
        self.sent.subschema_for::<ListOutput>();
        self.sent.subschema_for::<VarsOutput>();
        self.sent.subschema_for::<RowOutput>();
        self.types.name_of::<CommandArgument>();
        self.types.name_of::<EditedInputs>();
        self.types.name_of::<ResolveOutput>();
        self.types.name_of::<CheckOutput>();
        self.types.name_of::<CheckLine>();
        self.types.name_of::<ConfigOutput>();
        self.types.name_of::<DiffOutput>();
        self.types.name_of::<GraphOutput>();
        self.types.name_of::<PromptsOutput>();
        self.types.name_of::<StatsOutput>();
        self.types.name_of::<ListOutput>();
        self.types.name_of::<VarsOutput>();
        self.types.name_of::<RowOutput>();
    }

    fn typescript(&self) -> String {
        let mut text = String::from(
            "// The messages of promptls. Made from the types in ../src; do not edit:\n\
             // UPDATE=1 cargo test -p promptls-protocol\n",
        );
        for (name, rows) in &self.interfaces {
            write!(text, "\nexport interface {name} {{\n{rows}}}\n").expect("it is a String");
        }
        text.push('\n');
        for command in commands::COMMANDS {
            let name = command.trim_start_matches("promptls.");
            writeln!(text, "export const {name} = '{command}';").expect("it is a String");
        }
        for declaration in self.types.declarations.values() {
            write!(text, "\n{declaration}\n").expect("it is a String");
        }
        text
    }

    fn json_schema(&mut self) -> String {
        let mut definitions = self.received.take_definitions(true);
        for (name, sent) in self.sent.take_definitions(true) {
            let received = definitions.insert(name.clone(), sent.clone());
            assert!(received.is_none_or(|it| it == sent), "{name} is read and written differently");
        }
        definitions.sort_keys();
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "The messages of promptls",
            "$comment": "Made from the types in ../src: UPDATE=1 cargo test -p promptls-protocol",
            "methods": self.methods,
            "commands": commands::COMMANDS,
            "$defs": definitions,
        });
        serde_json::to_string_pretty(&schema).expect("it has no odd keys") + "\n"
    }
}

/// The TypeScript types, by name.
struct Types {
    config: Config,
    seen: HashSet<TypeId>,
    declarations: BTreeMap<String, String>,
}

impl Types {
    fn new() -> Self {
        // No number in a message is larger than the safe integers of JavaScript.
        let config = Config::new().with_large_int("number");
        Types { config, seen: HashSet::new(), declarations: BTreeMap::new() }
    }

    /// Returns the TypeScript form of a type, and declares all types that it uses.
    fn name_of<T: TS + 'static>(&mut self) -> String {
        self.visit::<T>();
        T::visit_generics(self);
        T::name(&self.config)
    }
}

impl TypeVisitor for Types {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Only types to be declared have a path.
        if T::output_path().is_none() || !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let declaration = format!("{docs}export {}", T::decl(&self.config));
        self.declarations.insert(T::ident(&self.config), laid_out(&declaration));
        T::visit_dependencies(self);
    }
}

/// A declaration with indented fields, and with short comments on one line.
fn laid_out(declaration: &str) -> String {
    let declaration = declaration.replace(", }", ",\n}").replace("/**\n * ", "/** ");
    let mut out = String::new();
    let mut depth = 0;
    for line in declaration.lines().map(str::trim_end) {
        if line == " */" {
            out.push_str(line);
            continue;
        }
        if line.starts_with('}') {
            depth -= 1;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&"    ".repeat(depth));
        out.push_str(line);
        if line.ends_with('{') {
            depth += 1;
        }
    }
    out
}

/// A field that may be omitted from a response is never `null`, while the derived schema allows
/// both.
#[derive(Clone, Debug)]
struct NeverNullIfLeftOut;

impl Transform for NeverNullIfLeftOut {
    fn transform(&mut self, schema: &mut Schema) {
        let required = schema.get("required").cloned().unwrap_or_default();
        let is_required =
            |name: &str| required.as_array().is_some_and(|names| names.iter().any(|it| it == name));
        if let Some(Value::Object(properties)) = schema.get_mut("properties") {
            for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
                forbid_null(property);
            }
        }
        transform_subschemas(self, schema);
    }
}

fn forbid_null(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else { return };
    // Omitting the field already stands for its default.
    schema.shift_remove("default");
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|it| it != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|it| it["type"] != "null");
        if let [Value::Object(only)] = &choices[..] {
            let only = only.clone();
            schema.shift_remove("anyOf");
            schema.extend(only);
        }
    }
}
