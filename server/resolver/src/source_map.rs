//! Where each byte of a resolved text came from.

use std::ops::Range;
use std::sync::Arc;

use crate::findings::problem::Location;

/// What a run of output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunKind {
    /// Text of the prompt.
    Literal,
    /// What the engine put in the place of a placeholder.
    Value,
    /// Literal braces that an escape stands for.
    Escape,
    /// Built from several origins at once: see [`Run::parts`].
    Mixed,
}

impl RunKind {
    /// All kinds, in the order in which we list them.
    pub const ALL: [RunKind; 4] =
        [RunKind::Literal, RunKind::Value, RunKind::Escape, RunKind::Mixed];

    /// The word for it in JSON.
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
    /// The bytes of the output.
    pub output: Range<usize>,
    /// What it is.
    pub kind: RunKind,
    /// The bytes of the prompt it came from: itself, or the placeholder it replaces.
    pub source: Range<usize>,
    /// The name or path of the placeholder.
    pub path: Option<Arc<str>>,
    /// Where its value is written.
    pub origin: Option<Location>,
    /// What it came through, outermost first.
    pub via: Option<Arc<Via>>,
    /// The origins of a mixed run, in order; their outputs cover the run's.
    pub parts: Vec<Run>,
}

/// A fragment or a loop item that output came through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Via {
    /// What is around this one.
    pub outer: Option<Arc<Via>>,
    /// What it is.
    pub step: ViaStep,
}

/// One step of a [`Via`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViaStep {
    /// The text of a fragment.
    Fragment(Arc<str>),
    /// An item of a loop over a path, from 0.
    Each {
        /// The path in the header of the loop.
        path: Arc<str>,
        /// Which item.
        item: usize,
    },
}

impl Via {
    /// All steps, outermost first.
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
    /// The runs.
    pub runs: Vec<Run>,
}

impl SourceMap {
    /// The run that holds a byte of the output. Cost: O(log n).
    pub fn run_at(&self, output: usize) -> Option<&Run> {
        let after = self.runs.partition_point(|run| run.output.end <= output);
        self.runs.get(after).filter(|run| run.output.contains(&output))
    }

    /// All runs that came from a place of the prompt, in order.
    pub fn runs_from(&self, source: Range<usize>) -> impl Iterator<Item = &Run> {
        self.runs
            .iter()
            .filter(move |run| run.source.start < source.end && source.start < run.source.end)
    }
}
