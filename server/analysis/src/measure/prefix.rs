//! The prefix of a prompt that is the same in all cases, which a prompt cache can reuse.

use std::ops::Range;

use promptls_resolver::{Resolution, ResolveContext, Run, RunKind, Template, Via, ViaStep};
use promptls_syntax::{BlockKind, TagStatus, TokenKind};

use super::size::path_of;
use crate::snapshot::Snapshot;
use crate::without_value::{NoValueReason, WithoutValue};

/// The minimum number of tokens for a [`Prefix`] that editors mark as a *cacheable start*.
///
/// Providers cache prompts of 1,024 tokens or more. A prompt is sent together with tools and
/// examples, which often are three quarters of that. So a prefix shorter than the remaining quarter
/// rarely decides whether anything is cached.
pub const LEAST_CACHEABLE_TOKENS: usize = 256;

/// The prefix of a resolved text that is the same in all cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The offset of the first difference, in bytes of the shown text.
    pub end: usize,
    /// The number of compared cases. With fewer than two, the prefix ends at the first placeholder.
    pub cases: usize,
    /// The source of the first difference; `None` if there is none.
    pub until: Option<Until>,
}

/// The source of the text that ends a [`Prefix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Until {
    /// The name or path of a placeholder, or in the header of a block.
    pub path: Option<String>,
    /// The range in the prompt.
    pub source: Range<usize>,
}

/// The prefix of a resolved text: that of the prompt in the case with index `shown`.
///
/// Values at run time always count as different. Cost: resolves the prompt in all other cases.
///
/// ```
/// use promptls_analysis::{Snapshot, static_prefix};
/// use promptls_resolver::{Dialect, Template};
///
/// let text = "You are helpful.\nToday is {date}.";
/// let snapshot = Snapshot::new(Dialect::Adk, text);
/// let template = Template::compile(Dialect::Adk, text);
/// let resolution = template.resolve(&snapshot.given()[0]);
/// let prefix = static_prefix(&snapshot, &template, None, &resolution);
/// assert_eq!(&text[..prefix.end], "You are helpful.\nToday is ");
/// ```
pub fn static_prefix(
    snapshot: &Snapshot,
    template: &Template<'_>,
    shown: Option<usize>,
    resolution: &Resolution,
) -> Prefix {
    let given = snapshot.given();
    let shown = shown.filter(|&shown| shown < given.len()).unwrap_or(0);
    let shown = Resolved { snapshot, given: &given[shown], resolution };
    let cases = snapshot.cases.len();
    if cases < 2 {
        return Prefix { cases, ..shown.before_placeholders() };
    }
    let mut prefix = Prefix { end: resolution.text.len(), cases, until: None };
    shown.stop_at_runtime(&mut prefix);
    for other in &given {
        if std::ptr::eq(other, shown.given) {
            continue;
        }
        let resolution = snapshot.resolve_with(template, other);
        let other = Resolved { snapshot, given: other, resolution: &resolution };
        let end = same(&shown.resolution.text, &resolution.text);
        if end < prefix.end || end < resolution.text.len() && prefix.until.is_none() {
            prefix.end = end;
            prefix.until = shown.difference(&other);
        }
        other.stop_at_runtime(&mut prefix);
    }
    prefix
}

/// The length of the common prefix of two texts in bytes, in whole characters.
fn same(a: &str, b: &str) -> usize {
    let bytes = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    a.floor_char_boundary(bytes)
}

/// A prompt in one of its cases.
struct Resolved<'a> {
    snapshot: &'a Snapshot,
    given: &'a ResolveContext<'a>,
    resolution: &'a Resolution,
}

impl Resolved<'_> {
    /// The text before everything that depends on inputs.
    fn before_placeholders(&self) -> Prefix {
        let without_value = WithoutValue::new(self.snapshot, self.resolution, self.given);
        let blocks = blocks(self.snapshot);
        for run in &self.resolution.map.runs {
            // The output of a block depends on inputs, too.
            if blocks.first().is_some_and(|block| block.header.start < run.source.start) {
                return Prefix {
                    end: run.output.start,
                    cases: 0,
                    until: blocks.first().map(Block::until),
                };
            }
            let is_own = matches!(run.kind, RunKind::Literal | RunKind::Escape);
            let is_static =
                is_own && without_value.of(run).is_none() || self.is_text_of_fragment(run);
            if !is_static {
                let until =
                    Until { path: path_of(run, &without_value), source: run.source.clone() };
                return Prefix { end: run.output.start, cases: 0, until: Some(until) };
            }
        }
        let end = self.resolution.text.len();
        Prefix { end, cases: 0, until: blocks.first().map(Block::until) }
    }

    /// Returns whether a run is literal text of a fragment, which is the same in all cases.
    fn is_text_of_fragment(&self, run: &Run) -> bool {
        let declarations = &self.snapshot.declarations;
        run.via.is_some()
            && run.origin.as_ref().is_some_and(|origin| {
                let is_it = |range: Range<usize>| range == origin.range;
                origin.file == declarations.file
                    && declarations.fragments.iter().any(|it| is_it(it.span.range()))
            })
    }

    /// Ends a prefix at the first value that is supplied at run time.
    fn stop_at_runtime(&self, prefix: &mut Prefix) {
        if self.given.runtime.is_empty() {
            return;
        }
        let without_value = WithoutValue::new(self.snapshot, self.resolution, self.given);
        let inside = self.resolution.map.runs.iter();
        let mut inside = inside.take_while(|run| run.output.start < prefix.end);
        let found = inside.find_map(|run| match without_value.of(run) {
            Some((NoValueReason::Runtime, name)) => Some((run, name)),
            _ => None,
        });
        if let Some((run, name)) = found {
            prefix.end = run.output.start;
            prefix.until = Some(Until { path: Some(name), source: run.source.clone() });
        }
    }

    /// The first difference between the texts of two cases.
    fn difference(&self, other: &Resolved<'_>) -> Option<Until> {
        let mut own = Runs::of(self);
        let mut others = Runs::of(other);
        let mut last = None;
        loop {
            match (own.next(), others.next()) {
                (Some(a), Some(b)) if a.same_as(&b) => last = Some(a.run),
                (None, None) => return None,
                (a, b) => {
                    let both = [(self, &a), (other, &b)];
                    let placeholder = || {
                        let mut found = both.iter().filter_map(|(resolved, piece)| {
                            let run = piece.as_ref()?.run;
                            let without_value = WithoutValue::new(
                                resolved.snapshot,
                                resolved.resolution,
                                resolved.given,
                            );
                            let path = path_of(run, &without_value)?;
                            Some(Until { path: Some(path), source: run.source.clone() })
                        });
                        found.next()
                    };
                    let (a, b) = (a.as_ref().map(|it| it.run), b.as_ref().map(|it| it.run));
                    let is_one = a.map(|run| &run.source) == b.map(|run| &run.source);
                    let block = || deciding_block(self.snapshot, last, [a, b]);
                    return if is_one { placeholder() } else { block().or_else(placeholder) };
                }
            }
        }
    }
}

