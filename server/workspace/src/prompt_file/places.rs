//! Places in prompts, and the places in their file where they are written.

use std::ops::Range;

use promptls_resolver::{FileId, Location, Problem, Related, Run, RunKind, SourceMap};

use super::{Prompt, PromptFile};

impl Prompt {
    /// Splits literals of a source map wherever the file skips bytes: after line breaks,
    /// indentation and escapes. So an offset in a piece equals the offset in the file. Runs for which
    /// `is_whole` returns `true` stay whole.
    pub fn cut_literals(&self, map: SourceMap, is_whole: impl Fn(&Run) -> bool) -> SourceMap {
        if self.map.is_identity() {
            return map;
        }
        let pieces = |run| if is_whole(&run) { vec![run] } else { self.pieces_of(run) };
        SourceMap { runs: map.runs.into_iter().flat_map(pieces).collect() }
    }

    fn pieces_of(&self, run: Run) -> Vec<Run> {
        let Run { source, output, .. } = &run;
        if run.kind != RunKind::Literal || source.len() != output.len() {
            return vec![run];
        }
        let starts = [source.start].into_iter().chain(self.map.starts_in(source));
        let ends = self.map.starts_in(source).chain([source.end]);
        let piece = |source: Range<usize>| {
            let at = |place: usize| output.start + place - run.source.start;
            let output = at(source.start)..at(source.end);
            Run { source, output, ..run.clone() }
        };
        starts.zip(ends).map(|(start, end)| piece(start..end)).collect()
    }
}

impl PromptFile {
    /// A problem of a prompt with its range in the file; `None` if the range no longer exists,
    /// which happens only while the file is broken.
    pub fn in_file(&self, prompt: &Prompt, mut problem: Problem) -> Option<Problem> {
        problem.location = self.location_in_file(prompt, problem.location)?;
        problem.related = problem
            .related
            .into_iter()
            .filter_map(|related| {
                let location = self.location_in_file(prompt, related.location)?;
                Some(Related { location, ..related })
            })
            .collect();
        Some(problem)
    }

    /// A location in a prompt or a sidecar as a location in the files; `None` as for
    /// [`PromptFile::in_file`].
    pub fn location_in_file(&self, prompt: &Prompt, location: Location) -> Option<Location> {
        let range = match location.file {
            FileId::PROMPT => prompt.map.in_file(&location.range),
            file if file == self.file => location.range,
            _ => return Some(location),
        };
        Some(Location { file: self.file, range: self.now(range)? })
    }

    /// `true` if a location exists in the files: always, unless the file is broken.
    pub(super) fn is_there(&self, prompt: &Prompt, location: &Location) -> bool {
        self.drift.is_none() || self.location_in_file(prompt, location.clone()).is_some()
    }

    /// The range in the file of a whole prompt, without constants that it includes; `None` as for
    /// [`PromptFile::in_file`].
    pub fn range_of(&self, prompt: &Prompt) -> Option<Range<usize>> {
        self.now(prompt.map.home(prompt.snapshot.text.len_bytes()))
    }

    /// The range in the file of a range of a prompt's text; `None` as for [`PromptFile::in_file`].
    pub fn range_in_file(&self, prompt: &Prompt, range: &Range<usize>) -> Option<Range<usize>> {
        self.now(prompt.map.in_file(range))
    }

    /// A source map of a prompt with ranges in the file.
    pub fn map_in_file(&self, prompt: &Prompt, map: &mut SourceMap) {
        if !prompt.map.is_identity() {
            *map = prompt.cut_literals(std::mem::take(map), |_| false);
            self.move_runs(prompt, &mut map.runs);
        }
    }

    fn move_runs(&self, prompt: &Prompt, runs: &mut [Run]) {
        for run in runs {
            if let Some(source) = self.range_in_file(prompt, &run.source) {
                run.source = source;
            }
            self.move_runs(prompt, &mut run.parts);
        }
    }

    pub(super) fn now(&self, range: Range<usize>) -> Option<Range<usize>> {
        match &self.drift {
            None => Some(range),
            Some((_, drift)) => Some(drift.now(range.start)?..drift.now(range.end)?),
        }
    }

    /// The earlier offset, in the text that its prompts were read from, of an offset of the file;
    /// `None` for new text.
    pub(super) fn before(&self, offset: usize) -> Option<usize> {
        match &self.drift {
            None => Some(offset),
            Some((_, drift)) => drift.before(offset),
        }
    }

    /// The index of the prompt whose text contains an offset of the file, and the offset in that
    /// text.
    pub fn prompt_at(&self, offset: usize) -> Option<(usize, usize)> {
        let offset = self.before(offset)?;
        let mut prompts = self.prompts.iter().enumerate();
        prompts.find_map(|(index, prompt)| Some((index, prompt.map.in_text(offset)?)))
    }

    /// The index of the prompt with a hole at an offset of the file, and the offset of the hole in
    /// its text.
    pub fn hole_at(&self, offset: usize) -> Option<(usize, usize)> {
        let offset = self.before(offset)?;
        let mut prompts = self.prompts.iter().enumerate();
        prompts.find_map(|(index, prompt)| Some((index, prompt.map.hole_in_text(offset)?)))
    }

    /// The index of the prompt at an offset of the file, or else of the nearest; `None` if there
    /// are none.
    pub fn nearest(&self, offset: usize) -> Option<usize> {
        let offset = self.before(offset).unwrap_or(offset);
        let distance = |prompt: &Prompt| {
            let Range { start, end } = prompt.entry;
            start.saturating_sub(offset).max(offset.saturating_sub(end))
        };
        (0..self.prompts.len()).min_by_key(|&index| distance(&self.prompts[index]))
    }

    /// The part of a prompt's text that is written in a range of the file; all of it if the order
    /// there is another.
    pub fn range_in_text(&self, prompt: &Prompt, range: Range<usize>) -> Range<usize> {
        if prompt.map.has_included() {
            return 0..prompt.snapshot.text.len_bytes();
        }
        let offset =
            |offset: usize| prompt.map.nearest_in_text(self.before(offset).unwrap_or(offset));
        let (start, end) = (offset(range.start), offset(range.end));
        start..end.max(start)
    }
}
