//! LangChain for JavaScript: everything up to the next closing brace is a name.

use std::ops::Range;

use promptls_syntax::Grammar;

use crate::behaviour::{Behaviour, Facts, Method, Null, Verdict};
use crate::dialects::format::resolve_unless_refused;
use crate::engines::adk::of_prototype;
use crate::engines::profile::{Language, Profile, Span, Version};
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::FileId;
use crate::findings::run_findings::RunFindings;
use crate::outcome::{Lookup, Outcome};
use crate::output::Bounded;
use crate::python::formatter::engine_error;
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::string_form::StringForm;
use crate::template::{ChatPart, Execution, Op, Template};
use crate::value::{Value, ValueKind};

const OLD_ADDRESS: &str =
    "https://js.langchain.com/docs/troubleshooting/errors/INVALID_PROMPT_INPUT/";
const ADDRESS: &str =
    "https://docs.langchain.com/oss/javascript/langchain/errors/INVALID_PROMPT_INPUT/";

static FROM_0_1_0: LangChainJs = LangChainJs::new(false, "", None);
static FROM_0_1_58: LangChainJs = LangChainJs::new(false, "(f-string) ", None);
static FROM_0_3_4: LangChainJs = LangChainJs::new(true, "(f-string) ", None);
static FROM_0_3_12: LangChainJs = LangChainJs::new(true, "(f-string) ", Some(OLD_ADDRESS));
static FROM_1_0_4: LangChainJs = LangChainJs::new(true, "(f-string) ", Some(ADDRESS));

pub(in crate::engines) static JAVASCRIPT: Profile = Profile {
    id: "langchain-js",
    title: "LangChain for JavaScript",
    language: Language::JavaScript,
    packages: &["@langchain/core", "langchain"],
    source: "npm @langchain/core, prompts/template, invoke",
    newest: Version([1, 4, 0]),
    fields: &[],
    spans: &[
        Span {
            from: Version([0, 1, 0]),
            differs: &[
                "everything up to the next `}` is a name: no paths, conversions or specifications",
                "values are formatted as by String() of JavaScript",
                "members of every object exist: {toString}, {constructor}",
            ],
            behaviour: &FROM_0_1_0,
        },
        Span {
            from: Version([0, 1, 58]),
            differs: &["the error for a missing name begins with `(f-string)`"],
            behaviour: &FROM_0_1_58,
        },
        Span {
            from: Version([0, 3, 4]),
            differs: &["values other than texts are formatted as JSON"],
            behaviour: &FROM_0_3_4,
        },
        Span {
            from: Version([0, 3, 12]),
            differs: &["the error for a missing name has an address"],
            behaviour: &FROM_0_3_12,
        },
        Span { from: Version([1, 0, 4]), differs: &["another address"], behaviour: &FROM_1_0_4 },
    ],
};

/// `true` if JSON has a form for a number.
fn is_finite(number: &str) -> bool {
    number.parse().is_ok_and(f64::is_finite)
}

/// The message for a brace without a partner at the start of a text.
fn refused_brace(text: &str) -> &'static str {
    match text.starts_with('{') {
        true => "Unclosed '{' in template.",
        false => "Single '}' in template.",
    }
}

struct LangChainJs {
    facts: Facts,
    is_json: bool,
    /// The start of the message for a missing name.
    before: &'static str,
    address: Option<&'static str>,
}

impl LangChainJs {
    const fn new(is_json: bool, before: &'static str, address: Option<&'static str>) -> Self {
        let facts = Facts {
            grammar: Grammar::LangChainJs,
            form: match is_json {
                true => StringForm::JAVASCRIPT_JSON,
                false => StringForm::JAVASCRIPT,
            },
            null: Null::Text("null"),
            // The whole prompt is parsed first.
            method: Method::WholeText { fills_in_keys: false },
            ..Facts::plain(Grammar::LangChainJs.dialect())
        };
        LangChainJs { facts, is_json, before, address }
    }

    /// The error for a name without a value.
    fn missing(&self, name: &str, mut message: String) -> EngineError {
        if let Some(address) = self.address {
            message.push_str(&format!("\n\nTroubleshooting URL: {address}\n"));
        }
        EngineError::new(ErrorKind::Missing, vec![name.to_owned()], message)
    }

    /// The error before any value is looked up.
    fn refusal(&self, template: &Template<'_>) -> Option<(Range<usize>, EngineError)> {
        let malformed = template.ops.iter().find_map(|op| match op {
            Op::Malformed(source) => Some(source.clone()),
            _ => None,
        });
        if let Some(range) = malformed {
            let error = engine_error(refused_brace(&template.text[range.start..]));
            return Some((range, error));
        }
        let (range, _) = template.slots().find(|(_, name)| *name == "stop")?;
        let message =
            "Cannot have an input variable named 'stop', as it is used internally, please rename.";
        let names = vec!["stop".to_owned()];
        Some((range.clone(), EngineError::new(ErrorKind::Declaration, names, message.to_owned())))
    }
}

impl Behaviour for LangChainJs {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn value<'a>(&self, value: &'a Value, file: Option<FileId>) -> Lookup<'a> {
        match &value.kind {
            ValueKind::Number(number) if self.is_json && !is_finite(number) => {
                Lookup::new(Outcome::Text("null"), value.location(file))
            }
            _ => self.facts.value(value, file),
        }
    }

    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        match given.value(name) {
            Some((found, file)) => self.value_of(found, file),
            None => {
                let prototype = if self.is_json { "{}" } else { "[object Object]" };
                let text = of_prototype(name, prototype).map(|text| match self.is_json {
                    // Functions have no JSON.
                    true if name != "__proto__" => "undefined".to_owned(),
                    _ => text,
                });
                text.map_or(Lookup::MISSING, |text| Lookup::new(Outcome::Composed(text), None))
            }
        }
    }

    fn chat_error(
        &self,
        parts: &[ChatPart<'_, '_>],
        given: &ResolveContext<'_>,
    ) -> Option<EngineError> {
        let templates = parts.iter().filter_map(|part| match part {
            ChatPart::Template(template) => Some(template),
            ChatPart::Supplied(_) => None,
        });
        if let Some((_, error)) = templates.filter_map(|template| self.refusal(template)).next() {
            return Some(error);
        }
        let names = parts.iter().flat_map(|part| match part {
            ChatPart::Template(template) => template.path_names().collect(),
            ChatPart::Supplied(name) => vec![*name],
        });
        // A name of every object is in the values, too.
        let is_missing = |name: &&str| {
            given.value(name).is_none()
                && !given.is_supplied(self.facts.dialect(), name)
                && of_prototype(name, "").is_none()
        };
        let name = { names }.find(is_missing)?;
        Some(self.missing(name, format!("Missing value for input variable `{name}`")))
    }

    fn refused_brace(&self, text: &str) -> Option<String> {
        Some(refused_brace(text).to_owned())
    }

    fn is_orderly(&self, _: &Template<'_>) -> bool {
        false
    }

    fn render(&self, execution: Execution<'_>, out: Bounded) -> Result<String, EngineError> {
        match self.refusal(execution.template) {
            Some((_, error)) => Err(error),
            None => execution.render_by_placeholder(out),
        }
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        resolve_unless_refused(execution, self.refusal(execution.template))
    }

    fn verdict(&self, _: Execution<'_>, found: &RunFindings) -> Verdict {
        let error = found.missing.first().map(|missing| {
            let message = format!("{}Missing value for input {}", self.before, missing.name);
            self.missing(&missing.name, message)
        });
        Verdict { error, ..Verdict::default() }
    }
}
