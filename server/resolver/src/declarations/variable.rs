//! A declared variable, and the problems of its declaration.

use promptls_data::Span;

use crate::declarations::rules::{Failure, FailureKind, Rules, WrittenRules};
use crate::findings::code::Severity;
use crate::findings::excerpt;
use crate::findings::report::Report;
use crate::value::{Entry, Object, Value, ValueKind};

/// A declared variable, with the ranges of its parts in the declaring file.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name, after escapes are decoded.
    pub name: Box<str>,
    /// The range of the name, quotes included.
    pub name_span: Span,
    /// The range of the whole declaration.
    pub span: Span,
    /// The type of its values; `None` if it is missing or not supported.
    pub declared_type: Option<VariableType>,
    /// The range of the type, even if the type is not supported.
    pub type_span: Option<Span>,
    /// `true` if it must have a value even if no prompt uses it.
    pub required: bool,
    /// The value if the inputs contain none; `null` if that was written.
    pub default: Option<Value>,
    /// The description, shown in hovers and written to generated code.
    pub description: Option<Box<str>>,
    /// An example value; parsing reports it if it violates the type or a rule.
    pub example: Option<Value>,
    /// The validation rules for its values.
    pub rules: Rules,
    /// The rules in source form, for engines that interpret them differently.
    pub(crate) written_rules: WrittenRules,
}

/// The types that a declaration can have; values of other types are not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VariableType {
    /// A text, also that of a `$file`.
    String,
    /// A whole or a decimal number.
    Number,
    /// `true` or `false`; in quotes, they are texts.
    Boolean,
    /// Keys and values; their names and types are not checked.
    Object,
    /// A list of any length; its items are not checked.
    Array,
}

impl VariableType {
    /// All types, in the order of listings.
    pub const ALL: [VariableType; 5] = [
        VariableType::String,
        VariableType::Number,
        VariableType::Boolean,
        VariableType::Object,
        VariableType::Array,
    ];

    /// The keyword in a declaration.
    pub const fn id(self) -> &'static str {
        match self {
            VariableType::String => "string",
            VariableType::Number => "number",
            VariableType::Boolean => "boolean",
            VariableType::Object => "object",
            VariableType::Array => "array",
        }
    }

    /// The type with this [`VariableType::id`]; `None` if there is none.
    pub fn from_id(id: &str) -> Option<VariableType> {
        VariableType::ALL.into_iter().find(|known| known.id() == id)
    }

    pub(crate) const fn with_article(self) -> &'static str {
        match self {
            VariableType::String => "a string",
            VariableType::Number => "a number",
            VariableType::Boolean => "a boolean",
            VariableType::Object => "an object",
            VariableType::Array => "an array",
        }
    }

    fn read(value: &Value, report: &mut Report) -> Option<VariableType> {
        let id = report.text("type", value)?;
        let declared = VariableType::from_id(&id);
        if declared.is_none() {
            let known = VariableType::ALL.map(|known| format!("`{}`", known.id())).join(", ");
            let id = excerpt::of_text(&id);
            let message = format!("the type `{id}` is not checked; known types are {known}");
            report.remark(Severity::Information, value.span, message);
        }
        declared
    }

    /// `true` if a value has this type. `null` has none.
    pub fn accepts(self, value: &Value) -> bool {
        let of_value = match value.kind {
            ValueKind::Null => return false,
            ValueKind::Bool(_) => VariableType::Boolean,
            ValueKind::Number(_) => VariableType::Number,
            ValueKind::String(_) | ValueKind::File(_) => VariableType::String,
            ValueKind::List(_) => VariableType::Array,
            ValueKind::Object(_) => VariableType::Object,
        };
        self == of_value
    }
}

impl Variable {
    /// The supported keys of a variable; keys that resemble them are reported as misspelt.
    pub const KEYS: [&str; 7] =
        ["name", "type", "required", "default", "description", "example", "validation"];

    /// The first violation of a value: of the type, then of the rules.
    ///
    /// `null` is never a violation here: the caller decides whether a value may be missing.
    pub fn check(&self, value: &Value) -> Option<Failure> {
        if value.is_null() {
            return None;
        }
        match self.declared_type {
            Some(declared) if !declared.accepts(value) => Some(Failure {
                kind: FailureKind::Type,
                message: format!(
                    "`{}` must be {}, this is {}",
                    excerpt::of_text(&self.name),
                    declared.with_article(),
                    value.kind_name()
                ),
                rule_span: self.type_span,
            }),
            _ => self.rules.check(&self.name, value),
        }
    }

