//! Fixes for blocks without their closer, and closers without their block.

use std::ops::Range;

use promptls_resolver::{Code, FileId, Problem};
use promptls_syntax::{TagStatus, TokenKind, Tree};

use super::action::Change;
use super::fix::{Fix, preferring_first, replace, token_of};
use super::id::{ActionId, ActionName};
use crate::snapshot::Snapshot;

/// A change that may pair a tag.
struct Candidate {
    id: ActionId,
    title: String,
    range: Range<usize>,
    new: String,
}

impl Candidate {
    fn fix(self) -> Fix {
        Fix::of(self.id, self.title, replace(FileId::PROMPT, self.range, self.new))
    }
}

/// The fixes for a tag without a partner. Cost: parsing the prompt again for each fix.
pub(super) fn unpaired(snapshot: &Snapshot, problem: &Problem) -> Vec<Fix> {
    let mut candidates = candidates(snapshot, problem, &mut BlockEnds::default());
    let mut trial = Trial::of(snapshot);
    candidates.retain(|candidate| trial.helps(&[candidate]));
    preferring_first(candidates.into_iter().map(Candidate::fix).collect())
}

/// The first fix of each of many problems with block tags, as compatible changes.
///
/// Cost: parsing the prompt a few times, and again for each of at most 500 problems whose fix
/// conflicts with those of others.
pub(super) fn unpaired_all<'p>(
    snapshot: &Snapshot,
    problems: impl IntoIterator<Item = &'p Problem>,
) -> Vec<Change> {
    let mut ends = BlockEnds::default();
    let mut waiting: Vec<std::vec::IntoIter<Candidate>> = problems
        .into_iter()
        .map(|problem| candidates(snapshot, problem, &mut ends).into_iter())
        .collect();
    if waiting.is_empty() {
        return Vec::new();
    }
    let mut trial = Trial::of(snapshot);
    let mut accepted: Vec<Candidate> = Vec::new();
    while !waiting.is_empty() {
        // Closing a block and changing a closer may be two fixes of the same block, so they are
        // tried separately.
        let (mut closing, mut changing) = (Vec::new(), Vec::new());
        for mut rest in std::mem::take(&mut waiting) {
            let Some(candidate) = rest.next() else { continue };
            let group = if candidate.range.is_empty() { &mut closing } else { &mut changing };
            group.push((candidate, rest));
        }
        for group in [closing, changing] {
            let mut parts = vec![group];
            while let Some(mut part) = parts.pop() {
                let tried: Vec<&Candidate> = part.iter().map(|(candidate, _)| candidate).collect();
                if tried.is_empty() {
                    continue;
                }
                if trial.helps(&tried) {
                    accepted.extend(part.into_iter().map(|(candidate, _)| candidate));
                } else if part.len() > 1 {
                    let second = part.split_off(part.len() / 2);
                    parts.extend([second, part]);
                } else {
                    waiting.extend(part.into_iter().map(|(_, rest)| rest));
                }
            }
        }
    }
    accepted.sort_by_key(|candidate| (candidate.range.start, candidate.range.end));
    let all: Vec<&Candidate> = accepted.iter().collect();
    let change = |(range, new)| replace(FileId::PROMPT, range, new);
    joined(&all).into_iter().map(change).collect()
}

/// Sorts replacements. Closers at the same position are joined, with that of the innermost block
/// first.
fn joined(candidates: &[&Candidate]) -> Vec<(Range<usize>, String)> {
    let mut sorted: Vec<(usize, &Candidate)> = candidates.iter().copied().enumerate().collect();
    sorted.sort_by_key(|(index, it)| (it.range.start, it.range.end, std::cmp::Reverse(*index)));
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for (_, Candidate { range, new, .. }) in sorted {
        match edits.last_mut() {
            Some((last, text)) if last == range && range.start == range.end => text.push_str(new),
            _ => edits.push((range.clone(), new.clone())),
        }
    }
    edits
}

/// Tests whether edits reduce the number of tags without a partner.
struct Trial<'s> {
    snapshot: &'s Snapshot,
    text: String,
    before: usize,
    /// The remaining number of texts to parse.
    left: usize,
}

