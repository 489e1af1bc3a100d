//! LangChain for Python: a prompt is parsed when it is loaded, `invoke` checks its variables, and
//! `string.Formatter` prints its fields.

use std::collections::BTreeSet;

use promptls_syntax::{Dialect, Field};

use super::messages::messages_error;
use crate::dialects::format::{PythonBraces, Refusal, Stages};
use crate::engines::profile::{Language, Profile, Span, Version};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::python::formatter::{Formatter, engine_error, first_text_error, is_digits};
use crate::resolve_context::ResolveContext;
use crate::string_form::text_repr;
use crate::template::{ChatPart, Execution, Template};
use crate::value::Value;

/// The address in messages of the first versions that have one.
const FIRST_ADDRESS: &str =
    "https://python.langchain.com/docs/troubleshooting/errors/INVALID_PROMPT_INPUT";

/// The same with a space, before 1.0.2.
const OLD_ADDRESS: &str =
    "https://python.langchain.com/docs/troubleshooting/errors/INVALID_PROMPT_INPUT ";

/// The address in messages from 1.0.2 on, with its space.
const ADDRESS: &str =
    "https://docs.langchain.com/oss/python/langchain/errors/INVALID_PROMPT_INPUT ";

/// The class of a template that is no chat.
const CLASS: &str = "PromptTemplate";

/// How a version loads a prompt: what it refuses.
#[derive(Clone, Copy)]
struct Loading {
    /// `true` if names with paths, and names of digits, are refused.
    refuses_names: bool,
    /// `true` if fields in specifications are refused.
    refuses_nested: bool,
}

impl Loading {
    const LENIENT: Loading = Loading { refuses_names: false, refuses_nested: false };
    const NAMES: Loading = Loading { refuses_names: true, refuses_nested: false };
    const STRICT: Loading = Loading { refuses_names: true, refuses_nested: true };

    /// The error that loading raises.
    fn refusal(self, template: &Template<'_>) -> Option<Refusal> {
        if let Some((range, error)) = first_text_error(template) {
            return Some(Refusal { error, ranges: vec![range] });
        }
        let refused = template.slots().find_map(|(range, _)| {
            let field = Field::parse(&template.text[range.clone()])?;
            let message = self.refused(field)?;
            Some(Refusal { error: engine_error(message), ranges: vec![range.clone()] })
        });
        refused.or_else(|| {
            let (range, _) = template.slots().find(|(_, name)| *name == "stop")?;
            let message =
                "a variable cannot be named `stop`: LangChain has a parameter with this name";
            let names = vec!["stop".to_owned()];
            let error = EngineError::new(ErrorKind::Declaration, names, message.to_owned());
            Some(Refusal { error, ranges: vec![range.clone()] })
        })
    }

    /// The message for a field that is refused.
    fn refused(self, field: Field<'_>) -> Option<String> {
        let name = field.name;
        let invalid = |why: &str| {
            let message =
                format!("Invalid variable name {} in f-string template. ", text_repr(name));
            Some(message + why)
        };
        if self.refuses_names && name.contains(['.', '[', ']']) {
            return invalid("Variable names cannot contain attribute access (.) or indexing ([]).");
        }
        if self.refuses_names && is_digits(name) {
            return invalid(
                "Variable names cannot be all digits as they are interpreted as positional arguments.",
            );
        }
        (self.refuses_nested && field.is_nested()).then(|| {
            "Invalid format specifier in f-string template. Nested replacement fields are not allowed."
                .to_owned()
        })
    }
}

/// What follows the names in the message for missing variables.
#[derive(Clone, Copy)]
enum End {
    Nothing,
    /// The sentence on how braces are escaped.
    Note,
    /// The same, and an address.
    Address(&'static str),
}

/// The stages of `invoke`, which checks the variables first.
struct Invoke {
    loading: Loading,
    end: End,
}

impl Stages for Invoke {
    const NEEDS_KEYS: bool = true;

    fn refused_field(&self, field: Field<'_>) -> Option<String> {
        // A field without a name, or of digits, has a name that is missing before it is printed.
        let is_positional = field.name.bytes().all(|byte| byte.is_ascii_digit());
        let missing = || is_positional.then(|| missing_variables(CLASS, [field.name]));
        self.loading.refused(field).or_else(missing)
    }

    fn refusal(&self, execution: Execution<'_>) -> Option<Refusal> {
        let refused = self.loading.refusal(execution.template);
        refused.or_else(|| self.missing_in(execution)).or_else(|| {
            let is_given = execution.given.values.get("self").is_some();
            is_given.then(|| several_values("StringPromptTemplate.format_prompt"))
        })
    }

