//! PromptKit's engine for Go.
//!
//! It replaces in the whole text, in rounds, so that values may contain further names. It refuses
//! to send text that is left in double braces. Its map of values has no order, so the order of
//! replacement is not deterministic. That matters only if the rounds do not terminate: names never
//! overlap, so a text without replaceable names is the same for any order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use memchr::memmem;
use promptls_syntax::{Dialect, Grammar, TokenKind, tokenize};

use crate::behaviour::{Behaviour, Facts, FragmentNames, Method};
use crate::declarations::Variable;
use crate::engines::profile::{Language, Profile, Span, Version};
use crate::findings::broken_rules::BrokenRule;
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::{too_long, unpredictable};
use crate::outcome::{Lookup, Outcome};
use crate::output::{Bounded, Mapped, Output, has_brace, likely_len};
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::source_map::SourceMap;
use crate::string_form::StringForm;
use crate::template::{Execution, Op, Template};
use crate::value::{Value, ValueKind};
use crate::working::{Hit, Replacement, Working, cover, under};

static EACH_VERSION: PromptKit = PromptKit {
    facts: Facts {
        grammar: Grammar::PromptKitGo,
        form: StringForm::GO_JSON,
        method: Method::WholeText { fills_in_keys: true },
        reads_again: Some("{{"),
        fragment_names: FragmentNames { prefix: None, alone: true },
        ..Facts::plain(Dialect::PromptPack)
    },
};

struct PromptKit {
    facts: Facts,
}

pub(in crate::engines) static GO: Profile = Profile {
    id: "promptkit-go",
    title: "PromptKit for Go",
    language: Language::Go,
    packages: &["github.com/AltairaLabs/PromptKit"],
    source: "AltairaLabs/PromptKit, runtime/template/renderer.go (86d9f36)",
    newest: Version([1, 5, 11]),
    fields: &[],
    spans: &[Span {
        from: Version([1, 3, 26]),
        differs: &[
            "names are keys of any characters; there are no paths and no prefix for fragments",
            "names in values are also replaced, in up to ten rounds",
            "anything left in double braces is an error",
            "{{input}} is all inputs as JSON",
            "types, rules and defaults other than strings are ignored; a required value must not be empty",
            "the SDK logs an error and sends the raw template",
        ],
        behaviour: &EACH_VERSION,
    }],
};

/// The handling of an error by the SDK.
const RAW: &str = "PromptKit's SDK logs this error and sends the prompt unchanged.";

/// The maximum number of rounds.
const MAX_ROUNDS: usize = 10;

/// The name for all inputs together.
const ALL_INPUTS: &str = "input";

impl Behaviour for PromptKit {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn meaning<'a>(&self, name: &str, _: u64, given: &ResolveContext<'a>) -> Lookup<'a> {
        let declarations = given.declarations;
        if let Some(found) = given.values.get(name) {
            return self.value_of(found, given.values.file());
        }
        if let Some(fragment) = declarations.fragment(name) {
            return Lookup::new(Outcome::Fragment(fragment), None);
        }
        let mut declared = declarations.variables.iter().rev();
        let default = declared.find_map(|variable| {
            let default = variable.default.as_ref().filter(|_| !variable.required)?;
            (*variable.name == *name && default.as_text().is_some()).then_some(default)
        });
        match (default, name) {
            (Some(default), _) => self.value(default, Some(declarations.file)),
            (None, ALL_INPUTS) => match given.values.all() {
                Some(all) => {
                    let all: Value = ValueKind::Object(all.into_owned()).into();
                    let mut json = Bounded::new(given.max_output, 64);
                    self.facts.form.write(&all, &mut json);
                    Lookup::new(Outcome::Composed(json.text), None)
                }
                None => Lookup::MISSING,
            },
            (None, _) => Lookup::MISSING,
        }
    }

    fn is_orderly(&self, _: &Template<'_>) -> bool {
        true
    }

    fn render(&self, execution: Execution<'_>, mut out: Bounded) -> Result<String, EngineError> {
        let given = execution.given;
        if let Some(error) = missing(&unset(given)) {
            return Err(error);
        }
        if quickly(execution, &mut out) {
            return match out.is_full() {
                false => Ok(out.text),
                true => Err(limit(given)),
            };
        }
        let Ran { working, .. } = exactly(execution).ok_or_else(|| limit(given))?;
        match unresolved(&left(&working.text, given)) {
            None => Ok(working.text),
            Some(error) => Err(error),
        }
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let Execution { template, given } = execution;
        let unset = unset(given);
        let mut resolution = Resolution { error: missing(&unset), ..Resolution::default() };
        let at_prompt = |range| Location { file: FileId::PROMPT, range };
        let mut out = Mapped::new(given.max_output, likely_len(template.text));
        let mut is_full = false;
        if quickly(execution, &mut out) {
            is_full = out.is_full();
            (resolution.text, resolution.map) = (out.out.text, out.map);
        } else if let Some(Ran { working, by_chance }) = exactly(execution) {
            let left = left(&working.text, given);
            resolution.error = resolution.error.or_else(|| unresolved(&left));
            resolution.problems = left.iter().map(|at| problem_of(at, &working)).collect();
            if by_chance {
                let why = "its names refer to each other in a cycle, and their order of replacement is not deterministic";
                let name = slots(template).next().map_or("", |(_, name)| name);
                let range = slots(template).next().map_or(0..0, |(source, _)| source.clone());
                let message = unpredictable(name, why);
                let problem = Problem::new(Code::EngineUnpredictable, at_prompt(range), message);
                resolution.problems.push(problem.about(name));
            }
            (resolution.text, resolution.map) = (working.text, SourceMap { runs: working.runs });
        } else {
            is_full = true;
        }
        if is_full {
            let limit = limit(given);
            let problem = Problem::new(Code::LimitExceeded, at_prompt(0..0), &*limit.message);
            resolution.problems.push(problem);
            resolution.error = resolution.error.or(Some(limit));
        }
        for name in unset.iter().map(|variable| &*variable.name) {
            let is_listed = resolution.problems.iter().any(|problem| problem.names == [name]);
            if !is_listed {
                let message = format!("`{name}` is required and has no value");
                let problem = Problem::new(Code::UndefinedPlaceholder, at_prompt(0..0), message);
                resolution.problems.push(problem.about(name));
            }
        }
        resolution
    }

    fn missing_required<'a>(&self, given: &ResolveContext<'a>) -> Vec<&'a Variable> {
        unset(given)
    }

    fn broken_rules<'a>(&self, _: &ResolveContext<'a>) -> Vec<BrokenRule<'a>> {
        Vec::new()
    }
}

