//! PromptPack's engines for Python: the core, and the one that belongs to LangChain.
//!
//! They check values and convert them to the declared type, then replace in one pass. A fragment is
//! resolved separately.

use std::borrow::Cow;
use std::cmp::Ordering;

use promptls_syntax::{Dialect, Grammar};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::refusal::{Refusal, ValueChecks, VariableCheck};
use crate::behaviour::{Behaviour, Facts, FragmentNames, Verdict};
use crate::declarations::rules::pattern::{Flavour, Pattern};
use crate::declarations::{Variable, VariableType};
use crate::engines::profile::{Language, Profile, Span, Version};
use crate::findings::broken_rules::BrokenRule;
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::RunFindings;
use crate::outcome::{Lookup, Outcome};
use crate::output::Bounded;
use crate::resolve_context::ResolveContext;
use crate::string_form::StringForm;
use crate::template::Execution;
use crate::value::number;
use crate::value::{Value, ValueKind};
use crate::values::ValueRef;

/// One of the two engines for Python.
struct Python {
    facts: Facts,
    /// `true` for the core package, `false` for the other engine.
    is_core: bool,
}

/// The facts that both engines have in common.
const FACTS: Facts = Facts {
    grammar: Grammar::PromptPackPython,
    form: StringForm::PYTHON_JSON,
    verdict_first: true,
    fragment_names: FragmentNames { prefix: Some(FRAGMENT), alone: false },
    ..Facts::plain(Dialect::PromptPack)
};

// The differences that both engines share.
const NO_PATHS: &str = "there are no paths; {{fragment:f}} is a fragment, {{f}} is not";
const CONVERTED_VALUES: &str =
    "values are converted to the declared types; rules apply to the converted values";
const PYTHON_FORMS: &str =
    "numbers, lists and maps are formatted as in Python: 1.5, [1, \"\\u00e9\"]";

static LANGCHAIN_EACH: Python = Python { facts: FACTS, is_core: false };

static CORE_EACH: Python = Python { facts: FACTS, is_core: true };

pub(in crate::engines) static LANGCHAIN: Profile = Profile {
    id: "promptpack-python",
    title: "PromptPack for LangChain in Python",
    language: Language::Python,
    packages: &["promptpack-langchain"],
    source: "AltairaLabs/promptpack-python, PromptPackTemplate.format (c78e36b)",
    newest: Version([0, 1, 0]),
    fields: &[],
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[
            NO_PATHS,
            "a name without a value is literal, an optional variable without one is nothing",
            "undeclared inputs are dropped if any variable is declared",
            CONVERTED_VALUES,
            PYTHON_FORMS,
        ],
        behaviour: &LANGCHAIN_EACH,
    }],
};

pub(in crate::engines) static CORE: Profile = Profile {
    id: "promptpack-python-core",
    title: "PromptPack for Python",
    language: Language::Python,
    // The package of this name is an unrelated tool.
    packages: &[],
    source: "AltairaLabs/promptpack-python, TemplateEngine.render (c78e36b)",
    newest: Version([0, 1, 0]),
    fields: &[],
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[
            NO_PATHS,
            "an optional variable without a value is nothing",
            CONVERTED_VALUES,
            PYTHON_FORMS,
        ],
        behaviour: &CORE_EACH,
    }],
};

/// The prefix of fragment names.
const FRAGMENT: &str = "fragment:";

