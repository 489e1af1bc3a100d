//! AgentEnsemble: replacement name by name, with sentinels for escapes.
//!
//! The engine turns escapes into sentinel words, replaces each name in the whole working text, one
//! name after the other, and restores sentinels with a greedy pattern. For most prompts, this
//! equals replacing each placeholder separately (the quick way). If values contain placeholders, or
//! words touch escapes, it does not; then the exact way follows the engine step by step.
//!
//! Engine: `TemplateResolver` of AgentEnsemble, up to 0.4.0; later versions have longer sentinels.
//! Document: "07 - Template Resolver" of its design documents.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use promptls_syntax::{Dialect, TokenKind, name_range, tokenize};
use regex::Regex;

use crate::behaviour::{Behaviour, Facts, Method};
use crate::findings::code::Code;
use crate::findings::engine_error::{EngineError, ErrorKind};
use crate::findings::problem::{FileId, Location, Problem};
use crate::findings::run_findings::too_long;
use crate::outcome::{Form, Lookup, Outcome};
use crate::output::{Bounded, Mapped, Output, OutputOrigin};
use crate::resolution::Resolution;
use crate::resolve_context::ResolveContext;
use crate::source_map::{Run, RunKind, SourceMap};
use crate::string_form::StringForm;
use crate::template::{Execution, Op, Template};
use crate::value::{Value, ValueKind};
use crate::working::{Working, cover, empty};

pub(crate) static DOCUMENTED: AgentEnsemble = AgentEnsemble::new(Sentinel::short());

/// The engine with one of its sentinels.
pub(crate) struct AgentEnsemble {
    facts: Facts,
    sentinel: Sentinel,
}

impl AgentEnsemble {
    pub const fn new(sentinel: Sentinel) -> AgentEnsemble {
        let facts = Facts {
            method: Method::WholeText { fills_in_keys: false },
            escapes_in_names: true,
            ..Facts::plain(Dialect::AgentEnsemble)
        };
        AgentEnsemble { facts, sentinel }
    }
}

/// The form of an escape during replacement: the prefix, the name, two underscores.
pub(crate) struct Sentinel {
    pub prefix: &'static str,
    /// The pattern of sentinels when the engine restores them.
    pub restored: LazyLock<Regex>,
}

/// The number of characters of the prompt in the engine's message.
const SHOWN_CHARACTERS: usize = 100;

const SHORT_PREFIX: &str = "__AGENTENSEMBLE_ESCAPED_";

impl Sentinel {
    /// The one of the document.
    pub const fn short() -> Sentinel {
        Sentinel { prefix: SHORT_PREFIX, restored: LazyLock::new(|| pattern(SHORT_PREFIX)) }
    }

    /// The escaped form of a name.
    fn escaped(&self, name: &str) -> String {
        format!("{}{name}__", self.prefix)
    }
}

impl Behaviour for AgentEnsemble {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn value<'a>(&self, value: &'a Value, file: Option<FileId>) -> Lookup<'a> {
        let outcome = match &value.kind {
            ValueKind::Null => Outcome::Empty,
            ValueKind::String(text) | ValueKind::Number(text) => Outcome::Text(text),
            ValueKind::File(_) => Outcome::Text(value.as_text().unwrap_or_default()),
            ValueKind::Bool(_) => Outcome::Value(value, Form(StringForm::JAVA)),
            ValueKind::List(_) | ValueKind::Object(_) => Outcome::WrongType,
        };
        Lookup::new(outcome, value.location(file))
    }

    /// Escapes in a name are sentinels when it is looked up.
    fn effective_name<'n>(&self, written: &'n str) -> Cow<'n, str> {
        if !written.contains('{') {
            return Cow::Borrowed(written);
        }
        let mut name = String::new();
        let mut copied = 0;
        tokenize(Dialect::AgentEnsemble, written, |token| {
            if token.kind == TokenKind::Escape {
                name.push_str(&written[copied..token.start]);
                let escape = &written[token.range()];
                let escaped = &escape[name_range(Dialect::AgentEnsemble, token.kind, escape)];
                name.push_str(&self.sentinel.escaped(escaped));
                copied = token.end();
            }
        });
        name.push_str(&written[copied..]);
        Cow::Owned(name)
    }

    fn render(&self, execution: Execution<'_>, mut out: Bounded) -> Result<String, EngineError> {
        let Execution { template, given } = execution;
        if template.text.trim_matches(is_java_whitespace).is_empty() {
            return Ok(template.text.to_owned());
        }
        log_start(execution);
        let bound = bind(self, execution);
        if let Some(error) = error(template, &bound) {
            return Err(error);
        }
        if !quickly(template, &bound, &mut out) {
            out = exactly(&self.sentinel, execution, &bound).out;
        }
        if out.is_full() {
            return Err(limit_error(given));
        }
        log_end(&bound);
        Ok(out.text)
    }

    fn resolve(&self, execution: Execution<'_>) -> Resolution {
        let Execution { template, given } = execution;
        let mut out = Mapped::new(given.max_output, template.text.len());
        if template.text.trim_matches(is_java_whitespace).is_empty() {
            out.literal(template.text, 0..template.text.len());
            return Resolution { text: out.out.text, map: out.map, ..Resolution::default() };
        }
        log_start(execution);
        let bound = bind(self, execution);
        let mut error = error(template, &bound);
        if !quickly(template, &bound, &mut out) {
            out = exactly(&self.sentinel, execution, &bound);
        }
        let mut problems = problems(template, &bound);
        if out.is_full() {
            let limit = limit_error(given);
            let location = Location { file: FileId::PROMPT, range: 0..0 };
            problems.push(Problem::new(Code::LimitExceeded, location, &*limit.message));
            error = error.or(Some(limit));
        }
        if error.is_none() {
            log_end(&bound);
        }
        Resolution { text: out.out.text, map: out.map, problems, error }
    }
}
/// The pattern for restoring sentinels: greedy, so that it matches all word characters up to the
/// last two underscores.
pub(crate) fn pattern(prefix: &str) -> Regex {
    Regex::new(&format!("{prefix}([0-9A-Za-z_]+)__")).expect("the pattern is valid")
}