/// The replacement of a name; `None` if it is not replaced.
fn replacement<'e>(name: &str, execution: Execution<'e>) -> Option<Replacement<'e>> {
    let lookup = execution.look_up(name);
    Replacement::of(name, lookup, execution.given)
}

fn slots<'t>(template: &'t Template<'_>) -> impl Iterator<Item = (&'t Range<usize>, &'t str)> {
    template.ops.iter().filter_map(|op| match op {
        Op::Slot { source, path, .. } => Some((source, &*template.paths[*path].name)),
        _ => None,
    })
}

/// Replaces each placeholder separately, if that certainly equals the result of the rounds.
///
/// Otherwise returns `false`, and `out` must be discarded.
fn quickly(execution: Execution<'_>, out: &mut impl Output) -> bool {
    let Execution { template, given } = execution;
    let is_plain = !template.has_loose_braces
        && given.declarations.fragments.is_empty()
        && given.runtime.is_empty();
    if !is_plain {
        return false;
    }
    let found = execution.run(out);
    let is_complete = found.is_clean() && found.unpredictable.is_empty();
    // The prompt contains no braces except those of names, so any other is from a value.
    is_complete && !has_brace(out.text().as_bytes())
}

/// The result of the rounds.
struct Ran {
    working: Working,
    /// `true` if another order might give another result.
    by_chance: bool,
}

/// Returns `None` if a limit is exceeded.
fn exactly(execution: Execution<'_>) -> Option<Ran> {
    let mut rounds = Rounds { execution, known: HashMap::new(), by_chance: false };
    // Replacing all at once terminates after as many rounds as the worst order, and is fast.
    let (working, has_ended) = rounds.run(ReplacementOrder::AtOnce)?;
    if has_ended {
        return Some(Ran { working, by_chance: false });
    }
    let (working, _) = rounds.run(ReplacementOrder::OneByOne)?;
    Some(Ran { working, by_chance: rounds.by_chance })
}

/// The order of replacements in a round.
#[derive(Clone, Copy, PartialEq)]
enum ReplacementOrder {
    AtOnce,
    /// One by one, so that the next replacement also affects the text of the previous one.
    OneByOne,
}

struct Rounds<'e> {
    execution: Execution<'e>,
    /// The names found so far, with their replacements.
    known: HashMap<Box<str>, Option<Rc<Replacement<'e>>>>,
    /// `true` if the order could differ.
    by_chance: bool,
}

/// A range in the text, and its replacement.
type ReplacementMatch<'a> = (Range<usize>, Rc<Replacement<'a>>);

