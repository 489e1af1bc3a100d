//! A working text with the origin of each piece: for engines that replace in the whole text, in
//! several passes, so that each pass reads the output of the previous one.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::findings::problem::Location;
use crate::outcome::{Lookup, Outcome};
use crate::resolve_context::ResolveContext;
use crate::source_map::{Run, RunKind, Via, ViaStep};

/// The working text of the engine, with the origin of each piece.
pub(crate) struct Working {
    pub text: String,
    /// The runs; their outputs cover `text`.
    pub runs: Vec<Run>,
}

/// The range of the prompt that some runs came from.
pub(crate) fn cover(runs: &[Run]) -> Range<usize> {
    let start = runs.iter().map(|run| run.source.start).min().unwrap_or(0);
    let end = runs.iter().map(|run| run.source.end).max().unwrap_or(0);
    start..end
}

/// A part of a mixed run that left no text of its own.
pub(crate) fn empty(run: &Run) -> Run {
    Run { output: 0..0, parts: Vec::new(), ..run.clone() }
}

/// The runs that a range overlaps; their sources are clipped to it if these are known byte by byte.
pub(crate) fn under(range: &Range<usize>, runs: &[Run]) -> Vec<Run> {
    let cut = |run: &Run| {
        let mut run = run.clone();
        if run.kind == RunKind::Literal && run.output.len() == run.source.len() {
            let at = |output: usize| {
                let output = output.clamp(run.output.start, run.output.end);
                run.source.start + output - run.output.start
            };
            run.source = at(range.start)..at(range.end);
        }
        run
    };
    runs.iter().map(cut).collect()
}

/// The replacement of a name.
pub(crate) struct Replacement<'a> {
    pub name: Box<str>,
    pub text: Cow<'a, str>,
    /// The location of the text.
    pub origin: Option<Location>,
    /// The fragment that the text belongs to.
    pub via: Option<Arc<Via>>,
}

impl<'a> Replacement<'a> {
    /// The replacement of a name with a lookup result; `None` if it stays in source form.
    pub fn of(
        name: &str,
        lookup: Lookup<'a>,
        given: &ResolveContext<'_>,
    ) -> Option<Replacement<'a>> {
        let (text, origin, via) = match lookup.outcome {
            Outcome::Missing | Outcome::WrongType | Outcome::Runtime => return None,
            Outcome::Text(text) => (Cow::Borrowed(text), lookup.location, None),
            Outcome::Fragment(fragment) => {
                let file = given.declarations.file;
                let step = ViaStep::Fragment((*fragment.name).into());
                let origin = Location { file, range: fragment.span.range() };
                let via = Some(Arc::new(Via { outer: None, step }));
                (Cow::Borrowed(&*fragment.text), Some(origin), via)
            }
            _ => {
                let text = lookup.text(given.max_output).unwrap_or_default();
                (Cow::Owned(text), lookup.location, None)
            }
        };
        Some(Replacement { name: name.into(), text, origin, via })
    }

    /// Its run, in place of a range with these runs.
    fn run(&self, range: &Range<usize>, replaced: &[Run]) -> Run {
        let under = under(range, replaced);
        let own = Run {
            output: 0..0,
            kind: RunKind::Value,
            source: cover(&under),
            path: Some((*self.name).into()),
            origin: self.origin.clone(),
            via: self.via.clone(),
            parts: Vec::new(),
        };
        if under.iter().all(|run| run.kind == RunKind::Literal) {
            return own;
        }
        // The placeholder consists of pieces of other origins.
        let parts = under.iter().map(empty).chain([own.clone()]).collect();
        Run { kind: RunKind::Mixed, parts, ..own }
    }
}

/// A range in the working text, and its replacement.
pub(crate) type Hit<'h, 'a> = (Range<usize>, &'h Replacement<'a>);

impl Working {
    /// A prompt before anything is replaced.
    pub fn of(prompt: &str) -> Working {
        let run = Run {
            output: 0..prompt.len(),
            kind: RunKind::Literal,
            source: 0..prompt.len(),
            path: None,
            origin: None,
            via: None,
            parts: Vec::new(),
        };
        let runs = if prompt.is_empty() { Vec::new() } else { vec![run] };
        Working { text: prompt.to_owned(), runs }
    }

    /// Replaces ranges; returns the unchanged text as an error if the result would exceed a maximum
    /// length.
    pub fn put(self, hits: &[Hit<'_, '_>], max_len: usize) -> Result<Working, Working> {
        let grown: usize = hits.iter().map(|(_, with)| with.text.len()).sum();
        let removed: usize = hits.iter().map(|(at, _)| at.len()).sum();
        if (self.text.len() - removed).saturating_add(grown) > max_len {
            return Err(self);
        }
        let places: Vec<Range<usize>> = hits.iter().map(|(at, _)| at.clone()).collect();
        Ok(self.replace(&places, |index, replaced| {
            let (at, with) = &hits[index];
            (with.text.to_string(), with.run(at, replaced))
        }))
    }

    /// The runs that a range overlaps. Cost: O(log n), and the number of runs.
    pub fn runs_of(&self, range: &Range<usize>) -> &[Run] {
        let first = self.runs.partition_point(|run| run.output.end <= range.start);
        let behind = self.runs.partition_point(|run| run.output.start < range.end);
        &self.runs[first..behind.max(first)]
    }

    /// Replaces ranges; `with` gets the runs that each range overlaps, and returns new text and
    /// runs.
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

    /// Appends a piece verbatim, with its runs, clipped to the piece.
    pub fn copy(&self, piece: Range<usize>, first_run: &mut usize, result: &mut Working) {
        while *first_run < self.runs.len() && self.runs[*first_run].output.end <= piece.start {
            // An empty value keeps its position.
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
                // The source of literal text is known byte by byte.
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
