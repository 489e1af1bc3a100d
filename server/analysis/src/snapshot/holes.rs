//! Resolves a prompt that is a string of another language, whose program inserts values before the
//! engine processes it.
//!
//! A value that the program computes is a *hole* in the text. An inputs file may contain a value
//! for it, with the key `=` and its source text: `"=city": "Oslo"` for `f"{city}"`. It is inserted
//! first, as the program does it, so that its braces are parsed as those of the prompt. A hole
//! without a value is shown in source form.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use promptls_resolver::{
    EngineError, FileId, Location, Problem, Resolution, ResolveContext, Run, RunKind, Template,
    Values,
};

use promptls_syntax::Tree;

use super::{Case, Hole, HostText, Snapshot};
use crate::prompt_text::PromptText;

/// The character that stands for a hole in a text.
const HOLE: &str = "\u{FFFC}";

impl Snapshot {
    /// Resolves the prompt with some values. `template` is its text, compiled for its engine.
    ///
    /// Cost: that of [`Template::resolve`]. With holes, one more pass over text and map; with
    /// values for them, the text is also compiled again.
    pub fn resolve_with(&self, template: &Template<'_>, given: &ResolveContext<'_>) -> Resolution {
        let Some(host) = self.host.as_deref().filter(|host| !host.holes.is_empty()) else {
            return template.resolve(given);
        };
        let filled = Filled::new(&self.text.whole(), host, given);
        let mut resolution = match filled.has_values() {
            true => Template::compile(self.engine(), &filled.text).resolve(given),
            false => template.resolve(given),
        };
        filled.show(&mut resolution);
        resolution
    }

    /// The text that is sent, or the error of the engine.
    pub fn render_with(
        &self,
        template: &Template<'_>,
        given: &ResolveContext<'_>,
    ) -> Result<String, EngineError> {
        if self.host.as_deref().is_none_or(|host| host.holes.is_empty()) {
            return template.render(given);
        }
        let Resolution { text, error, .. } = self.resolve_with(template, given);
        error.map_or(Ok(text), Err)
    }

    /// The prompt with the texts of other files in place of their holes, and only the cases without
    /// other values for these; `None` if it has none.
    pub(crate) fn with_other_texts(&self) -> Option<(Filled<'_>, Snapshot)> {
        let host = self.host.as_deref()?;
        let others = host.holes.iter().filter(|hole| hole.text.is_some());
        let keys: Vec<String> = others.map(Hole::key).collect();
        if keys.is_empty() {
            return None;
        }
        let has_texts = |case: &&Case| keys.iter().all(|key| case.inputs.get(key).is_none());
        let cases = self.cases.iter().filter(has_texts).cloned().collect();
        let filled = Filled::new(&self.text.whole(), host, &self.given_nothing());
        let text = PromptText::from(&*filled.text);
        let tree = Arc::new(Tree::parse(self.engine().grammar(), &text));
        let open = filled.parts.iter().filter(|part| part.value.is_none());
        let holes = open.map(|part| Hole { range: part.filled.clone(), ..part.hole.clone() });
        let host = Some(Arc::new(HostText { holes: holes.collect(), ..host.clone() }));
        let with_texts = Snapshot { text, tree, host, cases, memo: None, ..self.clone() };
        Some((filled, with_texts))
    }

    /// The parts of the text that are known only at run time, in order.
    pub fn holes(&self) -> &[Hole] {
        self.host.as_deref().map_or(&[], |host| &host.holes)
    }

    /// The hole that an offset of the text is in, or at whose start it is.
    pub(crate) fn hole_at(&self, offset: usize) -> Option<&Hole> {
        self.holes().iter().find(|hole| hole.range.contains(&offset))
    }

    /// The holes that a key of an inputs file has the value of; each has the same expression.
    pub(crate) fn holes_of<'s>(&'s self, key: &'s str) -> impl Iterator<Item = &'s Hole> {
        let expression = key.strip_prefix('=');
        self.holes().iter().filter(move |hole| Some(hole.expression()) == expression)
    }