/// The runs of a text with their output.
struct Runs<'a> {
    runs: std::slice::Iter<'a, Run>,
    text: &'a str,
}

struct RunText<'a> {
    run: &'a Run,
    text: &'a str,
}

impl<'a> Runs<'a> {
    fn of(resolved: &Resolved<'a>) -> Self {
        let Resolution { text, map, .. } = resolved.resolution;
        Runs { runs: map.runs.iter(), text }
    }
}

impl<'a> Iterator for Runs<'a> {
    type Item = RunText<'a>;

    fn next(&mut self) -> Option<RunText<'a>> {
        let run = self.runs.next()?;
        Some(RunText { run, text: &self.text[run.output.clone()] })
    }
}

impl RunText<'_> {
    fn same_as(&self, other: &RunText<'_>) -> bool {
        self.run.source == other.run.source && self.text == other.text
    }
}

/// A block that the engine processes.
struct Block {
    kind: BlockKind,
    header: Range<usize>,
    path: String,
    /// The range of its body.
    inside: Range<usize>,
}

/// All blocks that the engine processes, in the order of their headers.
fn blocks(snapshot: &Snapshot) -> Vec<Block> {
    if snapshot.dialect().spec().blocks.is_empty() {
        return Vec::new();
    }
    let mut blocks: Vec<Block> = Vec::new();
    // Complete blocks are never interleaved, so a closer closes the innermost one.
    let mut open = Vec::new();
    for token in snapshot.tree.tokens() {
        let range = token.token.range();
        match token.token.kind {
            _ if token.status != TagStatus::Paired => {}
            TokenKind::BlockOpen(kind) => {
                open.push(blocks.len());
                let path = snapshot.slice(snapshot.name_range(&token));
                blocks.push(Block { kind, inside: range.end..range.end, header: range, path });
            }
            TokenKind::BlockClose(_) => {
                if let Some(block) = open.pop().and_then(|index: usize| blocks.get_mut(index)) {
                    block.inside.end = range.start;
                }
            }
            _ => {}
        }
    }
    blocks
}

impl Block {
    fn until(&self) -> Until {
        Until { path: Some(self.path.clone()), source: self.header.clone() }
    }

    fn holds(&self, run: Option<&Run>) -> bool {
        run.is_some_and(|run| self.inside.contains(&run.source.start))
    }
}

/// The loop items that a run passed through, outermost first.
fn items(run: Option<&Run>) -> Vec<&ViaStep> {
    run.and_then(|run| run.via.as_deref()).map(Via::steps).unwrap_or_default()
}

/// The block that was entered in only one of two cases, where their texts continue with different
/// pieces of the prompt. `last` is the piece before.
fn deciding_block(
    snapshot: &Snapshot,
    last: Option<&Run>,
    next: [Option<&Run>; 2],
) -> Option<Until> {
    let blocks = blocks(snapshot);
    let mut candidates = blocks.iter().filter(|block| block.holds(next[0]) != block.holds(next[1]));
    // A condition is decided already if the previous piece is inside it, unless a loop around it
    // has advanced to another item.
    let is_decided = |block: &&Block| {
        let inside = if block.holds(next[0]) { next[0] } else { next[1] };
        let is_around =
            |it: &&Block| it.kind == BlockKind::Each && it.inside.contains(&block.header.start);
        let loops = blocks.iter().filter(is_around).count();
        block.kind == BlockKind::If
            && block.holds(last)
            && items(last).iter().zip(items(inside)).take(loops).all(|(a, b)| *a == b)
    };
    candidates.find(|block| !is_decided(block)).map(Block::until)
}

#[cfg(test)]
mod tests;
