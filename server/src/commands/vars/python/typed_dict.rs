//! A `TypedDict` for each object.

use std::collections::BTreeSet;

use super::{Class, ClassField, Import, Style, is_member_name, quoted};

/// Requires Python 3.11, where `NotRequired` is in `typing`.
pub const TYPED_DICT: Style = Style {
    format: "python",
    imports: &[("typing", "TypedDict")],
    number_imports: &[],
    start: "",
    number_start: "",
    number: "float",
    write,
};

fn write(class: &Class<'_>, imports: &mut BTreeSet<Import>) -> String {
    if class.keys.iter().any(|key| !key.is_required) {
        imports.insert(("typing", "NotRequired"));
    }
    match class.keys.iter().all(|key| is_member_name(key.name, class)) {
        true => declaration(class),
        false => call(class),
    }
}

fn type_of(key: &ClassField<'_>) -> String {
    match key.is_required {
        true => key.kind.clone(),
        false => format!("NotRequired[{}]", key.kind),
    }
}

/// `class Name(TypedDict):`, with the descriptions of keys as comments.
fn declaration(class: &Class<'_>) -> String {
    let mut lines = format!("\n\nclass {}(TypedDict):\n", class.name);
    for key in &class.keys {
        // Every character that ends a line in Python ends a comment.
        let text = key.description.unwrap_or_default();
        for line in text.split(char::is_control).filter(|line| !line.trim().is_empty()) {
            lines.push_str(&format!("    # {}\n", line.trim_end()));
        }
        lines.push_str(&format!("    {}: {}\n", key.name, type_of(key)));
    }
    if class.keys.is_empty() {
        lines.push_str("    pass\n");
    }
    lines
}

/// `Name = TypedDict("Name", {...})`, for keys that cannot be members of a class.
fn call(class: &Class<'_>) -> String {
    let key = |key: &ClassField<'_>| format!("    {}: {},\n", quoted(key.name), type_of(key));
    let keys: String = class.keys.iter().map(key).collect();
    format!("\n\n{} = TypedDict({}, {{\n{keys}}})\n", class.name, quoted(&class.name))
}
