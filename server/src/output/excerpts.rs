//! Problems with excerpts of their files, human-readable.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use promptls_resolver::{Location, Problem, Severity};
use ropey::Rope;

use crate::output::log_lines::log_lines;
use crate::output::terminal::Terminal;
use crate::output::visible::{visible, visible_line};
use promptls_workspace::Sources;

/// A longer range, in lines, is underlined in its first line only.
const MAX_LINES: usize = 3;

/// Longer lines are shown only around the place, in characters.
const MAX_LINE: usize = 1_000;

/// The length of the excerpt of a long line on each side of the place, in characters.
const AROUND: usize = 60;

/// Further related places are only counted.
const MAX_RELATED: usize = 4;

/// Formats problems with the lines around them, as `rustc` does.
#[derive(Debug)]
pub struct Excerpts {
    renderer: Renderer,
}

impl Excerpts {
    /// For a terminal with these properties.
    pub fn new(terminal: Terminal) -> Excerpts {
        let renderer = if terminal.colours { Renderer::styled() } else { Renderer::plain() };
        Excerpts { renderer: renderer.decor_style(DecorStyle::Ascii).term_width(terminal.width) }
    }

    /// A problem with its lines, and a line break at the end.
    pub fn show(&self, problem: &Problem, sources: &Sources) -> String {
        let title =
            level(problem.severity).primary_title(visible(&problem.message)).id(problem.code.id());
        let mut group = place(Group::with_title(title), &problem.location, sources, |range| {
            AnnotationKind::Primary.span(range)
        });
        for related in problem.related.iter().take(MAX_RELATED) {
            group = place(group, &related.location, sources, |range| {
                AnnotationKind::Context.span(range).label(visible(&related.message))
            });
        }
        if let Some(more @ 1..) = problem.related.len().checked_sub(MAX_RELATED) {
            group = group.element(Level::NOTE.message(format!("and {more} places more")));
        }
        log_lines(&(self.renderer.render(&[group]) + "\n")).into_owned()
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::NOTE.with_name("hint"),
    }
}

/// Adds a place and its lines.
fn place<'a>(
    group: Group<'a>,
    location: &Location,
    sources: &Sources,
    annotation: impl FnOnce(Range<usize>) -> Annotation<'a>,
) -> Group<'a> {
    let name = visible_line(sources.name(location.file));
    let start = sources.positions(location).start;
    let (line, column) = (start.line + 1, start.column + 1);
    let Some(text) = sources.text(location.file).filter(|text| text.len_bytes() > 0) else {
        return group.element(Origin::path(name).line(line).char_column(column));
    };
    let Lines { text, span, is_cut } = lines(text, &location.range);
    let snippet = Snippet::source(text).line_start(line).annotation(annotation(span));
    if is_cut {
        // The columns of a cut line differ from those of the file.
        return group.element(Origin::path(name).line(line).char_column(column)).element(snippet);
    }
    group.element(snippet.path(name))
}

/// An excerpt of a file.
struct Lines {
    text: String,
    /// The highlighted bytes of the excerpt.
    span: Range<usize>,
    /// Whether the start of its first line is omitted.
    is_cut: bool,
}

/// The lines of a range, cut to the relevant part.
fn lines(text: &Rope, range: &Range<usize>) -> Lines {
    let char_at = |byte: usize| text.byte_to_char(byte.min(text.len_bytes()));
    let (start, mut end) = (char_at(range.start), char_at(range.end));
    let first = text.char_to_line(start);
    let mut last = text.char_to_line(end);
    if last >= first + MAX_LINES {
        last = first;
        end = line_end(text, first);
    }
    let (line_start, line_end) = (text.line_to_char(first), line_end(text, last));
    let (mut from, mut to) = (line_start, line_end);
    if to - from > MAX_LINE {
        end = end.min(start + MAX_LINE);
        from = from.max(start.saturating_sub(AROUND));
        to = to.min(end + AROUND);
    }
    let piece = text.slice(from..to);
    let before = if from > line_start { "…" } else { "" };
    let after = if to < line_end { "…" } else { "" };
    // A place after the end of a line is at its end.
    let in_piece = |char: usize| before.len() + piece.char_to_byte(char.clamp(from, to) - from);
    let text = format!("{before}{piece}{after}");
    let [before, inside, after] =
        [0..in_piece(start), in_piece(start)..in_piece(end), in_piece(end)..text.len()]
            .map(|range| visible(&text[range]));
    Lines {
        span: before.len()..before.len() + inside.len(),
        text: before + &inside + &after,
        is_cut: from > line_start,
    }
}

/// The position after the last character of a line, without its line break.
fn line_end(text: &Rope, line: usize) -> usize {
    let mut end =
        if line + 1 < text.len_lines() { text.line_to_char(line + 1) } else { text.len_chars() };
    let start = text.line_to_char(line);
    while end > start && matches!(text.char(end - 1), '\n' | '\r') {
        end -= 1;
    }
    end
}
