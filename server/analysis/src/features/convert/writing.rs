//! Writes pieces in another dialect, and parses the result once: each token must be an intended
//! one.

use std::ops::Range;

use promptls_resolver::Engine;
use promptls_syntax::{Token, TokenKind, Tree, escapes};

use super::conversion::Unsupported;
use super::names::Plan;
use super::pieces::{PieceContent, PromptPiece, is_block};

/// The written text of a piece, or of a part of its text.
struct Span {
    written: Range<usize>,
    source: Range<usize>,
    origin: SpanOrigin,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SpanOrigin {
    /// Text that is sent unchanged and needs no escape.
    Literal,
    /// An escape of text that is sent unchanged.
    Escape,
    Name,
}

/// The text of the converted prompt, or the parts without an equivalent.
pub(super) fn write(
    target: Engine,
    pieces: &[PromptPiece],
    plan: &Plan,
) -> Result<String, Vec<Unsupported>> {
    let mut writer = PieceWriter { target, text: String::new(), spans: Vec::new() };
    let is_literal = |piece: &PromptPiece| matches!(piece.content, PieceContent::Literal(_));
    for run in pieces.chunk_by(|a, b| is_literal(a) && is_literal(b)) {
        match &run[0].content {
            PieceContent::Name { name, optional } => {
                writer.name(plan.new_of(name), *optional, &run[0].source);
            }
            PieceContent::Literal(_) => writer.literal(run),
        }
    }
    writer.finish()
}

struct PieceWriter {
    target: Engine,
    text: String,
    spans: Vec<Span>,
}

impl PieceWriter {
    fn name(&mut self, name: &str, optional: bool, source: &Range<usize>) {
        let spec = self.target.dialect().spec();
        let mark = spec.optional_mark.filter(|_| optional).map(String::from).unwrap_or_default();
        let written = format!("{}{name}{mark}{}", spec.open, spec.close);
        self.push(&written, source.clone(), SpanOrigin::Name);
    }

    /// Writes consecutive pieces of text, with escapes if the dialect has any.
    fn literal(&mut self, pieces: &[PromptPiece]) {
        let mut text = String::new();
        let mut parts = Vec::new();
        for piece in pieces {
            let PieceContent::Literal(part) = &piece.content else { continue };
            parts.push((text.len()..text.len() + part.len(), piece.source.clone()));
            text.push_str(part);
        }
        // The range of a part of the text in the prompt.
        let source = |range: Range<usize>| {
            let touched = parts.iter().filter(|(part, _)| {
                part.start < range.end.max(range.start + 1) && range.start < part.end
            });
            let place =
                |(part, source): &(Range<usize>, Range<usize>)| match source.len() == part.len() {
                    true => {
                        let at = |offset: usize| {
                            source.start + offset.clamp(part.start, part.end) - part.start
                        };
                        at(range.start)..at(range.end)
                    }
                    false => source.clone(),
                };
            touched.map(place).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
        };
        let mut end = 0;
        for (range, escaped) in escapes(self.target, &text) {
            self.push(&text[end..range.start], source(end..range.start), SpanOrigin::Literal);
            self.push(&escaped, source(range.clone()), SpanOrigin::Escape);
            end = range.end;
        }
        self.push(&text[end..], source(end..text.len()), SpanOrigin::Literal);
    }

    fn push(&mut self, text: &str, source: Range<usize>, origin: SpanOrigin) {
        if !text.is_empty() {
            let start = self.text.len();
            self.text.push_str(text);
            self.spans.push(Span { written: start..self.text.len(), source, origin });
        }
    }

    /// Returns the text if it parses as intended.
    fn finish(self) -> Result<String, Vec<Unsupported>> {
        let mut unsupported = Vec::new();
        let mut read = vec![false; self.spans.len()];
        for found in Tree::parse(self.target, &*self.text).tokens() {
            let token = found.token;
            let is_read = match token.kind {
                TokenKind::Placeholder | TokenKind::Optional | TokenKind::Escape => true,
                _ => token.kind.is_block_tag() && is_block(&found),
            };
            if !is_read {
                continue;
            }
            let first = self.spans.partition_point(|span| span.written.end <= token.start);
            let touched = self.spans[first..].iter();
            let touched = touched.take_while(|span| span.written.start < token.end()).count();
            match &self.spans[first..first + touched] {
                [span] if is_meant(span, &token) => read[first] = true,
                touched => {
                    // Each misread part is reported once.
                    read[first..first + touched.len()].fill(true);
                    unsupported.push(self.misread(&token, touched));
                }
            }
        }
        for (span, _) in self.spans.iter().zip(&read).filter(|(_, is_read)| !**is_read) {
            if span.origin != SpanOrigin::Literal {
                let title = self.target.dialect().spec().title;
                let written = &self.text[span.written.clone()];
                let reason = format!("{title} does not read `{written}` at this position");
                unsupported.push(Unsupported { range: span.source.clone(), reason });
            }
        }
        if unsupported.is_empty() {
            return Ok(self.text);
        }
        unsupported.sort_by_key(|found| found.range.start);
        unsupported.dedup();
        Err(unsupported)
    }

    fn misread(&self, token: &Token, touched: &[Span]) -> Unsupported {
        let title = self.target.dialect().spec().title;
        let written = &self.text[token.range()];
        let place = |span: &Span| {
            let inside = token.start.max(span.written.start)..token.end().min(span.written.end);
            match span.source.len() == span.written.len() {
                true => {
                    let at = |offset: usize| span.source.start + offset - span.written.start;
                    at(inside.start)..at(inside.end)
                }
                false => span.source.clone(),
            }
        };
        let range = touched.iter().map(place).reduce(|a, b| a.start.min(b.start)..a.end.max(b.end));
        let reason = match touched.iter().any(|span| span.origin == SpanOrigin::Name) {
            true => format!("{title} would read all of `{written}` as one placeholder"),
            false => format!("{title} would interpret `{written}`, and cannot send it unchanged"),
        };
        Unsupported { range: range.unwrap_or_default(), reason }
    }
}

/// Returns whether a token is an intended one.
fn is_meant(span: &Span, token: &Token) -> bool {
    let is_all = span.written == token.range();
    is_all
        && match span.origin {
            SpanOrigin::Name => token.kind != TokenKind::Escape && !token.kind.is_block_tag(),
            // A word directly after it makes the output wrong.
            SpanOrigin::Escape => token.kind == TokenKind::Escape && token.flaw.is_none(),
            SpanOrigin::Literal => false,
        }
}
