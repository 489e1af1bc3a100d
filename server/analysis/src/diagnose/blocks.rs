//! Unclosed blocks, and effects of blocks on other names.

use promptls_resolver::blocks::{MAX_DEPTH, MAX_ITEMS, items};
use promptls_resolver::{Code, FileId, Location, Problem, Severity};
use promptls_syntax::{BlockKind, Missing, TagStatus, TokenKind, Use, UseMap};

use super::checker::{Checker, Finding};

pub(super) fn check(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    if checker.dialect().spec().blocks.is_empty() {
        return;
    }
    for tag in snapshot.tree.unpaired_tags().take(checker.max) {
        let (TokenKind::BlockOpen(kind) | TokenKind::BlockClose(kind)) = tag.token.kind else {
            continue;
        };
        let keyword = kind.keyword();
        let (code, message) = match tag.status {
            TagStatus::Unclosed => (
                Code::UnclosedBlock,
                format!(
                    "`{{{{#{keyword}}}}}` is never closed, so it is sent unchanged; add `{{{{/{keyword}}}}}`"
                ),
            ),
            TagStatus::Stray => (
                Code::StrayCloser,
                format!("`{{{{/{keyword}}}}}` closes no block, so it is sent unchanged"),
            ),
            TagStatus::Mismatched => (
                Code::MismatchedCloser,
                format!(
                    "`{{{{/{keyword}}}}}` does not match the open block, so it is sent unchanged"
                ),
            ),
            TagStatus::Paired => continue,
        };
        let location = Location { file: FileId::PROMPT, range: tag.token.range() };
        checker.problems.push(Problem::new(code, location, message));
    }
    if snapshot.has_inputs() {
        too_many_items(checker);
        changed_mode(checker);
    }
    too_deep(checker);
}

/// Loops over more items than the engine supports.
fn too_many_items(checker: &mut Checker<'_>) {
    let title = checker.dialect().spec().title;
    let tree = &checker.snapshot.tree;
    let headers: Vec<Use> = tree
        .uses()
        .map(|(used, _)| used)
        .filter(|used| used.in_force && used.kind == TokenKind::BlockOpen(BlockKind::Each))
        .collect();
    let mut findings = UseMap::default();
    for used in headers {
        let name = tree.name(used.name);
        let mut too_long = Vec::new();
        for case in 0..checker.values.given().len() {
            let found = checker
                .values
                .find(case, used.scope, name, |lookup| items(&lookup.outcome).len() > MAX_ITEMS);
            if let Some(lookup) = found {
                too_long.push((case, items(&lookup.outcome).len(), lookup.location));
            }
        }
        let Some(&(_, len, _)) = too_long.first() else { continue };
        let cases: Vec<usize> = too_long.iter().map(|(case, ..)| *case).collect();
        let message = format!(
            "`{name}` has {len} items{}; {title} stops at {MAX_ITEMS}",
            checker.in_cases(&cases)
        );
        let value = |(case, _, location): (usize, usize, Option<Location>)| {
            Some(checker.value_in(case, location?))
        };
        let related = too_long.into_iter().filter_map(value).collect();
        findings.insert(used, Finding::of_name(Code::LimitExceeded, message, name).with(related));
    }
    checker.report(&findings);
}

/// Blocks that are nested deeper than the engine supports.
fn too_deep(checker: &mut Checker<'_>) {
    let title = checker.dialect().spec().title;
    let tree = &checker.snapshot.tree;
    let findings = tree
        .uses()
        .map(|(used, _)| used)
        .filter(|used| {
            used.in_force
                && matches!(used.kind, TokenKind::BlockOpen(_))
                && tree.scope_depth(used.scope) == MAX_DEPTH
        })
        .map(|used| {
            let finding = Finding::of_token(
                Code::LimitExceeded,
                format!("more than {MAX_DEPTH} nested blocks; {title} stops here"),
                tree.name(used.name),
            );
            (used, finding)
        })
        .collect();
    checker.report(&findings);
}

/// A block anywhere in the prompt changes the output of all names without a value.
fn changed_mode(checker: &mut Checker<'_>) {
    let snapshot = checker.snapshot;
    let is_missing = |problem: &Problem| {
        problem.code == Code::UndefinedPlaceholder && problem.severity == Severity::Error
    };
    if checker.dialect().spec().missing != Missing::StaysLiteralOrEmpty
        || !checker.problems.iter().any(is_missing)
    {
        return;
    }
    let headers = snapshot
        .tree
        .uses()
        .map(|(used, _)| used)
        .filter(|used| matches!(used.kind, TokenKind::BlockOpen(_)))
        .collect();
    let first = snapshot.tree.occurrences(&headers, 1).into_iter().next();
    if let Some(tag) = first {
        let location = Location { file: FileId::PROMPT, range: tag.token.range() };
        let message = "because the prompt has a block, names without a value are removed; without a block they would be sent unchanged";
        checker.problems.push(Problem::new(Code::ModeChangedByBlock, location, message));
    }
}
