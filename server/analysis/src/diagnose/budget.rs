//! Checks the token limit of `promptls.toml` for the resolved text.

use promptls_resolver::{Code, Location, Problem, Related, ResolveContext, Template};

use super::checker::{Checker, list};
use super::general;
use crate::measure::size::{Share, size};
use crate::without_value::WithoutValue;

/// A case with too many tokens.
struct Excess {
    case: usize,
    tokens: usize,
    /// The placeholder with the most tokens; `None` for the prompt itself.
    largest: Option<String>,
    /// The number of its tokens.
    brings: usize,
    /// The location of the placeholder's first value.
    value: Option<Location>,
}

impl Excess {
    fn percent(&self) -> usize {
        self.brings * 100 / self.tokens.max(1)
    }

    /// "; `docs` is 83%", unless there is only the prompt itself.
    fn what_is_large(&self) -> String {
        match &self.largest {
            Some(path) => format!("; `{path}` is {}%", self.percent()),
            None if self.brings < self.tokens => {
                format!("; the prompt itself is {}%", self.percent())
            }
            None => String::new(),
        }
    }
}

/// Cost: resolves all cases. Only texts with more bytes than the limit are split into tokens,
/// because a token has at least one byte.
pub(super) fn check(checker: &mut Checker<'_>) {
    let settings = &checker.snapshot.settings;
    let Some(limit) = settings.max_tokens else { return };
    if settings.severities.is_off(Code::TooManyTokens) {
        return;
    }
    let text = checker.snapshot.text.whole();
    let template = Template::compile(checker.engine(), &text);
    let given = checker.values.given().iter().enumerate();
    let found: Vec<Excess> =
        given.filter_map(|(case, given)| excess(checker, &template, case, given, limit)).collect();
    let Some(worst) = found.iter().max_by_key(|it| (it.tokens, std::cmp::Reverse(it.case))) else {
        return;
    };
    let cases = &checker.snapshot.cases;
    let large = worst.what_is_large();
    let message = match &found[..] {
        _ if cases.len() < 2 => {
            format!("{} tokens; at most {limit} are allowed{large}", worst.tokens)
        }
        [only] => {
            let case = &cases[only.case].name;
            format!("{} tokens in case {case}; at most {limit} are allowed{large}", only.tokens)
        }
        all => {
            let has = |it: &Excess| format!("{} has {}", cases[it.case].name, it.tokens);
            let has: Vec<String> = all.iter().map(has).collect();
            let has = list(&has.iter().map(String::as_str).collect::<Vec<_>>());
            format!(
                "too many tokens in {} of {} cases: {has}; at most {limit} are allowed{large} of case {}",
                all.len(),
                cases.len(),
                cases[worst.case].name
            )
        }
    };
    // The problem has no names: the largest placeholder changes with the values, but an existing
    // `[[ignore]]` or baseline must still cover the problem.
    let mut problem = Problem::new(Code::TooManyTokens, general::at_start(checker), message);
    problem.related.extend(found.iter().filter_map(|it| {
        let message = format!("{} of {} tokens", it.brings, it.tokens);
        let message = match cases.get(it.case).filter(|_| cases.len() > 1) {
            Some(case) => format!("{message} in case {}", case.name),
            None => message,
        };
        Some(Related { location: it.value.clone()?, message })
    }));
    checker.problems.push(problem);
}

fn excess(
    checker: &Checker<'_>,
    template: &Template<'_>,
    case: usize,
    given: &ResolveContext<'_>,
    limit: usize,
) -> Option<Excess> {
    let resolution = template.resolve(given);
    if resolution.text.len() <= limit {
        return None;
    }
    let snapshot = checker.snapshot;
    let tokens = snapshot.settings.encoding.split(&resolution.text);
    if tokens.count() <= limit {
        return None;
    }
    let size = size(&resolution, &tokens, &WithoutValue::new(snapshot, &resolution, given));
    let Share { tokens: own, .. } = size.literal;
    let largest = size.placeholders.into_iter().next().filter(|it| it.share.tokens >= own);
    let brings = largest.as_ref().map_or(own, |it| it.share.tokens);
    let largest = largest.map(|it| it.path);
    let value = resolution.map.runs.iter().find_map(|run| {
        let is_it = largest.is_some() && run.path.as_deref() == largest.as_deref();
        is_it.then(|| run.origin.clone()).flatten()
    });
    Some(Excess { case, tokens: tokens.count(), largest, brings, value })
}