    /// A variable with only a known name.
    pub(super) fn named(entry: &Entry) -> Variable {
        Variable {
            name: entry.key.as_ref().into(),
            name_span: entry.key_span,
            span: entry.key_span,
            declared_type: None,
            type_span: None,
            required: false,
            default: None,
            description: None,
            example: None,
            rules: Rules::default(),
            written_rules: WrittenRules::default(),
        }
    }

    pub(super) fn read(value: &Value, report: &mut Report) -> Option<Variable> {
        let Some(object) = value.as_object() else {
            let kind = value.kind_name();
            let message = format!("a variable is an object with a `name`; this is {kind}");
            report.wrong_shape(value.span, message);
            return None;
        };
        report.near_misses(object, &Variable::KEYS);
        let given = |key| object.get(key).map(|entry| &entry.value);

        let Some(name_value) = given("name").filter(|name| !name.is_null()) else {
            report.wrong_shape(value.span, "a variable needs a `name`");
            return None;
        };
        let name = report.text("name", name_value)?;
        if name.is_empty() {
            report.wrong_shape(name_value.span, "the name of a variable cannot be empty");
            return None;
        }

        let type_value = given("type").filter(|value| !value.is_null());
        let rules = match given("validation") {
            Some(validation) => Rules::read(validation, &name, report),
            None => Rules::default(),
        };
        let variable = Variable {
            name_span: name_value.span,
            span: value.span,
            declared_type: type_value.and_then(|value| VariableType::read(value, report)),
            type_span: type_value.map(|value| value.span),
            required: given("required").is_some_and(|value| report.flag("required", value)),
            default: given("default").cloned(),
            description: given("description").and_then(|value| report.text("description", value)),
            example: given("example").cloned(),
            written_rules: WrittenRules::new(given("validation").cloned()),
            rules,
            name,
        };
        variable.report_contradictions(object, report);
        Some(variable)
    }

    fn report_contradictions(&self, object: &Object, report: &mut Report) {
        let name = excerpt::of_text(&self.name);
        if let (true, Some(default)) = (self.required, &self.default)
            && !default.is_null()
        {
            let message = format!(
                "`{name}` is required and has a default; PromptKit fails without a value, other engines use the default"
            );
            let related = object.get("required").map(|entry| (entry.key_span, "required here"));
            report.doubt(default.span, message, &self.name, related);
        }
        self.report_rules_of_other_types(report);
        self.report_values_that_may_not_be(report);
        if let Some(example) = &self.example
            && let Some(Failure { message, rule_span, .. }) = self.check(example)
        {
            let message = format!("the example is invalid: {message}");
            let related = rule_span.map(declared_here);
            report.contradiction(example.span, message, &self.name, related);
        }
    }
}

impl Variable {
    /// Reports rules that never apply to a value of the declared type.
    fn report_rules_of_other_types(&self, report: &mut Report) {
        let Some(declared) = self.declared_type else { return };
        let Rules { pattern, min_length, max_length, minimum, maximum, .. } = &self.rules;
        let rules = [
            ("pattern", pattern.as_ref().map(|rule| rule.span), VariableType::String),
            ("min_length", min_length.as_ref().map(|rule| rule.span), VariableType::String),
            ("max_length", max_length.as_ref().map(|rule| rule.span), VariableType::String),
            ("minimum", minimum.as_ref().map(|rule| rule.span), VariableType::Number),
            ("maximum", maximum.as_ref().map(|rule| rule.span), VariableType::Number),
        ];
        for (key, span, of_type) in rules {
            let Some(span) = span.filter(|_| of_type != declared) else { continue };
            let (name, of_type) = (excerpt::of_text(&self.name), of_type.with_article());
            let message = format!(
                "`{key}` is a rule for {of_type}; `{name}` is {}, so it has no effect",
                declared.with_article()
            );
            report.doubt(span, message, &self.name, self.type_span.map(declared_here));
        }
    }

    /// Reports members of `enum` that the type or another rule forbids.
    fn report_values_that_may_not_be(&self, report: &mut Report) {
        let allowed = self.rules.allowed.iter().flat_map(|rule| &rule.value);
        let mut failures = allowed.filter_map(|value| Some((value.span, self.check(value)?)));
        let Some((at, Failure { message, rule_span, .. })) = failures.next() else { return };
        let more = match failures.count() {
            0 => String::new(),
            1 => ", and so is another".to_owned(),
            more => format!(", and so are {more} others"),
        };
        let message = format!("a value of `enum` is invalid: {message}{more}");
        report.doubt(at, message, &self.name, rule_span.map(declared_here));
    }
}

fn declared_here(span: Span) -> (Span, &'static str) {
    (span, "declared here")
}
