//! PromptPack's engine for JavaScript, which belongs to LangChain.
//!
//! It checks values strictly, replaces fragments in the whole text, in rounds, and then values.
//! Names are members of objects, and some members exist in every object.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::ops::Range;

use promptls_syntax::{Dialect, Grammar, TokenKind, name_range, tokenize};

use super::refusal::{Refusal, ValueChecks, VariableCheck};
use crate::behaviour::{Behaviour, Facts, FragmentNames, Method, Null};
use crate::declarations::rules::pattern::{Flavour, Pattern};
use crate::declarations::{Variable, VariableType};
use crate::engines::adk::of_prototype;
use crate::engines::profile::{Language, Profile, Span, Version};
use crate::findings::broken_rules::BrokenRule;
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::{MissingUse, too_long};
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::{Bounded, Mapped, Output, OutputOrigin};
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::source_map::SourceMap;
use crate::string_form::StringForm;
use crate::template::{Execution, Op, Template};
use crate::value::{Value, ValueKind};
use crate::working::{Hit, Replacement, Working, cover, under};

static EACH_VERSION: LangChain = LangChain {
    facts: Facts {
        grammar: Grammar::PromptPackJs,
        form: StringForm::JAVASCRIPT_JSON,
        null: Null::Text("null"),
        method: Method::WholeText { fills_in_keys: true },
        fragment_names: FragmentNames { prefix: None, alone: true },
        ..Facts::plain(Dialect::PromptPack)
    },
};

struct LangChain {
    facts: Facts,
}

pub(in crate::engines) static LANGCHAIN: Profile = Profile {
    id: "promptpack-langchainjs",
    title: "PromptPack for LangChain.js",
    language: Language::JavaScript,
    packages: &["@promptpack/langchain"],
    source: "npm @promptpack/langchain, template-engine",
    newest: Version([0, 1, 0]),
    fields: &[],
    spans: &[Span {
        from: Version([0, 1, 0]),
        differs: &[
            "there are no paths; {{f}} is a fragment, {{fragments.f}} is literal",
            "null is the text null; numbers are formatted as in JavaScript",
            "a fragment is read again with the text around it; nine nested fragments are too many",
            "a name without a value is an error, even if it is optional",
            "rules apply only to values of the declared type; lengths count UTF-16 units",
            "names such as constructor always have a value",
        ],
        behaviour: &EACH_VERSION,
    }],
};

/// The round of fragments that raises an error, even if nothing is left to do.
const TOO_MANY_ROUNDS: usize = 10;

/// The string form of `__proto__` of an object.
const PROTOTYPE: &str = "[object Object]";

impl Behaviour for LangChain {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let declarations = given.declarations;
        if let Some(fragment) = declarations.fragment(name) {
            return Lookup::new(Outcome::Fragment(fragment), None);
        }
        if let Some(text) = of_prototype(name, PROTOTYPE) {
            return Lookup::new(Outcome::Composed(text), None);
        }
        if let Some(found) = given.values.get(name) {
            return self.value_of(found, given.values.file());
        }
        let mut declared = declarations.variables.iter().filter(|variable| *variable.name == *name);
        match declared.find_map(|variable| variable.default.as_ref()) {
            Some(default) => self.value(default, Some(declarations.file)),
            None => Lookup::MISSING,
        }
    }

    fn is_orderly(&self, template: &Template<'_>) -> bool {
        template.paths.iter().all(|path| of_prototype(&path.name, PROTOTYPE).is_none())
    }

    fn render(&self, execution: Execution<'_>, mut out: Bounded) -> Result<String, EngineError> {
        let Execution { template, given } = execution;
        if let Some(error) = ValueChecks::of(given, check).error() {
            return Err(error);
        }
        let bound = self.look_up_all(&template.paths, given);
        let mut run = Substitution::default();
        if !run.directly(template, &bound, &mut out) {
            run = Substitution::default();
            out = Bounded::new(given.max_output, 0);
            out.push(&run.in_rounds(execution).text);
        }
        match run.error(out.is_full(), given) {
            Some(error) => Err(error),
            None => Ok(out.text),
        }
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let Execution { template, given } = execution;
        let mut out = Mapped::new(given.max_output, template.text.len());
        let bound = self.look_up_all(&template.paths, given);
        let mut run = Substitution::default();
        if !run.directly(template, &bound, &mut out) {
            run = Substitution::default();
            out = Mapped::new(given.max_output, 0);
            let working = run.in_rounds(execution);
            out.out.push(&working.text);
            if !out.is_full() {
                out.map = SourceMap { runs: working.runs };
            }
        }
        let mut problems: Vec<Problem> = run.missing.iter().map(problem_of).collect();
        let error = run.error(out.is_full(), given);
        if let Some(limit) = error.as_ref().filter(|error| error.kind == ErrorKind::Limit) {
            let location = Location { file: FileId::PROMPT, range: 0..0 };
            problems.push(Problem::new(Code::LimitExceeded, location, &*limit.message));
        }
        let checked = ValueChecks::of(given, check);
        let error = checked.error().or(error);
        problems.extend(checked.problems(template, &run.missing));
        Resolution { text: out.out.text, map: out.map, problems, error }
    }

    fn missing_required<'a>(&self, given: &ResolveContext<'a>) -> Vec<&'a Variable> {
        ValueChecks::of(given, check).missing()
    }

    fn broken_rules<'a>(&self, given: &ResolveContext<'a>) -> Vec<BrokenRule<'a>> {
        ValueChecks::of(given, check).broken()
    }
}

