//! The inputs of a prompt as types of Python: a `TypedDict` for each object.
//!
//! It is made of the JSON Schema of the inputs, so that both say the same.

use std::collections::HashSet;

use serde_json::{Map, Value as Json};

/// Words that no name of Python may be.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// A module of Python with a class for a schema of an object, and for each object inside; `prompt`
/// is what the prompt is called.
pub fn module(schema: &Json, prompt: &str) -> String {
    let mut classes = Classes::default();
    let name = format!("{}Inputs", camel_case(stem(prompt)));
    classes.object(&name, schema);
    let Classes { code, typing, .. } = classes;
    let mut typing: Vec<&str> = typing.into_iter().collect();
    typing.sort_unstable();
    let about =
        literal(&format!("Inputs of {prompt}, written by `promptls vars --format python`."));
    format!("{about}\n\nfrom typing import {}\n{code}", typing.join(", "))
}

/// What a prompt is called without its folder and the ends of its file, or its name there.
fn stem(prompt: &str) -> &str {
    let last = prompt.rsplit(['/', '\\', '#']).next().unwrap_or(prompt);
    last.split('.').next().unwrap_or(last)
}

/// Classes, those that others need first.
#[derive(Default)]
struct Classes {
    code: String,
    names: HashSet<String>,
    /// What comes from `typing`.
    typing: HashSet<&'static str>,
}

impl Classes {
    /// Writes the class of an object, and returns its name.
    fn object(&mut self, name: &str, schema: &Json) -> String {
        let nothing = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&nothing);
        let required: HashSet<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let name = self.unused(name);
        let mut keys = Vec::new();
        for (key, schema) in properties {
            let mut kind = self.type_of(&format!("{name}{}", camel_case(key)), schema);
            if !required.contains(&**key) {
                self.typing.insert("NotRequired");
                kind = format!("NotRequired[{kind}]");
            }
            keys.push((key.as_str(), kind, schema["description"].as_str()));
        }
        self.typing.insert("TypedDict");
        self.code.push_str(&match keys.iter().all(|(key, ..)| is_identifier(key)) {
            true => class(&name, &keys),
            false => call(&name, &keys),
        });
        name
    }

    /// The type of a value, whose class has this name if it needs one.
    fn type_of(&mut self, name: &str, schema: &Json) -> String {
        if let Some(allowed) = schema["enum"].as_array()
            && let Some(allowed) = allowed.iter().map(as_literal).collect::<Option<Vec<String>>>()
            && !allowed.is_empty()
        {
            self.typing.insert("Literal");
            return format!("Literal[{}]", allowed.join(", "));
        }
        match schema["type"].as_str() {
            Some("string") => "str".to_owned(),
            Some("number") => "float".to_owned(),
            Some("boolean") => "bool".to_owned(),
            Some("array") => {
                let item = self.type_of(&format!("{name}Item"), &schema["items"]);
                format!("list[{item}]")
            }
            Some("object") if schema["properties"].is_object() => self.object(name, schema),
            Some("object") => {
                let value = self.type_of(&format!("{name}Value"), &schema["additionalProperties"]);
                format!("dict[str, {value}]")
            }
            _ => {
                self.typing.insert("Any");
                "Any".to_owned()
            }
        }
    }

    /// A name that no class has yet.
    fn unused(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let unused = names.find(|name| !self.names.contains(name)).unwrap_or_default();
        self.names.insert(unused.clone());
        unused
    }
}

type Key<'k> = (&'k str, String, Option<&'k str>);

/// `class Name(TypedDict):`, with the descriptions of keys as comments.
fn class(name: &str, keys: &[Key<'_>]) -> String {
    let mut lines = format!("\n\nclass {name}(TypedDict):\n");
    for (key, kind, description) in keys {
        for line in description.iter().flat_map(|text| text.lines()) {
            lines.push_str(&format!("    # {line}\n"));
        }
        lines.push_str(&format!("    {key}: {kind}\n"));
    }
    if keys.is_empty() {
        lines.push_str("    pass\n");
    }
    lines
}

/// `Name = TypedDict("Name", {...})`, where a key cannot be a name of Python.
fn call(name: &str, keys: &[Key<'_>]) -> String {
    let key = |(key, kind, _): &Key<'_>| format!("    {}: {kind},\n", quoted(key));
    let keys: String = keys.iter().map(key).collect();
    format!("\n\n{name} = TypedDict({}, {{\n{keys}}})\n", quoted(name))
}

/// What may stand in `Literal[...]`.
fn as_literal(value: &Json) -> Option<String> {
    match value {
        Json::Null => Some("None".to_owned()),
        Json::Bool(true) => Some("True".to_owned()),
        Json::Bool(false) => Some("False".to_owned()),
        Json::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        Json::String(text) => Some(quoted(text)),
        Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

/// A text as a literal of Python, whose escapes include those of JSON.
fn quoted(text: &str) -> String {
    Json::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A docstring.
fn literal(text: &str) -> String {
    let quoted = quoted(text);
    format!("\"\"{quoted}\"\"")
}

fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    let is_first = |it: char| it.is_ascii_alphabetic() || it == '_';
    characters.next().is_some_and(is_first)
        && characters.all(|it| is_first(it) || it.is_ascii_digit())
        // Two underscores at the start of a name in a class change it.
        && !name.starts_with("__")
        && !KEYWORDS.contains(&name)
}

/// `user:first_name` as `UserFirstName`.
fn camel_case(name: &str) -> String {
    let words = name.split(|it: char| !it.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined: String = words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
    match joined.starts_with(|it: char| it.is_ascii_digit()) {
        true => format!("Prompt{joined}"),
        false => joined,
    }
}