/// The maximum number of texts that are parsed for a prompt. If fixes are compatible, a few
/// suffice.
const MAX_TRIALS: usize = 1_000;

impl<'s> Trial<'s> {
    fn of(snapshot: &'s Snapshot) -> Self {
        let before = snapshot.tree.unpaired_tags().count();
        let text = snapshot.text.whole().into_owned();
        Trial { snapshot, text, before, left: MAX_TRIALS }
    }

    /// Returns whether each candidate leaves one fewer tag without a partner.
    fn helps(&mut self, candidates: &[&Candidate]) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        self.left = left;
        let Some(after) = promptls_data::replaced(&self.text, &joined(candidates)) else {
            return false;
        };
        let after = Tree::parse(self.snapshot.dialect(), &*after).unpaired_tags().count();
        after + candidates.len() <= self.before
    }
}

/// The possible changes for a tag without a partner, best first.
fn candidates(snapshot: &Snapshot, problem: &Problem, ends: &mut BlockEnds) -> Vec<Candidate> {
    let Some(found) = token_of(snapshot, problem) else { return Vec::new() };
    let (TokenKind::BlockOpen(kind) | TokenKind::BlockClose(kind)) = found.token.kind else {
        return Vec::new();
    };
    let range = found.token.range();
    let closer = |keyword: &str| format!("{{{{/{keyword}}}}}");
    let mut candidates = Vec::new();
    match problem.code {
        Code::UnclosedBlock => {
            let at = ends.around(snapshot, range.start);
            let new = closer(kind.keyword());
            let id = ActionId::new(ActionName::CloseBlock, &*new);
            let title = format!("Close the block with `{new}`");
            candidates.push(Candidate { id, title, range: at..at, new });
        }
        Code::MismatchedCloser => {
            let others = snapshot.dialect().spec().blocks.iter().filter(|&&other| other != kind);
            candidates.extend(others.map(|other| {
                let new = closer(other.keyword());
                let id = ActionId::new(ActionName::Change, &*new);
                let title = format!("Change to `{new}`");
                Candidate { id, title, range: range.clone(), new }
            }));
        }
        _ => {}
    }
    let tag = snapshot.slice(range.clone());
    let id = ActionId::new(ActionName::RemoveTag, &*tag);
    let title = format!("Remove `{tag}`");
    candidates.push(Candidate { id, title, range, new: String::new() });
    candidates
}

/// The paired blocks of a prompt, computed on first use.
#[derive(Default)]
struct BlockEnds(Option<PairedBlocks>);

/// The ends of paired blocks.
struct PairedBlocks {
    /// Sorted offsets, each with the end of the block around the positions from there on.
    ends: Vec<(usize, usize)>,
}

impl BlockEnds {
    /// The end of the block around a position, before its closer. Outside of blocks, the end of the
    /// text before blank lines.
    ///
    /// Cost: the tokens, the first time.
    fn around(&mut self, snapshot: &Snapshot, place: usize) -> usize {
        let PairedBlocks { ends } = self.0.get_or_insert_with(|| PairedBlocks::of(snapshot));
        ends[ends.partition_point(|(start, _)| *start <= place) - 1].1
    }
}

impl PairedBlocks {
    fn of(snapshot: &Snapshot) -> Self {
        let is_paired = |found: &promptls_syntax::TokenRef<'_>| {
            found.token.kind.is_block_tag() && found.status == TagStatus::Paired
        };
        let end = snapshot.text.whole().trim_end().len();
        let mut ends = vec![(0, end)];
        // The indexes in `ends` of open blocks, to be completed by their closers.
        let mut open: Vec<Vec<usize>> = vec![Vec::new()];
        for found in snapshot.tree.tokens().filter(is_paired) {
            let start = found.token.start;
            if matches!(found.token.kind, TokenKind::BlockOpen(_)) {
                open.push(vec![ends.len()]);
            } else if open.len() > 1 {
                for index in open.pop().unwrap_or_default() {
                    ends[index].1 = start;
                }
                if let Some(outer) = open.last_mut() {
                    outer.push(ends.len());
                }
            } else {
                continue;
            }
            // The tag itself is outside of its block.
            ends.push((start + 1, end));
        }
        PairedBlocks { ends }
    }
}
