//! Serialization of declarations as a variables file.

use crate::declarations::{Declarations, Variable};
use crate::output::Bounded;
use crate::string_form::json;
use crate::value::{Object, Value, ValueKind};

/// The type that is written for an unsupported one: the original is not stored, and engines only
/// check that it is unsupported.
const OTHER_TYPE: &str = "?";

impl Declarations {
    /// The same declarations in one line of JSON. After [parsing](Declarations::parse) it, every
    /// prompt resolves to the same text or error. Ranges are not preserved.
    ///
    /// ```
    /// use promptls_resolver::{Declarations, FileId, Format};
    ///
    /// let yaml = "variables:\n- name: tone\n  default: warm\nfragments: {rules: Be kind.}\n";
    /// let declarations = Declarations::parse(yaml, Format::Yaml, FileId(1)).value.unwrap();
    /// let json = r#"{"variables":[{"name":"tone","default":"warm"}],"fragments":{"rules":"Be kind."}}"#;
    /// assert_eq!(declarations.to_json(), json);
    /// ```
    pub fn to_json(&self) -> String {
        let variables = match self.has_unread_variables {
            // Only the names of these are known, so they become keys again.
            true => Value::from(self.variables.iter().map(unread).collect::<Object>()),
            false => Value::from(self.variables.iter().map(written).collect::<Vec<Value>>()),
        };
        let fragments = self.fragments.iter().map(|it| (it.name.clone(), Value::from(&*it.text)));
        let fragments = Value::from(fragments.collect::<Object>());
        let whole: Object =
            [("variables", variables), ("fragments", fragments)].into_iter().collect();
        let mut out = Bounded::new(usize::MAX, 0);
        json(&whole.into(), &mut out);
        out.text
    }
}

fn unread(variable: &Variable) -> (Box<str>, Value) {
    (variable.name.clone(), ValueKind::Null.into())
}

fn written(variable: &Variable) -> Value {
    let kind = match (variable.declared_type, variable.type_span) {
        (Some(declared), _) => Some(declared.id()),
        (None, Some(_)) => Some(OTHER_TYPE),
        (None, None) => None,
    };
    let text = |text: &str| Value::from(text);
    let members = [
        ("name", Some(text(&variable.name))),
        ("type", kind.map(text)),
        ("required", variable.required.then(|| true.into())),
        ("default", variable.default.clone()),
        ("description", variable.description.as_deref().map(text)),
        ("example", variable.example.clone()),
        ("validation", variable.written_rules.value().cloned()),
    ];
    let members = members.into_iter().filter_map(|(key, value)| Some((key, value?)));
    members.collect::<Object>().into()
}