    /// The holes whose values only the running program has; of several with the same expression, the
    /// first.
    pub(crate) fn computed_holes(&self) -> impl Iterator<Item = &Hole> {
        let mut seen = HashSet::new();
        let computed = self.holes().iter().filter(|hole| hole.text.is_none());
        computed.filter(move |hole| seen.insert(hole.expression()))
    }

    /// `true` for a place in a text of another file that is a prompt there. Such a text has the cases
    /// of this prompt, so that problems are reported where it is written.
    pub fn is_of_other_prompt(&self, place: &Location) -> bool {
        let is_it = |hole: &Hole| hole.range == place.range;
        place.file == FileId::PROMPT && self.parts_of_others().any(is_it)
    }

    /// The holes whose texts are prompts of other files: those with a placeholder.
    pub fn parts_of_others(&self) -> impl Iterator<Item = &Hole> {
        let open = self.dialect().spec().open;
        let is_prompt =
            move |hole: &&Hole| hole.text.as_deref().is_some_and(|text| text.contains(open));
        self.holes().iter().filter(is_prompt)
    }

    /// The prompt as its program reads it in its cases: with the texts of other files in place of
    /// their holes, unless a case has another value for one.
    pub(crate) fn with_parts(&self) -> Cow<'_, Snapshot> {
        match self.with_other_texts() {
            Some((_, with_texts)) if with_texts.cases.len() == self.cases.len() => {
                Cow::Owned(with_texts)
            }
            _ => Cow::Borrowed(self),
        }
    }

    /// The holes without a value in a case, and without a text of another file.
    pub fn open_holes<'s>(&'s self, values: &'s dyn Values) -> impl Iterator<Item = &'s Hole> + 's {
        self.holes().iter().filter(|hole| hole.text.is_none() && values.get(&hole.key()).is_none())
    }
}

/// A text whose holes are filled with their known values.
pub(crate) struct Filled<'h> {
    text: String,
    /// All holes in source order, also those without a value.
    parts: Vec<FilledHole<'h>>,
}

/// A hole with its replacement.
struct FilledHole<'h> {
    hole: &'h Hole,
    /// The range in the filled text.
    filled: Range<usize>,
    /// `None` without a value; otherwise the location of the value, if it has one.
    value: Option<Option<Location>>,
}