impl Behaviour for Python {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The core also uses undeclared inputs.
    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let declarations = given.declarations;
        if let Some(fragment) = name.strip_prefix(FRAGMENT) {
            return match declarations.fragment(fragment) {
                Some(fragment) => Lookup::new(Outcome::Fragment(fragment), None),
                None => Lookup::MISSING,
            };
        }
        let (values, file) = (given.values, given.values.file());
        let Some(first) = declarations.variable(name) else {
            let is_dropped = !self.is_core && !declarations.variables.is_empty();
            return match values.get(name).filter(|_| !is_dropped) {
                Some(found) => self.value_of(found, file),
                None => Lookup::MISSING,
            };
        };
        // Of repeated declarations the last one counts.
        let mut declared = declarations.variables.iter().rev();
        let variable = declared.find(|variable| *variable.name == *name).unwrap_or(first);
        match held(variable, given) {
            VariableValue::Supplied => Lookup::MISSING,
            VariableValue::Nothing if variable.required => Lookup::MISSING,
            VariableValue::Nothing => Lookup::new(Outcome::Empty, None),
            VariableValue::Default(default) => self.value(default, Some(declarations.file)),
            VariableValue::Value(found) => match converted(variable, &found.to_value()) {
                Ok(Some(made)) => {
                    let mut out = Bounded::new(given.max_output, 16);
                    self.facts.form.write(&made, &mut out);
                    let location = found.as_value().and_then(|value| value.location(file));
                    Lookup::new(Outcome::Composed(out.text), location)
                }
                Ok(None) | Err(_) => self.value_of(found, file),
            },
        }
    }

    /// The core raises an error for a name without a value; the other engine loads no empty prompt.
    fn verdict(&self, execution: Execution<'_>, found: &RunFindings) -> Verdict {
        let Execution { template, given } = execution;
        let of_load = ValueChecks::of(given, check_declaration);
        let of_values = ValueChecks::of(given, check);
        let mut error = of_load.error();
        let mut problems = of_load.problems(template, &found.missing);
        if template.text.is_empty() && !self.is_core {
            let message = "an empty prompt is not loaded".to_owned();
            let location = Location { file: FileId::PROMPT, range: 0..0 };
            problems.push(Problem::new(Code::InvalidDeclaration, location, &*message));
            let empty = EngineError::new(ErrorKind::Declaration, Vec::new(), message);
            error = error.or(Some(empty));
        }
        error = error.or_else(|| of_values.error());
        problems.extend(of_values.problems(template, &found.missing));
        if self.is_core
            && let Some(first) = found.missing.first()
        {
            let message = match first.name.strip_prefix(FRAGMENT) {
                Some(fragment) => format!("Undefined fragment: {fragment}"),
                None => format!("Undefined variable: {}", first.name),
            };
            let names = vec![first.name.clone()];
            error = error.or(Some(EngineError::new(ErrorKind::Missing, names, message)));
        }
        if let Some(limit) = &found.limit
            && limit.code == Code::FragmentCycle
        {
            let message = "maximum recursion depth exceeded".to_owned();
            error = error.or(Some(EngineError::new(ErrorKind::Limit, Vec::new(), message)));
        }
        Verdict { problems, error }
    }

    fn missing_required<'a>(&self, given: &ResolveContext<'a>) -> Vec<&'a Variable> {
        ValueChecks::of(given, check).missing()
    }

    fn broken_rules<'a>(&self, given: &ResolveContext<'a>) -> Vec<BrokenRule<'a>> {
        let declarations = ValueChecks::of(given, check_declaration).broken().into_iter();
        declarations.chain(ValueChecks::of(given, check).broken()).collect()
    }
}