impl<'e> Rounds<'e> {
    /// Runs all rounds; returns `true` if nothing was left to replace.
    fn run(&mut self, order: ReplacementOrder) -> Option<(Working, bool)> {
        let mut working = Working::of(self.execution.template.text);
        for _ in 0..MAX_ROUNDS {
            let found = self.find(&working.text);
            if found.is_empty() {
                return Some((working, true));
            }
            let mut seen = HashSet::new();
            let mut each = found.iter().map(|(_, with)| with);
            self.by_chance |= !each.all(|with| with.name == found[0].1.name);
            match order {
                ReplacementOrder::AtOnce => working = self.put(working, &found)?,
                ReplacementOrder::OneByOne => {
                    for (_, with) in found.iter().filter(|(_, with)| seen.insert(&with.name)) {
                        let written = format!("{{{{{}}}}}", with.name);
                        let found: Vec<ReplacementMatch<'e>> =
                            memmem::find_iter(working.text.as_bytes(), &written)
                                .map(|at| (at..at + written.len(), with.clone()))
                                .collect();
                        working = self.put(working, &found)?;
                    }
                }
            }
        }
        let has_ended = self.find(&working.text).is_empty();
        Some((working, has_ended))
    }

    /// The ranges of all replaceable names.
    fn find(&mut self, text: &str) -> Vec<ReplacementMatch<'e>> {
        let mut found = Vec::new();
        tokenize(Grammar::PromptKitGo, text, |token| {
            if token.kind != TokenKind::Placeholder {
                return;
            }
            let name = name(text, &token.range());
            if !self.known.contains_key(name) {
                let with = replacement(name, self.execution);
                self.known.insert(name.into(), with.map(Rc::new));
            }
            if let Some(with) = &self.known[name] {
                found.push((token.range(), with.clone()));
            }
        });
        found
    }

    fn put(&self, working: Working, found: &[ReplacementMatch<'e>]) -> Option<Working> {
        let hits: Vec<Hit<'_, 'e>> = found.iter().map(|(at, with)| (at.clone(), &**with)).collect();
        working.put(&hits, self.execution.given.max_output).ok()
    }
}

/// The text between the braces.
fn name<'t>(text: &'t str, hit: &Range<usize>) -> &'t str {
    &text[hit.start + 2..hit.end - 2]
}

/// Text in double braces that was not replaced.
struct Left<'t> {
    at: Range<usize>,
    text: &'t str,
}

/// Everything in double braces, from the left, except what the application supplies.
fn left<'t>(text: &'t str, given: &ResolveContext<'_>) -> Vec<Left<'t>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = memmem::find(&text.as_bytes()[from..], b"{{").map(|at| from + at)
        && let Some(len) = memmem::find(&text.as_bytes()[open + 2..], b"}}")
    {
        let at = open..open + 2 + len + 2;
        from = at.end;
        if !given.is_supplied(Dialect::PromptPack, name(text, &at)) {
            found.push(Left { text: &text[at.clone()], at });
        }
    }
    found
}

fn problem_of(left: &Left<'_>, working: &Working) -> Problem {
    let range = cover(&under(&left.at, working.runs_of(&left.at)));
    let location = Location { file: FileId::PROMPT, range };
    let name = &left.text[2..left.text.len() - 2];
    let message = format!("`{name}` has no value, and no double braces may remain");
    Problem::new(Code::UndefinedPlaceholder, location, message).about(name)
}

/// The required variables whose value is missing from the inputs, or empty.
fn unset<'a>(given: &ResolveContext<'a>) -> Vec<&'a Variable> {
    let is_unset = |name: &str| match given.values.get(name) {
        None => name != ALL_INPUTS && !given.is_supplied(Dialect::PromptPack, name),
        Some(value) => value.is_null() || value.as_text() == Some(""),
    };
    let required = given.declarations.variables.iter().filter(|variable| variable.required);
    required.filter(|variable| is_unset(&variable.name)).collect()
}

fn missing(unset: &[&Variable]) -> Option<EngineError> {
    (!unset.is_empty()).then(|| {
        let names: Vec<String> = unset.iter().map(|variable| variable.name.to_string()).collect();
        let message = format!("missing required variables: [{}]", names.join(" "));
        error(ErrorKind::Missing, names, message)
    })
}

