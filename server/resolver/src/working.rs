//! A text in the making, with the origin of each piece: for engines that replace in the whole text,
//! pass by pass, so that what one pass writes is read by the next.

use std::ops::Range;

use crate::source_map::{Run, RunKind};

/// The working text of the engine, with the origin of each piece.
pub(crate) struct Working {
    pub text: String,
    /// Their outputs cover `text`.
    pub runs: Vec<Run>,
}

/// The piece of the prompt that some runs came from.
pub(crate) fn cover(runs: &[Run]) -> Range<usize> {
    let start = runs.iter().map(|run| run.source.start).min().unwrap_or(0);
    let end = runs.iter().map(|run| run.source.end).max().unwrap_or(0);
    start..end
}

/// A contributor to a mixed run that left no text of its own.
pub(crate) fn empty(run: &Run) -> Run {
    Run { output: 0..0, parts: Vec::new(), ..run.clone() }
}

impl Working {
    /// Replaces ranges; `with` gets the runs that each one overlaps, and gives new text and runs.
    pub fn replace(
        self,
        hits: &[Range<usize>],
        with: impl Fn(usize, &[Run]) -> (String, Run),
    ) -> Working {
        if hits.is_empty() {
            return self;
        }
        let mut result = Working { text: String::with_capacity(self.text.len()), runs: Vec::new() };
        let mut copied = 0;
        let mut first_run = 0;
        for (index, hit) in hits.iter().enumerate() {
            self.copy(copied..hit.start, &mut first_run, &mut result);
            let mut last_run = first_run;
            while last_run < self.runs.len() && self.runs[last_run].output.start < hit.end {
                last_run += 1;
            }
            {
                let (text, mut run) = with(index, &self.runs[first_run..last_run]);
                let start = result.text.len();
                result.text.push_str(&text);
                run.output = start..result.text.len();
                for part in &mut run.parts {
                    part.output = part.output.start + start..part.output.end + start;
                }
                // The value itself is the last part of a re-resolved placeholder.
                if run.kind == RunKind::Mixed
                    && let Some(value) = run.parts.last_mut()
                    && value.kind == RunKind::Value
                {
                    value.output = run.output.clone();
                }
                result.runs.push(run);
            }
            copied = hit.end;
            first_run = last_run.saturating_sub(1);
        }
        self.copy(copied..self.text.len(), &mut first_run, &mut result);
        result
    }

    /// Appends a piece as it is, with its runs, cut to the piece.
    pub fn copy(&self, piece: Range<usize>, first_run: &mut usize, result: &mut Working) {
        while *first_run < self.runs.len() && self.runs[*first_run].output.end <= piece.start {
            // An empty value keeps its place.
            let run = &self.runs[*first_run];
            if run.output.is_empty() && run.output.start == piece.start && !piece.is_empty() {
                break;
            }
            *first_run += 1;
        }
        let base = result.text.len();
        let moved = |at: usize| at.clamp(piece.start, piece.end) - piece.start + base;
        let mut index = *first_run;
        while index < self.runs.len() && self.runs[index].output.start < piece.end {
            let run = &self.runs[index];
            let whole = piece.start <= run.output.start && run.output.end <= piece.end;
            let mut part = run.clone();
            if run.kind == RunKind::Literal && run.output.len() == run.source.len() {
                // Literal text knows its source byte by byte.
                let from = run.output.start.max(piece.start) - run.output.start;
                let to = run.output.end.min(piece.end) - run.output.start;
                part.source = run.source.start + from..run.source.start + to;
            }
            part.output = moved(run.output.start)..moved(run.output.end);
            for inner in &mut part.parts {
                inner.output = moved(inner.output.start)..moved(inner.output.end);
            }
            result.runs.push(part);
            if !whole && run.output.end > piece.end {
                break;
            }
            index += 1;
        }
        *first_run = index;
        result.text.push_str(&self.text[piece]);
    }
}