/// The value of a variable.
enum VariableValue<'a> {
    Nothing,
    /// Not known yet: the application supplies it.
    Supplied,
    /// A default, which is neither converted nor checked.
    Default(&'a Value),
    Value(ValueRef<'a>),
}

fn held<'a>(variable: &'a Variable, given: &ResolveContext<'a>) -> VariableValue<'a> {
    let found = given.values.get(&variable.name);
    let is_supplied = found.is_none() && given.is_supplied(Dialect::PromptPack, &variable.name);
    let default = variable.default.as_ref().filter(|default| !default.is_null());
    match (found.filter(|value| !value.is_null()), default) {
        (Some(found), _) => VariableValue::Value(found),
        (None, Some(default)) => VariableValue::Default(default),
        (None, None) if is_supplied => VariableValue::Supplied,
        (None, None) => VariableValue::Nothing,
    }
}

fn check_declaration<'a>(checked: &mut VariableCheck<'_, 'a>) -> Option<Refusal<'a>> {
    let variable = checked.variable;
    let span = variable.type_span.filter(|_| variable.declared_type.is_none())?;
    let message = format!("`{}` is declared with an unknown type", variable.name);
    Some(checked.refused_declaration(ErrorKind::Declaration, message, span))
}

fn check<'a>(checked: &mut VariableCheck<'_, 'a>) -> Option<Refusal<'a>> {
    let VariableCheck { variable, given, .. } = *checked;
    let name = &*variable.name;
    let found = match held(variable, given) {
        VariableValue::Value(found) => found,
        VariableValue::Default(_) | VariableValue::Supplied => return None,
        VariableValue::Nothing => {
            return variable.required.then(|| {
                let message = format!("Variable '{name}': Required variable is missing");
                checked.refused_value(ErrorKind::Missing, message, None)
            });
        }
    };
    let location = found.as_value().and_then(|value| value.location(given.values.file()));
    let refuse = |checked: &VariableCheck<'_, 'a>, kind, message: &str| {
        let message = format!("Variable '{name}': {message}");
        Some(checked.refused_value(kind, message, location.clone()))
    };
    let value = found.to_value();
    let value = match converted(variable, &value) {
        Ok(None) => value,
        Ok(Some(made)) => Cow::Owned(made),
        Err(message) => return refuse(checked, ErrorKind::Type, &message),
    };
    if let Some(text) = value.as_text()
        && let Some((written, pattern)) = variable.written_rules.pattern(Flavour::Python)
    {
        match (pattern, pattern.is_match(text)) {
            (Pattern::Invalid(message), _) => {
                let (message, span) = (message.clone(), variable.span);
                return Some(checked.refused_declaration(ErrorKind::Engine, message, span));
            }
            (_, Some(true)) => {}
            (_, Some(false)) => {
                let message = format!("Value does not match pattern: {written}");
                return refuse(checked, ErrorKind::Validation, &message);
            }
            (_, None) => checked.is_undecided = true,
        }
    }
    let broken = broken_by_length(variable, &value).or_else(|| broken_by_size(variable, &value));
    match broken.or_else(|| not_allowed(variable, &value)) {
        Some(message) => refuse(checked, ErrorKind::Validation, &message),
        None => None,
    }
}

fn broken_by_length(variable: &Variable, value: &Value) -> Option<String> {
    let length = value.as_text()?.chars().count() as u64;
    let bound = |rule| number::count(variable.written_rules.number(rule)?);
    if let Some(least) = bound("min_length").filter(|&least| length < least) {
        return Some(format!("String too short (min: {least})"));
    }
    let most = bound("max_length").filter(|&most| length > most)?;
    Some(format!("String too long (max: {most})"))
}

fn broken_by_size(variable: &Variable, value: &Value) -> Option<String> {
    let ValueKind::Number(written) = &value.kind else { return None };
    let bounds = [("minimum", Ordering::Less, "below"), ("maximum", Ordering::Greater, "above")];
    bounds.into_iter().find_map(|(rule, outside, side)| {
        let bound: f64 = variable.written_rules.number(rule)?.parse().ok()?;
        let bound = float(bound);
        let is_outside = compare(written, &bound) == Some(outside);
        is_outside.then(|| format!("Value {side} {rule}: {bound}"))
    })
}

fn not_allowed(variable: &Variable, value: &Value) -> Option<String> {
    let allowed = variable.written_rules.get("enum")?;
    let is_allowed = allowed.as_list()?.iter().any(|allowed| is_equal(allowed, value));
    (!is_allowed).then(|| format!("Value not in allowed values: {}", printed(allowed)))
}

/// The value converted to the declared type; `None` if it already has that type; the message as an
/// error.
fn converted(variable: &Variable, value: &Value) -> Result<Option<Value>, String> {
    let refused = |expected| Err(format!("Expected {expected}, got {}", type_name(value)));
    let Some(declared) = variable.declared_type.filter(|declared| !declared.accepts(value)) else {
        return Ok(None);
    };
    match declared {
        VariableType::String => Ok(Some(printed(value).into())),
        VariableType::Number => match value.as_text().and_then(float_of) {
            Some(number) => Ok(Some(ValueKind::Number(float(number).into()).into())),
            None => refused("number"),
        },
        VariableType::Boolean => {
            let is_one_of = |words: [&str; 3]| {
                value.as_text().is_some_and(|text| {
                    words.into_iter().any(|word| text.eq_ignore_ascii_case(word))
                })
            };
            if is_one_of(["true", "1", "yes"]) {
                Ok(Some(true.into()))
            } else if is_one_of(["false", "0", "no"]) {
                Ok(Some(false.into()))
            } else {
                refused("boolean")
            }
        }
        VariableType::Object => refused("object"),
        VariableType::Array => refused("array"),
    }
}

/// The result of Python's `type(value).__name__` for it.
fn type_name(value: &Value) -> &'static str {
    match &value.kind {
        ValueKind::Null => "NoneType",
        ValueKind::Bool(_) => "bool",
        ValueKind::Number(written) if is_whole(written) => "int",
        ValueKind::Number(_) => "float",
        ValueKind::String(_) | ValueKind::File(_) => "str",
        ValueKind::List(_) => "list",
        ValueKind::Object(_) => "dict",
    }
}