    fn chat_error(
        &self,
        parts: &[ChatPart<'_, '_>],
        given: &ResolveContext<'_>,
    ) -> Option<EngineError> {
        let mut expected = BTreeSet::new();
        for part in parts {
            match part {
                ChatPart::Template(template) => {
                    if let Some(refusal) = self.loading.refusal(template) {
                        return Some(refusal.error);
                    }
                    expected.extend(template.path_names());
                }
                ChatPart::Supplied(name) => _ = expected.insert(*name),
            }
        }
        self.missing("ChatPromptTemplate", &expected, given)
    }

    fn messages_error(&self, name: &str, value: &Value) -> Option<EngineError> {
        messages_error(name, value)
    }
}

impl Invoke {
    /// The error for the names of a template that have no value.
    fn missing_in(&self, execution: Execution<'_>) -> Option<Refusal> {
        let Execution { template, given } = execution;
        let expected: BTreeSet<&str> = template.path_names().collect();
        let error = self.missing(CLASS, &expected, given)?;
        let is_missing = |name: &str| error.names.iter().any(|missing| missing == name);
        let slots = template.slots().filter(|(_, name)| is_missing(name));
        let ranges = slots.map(|(range, _)| range.clone()).collect();
        Some(Refusal { error, ranges })
    }

    /// The error of a class for names without a value.
    fn missing(
        &self,
        class: &str,
        expected: &BTreeSet<&str>,
        given: &ResolveContext<'_>,
    ) -> Option<EngineError> {
        // The names that a template has a value for are none of its variables.
        let is_supplied = |name: &str| {
            given.presets.get(name).is_some() || given.is_supplied(Dialect::Format, name)
        };
        let expected: Vec<&str> = expected.iter().copied().filter(|it| !is_supplied(it)).collect();
        let is_missing = |name: &str| given.values.get(name).is_none();
        let missing: BTreeSet<&str> =
            expected.iter().copied().filter(|name| is_missing(name)).collect();
        let first = missing.first()?;
        let list = |names: &mut dyn Iterator<Item = &str>| {
            names.map(text_repr).collect::<Vec<_>>().join(", ")
        };
        let all = given.values.all();
        let received = match &all {
            Some(all) => list(&mut all.entries().iter().map(|entry| &*entry.key)),
            None => list(&mut expected.iter().copied().filter(|name| !is_missing(name))),
        };
        let mut message = format!(
            "{}.  Expected: [{}] Received: [{received}]",
            missing_variables(class, missing.iter().copied()),
            list(&mut expected.iter().copied()),
        );
        if !matches!(self.end, End::Nothing) {
            message.push_str(&format!(
                "\nNote: if you intended {{{first}}} to be part of the string and not a variable, please escape it with double curly braces like: '{{{{{first}}}}}'."
            ));
        }
        if let End::Address(address) = self.end {
            message.push_str(&format!("\nFor troubleshooting, visit: {address}"));
        }
        let names = missing.iter().map(|&name| name.to_owned()).collect();
        Some(EngineError::new(ErrorKind::Missing, names, message))
    }
}

/// The start of the error of a class for names without a value.
fn missing_variables<'n>(class: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<String> = names.into_iter().map(text_repr).collect();
    format!("Input to {class} is missing variables {{{}}}", names.join(", "))
}

/// The stages of `format`, which checks no variables.
struct FormatOnly {
    loading: Loading,
}

impl Stages for FormatOnly {
    fn messages_error(&self, name: &str, value: &Value) -> Option<EngineError> {
        messages_error(name, value)
    }

    fn refused_field(&self, field: Field<'_>) -> Option<String> {
        self.loading.refused(field)
    }

    fn refusal(&self, execution: Execution<'_>) -> Option<Refusal> {
        self.loading.refusal(execution.template).or_else(|| {
            let is_given = execution.given.values.get("self").is_some();
            is_given.then(|| several_values("PromptTemplate.format"))
        })
    }
}

/// The error for an input `self`.
fn several_values(method: &str) -> Refusal {
    let message = format!("{method}() got multiple values for argument 'self'");
    Refusal { error: engine_error(message), ranges: Vec::new() }
}

const FORMATTER: Formatter = Formatter { is_class: true, ..Formatter::PYTHON };

const fn invoking(loading: Loading, end: End) -> PythonBraces<Invoke> {
    PythonBraces::new(FORMATTER, Invoke { loading, end })
}

const fn formatting(loading: Loading) -> PythonBraces<FormatOnly> {
    PythonBraces::new(FORMATTER, FormatOnly { loading })
}