impl<'h> Filled<'h> {
    fn new(text: &str, host: &'h HostText, given: &ResolveContext<'_>) -> Filled<'h> {
        let all = given.values.all();
        let mut filled = Filled { text: String::with_capacity(text.len()), parts: Vec::new() };
        let mut done = 0;
        for hole in &host.holes {
            filled.text.push_str(&text[done..hole.range.start]);
            let start = filled.text.len();
            let value = all.as_ref().and_then(|all| all.get(&hole.key())).map(|entry| &entry.value);
            match value {
                Some(value) => match value.as_text() {
                    Some(text) => filled.text.push_str(text),
                    None => filled.text.push_str(&value.to_json()),
                },
                None => filled.text.push_str(hole.text.as_deref().unwrap_or(HOLE)),
            }
            let location = |value: &promptls_resolver::Value| {
                Some(Location { file: given.values.file()?, range: value.span.range() })
            };
            filled.parts.push(FilledHole {
                hole,
                filled: start..filled.text.len(),
                value: value.map(location).or(hole.text.is_some().then_some(None)),
            });
            done = hole.range.end;
        }
        filled.text.push_str(&text[done..]);
        filled
    }

    fn has_values(&self) -> bool {
        self.parts.iter().any(|part| part.value.is_some())
    }

    /// The holes that overlap a range of the filled text.
    fn parts_in(&self, range: &Range<usize>) -> &[FilledHole<'h>] {
        let from = self.parts.partition_point(|part| part.filled.end <= range.start);
        let to = self.parts.partition_point(|part| part.filled.start < range.end);
        &self.parts[from..to.max(from)]
    }

    /// Converts a range of the filled text to the prompt; a range inside a value becomes the whole
    /// hole.
    pub fn in_prompt(&self, range: &Range<usize>) -> Range<usize> {
        let place = |offset: usize, is_end: bool| {
            let next = self.parts.partition_point(|part| part.filled.end <= offset);
            let inside = self.parts.get(next).filter(|part| part.filled.start < offset);
            match (inside, next.checked_sub(1).and_then(|last| self.parts.get(last))) {
                (Some(part), _) if is_end => part.hole.range.end,
                (Some(part), _) => part.hole.range.start,
                (None, Some(last)) => last.hole.range.end + offset - last.filled.end,
                (None, None) => offset,
            }
        };
        place(range.start, false)..place(range.end, true)
    }

    /// Shows holes without a value in source form, and converts all ranges to the prompt.
    fn show(&self, resolution: &mut Resolution) {
        let text = std::mem::take(&mut resolution.text);
        let mut shown = TextWithRuns { text: String::with_capacity(text.len()), runs: Vec::new() };
        for run in std::mem::take(&mut resolution.map.runs) {
            let parts = self.parts_in(&run.source);
            let written = &text[run.output.clone()];
            if run.kind == RunKind::Literal && run.source.len() == run.output.len() {
                self.show_literal(&run, written, parts, &mut shown);
                continue;
            }
            let mut holes = parts.iter().filter(|part| part.value.is_none());
            let start = shown.text.len();
            for char in written.chars() {
                match holes.next().filter(|_| HOLE.starts_with(char)) {
                    Some(part) => shown.text.push_str(&part.hole.written),
                    None => shown.text.push(char),
                }
            }
            let source = self.in_prompt(&run.source);
            // The sources of a mixed run are valid only if it contains no hole.
            let has_moved = shown.text.len() - start != written.len() || start != run.output.start;
            let parts = if has_moved { Vec::new() } else { run.parts };
            let output = start..shown.text.len();
            shown.runs.push(Run { source, output, parts, ..run });
        }
        (resolution.text, resolution.map.runs) = (shown.text, shown.runs);
        self.show_problems(&mut resolution.problems);
    }

    /// Converts the ranges of problems to the prompt.
    pub fn show_problems(&self, problems: &mut [Problem]) {
        for problem in problems {
            let related = problem.related.iter_mut().map(|related| &mut related.location);
            for location in related.chain([&mut problem.location]) {
                if location.file == FileId::PROMPT {
                    location.range = self.in_prompt(&location.range);
                }
            }
        }
    }

    /// `true` if a range of the filled text touches a text of another file.
    pub fn touches_other_text(&self, range: &Range<usize>) -> bool {
        let mut others = self.other_texts();
        others.any(|(filled, _)| filled.start <= range.end && range.start <= filled.end)
    }

    /// `true` if a range of the filled text is within a text of another file that is a prompt there:
    /// one with `open`, with which placeholders start.
    pub fn is_in_other_prompt(&self, range: &Range<usize>, open: &str) -> bool {
        let mut others = self.other_texts().filter(|(_, text)| text.contains(open));
        others.any(|(filled, _)| filled.start <= range.start && range.end <= filled.end)
    }

    /// The texts of other files, with their ranges in the filled text.
    fn other_texts(&self) -> impl Iterator<Item = (&Range<usize>, &str)> {
        let others = self.parts.iter().filter(|part| part.value.is_some());
        others.filter_map(|part| Some((&part.filled, part.hole.text.as_deref()?)))
    }

    /// Adds literal text of the prompt, with its holes as separate runs.
    fn show_literal(
        &self,
        run: &Run,
        written: &str,
        parts: &[FilledHole<'_>],
        shown: &mut TextWithRuns,
    ) {
        let source = &run.source;
        let mut done = source.start;
        for part in parts {
            let (start, end) = (part.filled.start.max(done), part.filled.end.min(source.end));
            shown.literal(run, &written[done - source.start..start - source.start], || {
                self.in_prompt(&(done..start))
            });
            let text = match part.value {
                Some(_) => &written[start - source.start..end - source.start],
                None => &part.hole.written,
            };
            let output = shown.text.len()..shown.text.len() + text.len();
            shown.text.push_str(text);
            shown.runs.push(Run {
                kind: RunKind::Value,
                source: part.hole.range.clone(),
                output,
                path: Some(part.hole.key().into()),
                origin: part.value.clone().flatten(),
                via: run.via.clone(),
                parts: Vec::new(),
            });
            done = end;
        }
        shown.literal(run, &written[done - source.start..], || self.in_prompt(&(done..source.end)));
    }
}

