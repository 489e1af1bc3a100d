//! Mismatches between a prompt in code and the calls next to it: missing and unused keys.

use std::collections::{BTreeSet, HashSet};

use promptls_resolver::blocks::is_of_item;
use promptls_resolver::{Code, Problem, Related, Severity, root};
use promptls_syntax::{BlockKind, TokenKind, Use, UseMap};

use super::checker::{Checker, Finding};
use super::reading::keys_needed;
use crate::snapshot::{Contract, HostText, SuppliedKey};
use crate::suggest::{KnownNames, is_slip};

/// The maximum number of calls that a problem shows.
const MAX_CALLS: usize = 10;

/// The severity of unused keys, which are harmless.
const OF_UNREAD: Severity = Severity::Hint;

pub(super) fn check(checker: &mut Checker<'_>) {
    let Some(host) = &checker.snapshot.host else { return };
    if host.contracts.is_empty() {
        return;
    }
    check_missing(checker, host);
    if host.holes.is_empty() {
        check_unread(checker, host);
    }
}

/// Names that a call certainly does not supply.
fn check_missing(checker: &mut Checker<'_>, host: &HostText) {
    let (tree, dialect) = (&checker.snapshot.tree, checker.dialect());
    let read = tree.uses().map(|(used, _)| root(dialect, tree.name(used.name))).collect();
    let contracts = host.contracts.iter();
    let contracts: Vec<Keys<'_>> = contracts.map(|it| Keys::new(it, &read)).collect();
    let mut findings: UseMap<Finding> = UseMap::default();
    for (used, _) in checker.snapshot.tree.uses() {
        let violated: Vec<&Keys<'_>> =
            contracts.iter().filter(|contract| is_missing(checker, used, contract)).collect();
        let Some(Keys { keys, .. }) = violated.first() else { continue };
        let name = checker.snapshot.tree.name(used.name);
        let first = root(checker.dialect(), name);
        let meant = KnownNames::new(keys.iter().copied()).did_you_mean(first, 1);
        let call = if host.contracts.len() == 1 { "the call" } else { "a call" };
        let message = format!("{call} that passes values to this prompt has no `{first}`{meant}");
        let calls = violated.iter().take(MAX_CALLS).map(|Keys { contract, .. }| Related {
            location: contract.call.clone(),
            message: "the call".to_owned(),
        });
        let finding = Finding::of_name(Code::UndefinedPlaceholder, message, name);
        let finding = finding.with(calls.collect());
        findings.insert(used, Finding { severity: Severity::Warning, ..finding });
    }
    let reported: BTreeSet<(usize, usize)> = checker.problems.iter().map(place).collect();
    let before = checker.problems.len();
    checker.report(&findings);
    // Names that are also missing in the inputs are reported already.
    let found = checker.problems.split_off(before);
    checker
        .problems
        .extend(found.into_iter().filter(|problem| !reported.contains(&place(problem))));
}

fn place(problem: &Problem) -> (usize, usize) {
    (problem.location.range.start, problem.location.range.end)
}

/// A contract, and its keys.
struct Keys<'c> {
    contract: &'c Contract,
    keys: BTreeSet<&'c str>,
    /// The keys that no name in the prompt refers to.
    unread: KnownNames<'c>,
}

impl<'c> Keys<'c> {
    /// `read` are the names that the prompt refers to.
    fn new(contract: &'c Contract, read: &BTreeSet<&str>) -> Keys<'c> {
        let keys: BTreeSet<&str> = contract.keys.iter().map(|key| key.name.as_str()).collect();
        let unread = KnownNames::new(keys.iter().copied().filter(|key| !read.contains(key)));
        Keys { contract, keys, unread }
    }

    /// `true` if the call supplies a value under a misspelt name instead. Keys of a call with other
    /// prompts may be theirs, so that only a certain slip counts.
    fn has_misspelt(&self, name: &str) -> bool {
        match self.contract.is_own {
            true => self.unread.nearest(name, 1).is_some(),
            false => self.unread.nearest(name, 1).is_some_and(|unread| is_slip(unread, name)),
        }
    }
}

/// Returns whether a use needs a value that is not among the keys of a contract. Conditions are meant
/// for missing values, unless they are similar to a key without a name; and names in a block that is
/// not entered need none. The same holds for calls that may pass other values, or need not pass all.
fn is_missing(checker: &Checker<'_>, used: Use, known: &Keys<'_>) -> bool {
    let (snapshot, dialect) = (checker.snapshot, checker.dialect());
    let is_given = |name: &str| known.keys.contains(root(dialect, name));
    let name = snapshot.tree.name(used.name);
    let first = root(dialect, name);
    if !used.in_force || first.is_empty() || is_given(name) {
        return false;
    }
    let needs_value = match used.kind {
        TokenKind::Placeholder | TokenKind::BlockOpen(BlockKind::Each) => {
            known.contract.is_whole || known.has_misspelt(first)
        }
        TokenKind::BlockOpen(BlockKind::If) => {
            known.contract.is_whole && known.unread.nearest(first, 1).is_some()
        }
        _ => false,
    };
    let mut around = std::iter::successors(snapshot.tree.scope(used.scope), |scope| {
        snapshot.tree.scope(scope.parent)
    });
    let is_settled = snapshot.settings.literal.iter().any(|it| it == name || it == first)
        || snapshot.is_supplied_elsewhere(first);
    needs_value
        && !is_settled
        && !dialect.injects(first)
        && !is_of_item(dialect, name)
        && !around.any(|scope| {
            let path = snapshot.tree.name(scope.path);
            !is_given(path) && !is_of_item(dialect, path)
        })
}

/// Keys that the prompt does not read, for calls whose keys are used only by it. A constant defined
/// elsewhere may have other readers. A key that a misspelt name refers to is reported at that name.
fn check_unread(checker: &mut Checker<'_>, host: &HostText) {
    let own = host.contracts.iter().filter(|contract| contract.is_own);
    let keys = own.flat_map(|contract| {
        let is_in_call = |key: &&SuppliedKey| {
            let (call, key) = (&contract.call.range, &key.location.range);
            call.start <= key.start && key.end <= call.end
        };
        contract.keys.iter().filter(is_in_call)
    });
    // Several calls may have a key of the template.
    let mut seen = HashSet::new();
    let mut keys: Vec<&SuppliedKey> = keys.filter(|key| seen.insert(&key.location)).collect();
    if !keys.is_empty() {
        let needed = keys_needed(checker.snapshot);
        keys.retain(|key| !needed.contains(&key.name));
    }
    for SuppliedKey { name, location, .. } in keys {
        let message = format!("`{name}` is never read by this prompt");
        let problem = Problem::new(Code::UnusedInput, location.clone(), message).about(name);
        checker.problems.push(Problem { severity: OF_UNREAD, ..problem });
    }
}
