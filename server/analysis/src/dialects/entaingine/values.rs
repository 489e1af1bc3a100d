//! Values whose output may surprise their author.

use std::cmp::Ordering;

use promptls_resolver::{Code, Location, Outcome, Severity, entaingine};
use promptls_syntax::{Dialect, UseMap};

use crate::diagnose::checker::{Checker, Finding};
use crate::diagnose::values::{in_cases, placeholder_in, readers, related};
use crate::snapshot::Case;

pub(super) fn check(checker: &mut Checker<'_>) {
    held_placeholders(checker);
    unfetched(checker);
    large(checker);
}

/// The default maximum of tokens in all outputs of a task, or in a whole document: a quarter of the
/// context of most models.
const MAX_OUTPUT_TOKENS: usize = 32_000;

/// The maximum number of bytes per token. A text with more bytes than this for each allowed token
/// has too many tokens.
const LONGEST_TOKENS: usize = 16;

/// All outputs of a task, and whole documents: a short placeholder that may fill the context
/// window.
///
/// Cost: splits texts that have more bytes than allowed tokens, but only as far as necessary.
fn large(checker: &mut Checker<'_>) {
    let settings = checker.snapshot.settings.clone();
    if settings.severities.is_off(Code::TooManyTokens) {
        return;
    }
    let limit = settings.max_output_tokens.unwrap_or(MAX_OUTPUT_TOKENS);
    let mut findings = UseMap::default();
    for (used, name) in readers(checker) {
        if !entaingine::is_large(name) {
            continue;
        }
        let cases = in_cases(checker, used, name, |lookup| {
            let text = lookup.text(limit.saturating_mul(LONGEST_TOKENS))?;
            (text.len() > limit && settings.encoding.split(&text).count() > limit).then_some(())
        });
        if cases.is_empty() {
            continue;
        }
        let indexes: Vec<usize> = cases.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "`{name}` has more than {limit} tokens{} and could fill the context window; the limit is `max_output_tokens` in promptls.toml",
            checker.in_cases(&indexes)
        );
        let related = related(checker, &cases);
        findings.insert(used, Finding::of_name(Code::TooManyTokens, message, name).with(related));
    }
    checker.report(&findings);
}

/// Outputs of the prompt's own task and of later ones. They do not exist yet, whatever the inputs
/// contain.
pub(super) fn check_order(checker: &mut Checker<'_>) {
    let Some(own) = checker.snapshot.settings.task else { return };
    let mut findings = UseMap::default();
    for (used, name) in readers(checker) {
        let task = name.split('.').next().and_then(|task| task.strip_prefix("task_"));
        let Some(task) = task.and_then(|task| task.parse::<usize>().ok()) else { continue };
        let why = match task.cmp(&own) {
            Ordering::Less => continue,
            Ordering::Equal => format!("this prompt is task {own} itself"),
            Ordering::Greater => format!("task {task} comes after this one, which is task {own}"),
        };
        // One problem is enough.
        checker.problems.retain(|problem| {
            problem.code != Code::UndefinedPlaceholder || problem.names != [name]
        });
        let message = format!("`{name}` has no value yet: {why}");
        findings.insert(used, Finding::of_name(Code::UndefinedPlaceholder, message, name));
    }
    checker.report(&findings);
}

/// The engine never resolves a value again, although authors of nested placeholders may expect it.
fn held_placeholders(checker: &mut Checker<'_>) {
    let mut findings = UseMap::default();
    for (used, name) in readers(checker) {
        let cases = in_cases(checker, used, name, |lookup| match &lookup.outcome {
            Outcome::Text(text) => placeholder_in(Dialect::Entaingine, text, |_| true),
            Outcome::Composed(text) => placeholder_in(Dialect::Entaingine, text, |_| true),
            _ => None,
        });
        let Some((_, inner, _)) = cases.first() else { continue };
        let indexes: Vec<usize> = cases.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "the value of `{name}` contains `{{{inner}}}`, which is not replaced{}",
            checker.in_cases(&indexes)
        );
        let finding = Finding {
            severity: Severity::Information,
            ..Finding::of_name(Code::ValueReresolved, message, name).with(related(checker, &cases))
        };
        findings.insert(used, finding);
    }
    checker.report(&findings);
}

/// Links that the engine fetches, without a known text in the inputs.
fn unfetched(checker: &mut Checker<'_>) {
    let mut findings = UseMap::default();
    for (used, name) in readers(checker) {
        let (mut cases, mut related) = (Vec::new(), Vec::new());
        let mut url = String::new();
        let given = checker.values.given().iter().zip(&checker.snapshot.cases);
        for (case, (given, Case { inputs, .. })) in given.enumerate() {
            let unknown = entaingine::fetched(name, given)
                .into_iter()
                .filter_map(|value| {
                    let location = Location { file: inputs.file, range: value.span.range() };
                    Some((value.as_text()?, location))
                })
                .find(|(url, _)| entaingine::document(url, given).is_none());
            if let Some((text, location)) = unknown {
                url = text.to_owned();
                related.push(checker.value_in(case, location));
                cases.push(case);
            }
        }
        if cases.is_empty() {
            continue;
        }
        let message = format!(
            "the engine fetches the document at the URL in `{name}`; add its text to `documents` under \"{url}\" to preview it{}",
            checker.in_cases(&cases)
        );
        let finding = Finding {
            severity: Severity::Warning,
            ..Finding::of_name(Code::UndefinedPlaceholder, message, name).with(related)
        };
        findings.insert(used, finding);
    }
    checker.report(&findings);
}
