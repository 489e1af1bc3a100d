//! The inputs of a prompt as Python types: a class for each object.
//!
//! They are generated from the JSON Schema of the inputs, so both agree. The style determines the
//! syntax of a class: `typed_dict.rs`, `pydantic.rs`.

mod pydantic;
mod typed_dict;

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value as Json};

pub use self::pydantic::PYDANTIC;
pub use self::typed_dict::TYPED_DICT;

/// Keywords, which are no valid names in Python.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];
/// Names used in type annotations. A class member with such a name would hide it.
const TYPES: [&str; 9] =
    ["Annotated", "Any", "Literal", "NotRequired", "bool", "dict", "float", "list", "str"];

/// The syntax of generated classes: imports, and how a class is written.
pub struct Style {
    /// The value of `--format`, such as `pydantic`.
    format: &'static str,
    /// Names that each module imports, and names that only numbers need, by module.
    imports: &'static [Import],
    number_imports: &'static [Import],
    /// Code before the first class, and code that only numbers need.
    start: &'static str,
    number_start: &'static str,
    /// The type of a number.
    number: &'static str,
    /// Writes a class, and adds the names that it imports.
    write: fn(&Class<'_>, &mut BTreeSet<Import>) -> String,
}

/// A module and a name in it.
type Import = (&'static str, &'static str);

/// A class for an object.
struct Class<'s> {
    name: String,
    keys: Vec<ClassField<'s>>,
    /// The names of all previous classes, and its own.
    classes: HashSet<String>,
}

/// A key of an object.
struct ClassField<'s> {
    name: &'s str,
    /// Its type in Python syntax.
    kind: String,
    is_required: bool,
    /// The declared default in Python syntax, if it has that type.
    default: Option<String>,
    description: Option<&'s str>,
}

/// A Python module with a class for the schema of an object, and for each nested object. `prompt`
/// is the name of the prompt.
pub fn module(schema: &Json, prompt: &str, style: &Style) -> String {
    let mut classes = Classes::new(style);
    classes.object(&format!("{}Inputs", camel_case(stem(prompt))), schema);
    let Classes { code, mut imports, has_numbers, .. } = classes;
    imports.extend(style.imports);
    let mut start = style.start.to_owned();
    if has_numbers {
        imports.extend(style.number_imports);
        start.push_str(style.number_start);
    }
    let about =
        format!("Inputs of {prompt}, written by `promptls vars --format {}`.", style.format);
    format!("{}\n{}{start}{code}", docstring(&about), import_lines(&imports))
}

/// An import line for each module, the standard library first.
fn import_lines(imports: &BTreeSet<Import>) -> String {
    let line = |module: &str| {
        let names = imports.iter().filter(|(of, _)| *of == module).map(|(_, name)| *name);
        let names: Vec<&str> = names.collect();
        match names.is_empty() {
            true => String::new(),
            false => format!("\nfrom {module} import {}\n", names.join(", ")),
        }
    };
    ["typing", "pydantic"].map(line).concat()
}

/// The name of a prompt without its folder and extensions, or its name in the file.
fn stem(prompt: &str) -> &str {
    let last = prompt.rsplit(['/', '\\', '#']).next().unwrap_or(prompt);
    last.split('.').next().unwrap_or(last)
}

/// Classes in order of dependency.
struct Classes<'s> {
    style: &'s Style,
    code: String,
    names: HashSet<String>,
    imports: BTreeSet<Import>,
    has_numbers: bool,
}

