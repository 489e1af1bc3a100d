//! A pydantic model for each object: `Prompt.render` accepts an instance like a dictionary.

use std::collections::{BTreeSet, HashSet};

use super::{Class, ClassField, Import, Style, is_member_name, numbered, quoted};

/// Python 3.10 and later, pydantic 2.
pub const PYDANTIC: Style = Style {
    format: "pydantic",
    imports: &[("typing", "Any"), ("pydantic", "BaseModel"), ("pydantic", "ConfigDict")],
    number_imports: &[
        ("typing", "Annotated"),
        ("pydantic", "ValidatorFunctionWrapHandler"),
        ("pydantic", "WrapValidator"),
    ],
    start: START,
    number_start: NUMBER_START,
    number: "_Number",
    write,
};

/// Fields that are not set are omitted, as in a dictionary: the engine has its own defaults and
/// errors for them.
const START: &str = r#"

class _Inputs(BaseModel):
    """The set values for `Prompt.render`, by their names in the prompt."""

    model_config = ConfigDict(extra="allow", populate_by_name=True)

    def model_dump(self, **options: Any) -> dict[str, Any]:
        options = {"by_alias": True, "exclude_unset": True, **options}
        return super().model_dump(**options)
"#;

const NUMBER_START: &str = r#"

def _unchanged(value: Any, validate: ValidatorFunctionWrapHandler) -> Any:
    return value if isinstance(value, (int, float)) else validate(value)


# pydantic creates a new number, which does not keep the digits of its source.
_Number = Annotated[int | float, WrapValidator(_unchanged)]
"#;

/// The attributes of a model, and the names used in field declarations.
const RESERVED: [&str; 15] = [
    "Field",
    "construct",
    "copy",
    "from_orm",
    "int",
    "json",
    "parse_file",
    "parse_obj",
    "parse_raw",
    "schema",
    "schema_json",
    "self",
    "super",
    "update_forward_refs",
    "validate",
];

fn write(class: &Class<'_>, imports: &mut BTreeSet<Import>) -> String {
    let mut lines = format!("\n\nclass {}(_Inputs):\n", class.name);
    let mut names: HashSet<String> = class.keys.iter().map(|key| key.name.to_owned()).collect();
    for key in &class.keys {
        let name = match is_field_name(key.name, class) {
            true => key.name.to_owned(),
            false => {
                field_name(key.name, |name| is_field_name(name, class) && !names.contains(name))
            }
        };
        let field = field(key, &name);
        if field.contains("= Field(") {
            imports.insert(("pydantic", "Field"));
        }
        lines.push_str(&field);
        names.insert(name);
    }
    if class.keys.is_empty() {
        lines.push_str("    pass\n");
    }
    lines
}

/// The line that declares a field.
fn field(key: &ClassField<'_>, name: &str) -> String {
    let (mut kind, mut default) = (key.kind.clone(), None);
    if !key.is_required {
        default = Some(key.default.clone().unwrap_or_else(|| {
            kind.push_str(if kind == "Any" { "" } else { " | None" });
            "None".to_owned()
        }));
    }
    let mut arguments = Vec::new();
    if name != key.name {
        // Not `alias`, which type checkers use as the name of the argument.
        let alias = quoted(key.name);
        arguments.push(format!("validation_alias={alias}, serialization_alias={alias}"));
    }
    arguments.extend(key.description.map(|text| format!("description={}", quoted(text))));
    match (default, arguments.is_empty()) {
        (None, true) => format!("    {name}: {kind}\n"),
        (Some(default), true) => format!("    {name}: {kind} = {default}\n"),
        (default, false) => {
            let default = default.map(|default| format!("default={default}"));
            let arguments: Vec<String> = default.into_iter().chain(arguments).collect();
            format!("    {name}: {kind} = Field({})\n", arguments.join(", "))
        }
    }
}

fn is_field_name(name: &str, class: &Class<'_>) -> bool {
    is_member_name(name, class)
        && !name.starts_with('_')
        && !name.starts_with("model_")
        && !RESERVED.contains(&name)
}

/// A valid field name that resembles the key.
fn field_name(key: &str, is_free: impl Fn(&str) -> bool) -> String {
    let plain: String =
        key.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
    let plain = match plain.trim_start_matches('_') {
        "" => "value",
        plain => plain,
    };
    let candidates = [plain.to_owned(), format!("{plain}_"), format!("input_{plain}")];
    let free = candidates.into_iter().find(|name| is_free(name));
    free.unwrap_or_else(|| numbered(&format!("input_{plain}"), is_free))
}