/// The result of Python's `str(value)`, up to 16 MiB.
fn printed(value: &Value) -> String {
    let mut out = Bounded::new(16 << 20, 16);
    StringForm::PYTHON.write(value, &mut out);
    out.text
}

/// A float as Python prints it; Python parses the result to the same float.
fn float(value: f64) -> String {
    let written = match value {
        _ if value.is_nan() => return "nan".to_owned(),
        f64::INFINITY => return "inf".to_owned(),
        f64::NEG_INFINITY => return "-inf".to_owned(),
        _ => format!("{value:e}"),
    };
    printed(&ValueKind::Number(written.into()).into())
}

/// The result of Python's `float(text)`; `None` where it raises `ValueError`.
fn float_of(text: &str) -> Option<f64> {
    let is_blank =
        |character: char| character.is_whitespace() || matches!(character, '\u{1C}'..='\u{1F}');
    let mut number = String::new();
    let mut before = None;
    let mut characters = text.trim_matches(is_blank).chars().peekable();
    while let Some(character) = characters.next() {
        match (character, digit(character)) {
            (_, Some(digit)) => number.extend(char::from_digit(digit, 10)),
            // An underscore is allowed between two digits.
            ('_', _) => {
                let is_between = before.and_then(digit).is_some()
                    && characters.peek().copied().and_then(digit).is_some();
                if !is_between {
                    return None;
                }
            }
            _ => number.push(character),
        }
        before = Some(character);
    }
    number.parse().ok()
}

/// The value of a decimal digit of any script. Digits come in contiguous blocks of ten, also where
/// scripts are adjacent.
fn digit(character: char) -> Option<u32> {
    let is_digit = |character: char| character.general_category() == GeneralCategory::DecimalNumber;
    if character.is_ascii() {
        return character.to_digit(10);
    }
    if !is_digit(character) {
        return None;
    }
    let code = u32::from(character);
    let before = (0..code).rev().map_while(char::from_u32).take_while(|&other| is_digit(other));
    Some(before.count() as u32 % 10)
}

