//! The origin of each byte of a resolved text.

use std::ops::Range;
use std::sync::Arc;

use crate::findings::problem::Location;

/// The kind of a run of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunKind {
    /// Text of the prompt itself, sent unchanged.
    Literal,
    /// The replacement of a placeholder.
    Value,
    /// Literal braces from an escape.
    Escape,
    /// Composed of several origins: see [`Run::parts`].
    Mixed,
}

impl RunKind {
    /// All kinds, in the order of listings.
    pub const ALL: [RunKind; 4] =
        [RunKind::Literal, RunKind::Value, RunKind::Escape, RunKind::Mixed];

    /// The keyword in JSON output: `literal`, `value`, `escape`, `mixed`.
    pub const fn id(self) -> &'static str {
        match self {
            RunKind::Literal => "literal",
            RunKind::Value => "value",
            RunKind::Escape => "escape",
            RunKind::Mixed => "mixed",
        }
    }
}

/// A piece of output with one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The byte range in the output.
    pub output: Range<usize>,
    /// The kind of the run.
    pub kind: RunKind,
    /// The byte range in the prompt: the text itself, or the placeholder that it replaces.
    pub source: Range<usize>,
    /// The name or path of the placeholder.
    pub path: Option<Arc<str>>,
    /// The location of its value.
    pub origin: Option<Location>,
    /// The enclosing fragments and loop items, outermost first.
    pub via: Option<Arc<Via>>,
    /// The origins of a mixed run, in order; their outputs cover the run's.
    pub parts: Vec<Run>,
}

impl Run {
    /// A run of output that is text of the prompt.
    pub fn literal(output: Range<usize>, source: Range<usize>) -> Run {
        Run {
            output,
            kind: RunKind::Literal,
            source,
            path: None,
            origin: None,
            via: None,
            parts: Vec::new(),
        }
    }

    /// The same run after `by` further bytes of output.
    pub fn moved(self, by: usize) -> Run {
        Run {
            output: self.output.start + by..self.output.end + by,
            parts: self.parts.into_iter().map(|part| part.moved(by)).collect(),
            ..self
        }
    }
}

/// A fragment or a loop item that produced the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Via {
    /// The fragment or loop item around it; `None` for the outermost one.
    pub outer: Option<Arc<Via>>,
    /// The fragment or loop item.
    pub step: ViaStep,
}

/// One step of a [`Via`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViaStep {
    /// The text of a fragment, by its name.
    Fragment(Arc<str>),
    /// An item of a loop over a path, from 0.
    Each {
        /// The path in the header of the loop.
        path: Arc<str>,
        /// The index of the item.
        item: usize,
    },
}

impl Via {
    /// All steps, outermost first; at least one.
    pub fn steps(&self) -> Vec<&ViaStep> {
        let mut steps: Vec<&ViaStep> =
            std::iter::successors(Some(self), |via| via.outer.as_deref())
                .map(|via| &via.step)
                .collect();
        steps.reverse();
        steps
    }
}

/// The origins of a whole resolved text: its runs, in order, without gaps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// The runs in the order of the output, without gaps or overlaps.
    pub runs: Vec<Run>,
}

impl SourceMap {
    /// The run that contains a byte of the output; `None` beyond the end. Cost: O(log n).
    pub fn run_at(&self, output: usize) -> Option<&Run> {
        let after = self.runs.partition_point(|run| run.output.end <= output);
        self.runs.get(after).filter(|run| run.output.contains(&output))
    }

    /// All runs from a range of the prompt, in order.
    pub fn runs_from(&self, source: Range<usize>) -> impl Iterator<Item = &Run> {
        self.runs
            .iter()
            .filter(move |run| run.source.start < source.end && source.start < run.source.end)
    }
}