/// The text and runs that were added so far.
struct TextWithRuns {
    text: String,
    runs: Vec<Run>,
}

impl TextWithRuns {
    fn literal(&mut self, run: &Run, text: &str, source: impl FnOnce() -> Range<usize>) {
        if text.is_empty() {
            return;
        }
        let output = self.text.len()..self.text.len() + text.len();
        self.text.push_str(text);
        self.runs.push(Run { source: source(), output, ..run.clone() });
    }
}

#[cfg(test)]
mod tests {
    use promptls_syntax::Dialect;

    use super::*;
    use crate::snapshot::test::Fixture;

    /// Resolves a text in which each `⟨…⟩` is a hole with this source, in a case with some inputs.
    fn resolved(dialect: Dialect, text: &str, inputs: &str) -> (String, Resolution) {
        let (mut plain, mut holes) = (String::new(), Vec::new());
        for part in text.split_inclusive(['⟨', '⟩']) {
            match part.strip_suffix('⟩') {
                Some(written) => {
                    let start = plain.len();
                    plain.push_str(HOLE);
                    let (range, written) = (start..plain.len(), written.to_owned());
                    holes.push(Hole { range, written, text: None });
                }
                None => plain.push_str(part.trim_end_matches('⟨')),
            }
        }
        let fixture = Fixture::new(dialect, &plain).cases(&[("default", inputs)]);
        let host = Some(Arc::new(HostText { holes, ..HostText::default() }));
        let resolution = Snapshot { host, ..fixture.build() }.resolve(Some(0));
        (plain, resolution)
    }

    #[test]
    fn a_hole_is_replaced_by_its_value_or_shown_in_source_form() {
        for (text, inputs, expected) in [
            ("Plan ⟨{city}⟩: {x}.", r#"{"x": "é"}"#, "Plan {city}: é."),
            ("Plan ⟨{city}⟩: {x}.", r#"{"x": "é", "=city": "Oslo"}"#, "Plan Oslo: é."),
            ("⟨a⟩⟨${b}⟩{x}⟨$c⟩", r#"{"x": "x", "=b": "{x}"}"#, "axx$c"),
            ("{⟨{a}⟩}", r#"{"x": "y", "=a": "x"}"#, "y"),
            ("{x⟨{a}⟩}", r#"{"x": "y"}"#, "{x{a}}"),
            ("⟨{a}⟩", r#"{"=a": 1.50}"#, "1.50"),
            ("⟨{a}⟩", r#"{"=a": ""}"#, ""),
            ("\u{FFFC}⟨{a}⟩", "{}", "\u{FFFC}{a}"),
        ] {
            let (plain, Resolution { text, map, .. }) = resolved(Dialect::Adk, text, inputs);
            assert_eq!(text, expected);
            let mut end = 0;
            for run in &map.runs {
                assert_eq!(run.output.start, end, "{map:?}");
                end = run.output.end;
                let source = &plain[run.source.clone()];
                let output = &text[run.output.clone()];
                assert!(run.kind != RunKind::Literal || source == output, "{source} {output}");
            }
            assert_eq!(end, text.len());
        }
    }

    #[test]
    fn problems_and_source_maps_have_ranges_of_the_prompt() {
        let (plain, resolution) =
            resolved(Dialect::Adk, "⟨{a}⟩ {x}", r#"{"=a": "a long value", "y": 1}"#);
        let problem = resolution.problems.first().expect("x has no value");
        assert_eq!(&plain[problem.location.range.clone()], "{x}");
        let value = &resolution.map.runs[0];
        assert_eq!((value.path.as_deref(), value.source.clone()), (Some("=a"), 0..3));
        assert!(value.origin.is_some());
    }

    #[test]
    fn the_key_of_a_hole_is_its_expression() {
        for (written, key) in [
            ("{city}", "=city"),
            ("${ a.b }", "=a.b"),
            ("$name", "=name"),
            ("f(x)", "=f(x)"),
            ("%s", "=%s"),
        ] {
            assert_eq!(Hole { range: 0..3, written: written.to_owned(), text: None }.key(), key);
        }
    }
}