/// A placeholder's name with its value.
struct Bound<'a> {
    lookup: Lookup<'a>,
    text: Cow<'a, str>,
}

impl Bound<'_> {
    /// `true` if the engine replaces it at all.
    fn is_replaced(&self) -> bool {
        !self.lookup.is_missing() && !matches!(self.lookup.outcome, Outcome::Runtime)
    }
}

fn bind<'e>(engine: &AgentEnsemble, execution: Execution<'e>) -> Vec<Bound<'e>> {
    let Execution { template, given } = execution;
    let lookups = engine.look_up_all(&template.paths, given).into_iter();
    lookups
        .map(|lookup| {
            let text = match &lookup.outcome {
                Outcome::Text(text) => Cow::Borrowed(*text),
                _ => Cow::Owned(lookup.text(given.max_output).unwrap_or_default()),
            };
            Bound { lookup, text }
        })
        .collect()
}

// The engine's own debug lines; lengths are in UTF-16 units.
fn log_start(Execution { template, given }: Execution<'_>) {
    tracing::debug!(
        "Resolving template ({} chars) with {} variables",
        template.text.encode_utf16().count(),
        given.values.count().map_or("some".to_owned(), |count| count.to_string())
    );
}

fn log_end(bound: &[Bound<'_>]) {
    tracing::debug!("Resolved {} variables in template", bound.len());
}

/// Java's `Character.isWhitespace`, which `String.isBlank` uses; it excludes no-break spaces and
/// U+0085.
fn is_java_whitespace(character: char) -> bool {
    let no_break = matches!(character, '\u{A0}' | '\u{2007}' | '\u{202F}' | '\u{85}');
    (character.is_whitespace() && !no_break) || matches!(character, '\u{1C}'..='\u{1F}')
}

fn names_where(
    template: &Template<'_>,
    bound: &[Bound<'_>],
    is_match: impl Fn(&Outcome<'_>) -> bool,
) -> Vec<String> {
    let paths = template.paths.iter().zip(bound);
    paths
        .filter(|(_, bound)| is_match(&bound.lookup.outcome))
        .map(|(path, _)| path.name.clone().into_owned())
        .collect()
}

fn error(template: &Template<'_>, bound: &[Bound<'_>]) -> Option<EngineError> {
    let missing = names_where(template, bound, |outcome| matches!(outcome, Outcome::Missing));
    if !missing.is_empty() {
        let shown = shown(template.text);
        let message = format!(
            "Missing template variables: [{}]. Provide them in ensemble.run(inputs). Template: '{shown}'",
            missing.join(", ")
        );
        let template = Some(template.text.to_owned());
        return Some(EngineError {
            template,
            ..EngineError::new(ErrorKind::Missing, missing, message)
        });
    }
    let wrong = names_where(template, bound, |outcome| matches!(outcome, Outcome::WrongType));
    (!wrong.is_empty()).then(|| {
        let message =
            format!("Inputs must be strings, these are lists or objects: [{}]", wrong.join(", "));
        EngineError::new(ErrorKind::Type, wrong, message)
    })
}

/// The prompt in the engine's message: cut after 100 UTF-16 units.
fn shown(text: &str) -> Cow<'_, str> {
    let mut units = 0;
    for (at, character) in text.char_indices() {
        units += character.len_utf16();
        if units > SHOWN_CHARACTERS {
            return Cow::Owned(format!("{}...", &text[..at]));
        }
    }
    Cow::Borrowed(text)
}

fn limit_error(given: &ResolveContext<'_>) -> EngineError {
    EngineError::new(ErrorKind::Limit, Vec::new(), too_long(given.max_output))
}

fn problems(template: &Template<'_>, bound: &[Bound<'_>]) -> Vec<Problem> {
    let slots = template.ops.iter().filter_map(|op| match op {
        Op::Slot { source, path, .. } => Some((source, *path)),
        _ => None,
    });
    slots
        .filter_map(|(source, path)| {
            let name = &template.paths[path].name;
            let (code, message) = match bound[path].lookup.outcome {
                Outcome::Missing => (Code::UndefinedPlaceholder, format!("`{name}` has no value")),
                Outcome::WrongType => {
                    (Code::TypeMismatch, format!("`{name}` is not a string in the inputs"))
                }
                _ => return None,
            };
            let location = Location { file: FileId::PROMPT, range: source.clone() };
            Some(Problem::new(code, location, message).about(&**name))
        })
        .collect()
}