fn is_whole(written: &str) -> bool {
    written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Compares integers and floats exactly; `None` if one is not a number.
fn compare(a: &str, b: &str) -> Option<Ordering> {
    let float = |written: &str| written.parse::<f64>().ok();
    match (is_whole(a), is_whole(b)) {
        (true, true) => Some(number::compare(a, b)),
        (false, false) => float(a)?.partial_cmp(&float(b)?),
        (true, false) => compare_whole(a, float(b)?),
        (false, true) => compare_whole(b, float(a)?).map(Ordering::reverse),
    }
}

fn compare_whole(whole: &str, float: f64) -> Option<Ordering> {
    /// Up to this value, integers are exact floats; from it on, floats are integers.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match float.abs() {
        f64::INFINITY => 0.0.partial_cmp(&float),
        EXACT.. => Some(number::compare(whole, &format!("{float:.0}"))),
        _ => whole.parse::<f64>().ok()?.partial_cmp(&float),
    }
}

/// Python's `a == b`, where `True` equals 1 and `False` equals 0.
fn is_equal(a: &Value, b: &Value) -> bool {
    let as_number = |value: &Value| match &value.kind {
        ValueKind::Bool(value) => Some(u8::from(*value).to_string()),
        ValueKind::Number(written) => Some(written.to_string()),
        _ => None,
    };
    if let (Some(a), Some(b)) = (as_number(a), as_number(b)) {
        return compare(&a, &b) == Some(Ordering::Equal);
    }
    match (&a.kind, &b.kind) {
        (ValueKind::Null, ValueKind::Null) => true,
        (ValueKind::List(a), ValueKind::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_equal(a, b))
        }
        (ValueKind::Object(a), ValueKind::Object(b)) => {
            let has = |key, value| b.get(key).is_some_and(|b| is_equal(value, &b.value));
            a.entries().len() == b.entries().len()
                && a.entries().iter().all(|a| has(&a.key, &a.value))
        }
        _ => a.as_text().is_some_and(|text| b.as_text() == Some(text)),
    }
}

#[cfg(test)]
mod tests {
    use crate::engines::tests::{Case, check};

    const LANGCHAIN: &str = "promptpack-python";
    const CORE: &str = "promptpack-python-core";

    #[test]
    fn the_core_raises_where_langchain_keeps_a_name() {
        let inputs = r#"{"a": "1", "a:b": "2", "fragment:f": "3"}"#;
        let declared = r#"{"variables": [{"name": "v", "type": "string"}]}"#;
        let prompt = "{{a}} {{a:b}} {{x}} {{a.b}}";
        check(
            LANGCHAIN,
            &[
                Case(inputs, "{}", prompt, "1 2 {{x}} {{a.b}}"),
                Case(inputs, "{}", "{{fragment:f}}", "{{fragment:f}}"),
                Case(inputs, declared, "{{a}}{{v}}", "{{a}}"),
                Case("{}", "{}", "", "declaration []: an empty prompt is not loaded"),
            ],
        );
        check(
            CORE,
            &[
                Case(inputs, "{}", prompt, "missing [x]: Undefined variable: x"),
                Case(inputs, "{}", "{{fragment:f}}", "missing [fragment:f]: Undefined fragment: f"),
                Case(inputs, declared, "{{a}}{{v}}", "1"),
                Case("{}", "{}", "", ""),
            ],
        );
    }

