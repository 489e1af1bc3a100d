//! Placeholders without a value, near misses, and syntax of other languages.

use std::collections::HashMap;
use std::iter::successors;

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{
    Code, FileId, Location, Lookup, Outcome, Problem, Severity, effective_name, root,
};
use promptls_syntax::{BlockKind, Flaw, PathStyle, TokenKind, Use};

use super::checker::{Checker, Finding, why_missing};
use crate::dialects::advice;
use crate::near_miss::{NearMiss, is_code};
use crate::snapshot::Snapshot;
use crate::suggest::did_you_mean;

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
                if let Some(finding) = undefined_finding(checker, used, name) {
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

/// Whether a look-up means that the engine has nothing to put there.
fn is_missing(kind: TokenKind, lookup: &Lookup<'_>) -> bool {
    match kind {
        // A block may well be given null: then it is not entered.
        TokenKind::BlockOpen(_) => lookup.is_missing() && lookup.location.is_none(),
        _ => matches!(lookup.outcome, Outcome::Missing),
    }
}

fn undefined_finding(checker: &mut Checker<'_>, used: Use, name: &str) -> Option<Finding> {
    let snapshot = checker.snapshot;
    let dialect = checker.dialect();
    let first = root(dialect, name);
    let is_literal = |name: &str| snapshot.settings.literal.iter().any(|literal| literal == name);
    if !snapshot.has_inputs()
        || !used.in_force
        || used.kind == TokenKind::Optional
        || dialect.injects(first)
        || is_literal(name)
    {
        return None;
    }
    let is_header = matches!(used.kind, TokenKind::BlockOpen(_));
    let mut missing: Vec<(usize, Lookup<'_>)> = Vec::new();
    for case in 0..checker.values.given().len() {
        let found =
            checker.values.find(case, used.scope, name, |lookup| is_missing(used.kind, lookup));
        // A flag that some items leave out is how one tells them apart.
        let is_given = |checker: &mut Checker<'_>| {
            let given = |lookup: &Lookup<'_>| !is_missing(used.kind, lookup);
            checker.values.find(case, used.scope, name, given).is_some()
        };
        if let Some(lookup) = found
            && !(is_header && is_given(checker))
        {
            missing.push((case, lookup));
        }
    }
    // The same goes for cases: some leave it out to test the other branch.
    let in_all_cases = missing.len() == checker.values.given().len();
    if missing.is_empty() || (is_header && !in_all_cases) {
        return None;
    }
    if let Some(what) = (advice(dialect).foreign_name)(name) {
        return Some(Finding::of_token(Code::UnsupportedSyntax, what.to_owned(), name));
    }
    // Code that the engine takes for a path, and then sends as its author wants it.
    if dialect.spec().free_names && !is_header && is_code(name) && !checker.has_block_marker() {
        return None;
    }
    let is_of_item = is_of_item(dialect, name);
    let items = loop_around(snapshot, used).filter(|_| is_of_item);
    // A tag without a partner has made text of its loop, and is one problem, not one more for
    // each name.
    if is_of_item && items.is_none() && snapshot.tree.unpaired_tags().next().is_some() {
        return None;
    }
    if let Some(fragment) = snapshot.declarations.fragment_name(dialect, name) {
        let known = snapshot.declarations.fragments.iter().map(|fragment| &*fragment.name);
        let hint = did_you_mean(fragment, known);
        let message = format!("there is no fragment `{fragment}`{hint}");
        return Some(Finding::of_name(Code::UnknownFragment, message, name));
    }

    if snapshot.awaits_values() {
        return None;
    }

    let cases: Vec<usize> = missing.iter().map(|(case, _)| *case).collect();
    let effective = effective_name(dialect, name);
    let mut message = match name {
        "" => "there is no name".to_owned(),
        _ if effective != name => format!(
            "an escape in braces is read as a placeholder named `{effective}`, which has no value"
        ),
        _ => format!("`{name}` has no value"),
    };
    message.push_str(&checker.in_cases(&cases));
    if let Some(items) = items {
        message.push_str(&format!(" in an item of `{items}`"));
    }
    message.push_str(match used.kind {
        TokenKind::BlockOpen(BlockKind::If) => ", so the block is never entered",
        TokenKind::BlockOpen(BlockKind::Each) => ", so the loop has no items",
        _ => "",
    });
    let suggestion = suggestion(checker, first, name);
    message.push_str(&suggestion);
    let related = missing
        .iter()
        .filter_map(|(case, lookup)| {
            let case = snapshot.cases.get(*case)?;
            Some(why_missing(case, lookup, first, name))
        })
        .collect();
    let finding = Finding::of_name(Code::UndefinedPlaceholder, message, name).with(related);
    // To ask for what may be missing is what conditions are for; it is an error only where
    // another name was meant.
    if used.kind == TokenKind::BlockOpen(BlockKind::If) && suggestion.is_empty() {
        return Some(Finding { severity: Severity::Information, ..finding });
    }
    Some(finding)
}

/// What the innermost loop around a use is over.
fn loop_around(snapshot: &Snapshot, used: Use) -> Option<&str> {
    let tree = &snapshot.tree;
    let blocks = successors(tree.scope(used.scope), |block| tree.scope(block.parent));
    let mut loops = blocks.filter(|block| block.kind == BlockKind::Each);
    loops.next().map(|block| tree.name(block.path))
}

fn suggestion(checker: &Checker<'_>, first: &str, name: &str) -> String {
    if checker.known().contains(first) && first != name {
        // The first name is right, so it is a further step that leads nowhere.
        return String::new();
    }
    let spec = checker.dialect().spec();
    if spec.paths == PathStyle::Whole
        && let Some((start, _)) = name.split_once(['.', '['])
        && checker.known().contains(start)
    {
        return format!("; there are no paths in {}, so this is one name", spec.title);
    }
    let fragments = checker.snapshot.declarations.fragments.iter().map(|fragment| &*fragment.name);
    did_you_mean(first, checker.known().iter().copied().chain(fragments))
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