/// Replaces each placeholder separately, if that gives the same result as the engine.
///
/// Otherwise returns `false`, and `out` must be discarded.
fn quickly(template: &Template<'_>, bound: &[Bound<'_>], out: &mut impl Output) -> bool {
    // A brace in a value, or before a placeholder, may form a new placeholder.
    if bound.iter().any(|bound| bound.text.contains(['{', '}'])) {
        return false;
    }
    let text = template.text;
    let mut after_escape = false;
    let mut open_brace = false;
    let mut has_sentinel = false;
    for op in &template.ops {
        match op {
            &Op::Literal(literal, start) => {
                // A sentinel is restored greedily: it includes word characters after it.
                if after_escape && literal.starts_with(is_word) {
                    return false;
                }
                has_sentinel |= literal.contains("ESCAPED_");
                open_brace = match literal.rfind(|character| !is_word(character)) {
                    Some(last) => literal[last..].starts_with('{'),
                    None => open_brace,
                };
                after_escape = false;
                out.literal(literal, start..start + literal.len());
            }
            Op::Escape(source) => {
                if after_escape {
                    return false;
                }
                let braces = source.start + 1..source.end - 1;
                out.escape(&text[braces], source.clone());
                after_escape = true;
            }
            Op::Slot { source, path, .. } => {
                if after_escape || open_brace {
                    return false;
                }
                let value = &bound[*path];
                if value.is_replaced() {
                    has_sentinel |= value.text.contains("ESCAPED_");
                    let name = &*template.paths[*path].name;
                    let origin = OutputOrigin {
                        source: (source.start, source.end),
                        path: name,
                        location: value.lookup.location.as_ref(),
                    };
                    out.value(origin, |out| out.push(&value.text));
                } else {
                    // Its text may contain escapes, which are restored like all others.
                    if text[source.clone()].contains("{{") {
                        return false;
                    }
                    out.literal(&text[source.clone()], source.clone());
                }
            }
            Op::Malformed(_) | Op::Block { .. } | Op::End => {}
        }
    }
    !has_sentinel
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

fn exactly(sentinel: &Sentinel, execution: Execution<'_>, bound: &[Bound<'_>]) -> Mapped {
    let Execution { template, given } = execution;
    let mut out = Mapped::new(given.max_output, 0);
    let mut working = protect_escapes(sentinel, template, bound);
    for (path, value) in template.paths.iter().zip(bound) {
        if !value.is_replaced() {
            continue;
        }
        let placeholder = format!("{{{}}}", path.name);
        let hits: Vec<Range<usize>> = memmem::find_iter(working.text.as_bytes(), &placeholder)
            .map(|at| at..at + placeholder.len())
            .collect();
        let grown = hits.len().saturating_mul(value.text.len());
        if grown.saturating_add(working.text.len()) > given.max_output.saturating_mul(2) {
            out.out.push(&" ".repeat(given.max_output.saturating_add(1).min(1 << 30)));
            return out;
        }
        let run = |source| Run {
            output: 0..0,
            kind: RunKind::Value,
            source,
            path: Some((*path.name).into()),
            origin: value.lookup.location.clone(),
            via: None,
            parts: Vec::new(),
        };
        working = working.replace(&hits, |index, replaced| {
            let own = run(cover(replaced));
            let is_own = match replaced {
                [only] => only.path.is_some() && only.output == hits[index],
                _ => false,
            };
            let run = if is_own {
                own
            } else {
                // The placeholder consists of pieces of other origins.
                let parts = replaced.iter().map(empty).chain([own.clone()]).collect();
                Run { kind: RunKind::Mixed, parts, ..own }
            };
            (value.text.to_string(), run)
        });
    }
    working = show_left_out(restore_escapes(working, sentinel), template.text);
    out.out.push(&working.text);
    if !out.out.is_full() {
        out.map = SourceMap { runs: working.runs };
    }
    out
}

