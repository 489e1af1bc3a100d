//! Detects cases in which several engines send different texts.

use std::collections::HashSet;
use std::ops::Range;

use promptls_resolver::{
    Code, EngineRef, Location, Problem, Resolution, RunKind, Template, ValueKind, lookup_name,
};
use promptls_syntax::{TokenKind, TokenRef, Tree};

use super::super::checker::Checker;
use super::super::general;
use super::sends;
use crate::dialects::advice;
use crate::excerpt;

/// A warning for each kind of difference between the first engine and any other one, at its first
/// position.
///
/// Cost: resolves all cases for each engine.
pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    if snapshot.cases.is_empty() || snapshot.settings.severities.is_off(Code::EngineDiffers) {
        return;
    }
    let text = snapshot.text.whole();
    let engines = snapshot.engines();
    let templates: Vec<Template<'_>> =
        engines.iter().map(|engine| Template::compile(engine.engine(), &text)).collect();
    let mut reported: HashSet<EngineDifferenceKind> = HashSet::new();
    let mut problems = Vec::new();
    let givens = checker.values.given().to_vec();
    for (case, given) in givens.iter().enumerate() {
        let first = templates[0].resolve(given);
        for (engine, template) in engines.iter().zip(&templates).skip(1) {
            let other = template.resolve(given);
            let pair = Pair { engines: [engines[0], *engine], resolved: [&first, &other] };
            for difference in pair.differences(checker, &text, case) {
                if reported.insert(difference.kind) {
                    problems.push(difference.problem);
                }
            }
        }
    }
    checker.problems.extend(problems);
}

/// The kind of a difference; each kind is reported once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum EngineDifferenceKind {
    /// Only one of them fails, or both fail differently.
    Error,
    /// The value has this kind: a boolean, a number, a container, a null.
    Value(&'static str),
    /// The index of a hazard of the dialect.
    Hazard(usize),
    Other,
}

struct Difference {
    kind: EngineDifferenceKind,
    problem: Problem,
}

/// The results of two engines for a case.
struct Pair<'r> {
    engines: [EngineRef; 2],
    resolved: [&'r Resolution; 2],
}

impl Pair<'_> {
    fn differences(&self, checker: &Checker<'_>, text: &str, case: usize) -> Vec<Difference> {
        let [first, other] = self.resolved;
        match (&first.error, &other.error) {
            (None, None) if first.text == other.text => return Vec::new(),
            (None, None) => {}
            (Some(first), Some(other))
                if first.kind == other.kind && first.names == other.names =>
            {
                return Vec::new();
            }
            _ => return vec![self.error(checker, case)],
        }
        let mut found = Vec::new();
        for range in places(checker, text, self.engines[1]) {
            let sent = self.resolved.map(|resolution| sent(resolution, &range));
            if sent[0] != sent[1] {
                let outcomes = sent.map(|sent| sends(&sent));
                found.push(self.difference(checker, case, range, outcomes));
            }
        }
        if found.is_empty() {
            let start = general::at_start(checker).range;
            let whole = ["sends one text".to_owned(), "another one".to_owned()];
            found.push(self.difference(checker, case, start, whole));
        }
        found
    }

    fn error(&self, checker: &Checker<'_>, case: usize) -> Difference {
        let names = self.resolved.into_iter().find_map(|resolution| resolution.error.as_ref());
        let name = names.and_then(|error| error.names.first());
        let token = checker
            .snapshot
            .tree
            .tokens()
            .find(|token| name.is_some_and(|name| *name == token.name));
        let range = match token {
            Some(token) => checker.snapshot.name_range(&token),
            None => general::at_start(checker).range,
        };
        let outcomes = self.resolved.map(|resolution| match &resolution.error {
            Some(error) => {
                format!("fails with \u{201c}{}\u{201d}", excerpt::of_text(&error.message))
            }
            None => "sends a text".to_owned(),
        });
        Difference {
            kind: EngineDifferenceKind::Error,
            ..self.difference(checker, case, range, outcomes)
        }
    }

    fn difference(
        &self,
        checker: &Checker<'_>,
        case: usize,
        range: Range<usize>,
        [first, other]: [String; 2],
    ) -> Difference {
        let [one, two] = self.engines;
        let in_case = match &checker.snapshot.cases[..] {
            [_] => String::new(),
            cases => format!(" in case {}", cases[case].name),
        };
        let message = format!("`{one}` {first}, `{two}` {other}{in_case}");
        let token = checker
            .snapshot
            .tree
            .tokens_in(range.clone())
            .find(|token| token.token.start <= range.start && range.end <= token.token.end());
        let location = Location { file: general::at_start(checker).file, range };
        let mut problem = Problem::new(Code::EngineDiffers, location, message);
        let kind = match &token {
            Some(token) => kind(checker, token, case),
            None => EngineDifferenceKind::Other,
        };
        if let Some(token) = token {
            problem = problem.about(token.name);
            let lookup = lookup_name(checker.engine(), token.name, &checker.values.given()[case]);
            let value = lookup.location.map(|location| checker.value_in(case, location));
            problem.related.extend(value);
        }
        Difference { kind, problem }
    }
}

/// Determines the cause of a difference at a token.
fn kind(checker: &Checker<'_>, token: &TokenRef<'_>, case: usize) -> EngineDifferenceKind {
    let snapshot = checker.snapshot;
    let hazards = advice(snapshot.dialect()).hazards();
    if let Some(hazard) = hazards.iter().position(|hazard| hazard.is_at(checker, token)) {
        return EngineDifferenceKind::Hazard(hazard);
    }
    let entry = snapshot.cases[case].inputs.root.get(token.name);
    match entry.map(|entry| &entry.value.kind) {
        Some(ValueKind::Bool(_)) => EngineDifferenceKind::Value("boolean"),
        Some(ValueKind::Number(_)) => EngineDifferenceKind::Value("number"),
        Some(ValueKind::List(_) | ValueKind::Object(_)) => EngineDifferenceKind::Value("container"),
        Some(ValueKind::Null) => EngineDifferenceKind::Value("null"),
        _ => EngineDifferenceKind::Other,
    }
}

/// The ranges of the prompt that at least one of the engines acts on, in order.
fn places(checker: &Checker<'_>, text: &str, other: EngineRef) -> Vec<Range<usize>> {
    let acts = |kind: TokenKind| !kind.is_text();
    let of = |tree: &Tree| -> Vec<Range<usize>> {
        let tokens = tree.tokens().map(|found| found.token);
        tokens.filter(|token| acts(token.kind)).map(|token| token.range()).collect()
    };
    let mut places = of(&checker.snapshot.tree);
    places.extend(of(&Tree::parse(other.engine(), text)));
    places.sort_by_key(|range| (range.start, range.end));
    places.dedup();
    places
}

/// The output of a resolution for a range of the prompt.
fn sent(resolution: &Resolution, piece: &Range<usize>) -> String {
    let mut sent = String::new();
    for run in &resolution.map.runs {
        let source = &run.source;
        let start = source.start.max(piece.start);
        let end = source.end.min(piece.end);
        if start >= end {
            continue;
        }
        match run.kind {
            RunKind::Literal if source.len() == run.output.len() => {
                let from = run.output.start + start - source.start;
                sent.push_str(&resolution.text[from..from + end - start]);
            }
            _ => sent.push_str(&resolution.text[run.output.clone()]),
        }
    }
    sent
}
