//! Blocks without their closer, and closers without their block.

use std::ops::Range;

use promptls_resolver::{Code, FileId, Problem};
use promptls_syntax::{TagStatus, TokenKind, Tree};

use super::fix::{Fix, preferring_first, replace, token_of};
use crate::snapshot::Snapshot;

/// Cost: reading the prompt again for each fix.
pub(super) fn unpaired(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let Some(found) = token_of(snapshot, problem) else { return Vec::new() };
    let (TokenKind::BlockOpen(kind) | TokenKind::BlockClose(kind)) = found.token.kind else {
        return Vec::new();
    };
    let range = found.token.range();
    let closer = |keyword: &str| format!("{{{{/{keyword}}}}}");
    let mut candidates: Vec<(String, Range<usize>, String)> = Vec::new();
    match problem.code {
        Code::UnclosedBlock => {
            let at = end_of_block_around(snapshot, range.start);
            let closer = closer(kind.keyword());
            candidates.push((format!("Close the block with `{closer}`"), at..at, closer));
        }
        Code::MismatchedCloser => {
            let others = snapshot.dialect().spec().blocks.iter().filter(|&&other| other != kind);
            candidates.extend(others.map(|other| {
                let closer = closer(other.keyword());
                (format!("Change to `{closer}`"), range.clone(), closer)
            }));
        }
        _ => {}
    }
    let tag = snapshot.slice(range.clone());
    candidates.push((format!("Remove `{tag}`"), range, String::new()));

    // An edit helps if there are fewer lonely tags with it.
    let before = snapshot.tree.unpaired_tags().count();
    let text = snapshot.text.whole().into_owned();
    candidates.retain(|(_, range, new)| {
        let mut after = text.clone();
        after.replace_range(range.clone(), new);
        Tree::parse(snapshot.dialect(), &*after).unpaired_tags().count() < before
    });
    let fix = |(title, range, new)| Fix::of(title, replace(FileId::PROMPT, range, new));
    preferring_first(candidates.into_iter().map(fix).collect())
}

/// Where the block around a place ends, before its closer; for none, the end of the text, before
/// blank lines.
///
/// Cost: the tokens.
fn end_of_block_around(snapshot: &Snapshot, place: usize) -> usize {
    let is_paired = |found: &promptls_syntax::TokenRef<'_>| {
        found.token.kind.is_block_tag() && found.status == TagStatus::Paired
    };
    // Blocks that are open at the place, and those that open behind it.
    let (mut around, mut inside) = (0usize, 0usize);
    for found in snapshot.tree.tokens().filter(is_paired) {
        let opens = matches!(found.token.kind, TokenKind::BlockOpen(_));
        match (found.token.start < place, opens) {
            (true, true) => around += 1,
            (true, false) => around = around.saturating_sub(1),
            (false, true) => inside += 1,
            (false, false) if inside > 0 => inside -= 1,
            (false, false) if around > 0 => return found.token.start,
            (false, false) => {}
        }
    }
    snapshot.text.whole().trim_end().len()
}