/// Stands in the working text for a placeholder that is not replaced and has escapes in its name.
/// They must not be restored, because it stays verbatim. A private-use character, which no pattern
/// of the engine matches.
const LEFT_OUT: &str = "\u{E000}";

/// The text in which names are replaced. Placeholders are runs with a path.
fn protect_escapes(sentinel: &Sentinel, template: &Template<'_>, bound: &[Bound<'_>]) -> Working {
    let mut working =
        Working { text: String::with_capacity(template.text.len()), runs: Vec::new() };
    for op in &template.ops {
        let (text, kind, source, path) = match op {
            &Op::Literal(literal, start) => {
                (Cow::Borrowed(literal), RunKind::Literal, start..start + literal.len(), None)
            }
            Op::Escape(source) => {
                let name = &template.text[source.start + 2..source.end - 2];
                (Cow::Owned(sentinel.escaped(name)), RunKind::Escape, source.clone(), None)
            }
            Op::Slot { source, path, .. } => {
                let name = &*template.paths[*path].name;
                let has_escape = name.len() + 2 != source.len();
                let text = match has_escape && !bound[*path].is_replaced() {
                    true => Cow::Borrowed(LEFT_OUT),
                    false => Cow::Owned(format!("{{{name}}}")),
                };
                (text, RunKind::Literal, source.clone(), Some(name.into()))
            }
            Op::Malformed(_) | Op::Block { .. } | Op::End => continue,
        };
        let start = working.text.len();
        working.text.push_str(&text);
        working.runs.push(Run {
            output: start..working.text.len(),
            kind,
            source,
            path,
            origin: None,
            via: None,
            parts: Vec::new(),
        });
    }
    working
}

/// Restores the placeholders that are not replaced, verbatim.
fn show_left_out(working: Working, template: &str) -> Working {
    let mut shown = Working { text: String::with_capacity(working.text.len()), runs: Vec::new() };
    for mut run in working.runs {
        let mut text = &working.text[run.output.clone()];
        if run.kind == RunKind::Literal {
            let is_left_out = run.path.take().is_some() && text == LEFT_OUT;
            if is_left_out {
                text = &template[run.source.clone()];
            }
        }
        let start = shown.text.len();
        shown.text.push_str(text);
        let moved = |at: usize| at - run.output.start + start;
        for part in &mut run.parts {
            part.output = moved(part.output.start)..moved(part.output.end);
        }
        run.output = start..shown.text.len();
        shown.runs.push(run);
    }
    shown
}

/// Replaces the sentinel of each escaped name with `{name}`.
fn restore_escapes(working: Working, sentinel: &Sentinel) -> Working {
    let found: Vec<(Range<usize>, Range<usize>)> = sentinel
        .restored
        .captures_iter(&working.text)
        .filter_map(|found| Some((found.get(0)?.range(), found.get(1)?.range())))
        .collect();
    let hits: Vec<Range<usize>> = found.iter().map(|(all, _)| all.clone()).collect();
    let text = working.text.clone();
    working.replace(&hits, |index, replaced| {
        let name = &text[found[index].1.clone()];
        let restored = format!("{{{name}}}");
        let run = match replaced {
            [only] if only.kind == RunKind::Escape && only.output == hits[index] => only.clone(),
            _ => {
                let mut parts: Vec<Run> = replaced.iter().map(empty).collect();
                // The origin of each byte is not tracked: all of them formed this name.
                if let Some(first) = parts.first_mut() {
                    first.output = 0..restored.len();
                }
                for part in parts.iter_mut().skip(1) {
                    part.output = restored.len()..restored.len();
                }
                Run {
                    output: 0..0,
                    kind: RunKind::Mixed,
                    source: cover(replaced),
                    path: None,
                    origin: None,
                    via: None,
                    parts,
                }
            }
        };
        (restored, run)
    })
}
