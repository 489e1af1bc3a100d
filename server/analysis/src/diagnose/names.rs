//! Problems of each name: it has no value, is in code, or is a near miss.

use promptls_resolver::{Code, FileId, Location, Problem};
use promptls_syntax::{Flaw, TokenKind, Use, UseMap, UseSet};

use super::checker::{Checker, Finding};
use super::other_tags::{self, Tag};
use super::undefined::{self, Undefined};
use crate::advice::CodeAround;
use crate::dialects::advice;
use crate::near_miss::{Evidence, NearMiss};

pub(super) fn check(checker: &mut Checker<'_>) {
    let tree = &checker.snapshot.tree;
    let uses: Vec<Use> = tree.uses().map(|(used, _)| used).collect();
    let near_misses = uses.iter().filter(|used| used.kind == TokenKind::NearMiss).count();
    let mut undefined = UseSet::default();
    let mut others = UseMap::default();
    let mut outside_code = UseMap::default();
    let mut tags = UseMap::default();
    for used in uses {
        let name = tree.name(used.name);
        match used.kind {
            TokenKind::NearMiss => {
                if let Some(finding) =
                    near_miss_finding(checker, name, Evidence::Known, near_misses)
                {
                    others.insert(used, finding);
                } else if let Some(finding) =
                    near_miss_finding(checker, name, elsewhere(checker), near_misses)
                {
                    outside_code.insert(used, finding);
                }
                continue;
            }
            TokenKind::Malformed => continue,
            TokenKind::Foreign => {
                tags.insert(used, Tag::of_token(name));
                continue;
            }
            TokenKind::Escape => {}
            _ => match undefined::undefined(checker, used, name) {
                Some(Undefined::OtherLanguage(what)) => {
                    tags.insert(used, Tag::of_name(what.to_owned()));
                }
                Some(Undefined::NoValue) => {
                    undefined.insert(used);
                }
                None => {}
            },
        }
        if let Some(finding) = flaw_finding(checker, used, name) {
            others.insert(used, finding);
        }
    }
    accidents(checker, &undefined);
    checker.report_with(&undefined, undefined::finding);
    checker.report(&others);
    checker.report_outside_code(&outside_code);
    other_tags::report(checker, &tags);
}

/// The evidence that a near miss outside of code needs.
fn elsewhere(checker: &Checker<'_>) -> Evidence {
    match checker.snapshot.has_inputs() {
        true => Evidence::Near,
        false => Evidence::Shape,
    }
}

/// The finding for one of `count` near misses.
fn near_miss_finding(
    checker: &Checker<'_>,
    token: &str,
    takes: Evidence,
    count: usize,
) -> Option<Finding> {
    let found =
        NearMiss::new(checker.snapshot, token, takes).among(checker.suggestions.values(), count);
    if checker.snapshot.settings.literal.iter().any(|literal| literal == found.word) {
        return None;
    }
    let remark = found.remark(|it| advice(checker.dialect()).near_miss(it))?;
    let finding = Finding::of_token(Code::MalformedPlaceholder, remark.message, found.word);
    Some(Finding { severity: remark.severity, ..finding })
}

fn flaw_finding(checker: &Checker<'_>, used: Use, name: &str) -> Option<Finding> {
    let title = checker.dialect().spec().title;
    let (code, message) = match used.flaw? {
        Flaw::NestedFields => return None,
        Flaw::UnevenBraces => (
            Code::SwallowedBrace,
            format!(
                "{title} swallows every brace next to `{name}`, so one is lost here; add a space between them"
            ),
        ),
        Flaw::TouchesWord => (
            Code::EscapeHazard,
            format!(
                "the escape of `{name}` swallows the word next to it; add a space or a punctuation mark between them"
            ),
        ),
    };
    Some(Finding::of_token(code, message, name))
}

/// The number of bytes before a placeholder that are examined for code.
const CODE_BEFORE: usize = 32;

/// Names in code, JSON or LaTeX that were not meant as placeholders. Names with a value were meant,
/// and without known names, all may have been.
fn accidents(checker: &mut Checker<'_>, undefined: &UseSet) {
    let snapshot = checker.snapshot;
    let advice = advice(checker.dialect());
    if !advice.finds_code() {
        return;
    }
    let required = match snapshot.has_inputs() {
        true => None,
        false => Some(required(checker)),
    };
    let uses = required.as_ref().unwrap_or(undefined);
    if uses.is_empty() {
        return;
    }
    checker.looks_at_text.set(true);
    for found in snapshot.tree.occurrences(uses, checker.max) {
        let range = found.token.range();
        let before = snapshot.text.before(range.start, CODE_BEFORE);
        let around = advice.code_around(&before, &snapshot.slice(range.clone()));
        let Some(CodeAround { what, left_by }) = around else { continue };
        let left_by = left_by.map(|engine| format!("; {engine} does not")).unwrap_or_default();
        let message = format!(
            "this looks like {what}, but the engine reads `{}` as a placeholder{left_by}",
            found.name
        );
        let location = Location { file: FileId::PROMPT, range };
        checker
            .problems
            .push(Problem::new(Code::AccidentalPlaceholder, location, message).about(found.name));
    }
}

/// The names without which the engine sends nothing, except those that settings mark as supplied or
/// literal.
fn required(checker: &Checker<'_>) -> UseSet {
    let Checker { snapshot, .. } = checker;
    let settings = &snapshot.settings;
    let is_settled =
        |name: &str| settings.literal.contains(name) || settings.runtime.contains(name);
    let uses = snapshot.tree.uses().map(|(used, _)| used);
    uses.filter(|used| used.kind == TokenKind::Placeholder && used.in_force)
        .filter(|used| !is_settled(snapshot.tree.name(used.name)))
        .collect()
}