fn problem_of(missing: &MissingUse) -> Problem {
    let location = Location { file: FileId::PROMPT, range: missing.source.clone() };
    let message = format!("`{}` has no value", missing.name);
    Problem::new(Code::UndefinedPlaceholder, location, message).about(&*missing.name)
}

/// The findings of a run.
#[derive(Default)]
struct Substitution {
    missing: Vec<MissingUse>,
    /// The error that ended the rounds of fragments.
    limit: Option<EngineError>,
}

impl Substitution {
    /// The error that the engine raises during replacement.
    fn error(&self, is_full: bool, given: &ResolveContext<'_>) -> Option<EngineError> {
        let undefined = |first: &MissingUse| {
            let message = format!("Variable '{}' is not defined", first.name);
            EngineError::new(ErrorKind::Missing, vec![first.name.clone()], message)
        };
        let limit = self.limit.clone();
        let error = limit.or_else(|| self.missing.first().map(undefined));
        error.or_else(|| is_full.then(|| too_much(given)))
    }

    /// Replaces each placeholder separately, unless there are fragments: then it returns `false`,
    /// and `out` must be discarded.
    fn directly<O: Output>(
        &mut self,
        template: &Template<'_>,
        bound: &[Lookup<'_>],
        out: &mut O,
    ) -> bool {
        let is_fragment = |lookup: &Lookup<'_>| matches!(lookup.outcome, Outcome::Fragment(_));
        if bound.iter().any(is_fragment) {
            return false;
        }
        for op in &template.ops {
            match op {
                &Op::Literal(literal, start) => out.literal(literal, start..start + literal.len()),
                Op::Slot { source, path, .. } => {
                    let (name, lookup) = (&*template.paths[*path].name, &bound[*path]);
                    let location = lookup.location.as_ref();
                    let origin =
                        OutputOrigin { source: (source.start, source.end), path: name, location };
                    match &lookup.outcome {
                        Outcome::Text(text) => out.value(origin, |out| out.push(text)),
                        Outcome::Value(value, Form(form)) => {
                            out.value(origin, |out| form.write(value, out));
                        }
                        outcome => match lookup.text(usize::MAX) {
                            Some(text) => out.value(origin, |out| out.push(&text)),
                            None => {
                                if !matches!(outcome, Outcome::Runtime) {
                                    let (name, source) = (name.to_owned(), source.clone());
                                    self.missing.push(MissingUse { name, source });
                                }
                                out.literal(&template.text[source.clone()], source.clone());
                            }
                        },
                    }
                }
                Op::Escape(_) | Op::Malformed(_) | Op::Block { .. } | Op::End => {}
            }
        }
        true
    }

    /// Replaces fragments until none is left, then values.
    fn in_rounds(&mut self, execution: Execution<'_>) -> Working {
        let Execution { template, given } = execution;
        let mut working = Working::of(template.text);
        for round in 1.. {
            if round == TOO_MANY_ROUNDS {
                let message =
                    "Maximum fragment substitution depth exceeded (possible circular reference)";
                let limit = EngineError::new(ErrorKind::Limit, Vec::new(), message.to_owned());
                self.limit = Some(limit);
                return working;
            }
            let found = find(&working.text, |name| {
                let is_fragment = given.declarations.fragment(name).is_some();
                let replaces = is_fragment || of_prototype(name, PROTOTYPE).is_some();
                replaces.then(|| execution.look_up(name))
            });
            if found.is_empty() {
                break;
            }
            working = self.put(working, &found, given);
            if self.limit.is_some() {
                return working;
            }
        }
        let mut found = find(&working.text, |name| Some(execution.look_up(name)));
        found.retain(|(at, name, lookup)| {
            if lookup.is_missing() {
                let source = cover(&under(at, working.runs_of(at)));
                self.missing.push(MissingUse { name: name.to_string(), source });
            }
            !lookup.is_missing()
        });
        self.put(working, &found, given)
    }

    /// Replaces names by their values, unless a limit is exceeded.
    fn put(
        &mut self,
        working: Working,
        found: &[NameMatch<'_>],
        given: &ResolveContext<'_>,
    ) -> Working {
        let with = found.iter().filter_map(|(at, name, lookup)| {
            Some((at.clone(), Replacement::of(name, lookup.clone(), given)?))
        });
        let with: Vec<(Range<usize>, Replacement<'_>)> = with.collect();
        let hits: Vec<Hit<'_, '_>> = with.iter().map(|(at, with)| (at.clone(), with)).collect();
        working.put(&hits, given.max_output).unwrap_or_else(|working| {
            self.limit = Some(too_much(given));
            working
        })
    }
}

/// A name in the text, with its meaning.
type NameMatch<'a> = (Range<usize>, Box<str>, Lookup<'a>);

/// All names with a meaning.
fn find<'a>(text: &str, meaning: impl Fn(&str) -> Option<Lookup<'a>>) -> Vec<NameMatch<'a>> {
    let mut found = Vec::new();
    tokenize(Grammar::PromptPackJs, text, |token| {
        if token.kind == TokenKind::Placeholder {
            let source = &text[token.range()];
            let name = &source[name_range(Grammar::PromptPackJs, token.kind, source)];
            found.extend(meaning(name).map(|lookup| (token.range(), name.into(), lookup)));
        }
    });
    found
}