    #[test]
    fn fragments_are_resolved_separately() {
        let declared = r#"{"fragments": {"f": "F{{a}}", "g": "{{fragment:g}}"}}"#;
        for engine in [LANGCHAIN, CORE] {
            check(
                engine,
                &[
                    Case(r#"{"a": "{{b}}"}"#, declared, "{{{fragment:f}}}", "{F{{b}}}"),
                    Case(
                        "{}",
                        declared,
                        "{{fragment:g}}",
                        "limit []: maximum recursion depth exceeded",
                    ),
                ],
            );
        }
        check(CORE, &[Case("{}", declared, "{{f}}", "missing [f]: Undefined variable: f")]);
    }

    #[track_caller]
    fn check_variable(variable: &str, value: &str, expected: &str) {
        let inputs = format!(r#"{{"x": {value}}}"#);
        let declared = format!(r#"{{"variables": [{{"name": "x", {variable}}}]}}"#);
        let expected = match expected.split_once(": ") {
            Some(("engine", message)) => format!("engine [x]: {message}"),
            Some((kind, message)) if !kind.contains('[') => {
                format!("{kind} [x]: Variable 'x': {message}")
            }
            _ => expected.to_owned(),
        };
        for engine in [LANGCHAIN, CORE] {
            check(engine, &[Case(&inputs, &declared, "{{x}}", &expected)]);
        }
    }

    #[test]
    fn values_are_converted() {
        for (declared, value, expected) in [
            ("string", r#"["a", null]"#, "['a', None]"),
            ("string", "true", "True"),
            ("number", r#"" 12 ""#, "12.0"),
            ("number", r#""1_000""#, "1000.0"),
            ("number", r#""٣""#, "3.0"),
            ("number", r#""nan""#, "nan"),
            ("number", r#""0x10""#, "type: Expected number, got str"),
            ("number", r#""1__0""#, "type: Expected number, got str"),
            ("number", "true", "type: Expected number, got bool"),
            ("boolean", r#""YES""#, "true"),
            ("boolean", "1", "type: Expected boolean, got int"),
            ("boolean", "1.0", "type: Expected boolean, got float"),
            ("object", "[]", "type: Expected object, got list"),
            ("array", r#"["é", 1.50, null]"#, r#"["\u00e9", 1.5, null]"#),
        ] {
            check_variable(&format!(r#""type": "{declared}""#), value, expected);
        }
    }

    #[test]
    fn rules_apply_to_converted_values() {
        let text =
            r#""type": "string", "validation": {"pattern": "a", "min_length": 2, "max_length": 3}"#;
        check_variable(text, r#""ba""#, "validation: Value does not match pattern: a");
        check_variable(text, r#""a""#, "validation: String too short (min: 2)");
        check_variable(text, r#""a🎉bc""#, "validation: String too long (max: 3)");
        check_variable(text, r#""a🎉b""#, "a🎉b");
        let number =
            r#""type": "number", "validation": {"minimum": 1, "maximum": 9007199254740992}"#;
        check_variable(number, r#""0.5""#, "validation: Value below minimum: 1.0");
        check_variable(
            number,
            "9007199254740993",
            "validation: Value above maximum: 9007199254740992.0",
        );
        let allowed = r#""type": "number", "validation": {"enum": [true, 2, "a"]}"#;
        check_variable(allowed, "1.0", "1.0");
        check_variable(allowed, "3", "validation: Value not in allowed values: [True, 2, 'a']");
        let broken = r#""type": "string", "validation": {"pattern": "["}"#;
        check_variable(broken, r#""a""#, "engine: unterminated character set at position 0");
    }

    #[test]
    fn defaults_are_neither_converted_nor_checked() {
        let declared = r#"{"variables": [{"name": "x", "type": "string", "required": true, "default": 5, "validation": {"enum": []}}]}"#;
        let none = r#"{"variables": [{"name": "x", "type": "string", "required": true}]}"#;
        for engine in [LANGCHAIN, CORE] {
            check(
                engine,
                &[
                    Case(r#"{"x": null}"#, declared, "{{x}}", "5"),
                    Case(
                        "{}",
                        none,
                        "",
                        match engine {
                            CORE => "missing [x]: Variable 'x': Required variable is missing",
                            _ => "declaration []: an empty prompt is not loaded",
                        },
                    ),
                ],
            );
        }
    }

    #[test]
    fn a_variable_with_an_unknown_type_is_an_error() {
        let declared = r#"{"variables": [{"name": "x", "type": "date"}]}"#;
        for engine in [LANGCHAIN, CORE] {
            let expected = "declaration [x]: `x` is declared with an unknown type";
            check(engine, &[Case("{}", declared, "hi", expected)]);
        }
    }
}