fn unresolved(left: &[Left<'_>]) -> Option<EngineError> {
    (!left.is_empty()).then(|| {
        let names: Vec<String> = left.iter().map(|left| left.text.to_owned()).collect();
        let message = format!("unresolved template placeholders: [{}]", names.join(" "));
        error(ErrorKind::Unresolved, names, message)
    })
}

fn error(kind: ErrorKind, names: Vec<String>, message: String) -> EngineError {
    EngineError { instead: Some(RAW), ..EngineError::new(kind, names, message) }
}

fn limit(given: &ResolveContext<'_>) -> EngineError {
    EngineError::new(ErrorKind::Limit, Vec::new(), too_long(given.max_output))
}

#[cfg(test)]
mod tests {
    use crate::engines::tests::{Case, check, resolve};
    use crate::findings::code::Code;

    const ENGINE: &str = "promptkit-go";

    #[test]
    fn names_may_contain_any_characters() {
        let inputs =
            r#"{"a": "1", "a b": "2", "user.name": "3", "é": null, "n": 1.50, "l": ["<"]}"#;
        check(
            ENGINE,
            &[
                Case(inputs, "{}", "{{a}} {{a b}} {{user.name}} [{{é}}]", "1 2 3 []"),
                Case(inputs, "{}", "{{n}} {{l}} {a} {{a", r#"1.50 ["\u003c"] {a} {{a"#),
                Case(r#"{"a": 1}"#, "{}", "{{input}}", r#"{"a":1}"#),
                Case(r#"{"input": "own"}"#, "{}", "{{input}}", "own"),
            ],
        );
    }

    #[test]
    fn names_in_values_are_replaced_in_ten_rounds() {
        let chain = |length: usize| {
            let links: String =
                (1..length).map(|at| format!(r#""k{at}": "{{{{k{}}}}}", "#, at + 1)).collect();
            format!(r#"{{{links} "k{length}": "end"}}"#)
        };
        check(
            ENGINE,
            &[
                Case(r#"{"a": "{{b}}", "b": "B"}"#, "{}", "{{a}}{{b}}", "BB"),
                Case(r#"{"a": "{{", "b": "b}}"}"#, "{}", "{{a}}b}}", "b}}"),
                Case(&chain(10), "{}", "{{k1}}", "end"),
                Case(
                    &chain(11),
                    "{}",
                    "{{k1}}",
                    "unresolved [{{k11}}]: unresolved template placeholders: [{{k11}}]",
                ),
            ],
        );
    }

    #[test]
    fn unresolved_double_braces_are_an_error() {
        check(
            ENGINE,
            &[
                Case(
                    "{}",
                    "{}",
                    "{{a}} {{ b }}",
                    "unresolved [{{a}},{{ b }}]: unresolved template placeholders: [{{a}} {{ b }}]",
                ),
                Case(
                    r#"{"a": "see {{x}}"}"#,
                    "{}",
                    "{{a}}",
                    "unresolved [{{x}}]: unresolved template placeholders: [{{x}}]",
                ),
                Case(
                    r#"{"a": ""}"#,
                    "{}",
                    "{{{a}}{b}}",
                    "unresolved [{{b}}]: unresolved template placeholders: [{{b}}]",
                ),
            ],
        );
    }

    #[test]
    fn only_strings_are_defaults_and_required_variables_ignore_them() {
        let declared = r#"{"variables": [
            {"name": "a", "default": "A"}, {"name": "n", "default": 5},
            {"name": "r", "required": true, "default": "R"}], "fragments": {"f": "F{{a}}"}}"#;
        check(
            ENGINE,
            &[
                Case(r#"{"r": "1"}"#, declared, "{{a}} {{f}}", "A FA"),
                Case(r#"{"r": "1", "f": "own"}"#, declared, "{{f}}", "own"),
                Case(
                    r#"{"r": "1"}"#,
                    declared,
                    "{{n}}",
                    "unresolved [{{n}}]: unresolved template placeholders: [{{n}}]",
                ),
                Case(r#"{"r": ""}"#, declared, "", "missing [r]: missing required variables: [r]"),
            ],
        );
    }

    #[test]
    fn results_that_are_not_deterministic_are_reported() {
        for (inputs, prompt, by_chance) in [
            (r#"{"a": "{{b}}", "b": "{{a}}"}"#, "{{a}}{{b}}", true),
            (r#"{"a": "{{b}}", "b": "{{a}}"}"#, "{{a}}", false),
            (r#"{"a": "{{b}}", "b": "B"}"#, "{{a}}{{b}}", false),
        ] {
            let found = resolve(ENGINE, inputs, "{}", prompt);
            let codes: Vec<Code> = found.problems.iter().map(|problem| problem.code).collect();
            assert_eq!(codes.contains(&Code::EngineUnpredictable), by_chance, "{inputs} {prompt}");
        }
    }

    #[test]
    fn exponential_growth_is_a_limit_error() {
        let inputs = format!(r#"{{"a": "{}"}}"#, "{{a}}".repeat(100));
        check(
            ENGINE,
            &[Case(
                &inputs,
                "{}",
                "{{a}}",
                "limit []: the resolved text is longer than 16777216 bytes; raise the limit with --max-output",
            )],
        );
    }

    #[test]
    fn unresolved_names_are_reported_at_the_placeholder_that_inserted_them() {
        let found = resolve(ENGINE, r#"{"a": "see {{x}}"}"#, "{}", "Hi {{a}}, {{b}}");
        let places: Vec<_> = found
            .problems
            .iter()
            .map(|problem| (problem.location.range.clone(), &*problem.names[0]))
            .collect();
        assert_eq!(places, [(3..8, "x"), (10..15, "b")]);
    }
}