fn too_much(given: &ResolveContext<'_>) -> EngineError {
    EngineError::new(ErrorKind::Limit, Vec::new(), too_long(given.max_output))
}

/// The value of a variable, as a member of the object of all variables.
enum VariableValue<'a> {
    Value(Cow<'a, Value>, Option<FileId>),
    /// A member of every object, and its string form.
    OfPrototype(&'static str),
}

impl<'a> VariableValue<'a> {
    fn of(name: &str, given: &ResolveContext<'a>) -> Option<VariableValue<'a>> {
        if let Some(found) = given.values.get(name) {
            return Some(VariableValue::Value(found.to_value(), given.values.file()));
        }
        if of_prototype(name, PROTOTYPE).is_some() {
            let is_object = name == "__proto__";
            return Some(VariableValue::OfPrototype(if is_object { "object" } else { "function" }));
        }
        let mut same = given.declarations.variables.iter().filter(|other| *other.name == *name);
        let default = same.find_map(|variable| variable.default.as_ref())?;
        Some(VariableValue::Value(Cow::Borrowed(default), Some(given.declarations.file)))
    }

    /// The result of JavaScript's `typeof` for it.
    fn type_name(&self) -> &'static str {
        match self {
            VariableValue::OfPrototype(name) => name,
            VariableValue::Value(value, _) => match value.kind {
                ValueKind::String(_) | ValueKind::File(_) => "string",
                ValueKind::Number(_) => "number",
                ValueKind::Bool(_) => "boolean",
                ValueKind::Null | ValueKind::List(_) | ValueKind::Object(_) => "object",
            },
        }
    }

    fn is_of(&self, declared: VariableType) -> bool {
        match self {
            VariableValue::OfPrototype(name) => {
                declared == VariableType::Object && *name == "object"
            }
            VariableValue::Value(value, _) => declared.accepts(value),
        }
    }

    fn value(&self) -> Option<&Value> {
        match self {
            VariableValue::Value(value, _) => Some(value),
            VariableValue::OfPrototype(_) => None,
        }
    }

    fn location(&self) -> Option<Location> {
        match self {
            VariableValue::Value(value, file) => value.location(*file),
            VariableValue::OfPrototype(_) => None,
        }
    }
}

fn check<'a>(checked: &mut VariableCheck<'_, 'a>) -> Option<Refusal<'a>> {
    let VariableCheck { variable, given, .. } = *checked;
    let name = &*variable.name;
    let Some(held) = VariableValue::of(name, given) else {
        let is_missing = variable.required && !given.is_supplied(Dialect::PromptPack, name);
        return is_missing.then(|| {
            let message = format!("Required variable '{name}' is missing");
            checked.refused_value(ErrorKind::Missing, message, None)
        });
    };
    let refuse = |checked: &VariableCheck<'_, 'a>, kind, message: String| {
        let message = format!("Variable '{name}' {message}");
        Some(checked.refused_value(kind, message, held.location()))
    };
    if let Some(declared) = variable.declared_type
        && !held.is_of(declared)
    {
        let message = format!("must be {}, got {}", declared.with_article(), held.type_name());
        return refuse(checked, ErrorKind::Type, message);
    }
    let broken = match (variable.declared_type, held.value()) {
        (Some(VariableType::String), Some(value)) => {
            let pattern = variable.written_rules.pattern(Flavour::JavaScript);
            if let Some((_, Pattern::Invalid(reason))) = pattern {
                let message = format!("the pattern of '{name}' does not compile: {reason}");
                let span = variable.span;
                return Some(checked.refused_declaration(ErrorKind::Engine, message, span));
            }
            broken_by_text(checked, value.as_text().unwrap_or_default())
        }
        (Some(VariableType::Number), Some(value)) => broken_by_number(variable, value),
        _ => None,
    };
    match broken.or_else(|| not_allowed(variable, held.value())) {
        Some(message) => refuse(checked, ErrorKind::Validation, message),
        None => None,
    }
}

fn broken_by_text(checked: &mut VariableCheck<'_, '_>, text: &str) -> Option<String> {
    let rules = &checked.variable.written_rules;
    if let Some((written, pattern)) = rules.pattern(Flavour::JavaScript)
        && !written.is_empty()
    {
        match pattern.is_match(text) {
            Some(true) => {}
            Some(false) => return Some(format!("does not match pattern {written}")),
            None => checked.is_undecided = true,
        }
    }
    let units = text.encode_utf16().count();
    let bounds =
        [("min_length", Ordering::Less, "least"), ("max_length", Ordering::Greater, "most")];
    bounds.into_iter().find_map(|(rule, outside, at)| {
        let bound = rules.get(rule)?;
        let is_outside = (units as f64).partial_cmp(&number(bound)?) == Some(outside);
        is_outside.then(|| format!("must be at {at} {} characters, got {units}", printed(bound)))
    })
}

fn broken_by_number(variable: &Variable, value: &Value) -> Option<String> {
    let bounds = [("minimum", Ordering::Less, "least"), ("maximum", Ordering::Greater, "most")];
    bounds.into_iter().find_map(|(rule, outside, at)| {
        let bound = variable.written_rules.get(rule)?;
        let is_outside = number(value)?.partial_cmp(&number(bound)?) == Some(outside);
        is_outside.then(|| format!("must be at {at} {}, got {}", printed(bound), printed(value)))
    })
}

fn not_allowed(variable: &Variable, value: Option<&Value>) -> Option<String> {
    let allowed = variable.written_rules.get("enum")?.as_list()?;
    if value.is_some_and(|value| allowed.iter().any(|allowed| is_identical(allowed, value))) {
        return None;
    }
    let allowed: Vec<String> = allowed
        .iter()
        .map(|value| if value.is_null() { String::new() } else { printed(value) })
        .collect();
    Some(format!("must be one of: {}", allowed.join(", ")))
}

/// `true` if `includes` considers them equal; lists and objects equal only themselves.
fn is_identical(a: &Value, b: &Value) -> bool {
    match (&a.kind, &b.kind) {
        (ValueKind::Null, ValueKind::Null) => true,
        (ValueKind::Bool(a), ValueKind::Bool(b)) => a == b,
        (ValueKind::Number(_), ValueKind::Number(_)) => number(a) == number(b),
        _ => a.as_text().is_some_and(|text| b.as_text() == Some(text)),
    }
}

/// The value as a float, like all numbers.
fn number(value: &Value) -> Option<f64> {
    match &value.kind {
        ValueKind::Number(written) => written.parse().ok(),
        _ => None,
    }
}

/// The result of JavaScript's `String(value)`, up to 1 MiB.
fn printed(value: &Value) -> String {
    let mut out = Bounded::new(1 << 20, 16);
    StringForm::JAVASCRIPT.write(value, &mut out);
    out.text
}

#[cfg(test)]
mod tests {
    use crate::engines::tests::{Case, check};

    const ENGINE: &str = "promptpack-langchainjs";

    #[test]
    fn names_are_members_of_objects() {
        let inputs = r#"{"a": null, "b": [1.0, {"2": 1e21, "1": null}], "c": true, "u": {"n": 1}}"#;
        check(
            ENGINE,
            &[
                Case(inputs, "{}", "{{a}} {{b}} {{c}}", r#"null [1,{"1":null,"2":1e+21}] true"#),
                Case(
                    inputs,
                    "{}",
                    "{{u.n}} {{ a }} {{fragment:f}}",
                    "{{u.n}} {{ a }} {{fragment:f}}",
                ),
                Case("{}", "{}", "{{toString}}", "function toString() { [native code] }"),
                Case("{}", "{}", "{{__proto__}}", "[object Object]"),
                Case("{}", "{}", "{{x}}{{y}}", "missing [x]: Variable 'x' is not defined"),
            ],
        );
    }

    #[test]
    fn fragments_are_resolved_again_together_with_the_surrounding_text() {
        let chain = |length: usize| {
            let links: String =
                (1..length).map(|at| format!(r#""f{at}": "{{{{f{}}}}}", "#, at + 1)).collect();
            format!(r#"{{"fragments": {{{links} "f{length}": "end"}}}}"#)
        };
        let name = r#"{"fragments": {"f": "a", "g": "{{a}}"}}"#;
        let too_deep =
            "limit []: Maximum fragment substitution depth exceeded (possible circular reference)";
        check(
            ENGINE,
            &[
                Case(r#"{"a": "{{f}}"}"#, name, "{{{{f}}}} {{g}}", "{{f}} {{f}}"),
                Case("{}", &chain(8), "{{f1}}", "end"),
                Case("{}", &chain(9), "{{f1}}", too_deep),
            ],
        );
    }

    #[test]
    fn values_are_checked_strictly() {
        let declared =
            |variable: &str| format!(r#"{{"variables": [{{"name": "x", {variable}}}]}}"#);
        let check = |variable: &str, value: &str, expected: &str| {
            let inputs = format!(r#"{{"x": {value}}}"#);
            let error = match expected.split_once(": ") {
                Some((kind, message)) => format!("{kind} [x]: Variable 'x' {message}"),
                None => expected.to_owned(),
            };
            check(ENGINE, &[Case(&inputs, &declared(variable), "{{x}}", &error)]);
        };
        check(r#""type": "string""#, "5", "type: must be a string, got number");
        check(r#""type": "array""#, "null", "type: must be an array, got object");
        check(r#""type": "date""#, "5", "5");
        let rules = r#""type": "string", "validation": {"pattern": "^a", "min_length": 2, "max_length": 3}"#;
        check(rules, r#""b""#, "validation: does not match pattern ^a");
        check(rules, r#""a""#, "validation: must be at least 2 characters, got 1");
        check(rules, r#""a🎉é""#, "validation: must be at most 3 characters, got 4");
        check(rules, r#""aé""#, "aé");
        let rules = r#""type": "number", "validation": {"minimum": 1.0, "maximum": 4}"#;
        check(rules, "0.50", "validation: must be at least 1, got 0.5");
        check(rules, "5", "validation: must be at most 4, got 5");
        let rules = r#""type": "array", "validation": {"enum": [["a", "b"], null]}"#;
        check(rules, r#"["a", "b"]"#, "validation: must be one of: a,b, ");
        let rules = r#""type": "number", "validation": {"enum": [1.0]}"#;
        check(rules, "1", "1");
    }

    #[test]
    fn defaults_are_checked_including_null() {
        let declared =
            r#"{"variables": [{"name": "x", "type": "string", "required": true, "default": "d"}]}"#;
        let null = r#"{"variables": [{"name": "x", "type": "string", "default": null}]}"#;
        let none = r#"{"variables": [{"name": "x", "type": "string", "required": true}]}"#;
        check(
            ENGINE,
            &[
                Case("{}", declared, "{{x}}", "d"),
                Case("{}", null, "", "type [x]: Variable 'x' must be a string, got object"),
                Case("{}", none, "", "missing [x]: Required variable 'x' is missing"),
            ],
        );
    }
}
