//! What is wrong with each name: it has no value, stands in code, or is nearly one.

use std::collections::HashMap;

use promptls_resolver::{Code, FileId, Location, Problem};
use promptls_syntax::{Flaw, TokenKind, Use};

use super::checker::{Checker, Finding};
use super::undefined;
use crate::dialects::advice;
use crate::near_miss::NearMiss;

pub(super) fn check(checker: &mut Checker<'_>) {
    let tree = &checker.snapshot.tree;
    let uses: Vec<Use> = tree.uses().map(|(used, _)| used).collect();
    let mut undefined = HashMap::new();
    let mut others = HashMap::new();
    for used in uses {
        let name = tree.name(used.name);
        let finding = match used.kind {
            TokenKind::NearMiss => near_miss_finding(checker, name),
            TokenKind::Foreign => Some(foreign_finding(checker, name)),
            TokenKind::Escape => None,
            _ => {
                if let Some(finding) = undefined::finding(checker, used, name) {
                    undefined.insert(used, finding);
                }
                None
            }
        };
        if let Some(finding) = finding.or_else(|| flaw_finding(checker, used, name)) {
            others.insert(used, finding);
        }
    }
    accidents(checker, &undefined);
    checker.report(&undefined);
    checker.report(&others);
}

fn near_miss_finding(checker: &Checker<'_>, token: &str) -> Option<Finding> {
    let found = NearMiss::new(token, checker.known());
    if checker.snapshot.settings.literal.iter().any(|literal| literal == found.word) {
        return None;
    }
    let message = (advice(checker.dialect()).near_miss)(&found)?;
    Some(Finding::of_token(Code::MalformedPlaceholder, message, found.word))
}

fn foreign_finding(checker: &Checker<'_>, token: &str) -> Finding {
    let title = checker.dialect().spec().title;
    let language = if token.starts_with("{%") { "Jinja" } else { "Handlebars" };
    let message = format!("`{token}` is {language}; {title} sends it as it is");
    Finding::of_token(Code::UnsupportedSyntax, message, token)
}

fn flaw_finding(checker: &Checker<'_>, used: Use, name: &str) -> Option<Finding> {
    let title = checker.dialect().spec().title;
    let (code, message) = match used.flaw? {
        Flaw::UnevenBraces => (
            Code::SwallowedBrace,
            format!(
                "{title} swallows every brace that touches `{name}`, so one is lost here; put a blank between"
            ),
        ),
        Flaw::TouchesWord => (
            Code::EscapeHazard,
            format!(
                "the escape of `{name}` swallows the word that touches it; put a blank or a sign between"
            ),
        ),
    };
    Some(Finding::of_token(code, message, name))
}

/// How much before a placeholder may say that it stands in code, in bytes.
const CODE_BEFORE: usize = 32;

/// Undefined names that stand in code, JSON or LaTeX: nobody meant a placeholder.
fn accidents(checker: &mut Checker<'_>, undefined: &HashMap<Use, Finding>) {
    let snapshot = checker.snapshot;
    let Some(code_around) = advice(checker.dialect()).code_around else { return };
    let wanted = undefined.keys().copied().collect();
    for found in snapshot.tree.occurrences(&wanted, checker.max) {
        let range = found.token.range();
        let before = snapshot.text.before(range.start, CODE_BEFORE);
        let Some(what) = code_around(&before, &snapshot.slice(range.clone())) else { continue };
        let message = format!(
            "this looks like {what}, but the engine takes `{}` for a placeholder",
            found.name
        );
        let location = Location { file: FileId::PROMPT, range };
        checker
            .problems
            .push(Problem::new(Code::AccidentalPlaceholder, location, message).about(found.name));
    }
}