static FROM_0_1_4: PythonBraces<Invoke> = invoking(Loading::LENIENT, End::Nothing);
static FROM_0_2_37: PythonBraces<Invoke> = invoking(Loading::LENIENT, End::Note);
static FROM_0_3_12: PythonBraces<Invoke> = invoking(Loading::LENIENT, End::Address(FIRST_ADDRESS));
static FROM_0_3_20: PythonBraces<Invoke> = invoking(Loading::LENIENT, End::Address(OLD_ADDRESS));
static FROM_0_3_80: PythonBraces<Invoke> = invoking(Loading::NAMES, End::Address(OLD_ADDRESS));
static FROM_0_3_84: PythonBraces<Invoke> = invoking(Loading::STRICT, End::Address(OLD_ADDRESS));
static FROM_1_0_0: PythonBraces<Invoke> = invoking(Loading::LENIENT, End::Address(OLD_ADDRESS));
static FROM_1_0_2: PythonBraces<Invoke> = invoking(Loading::LENIENT, End::Address(ADDRESS));
static FROM_1_0_7: PythonBraces<Invoke> = invoking(Loading::NAMES, End::Address(ADDRESS));
static FROM_1_2_28: PythonBraces<Invoke> = invoking(Loading::STRICT, End::Address(ADDRESS));

static FORMAT_FROM_0_1_4: PythonBraces<FormatOnly> = formatting(Loading::LENIENT);
static FORMAT_FROM_0_3_80: PythonBraces<FormatOnly> = formatting(Loading::NAMES);
static FORMAT_FROM_0_3_84: PythonBraces<FormatOnly> = formatting(Loading::STRICT);
static FORMAT_FROM_1_0_0: PythonBraces<FormatOnly> = formatting(Loading::LENIENT);
static FORMAT_FROM_1_0_7: PythonBraces<FormatOnly> = formatting(Loading::NAMES);
static FORMAT_FROM_1_2_28: PythonBraces<FormatOnly> = formatting(Loading::STRICT);

const LOADS: &[&str] = &[
    "the whole prompt is parsed before any value is looked at",
    "a variable cannot be named `stop`",
    "a field of digits or without a name fails with another message",
];
const REFUSES_NAMES: &[&str] = &["names with `.` or brackets, and names of digits, are refused"];
const REFUSES_NESTED: &[&str] = &["fields in format specifications are refused"];
const REFUSES_NOTHING: &[&str] = &["no names are refused"];

pub(in crate::engines) static PYTHON: Profile = Profile {
    id: "langchain-python",
    title: "LangChain for Python",
    language: Language::Python,
    packages: &["langchain-core", "langchain"],
    source: "PyPI langchain-core, prompts/string.py and prompts/base.py, invoke",
    newest: Version([1, 8, 4]),
    fields: &[],
    spans: &[
        Span {
            from: Version([0, 1, 4]),
            differs: &[
                "the whole prompt is parsed before any value is looked at",
                "all missing names are in one error; a name with a path must be a key",
                "a variable cannot be named `stop`, and a value cannot be named `self`",
            ],
            behaviour: &FROM_0_1_4,
        },
        Span {
            from: Version([0, 2, 37]),
            differs: &["the error for missing names has a note on escapes"],
            behaviour: &FROM_0_2_37,
        },
        Span {
            from: Version([0, 3, 12]),
            differs: &["the error for missing names has an address"],
            behaviour: &FROM_0_3_12,
        },
        Span {
            from: Version([0, 3, 20]),
            differs: &["the address is followed by a space"],
            behaviour: &FROM_0_3_20,
        },
        Span { from: Version([0, 3, 80]), differs: REFUSES_NAMES, behaviour: &FROM_0_3_80 },
        Span { from: Version([0, 3, 84]), differs: REFUSES_NESTED, behaviour: &FROM_0_3_84 },
        Span { from: Version([1, 0, 0]), differs: REFUSES_NOTHING, behaviour: &FROM_1_0_0 },
        Span { from: Version([1, 0, 2]), differs: &["another address"], behaviour: &FROM_1_0_2 },
        Span { from: Version([1, 0, 7]), differs: REFUSES_NAMES, behaviour: &FROM_1_0_7 },
        Span { from: Version([1, 2, 28]), differs: REFUSES_NESTED, behaviour: &FROM_1_2_28 },
    ],
};

pub(in crate::engines) static FORMAT: Profile = Profile {
    id: "langchain-python-format",
    title: "LangChain for Python, format",
    language: Language::Python,
    packages: &[],
    source: "PyPI langchain-core, prompts/string.py and prompts/base.py, format",
    newest: Version([1, 8, 4]),
    fields: &[],
    spans: &[
        Span { from: Version([0, 1, 4]), differs: LOADS, behaviour: &FORMAT_FROM_0_1_4 },
        Span { from: Version([0, 3, 80]), differs: REFUSES_NAMES, behaviour: &FORMAT_FROM_0_3_80 },
        Span { from: Version([0, 3, 84]), differs: REFUSES_NESTED, behaviour: &FORMAT_FROM_0_3_84 },
        Span { from: Version([1, 0, 0]), differs: REFUSES_NOTHING, behaviour: &FORMAT_FROM_1_0_0 },
        Span { from: Version([1, 0, 7]), differs: REFUSES_NAMES, behaviour: &FORMAT_FROM_1_0_7 },
        Span { from: Version([1, 2, 28]), differs: REFUSES_NESTED, behaviour: &FORMAT_FROM_1_2_28 },
    ],
};