impl<'s> Classes<'s> {
    fn new(style: &'s Style) -> Classes<'s> {
        Classes {
            style,
            code: String::new(),
            names: HashSet::new(),
            imports: BTreeSet::new(),
            has_numbers: false,
        }
    }

    /// Writes the class of an object, and returns its name.
    fn object(&mut self, name: &str, schema: &Json) -> String {
        let nothing = Map::new();
        let properties = schema["properties"].as_object().unwrap_or(&nothing);
        let required: HashSet<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let name = self.unused(name);
        let keys = properties.iter().map(|(key, schema)| ClassField {
            name: key,
            kind: self.type_of(&format!("{name}{}", camel_case(key)), schema),
            is_required: required.contains(&**key),
            default: schema.get("default").and_then(|default| literal_of(default, schema)),
            description: schema["description"].as_str(),
        });
        let keys = keys.collect();
        let class = Class { name: name.clone(), keys, classes: self.names.clone() };
        self.code.push_str(&(self.style.write)(&class, &mut self.imports));
        name
    }

    /// The type of a value. `name` is for its class, if it needs one.
    fn type_of(&mut self, name: &str, schema: &Json) -> String {
        if let Some(allowed) = allowed(schema)
            && let Some(allowed) = allowed.iter().map(scalar).collect::<Option<Vec<String>>>()
        {
            self.imports.insert(("typing", "Literal"));
            return format!("Literal[{}]", allowed.join(", "));
        }
        match schema["type"].as_str() {
            Some("string") => "str".to_owned(),
            Some("number") => {
                self.has_numbers = true;
                self.style.number.to_owned()
            }
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
                self.imports.insert(("typing", "Any"));
                "Any".to_owned()
            }
        }
    }

    /// A name that no other class has.
    fn unused(&mut self, name: &str) -> String {
        let unused = numbered(name, |name| !self.names.contains(name));
        self.names.insert(unused.clone());
        unused
    }
}

/// The first free name of `name`, `name2`, `name3` and so on.
fn numbered(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    let others = (2..).map(|number| format!("{name}{number}"));
    std::iter::once(name.to_owned()).chain(others).find(|it| is_free(it)).unwrap_or_default()
}

/// The values of an `enum`, if it has any.
fn allowed(schema: &Json) -> Option<&Vec<Json>> {
    schema["enum"].as_array().filter(|allowed| !allowed.is_empty())
}

/// A value in Python syntax, if it has the type of the schema. Values of a class have no literal.
fn literal_of(value: &Json, schema: &Json) -> Option<String> {
    if allowed(schema).is_some_and(|allowed| !allowed.contains(value)) {
        return None;
    }
    let all = |values: Vec<Option<String>>| values.into_iter().collect::<Option<Vec<_>>>();
    match (schema["type"].as_str(), value) {
        (Some("array") | None, Json::Array(items)) => {
            let items = items.iter().map(|item| literal_of(item, &schema["items"]));
            Some(format!("[{}]", all(items.collect())?.join(", ")))
        }
        (Some("object") | None, Json::Object(members)) if !schema["properties"].is_object() => {
            let member = |(key, value): (&String, &Json)| {
                let value = literal_of(value, &schema["additionalProperties"])?;
                Some(format!("{}: {value}", quoted(key)))
            };
            Some(format!("{{{}}}", all(members.iter().map(member).collect())?.join(", ")))
        }
        (Some("number") | None, Json::Number(number)) => Some(number.to_string()),
        (Some("string") | None, Json::String(_))
        | (Some("boolean") | None, Json::Bool(_))
        | (None, Json::Null) => scalar(value),
        _ => None,
    }
}

/// A value in the syntax that `Literal[...]` allows.
fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::Null => Some("None".to_owned()),
        Json::Bool(true) => Some("True".to_owned()),
        Json::Bool(false) => Some("False".to_owned()),
        Json::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        Json::String(text) => Some(quoted(text)),
        Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

/// A text as a Python literal, whose escapes include those of JSON.
fn quoted(text: &str) -> String {
    Json::from(text).to_string().replace('\u{7f}', "\\u007f")
}

fn docstring(text: &str) -> String {
    let quoted = quoted(text);
    format!("\"\"{quoted}\"\"")
}

/// Whether a member of this class may have this name.
fn is_member_name(name: &str, class: &Class<'_>) -> bool {
    let mut characters = name.chars();
    let is_first = |it: char| it.is_ascii_alphabetic() || it == '_';
    characters.next().is_some_and(is_first)
        && characters.all(|it| is_first(it) || it.is_ascii_digit())
        // Python mangles names in a class that start with two underscores.
        && !name.starts_with("__")
        && !KEYWORDS.contains(&name)
        && !TYPES.contains(&name)
        && !class.classes.contains(name)
}

/// Converts a name to a class name: `user:first_name` becomes `UserFirstName`.
fn camel_case(name: &str) -> String {
    let words = name.split(|it: char| !it.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let joined: String = words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect();
    match joined.starts_with(|it: char| it.is_ascii_digit()) {
        true => format!("Prompt{joined}"),
        false => joined,
    }
}
